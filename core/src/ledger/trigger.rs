//! The trigger: which sentences of a prompt may bind the future.
//!
//! It flags too much rather than too little, because what it does not flag is never asked about. So it goes two ways: a
//! sentence is flagged for words that bind, and it is flagged as a plain statement unless something says that it is a
//! question, a report, an answer or a task for now.

use alloc::vec::Vec;
use core::ops::Range;

use once_cell::race::OnceBox;

use super::lexicon::Lexicon;
use super::reading::Reading;
use super::sentences::{self, Kind, Sentence};

/// Finds the sentences that may bind. Built once; a scan is one linear pass.
#[derive(Clone, Debug)]
pub struct Trigger {
    lexicon: Lexicon,
}

/// A sentence that may bind.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Flagged {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// What made it one.
    pub signs: Signs,
}

impl Trigger {
    /// The trigger with its words in eight languages.
    pub fn new() -> Self {
        Self { lexicon: Lexicon::new() }
    }

    /// The one that every ledger uses, built when it is first asked for.
    pub(super) fn shared() -> &'static Self {
        static SHARED: OnceBox<Trigger> = OnceBox::new();
        SHARED.get_or_init(|| Self::new().into())
    }

    /// Every sentence of `text` that may bind, in its order. They do not overlap.
    ///
    /// Code and tool output (fences that name a language, the tags of harnesses) are not looked at.
    pub fn scan(&self, text: &str) -> Vec<Flagged> {
        let mut scan = Scan {
            found: Vec::new(),
            waiting: Waiting { bytes: 0..0, signs: None, kind: Kind::First, asks: false },
        };
        let mut foreign = 0;
        sentences::split(text, |sentence| {
            let bytes = sentence.bytes.clone();
            let mut reading = Reading::of(&self.lexicon, &text[bytes.clone()]);
            // The whole line is a comment, or of a log.
            reading.foreign |= foreign > 0 && !text[foreign..bytes.start].contains('\n');
            foreign = if reading.foreign { bytes.end } else { 0 };
            scan.take(sentence, reading);
        });
        scan.found.extend(scan.waiting.flagged());
        scan.found
    }
}

/// Puts together what is said in several sentences.
struct Scan {
    found: Vec<Flagged>,
    /// What goes on with it may stand in the sentences after it, so that one waits.
    waiting: Waiting,
}

impl Scan {
    fn take(&mut self, sentence: Sentence, reading: Reading) {
        let Sentence { bytes, kind, quoted } = sentence;
        let Self { found, waiting } = self;
        let mut signs = reading.judge();
        if quoted {
            let is_prose = reading.odd * 3 <= reading.words;
            signs = signs.filter(|_| is_prose).map(|it| it.with(Sign::Quoted));
        }
        if kind == Kind::Steps {
            signs = Some(signs.unwrap_or_default().with(Sign::Ordering));
        }
        let is_next_bullet = kind == Kind::Bullet && waiting.kind == Kind::Bullet;
        if is_next_bullet && signs.is_none() && reading.may_be_rule() {
            // One more of a list of rules.
            signs = waiting.signs.map(|before| before.only(Sign::Quoted).with(Sign::Statement));
        }
        let follows = kind == Kind::Next || is_next_bullet;
        let both = waiting.bytes.start..bytes.end;
        let before = waiting.signs.unwrap_or_default();
        // A prohibition is a rule of its own, and no step of what follows it.
        let is_rule = before.has(Sign::Prohibition) && !before.has(Sign::Ordering);
        if follows && reading.steps && !is_rule {
            // Steps are one rule.
            let signs = before.and(signs.unwrap_or_default()).with(Sign::Ordering);
            (waiting.bytes, waiting.signs) = (both, Some(signs));
        } else if follows && waiting.asks && signs.is_some() {
            *waiting = Waiting { bytes: both, signs, kind, asks: false };
        } else {
            let asks = signs.is_none() && reading.may_be_condition();
            let next = Waiting { bytes, signs, kind, asks };
            found.extend(core::mem::replace(waiting, next).flagged());
        }
    }
}

/// The newest sentence, and whether it is flagged so far.
struct Waiting {
    bytes: Range<usize>,
    signs: Option<Signs>,
    kind: Kind,
    /// It may be a condition, put as a question, for the sentence after it.
    asks: bool,
}

impl Waiting {
    fn flagged(self) -> Option<Flagged> {
        self.signs.map(|signs| Flagged { bytes: self.bytes, signs })
    }
}

impl Default for Trigger {
    fn default() -> Self {
        Self::new()
    }
}

/// What in a sentence says that it may bind.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Sign {
    /// An unmistakable prohibition: never, do not, must not.
    Prohibition,
    /// A softer one: avoid, rather not, hands off, no new dependencies.
    Avoidance,
    /// A standing imperative or obligation: make sure, keep, use, must.
    Imperative,
    /// From now on, always, whenever, every time.
    Standing,
    /// First, then, before, after.
    Ordering,
    /// A condition inside a request: without changing, except, only if.
    Exception,
    /// Ask before, wait for my OK.
    Approval,
    /// The opposite of a prohibition: you may now, no need to ask, go ahead.
    Permission,
    /// Left for later: remind me, we still have to decide.
    Later,
    /// At most, no more than, only.
    Limit,
    /// A plain statement of how things are, which may hold on: the base URL is v2, single quotes.
    Statement,
    /// A path or file name.
    Path,
    /// A pattern of paths.
    Glob,
    /// The name of a branch.
    Branch,
    /// An address.
    Url,
    /// A version.
    Version,
    /// An amount of money.
    Amount,
    /// It stands in a quotation or in a code fence without a language, so that somebody else may have said it.
    Quoted,
}

impl Sign {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Prohibition,
        Self::Avoidance,
        Self::Imperative,
        Self::Standing,
        Self::Ordering,
        Self::Exception,
        Self::Approval,
        Self::Permission,
        Self::Later,
        Self::Limit,
        Self::Statement,
        Self::Path,
        Self::Glob,
        Self::Branch,
        Self::Url,
        Self::Version,
        Self::Amount,
        Self::Quoted,
    ];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prohibition => "prohibition",
            Self::Avoidance => "avoidance",
            Self::Imperative => "imperative",
            Self::Standing => "standing",
            Self::Ordering => "ordering",
            Self::Exception => "exception",
            Self::Approval => "approval",
            Self::Permission => "permission",
            Self::Later => "later",
            Self::Limit => "limit",
            Self::Statement => "statement",
            Self::Path => "path",
            Self::Glob => "glob",
            Self::Branch => "branch",
            Self::Url => "url",
            Self::Version => "version",
            Self::Amount => "amount",
            Self::Quoted => "quoted",
        }
    }
}

/// A set of signs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Signs(u32);

impl Signs {
    /// Whether `sign` is among them.
    pub fn has(self, sign: Sign) -> bool {
        self.0 & 1 << sign as u32 != 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The signs, in the order of [`Sign::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Sign> {
        Sign::ALL.into_iter().filter(move |&sign| self.has(sign))
    }

    /// The set as a number.
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// The set of that number.
    pub(super) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(super) fn with(self, sign: Sign) -> Self {
        Self(self.0 | 1 << sign as u32)
    }

    /// The set with nothing but `sign`, if it has that.
    fn only(self, sign: Sign) -> Self {
        Self(self.0 & 1 << sign as u32)
    }

    pub(super) fn without(self, sign: Sign) -> Self {
        Self(self.0 & !(1 << sign as u32))
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
