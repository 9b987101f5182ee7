//! Results: out of place, without their call, missing.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::calls::rename_at;
use super::{behind, response_of};
use crate::formats::turn::{Piece, Turn, write};
use crate::json::quote;
use crate::pairing::{Call, Place};
use crate::places::{self, Seat};
use crate::repair::draft::Draft;
use crate::repair::{ChangeKind, ids};
use crate::rules::Code;
use crate::transcript::{Format, Id, PartKind, Role, Span};

/// A result whose call is there, but elsewhere, goes home: right after the response of its call.
pub(super) fn misplaced(draft: &mut Draft<'_>) {
    let mut moves: BTreeMap<Place, (Place, Id, Code)> = BTreeMap::new();
    let codes = &[
        Code::ResultOrder,
        Code::OrphanResult,
        Code::UnansweredCall,
        Code::PartRole,
        Code::DuplicateResult,
    ];
    let pairing = &draft.structure.pairing;
    // A call in an entry that is not the model's has nothing right behind it where the provider would look.
    let entries = draft.transcript.entries();
    let has_home =
        |call: &Call| !call.server && entries[call.place.entry as usize].role == Role::Assistant;
    // Of each id the calls that wait, for results that came too early.
    let waiting: BTreeMap<Id, Place> = pairing
        .calls
        .iter()
        .filter(|call| call.answer.is_none() && has_home(call))
        .map(|call| (call.id, call.place))
        .collect();
    let stray_of: BTreeMap<Id, Place> = pairing
        .strays
        .iter()
        .filter(|stray| !stray.duplicate)
        .map(|stray| (stray.id, stray.place))
        .collect();
    let mut pairs: BTreeMap<Id, Vec<(Place, Place)>> = BTreeMap::new();
    for (call, answer) in pairing.pairs().filter(|(call, _)| has_home(call)) {
        pairs.entry(call.id).or_default().push((call.place, answer));
    }
    for violation in draft.of(codes) {
        let entry = violation.entry as u32;
        for &id in &violation.ids {
            let about =
                |(call, answer): &&(Place, Place)| call.entry == entry || answer.entry == entry;
            let pairs = pairs.get(&id).into_iter().flatten();
            for &(call, answer) in pairs.filter(about) {
                if !is_home(draft, call, answer) {
                    moves.insert(answer, (call, id, violation.code));
                }
            }
            if let (Some(&call), Some(&stray)) = (waiting.get(&id), stray_of.get(&id)) {
                moves.insert(stray, (call, id, violation.code));
            }
        }
    }
    // In their own order: where results have no ids, it says which call each answers.
    let mut homes: BTreeMap<usize, Vec<(Option<usize>, String)>> = BTreeMap::new();
    for (answer, (call, id, code)) in moves {
        let (entry, part) = (answer.entry as usize, answer.part as usize);
        let text = draft.whole(entry, part).to_string();
        let origin = (draft.transcript.parts(entry)[part].whole
            == draft.transcript.entries()[entry].span)
            .then_some(entry);
        if draft.remove_part(entry, part) {
            homes.entry(call.entry as usize).or_default().push((origin, text));
            let message = "The result stood away from its call; it was moved right behind it.";
            draft.note(ChangeKind::Moved, code, entry, &[id], message);
        }
    }
    bring_home(draft, homes);
}

/// Whether a result stands where the provider of its format looks for it.
fn is_home(draft: &Draft<'_>, call: Place, answer: Place) -> bool {
    let entry = answer.entry as usize;
    match home(draft, call.entry as usize) {
        Home::List { entry: seat, leading, .. } => {
            seat == entry && (answer.part as usize) < leading
        }
        Home::Before(end) => (behind(draft, call.entry as usize)..end).contains(&entry),
    }
}

/// Where results of a response belong.
enum Home {
    /// Into the list of an entry that is there: at an element, behind its `leading` results.
    List { entry: usize, list: Span, at: usize, leading: usize },
    /// Into an entry of their own, before this one.
    Before(usize),
}

fn home(draft: &Draft<'_>, call: usize) -> Home {
    let transcript = draft.transcript;
    let next = behind(draft, call);
    if is_one_result_an_entry(transcript.wire()) {
        let entries = transcript.entries()[next..].iter();
        return Home::Before(next + entries.take_while(|entry| entry.role == Role::Tool).count());
    }
    let Some(entry) = transcript.entries().get(next) else { return Home::Before(next) };
    let Some(list) = places::blocks(transcript.text(), entry.span) else {
        return Home::Before(next);
    };
    let parts = transcript.parts(next);
    let is_result = |kind: &PartKind| matches!(kind, PartKind::Result { .. });
    let leading = parts.iter().take_while(|part| is_result(&part.kind)).count();
    // Where roles alternate, a prompt takes the results in; an entry that nobody can read takes nothing.
    let unread = parts.iter().any(|part| part.whole == entry.span);
    let takes = leading > 0 || transcript.wire() == Format::Bedrock && !unread;
    if entry.role == Role::Assistant || entry.role == Role::System || !takes {
        return Home::Before(next);
    }
    let seat = leading
        .checked_sub(1)
        .and_then(|last| places::seat(transcript.text(), entry.span, parts[last].whole));
    let at = match seat {
        Some(Seat::Element { index, .. }) => index + 1,
        _ => 0,
    };
    Home::List { entry: next, list, at, leading }
}

