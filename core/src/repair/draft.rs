//! The edits of one round, gathered first and carried out together, so that none moves another's ground.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

use super::{Change, ChangeKind, Item};
use crate::exchange::Structure;
use crate::json::Node;
use crate::places::{self, Seat};
use crate::rules::{Code, Violation, made_up};
use crate::transcript::{Id, Span, Transcript};

/// A transcript and what is to be changed in it.
pub(super) struct Draft<'a> {
    pub(super) transcript: &'a Transcript,
    pub(super) structure: &'a Structure,
    pub(super) violations: &'a [Violation],
    removed: BTreeSet<usize>,
    /// Parts taken out, by entry.
    gone: BTreeMap<usize, BTreeSet<usize>>,
    /// Changes of lists, by entry and place.
    lists: BTreeMap<(usize, u32), ListEdit>,
    /// Other changes of an entry's text.
    splices: BTreeMap<usize, Vec<(Range<usize>, String)>>,
    /// Entries put in front of an entry: new ones, or one of this transcript that moves.
    before: BTreeMap<usize, Vec<(Option<usize>, String)>>,
    changes: Vec<Change>,
}

struct ListEdit {
    span: Span,
    removed: BTreeSet<usize>,
    inserted: Vec<(usize, String)>,
}

/// What came of a round.
pub(super) struct Outcome {
    pub(super) items: Vec<Item>,
    /// For each item the entry of the input that it is, or stands for, or stands before.
    pub(super) places: Vec<usize>,
    pub(super) changes: Vec<Change>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(
        transcript: &'a Transcript,
        structure: &'a Structure,
        violations: &'a [Violation],
    ) -> Self {
        Self {
            transcript,
            structure,
            violations,
            removed: BTreeSet::new(),
            gone: BTreeMap::new(),
            lists: BTreeMap::new(),
            splices: BTreeMap::new(),
            before: BTreeMap::new(),
            changes: Vec::new(),
        }
    }

    /// Whether anything is to be changed.
    pub(super) fn is_touched(&self) -> bool {
        !self.changes.is_empty()
    }

    /// The violations of one of `codes`.
    pub(super) fn of(
        &self,
        codes: &'static [Code],
    ) -> impl Iterator<Item = &'a Violation> + use<'a> {
        self.violations.iter().filter(|violation| codes.contains(&violation.code))
    }

    /// Notes what was done.
    pub(super) fn note(
        &mut self,
        kind: ChangeKind,
        code: Code,
        entry: usize,
        ids: &[Id],
        message: &str,
    ) {
        let ids = ids.iter().map(|&id| self.transcript.id(id).to_string()).collect();
        self.changes.push(Change { kind, code, entry, ids, message: message.into() });
    }

    /// Takes a whole entry out.
    pub(super) fn remove_entry(&mut self, entry: usize) {
        self.removed.insert(entry);
    }

    pub(super) fn is_removed(&self, entry: usize) -> bool {
        self.removed.contains(&entry)
    }

    /// Takes a part out, and the entry with it if nothing else is in it. False if it is out already.
    pub(super) fn remove_part(&mut self, entry: usize, part: usize) -> bool {
        if self.removed.contains(&entry) || !self.gone.entry(entry).or_default().insert(part) {
            return false;
        }
        let text = self.transcript.text();
        let parts = self.transcript.parts(entry);
        let whole = self.transcript.entries()[entry].span;
        match places::seat(text, whole, parts[part].whole) {
            Some(Seat::Element { list, index }) => {
                self.list(entry, list).removed.insert(index);
            }
            Some(Seat::Member { object, index }) => {
                let range = places::member_range(text, object, index);
                self.splice(entry, range, String::new());
            }
            Some(Seat::Entry) | None => {
                self.removed.insert(entry);
            }
        }
        if self.gone[&entry].len() == parts.len() {
            self.removed.insert(entry);
        }
        true
    }

    /// Puts a block into a list of an entry, before the element that is number `at` now.
    pub(super) fn insert_block(&mut self, entry: usize, list: Span, at: usize, block: String) {
        self.list(entry, list).inserted.push((at, block));
    }

    /// Puts an entry in front of entry `at`; `origin` is the entry of this transcript that moves there.
    pub(super) fn insert_entry(&mut self, at: usize, origin: Option<usize>, text: String) {
        self.before.entry(at).or_default().push((origin, text));
    }

    /// Replaces a range of the text of an entry.
    pub(super) fn splice(&mut self, entry: usize, range: Range<usize>, text: String) {
        self.splices.entry(entry).or_default().push((range, text));
    }

