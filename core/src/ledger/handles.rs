//! What runs in the background: processes and sub-agents that were started and have not ended.
//!
//! Each is known by the handle that its tool gave, which the next call needs. A tool says so at the beginning or the end of
//! its result, in its own words; a process that the command line itself sends away is known by its command.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::book::{Book, Quote};
use super::pair::{Pair, head, texts};
use super::pin::{End, Topic};
use super::shell::Script;
use crate::json::Node;
use crate::pairing::Place;

/// The live ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Handles {
    by_id: BTreeMap<String, usize>,
    /// What command lines sent into the background, with the id of the process where the shell printed it.
    jobs: Vec<(usize, Option<String>)>,
}

/// The words around a handle, as tools write them: what begins the line, and what the handle stands behind.
const STARTED: [(Topic, &str, &str); 11] = [
    (Topic::Process, "Command running in background with ID: ", ""),
    (Topic::Process, "Command was manually backgrounded by user with ID: ", ""),
    (Topic::Process, "<command started in background with sessionId: ", ""),
    (Topic::Process, "<command started in background with shellId: ", ""),
    (Topic::Process, "Command moved to background (PID: ", ""),
    (Topic::Process, "Process running with session ID ", ""),
    (Topic::Process, "Background PIDs: ", "(none)"),
    (Topic::Agent, "agentId: ", ""),
    (Topic::Agent, "Agent started in background with agent_id: ", ""),
    (Topic::Agent, "childSessionKey", ""),
    (Topic::Agent, "agent_id", ""),
];

/// Tools that run a sub-agent.
const AGENTS: [&str; 7] =
    ["Agent", "Task", "sessions_spawn", "spawn_agent", "spawnAgent", "start_agent", "task"];

/// Tools that end what runs.
const KILLERS: [&str; 9] = [
    "KillBash",
    "KillShell",
    "TaskStop",
    "close_agent",
    "kill_process",
    "kill_shell",
    "stop_agent",
    "stop_bash",
    "stop_powershell",
];

/// Tools that ask how it goes.
const WATCHERS: [&str; 11] = [
    "AgentOutput",
    "AgentOutputTool",
    "BashOutput",
    "TaskOutput",
    "read_agent",
    "read_bash",
    "read_powershell",
    "wait",
    "wait_agent",
    "write_bash",
    "write_stdin",
];

/// The arguments that name a handle.
const NAMES: [&str; 15] = [
    "bash_id",
    "shell_id",
    "task_id",
    "taskId",
    "shellId",
    "sessionId",
    "session_id",
    "agent_id",
    "agentId",
    "agentIds",
    "targets",
    "ids",
    "id",
    "target",
    "pid",
];

/// The words before the path of what a process writes, and the longest such path in bytes.
const OUTPUT: &str = ". Output is being written to: ";
const PATH: usize = 1024;

/// How many jobs a command of the shell is compared with, the newest first.
const JOBS: usize = 64;

/// How much of a command is told, in bytes: enough to know it by.
const COMMAND: usize = 240;

impl Handles {
    /// Takes over a state of an earlier fold.
    pub(super) fn inherit(&mut self, told: usize, text: &str) {
        self.by_id.insert(handle(text).unwrap_or(text).into(), told);
        if !STARTED.iter().any(|(_, before, _)| text.starts_with(before)) {
            self.jobs.push((told, None));
        }
    }

    /// Notes what runs from now on under a handle.
    pub(super) fn start(&mut self, topic: Topic, text: &str, place: Place, book: &mut Book) {
        let id = handle(text).unwrap_or(text);
        if !self.by_id.contains_key(id) {
            let told = book.tell(topic, text, place);
            self.by_id.insert(id.into(), told);
        }
    }

