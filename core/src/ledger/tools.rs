//! The pins of tool state: what calls and results tell, newest over older.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::Ledger;
use super::heard::turn_of;
use super::pin::{Class, Evidence, Origin, Pin, Said, Seat, State};
use super::state::{Followed, Inherited, Told};
use crate::exchange::Structure;
use crate::transcript::{Finding, Transcript};

/// What was followed, and which of it each pin was told by last.
pub(super) type Trail = (Followed, BTreeMap<usize, usize>);

impl Ledger {
    /// Takes in what calls and results tell of the state outside the messages. Gives what was followed, and which of it each
    /// pin was told by last.
    pub(super) fn follow_tools(&mut self, transcript: &Transcript, structure: &Structure) -> Trail {
        let rows = structure.note.as_ref().map_or(&[][..], |(_, note)| &note.ledger.rows);
        let carried = rows.iter().filter_map(|row| Some((row.topic?, row.text.clone())));
        let mut inherited: Vec<Inherited> = carried.collect();
        let recognisers = self.options.recognisers.clone();
        let follow =
            |inherited: &[Inherited]| Followed::of(transcript, structure, &recognisers, inherited);
        let (mut followed, mut findings) = follow(&inherited);
        let mut all = followed.pinned(transcript);
        let lost = self.lost(&all);
        if !lost.is_empty() {
            // What was known and stands neither in a call nor in a ledger was cut away by somebody else: it still holds.
            inherited.splice(0..0, lost);
            (followed, findings) = follow(&inherited);
            all = followed.pinned(transcript);
        }
        followed.book.changed(transcript);
        self.drift(findings);
        let tools = self.pins.iter_mut().filter(|pin| pin.class == Class::ToolState);
        for said in tools.flat_map(|pin| &mut pin.said) {
            said.seat = Seat::Folded;
        }
        let mut newest = BTreeMap::new();
        for (number, told) in all {
            newest.insert(self.tell(structure, told), number);
        }
        (followed, newest)
    }

    /// Takes in what the entries from `from` on tell, which hold the answers of the calls `answered`. Tells whether anything
    /// changed.
    pub(super) fn follow_on(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
        new: (usize, &[u32]),
        (followed, newest): &mut Trail,
    ) -> bool {
        let findings = followed.go_on(transcript, structure, &self.options.recognisers, new);
        let drifts = self.drifts.len();
        self.drift(findings);
        let changed = followed.book.changed(transcript);
        let mut later = Vec::new();
        for (number, told) in &changed {
            let pin = self.tell(structure, told.clone());
            match newest.get(&pin) {
                Some(&known) if known > *number => later.push(known),
                _ => {
                    newest.insert(pin, *number);
                }
            }
        }
        // Of one state that was told more than once, what was told last holds.
        for told in later.into_iter().filter_map(|number| followed.book.state(number)) {
            self.tell(structure, told.clone());
        }
        !changed.is_empty() || self.drifts.len() > drifts
    }

    fn drift(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            if !self.drifts.contains(&finding) {
                self.drifts.push(finding);
            }
        }
    }

    /// Makes a state a pin, or finds the pin again that it is. Gives the pin's number.
    fn tell(&mut self, structure: &Structure, told: Told) -> usize {
        let Told { topic, text, place, ended } = told;
        let id = Pin::id_of(Some(topic), &text);
        let evidence = ended.map(|(evidence, entry)| Evidence {
            turn: Some(turn_of(structure, entry)),
            ..evidence
        });
        let state = if evidence.is_some() { State::Retired } else { State::Live };
        let said = place.map(|place| Said {
            turn: turn_of(structure, place.entry as usize),
            seat: Seat::Entry(place.entry as usize),
            part: place.part as usize,
            bytes: 0..0,
            utf16: 0..0,
            heard: None,
        });
        if let Some(&number) = self.by_id.get(&id) {
            let pin = &mut self.pins[number];
            let anew = pin.tell(said);
            let by_hand = pin.evidence.as_ref().is_some_and(|it| it.turn.is_none());
            // Otherwise somebody said that it holds no longer, and no call has said it since.
            if !by_hand || anew {
                pin.state = state;
                pin.evidence = evidence;
            }
            return number;
        }
        self.push(Pin {
            id,
            class: Class::ToolState,
            topic: Some(topic),
            text,
            said: said.into_iter().collect(),
            times: 1,
            origin: Origin::Tools,
            state,
            evidence,
        });
        self.pins.len() - 1
    }

    /// The live states that are known from before and of which `all` does not tell.
    fn lost(&self, all: &[(usize, Told)]) -> Vec<Inherited> {
        let known = self.pins.iter().filter(|pin| pin.is_live());
        let states = known.filter_map(|pin| Some((pin.topic?, pin.text.clone())));
        states
            .filter(|(topic, text)| {
                !all.iter().any(|(_, it)| it.topic == *topic && it.text == *text)
            })
            .collect()
    }
}

impl Pin {
    /// The state is told once more, or found again where it was told. Says whether it was told anew.
    fn tell(&mut self, said: Option<Said>) -> bool {
        let Some(said) = said else { return false };
        let again = self.said.iter_mut().find(|known| {
            (known.turn, known.part) == (said.turn, said.part)
                && (known.seat == Seat::Folded || known.seat == said.seat)
        });
        if let Some(known) = again {
            known.seat = said.seat;
            false
        } else {
            self.said.push(said);
            self.times = self.times.saturating_add(1);
            true
        }
    }
}
