//! The fold: a new transcript with a note in place of what was folded, and every kept byte as it was.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::cost;
use crate::excerpts::Lines;
use crate::formats::turn::prompt;
use crate::liveness::{Chosen, choose};
use crate::note::{Kept, Note, Tally, hash};
use crate::places;
use crate::plan::{Decision, Fold, Planner, Policy, Way};
use crate::report::report;
pub use crate::report::{Became, Report, Representation, Why, representations};
use crate::room::record;
use crate::telling::Telling;
pub use crate::telling::{Earlier, Reply, Told};
use crate::transcript::{Role, Transcript};
use crate::trim::Trimming;
use crate::verify::{Broken, Check, prove};

/// What a fold gives back.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The decision that was carried out.
    pub fold: Fold,
    /// The folded transcript, in the input's [`Transcript::wire`].
    pub text: String,
    /// The note as text.
    pub note: String,
    /// The note as the entry that was written.
    pub note_entry: String,
    /// Whether that entry is also the first one kept: where roles must alternate, the note is put in front of the parts of
    /// the prompt at the cut, which are as they were.
    pub merged: bool,
    /// The entries before the cut that stay, frozen ones and system entries, as indices into the input.
    pub system: Vec<usize>,
    /// What happened, counted again on the result.
    pub report: Report,
    /// The text as the proof read it, for a session that goes on with it.
    pub(crate) after: Option<Transcript>,
}

/// What came of a wish to fold.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The transcript was folded, and the result proved.
    Folded(alloc::boxed::Box<Folded>),
    /// It was not, for the reason that the decision names.
    Left(Decision),
    /// The result broke a law, so it is withheld. This is a fault of Pinfold.
    Refused(Vec<Broken>),
}

/// Folds `transcript` as `policy` asks, if the plan says so, and proves the result.
pub fn fold(transcript: &Transcript, planner: &Planner, policy: &Policy) -> Outcome {
    fold_with(transcript, planner, policy, &Reply::None)
}

/// The same with a summary by a model of the host's. One that was refused, or that is of something else than what is folded
/// now, is left out, and the report says so: the digests are the note then.
pub fn fold_with(
    transcript: &Transcript,
    planner: &Planner,
    policy: &Policy,
    reply: &Reply,
) -> Outcome {
    let Trimming { transcript: trimmed, planner: known, decision } =
        Trimming::of(transcript, planner, policy);
    let fold = match decision {
        Decision::Fold(fold) => fold,
        other => return Outcome::Left(other),
    };
    let (cut, trims) = (fold.cut, !fold.trims.is_empty());
    let (mut folded, hash) = if fold.way == Way::InPlace {
        (in_place(&trimmed, &known, fold, policy.budget), None)
    } else {
        let hash = folded_hash(&trimmed, &known, cut);
        (carry_out(&trimmed, &known, fold, hash.clone(), policy.budget, reply), Some(hash))
    };
    folded.report.trim(&folded.fold.trims);
    folded.report.thinking = policy.thinking_of(transcript);
    let check = Check { policy: Some(*policy), ..Check::default() };
    let hashed = hash.as_deref().filter(|_| !trims).map(|hash| (cut, hash));
    let (proof, after) = prove(transcript, planner, &folded.text, &check, hashed);
    folded.after = after;
    if proof.holds() { Outcome::Folded(folded.into()) } else { Outcome::Refused(proof.broken) }
}

/// The transcript that was trimmed, and nothing else done to it.
fn in_place(transcript: &Transcript, planner: &Planner, fold: Fold, budget: u64) -> Folded {
    let span = |entry: usize| transcript.entries[entry].span.range();
    let (start, end) = (span(0).start, span(transcript.len() - 1).end);
    let (before, after) = transcript.frame();
    let text = [before, &transcript.text()[start..end], after].concat();
    let mut report = report(planner, &fold, "", budget);
    (report.after, report.freed) = (planner.total, fold.before.saturating_sub(planner.total));
    let (note, note_entry, system) = (String::new(), String::new(), Vec::new());
    Folded { fold, text, note, note_entry, merged: false, system, report, after: None }
}

/// Writes the transcript that `fold` describes.
fn carry_out(
    transcript: &Transcript,
    planner: &Planner,
    fold: Fold,
    hash: String,
    budget: u64,
    reply: &Reply,
) -> Folded {
    let cut = fold.cut;
    let structure = &planner.structure;
    let old = structure.note.as_ref().map(|(_, note)| note);
    let lines = Lines { transcript, structure, digest: &planner.digest };
    let mut note = Note {
        tally: old
            .map(|note| note.tally)
            .unwrap_or_default()
            .plus(tally(transcript, planner, &fold)),
        summary: cost::summary(transcript, structure, cut),
        carried: cost::carried(transcript, structure, cut),
        hash,
        ledger: planner.standing.block(cut),
        ..Note::default()
    };
    let Telling { fold, host, dropped, records, told, earlier } =
        Telling::of(transcript, planner, fold, &note, reply);
    let (_, unlisted) = fold.lines;
    (note.host, note.dropped) = (host, dropped);
    note.lines = planner.digest.lines(cut, unlisted).map(Kept::from).collect();
    note.unlisted = old.map_or(0, |note| note.unlisted).saturating_add(unlisted as u32);
    let shown = lines.inherited() + unlisted;
    let note = with_excerpts(note, lines, shown, &records, &Chosen::default());
    let chosen = choose(lines, cut, (shown, &records), &note, fold.excerpts, |chosen| {
        let note = with_excerpts(note.clone(), lines, shown, &records, chosen);
        fold.after.checked_sub(after_tokens(planner, cut, &note.render()))
    });
    let note = with_excerpts(note, lines, shown, &records, &chosen).render();
    let shared = shared_entry(transcript, cut, &note);
    let merged = shared.is_some();
    let note_entry = shared.unwrap_or_else(|| prompt(transcript.wire, &note));
    let system: Vec<usize> = (0..cut).filter(|&entry| transcript.stays(entry)).collect();
    let text = assemble(transcript, cut + usize::from(merged), &system, &note_entry);
    let mut report = report(planner, &fold, &note, budget);
    report.excerpts = chosen.into_excerpts();
    if matches!(told, Told::Written { .. }) {
        report.summarise();
    }
    (report.summary, report.earlier) = (told, earlier);
    Folded { fold, text, note, note_entry, merged, system, report, after: None }
}