fn is_one_result_an_entry(wire: Format) -> bool {
    matches!(wire, Format::OpenAiChat | Format::OpenAiResponses | Format::LangChain)
}

/// Puts results where those of the calls in each entry belong.
fn bring_home(draft: &mut Draft<'_>, homes: BTreeMap<usize, Vec<(Option<usize>, String)>>) {
    let wire = draft.transcript.wire();
    let mut fresh: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (call, results) in homes {
        for (origin, text) in results {
            match home(draft, call) {
                Home::List { entry, list, at, .. } if !draft.is_removed(entry) => {
                    draft.insert_block(entry, list, at, text);
                }
                Home::List { entry: at, .. } | Home::Before(at) => {
                    if is_one_result_an_entry(wire) {
                        draft.insert_entry(at, origin, text);
                    } else {
                        fresh.entry(at).or_default().push(text);
                    }
                }
            }
        }
    }
    for (at, blocks) in fresh {
        let (role, list) = match wire {
            Format::AiSdk => ("tool", "content"),
            Format::Gemini => ("user", "parts"),
            Format::OpenTelemetry => ("tool", "parts"),
            _ => ("user", "content"),
        };
        let blocks = blocks.join(",");
        draft.insert_entry(at, None, format!("{{\"role\":\"{role}\",\"{list}\":[{blocks}]}}"));
    }
}

/// What answers nothing, or a second time, is taken out; of two answers the one that is no error stays.
pub(super) fn strays(draft: &mut Draft<'_>) {
    let codes = &[
        Code::OrphanResult,
        Code::DuplicateResult,
        Code::ServerPair,
        Code::PartRole,
        Code::ResultOrder,
    ];
    let flagged: BTreeMap<usize, Code> =
        draft.of(codes).map(|violation| (violation.entry, violation.code)).collect();
    let structure = draft.structure;
    // Of each id the newest answer.
    let answered: BTreeMap<Id, Place> =
        structure.pairing.pairs().map(|(call, answer)| (call.id, answer)).collect();
    for stray in &structure.pairing.strays {
        let (entry, part) = (stray.place.entry as usize, stray.place.part as usize);
        let Some(&code) = flagged.get(&entry) else { continue };
        if stray.duplicate && swap(draft, &answered, stray.id, stray.place) {
            continue;
        }
        if draft.remove_part(entry, part) {
            let message = if stray.duplicate {
                "The call was answered before; the second result was taken out."
            } else {
                "The result answers no call; it was taken out."
            };
            draft.note(ChangeKind::Removed, code, entry, &[stray.id], message);
        }
    }
    let halves: BTreeSet<(usize, Id)> = draft
        .of(&[Code::ServerPair])
        .flat_map(|violation| violation.ids.iter().map(|&id| (violation.entry, id)))
        .collect();
    for call in structure.pairing.calls.iter().filter(|call| call.server && call.answer.is_none()) {
        let (entry, part) = (call.place.entry as usize, call.place.part as usize);
        if halves.contains(&(entry, call.id)) && draft.remove_part(entry, part) {
            let message = "A call that the provider runs has no result, which nobody else can write; it was taken out.";
            draft.note(ChangeKind::Removed, Code::ServerPair, entry, &[call.id], message);
        }
    }
}

/// Where the first answer is an error and the second is not, the second was the real one: it takes the first one's place.
fn swap(draft: &mut Draft<'_>, answered: &BTreeMap<Id, Place>, id: Id, second: Place) -> bool {
    let transcript = draft.transcript;
    let is_error = |place: Place| {
        let part = &transcript.parts(place.entry as usize)[place.part as usize];
        matches!(part.kind, PartKind::Result { error: true, .. })
    };
    let first = answered.get(&id).filter(|first| **first < second);
    let Some(first) = first.filter(|first| is_error(**first) && !is_error(second)) else {
        return false;
    };
    let (entry, part) = (first.entry as usize, first.part as usize);
    if !draft.remove_part(entry, part) {
        return false;
    }
    let message = "The call was answered twice, first by an error; the result that is none stays.";
    draft.note(ChangeKind::Removed, Code::DuplicateResult, entry, &[id], message);
    true
}