    /// Takes in a call of a shell that went well.
    pub(super) fn shell(&mut self, scripts: &[Script<'_>], pair: &Pair<'_>, book: &mut Book) {
        let commands = || scripts.iter().flat_map(|script| &script.commands);
        let ends = commands().any(|command| matches!(command.word(0), "wait" | "kill"));
        let place = pair.call;
        for command in commands().filter(|command| command.sure) {
            let quote = Quote { words: command.text, entry: place.entry };
            let words = || command.words.iter().skip(1).map(|word| &*word.text);
            match command.word(0) {
                "kill" => words().for_each(|word| self.kill(word, quote, book)),
                "pkill" | "killall" => {
                    for word in words().filter(|word| !word.starts_with('-')) {
                        self.end_jobs(|text| text.contains(word), quote, book);
                    }
                }
                "wait" if command.words.len() == 1 && command.here => {
                    self.end_jobs(|_| true, quote, book);
                }
                _ => {}
            }
        }
        if let Some((topic, text)) = started(pair) {
            self.start(topic, text, pair.result, book);
            return;
        }
        if pair.argument("run_in_background").is_some_and(Node::is_true) {
            if let Some(text) = pair.text_argument(&["command", "cmd"]) {
                let told = book.tell(Topic::Process, head(&text, COMMAND), place);
                self.jobs.push((told, None));
            }
            return;
        }
        // What the same line waits for or kills does not outlast it.
        let mut printed = pair.head().lines().filter_map(job);
        for list in scripts.iter().flat_map(|script| &script.background).filter(|_| !ends) {
            let told = book.tell(Topic::Process, head(list, COMMAND), place);
            self.jobs.push((told, printed.next().map(String::from)));
        }
    }

    fn kill(&mut self, word: &str, quote: Quote<'_>, book: &mut Book) {
        if word.starts_with('%') || word == "$!" {
            if let Some((told, _)) = self.jobs.pop() {
                book.end(told, End::Completed, quote);
            }
        } else if !word.starts_with('-') {
            self.end(word, quote, book);
            let job = self.jobs.iter().rev().take(JOBS);
            let job = job.filter(|(_, id)| id.as_deref() == Some(word)).map(|(told, _)| *told);
            for told in job.collect::<Vec<usize>>() {
                book.end(told, End::Completed, quote);
            }
        }
    }

    /// Ends the newest jobs whose commands are such.
    fn end_jobs(&mut self, is_such: impl Fn(&str) -> bool, quote: Quote<'_>, book: &mut Book) {
        let first = self.jobs.len().saturating_sub(JOBS);
        for (told, id) in self.jobs.split_off(first) {
            if is_such(&book.said(told).0) {
                book.end(told, End::Completed, quote);
            } else {
                self.jobs.push((told, id));
            }
        }
    }

    fn end(&mut self, id: &str, quote: Quote<'_>, book: &mut Book) {
        if let Some(told) = self.by_id.remove(id) {
            book.end(told, End::Completed, quote);
        }
    }

    /// Takes in a call of another tool that went well: one that starts, watches or ends what runs.
    pub(super) fn tool(&mut self, pair: &Pair<'_>, book: &mut Book) {
        let name = &*pair.name;
        if AGENTS.contains(&name) {
            if let Some((topic, text)) = started_agent(pair) {
                self.start(topic, &text, pair.result, book);
            }
            return;
        }
        let (kills, watches) = (KILLERS.contains(&name), WATCHERS.contains(&name));
        if !kills && !watches {
            return;
        }
        for id in ids(pair) {
            let words =
                if kills { pair.first_line() } else { ended(pair, &id).unwrap_or_default() };
            if kills || !words.is_empty() {
                let result = Quote { words, entry: pair.result.entry };
                let call = Quote { words: &id, entry: pair.call.entry };
                self.end(&id, if words.is_empty() { call } else { result }, book);
            }
        }
    }

    /// Takes in what a client says in the user's place when something has ended. It says so at the beginning of a text.
    pub(super) fn notice(&mut self, text: &str, entry: usize, book: &mut Book) {
        let start = head(text.trim_start(), 2048);
        let entry = entry as u32;
        if let Some(notice) = start.strip_prefix("<task-notification>") {
            let (id, status) = (tag(notice, "task-id"), tag(notice, "status"));
            if let (Some(id), Some(status)) = (id, status)
                && has_ended(status)
            {
                self.end(id, Quote { words: status, entry }, book);
            }
        } else if let Some(notice) = tag(start, "subagent_notification")
            .filter(|_| start.starts_with("<subagent_notification>"))
        {
            let members = Node::parse(notice.trim()).map(Node::object).unwrap_or_default();
            let id = ["agent_id", "agent_path"].iter().find_map(|key| members.string(key));
            if let (Some(id), Some(status)) = (id, members.field("status"))
                && is_final(status)
            {
                self.end(&id, Quote { words: status.raw(), entry }, book);
            }
        } else if let Some(notice) = start.strip_prefix("[Inter-session message] sourceSession=") {
            let id = notice.split_whitespace().next().unwrap_or_default();
            let status = notice.lines().find(|line| line.starts_with("status: "));
            let own = notice.lines().next().is_some_and(|line| line.contains("subagent_announce"));
            if let Some(words) = status.filter(|_| own) {
                self.end(id, Quote { words, entry }, book);
            }
        }
    }
}

/// Whether a text is a handle and no more than that: it has at most `longest` bytes and no white space, and stands by itself
/// or behind words by which a tool gives one out. Where the output goes may follow, which is a path of one word.
pub(super) fn is_handle(text: &str, longest: usize) -> bool {
    let behind = STARTED.iter().find_map(|(_, before, _)| text.strip_prefix(before));
    let rest = behind.unwrap_or(text);
    let (id, path) = match rest.split_once(OUTPUT).filter(|_| behind.is_some()) {
        Some((id, path)) => (id, path),
        None => (rest, ""),
    };
    let is_word = |word: &str| !word.contains(|c: char| c.is_whitespace() || c.is_control());
    !id.is_empty() && id.len() <= longest && is_word(id) && path.len() <= PATH && is_word(path)
}

/// The handle in the words that name it.
fn handle(text: &str) -> Option<&str> {
    let behind = STARTED.iter().find_map(|(_, before, _)| text.strip_prefix(before));
    let rest = behind.or_else(|| (!text.contains(char::is_whitespace)).then_some(text))?;
    let end = rest.find(|c: char| c.is_whitespace() || ",.)>".contains(c)).unwrap_or(rest.len());
    rest.get(..end).filter(|id| !id.is_empty())
}

/// What a shell's tool says of a process that goes on.
fn started<'p>(pair: &'p Pair<'_>) -> Option<(Topic, &'p str)> {
    let header = pair.head().lines().map(str::trim).take_while(|line| *line != "Output:").take(6);
    let codex = pair.first_line().starts_with("Chunk ID: ");
    let header = header.filter(|line| codex && line.starts_with("Process running "));
    let trailer = pair.last_lines().take(3).filter(|line| line.starts_with("Background PIDs: "));
    let ends = [pair.first_line()]
        .into_iter()
        .chain(pair.last_lines().take(1).filter(|line| line.starts_with('<')));
    let trailer = trailer.filter(|_| {
        pair.first_line().starts_with("Command: ") || pair.first_line().starts_with("Output: ")
    });
    ends.chain(header).chain(trailer).find_map(|line| {
        let form = |&(topic, before, not): &(Topic, &'static str, &str)| {
            let rest = line.strip_prefix(before)?;
            (topic == Topic::Process && (not.is_empty() || !rest.starts_with(not)))
                .then_some(before)
        };
        let before = STARTED.iter().find_map(form)?;
        let id = handle(line)?;
        let mut end = before.len() + id.len();
        // Where its output goes is worth keeping.
        let rest = line.get(end..).unwrap_or_default();
        if let Some(path) = rest.strip_prefix(OUTPUT) {
            let path = path.split_whitespace().next().unwrap_or_default();
            end = line.len() - rest.len() + OUTPUT.len() + path.trim_end_matches('.').len();
        }
        end += usize::from(line.get(end..).is_some_and(|rest| rest.starts_with([')', '>'])));
        Some((Topic::Process, line.get(..end)?))
    })
}

