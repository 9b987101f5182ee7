//! The proof: reads a result from scratch and derives every law from its text and the input alone.

mod violations;

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::cost;
use crate::excerpts::Lines;
use crate::exchange::Structure;
use crate::fold::{after_tokens, folded_hash, shared_entry};
use crate::formats::{self, ReadOptions};
use crate::ledger::{Class, Row, Topic, verbatim};
use crate::note::Note;
use crate::plan::{Decision, Planner, Policy};
use crate::room;

use crate::telling;
use crate::transcript::Transcript;
use crate::trim::{self, Trimming};

/// What a proof found.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The laws that are broken; empty if all hold.
    pub broken: Vec<Broken>,
    /// The boundary at which the input was cut; `None` if nothing was folded.
    pub cut: Option<usize>,
}

impl Proof {
    /// Whether every law holds.
    pub fn holds(&self) -> bool {
        self.broken.is_empty()
    }
}

/// A law that a result breaks.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Broken {
    /// Its number, 1 to 10 (see `ARCHITECTURE.md`).
    pub law: u8,
    /// The entry of the result that breaks it, or of the input if it is missing from the result.
    pub entry: usize,
    /// The ids it is about.
    pub ids: Vec<String>,
    /// What was found.
    pub message: String,
}

/// What a proof may use beside the two texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Check {
    /// The policy of the fold: with it, law 5 is proved by planning the result again.
    pub policy: Option<Policy>,
    /// How to read the result, where its format is not told by its text.
    pub read: ReadOptions,
}

/// Proves that `after` is a lawful fold of `before`, whose planner is `planner`.
pub fn verify(before: &Transcript, planner: &Planner, after: &str, check: &Check) -> Proof {
    prove(before, planner, after, check, None).0
}

/// The same where the hash of what is folded at a cut was just worked out. Gives also what was read of `after`.
pub(crate) fn prove(
    before: &Transcript,
    planner: &Planner,
    after: &str,
    check: &Check,
    hashed: Option<(usize, &str)>,
) -> (Proof, Option<Transcript>) {
    let mut proof = Proof::default();
    let like = ReadOptions::like(before);
    let read = ReadOptions { format: check.read.format.or(like.format), ..like };
    match formats::read(after.as_bytes(), read) {
        Ok(after) => {
            compare(before, planner, &after, check, hashed, &mut proof);
            (proof, Some(after))
        }
        Err(error) => {
            proof.add(10, 0, Vec::new(), error.to_string());
            (proof, None)
        }
    }
}

/// Derives the laws from the two transcripts.
fn compare(
    before: &Transcript,
    planner: &Planner,
    after: &Transcript,
    check: &Check,
    hashed: Option<(usize, &str)>,
    proof: &mut Proof,
) {
    frame(before, after, proof);
    if same_entries(before, after) {
        return;
    }
    let structure = &Structure::of(after);
    let whole = planner.counts.total();
    let trimmed = trim::of(before, planner, after, structure);
    let (before, planner) = trimmed.as_ref().map_or((before, planner), |(it, known)| (it, known));
    if same_entries(before, after) {
        violations::none_is_new(before, &planner.structure, after, proof);
        in_place(after, planner, whole, check.policy, proof);
        return;
    }
    let Some((seat, note)) = &structure.note else {
        proof.add(6, 0, Vec::new(), "The entries differ, and no note says what was folded.".into());
        return;
    };
    let seat = *seat;
    let sides = Sides { before, planner, whole, after, structure, seat, note, hashed };
    let Some(cut) = sides.cut(proof) else { return };
    proof.cut = Some(cut);
    sides.pairs(proof, cut);
    sides.record(proof, cut);
    for (law, message) in telling::faults(before, planner, note, cut, check.policy) {
        proof.add(law, seat, Vec::new(), message);
    }
    sides.pins(proof, cut);
    sides.untouchable(proof, cut);
    sides.size(proof, cut, check.policy);
    sides.violations(proof, cut);
}

impl Proof {
    fn add(&mut self, law: u8, entry: usize, ids: Vec<String>, message: String) {
        self.broken.push(Broken { law, entry, ids, message });
    }
}

