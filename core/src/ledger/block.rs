//! The ledger block: the pins as a reader and a model see them, in one exact form, read back only in that form.
//!
//! It stands after the note, in the same text, and is sealed together with it. What is pinned is quoted so that no text can
//! close the block, begin another pin or look like a marker: each line stands behind `> `, and text with control or
//! direction characters stands behind `= ` as a JSON string.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::pin::{Class, Origin, Pin, Said, Seat, State, Topic};
use crate::estimator::estimate;
use crate::json::{Node, quote};
use crate::note::hash;

/// What a ledger block says.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Block {
    /// The pins, in their order.
    pub rows: Vec<Row>,
    /// Retired pins whose words are still among what is kept: without this they would be found anew.
    pub gone: Vec<Gone>,
}

/// A pin as the block shows it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Row {
    /// Its class.
    pub class: Class,
    /// What it is about, if it is a tool state.
    pub topic: Option<Topic>,
    /// Its words.
    pub text: String,
    /// The first and the last turn in which they were said.
    pub turns: (u32, u32),
    /// How often they were said.
    pub times: u32,
    /// Whether they stand in system text, which no fold takes away.
    pub system: bool,
    /// Whether somebody decided that it binds; `false` for a candidate whose classification was not answered in time.
    pub confirmed: bool,
}

/// A pin that holds no longer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Gone {
    /// The pin's id.
    pub id: String,
    /// The last turn up to which it is no longer said.
    pub turn: u32,
}

pub(crate) const OPENING: &str = "[Pinfold ledger, version 1]";
pub(crate) const CLOSING: &str = "[End of the Pinfold ledger]";
const PREFACE: &str = "Standing conditions from earlier in this conversation, quoted word for word. They hold now, \
                       whatever the note above says or does not say.";
const UNSEALED: &str = "0000000000000000";

impl Block {
    /// Whether there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.gone.is_empty()
    }

    /// The block as text, sealed together with the note whose text is `note`.
    pub fn render(&self, note: &str) -> String {
        let seal = hash(&[note, &self.written(UNSEALED)]);
        self.written(&seal)
    }

    fn written(&self, seal: &str) -> String {
        let mut text = format!("{OPENING}\n{PREFACE}\n");
        for row in &self.rows {
            text.push('\n');
            row.write(&mut text);
        }
        if !self.gone.is_empty() {
            text.push('\n');
        }
        for gone in &self.gone {
            gone.write(&mut text);
        }
        let _ = write!(text, "\nPins: {}, seal {seal}.\n{CLOSING}", self.rows.len());
        text
    }

    /// Reads a block back; `None` unless `text` is one to the last byte, and belongs to the note `note`.
    pub fn parse(text: &str, note: &str) -> Option<Self> {
        let body = text.strip_prefix(OPENING)?.strip_suffix(CLOSING)?;
        let mut block = Self::default();
        let mut heading: Option<Heading> = None;
        let mut words: Option<String> = None;
        for line in body.split('\n') {
            if let Some(quoted) = line.strip_prefix("> ") {
                match &mut words {
                    Some(words) => {
                        words.push('\n');
                        words.push_str(quoted);
                    }
                    None => words = Some(quoted.to_string()),
                }
                continue;
            }
            if let Some(json) = line.strip_prefix("= ") {
                words = Some(Node::parse(json).ok()?.string()?.into_owned());
                continue;
            }
            if let (Some(heading), Some(words)) = (heading.take(), words.take()) {
                block.rows.push(heading.row(words));
            }
            if let Some(gone) = Gone::parse(line) {
                block.gone.push(gone);
            }
            heading = Heading::parse(line);
        }
        // The form is exact: what does not render to the same bytes is not a block.
        (block.render(note) == text).then_some(block)
    }

    /// What a block costs beside its rows, in tokens.
    pub fn frame_tokens() -> u64 {
        let block = Self::default().written("a0a0a0a0a0a0a0a0");
        u64::from(estimate(&block)) + 8
    }
}

impl Row {
    /// The row that shows a pin.
    pub fn of(pin: &Pin) -> Self {
        Self {
            class: pin.class,
            topic: pin.topic,
            text: pin.text.clone(),
            turns: pin.turns(),
            times: pin.times,
            system: pin.is_system(),
            confirmed: pin.origin != Origin::Unanswered,
        }
    }

