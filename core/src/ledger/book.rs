//! The book of what was told: each state with the words that say it, until it ends.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::directory::is_anchored;
use super::handles::is_handle;
use super::pair::head;
use super::pin::{End, Evidence, Topic};
use super::state::Told;
use crate::pairing::Place;
use crate::transcript::{PartKind, Transcript};

/// The longest quotation of what ended a state, in bytes.
const QUOTE: usize = 240;

/// The longest id, cursor or handle, branch, path and step of a plan, in bytes, and how many steps a plan may have.
const ID: usize = 200;
const BRANCH: usize = 250;
const PATH: usize = 1024;
const STEP: usize = 300;
const STEPS: usize = 40;

/// Words that show something, and the entry they stand in.
#[derive(Clone, Copy)]
pub(super) struct Quote<'a> {
    pub(super) words: &'a str,
    pub(super) entry: u32,
}

/// What was told so far, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    /// The states; those that were inherited come first and have no place.
    pub(super) told: Vec<Told>,
    /// Those that were told or ended since somebody looked.
    touched: Vec<usize>,
    /// The steps of plans that may be live.
    plans: Vec<usize>,
}

impl Book {
    /// Notes a state; says its number.
    pub(super) fn tell(
        &mut self,
        topic: Topic,
        text: &str,
        place: impl Into<Option<Place>>,
    ) -> usize {
        let place = place.into();
        let number = self.told.len();
        self.told.push(Told { topic, text: text.to_string(), place, ended: None });
        self.touched.push(number);
        if topic == Topic::Plan {
            self.plans.push(number);
        }
        number
    }

    /// Ends a state, unless it has ended; `quote` says so.
    pub(super) fn end(&mut self, number: usize, end: End, quote: Quote<'_>) {
        let Some(told) = self.told.get_mut(number).filter(|told| told.ended.is_none()) else {
            return;
        };
        let words = String::from(head(quote.words.trim(), QUOTE));
        told.ended = Some((Evidence { end, quote: words, turn: None }, quote.entry as usize));
        self.touched.push(number);
    }

    /// What a state says, and where.
    pub(super) fn said(&self, number: usize) -> (String, Option<Place>) {
        self.told.get(number).map_or((String::new(), None), |told| (told.text.clone(), told.place))
    }

    /// The states that may become pins, each with its number.
    ///
    /// What a tool returns is anybody's text. A pin outlives every fold and stands where rules stand, so that a sentence in the
    /// place of a cursor would be an order that nobody gave, and a long text would use up the room of what was meant to be
    /// kept. Hence a state is only pinned if it has the form of what it claims to be. It is still followed in the book: what
    /// it took the place of is gone. What was inherited was pinned before, and stays.
    pub(super) fn pinned(&self, transcript: &Transcript) -> Vec<(usize, Told)> {
        let mut steps = 0;
        let numbered = self.told.iter().enumerate();
        let fits = numbered.filter(|(_, told)| fits(transcript, told, &mut steps));
        fits.map(|(number, told)| (number, told.clone())).collect()
    }

    /// The same, but of those alone that were told or ended since the last time.
    pub(super) fn changed(&mut self, transcript: &Transcript) -> Vec<(usize, Told)> {
        let mut touched = core::mem::take(&mut self.touched);
        if touched.iter().any(|&number| self.told[number].topic == Topic::Plan) {
            // Where a step ends, one that was too many may come into its place.
            self.plans.retain(|&number| self.told[number].ended.is_none());
            touched.extend(&self.plans);
        }
        touched.sort_unstable();
        touched.dedup();
        let mut steps = 0;
        let numbered = touched.into_iter().map(|number| (number, &self.told[number]));
        let fits = numbered.filter(|(_, told)| fits(transcript, told, &mut steps));
        fits.map(|(number, told)| (number, told.clone())).collect()
    }

    /// A state by its number.
    pub(super) fn state(&self, number: usize) -> Option<&Told> {
        self.told.get(number)
    }
}

/// Whether a state may become a pin; `steps` counts those of plans that are live and stand before it.
fn fits(transcript: &Transcript, told: &Told, steps: &mut usize) -> bool {
    if told.place.is_some() && !has_form(transcript, told) {
        return false;
    }
    let counts = told.topic == Topic::Plan && told.ended.is_none();
    *steps += usize::from(counts);
    // The first steps are those that come next. One that is pinned stays so until it ends.
    !counts || *steps <= STEPS || told.place.is_none()
}

/// Whether a state has the form of what it claims to be.
fn has_form(transcript: &Transcript, told: &Told) -> bool {
    let text = &*told.text;
    let is_word = !text.contains(|c: char| c.is_whitespace() || c.is_control());
    let part = told.place.and_then(|place| {
        let entry = transcript.entries().get(place.entry as usize)?;
        transcript.parts.get(entry.first_part as usize + place.part as usize)
    });
    let called = part.is_some_and(|part| matches!(part.kind, PartKind::Call { .. }));
    match told.topic {
        Topic::Agent => is_handle(text, ID),
        Topic::Branch => is_word && text.len() <= BRANCH,
        Topic::Cursor | Topic::File => is_word && text.len() <= ID,
        Topic::Directory | Topic::Worktree => {
            // Where a tool says it, words with space between them are a path only if they begin like one.
            let is_path = called || is_word || is_anchored(text);
            is_path && text.len() <= PATH && !text.contains(char::is_control)
        }
        // A step of several lines could look like more than one.
        Topic::Plan => text.len() <= STEP && !text.contains(char::is_control),
        // A process without a handle is known by the command that began it, which the call holds.
        Topic::Process => called || is_handle(text, ID),
    }
}
