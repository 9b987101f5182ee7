//! The agent's own plan: its steps that are not done, as the newest plan call has them.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::book::{Book, Quote};
use super::pair::Pair;
use super::pin::{End, Topic};
use crate::json::Node;

/// The steps that are not done, by their words.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    open: BTreeMap<String, usize>,
    /// Tasks that were created one by one, by their numbers.
    tasks: BTreeMap<String, usize>,
}

/// Tools that write a whole plan.
const PLANNERS: [&str; 12] = [
    "SetTodoList",
    "TodoList",
    "TodoWrite",
    "manage_todo_list",
    "set_todo_list",
    "todo_write",
    "todowrite",
    "update_plan",
    "update_todo_list",
    "update_todos",
    "write_todos",
    "write_plan",
];

/// The arguments that hold the steps, the members that hold their words, and those that say how far they are.
const LISTS: [&str; 7] = ["todos", "plan", "todoList", "todo_list", "items", "steps", "tasks"];
const WORDS: [&str; 6] = ["content", "step", "title", "task", "text", "description"];
const SUBJECTS: [&str; 4] = ["subject", "title", "content", "description"];
const STATES: [&str; 2] = ["status", "state"];

/// A step in a list.
struct Step<'p> {
    words: Cow<'p, str>,
    done: bool,
    /// It as it stands there.
    raw: &'p str,
}

impl Steps {
    /// Takes over a state of an earlier fold.
    pub(super) fn inherit(&mut self, told: usize, text: &str) {
        match task(text) {
            Some(number) => self.tasks.insert(number.into(), told),
            None => self.open.insert(text.into(), told),
        };
    }

    /// Takes in a call that went well.
    pub(super) fn tool(&mut self, pair: &Pair<'_>, book: &mut Book) {
        if PLANNERS.contains(&&*pair.name) {
            if let Some(list) = pair.first_argument(&LISTS) {
                self.list(list, pair, book);
            }
            return;
        }
        match &*pair.name {
            "TaskCreate" => {
                let line = pair.first_line();
                // The words of the task are the call's. What a result says in their place is nobody's plan.
                let subject = pair.text_argument(&SUBJECTS).unwrap_or_default();
                let words = line.split_once("created successfully").map_or("", |(_, rest)| rest);
                let words = words.trim_start_matches(['.', ':']).trim();
                let is_own = subject.trim().starts_with(words);
                if let Some(number) = task(line).filter(|_| is_own) {
                    let told = book.tell(Topic::Plan, line, pair.result);
                    self.tasks.insert(number.into(), told);
                }
            }
            "TaskUpdate" => {
                let status = pair.text_argument(&STATES);
                let Some(status) = status.filter(|status| is_done(status)) else { return };
                let number = pair.text_argument(&["taskId", "task_id", "id"]).unwrap_or_default();
                if let Some(told) = self.tasks.remove(&*number) {
                    let quote = Quote { words: &status, entry: pair.call.entry };
                    book.end(told, End::Completed, quote);
                }
            }
            _ => {}
        }
    }

    /// Takes in a whole plan: what it says of a step counts, and what it leaves out is given up.
    pub(super) fn list(&mut self, list: Node<'_>, pair: &Pair<'_>, book: &mut Book) {
        let text = list.string();
        let steps = match &text {
            Some(text) => checklist(text),
            None => list.array().into_iter().filter_map(Step::of).collect(),
        };
        let entry = pair.call.entry;
        let mut before = core::mem::take(&mut self.open);
        for step in &steps {
            match (before.remove(&*step.words), step.done) {
                (Some(told), true) => {
                    book.end(told, End::Completed, Quote { words: step.raw, entry });
                }
                (Some(told), false) => {
                    self.open.insert(step.words.clone().into_owned(), told);
                }
                (None, false) if !self.open.contains_key(&*step.words) => {
                    let told = book.tell(Topic::Plan, &step.words, pair.call);
                    self.open.insert(step.words.clone().into_owned(), told);
                }
                (None, _) => {}
            }
        }
        let words = steps.first().map_or_else(|| list.raw(), |step| step.raw);
        for told in before.into_values() {
            book.end(told, End::Superseded, Quote { words, entry });
        }
    }
}

impl<'p> Step<'p> {
    fn of(node: Node<'p>) -> Option<Self> {
        if let Some(words) = node.string() {
            return Some(Self { words, done: false, raw: node.raw() });
        }
        let members = node.object();
        let words = WORDS.iter().find_map(|key| members.string(key));
        let words = words.filter(|words| !words.trim().is_empty())?;
        let state = STATES.iter().find_map(|key| members.string(key)).unwrap_or_default();
        let done = is_done(&state) || members.is_true("completed") || members.is_true("done");
        Some(Self { words, done, raw: node.raw() })
    }
}

/// The steps of a list that is written in Markdown.
fn checklist(text: &str) -> Vec<Step<'_>> {
    let step = |line: &'_ str| -> Option<(usize, usize, bool)> {
        let item = line.trim_start().trim_start_matches(['-', '*', ' ']);
        let (mark, words) = item.strip_prefix('[')?.split_once(']')?;
        let words = words.trim();
        let end = line.trim_end().len();
        (!words.is_empty()).then_some((end - words.len(), end, matches!(mark, "x" | "X")))
    };
    let found = text.lines().filter_map(|line| {
        let (start, end, done) = step(line)?;
        Some(Step { words: Cow::Borrowed(line.get(start..end)?), done, raw: line })
    });
    found.collect()
}

fn is_done(status: &str) -> bool {
    matches!(
        status,
        "completed"
            | "complete"
            | "done"
            | "cancelled"
            | "canceled"
            | "deleted"
            | "skipped"
            | "abandoned"
    )
}

/// The number of the task that a result says was created.
fn task(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("Task #")?.split_once(' ')?;
    (rest.starts_with("created successfully") && !number.is_empty()).then_some(number)
}
