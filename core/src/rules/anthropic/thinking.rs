//! Where thinking must stand, and where it may not.

use super::pairs::{self, Turn};
use super::{THINKING_FIRST, THINKING_FIRST_UNKNOWN, THINKING_MERGED, THINKING_OFF};
use crate::provider::Family;
use crate::rules::{Mode, Violations, is_result};
use crate::transcript::{PartKind, Role, Transcript};

pub(super) fn check(transcript: &Transcript, found: &mut Violations) {
    let request = transcript.request();
    if request.thinking_bound
        && let Some((entry, block)) = opens_without(transcript)
    {
        let sure = request.family == Family::ClaudeManual;
        let rule = if sure { THINKING_FIRST.answer() } else { THINKING_FIRST_UNKNOWN.answer() };
        found.add(rule, entry, None, [].into(), &[("found", block)]);
    }
    let newest = transcript.entries().iter().rposition(|entry| entry.role == Role::Assistant);
    let Some(newest) = newest else { return };
    let parts = transcript.parts(newest);
    let is_thinking = |part: &crate::transcript::Part| part.kind == PartKind::Thinking;
    let last = newest + 1 == transcript.len() && found.mode == Mode::Request;
    if last && request.thinking == Some(false) && request.family.prefills() != Some(false) {
        let thinking = parts.iter().position(is_thinking);
        if thinking.is_some() {
            found.broke(&THINKING_OFF, newest, thinking, [].into(), &[]);
        }
    }
    let call =
        parts.iter().position(|part| matches!(part.kind, PartKind::Call { server: false, .. }));
    if call.is_some_and(|call| parts[call..].iter().any(is_thinking)) {
        found.broke(&THINKING_MERGED, newest, None, [].into(), &[]);
    }
}

/// The newest response of the tool loop that is being worked on, and the block that it starts with, if no response of the
/// loop starts with thinking. Without interleaved thinking only the first of a loop does.
pub(in crate::rules) fn opens_without(transcript: &Transcript) -> Option<(usize, &'static str)> {
    let mut newest = None;
    for pair in pairs::turns(transcript).rchunks(2) {
        let [response, results] = pair else { break };
        let answers = pairs::parts(transcript, results).any(|(_, _, part)| is_result(part));
        if response.role != Role::Assistant || !answers {
            break;
        }
        let (entry, first) = opening(transcript, response)?;
        if first == PartKind::Thinking {
            return None;
        }
        newest = newest.or(Some((entry, first)));
    }
    let (entry, first) = newest?;
    match first {
        PartKind::Call { server: false, .. } => Some((entry, "tool_use")),
        PartKind::Call { .. } => Some((entry, "server_tool_use")),
        PartKind::Text => Some((entry, "text")),
        // What the provider calls any other block is not looked into.
        _ => None,
    }
}

fn opening(transcript: &Transcript, response: &Turn) -> Option<(usize, PartKind)> {
    let (entry, _, part) = pairs::parts(transcript, response).next()?;
    Some((entry, part.kind))
}