/// What the answer to a dead call says. It claims nothing about what the call did.
pub(crate) const UNKNOWN: &str = "No result of this call was recorded, so its outcome is unknown: it may have run as a \
                                  whole, in part, or not at all.";

/// A dead call is answered: the model learns that nobody knows what came of it.
pub(super) fn unanswered(draft: &mut Draft<'_>) {
    let wire = draft.transcript.wire();
    // By the response that they are about: some providers name its first entry, some that of the call.
    let mut flagged: BTreeSet<(usize, Id)> = BTreeSet::new();
    let start = |draft: &Draft<'_>, entry| response_of(draft, entry).map_or(entry, |it| it.start);
    for violation in draft.of(&[Code::UnansweredCall, Code::ResultOrder]) {
        let response = start(draft, violation.entry);
        flagged.extend(violation.ids.iter().map(|&id| (response, id)));
    }
    let mut homes: BTreeMap<usize, Vec<(Option<usize>, String)>> = BTreeMap::new();
    let mut taken: BTreeSet<String> = draft.transcript.ids.names().map(String::from).collect();
    let structure = draft.structure;
    for call in structure.pairing.calls.iter().filter(|call| call.answer.is_none()) {
        let (entry, part) = (call.place.entry as usize, call.place.part as usize);
        if call.server || !flagged.contains(&(start(draft, entry), call.id)) {
            continue;
        }
        if wire == Format::AiSdkUi {
            finish(draft, entry, part);
        } else if let Some(result) = named_answer(draft, call.place) {
            homes.entry(entry).or_default().push((None, result));
        } else {
            let content = &draft.transcript.parts(entry)[part];
            let name = draft.transcript.call_name(content).into_owned();
            // Where something else stands in its place there is nothing to answer: that is left, and named.
            let Some(id) = answered_id(draft, call, &mut taken) else { continue };
            let piece = Piece::Result {
                id: id.into(),
                name: name.into(),
                text: UNKNOWN.into(),
                error: true,
            };
            let entry_text = write(wire, &[Turn::of(Role::User, [piece].into())]).pop();
            let Some((_, result)) = entry_text else { continue };
            let result =
                if is_one_result_an_entry(wire) { result } else { places::first_block(&result) };
            homes.entry(entry).or_default().push((None, result));
        }
        let message = "The call was never answered; a result now says that its outcome is unknown.";
        draft.note(ChangeKind::Answered, Code::UnansweredCall, entry, &[call.id], message);
    }
    bring_home(draft, homes);
}

/// The answer to a call in Chat's form before `tool_calls`, which has no id: a message of its name.
fn named_answer(draft: &Draft<'_>, call: Place) -> Option<String> {
    let transcript = draft.transcript;
    let content = &transcript.parts(call.entry as usize)[call.part as usize];
    let entry = transcript.entries()[call.entry as usize].span;
    let (_, member) = places::member(transcript.text(), entry, "function_call")?;
    if transcript.wire() != Format::OpenAiChat || member != content.whole {
        return None;
    }
    let name = quote(&transcript.call_name(content));
    let words = quote(UNKNOWN);
    Some(format!("{{\"role\":\"function\",\"name\":{name},\"content\":{words}}}"))
}

/// The id under which a call is answered. One that has none gets it, unless its format answers by name and place and no call
/// has one; `None` if it has no place for one.
fn answered_id(draft: &mut Draft<'_>, call: &Call, taken: &mut BTreeSet<String>) -> Option<String> {
    let wire = draft.transcript.wire();
    let name = draft.name(call.id);
    // Beside calls that have one it would be taken for the answer of another.
    let calls = &draft.structure.pairing.calls;
    let by_name = matches!(wire, Format::Gemini | Format::OpenTelemetry)
        && calls.iter().all(|call| draft.name(call.id).is_empty());
    if !name.is_empty() || by_name {
        return Some(name.into());
    }
    let part = &draft.transcript.parts(call.place.entry as usize)[call.place.part as usize];
    places::id_home(draft.transcript, part)?;
    let new = ids::form(draft.transcript.provider(), false).fresh("", taken);
    rename_at(draft, call.place, &new);
    let message = format!("The call had no id; it is called {new} now.");
    draft.note(ChangeKind::Renamed, Code::BadId, call.place.entry as usize, &[call.id], &message);
    Some(new)
}

/// Finishes a tool part of a UI message with an error.
fn finish(draft: &mut Draft<'_>, entry: usize, part: usize) {
    let text = draft.transcript.text();
    let whole = draft.transcript.parts(entry)[part].whole;
    let (object, state, key) = match places::member(text, whole, "toolInvocation") {
        Some((_, inner)) => (inner, "\"result\"", "result"),
        None => (whole, "\"output-error\"", "errorText"),
    };
    draft.set_member(entry, object, "state", state);
    draft.set_member(entry, object, key, &quote(UNKNOWN));
}
