//! Session logs: each is rebuilt into the messages that its model saw. Their own form cannot express a fold, so a fold of
//! one is written as those messages.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::builder::number_lines;
use super::lines::Line;
use super::turn::{self, Turn};
use super::{
    ai_sdk_stream, atif, claude_code, claude_stream, codex, copilot_cli, fast_agent, gemini_cli,
    google_adk, inspect, kimi_cli, langgraph_stream, openclaw, opencode, openhands, openinference,
    pi, swe_agent,
};
use crate::json::{Node, Object};
use crate::provider::Provider;
use crate::transcript::{Finding, Format, Recorded, Usage, Weight};

/// One talk out of a log, rebuilt.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) label: String,
    /// Whether it is what the main talk's model sees now.
    pub(super) current: bool,
    /// The format in which its text is written.
    pub(super) wire: Format,
    /// The messages as a JSON list.
    pub(super) text: String,
    /// For each entry the line (or the number of the record) that it begins on, counted from 1.
    pub(super) lines: Vec<u32>,
    pub(super) usage: Vec<Usage>,
    pub(super) model: Option<String>,
    pub(super) provider: Option<Provider>,
    pub(super) findings: Vec<Finding>,
    /// The directory and the branch that the log records.
    pub(super) recorded: Vec<Recorded>,
    /// The entries of the user that a model or a tool wrote, as the log marks them.
    pub(super) unsaid: Vec<usize>,
}

impl Log {
    /// A log of entries that are written in `wire` already, each with its line.
    pub(super) fn of_entries(label: String, wire: Format, entries: &[(u32, String)]) -> Self {
        let texts: Vec<&str> = entries.iter().map(|(_, text)| &**text).collect();
        let text =
            if texts.is_empty() { "[]".into() } else { format!("[\n{}\n]\n", texts.join(",\n")) };
        Self {
            label,
            current: false,
            wire,
            text,
            lines: entries.iter().map(|(line, _)| *line).collect(),
            usage: Vec::new(),
            model: None,
            provider: None,
            findings: Vec::new(),
            recorded: Vec::new(),
            unsaid: Vec::new(),
        }
    }

