//! The policy: what a caller wants of a fold, and what a search for a cut keeps to because of it.

use crate::thinking::Thinking;
use crate::transcript::Transcript;

/// What the caller wants. Tokens, unless it says share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// The most tokens that the request may have.
    pub budget: u64,
    /// Above this many tokens a fold is due, and at most so many it leaves; `budget` by default, and never more than that
    /// for what it leaves.
    pub trigger: Option<u64>,
    /// What a fold aims at; by default the trigger without the lookback, so that the whole way back fits.
    pub target: Option<u64>,
    /// How far the walk back from the target may go, as a share of the budget.
    pub lookback: f64,
    /// Whether a fold may go forward to the next legal cut, and free more than asked, when there is none
    /// on the way back.
    pub overshoot: bool,
    /// Whether a call in flight defers the fold, even where a cut before it is legal.
    pub quiet: bool,
    /// Whether the budget holds in any case: where no legal cut is in reach, or none would do, the largest results are trimmed in
    /// place, those that the model has not read yet last. Otherwise the fold waits.
    pub hard: bool,
    /// The fewest tokens that a fold is worth, for what a provider has cached is lost by it. One that frees less is made
    /// only where the budget demands it. None by default.
    pub min_gain: u64,
    /// How many of the newest rounds a fold leaves as they are, whatever that costs. None by default: the live tail is kept
    /// anyway.
    pub keep_recent: usize,
    /// What becomes of thinking in what is kept; by default what suits the model's family.
    pub thinking: Option<Thinking>,
    /// The share of the budget that the lines of the note may take at least, excerpts among them.
    pub note_share: f64,
    /// What else is kept of what is folded; by default lines that may be needed again.
    pub select: Select,
    /// The share of what a fold leaves that the newest rounds get as they were, where older ones have a claim as well. By
    /// default the more, the more of the transcript the budget holds.
    pub recent: Option<f64>,
}

/// What is kept of what is folded, beside the newest lines of its digest.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Select {
    /// Lines with strings that later calls may need.
    Liveness,
    /// Nothing: the newest rounds get all the room.
    Recency,
}

impl Select {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Liveness => "liveness",
            Self::Recency => "recency",
        }
    }
}

impl Policy {
    /// The default policy for a budget in tokens.
    pub fn new(budget: u64) -> Self {
        Self {
            budget,
            trigger: None,
            target: None,
            lookback: 0.15,
            overshoot: true,
            quiet: false,
            hard: true,
            min_gain: 0,
            keep_recent: 0,
            thinking: None,
            note_share: 0.1,
            select: Select::Liveness,
            recent: None,
        }
    }

    /// The default policy for a model's window, both in tokens: `reserved` are kept free for what the model will write.
    pub fn of_window(window: u64, reserved: u64) -> Self {
        Self::new(window.saturating_sub(reserved))
    }

    /// The most tokens that a fold should leave: what is above the trigger would be due again at once.
    pub(crate) fn ceiling(&self) -> u64 {
        self.trigger.unwrap_or(self.budget).min(self.budget)
    }

    /// What a fold aims at, in tokens.
    pub(crate) fn aim(&self) -> u64 {
        let ceiling = self.ceiling();
        let reach = self.share(self.lookback);
        self.target.unwrap_or(ceiling.saturating_sub(reach)).min(ceiling)
    }

    /// What becomes of thinking in what is kept of `transcript`.
    pub(crate) fn thinking_of(&self, transcript: &Transcript) -> Thinking {
        self.thinking.unwrap_or_else(|| Thinking::suits(transcript.request().family))
    }

    pub(crate) fn share(&self, share: f64) -> u64 {
        (self.budget as f64 * share.clamp(0.0, 1.0)) as u64
    }
}

/// What a search for a cut must keep to, in tokens.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// How far back from the target.
    pub(crate) reach: u64,
    /// The most that the result may have.
    pub(crate) limit: u64,
    /// What the lines of the note may take.
    pub(crate) lines: u64,
    /// The last boundary at which may be cut.
    pub(crate) last: usize,
}
