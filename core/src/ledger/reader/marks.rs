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
        if denies(mark) {
            self.denies_or_forbids(mark);
        }
        if self.kind(mark) {
            self.word_passed();
        }
        match mark {
            Mark::Branch => self.branch = self.passed + NEAR,
            Mark::Bound => self.bound = self.passed + NEAR,
            Mark::Be | Mark::MayBe | Mark::ForbidBe => self.be = self.passed,
            _ => {}
        }
    }

    /// What a word that binds says.
    fn sign(&mut self, mark: Mark) {
        match mark {
            Mark::Prohibit | Mark::EndProhibit => self.forbid(),
            Mark::AndProhibit => {
                self.told.clause = false;
                self.forbid();
            }
            Mark::Beg => {
                self.forbid();
                self.seen.begs = true;
            }
            Mark::ForbidBe | Mark::ForbidHave if self.forbids_behind(mark) => self.forbid(),
            Mark::Nay | Mark::Naught | Mark::Never => self.nay |= self.first,
            Mark::Allow => (self.modal, self.allows) = (true, true),
            Mark::Avoid | Mark::ForbidBe | Mark::ForbidHave => self.strong(Sign::Avoidance),
            Mark::HeadAvoid if self.head => self.strong(Sign::Avoidance),
            // What begins a polite request is a task, however it would read alone.
            Mark::HeadMust if self.head && self.seen.task => self.weak(Sign::Imperative),
            Mark::HeadMust if self.head => self.strong(Sign::Imperative),
            Mark::Must | Mark::MustDo | Mark::Modal => self.strong(Sign::Imperative),
            Mark::Standing => self.strong(Sign::Standing),
            Mark::If => self.weak(Sign::Standing),
            Mark::Order | Mark::Sequence => self.strong(Sign::Ordering),
            Mark::Step | Mark::Opening => self.weak(Sign::Ordering),
            Mark::Except | Mark::ExceptNe => self.strong(Sign::Exception),
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
        // "Corrige le test qui ne passe pas": a denial inside a task denies no more than what it stands with.
        let told = (self.tells || self.modal) && (!denied || begun);
        let forbids = match mark {
            Mark::HeadProhibit => self.head,
            Mark::FirstProhibit => self.first || self.item || begun,
            Mark::Never => self.first || self.item || begun || told,
            Mark::Naught | Mark::Nay => told,
            Mark::Deny => told || begun,
            Mark::MayBe => begun && self.goes_on_in_participle(),
            Mark::Forbid => denied && self.denied_near,
            Mark::HeadForbid => begun,
            _ => false,
        };
        match mark {
            _ if forbids => self.forbids(mark),
            Mark::Naught => self.strong(Sign::Avoidance),
            Mark::FirstProhibit | Mark::Never if self.head => self.strong(Sign::Avoidance),
            Mark::HeadForbid if denied && self.denied_near => self.strong(Sign::Avoidance),
            Mark::Not
            | Mark::Deny
            | Mark::Nay
            | Mark::HeadProhibit
            | Mark::FirstProhibit
            | Mark::Never => {
                self.weak(Sign::Avoidance);
            }
            Mark::Ne | Mark::NeMay | Mark::ExceptNe => {
                if mark == Mark::NeMay {
                    self.strong(Sign::Avoidance);
                } else if self.head {
                    self.weak(Sign::Avoidance);
                }
                self.denies = self.passed + NEAR;
                (self.denied_head, self.denied_near) = (self.head && mark != Mark::ExceptNe, true);
            }
            Mark::Modal => self.modal = true,
            Mark::Do | Mark::MustDo => self.tells |= self.head,
            // "Prüf, ob das nicht geht": what follows is told, not ordered.
            Mark::If | Mark::Ask => (self.tells, self.modal) = (false, false),
            Mark::Why => (self.tells, self.modal, self.told.clause) = (false, false, true),
            // "Add a test that users must not log in twice".
            Mark::That => self.told.clause |= self.tells,
            _ => {}
        }
    }

    /// Whether what follows makes a prohibition of "must not be" or of "should never have".
    fn forbids_behind(&self, mark: Mark) -> bool {
        let participle = self.goes_on_in_participle();
        if mark == Mark::ForbidBe { participle } else { !participle && !self.goes_on_in_past() }
    }

    /// What a denial does that forbids where it stands.
    #[cold]
    fn forbids(&mut self, mark: Mark) {
        if matches!(mark, Mark::FirstProhibit | Mark::Never) && self.goes_on_in_past() {
            self.strong(Sign::Avoidance);
            return;
        }
        // A clause or an item of its own that begins so is no part of the story before it.
        self.seen.turns |= self.before > 0 && self.head;
        self.seen.begs |= self.before > 0 && self.item;
        self.forbid();
    }

    /// What kind of sentence a word makes it. Gives whether the word ends what may stand before the first.
    fn kind(&mut self, mark: Mark) -> bool {
        let first = self.first;
        match mark {
            Mark::Ask | Mark::Why => self.seen.asks |= first,
            Mark::AskEnd => self.seen.asks = true,
            Mark::Report => self.seen.reports |= first,
            Mark::Subject | Mark::That => self.seen.subject |= first,
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
            Mark::Ne | Mark::NeMay | Mark::ExceptNe => {
                (self.first, self.head, self.item) = (false, false, false);
                return false;
            }
            _ => {}
        }
        true
    }
}

/// Whether a word denies or forbids by where it stands, or says whether another does.
fn denies(mark: Mark) -> bool {
    matches!(
        mark,
        Mark::HeadProhibit
            | Mark::FirstProhibit
            | Mark::Never
            | Mark::Naught
            | Mark::Nay
            | Mark::Deny
            | Mark::MayBe
            | Mark::Forbid
            | Mark::HeadForbid
            | Mark::Not
            | Mark::Ne
            | Mark::NeMay
            | Mark::ExceptNe
            | Mark::Modal
            | Mark::Do
            | Mark::MustDo
            | Mark::If
            | Mark::Ask
            | Mark::Why
            | Mark::That
    )
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
            | Mark::Why
            | Mark::AskEnd
            | Mark::If
            | Mark::Past
            | Mark::Report
            | Mark::Subject
            | Mark::That
    )
}

/// A verb that far behind its denial still belongs to it: "no me lo toques", "ne me le change plus".
const NEAR: usize = 4;
