//! A pin: words that hold from where they were said until they are retired, with the evidence for it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::note::hash;

/// A standing condition, word for word.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Pin {
    /// 16 hexadecimal digits that follow from the class of words and the text alone: the same sentence is the same pin.
    pub id: String,
    /// What kind of condition it is.
    pub class: Class,
    /// What a tool state is about; `None` for any other class.
    pub topic: Option<Topic>,
    /// The words, exactly as they stand in their entry.
    pub text: String,
    /// Where they stand in the transcript at hand, oldest first; empty once every entry that says them is folded.
    pub places: Vec<Span>,
    /// The turns in which they were said, oldest first. A turn is the number of a prompt, counted from 1 over the whole
    /// session, folds included; what stands before the first prompt, and system text, is of turn 0.
    pub turns: Vec<u32>,
    /// Who made it a pin.
    pub origin: Origin,
    /// Whether it holds.
    pub state: State,
    /// Why it holds no longer.
    pub evidence: Option<Evidence>,
}

impl Pin {
    /// The id of a pin with this topic and text.
    pub fn id_of(topic: Option<Topic>, text: &str) -> String {
        hash(&["pin", topic.map_or("", Topic::name), text])
    }
}

/// What kind of standing condition a pin is.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Class {
    /// What the agent must or must not do.
    Constraint,
    /// What the agent has to do yet.
    Commitment,
    /// What is still to be answered.
    OpenQuestion,
    /// What lives outside the messages and the next call depends on: a directory, a branch, a handle.
    ToolState,
}

impl Class {
    /// All of them, in the order of the ledger.
    pub const ALL: [Self; 4] =
        [Self::Constraint, Self::Commitment, Self::OpenQuestion, Self::ToolState];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constraint => "constraint",
            Self::Commitment => "commitment",
            Self::OpenQuestion => "open-question",
            Self::ToolState => "tool-state",
        }
    }

    /// The class of that name; a model may write the underscore of its schema's habits.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| {
            class.name() == name || name == "open_question" && *class == Self::OpenQuestion
        })
    }
}

/// What a tool state is about.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Topic {
    /// The working directory of the shell.
    Directory,
    /// The branch that is checked out.
    Branch,
    /// A worktree that was added and not removed.
    Worktree,
    /// The id of an uploaded file.
    File,
    /// Where a paginated listing goes on.
    Cursor,
    /// A background process that was started and has not ended.
    Process,
    /// A sub-agent that was started and has not reported.
    Agent,
    /// A step of the agent's own plan that is not done.
    Plan,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Directory,
        Self::Branch,
        Self::Worktree,
        Self::File,
        Self::Cursor,
        Self::Process,
        Self::Agent,
        Self::Plan,
    ];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::Branch => "branch",
            Self::Worktree => "worktree",
            Self::File => "file",
            Self::Cursor => "cursor",
            Self::Process => "process",
            Self::Agent => "agent",
            Self::Plan => "plan",
        }
    }

    /// The topic of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name() == name)
    }
}

/// Who made something a pin.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Origin {
    /// A candidate that a person or program accepted.
    Accepted,
    /// The host's model, which classified the turn.
    Classifier,
    /// The ledger block of an earlier fold.
    Ledger,
    /// The policy that accepts unmistakable prohibitions.
    Policy,
    /// A person or program that chose the words itself.
    Selected,
    /// Calls and results.
    Tools,
    /// Nobody yet: the turn was folded before its classification was answered, so its candidates are kept.
    Unanswered,
}

impl Origin {
    const ALL: [Self; 7] = [
        Self::Accepted,
        Self::Classifier,
        Self::Ledger,
        Self::Policy,
        Self::Selected,
        Self::Tools,
        Self::Unanswered,
    ];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Classifier => "classifier",
            Self::Ledger => "ledger",
            Self::Policy => "policy",
            Self::Selected => "selected",
            Self::Tools => "tools",
            Self::Unanswered => "unanswered",
        }
    }

    /// The origin of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.name() == name)
    }
}

/// Whether a pin holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum State {
    /// It holds.
    Live,
    /// It holds no longer.
    Retired,
}

impl State {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Retired => "retired",
        }
    }
}

/// Why a pin holds no longer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Evidence {
    /// What happened to it.
    pub end: End,
    /// The words that show it: of a later prompt, of a call or result, or the reason that a person gave.
    pub quote: String,
    /// The turn in which those words stand.
    pub turn: u32,
}

/// How a pin ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum End {
    /// An open question was answered.
    Answered,
    /// A process, an agent, a listing, a plan's step came to its end.
    Completed,
    /// A commitment was fulfilled.
    Fulfilled,
    /// A later prompt revoked a constraint, a commitment or a question.
    Revoked,
    /// A newer state took the place of a tool state.
    Superseded,
}

impl End {
    const ALL: [Self; 5] =
        [Self::Answered, Self::Completed, Self::Fulfilled, Self::Revoked, Self::Superseded];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Completed => "completed",
            Self::Fulfilled => "fulfilled",
            Self::Revoked => "revoked",
            Self::Superseded => "superseded",
        }
    }

    /// The end of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.name() == name)
    }
}

/// Where words stand in a transcript.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Span {
    /// The entry; `None` where they stand in the fixed part of the request (`system`, `instructions`).
    pub entry: Option<usize>,
    /// The part, counted within its entry, or the fixed part's number.
    pub part: usize,
    /// The bytes of the part's readable text.
    pub bytes: Range<usize>,
    /// The same range in UTF-16 units.
    pub utf16: Range<usize>,
}