/// The note with excerpts under its lines, of which those from `shown` on are shown, and `records` only begin.
fn with_excerpts(
    mut note: Note,
    lines: Lines<'_>,
    shown: usize,
    records: &[usize],
    chosen: &Chosen,
) -> Note {
    let older: BTreeSet<usize> = chosen.lines(0..shown).chain(records.iter().copied()).collect();
    note.older = older
        .into_iter()
        .map(|line| {
            let is_record = records.binary_search(&line).is_ok();
            let text = if is_record { record(lines, line) } else { lines.short(line).into() };
            Kept { text, excerpts: chosen.of_line(line) }
        })
        .collect();
    for (index, line) in note.lines.iter_mut().enumerate() {
        line.excerpts = chosen.of_line(shown + index);
    }
    note
}

/// What this fold adds to the marker.
fn tally(transcript: &Transcript, planner: &Planner, fold: &Fold) -> Tally {
    let seat = planner.structure.note_entry();
    let folded = (0..fold.cut).filter(|&entry| !transcript.stays(entry) && Some(entry) != seat);
    let tokens = folded.map(|entry| u64::from(planner.counts.entries[entry])).sum();
    Tally {
        entries: fold.entries as u64,
        prompts: fold.prompts as u64,
        pairs: fold.pairs as u64,
        tokens,
    }
}

/// The hash of the bytes that are folded; an earlier fold's hash stands for what it folded.
pub(crate) fn folded_hash(transcript: &Transcript, planner: &Planner, cut: usize) -> String {
    let structure = &planner.structure;
    let old = structure.note.as_ref();
    let seat = structure.note_entry();
    let mut pieces: Vec<&str> = old.map(|(_, note)| &*note.hash).into_iter().collect();
    for entry in 0..cut {
        if transcript.stays(entry) || Some(entry) == seat {
            continue;
        }
        let text = transcript.entry_text(entry);
        if structure.is_note_part(entry, 0) {
            // The entry as it was before the note was put into it.
            let start = transcript.entries[entry].span.range().start;
            let note = transcript.parts(entry)[0].whole.range();
            pieces.extend([&text[..note.start - start], &text[note.end - start..]]);
        } else {
            pieces.push(text);
        }
    }
    hash(&pieces)
}

/// The entry at `cut` with the note in front of its parts, if the provider refuses two user entries in a row.
pub(crate) fn shared_entry(transcript: &Transcript, cut: usize, note: &str) -> Option<String> {
    let entry = transcript.entries.get(cut)?;
    let parts = transcript.parts(cut);
    // An entry of an unknown role is carried unread: what is put into it would not be read either. One without content would
    // be taken for a note and nothing else.
    let unread = parts.is_empty() || parts.iter().any(|part| part.whole == entry.span);
    if !transcript.wire.alternates() || entry.role != Role::User || unread {
        return None;
    }
    let list = places::blocks(&transcript.text, entry.span)?;
    let block = places::first_block(&prompt(transcript.wire, note));
    let (start, inside) = (entry.span.range().start, list.range().start + 1);
    let text = transcript.entry_text(cut);
    Some([&text[..inside - start], &block, ",", &text[inside - start..]].concat())
}

/// System entries, note, and the kept entries as one slice of the input, inside the request as it was.
fn assemble(transcript: &Transcript, cut: usize, system: &[usize], note: &str) -> String {
    let source = transcript.text();
    let span = |entry: usize| transcript.entries[entry].span.range();
    let last = transcript.len() - 1;
    // Separated as the first two entries are, so that a pretty list stays one.
    let between = if last > 0 { &source[span(0).end..span(1).start] } else { "," };
    let frozen = transcript.frozen();
    let mut text = String::from(&source[..span(frozen.min(last)).start]);
    for &entry in system.iter().filter(|&&entry| entry >= frozen) {
        text.push_str(transcript.entry_text(entry));
        text.push_str(between);
    }
    text.push_str(note);
    if cut <= last {
        text.push_str(between);
        text.push_str(&source[span(cut).start..span(last).end]);
    }
    text.push_str(transcript.frame().1);
    text
}

/// The tokens of a result: what is kept at its known count, the note counted from its text.
pub(crate) fn after_tokens(planner: &Planner, cut: usize, note: &str) -> u64 {
    planner.frozen_tokens(cut) + planner.kept_tokens(cut) + crate::tokens::note_tokens(note)
}
