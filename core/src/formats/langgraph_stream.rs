//! A recorded stream of `LangGraph` events: pairs of a mode and what it tells.
//!
//! Each `values` event holds the whole state, so the newest one's `messages` are what the model saw last; they are taken byte
//! for byte. Events of the other modes tell how the state came about.

use alloc::string::String;
use alloc::vec::Vec;

use super::lines::Line;
use super::log::{Aside, Candidate, Log};
use crate::json::Node;
use crate::transcript::Format;

/// The modes in which a graph streams.
const MODES: [&str; 8] =
    ["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints", "events"];

/// Whether a list is an event.
pub(super) fn is_record(candidate: &Candidate<'_, '_>) -> bool {
    candidate.node.is_some_and(|node| event(node).is_some())
}

/// The mode of an event and its payload. The events of a graph with subgraphs begin with a namespace.
fn event(node: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    if !node.is_array() {
        return None;
    }
    let parts = node.array();
    let (mode, payload) = match &parts[..] {
        [mode, payload] => (mode, payload),
        [namespace, mode, payload] if namespace.is_array() => (mode, payload),
        _ => return None,
    };
    let mode = mode.string()?;
    let mode = MODES.into_iter().find(|known| *known == mode)?;
    (payload.is_object() || payload.is_array()).then_some((mode, *payload))
}

/// The messages of the newest state.
pub(super) fn rebuild(lines: &[Line<'_>]) -> Vec<Log> {
    let mut aside = Aside::default();
    let mut newest: Option<(&Line<'_>, Vec<Node<'_>>)> = None;
    for line in lines {
        let Some((mode, payload)) = line.node.and_then(event) else {
            aside.broken(line, "is no event");
            continue;
        };
        let messages = match mode {
            "values" => payload.object().field("messages").filter(|list| list.is_array()),
            _ => None,
        };
        let Some(messages) = messages else {
            aside.not_sent(mode, line);
            continue;
        };
        if let Some((line, _)) = newest.replace((line, messages.array())) {
            aside.not_sent("values, replaced by a newer one", line);
        }
    }
    let log = newest.map(|(line, messages)| {
        let entries: Vec<(u32, String)> =
            messages.iter().map(|node| (line.number, node.raw().into())).collect();
        Log::of_entries(String::from("the newest state"), Format::LangChain, &entries)
    });
    aside.told_in(log.into_iter().collect())
}
