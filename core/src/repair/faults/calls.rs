//! Calls and their ids: doubled, shared, of a wrong form.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::quote;
use crate::pairing::{Call, Place};
use crate::places;
use crate::repair::draft::Draft;
use crate::repair::{ChangeKind, ids};
use crate::rules::{Code, Violation};
use crate::transcript::{Format, Id, Part, PartKind, Transcript};

/// A call that stands twice in one response is taken out once.
pub(super) fn doubled_calls(draft: &mut Draft<'_>) {
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
pub(super) fn shared_ids(draft: &mut Draft<'_>) {
    let transcript = draft.transcript;
    let mut taken: BTreeSet<String> = transcript.ids.names().map(String::from).collect();
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
    let after = draft.structure.responses_before(call.place.entry as usize + 1);
    let round = draft.structure.round(after.checked_sub(1)?)?;
    let calls = draft.structure.pairing.calls[round.calls].iter();
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

pub(super) fn calls_in(transcript: &Transcript, entry: usize) -> Vec<Id> {
    let parts = transcript.parts(entry).iter();
    parts
        .filter_map(|part| match part.kind {
            PartKind::Call { id, .. } => Some(id),
            _ => None,
        })
        .collect()
}

/// Ids of the wrong form are rewritten in calls and results, by one map that keeps them apart.
pub(super) fn bad_ids(draft: &mut Draft<'_>) {
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
    let mut taken: BTreeSet<String> = transcript.ids.names().map(String::from).collect();
    let mut names: BTreeMap<Id, String> = BTreeMap::new();
    for entry in 0..transcript.len() {
        for (part, content) in transcript.parts(entry).iter().enumerate() {
            let (PartKind::Call { id, server, .. } | PartKind::Result { id, server, .. }) =
                content.kind
            else {
                continue;
            };
            if !wrong.contains(&id) || !has_place(transcript, content, id) {
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
pub(in crate::repair) fn rename_at(draft: &mut Draft<'_>, place: Place, new: &str) {
    let content = &draft.transcript.parts(place.entry as usize)[place.part as usize];
    if let PartKind::Call { id, .. } | PartKind::Result { id, .. } = content.kind {
        rename(draft, place, id, new);
    }
}

/// Whether there is a place where the id of a call or a result is written, or could be.
fn has_place(transcript: &Transcript, content: &Part, id: Id) -> bool {
    !places::ids(transcript.text(), content.whole, transcript.id(id)).is_empty()
        || places::id_home(transcript, content).is_some()
}

/// Rewrites the id of a call or a result where it stands; one that has none gets it.
fn rename(draft: &mut Draft<'_>, place: Place, id: Id, new: &str) {
    let (entry, part) = (place.entry as usize, place.part as usize);
    let transcript = draft.transcript;
    let content = &transcript.parts(entry)[part];
    let places = places::ids(transcript.text(), content.whole, transcript.id(id));
    if places.is_empty() {
        let Some((object, key)) = places::id_home(transcript, content) else { return };
        // It may be there and say that there is none.
        draft.set_member(entry, object, key, &quote(new));
    }
    for span in places {
        draft.splice(entry, span.range(), quote(new));
    }
}