/// What a tool says of a sub-agent that goes on. One that has reported says something else.
fn started_agent<'p>(pair: &'p Pair<'_>) -> Option<(Topic, Cow<'p, str>)> {
    let first = pair.first_line();
    let line = if first.starts_with("Async agent launched successfully") {
        pair.head().lines().map(str::trim).take(4).find(|line| line.starts_with("agentId: "))?
    } else if first.starts_with("Agent started in background with agent_id: ") {
        first
    } else {
        let members = pair.members();
        // What other tools return is what the agent itself reports.
        let key = match &*pair.name {
            "sessions_spawn" => "childSessionKey",
            "spawn_agent" | "spawnAgent" | "start_agent" => "agent_id",
            _ => return None,
        };
        let id = members.string(key).filter(|id| !id.is_empty())?;
        return Some((Topic::Agent, Cow::Owned(id.into_owned())));
    };
    let id = handle(line)?;
    let end = line.find(id)? + id.len();
    Some((Topic::Agent, Cow::Borrowed(line.get(..end)?)))
}

/// The process id in a line by which a shell says that a job goes on: `[1] 4711`.
fn job(line: &str) -> Option<&str> {
    let (number, id) = line.strip_prefix('[')?.split_once("] ")?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(number) && digits(id)).then_some(id)
}

