//! Google Gemini `generateContent`. Pairing is by turn and count: a content is a turn, ids are optional. Source: the
//! documentation of thought signatures, and texts quoted in public issues.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{Code, Mode, Rule, Violations, block, calls, is_result, results};
use crate::exchange::Structure;
use crate::provider::Family;
use crate::transcript::{Id, PartKind, Role, Transcript};

/// The rules.
pub(super) const RULES: &[&Rule] = &[
    &UNANSWERED,
    &UNANSWERED_ID,
    &ORPHAN,
    &ORPHAN_MORE,
    &ORPHAN_APART,
    &DUPLICATE_RESULT,
    &DUPLICATE_RESULT_EQUAL,
    &CALLS_FIRST,
    &CALLS_AFTER_MODEL,
    &SAME_ROLE,
    &MODEL_FIRST,
    &TAIL_ROLE,
    &PART_ROLE,
    &EMPTY_CONTENT,
    &SIGNATURE,
    &SIGNATURE_UNKNOWN,
];

/// Every violation of them.
pub(super) fn check(transcript: &Transcript, structure: &Structure, found: &mut Violations) {
    let spoken: Vec<usize> = (0..transcript.len())
        .filter(|&entry| transcript.entries()[entry].role != Role::System)
        .collect();
    for (at, &entry) in spoken.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| spoken[before]);
        order(transcript, found, entry, before);
        calls_of(transcript, structure, found, entry, spoken.get(at + 1).copied());
        results_of(transcript, found, entry, before);
        parts(transcript, found, entry);
    }
    let last = spoken.last().copied();
    if let Some(last) = last.filter(|&last| is_model(transcript, last))
        && found.mode == Mode::Request
        && structure.tail.pending.is_empty()
    {
        found.broke(&TAIL_ROLE, last, None, [].into(), &[]);
    }
    signatures(transcript, found);
}

fn is_model(transcript: &Transcript, entry: usize) -> bool {
    transcript.entries()[entry].role == Role::Assistant
}

/// A call turn comes right after a user turn or a response turn; other turns should alternate.
fn order(transcript: &Transcript, found: &mut Violations, entry: usize, before: Option<usize>) {
    let calls = is_model(transcript, entry) && calls(transcript, entry).next().is_some();
    let same =
        before.is_some_and(|before| is_model(transcript, before) == is_model(transcript, entry));
    let rule = match before {
        None if calls => CALLS_FIRST.answer(),
        None if is_model(transcript, entry) => MODEL_FIRST.answer(),
        Some(_) if same && calls => CALLS_AFTER_MODEL.answer(),
        Some(_) if same => SAME_ROLE.answer(),
        _ => return,
    };
    found.add(rule, entry, None, [].into(), &[]);
}

/// The calls of a turn are answered in the next one, as many responses as calls.
fn calls_of(
    transcript: &Transcript,
    structure: &Structure,
    found: &mut Violations,
    entry: usize,
    next: Option<usize>,
) {
    if !is_model(transcript, entry) {
        return;
    }
    let mut answers = Counted::default();
    next.into_iter().flat_map(|next| results(transcript, next)).for_each(|(_, id)| answers.add(id));
    let equal = calls(transcript, entry).count() == answers.all;
    let rule = if equal { UNANSWERED_ID.answer() } else { UNANSWERED.answer() };
    for (part, id) in calls(transcript, entry) {
        if !answers.take(id) && !found.lets_be(structure, id, entry) {
            found.add(rule, entry, Some(part), [id].into(), &[]);
        }
    }
}

/// How often an id is there: within a turn two calls may share one, and then two responses do.
#[derive(Default)]
struct Counted {
    left: BTreeMap<Id, usize>,
    all: usize,
}

impl Counted {
    fn add(&mut self, id: Id) {
        *self.left.entry(id).or_default() += 1;
        self.all += 1;
    }

    fn take(&mut self, id: Id) -> bool {
        let left = self.left.get_mut(&id).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }
}

/// The responses of a turn answer the calls of the one before it, each once.
fn results_of(
    transcript: &Transcript,
    found: &mut Violations,
    entry: usize,
    before: Option<usize>,
) {
    if is_model(transcript, entry) {
        return;
    }
    let before = before.unwrap_or(entry);
    let mut wanted = Counted::default();
    calls(transcript, before).for_each(|(_, id)| wanted.add(id));
    let more = results(transcript, entry).count() > wanted.all;
    let follows_results = transcript.parts(before).iter().any(is_result) && before < entry;
    let (foreign, again) = match wanted.all {
        0 if follows_results => (ORPHAN_APART.answer(), DUPLICATE_RESULT.answer()),
        0 => (ORPHAN.answer(), DUPLICATE_RESULT.answer()),
        _ if more => (ORPHAN_MORE.answer(), DUPLICATE_RESULT.answer()),
        _ => (ORPHAN_APART.answer(), DUPLICATE_RESULT_EQUAL.answer()),
    };
    for (part, id) in results(transcript, entry) {
        if !wanted.take(id) {
            let rule = if wanted.left.contains_key(&id) { again } else { foreign };
            found.add(rule, entry, Some(part), [id].into(), &[]);
        }
    }
}

