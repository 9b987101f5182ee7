//! The pins of tool state: what calls and results tell, newest over older.

use alloc::vec::Vec;

use super::Ledger;
use super::heard::turn_of;
use super::pin::{Class, Evidence, Origin, Pin, Said, Seat, State};
use super::state::{Inherited, Told, told};
use crate::exchange::Structure;
use crate::transcript::Transcript;

impl Ledger {
    /// Takes in what calls and results tell of the state outside the messages.
    pub(super) fn follow_tools(&mut self, transcript: &Transcript, structure: &Structure) {
        let rows = structure.note.as_ref().map_or(&[][..], |(_, note)| &note.ledger.rows);
        let carried = rows.iter().filter_map(|row| Some((row.topic?, row.text.clone())));
        let mut inherited: Vec<Inherited> = carried.collect();
        let recognisers = self.options.recognisers.clone();
        let tell = |inherited: &[Inherited]| told(transcript, structure, &recognisers, inherited);
        let (mut all, mut findings) = tell(&inherited);
        let lost = self.lost(&all);
        if !lost.is_empty() {
            // What was known and stands neither in a call nor in a ledger was cut away by somebody else: it still holds.
            inherited.splice(0..0, lost);
            (all, findings) = tell(&inherited);
        }
        for finding in findings {
            if !self.drifts.contains(&finding) {
                self.drifts.push(finding);
            }
        }
        let tools = self.pins.iter_mut().filter(|pin| pin.class == Class::ToolState);
        for said in tools.flat_map(|pin| &mut pin.said) {
            said.seat = Seat::Folded;
        }
        for Told { topic, text, place, ended } in all {
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
            match self.by_id.get(&id).map(|&pin| &mut self.pins[pin]) {
                Some(pin) => {
                    let anew = pin.tell(said);
                    let by_hand = pin.evidence.as_ref().is_some_and(|it| it.turn.is_none());
                    if by_hand && !anew {
                        // Somebody said that it holds no longer, and no call has said it since.
                        continue;
                    }
                    pin.state = state;
                    pin.evidence = evidence;
                }
                None => self.push(Pin {
                    id,
                    class: Class::ToolState,
                    topic: Some(topic),
                    text,
                    said: said.into_iter().collect(),
                    times: 1,
                    origin: Origin::Tools,
                    state,
                    evidence,
                }),
            }
        }
    }

    /// The live states that are known from before and of which `all` does not tell.
    fn lost(&self, all: &[Told]) -> Vec<Inherited> {
        let known = self.pins.iter().filter(|pin| pin.is_live());
        let states = known.filter_map(|pin| Some((pin.topic?, pin.text.clone())));
        states
            .filter(|(topic, text)| !all.iter().any(|it| it.topic == *topic && it.text == *text))
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
