//! Calls that the provider executes: their results, turns that mix both kinds of call, and calls made by code.

use alloc::collections::BTreeMap;

use super::{
    CALLER_GONE, SERVER_LATE, SERVER_ORPHAN, SERVER_TOOL_GONE, SERVER_UNANSWERED,
    SERVER_UNANSWERED_OTHER,
};
use crate::exchange::Structure;
use crate::json::Node;
use crate::pairing::{Call, Place};
use crate::rules::{Violations, block, calls, is_result};
use crate::transcript::{Id, PartKind, Transcript};

pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let servers = structure.pairing.calls.iter().filter(|call| call.server);
    let mut known: BTreeMap<&str, Id> = BTreeMap::new();
    known.extend(servers.clone().map(|call| (transcript.id(call.id), call.id)));
    let callers = callers(transcript, found, &known);
    let waiting = waiting_from(transcript, structure);
    for call in servers {
        let (entry, part) = (call.place.entry as usize, call.place.part as usize);
        let caller = callers.get(&call.id);
        let ids = [call.id].into();
        let tool = transcript.call_name(&transcript.parts(entry)[part]);
        let spoken = matches!(&*tool, "web_search" | "web_fetch");
        match call.answer {
            Some(answer) => {
                if caller.is_none() && !in_place(transcript, structure, call, answer) {
                    found.broke(&SERVER_LATE, entry, Some(part), ids, &[]);
                }
            }
            // Code may call several times before its own result comes: it waits as long as its newest call does.
            None if waiting.is_some_and(|from| entry >= from || caller >= Some(&from)) => {
                if spoken && lacks_tool(transcript, &tool) {
                    found.broke(&SERVER_TOOL_GONE, entry, Some(part), ids, &[("tool", &tool)]);
                }
            }
            None if spoken => {
                let values = [("tool", &*tool), ("ids", transcript.id(call.id))];
                found.broke(&SERVER_UNANSWERED, entry, Some(part), ids, &values);
            }
            None => found.broke(&SERVER_UNANSWERED_OTHER, entry, Some(part), ids, &[]),
        }
    }
    for stray in &structure.pairing.strays {
        let (entry, part) = (stray.place.entry as usize, stray.place.part as usize);
        if let PartKind::Result { server: true, .. } = transcript.parts(entry)[part].kind {
            found.broke(&SERVER_ORPHAN, entry, Some(part), [stray.id].into(), &[]);
        }
    }
}

/// For each block of code that made calls, the entry of its newest one. A block that is named and not `known` is a
/// violation.
fn callers(
    transcript: &Transcript,
    found: &mut Violations,
    known: &BTreeMap<&str, Id>,
) -> BTreeMap<Id, usize> {
    let mut callers = BTreeMap::new();
    for entry in 0..transcript.len() {
        for (part, id) in calls(transcript, entry) {
            let content = &transcript.parts(entry)[part];
            if !transcript.slice(content.whole).contains("\"caller\"") {
                continue;
            }
            let caller = block(transcript, content).field("caller").map(Node::object);
            match caller.unwrap_or_default().string("tool_id").map(|name| known.get(&*name)) {
                Some(Some(&caller)) => {
                    callers.insert(caller, entry);
                }
                Some(None) => found.broke(&CALLER_GONE, entry, Some(part), [id].into(), &[]),
                None => {}
            }
        }
    }
    callers
}

/// The first entry of the newest response, if nothing but results follows it: an open call in it waits for the provider,
/// be it resent as it is (`pause_turn`) or sent with the results of a mixed turn.
fn waiting_from(transcript: &Transcript, structure: &Structure) -> Option<usize> {
    let newest = structure.newest_response()?;
    let mut after = (newest.end..transcript.len()).flat_map(|entry| transcript.parts(entry));
    after.all(is_result).then_some(newest.start)
}

/// Whether a server's result stands where it may: in the response of its call or, where that also called the client, at
/// the start of the next one.
fn in_place(transcript: &Transcript, structure: &Structure, call: &Call, answer: Place) -> bool {
    let (from, to) = (call.place.entry as usize, answer.entry as usize);
    let at = structure.responses_ended(from);
    let Some(response) = structure.response(at) else { return false };
    if response.contains(&to) {
        return true;
    }
    let next = structure.response(at + 1).is_some_and(|next| next.start == to);
    next && response.clone().any(|entry| calls(transcript, entry).next().is_some())
        && transcript.parts(to)[..answer.part as usize].iter().all(is_result)
}

/// Whether a request that names its model defines no tool of that name.
fn lacks_tool(transcript: &Transcript, name: &str) -> bool {
    let request = transcript.request();
    let tools = request.fixed.iter().filter(|fixed| fixed.what == "tools");
    let mut tools =
        tools.flat_map(|fixed| Node::at(transcript.text(), fixed.span).array()).map(Node::object);
    request.model.is_some()
        && request.whole
        && !tools.any(|tool| tool.string("name").as_deref() == Some(name))
}
