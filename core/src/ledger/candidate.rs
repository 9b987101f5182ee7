//! Candidates: sentences that the trigger flagged, until somebody says whether they bind.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

use super::classify::{Refusal, RefusalCode, word_class};
use super::heard::Heard;
use super::pin::{Class, End, Evidence, Origin, Pin, Said, Seat};
use super::trigger::{Sign, Signs, Trigger};
use super::{Accept, Ledger, Question};

/// A sentence that may bind.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Candidate {
    /// The id of the pin that it would be.
    pub id: String,
    /// Its words, exactly as they stand in their entry.
    pub text: String,
    /// What flagged it.
    pub signs: Signs,
    /// Where it stands.
    pub said: Said,
    /// What was decided about it.
    pub verdict: Verdict,
}

/// What was decided about a candidate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// It is a pin.
    Accepted,
    /// It does not bind.
    Dismissed,
    /// Nothing yet.
    Waiting,
}

impl Verdict {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Dismissed => "dismissed",
            Self::Waiting => "waiting",
        }
    }

    /// The verdict of that name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        [Self::Accepted, Self::Dismissed, Self::Waiting].into_iter().find(|it| it.name() == name)
    }
}

impl Ledger {
    /// Makes a candidate a pin of the class of that name. Returns the pin's id.
    ///
    /// # Errors
    /// A [`Refusal`] if there is no such candidate or no such class of words.
    pub fn accept(&mut self, candidate: &str, class: &str) -> Result<String, Refusal> {
        let class = word_class(class)?;
        let mut found = None;
        for index in 0..self.candidates.len() {
            if self.candidates[index].id == candidate {
                self.candidates[index].verdict = Verdict::Accepted;
                let Candidate { text, said, .. } = self.candidates[index].clone();
                found = Some(self.add(&text, said, class, Origin::Accepted));
            }
        }
        let id = found.ok_or_else(|| unknown(candidate))?;
        self.contradict(core::slice::from_ref(&id));
        Ok(id)
    }

    /// Says that a candidate does not bind. A pin that only the policy made, or that nobody classified in time, ends.
    ///
    /// # Errors
    /// A [`Refusal`] if there is no such candidate, or somebody made it a pin: that takes [`Ledger::retire`].
    pub fn dismiss(&mut self, candidate: &str) -> Result<(), Refusal> {
        let pin = self.live_pin(candidate);
        if pin.is_some_and(|pin| !self.pins[pin].is_guess()) {
            let says =
                format!("{candidate} was made a pin by somebody: retire it, with its evidence.");
            return Err(Refusal::new(RefusalCode::NeedsPrompt, says));
        }
        let candidates = self.candidates.iter_mut().filter(|known| known.id == candidate);
        let count = candidates.map(|known| known.verdict = Verdict::Dismissed).count();
        if let Some(pin) = pin {
            self.end(pin, dismissed("dismissed as a guess that was wrong"));
        }
        if count == 0 && pin.is_none() { Err(unknown(candidate)) } else { Ok(()) }
    }

    /// Flags the sentences of a turn that was just heard, and lets the policy decide. Tells whether any may bind.
    pub(super) fn flag(&mut self, index: usize) -> bool {
        let heard = &self.heard[index];
        let mut found = Vec::new();
        for (part, text) in &heard.texts {
            let flagged = Trigger::shared().scan(text);
            let ranges: Vec<Range<usize>> = flagged.iter().map(|it| it.bytes.clone()).collect();
            let places = heard.places(index, *part, &ranges);
            for (flagged, said) in flagged.into_iter().zip(places) {
                let words = text.get(flagged.bytes).unwrap_or_default();
                found.push(Candidate {
                    id: Pin::id_of(None, words),
                    text: words.to_string(),
                    signs: flagged.signs,
                    said,
                    verdict: Verdict::Waiting,
                });
            }
        }
        let any = !found.is_empty();
        for mut candidate in found {
            let gone = self.gone.get(&candidate.id);
            if gone.is_some_and(|&turn| candidate.said.turn <= turn) {
                candidate.verdict = Verdict::Dismissed;
            } else if self.options.accept == Accept::Prohibitions
                && candidate.signs.has(Sign::Prohibition)
                && !candidate.signs.has(Sign::Quoted)
            {
                candidate.verdict = Verdict::Accepted;
                let Candidate { text, said, .. } = candidate.clone();
                self.add(&text, said, Class::Constraint, Origin::Policy);
            } else if let Some(pin) = self.by_id.get(&candidate.id).map(|&pin| &mut self.pins[pin])
            {
                // What is a pin already is said once more.
                candidate.verdict = Verdict::Accepted;
                pin.say_again(candidate.said.clone(), pin.class, Origin::Policy);
            }
            self.candidates.push(candidate);
        }
        any
    }

