//! The book of what was told: each state with the words that say it, until it ends.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::pair::head;
use super::pin::{End, Evidence, Topic};
use super::state::Told;
use crate::pairing::Place;

/// The longest quotation of what ended a state, in bytes.
const QUOTE: usize = 240;

/// Words that show something, and the entry they stand in.
#[derive(Clone, Copy)]
pub(super) struct Quote<'a> {
    pub(super) words: &'a str,
    pub(super) entry: u32,
}

/// What was told so far, oldest first.
#[derive(Default)]
pub(super) struct Book {
    /// The states; those that were inherited come first and have no place.
    pub(super) told: Vec<Told>,
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
        self.told.push(Told { topic, text: text.to_string(), place, ended: None });
        self.told.len() - 1
    }

    /// Ends a state, unless it has ended; `quote` says so.
    pub(super) fn end(&mut self, number: usize, end: End, quote: Quote<'_>) {
        let Some(told) = self.told.get_mut(number).filter(|told| told.ended.is_none()) else {
            return;
        };
        let words = String::from(head(quote.words.trim(), QUOTE));
        told.ended = Some((Evidence { end, quote: words, turn: None }, quote.entry as usize));
    }

    /// What a state says, and where.
    pub(super) fn said(&self, number: usize) -> (String, Option<Place>) {
        self.told.get(number).map_or((String::new(), None), |told| (told.text.clone(), told.place))
    }
}
