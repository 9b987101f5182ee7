//! A call with its result, as the recognisers look at it.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::cell::OnceCell;

use crate::json::{Node, Object};
use crate::pairing::{Call, Place};
use crate::transcript::{Part, PartKind, Transcript};

/// How much of a large result is looked at, at either end. What a tool says about itself stands there.
const ENDS: usize = 2048;

/// The largest result that is read as JSON, in bytes.
const JSON: usize = 1 << 20;

/// A call that was answered.
pub(super) struct Pair<'t> {
    transcript: &'t Transcript,
    /// The tool's name without what an API or a server puts before it.
    pub(super) name: Cow<'t, str>,
    /// The tool's whole name.
    pub(super) full_name: Cow<'t, str>,
    pub(super) call: Place,
    pub(super) result: Place,
    /// Whether the result is marked as an error.
    pub(super) error: bool,
    arguments: OnceCell<Cow<'t, str>>,
    text: OnceCell<Cow<'t, str>>,
}

impl<'t> Pair<'t> {
    pub(super) fn of(transcript: &'t Transcript, call: &Call) -> Option<Self> {
        let result = call.answer?;
        let PartKind::Result { error, .. } = part(transcript, result)?.kind else { return None };
        let full_name = transcript.call_name(part(transcript, call.place)?);
        let bare = full_name.rsplit("__").next().and_then(|name| name.rsplit('.').next());
        let bare = bare.unwrap_or_default();
        // `container.exec` is a name of its own.
        let name = if bare.is_empty() || &*full_name == "container.exec" {
            full_name.clone()
        } else {
            Cow::Owned(bare.into())
        };
        Some(Self {
            transcript,
            name,
            full_name,
            call: call.place,
            result,
            error,
            arguments: OnceCell::new(),
            text: OnceCell::new(),
        })
    }

    /// The arguments as JSON; OpenAI writes them as JSON inside a string.
    pub(super) fn arguments(&self) -> &str {
        self.arguments.get_or_init(|| {
            let raw = part(self.transcript, self.call).map(|part| self.transcript.slice(part.body));
            let raw = raw.unwrap_or_default();
            Node::parse(raw).ok().and_then(Node::string).unwrap_or(Cow::Borrowed(raw))
        })
    }

    /// The argument at `path`, whose steps are parted by dots.
    pub(super) fn argument(&self, path: &str) -> Option<Node<'_>> {
        at_path(Node::parse(self.arguments()).ok()?, path)
    }

    /// The first of the arguments `names` that is there.
    pub(super) fn first_argument(&self, names: &[&str]) -> Option<Node<'_>> {
        let members = Node::parse(self.arguments()).ok()?.object();
        names.iter().find_map(|name| members.field(name).filter(|node| !node.is_null()))
    }

    /// The first of the arguments `names` that is a text and not empty.
    pub(super) fn text_argument(&self, names: &[&str]) -> Option<Cow<'_, str>> {
        let members = Node::parse(self.arguments()).ok()?.object();
        names.iter().find_map(|name| members.string(name).filter(|text| !text.is_empty()))
    }

    /// The result as JSON stands in its transcript.
    pub(super) fn raw(&self) -> &'t str {
        let part = part(self.transcript, self.result);
        part.map_or("", |part| self.transcript.slice(part.body))
    }

    /// What the result says.
    pub(super) fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let part = part(self.transcript, self.result);
            part.map_or(Cow::Borrowed(""), |part| self.transcript.part_text(part))
        })
    }

    /// The beginning of what the result says.
    pub(super) fn head(&self) -> &str {
        head(self.text(), ENDS)
    }

    /// The end of what the result says.
    pub(super) fn tail(&self) -> &str {
        let text = self.text();
        let mut start = text.len().saturating_sub(ENDS);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        text.get(start..).unwrap_or_default()
    }

    /// The first line of the result that is not blank.
    pub(super) fn first_line(&self) -> &str {
        self.head().lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// The last lines of the result that are not blank, the last one first.
    pub(super) fn last_lines(&self) -> impl Iterator<Item = &str> {
        self.tail().lines().rev().map(str::trim).filter(|line| !line.is_empty())
    }

    /// The members of a result that is a JSON object.
    pub(super) fn members(&self) -> Object<'_> {
        let text = self.text().trim();
        if text.len() > JSON || !text.starts_with('{') {
            return Object::default();
        }
        Node::parse(text).map(Node::object).unwrap_or_default()
    }

    /// Whether the call did not do what it was to do, as far as the result says so in a form that the tool itself writes.
    pub(super) fn failed(&self) -> bool {
        self.error || self.exit_code().is_some_and(|code| code != "0")
    }

    /// The exit code of a command, in the forms of the tools that have no other way to say that it failed.
    fn exit_code(&self) -> Option<&str> {
        if self.name == "Bash" {
            return None;
        }
        let text = self.text();
        if text.trim_start().starts_with('{') {
            let members = self.members();
            let meta = members.field("metadata").map(Node::object).unwrap_or_default();
            let keys = ["exit_code", "exitCode", "returncode", "returnCode"];
            let found = keys.iter().find_map(|key| members.field(key).or_else(|| meta.field(key)));
            return found.filter(|node| !node.is_null()).map(Node::raw);
        }
        let first = self.first_line();
        if let Some(code) = first.strip_prefix("Exit code: ") {
            return Some(code);
        }
        let header = self.head().lines().take_while(|line| *line != "Output:").take(6);
        if let Some(code) = header.map(str::trim).find_map(|line| {
            first
                .starts_with("Chunk ID: ")
                .then_some(line)?
                .strip_prefix("Process exited with code ")
        }) {
            return Some(code);
        }
        let after = ["Signal: ", "Background PIDs: ", "Process Group PGID: ", "Error: (none)"];
        let mut last =
            self.last_lines().skip_while(|line| after.iter().any(|it| line.starts_with(it)));
        let last = last.next()?;
        let forms = [
            ("Exit Code: ", ""),
            ("Command exited with code ", ""),
            ("<exited with exit code ", ">"),
            ("[Command finished with exit code ", "]"),
            ("[The command completed with exit code ", ".]"),
        ];
        let code = |(open, close): &(&str, &str)| last.strip_prefix(open)?.strip_suffix(close);
        forms.iter().find_map(code)
    }
}

/// The value at `path` in `node`.
pub(super) fn at_path<'a>(node: Node<'a>, path: &str) -> Option<Node<'a>> {
    path.split('.').try_fold(node, |node, step| {
        let index = step.parse::<usize>().ok().filter(|_| node.is_array());
        match index {
            Some(index) => node.array().into_iter().nth(index),
            None => node.object().field(step),
        }
    })
}

/// The texts in a list; a text by itself is a list of one.
pub(super) fn texts(node: Node<'_>) -> Vec<Cow<'_, str>> {
    match node.string() {
        Some(text) => Vec::from([text]),
        None => node.array().into_iter().filter_map(Node::string).collect(),
    }
}

/// The first `bytes` of `text`, or a little less.
pub(super) fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

fn part(transcript: &Transcript, place: Place) -> Option<&Part> {
    transcript.parts(place.entry as usize).get(place.part as usize)
}
