//! OpenAI Responses. Pairing is over the whole input, not adjacency. Source: openai-agents-python's own
//! checks, and the texts quoted in public issues.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Code, Mode, Violations};
use crate::cut::is_reasoning;
use crate::exchange::Structure;
use crate::json::Node;
use crate::transcript::{Role, Transcript};

/// The rules.
pub(super) const RULES: &[&super::Rule] = &[];

pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    unanswered(transcript, structure, found);
    strays(transcript, structure, found);
    reasoning(transcript, found);
    duplicate_items(transcript, found);
}

/// What the provider calls each kind of call in its error texts; only these wordings are verified.
const SPOKEN: [(&str, &str); 7] = [
    ("function_call", "function call"),
    ("custom_tool_call", "custom tool call"),
    ("apply_patch_call", "apply patch call"),
    ("tool_search_call", "tool search call"),
    ("mcp_call", "MCP tool call"),
    ("local_shell_call", "local shell call"),
    ("computer_call", "computer call"),
];

fn unanswered(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let answered: BTreeSet<_> = structure.pairing.pairs().map(|(call, _)| call.id).collect();
    let outputs: BTreeSet<_> = structure.pairing.strays.iter().map(|stray| stray.id).collect();
    for call in structure.pairing.calls.iter().filter(|call| call.answer.is_none()) {
        let entry = call.place.entry as usize;
        // With a stored conversation behind it the other half may be on the server.
        if found.lets_be(structure, call.id, entry) || call.server || transcript.request().continues
        {
            continue;
        }
        if answered.contains(&call.id) || outputs.contains(&call.id) {
            // Its id was answered before it was called; what the provider makes of that is not verified.
            found.warn(Code::UnansweredCall, entry, None, [call.id].into());
            continue;
        }
        let kind = item_type(transcript, entry);
        let spoken = SPOKEN.iter().find(|(name, _)| *name == kind).map(|(_, spoken)| *spoken);
        let says = spoken
            .map(|spoken| format!("No tool output found for {spoken} {}.", transcript.id(call.id)));
        found.add(Code::UnansweredCall, entry, None, [call.id].into(), says);
    }
}

fn strays(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    // A reference is resolved by the provider, and may be to the call.
    let refers =
        (0..transcript.len()).any(|entry| item_type(transcript, entry) == "item_reference");
    let called: BTreeSet<_> = structure.pairing.calls.iter().map(|call| call.id).collect();
    for stray in &structure.pairing.strays {
        let entry = stray.place.entry as usize;
        if stray.duplicate {
            found.warn(Code::DuplicateResult, entry, None, [stray.id].into());
            continue;
        }
        if transcript.request().continues || refers {
            continue;
        }
        if called.contains(&stray.id) {
            // The call stands further down; whether an output may precede it is not verified.
            found.warn(Code::OrphanResult, entry, None, [stray.id].into());
            continue;
        }
        let spoken = match &*item_type(transcript, entry) {
            "function_call_output" => Some("function call"),
            "custom_tool_call_output" => Some("custom tool call"),
            _ => None,
        };
        let says = spoken.map(|spoken| {
            let name = transcript.id(stray.id);
            format!("No tool call found for {spoken} output with call_id {name}.")
        });
        found.add(Code::OrphanResult, entry, None, [stray.id].into(), says);
    }
}

/// A reasoning item is followed by the item it produced: the next item of the model.
fn reasoning(transcript: &Transcript, found: &mut Violations) {
    let mut follower: Option<Role> = None;
    for entry in (0..transcript.len()).rev() {
        let role = transcript.entries()[entry].role;
        if role == Role::Tool {
            continue;
        }
        if role != Role::Assistant || !is_reasoning(transcript, entry) {
            follower = Some(role);
            continue;
        }
        // At the very end of a log the item may still be on its way.
        let on_its_way = follower.is_none() && found.mode == Mode::Log;
        if follower == Some(Role::Assistant) || on_its_way {
            continue;
        }
        let id = item_id(transcript, entry);
        let says = id.map(|id| {
            format!(
                "Item '{id}' of type 'reasoning' was provided without its required following item."
            )
        });
        found.add(Code::ReasoningPair, entry, None, Vec::new(), says);
    }
}

/// Item ids are unique; the rest of the provider's text is not verified.
fn duplicate_items(transcript: &Transcript, found: &mut Violations) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (entry, content) in transcript.entries().iter().enumerate() {
        let is_reference = || &*item_type(transcript, entry) == "item_reference";
        if content.role == Role::User || is_reference() {
            continue;
        }
        if let Some(id) = item_id(transcript, entry)
            && !seen.insert(id.into_owned())
        {
            let calls = transcript.parts(entry).iter().filter_map(|part| match part.kind {
                crate::transcript::PartKind::Call { id, .. } => Some(id),
                _ => None,
            });
            found.add(Code::DuplicateCallId, entry, None, calls.collect(), None);
        }
    }
}

fn item_id(transcript: &Transcript, entry: usize) -> Option<Cow<'_, str>> {
    Node::parse(transcript.entry_text(entry)).ok()?.object().string("id")
}

fn item_type(transcript: &Transcript, entry: usize) -> Cow<'_, str> {
    let node = Node::parse(transcript.entry_text(entry)).ok();
    node.and_then(|node| node.object().string("type")).unwrap_or_default()
}
