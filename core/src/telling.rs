//! What a note tells of what it stands for: the summary by a model of the host's that was taken, the one that an earlier fold
//! left, or the digests alone. The report says which, and why.

use alloc::string::String;
use alloc::vec::Vec;

use crate::excerpts::Lines;
use crate::note::{HostSummary, Note};
use crate::plan::{Decision, Fold, Planner, Policy};
use crate::room::{Division, Room, beginnings, claims, lost_record};
use crate::summary::{
    NoteAnswer, NoteRequest, Refusal, RefusalCode, RequestOptions, Summary, Unasked, has_form,
};
use crate::transcript::Transcript;
use crate::trim::Trimming;

/// What came of asking a model for a summary.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum Told {
    /// None was given.
    #[default]
    None,
    /// It stands in the note.
    Written {
        /// Its tokens, with its heading.
        tokens: u64,
    },
    /// There was an answer that may not stand in a note; the digests do.
    Refused(Refusal),
    /// The host's model gave no answer; the digests stand in the note.
    Failed,
}

impl Told {
    /// The name in kebab-case.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Written { .. } => "written",
            Self::Refused(_) => "refused",
            Self::Failed => "failed",
        }
    }
}

/// What became of the summary that an earlier fold left.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Earlier {
    /// There was none.
    #[default]
    None,
    /// It stands in the note as it did.
    Kept,
    /// The model that wrote the new one has read it.
    Merged,
    /// It found no room, and the note says so.
    Dropped,
}

impl Earlier {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Kept => "kept",
            Self::Merged => "merged",
            Self::Dropped => "dropped",
        }
    }
}

/// What a host says of the summary of a fold.
#[derive(Clone, Debug, Default)]
pub enum Reply {
    /// Nobody was asked.
    #[default]
    None,
    /// The model was asked, and failed or took too long.
    Failed,
    /// It answered, and the answer was checked: see [`NoteRequest::check`](crate::summary::NoteRequest::check).
    Checked(Result<Summary, Refusal>),
}

impl Reply {
    /// What `answer` is worth, which was given to a request with `options`: it is held against what `policy` would fold now.
    pub fn of(
        transcript: &Transcript,
        planner: &Planner,
        policy: &Policy,
        options: RequestOptions,
        answer: &NoteAnswer,
    ) -> Self {
        let trimming = Trimming::of(transcript, planner, policy);
        let Decision::Fold(fold) = &trimming.decision else { return Self::None };
        Self::Checked(
            match NoteRequest::of(&trimming.transcript, &trimming.planner, fold, options) {
                Ok(request) => request.check(answer),
                Err(unasked) => Err(gone(unasked)),
            },
        )
    }
}

/// Why an answer is refused to which there is no request any more.
fn gone(unasked: Unasked) -> Refusal {
    let says = alloc::format!("There is no such request now ({}): ask anew.", unasked.name());
    Refusal::new(RefusalCode::NotForThisRequest, says)
}

/// What a note tells of what it stands for, beside what it must carry word for word.
pub(crate) struct Telling {
    /// The fold, with the lines that are left beside a summary.
    pub(crate) fold: Fold,
    pub(crate) host: Option<HostSummary>,
    /// As in [`Note::dropped`].
    pub(crate) dropped: u64,
    /// The lines whose beginnings are shown.
    pub(crate) records: Vec<usize>,
    pub(crate) told: Told,
    pub(crate) earlier: Earlier,
}

impl Telling {
    /// What the note of `fold` tells, given what the host says; `note` is the note without it.
    pub(crate) fn of(
        transcript: &Transcript,
        planner: &Planner,
        fold: Fold,
        note: &Note,
        reply: &Reply,
    ) -> Self {
        let old = planner.structure.note.as_ref().map(|(_, note)| note);
        let earlier = old.and_then(|note| note.host.clone());
        let dropped = old.map_or(0, |note| note.dropped);
        let mut telling = Self {
            fold,
            host: None,
            dropped,
            records: Vec::new(),
            told: Told::None,
            earlier: Earlier::None,
        };
        if earlier.is_none() && matches!(reply, Reply::None) {
            telling.claim(transcript, planner);
            return telling;
        }
        let room = Room::of(transcript, planner, &telling.fold);
        telling.told = match reply {
            Reply::None => Told::None,
            Reply::Failed => Told::Failed,
            Reply::Checked(Err(refusal)) => Told::Refused(refusal.clone()),
            Reply::Checked(Ok(summary)) => telling.write(&room, summary, note),
        };
        let Some(earlier) = earlier else {
            if telling.host.is_none() {
                telling.claim(transcript, planner);
            }
            return telling;
        };
        let tokens = Note::host_tokens(&earlier);
        telling.earlier = if telling.host.is_some() {
            Earlier::Merged
        } else if let Some(division) = room.divide_kept(tokens) {
            telling.divide(&room, tokens, division);
            telling.host = Some(earlier);
            Earlier::Kept
        } else {
            telling.dropped = telling.dropped.max(earlier.entries);
            telling.claim(transcript, planner);
            Earlier::Dropped
        };
        telling
    }