    /// Takes the member called `key` out of an entry. False if it has none.
    pub(super) fn strip(&mut self, entry: usize, key: &str) -> bool {
        let text = self.transcript.text();
        let object = self.transcript.entries()[entry].span;
        let Some((index, _)) = places::member(text, object, key) else { return false };
        self.splice(entry, places::member_range(text, object, index), String::new());
        true
    }

    /// Gives a member of the object at `object` in an entry another value; one that is not there is added.
    pub(super) fn set_member(&mut self, entry: usize, object: Span, key: &str, value: &str) {
        match places::member(self.transcript.text(), object, key) {
            Some((_, old)) => self.splice(entry, old.range(), value.into()),
            None => self.add_member(entry, object, key, value),
        }
    }

    /// Puts a member behind the last one of the object at `object` in an entry.
    pub(super) fn add_member(&mut self, entry: usize, object: Span, key: &str, value: &str) {
        let empty = Node::at(self.transcript.text(), object).object().iter().next().is_none();
        let end = object.range().end - 1;
        let comma = if empty { "" } else { "," };
        self.splice(entry, end..end, alloc::format!("{comma}\"{key}\":{value}"));
    }

    /// The raw text of a part's whole.
    pub(super) fn whole(&self, entry: usize, part: usize) -> &'a str {
        let part = &self.transcript.parts(entry)[part];
        &self.transcript.text()[part.whole.range()]
    }

    /// The name of an id; empty if the reader made it up.
    pub(super) fn name(&self, id: Id) -> &'a str {
        let name = self.transcript.id(id);
        if made_up(name) { "" } else { name }
    }

    fn list(&mut self, entry: usize, span: Span) -> &mut ListEdit {
        self.lists.entry((entry, span.start)).or_insert_with(|| ListEdit {
            span,
            removed: BTreeSet::new(),
            inserted: Vec::new(),
        })
    }

    /// Carries everything out on `items`, whose places in the input are `places`.
    pub(super) fn apply(mut self, items: &[Item], places: &[usize]) -> Outcome {
        let mut edits = core::mem::take(&mut self.splices);
        for ((entry, _), edit) in core::mem::take(&mut self.lists) {
            let (range, text) = self.rewritten(entry, &edit);
            edits.entry(entry).or_default().push((range, text));
        }
        let mut outcome = Outcome { items: Vec::new(), places: Vec::new(), changes: self.changes };
        let place = |entry: usize| places.get(entry).or(places.last()).copied().unwrap_or_default();
        for entry in 0..=items.len() {
            for (origin, text) in self.before.remove(&entry).unwrap_or_default() {
                let (origin, at) = match origin {
                    Some(moved) => (items[moved].origin, place(moved)),
                    None => (None, place(entry)),
                };
                outcome.items.push(Item { origin, text });
                outcome.places.push(at);
            }
            let Some(item) = items.get(entry).filter(|_| !self.removed.contains(&entry)) else {
                continue;
            };
            outcome.items.push(match edits.remove(&entry) {
                Some(edits) => Item { origin: None, text: self.transcript.edited(entry, edits) },
                None => item.clone(),
            });
            outcome.places.push(place(entry));
        }
        for change in &mut outcome.changes {
            change.entry = place(change.entry);
        }
        outcome
    }

    /// A list with its changes; where nothing is left of a list of calls, its member goes as a whole.
    fn rewritten(&self, entry: usize, edit: &ListEdit) -> (Range<usize>, String) {
        let text = self.transcript.text();
        let elements = Node::at(text, edit.span).array();
        let mut kept: Vec<&str> = Vec::new();
        for index in 0..=elements.len() {
            let here = edit.inserted.iter().filter(|(at, _)| *at == index);
            kept.extend(here.map(|(_, block)| &**block));
            if let Some(element) = elements.get(index).filter(|_| !edit.removed.contains(&index)) {
                kept.push(element.raw());
            }
        }
        let span = self.transcript.entries()[entry].span;
        if kept.is_empty()
            && places::blocks(text, span) != Some(edit.span)
            && let Some(Seat::Member { object, index }) = places::seat(text, span, edit.span)
        {
            return (places::member_range(text, object, index), String::new());
        }
        (edit.span.range(), alloc::format!("[{}]", kept.join(",")))
    }
}

impl Transcript {
    /// The text of an entry with ranges of it replaced; of two that overlap the first counts.
    fn edited(&self, entry: usize, mut edits: Vec<(Range<usize>, String)>) -> String {
        let span = self.entries()[entry].span.range();
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = String::new();
        let mut at = span.start;
        for (range, replacement) in edits {
            if range.start < at {
                continue;
            }
            text.push_str(&self.text()[at..range.start]);
            text.push_str(&replacement);
            at = range.end;
        }
        text.push_str(&self.text()[at..span.end]);
        text
    }
}
