//! How pins end: each with its evidence, and in no other way.
//!
//! A constraint ends only by the words of a later prompt; a commitment when it is fulfilled, a question when it is answered, or
//! either when a later prompt takes it back; tool state as calls and results tell. What system text says holds as long as it
//! stands there. Nothing that a tool returned and nothing that the model said ends a pin of words.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::classify::{Refusal, RefusalCode, Retires, find, place_of};
use super::pin::{Class, End, Evidence, Origin, Pin, Said, State};
use super::rulebook::differing;
use super::{Ledger, Row};
use crate::exchange::Structure;
use crate::transcript::{Finding, Weight};

impl Ledger {
    /// Ends a pin. `quote` is the evidence: words of a later prompt for a constraint and for anything that is revoked, else
    /// such words or the reason that a person or program gives.
    ///
    /// # Errors
    /// A [`Refusal`] if there is no such live pin, or it cannot end so.
    pub fn retire(&mut self, pin: &str, end: End, quote: &str) -> Result<(), Refusal> {
        let index = self.live(pin)?;
        if quote.trim().is_empty() {
            let says = String::from(
                "The evidence is empty: quote the words that end the pin, or give the reason.",
            );
            return Err(Refusal::new(RefusalCode::EmptyText, says));
        }
        let after = self.pins[index].turns().1;
        let later = self.heard.iter().filter(|heard| !heard.system && heard.turn > after);
        let turn = later
            .filter(|heard| heard.texts.iter().any(|(_, text)| place_of(text, quote).is_some()))
            .map(|heard| heard.turn)
            .min();
        self.may_end(index, end, turn)?;
        // Of tool state only calls and results have a turn; what a person says of it is a reason.
        let turn = turn.filter(|_| self.pins[index].class != Class::ToolState);
        self.end(index, Evidence { end, quote: quote.into(), turn });
        Ok(())
    }

    /// The ends that an answer about the turn `index` tells of, each held against the turn's own texts.
    pub(super) fn ends(
        &self,
        index: usize,
        retires: &[Retires],
        texts: &[String],
    ) -> Result<Vec<(usize, Evidence)>, Refusal> {
        let heard = &self.heard[index];
        let mut ends = Vec::new();
        for Retires { pin, end, text } in retires {
            find(texts, text)?;
            let pin = self.live(pin)?;
            let later = !heard.system && heard.turn > self.pins[pin].turns().1;
            let turn = later.then_some(heard.turn);
            if turn.is_none() {
                let says =
                    format!("Turn {} is not later than the pin that it would end.", heard.turn);
                return Err(Refusal::new(RefusalCode::NeedsPrompt, says));
            }
            self.may_end(pin, *end, turn)?;
            ends.push((pin, Evidence { end: *end, quote: text.clone(), turn }));
        }
        Ok(ends)
    }

    pub(super) fn end(&mut self, pin: usize, evidence: Evidence) {
        let pin = &mut self.pins[pin];
        self.conflicts.retain(|conflict| conflict.pin != pin.id);
        pin.state = State::Retired;
        pin.evidence = Some(evidence);
    }

    fn live(&self, name: &str) -> Result<usize, Refusal> {
        let named = |pin: &Pin| pin.text == name && pin.is_live();
        let by_id = self.by_id.get(name).copied().filter(|&pin| self.pins[pin].is_live());
        by_id.or_else(|| self.pins.iter().position(named)).ok_or_else(|| {
            let says = format!(
                "There is no live pin {name:?}: take the id of one that this ledger lists."
            );
            Refusal::new(RefusalCode::UnknownPin, says)
        })
    }

    /// Whether a pin can end so; `prompt` is the turn of the later prompt that says it.
    fn may_end(&self, pin: usize, end: End, prompt: Option<u32>) -> Result<(), Refusal> {
        let pin = &self.pins[pin];
        if pin.is_system() {
            let says = String::from(
                "System text holds as long as it stands in the request: change the system text.",
            );
            return Err(Refusal::new(RefusalCode::SystemPin, says));
        }
        let fits = match pin.class {
            Class::Constraint => end == End::Revoked,
            Class::Commitment => matches!(end, End::Fulfilled | End::Revoked),
            Class::OpenQuestion => matches!(end, End::Answered | End::Revoked),
            Class::ToolState => matches!(end, End::Completed | End::Superseded),
        };
        if !fits {
            let says =
                format!("A pin of class {} does not end as {}.", pin.class.name(), end.name());
            return Err(Refusal::new(RefusalCode::WrongEnd, says));
        }
        if end == End::Revoked && prompt.is_none() {
            let says = String::from(
                "Only a later prompt revokes this pin: quote its words exactly as they stand there.",
            );
            return Err(Refusal::new(RefusalCode::NeedsPrompt, says));
        }
        Ok(())
    }

    /// Finds the pins of system text again where its author changed what stands around them, and ends those whose words he
    /// took out.
    pub(super) fn keep_system(&mut self, structure: &Structure) {
        let rows = structure.note.as_ref().map_or(&[][..], |(_, note)| &note.ledger.rows);
        let rows: Vec<Row> = rows.iter().filter(|row| row.system).cloned().collect();
        for row in rows {
            self.link(&row.text, row.class, Origin::Ledger);
        }
        for index in 0..self.pins.len() {
            let pin = &mut self.pins[index];
            // What stands in system text holds, whatever became of the same words elsewhere.
            let ended = pin.evidence.as_ref().map(|it| it.end);
            if matches!(ended, Some(End::Withdrawn | End::Revoked)) && pin.is_system() {
                pin.state = State::Live;
                pin.evidence = None;
            }
            let heard = |said: &Said| self.heard.get(said.heard? as usize);
            let was_system =
                pin.said.iter().all(|said| heard(said).is_some_and(|heard| heard.system));
            if !was_system || pin.is_system() || !pin.is_live() {
                continue;
            }
            let (text, class, origin) = (pin.text.clone(), pin.class, pin.origin);
            if !self.link(&text, class, origin) {
                self.end(index, Evidence { end: End::Withdrawn, quote: text, turn: None });
            }
        }
    }

    /// Finds anew what a reader must know.
    pub(super) fn find(&mut self) {
        self.findings.clear();
        let withdrawn = self.pins.iter().filter(|pin| {
            pin.evidence.as_ref().is_some_and(|evidence| evidence.end == End::Withdrawn)
        });
        self.findings.extend(withdrawn.map(|pin| Finding {
            code: "rules-differ",
            weight: Weight::Warning,
            offset: 0,
            line: 0,
            message: format!(
                "System text that said {:?} stands in the request no longer.",
                pin.text
            ),
        }));
        self.findings.extend(differing(&self.books));
        self.findings.extend(self.drifts.iter().cloned());
    }

    /// Pins words where they stand in system text; tells whether they do.
    fn link(&mut self, words: &str, class: Class, origin: Origin) -> bool {
        let systems = self.heard.iter().enumerate().filter(|(_, heard)| heard.seat.is_system());
        let place = systems.filter_map(|(index, heard)| {
            let mut texts = heard.texts.iter();
            texts.find_map(|(part, text)| Some((index, *part, text.find(words)?)))
        });
        let Some((index, part, start)) = place.min() else { return false };
        let said = self.heard[index].said(index, part, start..start + words.len());
        self.add(words, said, class, origin);
        true
    }
}
