//! What a word of the lexicon says where it stands.

use super::{Number, Reader};
use crate::ledger::trigger::Sign;
use crate::ledger::words::Mark;

impl Reader<'_> {
    /// Takes in a word that the lexicon knows.
    pub(super) fn mark(&mut self, mark: Mark) {
        let number = core::mem::replace(&mut self.number, Number::None);
        self.tail |= self.head && !self.first && !goes_on_with_task(mark);
        if mark == Mark::Money {
            if number == Number::Digits {
                self.seen.literal = self.seen.literal.with(Sign::Amount);
            }
            self.number = Number::Currency;
        }
        self.sign(mark);
        self.denies_or_forbids(mark);
        if self.kind(mark) {
            self.word_passed();
        }
        match mark {
            Mark::Branch => self.branch = self.passed + NEAR,
            Mark::Bound => self.bound = self.passed + NEAR,
            Mark::Be => self.be = self.passed,
            _ => {}
        }
    }

    /// What a word that binds says.
    fn sign(&mut self, mark: Mark) {
        match mark {
            Mark::Prohibit => self.strong(Sign::Prohibition),
            Mark::Avoid => self.strong(Sign::Avoidance),
            Mark::HeadAvoid if self.head => self.strong(Sign::Avoidance),
            // What begins a polite request is a task, however it would read alone.
            Mark::HeadMust if self.head && self.seen.task => self.weak(Sign::Imperative),
            Mark::HeadMust if self.head => self.strong(Sign::Imperative),
            Mark::Must | Mark::Modal => self.strong(Sign::Imperative),
            Mark::Standing => self.strong(Sign::Standing),
            Mark::If => self.weak(Sign::Standing),
            Mark::Order | Mark::Sequence => self.strong(Sign::Ordering),
            Mark::Step | Mark::Opening => self.weak(Sign::Ordering),
            Mark::Except => self.strong(Sign::Exception),
            Mark::Limit => self.strong(Sign::Limit),
            Mark::Approve => self.strong(Sign::Approval),
            Mark::Permit => self.strong(Sign::Permission),
            Mark::Later => self.strong(Sign::Later),
            _ => {}
        }
    }

    /// What a denial does where it stands.
    fn denies_or_forbids(&mut self, mark: Mark) {
        let denied = self.denies > self.passed;
        let begun = denied && self.denied_head;
        let told = self.tells || self.modal;
        let forbids = match mark {
            Mark::HeadProhibit => self.head,
            Mark::FirstProhibit => self.first || begun,
            Mark::Naught => told,
            Mark::Deny => told || begun,
            Mark::Forbid => denied && self.denied_near,
            Mark::HeadForbid => begun,
            _ => false,
        };
        match mark {
            _ if forbids => self.strong(Sign::Prohibition),
            Mark::Naught => self.strong(Sign::Avoidance),
            Mark::FirstProhibit if self.head => self.strong(Sign::Avoidance),
            Mark::Not | Mark::Deny | Mark::HeadProhibit | Mark::FirstProhibit => {
                self.weak(Sign::Avoidance);
            }
            Mark::Ne => {
                if self.head {
                    self.weak(Sign::Avoidance);
                }
                self.denies = self.passed + NEAR;
                (self.denied_head, self.denied_near) = (self.head, true);
            }
            Mark::Modal => self.modal = true,
            Mark::Do => self.tells |= self.head,
            // "Prüf, ob das nicht geht": what follows is told, not ordered.
            Mark::If | Mark::Ask => (self.tells, self.modal) = (false, false),
            _ => {}
        }
    }

    /// What kind of sentence a word makes it. Gives whether the word ends what may stand before the first.
    fn kind(&mut self, mark: Mark) -> bool {
        let first = self.first;
        match mark {
            Mark::Ask => self.seen.asks |= first,
            Mark::AskEnd => self.seen.asks = true,
            Mark::Report => self.seen.reports |= first,
            Mark::Subject => self.seen.subject |= first,
            Mark::Past => self.seen.past = true,
            Mark::Do => self.seen.task |= first,
            Mark::DoEnd => self.seen.task = true,
            Mark::Sequence => self.seen.steps |= first,
            Mark::Opening => {
                self.seen.ordered = self.seen.ordered.saturating_add(1);
                return !self.head;
            }
            Mark::Step => {
                self.seen.steps |= first;
                self.seen.ordered = self.seen.ordered.saturating_add(1);
                return !self.head;
            }
            Mark::Polite => {
                self.seen.task |= first;
                self.seen.polite |= first;
                return false;
            }
            Mark::Ack => {
                self.seen.answers |= first;
                return !first;
            }
            Mark::Lead => return false,
            Mark::Ne => {
                (self.first, self.head) = (false, false);
                return false;
            }
            _ => {}
        }
        true
    }
}

/// Whether a clause that begins with such a word is more of the task, or of the story around it.
fn goes_on_with_task(mark: Mark) -> bool {
    matches!(
        mark,
        Mark::Do
            | Mark::Polite
            | Mark::Lead
            | Mark::Ack
            | Mark::Step
            | Mark::Opening
            | Mark::Sequence
            | Mark::Ask
            | Mark::AskEnd
            | Mark::If
            | Mark::Past
            | Mark::Report
            | Mark::Subject
    )
}

/// A verb that far behind its denial still belongs to it: "no me lo toques", "ne me le change plus".
const NEAR: usize = 4;
