//! Descriptions of what happened, sent to nobody: nothing in their specifications rejects anything, ids may be missing and
//! content left out. Only what no provider would take is reported.

use super::{Code, Rule, Violations};
use crate::exchange::Structure;
use crate::transcript::Transcript;

/// The rules.
pub(super) const RULES: &[&Rule] = &[&UNANSWERED, &ORPHAN, &DUPLICATE_RESULT];

/// Every violation of them.
pub(super) fn check(_: &Transcript, structure: &Structure, found: &mut Violations) {
    for call in structure.pairing.calls.iter().filter(|call| call.answer.is_none()) {
        let (entry, part) = (call.place.entry as usize, call.place.part as usize);
        if !call.server && !found.lets_be(structure, call.id, entry) {
            found.broke(&UNANSWERED, entry, Some(part), [call.id].into(), &[]);
        }
    }
    for stray in &structure.pairing.strays {
        let (entry, part) = (stray.place.entry as usize, stray.place.part as usize);
        let rule = if stray.duplicate { DUPLICATE_RESULT.answer() } else { ORPHAN.answer() };
        found.add(rule, entry, Some(part), [stray.id].into(), &[]);
    }
}

const UNANSWERED: Rule = Rule::warning(
    Code::UnansweredCall,
    "A call has no result anywhere.",
    "No specification rejects it; every provider does.",
);

const ORPHAN: Rule = Rule::warning(
    Code::OrphanResult,
    "A result answers no call.",
    "No specification rejects it; every provider does.",
);

const DUPLICATE_RESULT: Rule = Rule::warning(
    Code::DuplicateResult,
    "Two results answer one call.",
    "No specification rejects it; most providers do.",
);
