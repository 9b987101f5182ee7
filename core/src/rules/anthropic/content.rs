//! What comes first and last, what may not be empty, and the tools that calls need.

use super::{
    BLANK_TEXT, EMPTY_LIST, EMPTY_TEXT, EMPTY_USER, HEAD_ROLE, NO_TOOLS, TAIL_ROLE,
    TAIL_ROLE_UNKNOWN, TAIL_THINKING, TRAILING_SPACE,
};
use crate::exchange::Structure;
use crate::json::Node;
use crate::rules::{Mode, Rule, Violations, block, members};
use crate::transcript::{Part, PartKind, Role, Transcript};

pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    ends(transcript, structure, found);
    for entry in 0..transcript.len() {
        emptiness(transcript, found, entry);
    }
    no_tools(transcript, structure, found, &NO_TOOLS);
}

/// The first message must be the user's; on Claude 4.6 and later the last one too.
fn ends(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let role = |entry: usize| transcript.entries()[entry].role;
    let Some(last) = transcript.len().checked_sub(1) else {
        if found.mode == Mode::Request {
            found.broke(&EMPTY_LIST, 0, None, [].into(), &[]);
        }
        return;
    };
    if role(0) == Role::Assistant && !starts_compacted(transcript) {
        found.broke(&HEAD_ROLE, 0, None, [].into(), &[]);
    }
    let open = !structure.tail.pending.is_empty();
    if found.mode == Mode::Log || role(last) != Role::Assistant || open {
        return;
    }
    let final_part = transcript.parts(last).last();
    let thinks = final_part.is_some_and(|part| part.kind == PartKind::Thinking);
    let spaced = |part: &Part| {
        let text = transcript.part_text(part);
        part.kind == PartKind::Text && text.ends_with(char::is_whitespace)
    };
    match transcript.request().family.prefills() {
        Some(false) => found.broke(&TAIL_ROLE, last, None, [].into(), &[]),
        _ if thinks => {
            let part = transcript.parts(last).len() - 1;
            found.broke(&TAIL_THINKING, last, Some(part), [].into(), &[]);
        }
        None => found.broke(&TAIL_ROLE_UNKNOWN, last, None, [].into(), &[]),
        Some(true) if final_part.is_some_and(spaced) => {
            found.broke(&TRAILING_SPACE, last, None, [].into(), &[]);
        }
        Some(true) => {}
    }
}

/// Whether the transcript begins with the provider's own compaction, which stands for what came before it.
fn starts_compacted(transcript: &Transcript) -> bool {
    let first = transcript.parts(0).first().filter(|_| transcript.compaction().is_some());
    first
        .is_some_and(|part| block(transcript, part).string("type").as_deref() == Some("compaction"))
}

/// An assistant message may be empty as a whole (measured); a user message may not, and no text block may.
fn emptiness(transcript: &Transcript, found: &mut Violations, entry: usize) {
    let user = transcript.entries()[entry].role == Role::User;
    let parts = transcript.parts(entry);
    let is_text = |part: &&Part| part.kind == PartKind::Text;
    let blank = |part: &Part| transcript.part_text(part).trim().is_empty();
    let empty = |part: &Part| transcript.part_text(part).is_empty();
    if parts.is_empty() || parts.iter().filter(is_text).any(blank) {
        let in_blocks = members(transcript, entry).field("content").is_some_and(Node::is_array);
        let nothing = parts.is_empty() || !in_blocks && parts.iter().all(empty);
        let all_blank = !parts.is_empty() && parts.iter().all(|part| is_text(&part) && blank(part));
        if user && nothing {
            found.broke(&EMPTY_USER, entry, None, [].into(), &[]);
        } else if in_blocks && parts.iter().filter(is_text).any(empty) {
            found.broke(&EMPTY_TEXT, entry, None, [].into(), &[]);
        } else if user && all_blank {
            found.broke(&BLANK_TEXT, entry, None, [].into(), &[]);
        }
    }
}

/// A request with calls or results must define tools. A store of messages is no request: it names no model.
pub(in crate::rules) fn no_tools(
    transcript: &Transcript,
    structure: &Structure,
    found: &mut Violations,
    rule: &Rule,
) {
    let request = transcript.request();
    let first = structure.pairing.calls.iter().find(|call| !call.server).map(|call| call.place);
    let stray = structure.pairing.strays.first().map(|stray| stray.place);
    if let Some(place) = first.into_iter().chain(stray).min()
        && request.model.is_some()
        && !request.tools
    {
        found.broke(rule, place.entry as usize, None, [].into(), &[]);
    }
}
