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
    /// Where they were said, oldest first; never empty. Of what was folded more than once only the first and the last time
    /// are known.
    pub said: Vec<Said>,
    /// How often they were said.
    pub times: u32,
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

    /// Whether nobody decided that it binds: the policy made it, or its turn was folded before it was classified.
    pub(crate) fn is_guess(&self) -> bool {
        matches!(self.origin, Origin::Policy | Origin::Unanswered)
    }

    /// Whether it holds.
    pub fn is_live(&self) -> bool {
        self.state == State::Live
    }

    /// The first and the last turn in which it was said.
    pub fn turns(&self) -> (u32, u32) {
        let turns = self.said.iter().map(|said| said.turn);
        (turns.clone().min().unwrap_or(0), turns.max().unwrap_or(0))
    }

    /// The words are said once more. What was retired holds again if they are said after its end, or somebody chose them.
    pub(crate) fn say_again(&mut self, said: Said, class: Class, origin: Origin) {
        let known = self.said.iter().any(|known| {
            (known.heard, known.part, &known.bytes) == (said.heard, said.part, &said.bytes)
        });
        let ended = self.evidence.as_ref().map(|evidence| evidence.turn.unwrap_or(self.turns().1));
        // Somebody's word for these very words outweighs that they were thought to bind nothing elsewhere.
        let dismissed = self.evidence.as_ref().is_some_and(|it| it.end == End::Dismissed);
        let chosen = matches!(origin, Origin::Accepted | Origin::Selected)
            || dismissed && origin == Origin::Classifier;
        let withdrawn = self.evidence.as_ref().is_some_and(|it| it.end == End::Withdrawn);
        let later = ended.is_some_and(|turn| said.turn > turn) || withdrawn;
        if !known {
            self.said.push(said);
            self.times = self.times.saturating_add(1);
        }
        if !self.is_live() && (chosen || !known && later) {
            self.state = State::Live;
            self.evidence = None;
        }
        // A decision outweighs a guess, and a person's decision a model's. That an unmistakable prohibition is something else
        // than a constraint, no model may say.
        let outweighs = match (self.origin, origin) {
            (_, Origin::Policy | Origin::Ledger)
            | (Origin::Accepted | Origin::Selected | Origin::Ledger, Origin::Classifier) => false,
            (Origin::Policy, Origin::Classifier) => class == self.class,
            _ => true,
        };
        if outweighs {
            self.class = class;
            self.origin = origin;
        }
    }

    /// Whether it stands in system text, which holds as long as it stands there.
    pub fn is_system(&self) -> bool {
        self.said.iter().any(|said| said.seat.is_system())
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
    /// The words that show it: of a later prompt, of a call or result, or the reason that a person or program gave.
    pub quote: String,
    /// The turn in which those words stand; `None` for a reason that stands in no turn.
    pub turn: Option<u32>,
}

/// How a pin ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum End {
    /// An open question was answered.
    Answered,
    /// A process, an agent, a listing, a plan's step came to its end.
    Completed,
    /// The turn was folded before it was classified, and the classification then found that this does not bind.
    Dismissed,
    /// A commitment was fulfilled.
    Fulfilled,
    /// A later prompt revoked a constraint, a commitment or a question.
    Revoked,
    /// A newer state took the place of a tool state.
    Superseded,
    /// The system text that said it stands in the request no longer: its author took it out.
    Withdrawn,
}

impl End {
    const ALL: [Self; 7] = [
        Self::Answered,
        Self::Completed,
        Self::Dismissed,
        Self::Fulfilled,
        Self::Revoked,
        Self::Superseded,
        Self::Withdrawn,
    ];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Completed => "completed",
            Self::Dismissed => "dismissed",
            Self::Fulfilled => "fulfilled",
            Self::Revoked => "revoked",
            Self::Superseded => "superseded",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// The end of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.name() == name)
    }
}

/// One time that words were said.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Said {
    /// The number of the prompt in which they stand, or after which they were told, counted from 1 over the whole session,
    /// folds included. System text is of turn 0.
    pub turn: u32,
    /// Where that is in the transcript at hand.
    pub seat: Seat,
    /// The part, counted within its entry.
    pub part: usize,
    /// The bytes of the part's readable text; empty where only the ledger of an earlier fold tells of it.
    pub bytes: Range<usize>,
    /// The same range in UTF-16 units.
    pub utf16: Range<usize>,
    /// The turn among those that the ledger has heard.
    pub(crate) heard: Option<u32>,
}

/// Where a text stands in the transcript at hand.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Seat {
    /// No longer anywhere: its entry was folded.
    Folded,
    /// In a fixed part of the request (`system`, `instructions`), counted among them.
    Fixed(usize),
    /// In an entry that no fold takes away.
    System(usize),
    /// In an entry.
    Entry(usize),
}

impl Seat {
    /// The entry, if it is in one.
    pub fn entry(self) -> Option<usize> {
        match self {
            Self::Entry(entry) | Self::System(entry) => Some(entry),
            Self::Fixed(_) | Self::Folded => None,
        }
    }

    /// Whether it stands where no fold reaches.
    pub fn is_system(self) -> bool {
        matches!(self, Self::Fixed(_) | Self::System(_))
    }
}
