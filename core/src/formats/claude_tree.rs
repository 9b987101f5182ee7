//! Which records of a Claude Code session belong together: the main talk between its compactions, what was left behind by a
//! rewind, the sub-agents.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::iter;

use super::claude_messages::{Said, assemble};
use super::lines::Line;
use super::log::{self, Aside, Log};
use super::recorded::State;
use crate::json::{Node, Object};
use crate::transcript::Weight;

/// A line that the model saw, or a compaction.
pub(super) struct Record<'a> {
    pub(super) kind: Kind,
    pub(super) line: Line<'a>,
    pub(super) uuid: Option<Cow<'a, str>>,
    /// The place of the record that it follows, which stands before it.
    pub(super) parent: Option<usize>,
    pub(super) agent: Option<Cow<'a, str>>,
    pub(super) side: bool,
    /// Whether it was added by the client and not by a person.
    pub(super) injected: bool,
    /// Whether it is what a model wrote in the place of what a compaction took out.
    pub(super) summary: bool,
    pub(super) message: Object<'a>,
    pub(super) state: State<'a>,
    /// Of a compaction: what it kept.
    pub(super) preserved: Option<Preserved>,
}

#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Kind {
    Assistant,
    Boundary,
    /// What a person said while the model worked.
    Queued,
    User,
}

/// The records before a compaction that were kept alive across it: by their names, or from a head to a tail. They stand
/// after the anchor: the summary, or the compaction itself.
#[derive(Default)]
pub(super) struct Preserved {
    pub(super) uuids: Vec<String>,
    pub(super) head: Option<String>,
    pub(super) tail: Option<String>,
    pub(super) anchor: Option<String>,
}

/// Every talk among `records`.
pub(super) fn talks<'a>(records: &[Record<'a>], aside: &mut Aside<'a>) -> Vec<Log> {
    let (main, branches) = branches(records, aside);
    let of_uuid: BTreeMap<&str, usize> = (0..)
        .zip(records)
        .filter_map(|(at, record)| record.uuid.as_deref().map(|uuid| (uuid, at)))
        .collect();
    let mut reach = REACH * records.len();
    let mut talk = |name: &str, talk: &[usize]| {
        let stretches = stretches(records, &of_uuid, talk, &mut reach, aside);
        let last = stretches.len() - 1;
        let label = |index: usize| match (name, last) {
            ("", _) => log::stretch(index, last),
            (_, 0) => name.into(),
            _ => format!("{name}, {}", log::stretch(index, last)),
        };
        let stretches = (0..).zip(&stretches);
        stretches.map(|(at, stretch)| assemble(label(at), said(records, stretch))).collect()
    };
    let mut logs: Vec<Log> = talk("", &main);
    let has_main = main.iter().any(|&at| records[at].kind != Kind::Boundary);
    if let Some(now) = logs.last_mut() {
        now.current = has_main;
    }
    for (index, branch) in (1..).zip(&branches) {
        let line = branch.first().map_or(0, |&at| records[at].line.number);
        logs.extend(talk(&format!("branch {index}, left at line {line} by a rewind"), branch));
    }
    for (index, (agent, thread)) in (1..).zip(threads(records)) {
        let mut side = talk(&format!("sub-agent {index} ({agent})"), &thread);
        if let Some(now) = side.last_mut().filter(|_| !has_main && index == 1) {
            now.current = true;
        }
        logs.extend(side);
    }
    logs
}

/// How many records compactions may keep by a range, for each record that there is. A range is short in the file and may be
/// long in what it keeps, so that many of them could keep without end.
const REACH: usize = 16;

/// The places of a stretch: the record, and whether a compaction kept it.
type Stretch = Vec<(usize, bool)>;

fn said<'r, 'a>(
    records: &'r [Record<'a>],
    stretch: &'r Stretch,
) -> impl Iterator<Item = Said<'r, 'a>> {
    stretch.iter().map(|&(at, kept)| Said {
        line: records[at].line.number,
        assistant: records[at].kind == Kind::Assistant,
        message: &records[at].message,
        // What a compaction kept alive was said where the session no longer is.
        state: if kept { State::default() } else { records[at].state.clone() },
        kept,
        summary: records[at].summary,
    })
}

/// A talk, cut at its compactions.
fn stretches<'a>(
    records: &[Record<'a>],
    of_uuid: &BTreeMap<&str, usize>,
    talk: &[usize],
    reach: &mut usize,
    aside: &mut Aside<'a>,
) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = alloc::vec![Vec::new()];
    let mut waiting: Vec<usize> = Vec::new();
    let mut anchor = None;
    for (number, &at) in talk.iter().enumerate() {
        let record = &records[at];
        let Some(stretch) = stretches.last_mut() else { break };
        if let Some(preserved) = &record.preserved {
            let place = |uuid: &String| of_uuid.get(&**uuid).copied();
            // A compaction that keeps nothing after its summary still names the summary as its anchor.
            anchor = preserved.anchor.as_ref().and_then(place);
            waiting = kept(preserved, &talk[..number], place, *reach).unwrap_or_else(|| {
                let message = "The compaction keeps a range of records, which was not followed: there are too many such.";
                aside.note("left-out", Weight::Warning, &record.line, message.into());
                Vec::new()
            });
            *reach = reach.saturating_sub(waiting.len());
            stretches.push(Vec::new());
            continue;
        }
        let is_before = anchor.is_some_and(|anchor| records[anchor].kind == Kind::Boundary);
        let is_here = anchor.is_none_or(|anchor| anchor <= at);
        if is_before {
            stretch.extend(waiting.drain(..).map(|at| (at, true)));
        }
        stretch.push((at, false));
        if is_here {
            stretch.extend(waiting.drain(..).map(|at| (at, true)));
        }
    }
    if let Some(stretch) = stretches.last_mut() {
        stretch.extend(waiting.into_iter().map(|at| (at, true)));
    }
    stretches
}

