//! Law 10 of a proof: a fold makes no violation.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::{Proof, Sides};
use crate::exchange::Structure;
use crate::rules::{self, Code, Mode};
use crate::transcript::{Id, PartKind, Transcript};

impl Sides<'_> {
    /// Law 10: no violation that the kept part did not have; not empty; no result first.
    pub(super) fn violations(&self, proof: &mut Proof, cut: usize) {
        let before = rules::check(self.before, &self.planner.structure, Mode::Log);
        let shift = |entry: usize| (entry + cut).checked_sub(self.seat + self.alone());
        let name = |transcript: &Transcript, ids: &[Id]| -> Vec<String> {
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
        let first = (0..self.after.len()).find(|&entry| !self.after.stays(entry));
        let begins = first.is_some_and(|entry| {
            let parts = self.after.parts(entry);
            parts.iter().any(|part| matches!(part.kind, PartKind::Result { .. }))
        });
        if first.is_none() || begins {
            proof.add(10, 0, Vec::new(), "The result is empty or begins with a result.".into());
        }
    }
}

/// The same of what was trimmed and not folded, where every entry is in its place.
pub(super) fn none_is_new(
    before: &Transcript,
    structure: &Structure,
    after: &Transcript,
    proof: &mut Proof,
) {
    let names = |transcript: &Transcript, structure: &Structure| -> BTreeSet<(Code, usize)> {
        let all = rules::check(transcript, structure, Mode::Log);
        all.iter().map(|violation| (violation.code, violation.entry)).collect()
    };
    let known = names(before, structure);
    for (code, entry) in names(after, &Structure::of(after)).difference(&known) {
        let message =
            alloc::format!("The result has a violation that the input had not: {}.", code.name());
        proof.add(10, *entry, Vec::new(), message);
    }
}
