//! How each kind of fault is mended. What nobody can know (a missing thinking block, tool definitions) is left.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::draft::Draft;
use super::{ChangeKind, ids};
use crate::formats::turn::{Piece, Turn, prompt, write};
use crate::json::{Node, quote};
use crate::pairing::{Call, Place};
use crate::places::{self, Seat};
use crate::rules::{Code, Severity, Violation};
use crate::transcript::{Format, Id, PartKind, Role, Span, Transcript};

/// Mends all faults of the first kind that can be mended; false if there is none.
pub(super) fn mend(draft: &mut Draft<'_>) -> bool {
    const KINDS: [fn(&mut Draft<'_>); 15] = [
        compactions,
        split_responses,
        doubled_calls,
        shared_ids,
        misplaced,
        strays,
        reasoning,
        emptiness,
        unanswered,
        bad_ids,
        heads,
        split_prompts,
        system_placement,
        cache_marks,
        tails,
    ];
    KINDS.iter().any(|kind| {
        kind(draft);
        draft.is_touched()
    })
}

/// What the provider compacted must be gone from in front of its signed block.
fn compactions(draft: &mut Draft<'_>) {
    let newest = draft.of(&[Code::CompactionBlock]).map(|violation| violation.entry).max();
    let Some(newest) = newest.filter(|&newest| newest > 0) else { return };
    for entry in 0..newest {
        if draft.transcript.entries()[entry].role != Role::System {
            draft.remove_entry(entry);
        }
    }
    let message =
        "What stands in front of the provider's compaction was taken out: the block stands for it.";
    draft.note(ChangeKind::Removed, Code::CompactionBlock, newest, &[], message);
}

/// A call that stands twice in one response is taken out once.
fn doubled_calls(draft: &mut Draft<'_>) {
    for violation in draft.of(&[Code::DuplicateCallId]) {
        let entry = violation.entry;
        if is_item(draft, violation) {
            doubled_item(draft, entry);
            continue;
        }
        for call in flagged_calls(draft, violation) {
            let Some(place) = surplus(draft, &call) else { continue };
            if draft.remove_part(place.entry as usize, place.part as usize) {
                let message =
                    "The same call stood twice in one response; one of the two was taken out.";
                draft.note(ChangeKind::Removed, violation.code, entry, &[call.id], message);
            }
        }
    }
}

/// A call that only shares an id gets its own. By now each call has the answers that are meant for it.
fn shared_ids(draft: &mut Draft<'_>) {
    let transcript = draft.transcript;
    let mut taken: BTreeSet<String> = transcript.ids.iter().cloned().collect();
    for violation in draft.of(&[Code::DuplicateCallId]) {
        if is_item(draft, violation) {
            continue;
        }
        for call in flagged_calls(draft, violation) {
            let form = ids::form(transcript.provider(), call.server);
            let new = form.fresh(transcript.id(call.id), &mut taken);
            rename(draft, call.place, call.id, &new);
            if let Some(answer) = call.answer {
                rename(draft, answer, call.id, &new);
            }
            let message = format!("Two calls shared this id; the later one is called {new} now.");
            draft.note(ChangeKind::Renamed, violation.code, violation.entry, &[call.id], &message);
        }
    }
}

/// Whether a violation is about an item's own id, which no result names.
fn is_item(draft: &Draft<'_>, violation: &Violation) -> bool {
    violation.part.is_none() && draft.transcript.wire() == Format::OpenAiResponses
}

/// The calls that a violation is about.
fn flagged_calls(draft: &Draft<'_>, violation: &Violation) -> Vec<Call> {
    let calls = &draft.structure.pairing.calls;
    let entry = violation.entry;
    let first = calls.partition_point(|call| (call.place.entry as usize) < entry);
    let here = calls[first..].iter().take_while(|call| call.place.entry as usize == entry);
    let is_it = |part: u32| violation.part.is_none_or(|flagged| part as usize == flagged);
    here.filter(|call| is_it(call.place.part)).copied().collect()
}

/// Of a call that says the same as an earlier one of its response, where there are fewer answers than calls, the one to
/// take out: the later one, unless its answer is in the same part.
fn surplus(draft: &Draft<'_>, call: &Call) -> Option<Place> {
    let transcript = draft.transcript;
    let rounds = &draft.structure.rounds;
    let after = rounds.partition_point(|round| round.response.start <= call.place.entry as usize);
    let round = &rounds[after.checked_sub(1)?];
    let calls = draft.structure.pairing.calls[round.calls.clone()].iter();
    let twins: Vec<_> = calls.filter(|twin| twin.id == call.id).collect();
    let part = |place: Place| &transcript.parts(place.entry as usize)[place.part as usize];
    let says =
        |place: Place| (transcript.call_name(part(place)), transcript.part_text(part(place)));
    if twins.iter().all(|twin| twin.answer.is_some()) {
        return None;
    }
    let twin = twins
        .iter()
        .find(|twin| twin.place < call.place && says(twin.place) == says(call.place))?;
    let whole = part(call.place).whole;
    let finished = call.answer.is_some_and(|answer| part(answer).whole == whole);
    match (finished, twin.answer) {
        (false, _) => Some(call.place),
        (true, None) => Some(twin.place),
        (true, Some(_)) => None,
    }
}

/// An item of Responses whose own id was used before.
fn doubled_item(draft: &mut Draft<'_>, entry: usize) {
    let transcript = draft.transcript;
    let text = transcript.entry_text(entry);
    if (0..entry).any(|other| transcript.entry_text(other) == text) {
        draft.remove_entry(entry);
        let message = "The same item stood twice; the second one was taken out.";
        draft.note(
            ChangeKind::Removed,
            Code::DuplicateCallId,
            entry,
            &calls_in(transcript, entry),
            message,
        );
    } else if draft.strip(entry, "id") {
        let message = "Two items shared an id of their own; the later one goes without.";
        draft.note(
            ChangeKind::Stripped,
            Code::DuplicateCallId,
            entry,
            &calls_in(transcript, entry),
            message,
        );
    }
}

fn calls_in(transcript: &Transcript, entry: usize) -> Vec<Id> {
    let parts = transcript.parts(entry).iter();
    parts
        .filter_map(|part| match part.kind {
            PartKind::Call { id, .. } => Some(id),
            _ => None,
        })
        .collect()
}

/// A result whose call is there, but elsewhere, goes home: right after the response of its call.
fn misplaced(draft: &mut Draft<'_>) {
    let mut moves: BTreeMap<Place, (Place, Id, Code)> = BTreeMap::new();
    let codes = &[
        Code::ResultOrder,
        Code::OrphanResult,
        Code::UnansweredCall,
        Code::PartRole,
        Code::DuplicateResult,
    ];
    let pairing = &draft.structure.pairing;
    // Of each id the calls that wait, for results that came too early.
    let waiting: BTreeMap<Id, Place> = pairing
        .calls
        .iter()
        .filter(|call| call.answer.is_none() && !call.server)
        .map(|call| (call.id, call.place))
        .collect();
    let stray_of: BTreeMap<Id, Place> = pairing
        .strays
        .iter()
        .filter(|stray| !stray.duplicate)
        .map(|stray| (stray.id, stray.place))
        .collect();
    let mut pairs: BTreeMap<Id, Vec<(Place, Place)>> = BTreeMap::new();
    for (call, answer) in pairing.pairs().filter(|(call, _)| !call.server) {
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
    // Where roles alternate, a prompt takes the results in.
    let takes = leading > 0 || transcript.wire() == Format::Bedrock;
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

/// The place right behind the response of an entry; Chat and Gemini look right behind the entry itself.
fn behind(draft: &Draft<'_>, entry: usize) -> usize {
    match draft.transcript.wire() {
        Format::Gemini | Format::LangChain | Format::OpenAiChat => entry + 1,
        _ => response_of(draft, entry).map_or(entry + 1, |response| response.end),
    }
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

fn response_of(draft: &Draft<'_>, entry: usize) -> Option<core::ops::Range<usize>> {
    let responses = &draft.structure.responses;
    let after = responses.partition_point(|response| response.start <= entry);
    let response = responses.get(after.checked_sub(1)?)?;
    response.contains(&entry).then(|| response.clone())
}

/// What answers nothing, or a second time, is taken out; of two answers the one that is no error stays.
fn strays(draft: &mut Draft<'_>) {
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

/// Reasoning that may not stand alone goes; an item that must have its own forgets that it had any.
fn reasoning(draft: &mut Draft<'_>) {
    for violation in draft.of(&[Code::ReasoningPair]) {
        let entry = violation.entry;
        match draft.transcript.wire() {
            Format::OpenAiResponses => responses_reasoning(draft, entry),
            Format::Gemini => sign(draft, violation),
            Format::OpenAiChat => {
                let object = draft.transcript.entries()[entry].span;
                if places::member(draft.transcript.text(), object, "reasoning_content").is_some() {
                    draft.strip(entry, "reasoning_content");
                }
                draft.add_member(entry, object, "reasoning_content", "\"\"");
                let message =
                    "An empty `reasoning_content` was put in, which the provider accepts.";
                draft.note(ChangeKind::Added, violation.code, entry, &[], message);
            }
            _ => {
                let Some(part) = violation.part else { continue };
                let is_thinking = draft.transcript.parts(entry)[part].kind == PartKind::Thinking;
                if is_thinking && draft.remove_part(entry, part) {
                    let message = "Thinking that the provider would refuse here was taken out.";
                    draft.note(ChangeKind::Removed, violation.code, entry, &[], message);
                }
            }
        }
    }
}

fn responses_reasoning(draft: &mut Draft<'_>, entry: usize) {
    if crate::cut::is_reasoning(draft.transcript, entry) {
        draft.remove_entry(entry);
        let message = "The reasoning lost the item that it led to; it was taken out.";
        draft.note(ChangeKind::Removed, Code::ReasoningPair, entry, &[], message);
    } else if draft.strip(entry, "id") {
        let ids = calls_in(draft.transcript, entry);
        let message = "The item lost its reasoning; without its own id it needs none.";
        draft.note(ChangeKind::Stripped, Code::ReasoningPair, entry, &ids, message);
    }
}

fn sign(draft: &mut Draft<'_>, violation: &Violation) {
    let Some(part) = violation.part else { return };
    let object = draft.transcript.parts(violation.entry)[part].whole;
    let value = "\"skip_thought_signature_validator\"";
    draft.add_member(violation.entry, object, "thoughtSignature", value);
    let message = "The signature that Gemini documents for calls of another origin was put in.";
    draft.note(ChangeKind::Signed, violation.code, violation.entry, &violation.ids, message);
}

/// Text without words goes; an entry that had nothing else goes with it.
fn emptiness(draft: &mut Draft<'_>) {
    let transcript = draft.transcript;
    for violation in draft.of(&[Code::EmptyContent]) {
        let entry = violation.entry;
        if entry >= transcript.len() {
            continue;
        }
        let text = transcript.text();
        let span = transcript.entries()[entry].span;
        let calls = places::member(text, span, "tool_calls");
        if calls.is_some_and(|(_, calls)| Node::at(text, calls).array().is_empty())
            && calls.is_some_and(|(_, calls)| Node::at(text, calls).is_array())
            && draft.strip(entry, "tool_calls")
        {
            let message = "An empty list of calls was taken out.";
            draft.note(ChangeKind::Stripped, violation.code, entry, &[], message);
            continue;
        }
        let parts = transcript.parts(entry);
        let blank: Vec<usize> = (0..parts.len())
            .filter(|&part| {
                parts[part].kind == PartKind::Text
                    && transcript.part_text(&parts[part]).trim().is_empty()
            })
            .collect();
        let mut any = parts.is_empty();
        for part in blank {
            any |= draft.remove_part(entry, part);
        }
        if parts.is_empty() {
            draft.remove_entry(entry);
        }
        if any {
            let message = "Content without words was taken out.";
            draft.note(ChangeKind::Removed, violation.code, entry, &[], message);
        }
    }
}

/// What the answer to a dead call says. It claims nothing about what the call did.
pub(crate) const UNKNOWN: &str = "No result of this call was recorded, so its outcome is unknown: it may have run as a \
                                  whole, in part, or not at all.";

/// A dead call is answered: the model learns that nobody knows what came of it.
fn unanswered(draft: &mut Draft<'_>) {
    let wire = draft.transcript.wire();
    // By the response that they are about: some providers name its first entry, some that of the call.
    let mut flagged: BTreeSet<(usize, Id)> = BTreeSet::new();
    let start = |draft: &Draft<'_>, entry| response_of(draft, entry).map_or(entry, |it| it.start);
    for violation in draft.of(&[Code::UnansweredCall, Code::ResultOrder]) {
        let response = start(draft, violation.entry);
        flagged.extend(violation.ids.iter().map(|&id| (response, id)));
    }
    let mut homes: BTreeMap<usize, Vec<(Option<usize>, String)>> = BTreeMap::new();
    let structure = draft.structure;
    for call in structure.pairing.calls.iter().filter(|call| call.answer.is_none()) {
        let (entry, part) = (call.place.entry as usize, call.place.part as usize);
        if call.server || !flagged.contains(&(start(draft, entry), call.id)) {
            continue;
        }
        if wire == Format::AiSdkUi {
            finish(draft, entry, part);
        } else {
            let content = &draft.transcript.parts(entry)[part];
            let name = draft.transcript.call_name(content).into_owned();
            let piece = Piece::Result {
                id: draft.name(call.id).into(),
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

/// Finishes a tool part of a UI message with an error.
fn finish(draft: &mut Draft<'_>, entry: usize, part: usize) {
    let text = draft.transcript.text();
    let whole = draft.transcript.parts(entry)[part].whole;
    let (object, state, key) = match places::member(text, whole, "toolInvocation") {
        Some((_, inner)) => (inner, "\"result\"", "result"),
        None => (whole, "\"output-error\"", "errorText"),
    };
    if let Some((_, value)) = places::member(text, object, "state") {
        draft.splice(entry, value.range(), state.into());
    }
    draft.add_member(entry, object, key, &quote(UNKNOWN));
}

/// Ids of the wrong form are rewritten in calls and results, by one map that keeps them apart.
fn bad_ids(draft: &mut Draft<'_>) {
    let transcript = draft.transcript;
    let flagged: Vec<&Violation> = draft.of(&[Code::BadId]).collect();
    if flagged.is_empty() {
        return;
    }
    let mut wrong: BTreeSet<Id> = BTreeSet::new();
    for violation in flagged {
        if violation.ids.is_empty() || transcript.wire() == Format::OpenAiResponses {
            if draft.strip(violation.entry, "id") {
                let message = "An item's own id had a wrong form; the item goes without.";
                draft.note(
                    ChangeKind::Stripped,
                    violation.code,
                    violation.entry,
                    &violation.ids,
                    message,
                );
            }
            continue;
        }
        wrong.extend(&violation.ids);
    }
    let mut taken: BTreeSet<String> = transcript.ids.iter().cloned().collect();
    let mut names: BTreeMap<Id, String> = BTreeMap::new();
    for entry in 0..transcript.len() {
        for (part, content) in transcript.parts(entry).iter().enumerate() {
            let (id, server) = match content.kind {
                PartKind::Call { id, server, .. } | PartKind::Result { id, server, .. } => {
                    (id, server)
                }
                _ => continue,
            };
            if !wrong.contains(&id) {
                continue;
            }
            let known = names.contains_key(&id);
            let form = ids::form(transcript.provider(), server);
            let new = names
                .entry(id)
                .or_insert_with(|| form.fresh(transcript.id(id), &mut taken))
                .clone();
            rename(draft, Place { entry: entry as u32, part: part as u32 }, id, &new);
            if !known {
                let message = format!(
                    "The provider refuses the form of this id; it is {new} now, in call and result."
                );
                draft.note(ChangeKind::Renamed, Code::BadId, entry, &[id], &message);
            }
        }
    }
}

/// Rewrites the id of the call or result at a place.
pub(super) fn rename_at(draft: &mut Draft<'_>, place: Place, new: &str) {
    let content = &draft.transcript.parts(place.entry as usize)[place.part as usize];
    if let PartKind::Call { id, .. } | PartKind::Result { id, .. } = content.kind {
        rename(draft, place, id, new);
    }
}

/// Rewrites the id of a call or a result where it stands; one that has none gets it.
fn rename(draft: &mut Draft<'_>, place: Place, id: Id, new: &str) {
    let (entry, part) = (place.entry as usize, place.part as usize);
    let transcript = draft.transcript;
    let content = &transcript.parts(entry)[part];
    let places = places::ids(transcript.text(), content.whole, transcript.id(id));
    if places.is_empty() {
        let key = match (content.kind, transcript.wire()) {
            (PartKind::Call { .. }, _) => "id",
            (_, Format::Anthropic) => "tool_use_id",
            _ => "tool_call_id",
        };
        draft.add_member(entry, content.whole, key, &quote(new));
    }
    for span in places {
        draft.splice(entry, span.range(), quote(new));
    }
}

/// What a plain opening says.
const OPENING: &str = "(The beginning of this conversation is no longer here.)";

fn heads(draft: &mut Draft<'_>) {
    let Some(violation) = draft.of(&[Code::HeadRole]).next() else { return };
    let entries = draft.transcript.entries();
    let at = entries.iter().position(|entry| entry.role != Role::System).unwrap_or(entries.len());
    draft.insert_entry(at, None, prompt(draft.transcript.wire(), OPENING));
    let message = "The conversation may not begin like this; a plain user entry was put in front.";
    draft.note(ChangeKind::Opened, violation.code, at, &[], message);
}

/// First the responses, so that every result finds its call in the one before it.
fn split_responses(draft: &mut Draft<'_>) {
    merge(draft, |role| role == Role::Assistant);
}

/// By now results are where they belong, and what is still split is what was said.
fn split_prompts(draft: &mut Draft<'_>) {
    merge(draft, |role| role != Role::Assistant);
}

/// Entries of one role in a row become one, where the provider wants turns to alternate.
fn merge(draft: &mut Draft<'_>, is_role: fn(Role) -> bool) {
    let transcript = draft.transcript;
    let text = transcript.text();
    let entries = transcript.entries();
    let mut into: Option<usize> = None;
    let mut newest = usize::MAX;
    for violation in draft.of(&[Code::RoleOrder]) {
        let entry = violation.entry;
        if violation.severity != Severity::Error || entry == 0 || entry == newest {
            continue;
        }
        // A run of one role is merged into its first entry.
        let target = into.filter(|_| newest == entry - 1).unwrap_or(entry - 1);
        let lists =
            (places::blocks(text, entries[target].span), places::blocks(text, entries[entry].span));
        let (Some(list), Some(own)) = lists else { continue };
        if entries[target].role != entries[entry].role || !is_role(entries[entry].role) {
            continue;
        }
        let end = Node::at(text, list).array().len();
        for block in Node::at(text, own).array() {
            draft.insert_block(target, list, end, block.raw().into());
        }
        draft.remove_entry(entry);
        let message = "It has the role of the entry before it, which the provider refuses; the two are one now.";
        draft.note(ChangeKind::Merged, violation.code, entry, &[], message);
        (into, newest) = (Some(target), entry);
    }
}

/// An instruction in the middle moves to the next place where it may stand: behind a user turn.
fn system_placement(draft: &mut Draft<'_>) {
    let transcript = draft.transcript;
    let entries = transcript.entries();
    for violation in draft.of(&[Code::SystemPlacement]) {
        let from = violation.entry;
        let fits = |&at: &usize| {
            entries[at - 1].role == Role::User
                && entries.get(at).is_none_or(|entry| entry.role == Role::Assistant)
        };
        let Some(at) = (from + 2..=entries.len()).find(fits) else { continue };
        draft.remove_entry(from);
        draft.insert_entry(at, Some(from), transcript.entry_text(from).into());
        let message = "The instruction stood where the provider refuses it; it was moved behind the next user turn.";
        draft.note(ChangeKind::Moved, violation.code, from, &[], message);
    }
}

/// The most marks for the prompt cache that Anthropic takes.
const MARKS: usize = 4;

/// The oldest marks for the prompt cache go.
fn cache_marks(draft: &mut Draft<'_>) {
    let Some(violation) = draft.of(&[Code::CacheBreakpoints]).next() else { return };
    let transcript = draft.transcript;
    let text = transcript.text();
    let fixed = transcript.request().fixed.iter();
    let fixed: usize =
        fixed.map(|it| text[it.span.range()].matches("\"cache_control\"").count()).sum();
    let mut marks = Vec::new();
    for (entry, content) in transcript.entries().iter().enumerate() {
        let Some(list) = places::blocks(text, content.span) else { continue };
        for block in Node::at(text, list).array() {
            let object = block.span_in(text);
            marks.extend(
                places::member(text, object, "cache_control").map(|(at, _)| (entry, object, at)),
            );
        }
    }
    let surplus = (marks.len() + fixed).saturating_sub(MARKS).min(marks.len());
    for &(entry, object, index) in &marks[..surplus] {
        draft.splice(entry, places::member_range(text, object, index), String::new());
    }
    if surplus > 0 {
        let message = format!("The {surplus} oldest marks for the prompt cache were taken out.");
        draft.note(ChangeKind::Stripped, violation.code, marks[0].0, &[], &message);
    }
}

/// What a plain ending says.
const ENDING: &str = "Continue.";

fn tails(draft: &mut Draft<'_>) {
    let tail = draft.of(&[Code::TailRole]).find(|violation| violation.severity == Severity::Error);
    let Some(violation) = tail else { return };
    let entry = violation.entry;
    if let Some(part) = violation.part
        && draft.transcript.parts(entry)[part].kind == PartKind::Thinking
    {
        draft.remove_part(entry, part);
        let message = "The conversation may not end on thinking; it was taken out.";
        draft.note(ChangeKind::Removed, violation.code, entry, &[], message);
        return;
    }
    let at = draft.transcript.len();
    draft.insert_entry(at, None, prompt(draft.transcript.wire(), ENDING));
    let message =
        "The conversation may not end on the assistant; a plain user entry was put behind it.";
    draft.note(ChangeKind::Closed, violation.code, entry, &[], message);
}
