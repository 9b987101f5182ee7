//! A transcript on the page, with everything that is derived from it once.

use std::sync::Arc;

use pinfold::Ledger;
use pinfold::formats::Detected;
use pinfold::pairing::Place;
use pinfold::plan::Planner;
use pinfold::rules::{self, Severity, Violation};
use pinfold::tokens::{CountKind, Counts};
use pinfold::transcript::{PartKind, Role, Transcript};

use super::intake::{Candidate, Read, Source, Wish};
use super::json;
use super::marks::Home;

/// A transcript that was read. It is shared and never changed.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) source: Source,
    pub(crate) wish: Wish,
    pub(crate) detected: Option<Detected>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) picked: usize,
    pub(crate) transcript: Transcript,
    /// The planner, with the ledger as it was when the transcript was opened.
    pub(crate) planner: Arc<Planner>,
    pub(crate) violations: Vec<Violation>,
    /// The calls that have their answer.
    pub(crate) pairs: usize,
    /// The tokens of the whole.
    pub(crate) total: u64,
    /// The first entry of the live tail.
    pub(crate) live: usize,
    /// Where each answered call has its result, by the result's place.
    answers: Vec<(Place, usize)>,
}

impl Loaded {
    /// Prepares what was read; `ledger` takes it in.
    pub(super) fn new(source: Source, wish: Wish, read: Read, ledger: &mut Ledger) -> Self {
        let Read { transcript, detected, candidates, picked } = read;
        let counts = Counts::of(&transcript);
        let total = counts.total();
        let (planner, _) = Planner::with_ledger(&transcript, counts, ledger);
        let violations = rules::check(&transcript, &planner.structure, wish.mode);
        let pairs = planner.structure.pairing.pairs().count();
        let live = planner.structure.tail.start(transcript.len());
        let calls = planner.structure.pairing.calls.iter().enumerate();
        let mut answers: Vec<(Place, usize)> =
            calls.filter_map(|(index, call)| call.answer.map(|answer| (answer, index))).collect();
        answers.sort_unstable();
        Self {
            source,
            wish,
            detected,
            candidates,
            picked,
            transcript,
            planner: Arc::new(planner),
            violations,
            pairs,
            total,
            live,
            answers,
        }
    }

    /// The readable text of a part, or of a system text outside the entries.
    pub(crate) fn text_of(&self, home: Home, part: usize) -> Option<String> {
        match home {
            Home::Fixed(index) => {
                let fixed = self.transcript.request().fixed.get(index)?;
                Some(json::words(&self.transcript.text()[fixed.span.range()]))
            }
            Home::Entry(entry) if entry < self.len() => {
                let part = self.transcript.parts(entry).get(part)?;
                Some(self.transcript.part_text(part).into_owned())
            }
            Home::Entry(_) => None,
        }
    }

    /// Whether an entry holds words of a prompt or of system text.
    pub(crate) fn can_pin(&self, entry: usize) -> bool {
        let role = self.transcript.entries()[entry].role;
        let parts = self.transcript.parts(entry);
        let note = self.planner.structure.note.as_ref().is_some_and(|(seat, _)| *seat == entry);
        // Where the note shares its entry with a prompt, that prompt stands in the parts after it.
        let words = parts.iter().skip(usize::from(note)).any(|part| part.kind == PartKind::Text);
        matches!(role, Role::User | Role::System) && words
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.transcript.len()
    }

    /// The call at `place`, as an index into the pairing.
    pub(crate) fn call_at(&self, place: Place) -> Option<usize> {
        let calls = &self.planner.structure.pairing.calls;
        calls.binary_search_by_key(&place, |call| call.place).ok()
    }

    /// The call that the result at `place` answers.
    pub(crate) fn answered_by(&self, place: Place) -> Option<usize> {
        let found = self.answers.binary_search_by_key(&place, |&(place, _)| place).ok()?;
        Some(self.answers[found].1)
    }

    /// The round that entry `entry` belongs to.
    pub(crate) fn round_of(&self, entry: usize) -> Option<usize> {
        let structure = &self.planner.structure;
        let last = structure.responses_before(entry + 1).checked_sub(1)?;
        structure.round(last).is_some_and(|round| entry < round.end).then_some(last)
    }

    /// The violations of entry `entry`.
    pub(crate) fn violations_of(&self, entry: usize) -> &[Violation] {
        let first = self.violations.partition_point(|violation| violation.entry < entry);
        let after = self.violations.partition_point(|violation| violation.entry <= entry);
        &self.violations[first..after]
    }

    /// The worst violation of entry `entry`.
    pub(crate) fn severity_of(&self, entry: usize) -> Option<Severity> {
        let violations = self.violations_of(entry);
        let error = violations.iter().find(|it| it.severity == Severity::Error);
        error.or(violations.first()).map(|violation| violation.severity)
    }

    /// The format of what is made from it, where that is another than its own: a log is rebuilt into messages.
    pub(crate) fn written(&self) -> Option<&'static str> {
        let (format, wire) = (self.transcript.format(), self.transcript.wire());
        (format != wire).then(|| wire.title())
    }

    /// How far the token counts can be trusted.
    pub(crate) fn kind(&self) -> &'static str {
        match self.planner.counts.kind {
            CountKind::Anchored => "anchored on recorded usage",
            CountKind::Estimated => "estimated",
            CountKind::Given => "given",
        }
    }
}