/// A content has parts; calls are the model's, responses the user's.
fn parts(transcript: &Transcript, found: &mut Violations, entry: usize) {
    if transcript.parts(entry).is_empty() {
        found.broke(&EMPTY_CONTENT, entry, None, [].into(), &[]);
    }
    let model = is_model(transcript, entry);
    for (part, content) in transcript.parts(entry).iter().enumerate() {
        let id = match content.kind {
            PartKind::Call { id, server: false, .. } if !model => id,
            PartKind::Result { id, server: false, .. } if model => id,
            _ => continue,
        };
        found.broke(&PART_ROLE, entry, Some(part), [id].into(), &[]);
    }
}

/// In each step of the current turn the first call carries the signature that came with it. The current turn is everything
/// behind the newest content of the user's that says something; a response does not begin one.
fn signatures(transcript: &Transcript, found: &mut Violations) {
    let signed = |entry: usize, part: usize| {
        let members = block(transcript, &transcript.parts(entry)[part]);
        members.has("thoughtSignature") || members.has("thought_signature")
    };
    let first =
        |entry: usize| calls(transcript, entry).next().filter(|_| is_model(transcript, entry));
    let says = |entry: usize| {
        let user = transcript.entries()[entry].role == Role::User;
        user && transcript.parts(entry).iter().any(|part| !is_result(part))
    };
    let current = (0..transcript.len()).rev().find(|&entry| says(entry)).map_or(0, |at| at + 1);
    let rule = match transcript.request().family {
        Family::Gemini3 if !transcript.format().is_log() => SIGNATURE.answer(),
        Family::Gemini3 => SIGNATURE_UNKNOWN.answer(),
        Family::Unknown
            if (0..transcript.len())
                .any(|entry| first(entry).is_some_and(|(part, _)| signed(entry, part))) =>
        {
            SIGNATURE_UNKNOWN.answer()
        }
        _ => return,
    };
    for entry in current..transcript.len() {
        if let Some((part, id)) = first(entry).filter(|&(part, _)| !signed(entry, part)) {
            found.add(rule, entry, Some(part), [id].into(), &[]);
        }
    }
}

const COUNT: &str = "Please ensure that the number of function response parts is equal to the number of function call parts \
                     of the function call turn.";

const CALL_TURN: &str = "Please ensure that function call turn comes immediately after a user turn or after a function \
                         response turn.";

const UNANSWERED: Rule = Rule::error(
    Code::UnansweredCall,
    "The content after a call turn has fewer responses than there were calls, or others beside.",
    "Texts quoted in public issues.",
)
.says(COUNT);

const UNANSWERED_ID: Rule = Rule::warning(
    Code::UnansweredCall,
    "As many responses as calls, and none of them names this one.",
    "Only the number is known to be checked.",
);

const ORPHAN: Rule = Rule::error(
    Code::OrphanResult,
    "A response turn does not follow a call turn.",
    "The text is widely quoted.",
)
.says("Please ensure that function response turn comes immediately after a function call turn.");

const ORPHAN_MORE: Rule = Rule::error(
    Code::OrphanResult,
    "A response turn holds more responses than there were calls, and this one answers none.",
    "Texts quoted in public issues.",
)
.says(COUNT);

const ORPHAN_APART: Rule = Rule::error(
    Code::OrphanResult,
    "A response stands apart from the others of its turn, or names no call of it.",
    "The documentation; the text given is that of the call turn.",
);

const DUPLICATE_RESULT: Rule = Rule::error(
    Code::DuplicateResult,
    "Two responses answer one call.",
    "Texts quoted in public issues.",
)
.says(COUNT);

const DUPLICATE_RESULT_EQUAL: Rule = Rule::warning(
    Code::DuplicateResult,
    "Two responses answer one call, and as many responses as calls.",
    "Only the number is known to be checked.",
);

const CALLS_FIRST: Rule =
    Rule::error(Code::HeadRole, "A call turn comes first.", "Texts quoted in public issues.")
        .says(CALL_TURN);

const CALLS_AFTER_MODEL: Rule = Rule::error(
    Code::RoleOrder,
    "A call turn follows a turn of the model.",
    "Texts quoted in public issues.",
)
.says(CALL_TURN);

const SAME_ROLE: Rule = Rule::warning(
    Code::RoleOrder,
    "Two contents of one role follow each other. It is not always refused, and when is not known.",
    "The text in public code and logs.",
)
.says("Please ensure that multiturn requests alternate between user and model");

const MODEL_FIRST: Rule = Rule::warning(
    Code::HeadRole,
    "The model speaks first, without a call.",
    "The answer is not known.",
);

const TAIL_ROLE: Rule = Rule::error(
    Code::TailRole,
    "A request ends on a turn of the model.",
    "A public issue; the text is not verified.",
);

const PART_ROLE: Rule = Rule::warning(
    Code::PartRole,
    "A call of the user's, or a response of the model's.",
    "The answer is not known.",
);

const EMPTY_CONTENT: Rule = Rule::error(
    Code::EmptyContent,
    "A content has no parts.",
    "The text quoted in a public issue.",
)
.says("contents.parts must not be empty");

const SIGNATURE: Rule = Rule::error(
    Code::ReasoningPair,
    "The first call of a step of the current turn has lost its thought signature (Gemini 3 and later). The documented \
     stand-ins for foreign history count as one.",
    "The documentation, and public code and logs; the end of the text is left out, and Vertex words it otherwise.",
)
.says("Function call is missing a thought_signature in functionCall parts.");

const SIGNATURE_UNKNOWN: Rule = Rule::warning(
    Code::ReasoningPair,
    "The same where the model is not known and other calls carry one, and in a log, which may leave signatures out.",
    "The documentation; for Gemini 2.5 it is optional.",
);