    fn write(&self, text: &mut String) {
        let (first, last) = self.turns;
        text.push_str(self.class.name());
        if let Some(topic) = self.topic {
            let _ = write!(text, ", {}", topic.name());
        }
        let _ = match self.times {
            _ if self.system => write!(text, " (system text"),
            0 | 1 => write!(text, " (turn {last}"),
            times => write!(text, " (turns {first} to {last}, said {times} times"),
        };
        text.push_str(if self.confirmed { "):\n" } else { ", not classified yet):\n" });
        if is_plain(&self.text) {
            for line in self.text.split('\n') {
                text.push_str("> ");
                text.push_str(line);
                text.push('\n');
            }
        } else {
            text.push_str("= ");
            text.push_str(&escaped(&self.text));
            text.push('\n');
        }
    }

    /// The pin that the row tells of.
    pub(crate) fn pin(&self, id: String) -> Pin {
        let (first, last) = self.turns;
        let said = |turn| Said {
            turn,
            seat: Seat::Folded,
            part: 0,
            bytes: 0..0,
            utf16: 0..0,
            heard: None,
        };
        let mut turns = Vec::from([said(first)]);
        if self.times > 1 {
            turns.push(said(last));
        }
        Pin {
            id,
            class: self.class,
            topic: self.topic,
            text: self.text.clone(),
            said: turns,
            times: self.times,
            origin: if self.confirmed { Origin::Ledger } else { Origin::Unanswered },
            state: State::Live,
            evidence: None,
        }
    }

    /// What the row costs, in tokens.
    pub fn tokens(&self) -> u64 {
        let mut text = String::from("\n");
        self.write(&mut text);
        u64::from(estimate(&text)) + 1
    }
}

impl Gone {
    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "{GONE}{} (up to turn {})", self.id, self.turn);
    }

    fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix(GONE)?.strip_suffix(')')?;
        let (id, turn) = rest.split_once(" (up to turn ")?;
        Some(Self { id: id.into(), turn: turn.parse().ok()? })
    }

    /// What the line costs, in tokens.
    pub fn tokens(&self) -> u64 {
        let mut text = String::from("\n");
        self.write(&mut text);
        u64::from(estimate(&text)) + 1
    }
}

const GONE: &str = "No longer in force: ";

/// The line above a pin's words.
struct Heading {
    class: Class,
    topic: Option<Topic>,
    turns: (u32, u32),
    times: u32,
    system: bool,
    confirmed: bool,
}

impl Heading {
    fn parse(line: &str) -> Option<Self> {
        let (name, rest) = line.strip_suffix("):")?.split_once(" (")?;
        let (class, topic) = match name.split_once(", ") {
            Some((class, topic)) => (class, Some(Topic::of_name(topic)?)),
            None => (name, None),
        };
        let class = Class::ALL.into_iter().find(|known| known.name() == class)?;
        let (rest, confirmed) = match rest.strip_suffix(", not classified yet") {
            Some(rest) => (rest, false),
            None => (rest, true),
        };
        let system = rest == "system text";
        let (turns, times) = if system {
            ((0, 0), 1)
        } else if let Some(turn) = rest.strip_prefix("turn ") {
            let turn = turn.parse().ok()?;
            ((turn, turn), 1)
        } else {
            let (turns, times) = rest.strip_prefix("turns ")?.split_once(", said ")?;
            let (first, last) = turns.split_once(" to ")?;
            let times = times.strip_suffix(" times")?;
            ((first.parse().ok()?, last.parse().ok()?), times.parse().ok()?)
        };
        Some(Self { class, topic, turns, times, system, confirmed })
    }

    fn row(self, text: String) -> Row {
        let Self { class, topic, turns, times, system, confirmed } = self;
        Row { class, topic, text, turns, times, system, confirmed }
    }
}

/// Whether each line of a text can stand as it is: nothing in it ends a line but `\n`, and nothing turns its direction.
fn is_plain(text: &str) -> bool {
    !text.chars().any(needs_escape)
}

fn needs_escape(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// The text as a JSON string in which every character that a reader cannot see is written out.
fn escaped(text: &str) -> String {
    let mut json = String::new();
    for c in quote(text).chars() {
        if needs_escape(c) {
            let _ = write!(json, "\\u{:04x}", u32::from(c));
        } else {
            json.push(c);
        }
    }
    json
}
