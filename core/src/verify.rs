//! The proof: reads a result from scratch and derives every law from its text and the input alone.

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
use crate::rules::{self, Code, Mode};
use crate::telling;
use crate::transcript::{PartKind, Role, Transcript};

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
    let mut proof = Proof::default();
    let like = ReadOptions::like(before);
    let read = ReadOptions { format: check.read.format.or(like.format), ..like };
    let after = match formats::read(after.as_bytes(), read) {
        Ok(after) => after,
        Err(error) => {
            proof.add(10, 0, Vec::new(), error.to_string());
            return proof;
        }
    };
    frame(before, &after, &mut proof);
    if same_entries(before, &after) {
        return proof;
    }
    let structure = Structure::of(&after);
    let Some((seat, note)) = &structure.note else {
        proof.add(6, 0, Vec::new(), "The entries differ, and no note says what was folded.".into());
        return proof;
    };
    let sides = Sides { before, planner, after: &after, structure: &structure, seat: *seat, note };
    let Some(cut) = sides.cut(&mut proof) else { return proof };
    proof.cut = Some(cut);
    sides.pairs(&mut proof, cut);
    sides.record(&mut proof, cut);
    for (law, message) in telling::faults(before, planner, note, cut, check.policy) {
        proof.add(law, *seat, Vec::new(), message);
    }
    sides.pins(&mut proof, cut);
    sides.untouchable(&mut proof, cut);
    sides.size(&mut proof, cut, check.policy);
    sides.violations(&mut proof, cut);
    proof
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

fn is_system(transcript: &Transcript, entry: usize) -> bool {
    transcript.entries()[entry].role == Role::System
}

fn same_entries(before: &Transcript, after: &Transcript) -> bool {
    before.len() == after.len()
        && (0..before.len()).all(|entry| before.entry_text(entry) == after.entry_text(entry))
}

struct Sides<'a> {
    before: &'a Transcript,
    planner: &'a Planner,
    after: &'a Transcript,
    structure: &'a Structure,
    /// The entry of the note in `after`.
    seat: usize,
    note: &'a Note,
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
        let is_there = |entry: usize| entry >= cut || is_system(self.before, entry);
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
            .filter(|&entry| {
                self.before.entries()[entry].role != Role::System && Some(entry) != seat
            })
            .count() as u64;
        if self.note.tally.entries != old.entries.saturating_add(replaced) {
            let message = alloc::format!(
                "The marker counts {} entries; {replaced} were folded now and {} before.",
                self.note.tally.entries,
                old.entries
            );
            proof.add(5, self.seat, Vec::new(), message);
        }
        if self.note.hash != folded_hash(self.before, self.planner, cut) {
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
            .filter(|&entry| is_system(self.before, entry))
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
        let total = self.planner.counts.total();
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
        let entries = self.before.entries().iter().zip(&self.planner.counts.entries);
        let systems = entries.filter(|(entry, _)| entry.role == Role::System);
        systems.map(|(_, &tokens)| tokens).chain(core::iter::repeat(0)).take(self.seat)
    }

    /// Law 10: no violation that the kept part did not have; not empty; no result first.
    fn violations(&self, proof: &mut Proof, cut: usize) {
        let before = rules::check(self.before, &self.planner.structure, Mode::Log);
        let shift = |entry: usize| (entry + cut).checked_sub(self.seat + self.alone());
        let name = |transcript: &Transcript, ids: &[crate::transcript::Id]| -> Vec<String> {
            // An id that the reader made up names its place, which a fold moves.
            let given = |name: &str| if rules::made_up(name) { "#" } else { name }.to_string();
            ids.iter().map(|&id| given(transcript.id(id))).collect()
        };
        let known: BTreeSet<(Code, usize, Vec<String>)> = before
            .iter()
            .map(|violation| (violation.code, violation.entry, name(self.before, &violation.ids)))
            .collect();
        let anywhere: BTreeSet<Code> = before.iter().map(|violation| violation.code).collect();
        // A call without its result, a result without its call: a provider that looks for ids and not for pairs passes over
        // it as long as there is another one of that id.
        let pairing = &self.planner.structure.pairing;
        let open = pairing.calls.iter().filter(|call| call.answer.is_none());
        let open = open.map(|call| (Code::UnansweredCall, call.place, call.id));
        let strays = pairing.strays.iter().map(|it| (Code::OrphanResult, it.place, it.id));
        let alone: BTreeSet<(Code, usize, Vec<String>)> = open
            .chain(strays)
            .map(|(code, place, id)| (code, place.entry as usize, name(self.before, &[id])))
            .collect();
        for violation in rules::check(self.after, self.structure, Mode::Log) {
            let ids = name(self.after, &violation.ids);
            // A request without tools, or with too many marks for the cache, is at fault as a whole; the entry that shows
            // it may be another one.
            let whole = matches!(violation.code, Code::NoTools | Code::CacheBreakpoints)
                && anywhere.contains(&violation.code);
            // A second answer is an orphan once the first is folded with its call: the same fault.
            let codes = match violation.code {
                Code::OrphanResult => &[Code::OrphanResult, Code::DuplicateResult][..],
                ref code => core::slice::from_ref(code),
            };
            let kept = violation.entry >= self.seat + self.alone();
            let was = shift(violation.entry).filter(|_| kept).is_some_and(|entry| {
                codes.iter().any(|&code| known.contains(&(code, entry, ids.clone())))
                    || !ids.is_empty()
                        && ids
                            .iter()
                            .all(|id| alone.contains(&(violation.code, entry, [id.clone()].into())))
            });
            let system = violation.entry < self.seat && anywhere.contains(&violation.code);
            // A note cannot go into an entry that nobody can read, and stands in front of it.
            let beside = violation.code == Code::RoleOrder && violation.entry == self.seat + 1;
            if !whole && !was && !system && !beside {
                let message = alloc::format!(
                    "The result has a violation that the input had not: {}.",
                    violation.code.name()
                );
                proof.add(10, violation.entry, ids, message);
            }
        }
        let first = self.after.entries().iter().position(|entry| entry.role != Role::System);
        let begins = first.is_some_and(|entry| {
            let parts = self.after.parts(entry);
            parts.iter().any(|part| matches!(part.kind, PartKind::Result { .. }))
        });
        if first.is_none() || begins {
            proof.add(10, 0, Vec::new(), "The result is empty or begins with a result.".into());
        }
    }
}