    /// Takes a new summary into the note.
    fn write(&mut self, room: &Room, summary: &Summary, note: &Note) -> Told {
        if !summary.is_of(&note.hash) {
            let says = "It is of another part of the transcript than what is folded now: ask anew.";
            return Told::Refused(Refusal::new(RefusalCode::NotForThisRequest, says.into()));
        }
        let host = HostSummary { text: summary.text().into(), entries: note.tally.entries };
        let tokens = Note::host_tokens(&host);
        let allowed = room.allowance().unwrap_or_default();
        if let Some(division) = room.divide(tokens).filter(|_| tokens <= allowed) {
            self.divide(room, tokens, division);
            self.host = Some(host);
            return Told::Written { tokens };
        }
        let says = alloc::format!(
            "It has {tokens} tokens in the note, which now has room for {allowed}: ask anew."
        );
        Told::Refused(Refusal::new(RefusalCode::OverAllowance, says))
    }

    /// Puts on record, without a summary, what has a claim before excerpts.
    fn claim(&mut self, transcript: &Transcript, planner: &Planner) {
        let lines = Lines { transcript, structure: &planner.structure, digest: &planner.digest };
        self.records = claims(lines, &self.fold);
        self.fold.excerpts -= beginnings(lines, &self.records);
    }

    /// Leaves the lines that fit beside a summary of `taken` tokens.
    fn divide(&mut self, room: &Room, taken: u64, division: Division) {
        let Fold { after, excerpts, lines, .. } = &mut self.fold;
        let told = taken + division.tokens;
        *after = *after - room.listed() - *excerpts + told;
        if *excerpts > 0 {
            *excerpts = room.whole().saturating_sub(told);
            *after += *excerpts;
        }
        let all = lines.0 + lines.1;
        let unlisted = division.shown - room.inherited();
        *lines = (all - unlisted, unlisted);
        self.records = division.records;
    }
}

/// What is wrong with a note at boundary `cut`, by law: a summary that is neither new nor the one that was there, one that is
/// gone without a word, a pair that lost its record. What a summary says, nobody can prove.
pub(crate) fn faults(
    before: &Transcript,
    planner: &Planner,
    note: &Note,
    cut: usize,
    policy: Option<Policy>,
) -> Vec<(u8, String)> {
    let old = planner.structure.note.as_ref().map(|(_, note)| note);
    let earlier = old.and_then(|note| note.host.as_ref());
    let mut dropped = old.map_or(0, |note| note.dropped);
    let mut faults = Vec::new();
    match &note.host {
        None => dropped = dropped.max(earlier.map_or(0, |host| host.entries)),
        Some(host) if Some(host) == earlier => {}
        Some(host) if host.entries == note.tally.entries && has_form(&host.text) => {}
        Some(_) => {
            let message = "The summary is neither new nor the one that was there.";
            faults.push((4, message.into()));
        }
    }
    if note.dropped != dropped {
        let message = "The note does not say which summaries are no longer there.";
        faults.push((5, message.into()));
    }
    // Which lines there would be without a summary, and what has a claim before excerpts, only the policy tells; and only to
    // one who knows the ledger that took its share of the room.
    if let Some(Decision::Fold(fold)) = policy.map(|policy| planner.plan(&policy))
        && fold.cut == cut
        && planner.standing.block(cut) == note.ledger
    {
        let structure = &planner.structure;
        let lines = Lines { transcript: before, structure, digest: &planner.digest };
        let shown = lines.count(cut).saturating_sub(note.lines.len());
        let due: Vec<usize> = match note.host {
            None => claims(lines, &fold),
            Some(_) => Room::of(before, planner, &fold).due(shown).collect(),
        };
        let beginnings = note.older.iter().map(|kept| &*kept.text);
        if let Some(record) = lost_record(lines, due.into_iter(), beginnings) {
            faults.push((4, alloc::format!("A pair is no longer on record: {record:?}.")));
        }
    }
    faults
}