/// The records among `before` that a compaction kept. Of a range all are kept that stand between its ends: the results of
/// parallel calls hang on their own calls, so that the chain from tail to head would miss them. `None` if those are more
/// than `reach`.
fn kept(
    preserved: &Preserved,
    before: &[usize],
    place: impl Fn(&String) -> Option<usize>,
    reach: usize,
) -> Option<Vec<usize>> {
    let mut named: Vec<usize> = preserved.uuids.iter().filter_map(&place).collect();
    named.sort_unstable();
    named.dedup();
    named.retain(|at| before.binary_search(at).is_ok());
    let [head, tail] = [&preserved.head, &preserved.tail].map(|end| end.as_ref().and_then(&place));
    let (Some(head), Some(tail), true) = (head, tail, named.is_empty()) else { return Some(named) };
    let first = before.partition_point(|at| *at < head);
    let end = before.partition_point(|at| *at <= tail);
    let range = before.get(first..end).unwrap_or_default();
    (range.len() <= reach).then(|| range.to_vec())
}

/// The places of the main talk, and of what rewinds left behind.
///
/// A rewind shows where a prompt follows a record that another prompt followed before. Results do that in every session (each
/// hangs on its own call), and so do texts that the client adds; neither is a rewind. Of the prompts at a fork the
/// one on the way to the newest record goes on, else the last.
fn branches<'a>(records: &[Record<'a>], aside: &mut Aside<'a>) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut forks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, record) in records.iter().enumerate().filter(|(_, record)| is_prompt(record)) {
        if let Some(parent) = record.parent {
            forks.entry(parent).or_default().push(at);
        }
    }
    forks.retain(|_, prompts| prompts.len() > 1);
    let newest = records.iter().rposition(|record| !record.side);
    let way: Vec<usize> = if forks.is_empty() {
        Vec::new()
    } else {
        iter::successors(newest, |&at| records[at].parent).collect()
    };
    // The number of the branch that a record begins, by its place.
    let mut left: BTreeMap<usize, usize> = BTreeMap::new();
    for prompts in forks.values() {
        let on_way = |at: &&usize| way.binary_search_by(|other| at.cmp(&other)).is_ok();
        let goes_on = prompts.iter().find(on_way).or(prompts.last());
        for &at in prompts.iter().filter(|at| Some(*at) != goes_on) {
            left.insert(at, 0);
        }
    }
    for (number, (&at, branch)) in (1..).zip(&mut left) {
        *branch = number;
        let line = &records[at].line;
        let message = format!(
            "The talk was rewound to before line {}; what was left there is a transcript of its own.",
            line.number
        );
        aside.note("rewound", Weight::Note, line, message);
    }
    let mut main = Vec::new();
    let mut branches: Vec<Vec<usize>> = left.iter().map(|_| Vec::new()).collect();
    let mut branch_of: Vec<usize> = Vec::new();
    for (at, record) in records.iter().enumerate() {
        let inherited = record.parent.map_or(0, |parent| branch_of[parent]);
        let branch = left.get(&at).copied().unwrap_or(inherited);
        branch_of.push(branch);
        match branch.checked_sub(1) {
            _ if record.side => {}
            None => main.push(at),
            Some(index) => branches[index].push(at),
        }
    }
    (main, branches)
}

/// Whether a person said it, in a turn of its own.
fn is_prompt(record: &Record<'_>) -> bool {
    if record.kind != Kind::User || record.side || record.injected {
        return false;
    }
    let Some(content) = record.message.field("content") else { return false };
    let is_result =
        |block: &Node<'_>| block.object().string("type").as_deref() == Some("tool_result");
    let blocks = content.array();
    let first = blocks.first().and_then(|block| block.object().string("text"));
    let text = content.string().or(first).unwrap_or_default();
    // The client notes an interruption as if the person had said it.
    !blocks.iter().any(is_result) && !text.starts_with("[Request interrupted by user")
}

/// Sub-agents' talks: by the agent's id where it is recorded, else by the root of the chain of parents.
fn threads<'r>(records: &'r [Record<'_>]) -> Vec<(&'r str, Vec<usize>)> {
    let mut of_agent: BTreeMap<&str, usize> = BTreeMap::new();
    let mut thread_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut threads: Vec<(&str, Vec<usize>)> = Vec::new();
    for (at, record) in records.iter().enumerate().filter(|(_, record)| record.side) {
        let known = match record.agent.as_deref() {
            Some(agent) => of_agent.get(agent).copied(),
            None => record.parent.and_then(|parent| thread_of.get(&parent).copied()),
        };
        let thread = known.unwrap_or_else(|| {
            let name = record.agent.as_deref().or(record.uuid.as_deref()).unwrap_or("unnamed");
            threads.push((name, Vec::new()));
            threads.len() - 1
        });
        if let Some(agent) = record.agent.as_deref() {
            of_agent.insert(agent, thread);
        }
        thread_of.insert(at, thread);
        threads[thread].1.push(at);
    }
    threads
}
