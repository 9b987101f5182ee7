//! What the clever parts of the core must find, straight from the definitions and quadratic.

use std::collections::BTreeSet;

use pinfold::transcript::{Format, Part, PartKind, Transcript};

use super::{Piece, Plain};

/// An entry as it was read.
pub(crate) fn plain(transcript: &Transcript, entry: usize) -> Plain {
    let piece = |part: &Part| {
        let text = transcript.part_text(part).into_owned();
        match part.kind {
            PartKind::Text => Piece::Text(text),
            PartKind::Thinking => Piece::Thinking(text),
            PartKind::Call { id, .. } => Piece::Call(transcript.id(id).into()),
            PartKind::Result { id, .. } => Piece::Result(transcript.id(id).into(), text),
            PartKind::Media | PartKind::Opaque => panic!("a part that was not written: {text}"),
        }
    };
    Plain {
        role: transcript.entries()[entry].role.name(),
        pieces: transcript.parts(entry).iter().map(piece).collect(),
    }
}

/// The reasons of every boundary, straight from their definitions and quadratic.
pub(crate) fn naive_cuts(
    entries: &[Plain],
    format: Format,
) -> Vec<Vec<(&'static str, Vec<String>)>> {
    let (pairs, strays, open) = naive_pairs(entries);
    let len = entries.len();
    let model = |at: usize| entries[at].role == "assistant";
    let carries = |at: usize| entries[at].pieces.iter().any(|it| matches!(it, Piece::Result(..)));
    let prompt = |at: usize| entries[at].role == "user" && !carries(at);
    let newest = (0..len).rev().find(|&at| model(at));
    let start = newest.map(|end| (0..=end).rev().take_while(|&at| model(at)).last().unwrap_or(end));
    let behind = newest.map_or(0, |end| end + 1);
    let asked = (behind..len).find(|&at| prompt(at));
    let pending: Vec<String> = match (start, asked) {
        (Some(start), None) => {
            open.iter().filter(|(at, _)| *at >= start).map(|(_, id)| id.clone()).collect()
        }
        _ => Vec::new(),
    };
    // In the newest response itself a result is read once the model went on after it.
    let went_on = |(at, part): (usize, usize)| {
        (at..behind).any(|entry| {
            let skip = if entry == at { part + 1 } else { 0 };
            entries[entry].pieces.iter().skip(skip).any(|it| !matches!(it, Piece::Result(..)))
        })
    };
    let unread = pairs.iter().filter(|(_, to, _)| {
        start.is_some_and(|start| to.0 >= behind || to.0 >= start && !went_on(*to))
    });
    let unread: Vec<String> = unread.map(|(_, _, id)| id.clone()).collect();
    (0..=len)
        .map(|at| {
            let mut why: Vec<(&'static str, Vec<String>)> = Vec::new();
            let severed = pairs.iter().filter(|(from, to, _)| *from < at && at <= to.0);
            let severed: Vec<String> = severed.map(|(_, _, id)| id.clone()).collect();
            let begins = strays.iter().filter(|(entry, _)| *entry == at).map(|(_, id)| id.clone());
            let begins: Vec<String> = begins.collect();
            if !severed.is_empty() {
                why.push(("severs-pair", unique(severed)));
            } else if !begins.is_empty() {
                why.push(("begins-with-result", unique(begins)));
            }
            let splits = at > 0 && at < len && model(at - 1) && model(at);
            if splits {
                why.push(("splits-response", Vec::new()));
            } else if format == Format::OpenAiResponses && naive_detached(entries, at) {
                why.push(("detaches-reasoning", Vec::new()));
            }
            let live = start.is_some_and(|start| at > start);
            if live && !pending.is_empty() {
                why.push(("pending-call", unique(pending.clone())));
            }
            if live && !unread.is_empty() {
                why.push(("unconsumed-result", unique(unread.clone())));
            }
            if asked.is_some_and(|asked| at > asked) {
                why.push(("unanswered-prompt", Vec::new()));
            }
            why
        })
        .collect()
}

/// Whether a reasoning item before `at` led to an item at or after it, with nothing but results between.
fn naive_detached(entries: &[Plain], at: usize) -> bool {
    let thinks = |at: usize| matches!(entries[at].pieces[..], [Piece::Thinking(_)]);
    (0..at).any(|reasoning| {
        if !thinks(reasoning) {
            return false;
        }
        let next =
            (reasoning + 1..entries.len()).find(|&it| entries[it].role != "tool" && !thinks(it));
        next.is_some_and(|next| next >= at && entries[next].role == "assistant")
    })
}

/// Pairs with the entry and piece of their result, results without a call, and calls without a result.
pub(crate) type NaivePairs =
    (Vec<(usize, (usize, usize), String)>, Vec<(usize, String)>, Vec<(usize, String)>);

pub(crate) fn naive_pairs(entries: &[Plain]) -> NaivePairs {
    // The entry of each call, its id, and where its answer stands.
    type Called = (usize, String, Option<(usize, usize)>);
    let mut calls: Vec<Called> = Vec::new();
    let mut strays = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        for (part, piece) in entry.pieces.iter().enumerate() {
            match piece {
                Piece::Call(id) => calls.push((at, id.clone(), None)),
                Piece::Result(id, _) => {
                    match calls.iter_mut().rev().find(|call| call.1 == *id && call.2.is_none()) {
                        Some(call) => call.2 = Some((at, part)),
                        None => strays.push((at, id.clone())),
                    }
                }
                Piece::Text(_) | Piece::Thinking(_) => {}
            }
        }
    }
    let open =
        calls.iter().filter(|call| call.2.is_none()).map(|call| (call.0, call.1.clone())).collect();
    let pairs =
        calls.into_iter().filter_map(|(from, id, to)| to.map(|to| (from, to, id))).collect();
    (pairs, strays, open)
}

fn unique(ids: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    ids.into_iter().filter(|id| seen.insert(id.clone())).collect()
}

/// Whether `is` is `was` without some stretches, of each of which it says that it is gone.
pub(crate) fn trimmed(was: &str, is: &str) -> bool {
    let mut pieces = Vec::new();
    let (mut rest, mut gaps, mut from) = (is, 0, 0);
    while let Some(open) = rest[from..].find("[… ").map(|open| from + open) {
        let inside = &rest[open + "[… ".len()..];
        let digits = inside.chars().take_while(char::is_ascii_digit).count();
        let Some(after) = inside[digits..].strip_prefix(" tokens cut]") else {
            from = open + 1;
            continue;
        };
        pieces.push(&rest[..open]);
        let after = after.strip_prefix("\":null").unwrap_or(after);
        (rest, gaps, from) = (after.strip_prefix("\\\":null").unwrap_or(after), gaps + 1, 0);
    }
    pieces.push(rest);
    // Where it stands for an element of a list, it is a string.
    let bare = |piece: &&str| !piece.trim_matches(['"', '\\']).is_empty();
    let mut at = 0;
    for piece in pieces.iter().copied().filter(bare) {
        let piece = piece.trim_end_matches(['"', '\\']).trim_start_matches(['"', '\\']);
        match was[at..].find(piece) {
            Some(found) => at += found + piece.len(),
            None => return false,
        }
    }
    gaps > 0 && is.len() < was.len()
}