/// Law 8: what stands around the entries (system, tools, model) is that of the input.
fn frame(before: &Transcript, after: &Transcript, proof: &mut Proof) {
    let (was, is) = (before.frame(), after.frame());
    if was.0.trim() != is.0.trim() || was.1.trim() != is.1.trim() {
        proof.add(
            8,
            0,
            Vec::new(),
            "What stands around the entries is not that of the input.".into(),
        );
    }
}

fn stays(transcript: &Transcript, entry: usize) -> bool {
    transcript.stays(entry)
}

fn same_entries(before: &Transcript, after: &Transcript) -> bool {
    before.len() == after.len()
        && (0..before.len()).all(|entry| before.entry_text(entry) == after.entry_text(entry))
}

/// Laws 5 and 9 of what was trimmed and not folded: smaller than before, and nothing more to do.
fn in_place(
    after: &Transcript,
    planner: &Planner,
    whole: u64,
    policy: Option<Policy>,
    proof: &mut Proof,
) {
    if planner.total >= whole {
        let message = alloc::format!("The result has {} tokens, the input {whole}.", planner.total);
        proof.add(9, 0, Vec::new(), message);
    }
    let Some(policy) = policy.map(|policy| Policy { trigger: None, ..policy }) else { return };
    let again = Trimming::of(after, planner, &policy).decision;
    if !matches!(again, Decision::Fits { .. }) {
        let message = alloc::format!("Planned again, the result does not fit: {}.", again.name());
        proof.add(5, 0, Vec::new(), message);
    }
}

struct Sides<'a> {
    before: &'a Transcript,
    planner: &'a Planner,
    /// The tokens of the input, before anything was trimmed.
    whole: u64,
    after: &'a Transcript,
    structure: &'a Structure,
    /// The entry of the note in `after`.
    seat: usize,
    note: &'a Note,
    /// The hash of what stands before a boundary, where it is known already.
    hashed: Option<(usize, &'a str)>,
}

