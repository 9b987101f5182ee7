//! A talk in the making, as logs need it: a result goes to the call that it answers, whenever it comes, and a compaction
//! begins a new stretch, since the model no longer sees what stands before it.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::log::{self, Log};
use super::talk::located;
use super::turn::{Media, Piece, Turn};
use crate::json::{Node, Object};
use crate::transcript::{Format, Role};

/// The stretches of a talk. What a compaction carries over stands in the next stretch again.
pub(super) struct Stretches<T> {
    done: Vec<Vec<T>>,
    /// What the model sees now.
    pub(super) open: Vec<T>,
    /// How much may still be carried over.
    room: usize,
}

impl<T> Stretches<T> {
    /// Of a log of that many records. No real log carries over more than a few times its length; one that does would cost
    /// time and space beyond its size.
    pub(super) fn new(records: usize) -> Self {
        Self { done: Vec::new(), open: Vec::new(), room: records.saturating_mul(4) + 64 }
    }

    /// Ends the stretch; the next one begins with `kept`. Says whether all of it was carried over.
    pub(super) fn compact(&mut self, kept: impl IntoIterator<Item = T>) -> bool {
        let mut kept = kept.into_iter();
        let next: Vec<T> = kept.by_ref().take(self.room).collect();
        self.room -= next.len();
        self.done.push(core::mem::replace(&mut self.open, next));
        kept.next().is_none()
    }

    /// A log of each stretch; the last is the current one.
    pub(super) fn logs(self, mut build: impl FnMut(String, Vec<T>) -> Log) -> Vec<Log> {
        let last = self.done.len();
        let stretches = self.done.into_iter().chain([self.open]);
        let build = |(index, stretch)| Log {
            current: index == last,
            ..build(log::stretch(index, last), stretch)
        };
        stretches.enumerate().map(build).collect()
    }
}

/// A turn, and the results of its calls.
#[derive(Clone)]
pub(super) struct Step<'a> {
    pub(super) turn: Turn<'a>,
    pub(super) answers: Turn<'a>,
}

impl<'a> Step<'a> {
    pub(super) fn of(turn: Turn<'a>) -> Self {
        Self { answers: Turn::new(Role::User, turn.line), turn }
    }
}

/// A talk of steps, before which the system prompt stands.
pub(super) struct Steps<'a> {
    pub(super) stretches: Stretches<Step<'a>>,
    /// The step of each call, by its id.
    homes: BTreeMap<String, usize>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(records: usize) -> Self {
        let mut stretches = Stretches::new(records);
        stretches.open.push(Step::of(Turn::new(Role::System, 0)));
        Self { stretches, homes: BTreeMap::new() }
    }

    /// Sets the system prompt. Says whether there was another one.
    pub(super) fn system(&mut self, line: u32, text: Cow<'a, str>) -> bool {
        let Some(first) = self.stretches.open.first_mut() else { return false };
        let again = !first.turn.pieces.is_empty();
        first.turn = Turn::new(Role::System, line);
        first.turn.pieces.push(Piece::Text(text));
        again
    }

    /// Adds a turn; says which one it is.
    pub(super) fn push(&mut self, turn: Turn<'a>) -> usize {
        let at = self.stretches.open.len();
        for piece in &turn.pieces {
            self.note_call(at, piece);
        }
        self.stretches.open.push(Step::of(turn));
        at
    }

    /// Adds a piece to turn `at`.
    pub(super) fn add(&mut self, at: usize, piece: Piece<'a>) {
        self.note_call(at, &piece);
        if let Some(step) = self.stretches.open.get_mut(at) {
            step.turn.pieces.push(piece);
        }
    }

    fn note_call(&mut self, at: usize, piece: &Piece<'a>) {
        if let Piece::Call { id, .. } = piece {
            self.homes.insert(id.clone().into_owned(), at);
        }
    }

    /// Adds a result to those of its call; one without a call stands where it came.
    pub(super) fn result(&mut self, line: u32, result: Piece<'a>, media: Vec<Piece<'a>>) {
        let Piece::Result { id, .. } = &result else { return };
        let newest = self.stretches.open.len().saturating_sub(1);
        let home = self.homes.get(&**id).copied().unwrap_or(newest);
        let Some(step) = self.stretches.open.get_mut(home) else { return };
        if step.answers.pieces.is_empty() {
            step.answers.line = line;
        }
        step.answers.pieces.push(result);
        step.answers.pieces.extend(media);
    }

    /// Begins a new stretch with the system prompt and `kept`.
    pub(super) fn compact(&mut self, kept: impl IntoIterator<Item = Step<'a>>) -> bool {
        let system = self.stretches.open.first().cloned();
        self.homes.clear();
        self.stretches.compact(system.into_iter().chain(kept))
    }

    /// A log of each stretch, written in `wire`.
    pub(super) fn logs(self, wire: Format) -> Vec<Log> {
        self.stretches.logs(|label, steps| {
            let turns = steps.into_iter().flat_map(|step| [step.turn, step.answers]);
            let turns: Vec<Turn<'_>> = turns.filter(|turn| !turn.pieces.is_empty()).collect();
            Log::of_turns(label, wire, &turns)
        })
    }
}

/// The turns with neighbouring results in one, as a log holds that writes a line for each.
pub(super) fn joined<'a>(turns: impl IntoIterator<Item = Turn<'a>>) -> Vec<Turn<'a>> {
    let mut joined: Vec<Turn<'a>> = Vec::new();
    for turn in turns {
        let answers = |turn: &Turn<'_>| matches!(turn.pieces.first(), Some(Piece::Result { .. }));
        match joined.last_mut() {
            Some(before) if answers(before) && answers(&turn) => before.pieces.extend(turn.pieces),
            _ => joined.push(turn),
        }
    }
    joined
}

/// The format in which the API or the provider of that name is spoken to.
pub(super) fn wire_of(name: &str) -> Format {
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["anthropic"]) {
        Format::Anthropic
    } else if has(&["bedrock"]) {
        Format::Bedrock
    } else if has(&["google", "gemini"]) {
        Format::Gemini
    } else if has(&["responses"]) || name == "openai" {
        Format::OpenAiResponses
    } else {
        Format::OpenAiChat
    }
}

/// The medium at `url`, which may hold its bytes.
pub(super) fn media<'a>(url: Cow<'a, str>, mime: Cow<'a, str>) -> Piece<'a> {
    Piece::Media(located(mime, url))
}

/// The image of those bytes.
pub(super) fn image<'a>(data: Cow<'a, str>, mime: Cow<'a, str>) -> Piece<'a> {
    Piece::Media(Media { mime, data, address: false })
}

/// The arguments of a call as JSON: some write them as a string that holds it.
pub(super) fn arguments(members: &Object<'_>, key: &str) -> String {
    let Some(given) = members.field(key).filter(|node| !node.is_null()) else { return "{}".into() };
    match given.string() {
        Some(text) if text.trim().is_empty() => "{}".into(),
        Some(text) if Node::parse(&text).is_ok() => text.into_owned(),
        _ => given.raw().into(),
    }
}

/// What `content` says in words: a string, or the texts of a list of blocks.
pub(super) fn words(content: Option<Node<'_>>) -> Cow<'_, str> {
    content.map_or(Cow::Borrowed(""), |node| crate::transcript::readable(node.raw()))
}