    /// A classification found words of a turn: the pin that they lie in is confirmed, or they become one.
    pub(super) fn classified(
        &mut self,
        index: usize,
        class: Class,
        part: usize,
        bytes: Range<usize>,
    ) -> String {
        let of_turn = |said: &Said| said.heard == Some(index as u32) && said.part == part;
        let mut inside = Vec::new();
        for candidate in self.candidates.iter().filter(|candidate| of_turn(&candidate.said)) {
            let pin = self.by_id.get(&candidate.id).copied();
            let Some(pin) =
                pin.filter(|&pin| self.pins[pin].is_live() && self.pins[pin].is_guess())
            else {
                continue;
            };
            let own = &candidate.said.bytes;
            if own.start <= bytes.start && bytes.end <= own.end {
                let pin = &mut self.pins[pin];
                // No model says that an unmistakable prohibition is no constraint.
                if pin.origin == Origin::Unanswered || pin.class == class {
                    (pin.class, pin.origin) = (class, Origin::Classifier);
                }
                return pin.id.clone();
            }
            let gives_way =
                self.pins[pin].origin == Origin::Unanswered || self.pins[pin].class == class;
            if gives_way && bytes.start <= own.start && own.end <= bytes.end {
                inside.push(pin);
            }
        }
        let said = self.heard[index].said(index, part, bytes.clone());
        let words = self.heard[index].text(part).and_then(|text| text.get(bytes));
        let words = words.unwrap_or_default().to_string();
        for pin in inside {
            self.end(
                pin,
                Evidence { end: End::Superseded, quote: words.clone(), turn: Some(said.turn) },
            );
        }
        self.add(&words, said, class, Origin::Classifier)
    }

    /// A turn was classified and gave the pins `ids`: its other candidates bind nothing.
    pub(super) fn settle(&mut self, index: usize, ids: &[String]) {
        let said: Vec<Said> = self
            .pins
            .iter()
            .filter(|pin| ids.contains(&pin.id))
            .flat_map(|pin| pin.said.clone())
            .filter(|said| said.heard == Some(index as u32))
            .collect();
        let mut wrong = Vec::new();
        for candidate in &mut self.candidates {
            if candidate.said.heard != Some(index as u32) {
                continue;
            }
            let own = &candidate.said;
            let bound = ids.contains(&candidate.id)
                || said.iter().any(|said| {
                    said.part == own.part
                        && said.bytes.start < own.bytes.end
                        && own.bytes.start < said.bytes.end
                });
            candidate.verdict = if bound { Verdict::Accepted } else { Verdict::Dismissed };
            if !bound {
                wrong.push(candidate.id.clone());
            }
        }
        for id in wrong {
            let Some(pin) = self.live_pin(&id) else { continue };
            if self.pins[pin].origin == Origin::Unanswered {
                // Another turn that says the same has its own answer.
                let elsewhere = self.candidates.iter().any(|candidate| {
                    candidate.id == id
                        && candidate.verdict != Verdict::Dismissed
                        && candidate.said.heard != Some(index as u32)
                });
                if !elsewhere {
                    self.end(pin, dismissed("its classification found that it does not bind"));
                }
            } else {
                // The policy's word stands: an unmistakable prohibition needs no model's consent.
                let candidates = self.candidates.iter_mut().filter(|candidate| candidate.id == id);
                candidates.for_each(|candidate| candidate.verdict = Verdict::Accepted);
            }
        }
    }

    /// The candidates whose turn waits for its classification and that no pin covers: what a fold must not lose.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &Candidate> {
        let open = |heard: &Heard| heard.question == Question::Open;
        self.candidates.iter().filter(move |candidate| {
            let heard = candidate.said.heard.and_then(|index| self.heard.get(index as usize));
            candidate.verdict == Verdict::Waiting
                && heard.is_some_and(open)
                && self.live_pin(&candidate.id).is_none()
        })
    }

    fn live_pin(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied().filter(|&pin| self.pins[pin].is_live())
    }

    /// The ids of the candidates that were decided, sorted.
    pub(super) fn decided(&self) -> Vec<String> {
        let decided = self.candidates.iter().filter(|it| it.verdict != Verdict::Waiting);
        let mut ids: Vec<String> = decided.map(|candidate| candidate.id.clone()).collect();
        ids.sort_unstable();
        ids
    }

    /// Lets go of candidates that were decided and whose turn was folded.
    pub(super) fn forget_decided(&mut self) {
        if !self.placed {
            return;
        }
        self.candidates.retain(|candidate| {
            candidate.verdict == Verdict::Waiting || candidate.said.seat != Seat::Folded
        });
    }
}

fn dismissed(why: &str) -> Evidence {
    Evidence { end: End::Dismissed, quote: why.into(), turn: None }
}

/// The evidence against a candidate that a fold kept as not classified and that was decided before the ledger saw that fold:
/// what of it binds is a pin already.
pub(super) fn decided_late() -> Evidence {
    dismissed("its classification came after the fold that kept it")
}

fn unknown(candidate: &str) -> Refusal {
    let says =
        format!("There is no candidate {candidate:?}: take the id of one that this ledger lists.");
    Refusal::new(RefusalCode::UnknownPin, says)
}