impl Sides<'_> {
    /// How many entries the note takes for itself.
    fn alone(&self) -> usize {
        usize::from(!self.structure.note_shared)
    }

    /// Law 6: what follows the note is the end of the input, byte for byte.
    fn cut(&self, proof: &mut Proof) -> Option<usize> {
        let kept = self.after.len() - self.seat - self.alone();
        let Some(cut) = self.before.len().checked_sub(kept) else {
            proof.add(
                6,
                self.seat + 1,
                Vec::new(),
                "More entries are kept than there were.".into(),
            );
            return None;
        };
        for offset in 0..kept {
            let (was, is) = (cut + offset, self.seat + self.alone() + offset);
            let with_note = (is == self.seat)
                .then(|| shared_entry(self.before, was, &self.note.render()))
                .flatten();
            let was_text = with_note.as_deref().unwrap_or(self.before.entry_text(was));
            if was_text != self.after.entry_text(is) {
                let message =
                    alloc::format!("Entry {is} is not entry {was} of the input, byte for byte.");
                proof.add(6, is, Vec::new(), message);
                return None;
            }
        }
        Some(cut)
    }

    /// Laws 1 to 3: no pair is severed, and results stand where they stood.
    fn pairs(&self, proof: &mut Proof, cut: usize) {
        for (call, answer) in self.planner.structure.pairing.pairs() {
            let (call_kept, answer_kept) =
                (call.place.entry as usize >= cut, answer.entry as usize >= cut);
            let id = self.before.id(call.id).to_string();
            if call_kept && !answer_kept {
                proof.add(
                    1,
                    call.place.entry as usize,
                    [id].into(),
                    "A call is kept without its result.".into(),
                );
            } else if answer_kept && !call_kept {
                proof.add(
                    2,
                    answer.entry as usize,
                    [id].into(),
                    "A result is kept without its call.".into(),
                );
            }
        }
        if !self.planner.cuts.legal(cut) {
            proof.add(3, self.seat, Vec::new(), "The cut is illegal.".into());
        }
        let pairing = &self.structure.pairing;
        let kept_pairs = |structure: &Structure, from: usize| {
            structure.pairing.pairs().filter(|(call, _)| call.place.entry as usize >= from).count()
        };
        if kept_pairs(self.structure, 0) != kept_pairs(&self.planner.structure, cut) {
            proof.add(
                1,
                self.seat,
                Vec::new(),
                "The result pairs its calls otherwise than the input.".into(),
            );
        }
        let strays = &self.planner.structure.pairing.strays;
        let is_there = |entry: usize| entry >= cut || stays(self.before, entry);
        let were = strays.iter().filter(|stray| is_there(stray.place.entry as usize)).count();
        if pairing.strays.len() != were {
            proof.add(
                2,
                self.seat,
                Vec::new(),
                "The result has results without calls that the input had not.".into(),
            );
        }
    }

    /// Laws 4 and 5: the marker counts every folded pair once, and the request goes on word for word.
    fn record(&self, proof: &mut Proof, cut: usize) {
        let seat = self.planner.structure.note_entry();
        let old =
            self.planner.structure.note.as_ref().map(|(_, note)| note.tally).unwrap_or_default();
        let pairs = self.planner.structure.pairing.pairs();
        let folded = pairs.filter(|(_, answer)| (answer.entry as usize) < cut).count() as u64;
        if self.note.tally.pairs != old.pairs.saturating_add(folded) {
            let message = alloc::format!(
                "The marker counts {} pairs; {folded} were folded now and {} before.",
                self.note.tally.pairs,
                old.pairs
            );
            proof.add(4, self.seat, Vec::new(), message);
        }
        let replaced = (0..cut)
            .filter(|&entry| !self.before.stays(entry) && Some(entry) != seat)
            .count() as u64;
        if self.note.tally.entries != old.entries.saturating_add(replaced) {
            let message = alloc::format!(
                "The marker counts {} entries; {replaced} were folded now and {} before.",
                self.note.tally.entries,
                old.entries
            );
            proof.add(5, self.seat, Vec::new(), message);
        }
        let known = self.hashed.filter(|&(at, _)| at == cut).map(|(_, hash)| hash.to_string());
        if self.note.hash != known.unwrap_or_else(|| folded_hash(self.before, self.planner, cut)) {
            proof.add(
                5,
                self.seat,
                Vec::new(),
                "The marker's hash is not that of what was folded.".into(),
            );
        }
        let digest = &self.planner.digest;
        let all = digest.count_before(cut);
        let skipped = all.saturating_sub(self.note.lines.len());
        let lines = digest.lines(cut, skipped);
        if self.note.lines.len() > all || !lines.eq(self.note.lines.iter().map(|line| &*line.text))
        {
            proof.add(
                4,
                self.seat,
                Vec::new(),
                "The lines of the note are not those of what was folded.".into(),
            );
        }
        if self.note.lines.len() <= all && !self.excerpts(skipped) {
            let message = "The note quotes what does not stand in what was folded.".into();
            proof.add(4, self.seat, Vec::new(), message);
        }
        let old_note = self.planner.structure.note.as_ref().map(|(_, note)| note);
        let unlisted = old_note.map_or(0, |note| note.unlisted).saturating_add(skipped as u32);
        let prompts = self.planner.structure.exchanges.iter().filter_map(|it| it.prompt);
        let folded = prompts.filter(|&prompt| prompt < cut).count() as u64;
        let prompts = old.prompts.saturating_add(folded);
        if self.note.unlisted != unlisted || self.note.tally.prompts != prompts {
            proof.add(5, self.seat, Vec::new(), "The marker miscounts prompts or lines.".into());
        }
        if self.note.summary != cost::summary(self.before, &self.planner.structure, cut) {
            let message = "The provider's own summary is not in the note word for word.".into();
            proof.add(4, self.seat, Vec::new(), message);
        }
        if self.note.carried != cost::carried(self.before, &self.planner.structure, cut) {
            let message = "The request being worked on is not in the note word for word.".into();
            proof.add(4, self.seat, Vec::new(), message);
        }
    }

    /// Whether every excerpt stands in what its line tells about; the digest's first `skipped` lines are not shown.
    fn excerpts(&self, skipped: usize) -> bool {
        let structure = &self.planner.structure;
        let lines = Lines { transcript: self.before, structure, digest: &self.planner.digest };
        let shown = lines.inherited() + skipped;
        let mut unshown = 0..shown;
        // Each is the next of its words that proves it, so that none is told twice.
        let mut older = self.note.older.iter();
        let mut listed = self.note.lines.iter().enumerate();
        older.all(|kept| {
            unshown.any(|line| {
                room::stands_for(lines, line, &kept.text) && lines.proves(line, &kept.excerpts)
            })
        }) && listed.all(|(index, kept)| lines.proves(shown + index, &kept.excerpts))
    }

    /// Law 7: every pin that the cut would lose is in the ledger, as it was; and nothing stands there that nobody said.
    fn pins(&self, proof: &mut Proof, cut: usize) {
        let due = self.planner.standing.block(cut);
        let ledger = &self.note.ledger;
        // How often and when they were said, a verifier without the ledger cannot know.
        let words = |rows: &[Row]| -> BTreeSet<(Class, Option<Topic>, String)> {
            rows.iter().map(|row| (row.class, row.topic, row.text.clone())).collect()
        };
        let (wanted, there) = (words(&due.rows), words(&ledger.rows));
        let is_in =
            |set: &BTreeSet<_>, row: &Row| set.contains(&(row.class, row.topic, row.text.clone()));
        for row in due.rows.iter().filter(|row| !is_in(&there, row)) {
            let message =
                alloc::format!("A {} is not in the ledger: {:?}.", row.class.name(), row.text);
            proof.add(7, self.seat, Vec::new(), message);
        }
        if due.gone.iter().any(|gone| !ledger.gone.contains(gone)) {
            let message = "The ledger does not say which pins are retired.".into();
            proof.add(7, self.seat, Vec::new(), message);
        }
        let standing = &self.planner.standing;
        if standing.is_whole() && ledger.gone.iter().any(|gone| !due.gone.contains(gone)) {
            let message = "The ledger retires pins that nobody retired.".into();
            proof.add(7, self.seat, Vec::new(), message);
        }
        for row in ledger.rows.iter().filter(|row| !is_in(&wanted, row)) {
            if !verbatim(self.before, &self.planner.structure, row) {
                let message =
                    alloc::format!("The ledger has words that nobody said: {:?}.", row.text);
                proof.add(7, self.seat, Vec::new(), message);
            }
        }
    }

    /// Law 8: the live tail is kept, and every system entry is there, before the note or among what is kept.
    fn untouchable(&self, proof: &mut Proof, cut: usize) {
        let start = self.planner.structure.tail.start(self.before.len());
        if cut > start {
            proof.add(8, start, Vec::new(), "A part of the live tail was folded.".into());
        }
        let were: Vec<&str> = (0..cut)
            .filter(|&entry| stays(self.before, entry))
            .map(|entry| self.before.entry_text(entry))
            .collect();
        let are: Vec<&str> = (0..self.seat).map(|entry| self.after.entry_text(entry)).collect();
        if were != are {
            let message = "The system entries in front are not those of the input.".into();
            proof.add(8, 0, Vec::new(), message);
        }
    }

    /// Laws 5 and 9: smaller than before, and under the same policy nothing more to fold.
    fn size(&self, proof: &mut Proof, cut: usize, policy: Option<Policy>) {
        let total = self.whole;
        let after = after_tokens(self.planner, cut, &self.note.render());
        if after >= total {
            let message = alloc::format!("The result has {after} tokens, the input {total}.");
            proof.add(9, self.seat, Vec::new(), message);
        }
        let Some(policy) = policy else { return };
        let mut counts = self.planner.counts.clone();
        let note = crate::tokens::note_tokens(&self.note.render()) as u32;
        let kept = self.planner.counts.entries[cut..].iter().copied();
        counts.entries = self.system_tokens().chain([note]).chain(kept).collect();
        if self.structure.note_shared {
            let note = counts.entries.remove(self.seat);
            counts.entries[self.seat] = counts.entries[self.seat].saturating_add(note);
        }
        // A trigger below the budget would fold what has just been folded.
        let again = Planner::new(self.after, counts).plan(&Policy { trigger: None, ..policy });
        if !matches!(again, Decision::Fits { .. }) {
            let message =
                alloc::format!("Planned again, the result does not fit: {}.", again.name());
            proof.add(5, self.seat, Vec::new(), message);
        }
    }

    /// The tokens of the entries in front of the note: those of the input's system entries, in their order.
    fn system_tokens(&self) -> impl Iterator<Item = u32> {
        let entries = (0..self.before.len()).zip(&self.planner.counts.entries);
        let systems = entries.filter(|&(entry, _)| self.before.stays(entry));
        systems.map(|(_, &tokens)| tokens).chain(core::iter::repeat(0)).take(self.seat)
    }
}