    /// A log of turns, written in `wire`.
    pub(super) fn of_turns(label: String, wire: Format, turns: &[Turn<'_>]) -> Self {
        let written = turn::write(wire, turns);
        let mut usage = Vec::new();
        for (entry, (at, _)) in written.iter().enumerate() {
            // A response that takes several entries is counted once, at its first.
            let first = entry == 0 || written[entry - 1].0 != *at;
            if let Some((input, output)) = turns[*at].usage.filter(|_| first) {
                usage.push(Usage { entry: entry as u32, input, output });
            }
        }
        let unsaid = (0..).zip(&written).filter(|(_, (at, _))| turns[*at].unsaid);
        let unsaid = unsaid.map(|(entry, _)| entry).collect();
        let entries: Vec<(u32, String)> =
            written.into_iter().map(|(at, text)| (turns[at].line, text)).collect();
        let mut log = Self { usage, unsaid, ..Self::of_entries(label, wire, &entries) };
        log.findings.extend(thinking_left_out(wire, turns));
        log
    }
}

/// What thinking is lost: Responses takes it back only with the id and the seal that its own items have.
fn thinking_left_out(wire: Format, turns: &[Turn<'_>]) -> Option<Finding> {
    let thinks = |turn: &&Turn<'_>| {
        turn.pieces.iter().any(|piece| matches!(piece, turn::Piece::Thinking { .. }))
    };
    let mut thinking =
        turns.iter().filter(|_| wire == Format::OpenAiResponses).filter(thinks).peekable();
    let line = thinking.peek()?.line;
    let message = format!(
        "The thinking of {} responses was left out: {} takes back none that it has not sealed.",
        thinking.count(),
        wire.title()
    );
    Some(Finding { code: "thinking-left-out", weight: Weight::Note, offset: 0, line, message })
}

/// How a log is told and read.
pub(super) struct Reader {
    pub(super) format: Format,
    /// Whether an object is a record of it: a line, or the whole document.
    pub(super) is_record: fn(&Candidate<'_, '_>) -> bool,
    /// The talks in its lines; a document is one line.
    pub(super) rebuild: fn(&[Line<'_>]) -> Vec<Log>,
}

/// An object that may be a record of a log.
pub(super) struct Candidate<'c, 'a> {
    /// The value itself, if it is a line: some streams write lists.
    pub(super) node: Option<Node<'a>>,
    /// Its members; without the list, where that was opened.
    pub(super) members: &'c Object<'a>,
    /// The list under `messages`, `input` or `contents` of a document; empty for a line.
    pub(super) nodes: &'c [Node<'a>],
}

impl Candidate<'_, '_> {
    /// Whether one of the first entries of its list is such.
    pub(super) fn any(&self, is_such: impl Fn(&Object<'_>) -> bool) -> bool {
        self.nodes.iter().take(SAMPLE).any(|node| is_such(&node.object()))
    }
}

/// How many lines are asked.
const SAMPLE: usize = 60;

/// Every log that is read, the ones that are told most surely first.
pub(super) const READERS: [Reader; 18] = [
    Reader {
        format: Format::ClaudeCode,
        is_record: claude_code::is_record,
        rebuild: claude_code::rebuild,
    },
    Reader { format: Format::Codex, is_record: codex::is_record, rebuild: codex::rebuild },
    Reader {
        format: Format::CopilotCli,
        is_record: copilot_cli::is_record,
        rebuild: copilot_cli::rebuild,
    },
    Reader {
        format: Format::GeminiCli,
        is_record: gemini_cli::is_record,
        rebuild: gemini_cli::rebuild,
    },
    Reader { format: Format::KimiCli, is_record: kimi_cli::is_record, rebuild: kimi_cli::rebuild },
    Reader { format: Format::Pi, is_record: pi::is_record, rebuild: pi::rebuild },
    Reader {
        format: Format::OpenHands,
        is_record: openhands::is_record,
        rebuild: openhands::rebuild,
    },
    Reader { format: Format::OpenClaw, is_record: openclaw::is_record, rebuild: openclaw::rebuild },
    Reader { format: Format::OpenCode, is_record: opencode::is_record, rebuild: opencode::rebuild },
    Reader {
        format: Format::SweAgent,
        is_record: swe_agent::is_record,
        rebuild: swe_agent::rebuild,
    },
    Reader { format: Format::Inspect, is_record: inspect::is_record, rebuild: inspect::rebuild },
    Reader { format: Format::Atif, is_record: atif::is_record, rebuild: atif::rebuild },
    Reader {
        format: Format::GoogleAdk,
        is_record: google_adk::is_record,
        rebuild: google_adk::rebuild,
    },
    Reader {
        format: Format::FastAgent,
        is_record: fast_agent::is_record,
        rebuild: fast_agent::rebuild,
    },
    Reader {
        format: Format::ClaudeStream,
        is_record: claude_stream::is_record,
        rebuild: claude_stream::rebuild,
    },
    Reader {
        format: Format::LangGraphStream,
        is_record: langgraph_stream::is_record,
        rebuild: langgraph_stream::rebuild,
    },
    Reader {
        format: Format::AiSdkStream,
        is_record: ai_sdk_stream::is_record,
        rebuild: ai_sdk_stream::rebuild,
    },
    Reader {
        format: Format::OpenInference,
        is_record: openinference::is_record,
        rebuild: openinference::rebuild,
    },
];

/// The reader of lines: the one that knows the most of the first ones. `told` wins.
pub(super) fn reader_of(lines: &[Line<'_>], told: Option<Format>) -> Option<&'static Reader> {
    let sample: Vec<(Node<'_>, Object<'_>)> = lines
        .iter()
        .filter_map(|line| line.node)
        .take(SAMPLE)
        .map(|node| (node, node.object()))
        .collect();
    let mut best: Option<(usize, &Reader)> = None;
    for reader in &READERS {
        if told.is_some_and(|format| format != reader.format) {
            continue;
        }
        let candidates = sample.iter().map(|(node, members)| Candidate {
            node: Some(*node),
            members,
            nodes: &[],
        });
        let count = candidates.filter(|candidate| (reader.is_record)(candidate)).count();
        if count > best.map_or(0, |(count, _)| count) {
            best = Some((count, reader));
        }
    }
    best.map(|(_, reader)| reader)
}

/// The reader of a whole document. `told` wins.
pub(super) fn reader_of_document(
    candidate: &Candidate<'_, '_>,
    told: Option<Format>,
) -> Option<&'static Reader> {
    READERS
        .iter()
        .filter(|reader| told.is_none_or(|format| format == reader.format))
        .find(|reader| (reader.is_record)(candidate))
}

/// A finding about a line.
pub(super) fn finding(
    code: &'static str,
    weight: Weight,
    line: &Line<'_>,
    message: String,
) -> Finding {
    Finding { code, weight, offset: line.offset as u32, line: line.number, message }
}

/// What a reader leaves aside: counted by kind, each kind told once.
#[derive(Default)]
pub(super) struct Aside<'a> {
    kinds: BTreeMap<(bool, String), (u32, Line<'a>)>,
    told: BTreeMap<&'static str, (u32, Line<'a>, &'static str)>,
    findings: Vec<Finding>,
}

impl<'a> Aside<'a> {
    /// Counts a record of a kind that the model never sees.
    pub(super) fn not_sent(&mut self, kind: &str, line: &Line<'a>) {
        self.count(true, kind, line);
    }

    /// Counts a record of a kind that is not known.
    pub(super) fn unknown(&mut self, kind: &str, line: &Line<'a>) {
        self.count(false, kind, line);
    }

    fn count(&mut self, known: bool, kind: &str, line: &Line<'a>) {
        let kind = if kind.is_empty() { "(none)" } else { kind };
        self.kinds.entry((known, kind.into())).or_insert((0, *line)).0 += 1;
    }

    /// Counts something else that befell a record; `says` is a sentence about one of them.
    pub(super) fn tell(&mut self, code: &'static str, line: &Line<'a>, says: &'static str) {
        self.told.entry(code).or_insert((0, *line, says)).0 += 1;
    }

    /// Notes a line that is damaged; `what` says how, as in "is not JSON".
    pub(super) fn broken(&mut self, line: &Line<'a>, what: &str) {
        let message = format!("Line {} {what} and was left out.", line.number);
        self.note("broken-line", Weight::Warning, line, message);
    }

    /// Notes a finding about a line.
    pub(super) fn note(
        &mut self,
        code: &'static str,
        weight: Weight,
        line: &Line<'a>,
        message: String,
    ) {
        self.findings.push(finding(code, weight, line, message));
    }

    /// The records among `lines`; what is none is broken.
    pub(super) fn records(&mut self, lines: &[Line<'a>]) -> Vec<(Line<'a>, Object<'a>)> {
        let mut records = Vec::new();
        for line in lines {
            match line.node.filter(|node| node.is_object()) {
                Some(node) => records.push((*line, node.object())),
                None if line.node.is_some() => self.broken(line, "is JSON but no record"),
                None => self.broken(line, "is not JSON"),
            }
        }
        records
    }

    /// The logs that hold anything, the findings with what the model sees now.
    pub(super) fn told_in(mut self, mut logs: Vec<Log>) -> Vec<Log> {
        for ((known, kind), (count, line)) in self.kinds {
            let what = if count == 1 { "record" } else { "records" };
            let (code, weight, message) = if known {
                let are = if count == 1 { "is" } else { "are" };
                let message =
                    format!("{count} {what} of type {kind} {are} not sent to the model, left out.");
                ("not-sent", Weight::Note, message)
            } else {
                let message = format!("{count} {what} of the unknown type {kind} left out.");
                ("unknown-record", Weight::Warning, message)
            };
            self.findings.push(finding(code, weight, &line, message));
        }
        for (code, (count, line, says)) in self.told {
            let times = match count {
                1 => String::new(),
                _ => format!(" Counted {count} times, first here."),
            };
            let message = format!("{says}{times}");
            self.findings.push(finding(code, Weight::Note, &line, message));
        }
        logs.retain(|log| !log.lines.is_empty());
        if !logs.iter().any(|log| log.current)
            && let Some(last) = logs.last_mut()
        {
            last.current = true;
        }
        if let Some(log) = logs.iter_mut().find(|log| log.current) {
            self.findings.append(&mut log.findings);
            log.findings = number_lines("", self.findings);
        }
        logs
    }
}

/// The elements of a list in a document, each as a line of its own with its number in the list.
pub(super) fn elements<'a>(document: &Line<'a>, list: Node<'a>) -> Vec<(Line<'a>, Object<'a>)> {
    let line = |(index, node): (usize, Node<'a>)| {
        let offset = document.offset + node.span_in(document.text).start as usize;
        let line = Line { offset, number: index as u32 + 1, node: Some(node), text: node.raw() };
        (line, node.object())
    };
    list.array().into_iter().enumerate().map(line).collect()
}

/// What a stretch between compactions is called; `last` is the number of the newest.
pub(super) fn stretch(index: usize, last: usize) -> String {
    match (index, last) {
        (_, 0) => "the session".into(),
        (index, last) if index == last => {
            format!("after compaction {index}, what the model sees now")
        }
        (0, _) => "before the first compaction".into(),
        (index, _) => format!("after compaction {index}"),
    }
}

/// The sum of the counts under `keys`.
pub(super) fn tokens(usage: &Object<'_>, keys: &[&str]) -> u32 {
    let counts = keys.iter().filter_map(|key| usage.field(key).and_then(Node::integer));
    counts.fold(0, |sum: u32, count| sum.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)))
}
