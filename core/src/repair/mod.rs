//! Mends what a provider would refuse: symmetric, to a fixed point, touching only what is broken.
//!
//! Each round judges the transcript, takes the first kind of fault that can be mended, mends all of that kind at once,
//! and reads the result again. Rules decide what is broken, so a clean transcript is left alone; a pair that is whole is
//! never taken out; an answer that is made up says that the outcome is unknown and nothing else.

mod draft;
mod faults;
pub(crate) mod ids;

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::exchange::Structure;
use crate::formats::{ReadOptions, read};
use crate::pairing::Place;
use crate::provider::Provider;
use crate::rules::{self, Code, Mode, Violation};
use crate::transcript::Transcript;
use draft::Draft;

/// What a repair gives back.
#[derive(Clone, Debug)]
pub struct Repaired {
    /// The mended transcript as text, in the input's [`Transcript::wire`]; the input's own text if nothing was broken.
    pub text: String,
    /// Its entries in their order.
    pub entries: Vec<Item>,
    /// What was done, in the order in which it was done.
    pub changes: Vec<Change>,
    /// What is still wrong with it, and why a person must look: nobody can know the missing piece.
    pub left: Vec<Violation>,
    /// The mended transcript.
    pub transcript: Transcript,
}

/// An entry of a mended transcript.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Item {
    /// The entry of the input that it is, byte for byte; `None` if it was edited or added.
    pub origin: Option<usize>,
    /// Its text.
    pub text: String,
}

/// One thing that was done.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Change {
    /// What kind of thing.
    pub kind: ChangeKind,
    /// The fault that it mends.
    pub code: Code,
    /// The entry of the input that it is about; of an entry that was added the one it stands before.
    pub entry: usize,
    /// The ids that it is about, as they were.
    pub ids: Vec<String>,
    /// What was done and why, in a sentence.
    pub message: String,
}

/// The kinds of change.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum ChangeKind {
    /// A member was put in that the provider wants to see, empty or with a value it documents.
    Added,
    /// A result that says that the outcome is unknown was added for a dead call.
    Answered,
    /// A plain user entry was put behind an end that may not be one.
    Closed,
    /// Two entries of one role in a row became one.
    Merged,
    /// A result, or an instruction, was moved to where the provider looks for it.
    Moved,
    /// A plain user entry was put in front of a head that may not be one.
    Opened,
    /// A part, or an entry, without its partner or without content was taken out.
    Removed,
    /// An id was rewritten in a call and in its result.
    Renamed,
    /// The signature that Gemini documents for calls of another origin was put in.
    Signed,
    /// One member was taken out of an entry that stays.
    Stripped,
}

impl ChangeKind {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Answered => "answered",
            Self::Closed => "closed",
            Self::Merged => "merged",
            Self::Moved => "moved",
            Self::Opened => "opened",
            Self::Removed => "removed",
            Self::Renamed => "renamed",
            Self::Signed => "signed",
            Self::Stripped => "stripped",
        }
    }
}

/// More rounds than any transcript needs: each kind of fault is mended in one or two.
const ROUNDS: usize = 40;

/// Mends `transcript` for the use that `mode` names.
pub fn repair(transcript: &Transcript, mode: Mode) -> Repaired {
    let mut items = untouched(transcript);
    let mut places: Vec<usize> = (0..transcript.len()).collect();
    let mut changes = Vec::new();
    let mut current = transcript.clone();
    for _ in 0..ROUNDS {
        let structure = Structure::of(&current);
        let violations = rules::check(&current, &structure, mode);
        let mut draft = Draft::new(&current, &structure, &violations);
        // Telemetry says what was sent, and is sent to nobody: to mend it would be to tell it otherwise.
        let mends = transcript.provider() != Provider::Telemetry;
        if !(mends && faults::mend(&mut draft)) {
            return Repaired {
                text: current.text().into(),
                entries: items,
                changes,
                left: violations,
                transcript: current,
            };
        }
        let outcome = draft.apply(&items, &places);
        let text = written(transcript, &outcome.items);
        // What would be left is no transcript to its reader: then it stays as it is, and is named.
        let Ok(mended) = read(text.as_bytes(), ReadOptions::like(transcript)) else { break };
        (items, places) = (outcome.items, outcome.places);
        changes.extend(outcome.changes);
        current = mended;
    }
    let violations = rules::check(&current, &Structure::of(&current), mode);
    Repaired {
        text: current.text().into(),
        entries: items,
        changes,
        left: violations,
        transcript: current,
    }
}

/// The transcript with the ids at these places rewritten, and nothing else.
pub(crate) fn rename_ids(
    transcript: &Transcript,
    structure: &Structure,
    names: &BTreeMap<Place, String>,
) -> String {
    if names.is_empty() {
        return transcript.text().into();
    }
    let mut draft = Draft::new(transcript, structure, &[]);
    for (&place, name) in names {
        faults::calls::rename_at(&mut draft, place, name);
    }
    written(transcript, &draft.apply(&untouched(transcript), &[]).items)
}

/// Every entry as it is.
fn untouched(transcript: &Transcript) -> Vec<Item> {
    (0..transcript.len())
        .map(|entry| Item { origin: Some(entry), text: transcript.entry_text(entry).into() })
        .collect()
}

/// The entries inside the input's request, separated as the input's first two are.
fn written(transcript: &Transcript, items: &[Item]) -> String {
    let source = transcript.text();
    let (before, after) = transcript.frame();
    let entries = transcript.entries();
    let between = match entries {
        [first, second, ..] => &source[first.span.range().end..second.span.range().start],
        _ => ",",
    };
    let texts: Vec<&str> = items.iter().map(|item| &*item.text).collect();
    [before, &texts.join(between), after].concat()
}