/// The handles that a call names.
fn ids(pair: &Pair<'_>) -> Vec<String> {
    let found = NAMES.iter().find_map(|name| {
        let node = pair.argument(name)?;
        let found = texts(node);
        let number = || node.integer().map(|number| number.to_string());
        let found: Vec<String> = found.into_iter().map(Cow::into_owned).collect();
        Some(if found.is_empty() { number().into_iter().collect() } else { found })
    });
    found.unwrap_or_default()
}

/// The words by which the result of a watching call says that it is over.
fn ended<'p>(pair: &'p Pair<'_>, id: &str) -> Option<&'p str> {
    let first = pair.first_line();
    if first.starts_with("<status>") || first.starts_with("<retrieval_status>") {
        let header = pair.head().lines().map(str::trim).take(12);
        let mut header = header.take_while(|line| !matches!(*line, "<output>" | "<stdout>"));
        return header.find(|line| tag(line, "status").is_some_and(has_ended));
    }
    if first.starts_with("Process exited with code ") {
        return Some(first);
    }
    if first.starts_with("Chunk ID: ") {
        let header =
            pair.head().lines().map(str::trim).take_while(|line| *line != "Output:").take(6);
        return header.into_iter().find(|line| line.starts_with("Process exited with code "));
    }
    if first.starts_with('{') {
        let members = pair.members();
        let status = members.field("status")?.object().field(id)?;
        return is_final(status).then(|| status.raw()).and_then(|raw| {
            let text = pair.text();
            let at = text.find(raw)?;
            text.get(at..at + raw.len())
        });
    }
    if first.starts_with("Agent ") {
        let over = ["completed", "failed", "cancelled"];
        let rest = first.strip_prefix("Agent ").unwrap_or_default();
        return over.iter().any(|word| rest.starts_with(word)).then_some(first);
    }
    let last = pair.last_lines().next()?;
    let own = last.starts_with('<') && last.ends_with('>');
    (own && (last.contains(" completed with exit code ")
        || last.starts_with("<exited with exit code ")))
    .then_some(last)
}

fn has_ended(status: &str) -> bool {
    matches!(status.trim(), "completed" | "failed" | "killed" | "stopped" | "cancelled" | "error")
}

/// Whether Codex says by `status` that an agent is done.
fn is_final(status: Node<'_>) -> bool {
    match status.string() {
        Some(word) => !matches!(&*word, "running" | "pending_init" | "interrupted"),
        None => status.is_object(),
    }
}

fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once('<')?;
    let mut rest = rest;
    loop {
        if let Some(inner) = rest.strip_prefix(name).and_then(|inner| inner.strip_prefix('>')) {
            let end = inner
                .match_indices("</")
                .find(|(at, _)| inner.get(at + 2..).is_some_and(|close| close.starts_with(name)));
            return end.and_then(|(at, _)| inner.get(..at));
        }
        rest = rest.split_once('<')?.1;
    }
}
