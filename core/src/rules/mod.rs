//! What each provider refuses, judged on the whole transcript: every violation, in entry order.
//!
//! Pairing in [`crate::pairing`] is loose and decides cuts. The rules here are the providers' own and
//! strict; a result in the wrong place is a violation, and still must not be severed from its call.

mod ai_sdk;
mod anthropic;
mod bedrock;
mod chat_shape;
mod deepseek;
mod gemini;
mod groq;
mod kimi;
mod langgraph;
mod mistral;
mod openai_chat;
mod openai_responses;
mod qwen;
mod telemetry;

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::cut::once;
use crate::exchange::Structure;
use crate::json::{Node, Object};
use crate::provider::Provider;
use crate::transcript::{Id, Part, PartKind, Transcript};

/// Every violation of its provider's rules in `transcript`, in entry order.
pub fn check(transcript: &Transcript, structure: &Structure, mode: Mode) -> Vec<Violation> {
    let mut found = Violations { mode, list: Vec::new() };
    let check = match transcript.provider() {
        Provider::AiSdk => ai_sdk::check,
        Provider::Anthropic => anthropic::check,
        Provider::Bedrock => bedrock::check,
        Provider::DeepSeek => deepseek::check,
        Provider::Gemini => gemini::check,
        Provider::Groq => groq::check,
        Provider::Kimi => kimi::check,
        Provider::LangGraph => langgraph::check,
        Provider::Mistral => mistral::check,
        Provider::OpenAiChat => openai_chat::check,
        Provider::OpenAiResponses => openai_responses::check,
        Provider::Qwen => qwen::check,
        Provider::Telemetry => telemetry::check,
    };
    check(transcript, structure, &mut found);
    found.list.sort_by_key(|violation| (violation.entry, violation.part, violation.code));
    found.list
}

/// The rules of a provider, in the order of its table.
pub fn rules(provider: Provider) -> &'static [&'static Rule] {
    match provider {
        Provider::AiSdk => ai_sdk::RULES,
        Provider::Anthropic => anthropic::RULES,
        Provider::Bedrock => bedrock::RULES,
        Provider::DeepSeek => deepseek::RULES,
        Provider::Gemini => gemini::RULES,
        Provider::Groq => groq::RULES,
        Provider::Kimi => kimi::RULES,
        Provider::LangGraph => langgraph::RULES,
        Provider::Mistral => mistral::RULES,
        Provider::OpenAiChat => openai_chat::RULES,
        Provider::OpenAiResponses => openai_responses::RULES,
        Provider::Qwen => qwen::RULES,
        Provider::Telemetry => telemetry::RULES,
    }
}

/// A rule: one row of a provider's table.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Rule {
    /// What a breach of it is called.
    pub code: Code,
    /// Whether the provider is known to refuse a breach.
    pub severity: Severity,
    /// What breaks it.
    pub breach: &'static str,
    /// The provider's own text, with the names of what is filled in between braces; `None` where it is not verified.
    pub says: Option<&'static str>,
    /// How it is known.
    pub source: &'static str,
}

impl Rule {
    /// A rule whose breach the provider refuses; its text is added by [`Rule::says`] where it is known.
    const fn error(code: Code, breach: &'static str, source: &'static str) -> Self {
        Self { code, severity: Severity::Error, breach, says: None, source }
    }

    /// A rule of which it is not known that the provider refuses a breach, or not of every model.
    const fn warning(code: Code, breach: &'static str, source: &'static str) -> Self {
        Self { code, severity: Severity::Warning, breach, says: None, source }
    }

    /// The same rule with the provider's own text.
    const fn says(self, says: &'static str) -> Self {
        Self { says: Some(says), ..self }
    }

    /// What a violation takes from it.
    const fn answer(&self) -> Answer {
        Answer { code: self.code, severity: self.severity, says: self.says }
    }
}

/// What a violation takes from its rule. What breaks a rule and how it is known is for the page of the rules, and so is
/// left out of a package that only judges.
#[derive(Clone, Copy)]
struct Answer {
    code: Code,
    severity: Severity,
    says: Option<&'static str>,
}

impl Answer {
    /// The same without a text: it would name what the transcript does not hold.
    const fn silent(self) -> Self {
        Self { says: None, ..self }
    }

    /// Its text with `values` filled in, each by its name.
    fn text(self, values: &[(&str, &str)]) -> Option<String> {
        let mut text = String::new();
        let mut rest = self.says?;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let filled = after.split_once('}').and_then(|(name, tail)| {
                let value = values.iter().find(|(known, _)| *known == name);
                value.map(|(_, value)| (*value, tail))
            });
            rest = if let Some((value, tail)) = filled {
                text.push_str(value);
                tail
            } else {
                text.push('{');
                after
            };
        }
        text.push_str(rest);
        Some(text)
    }
}

/// What the transcript is about to be used for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Mode {
    /// It is looked at: the live tail may be unfinished.
    #[default]
    Log,
    /// It is about to be sent: an unanswered call at its end is a violation too.
    Request,
}

/// Something that the provider would refuse, or that it is known to misread.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// What is wrong.
    pub code: Code,
    /// Whether the provider is known to refuse it.
    pub severity: Severity,
    /// The entry that breaks the rule (for an unanswered call: the entry of the call).
    pub entry: usize,
    /// The part of it, where one part alone is at fault.
    pub part: Option<usize>,
    /// The ids it is about.
    pub ids: Vec<Id>,
    /// The provider's own error text, where it is known and verified.
    pub says: Option<String>,
}

/// How sure a refusal is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Severity {
    /// The provider refuses the request.
    Error,
    /// The provider's answer to this shape is not known, or depends on the model.
    Warning,
}

impl Severity {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// The codes of violations. Each is one structural condition, whatever the provider calls it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Code {
    /// A call has no result where the provider requires one.
    UnansweredCall,
    /// A result names a call that is not where the provider looks for it.
    OrphanResult,
    /// Two results for one call.
    DuplicateResult,
    /// Two calls share an id.
    DuplicateCallId,
    /// The result is there, but not where it must stand.
    ResultOrder,
    /// The first entry has a role that may not come first.
    HeadRole,
    /// The last entry has a role that may not come last.
    TailRole,
    /// Content is empty where it must not be.
    EmptyContent,
    /// An id does not have the provider's form.
    BadId,
    /// Reasoning without the item it produced.
    ReasoningPair,
    /// A call that the provider executes without its result, or the reverse.
    ServerPair,
    /// A part that its role may not carry.
    PartRole,
    /// Calls or results in a request that defines no tools.
    NoTools,
    /// Two entries in a row of roles that may not follow each other.
    RoleOrder,
    /// The provider's own compaction stands where it may not, or beside what it stands for.
    CompactionBlock,
    /// An instruction in the middle of the talk where the provider refuses it.
    SystemPlacement,
    /// More marks for the prompt cache than the provider takes.
    CacheBreakpoints,
    /// An entry of a role that the provider does not know.
    UnknownRole,
    /// An item that the provider is asked to look up, and has not stored.
    MissingItem,
}

impl Code {
    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnansweredCall => "unanswered-call",
            Self::OrphanResult => "orphan-result",
            Self::DuplicateResult => "duplicate-result",
            Self::DuplicateCallId => "duplicate-call-id",
            Self::ResultOrder => "result-order",
            Self::HeadRole => "head-role",
            Self::TailRole => "tail-role",
            Self::EmptyContent => "empty-content",
            Self::BadId => "bad-id",
            Self::ReasoningPair => "reasoning-pair",
            Self::ServerPair => "server-pair",
            Self::PartRole => "part-role",
            Self::NoTools => "no-tools",
            Self::RoleOrder => "role-order",
            Self::CompactionBlock => "compaction-block",
            Self::SystemPlacement => "system-placement",
            Self::CacheBreakpoints => "cache-breakpoints",
            Self::UnknownRole => "unknown-role",
            Self::MissingItem => "missing-item",
        }
    }

    /// What to do about it.
    pub fn help(self) -> &'static str {
        match self {
            Self::UnansweredCall => {
                "Add a result for every call; where the outcome is lost, an error result that says so."
            }
            Self::OrphanResult => "Keep the call with its result, or remove the result with it.",
            Self::DuplicateResult => "Keep one result for each call.",
            Self::DuplicateCallId => {
                "Give every call an id of its own, and its result the same one."
            }
            Self::ResultOrder => {
                "Move the result into the turn right after its call, before anything else."
            }
            Self::HeadRole => {
                "Begin with a user entry; a plain summary of what came before will do."
            }
            Self::TailRole => "End with a user entry.",
            Self::EmptyContent => "Remove the empty content, or the entry with it.",
            Self::BadId => {
                "Rewrite the id in the call and in its result, by one map for the whole transcript."
            }
            Self::ReasoningPair => {
                "Keep the reasoning item with the item after it, or remove both."
            }
            Self::ServerPair => {
                "Keep the call and its result block in the same response, or remove both."
            }
            Self::PartRole => "Calls belong to the assistant, results to the user.",
            Self::NoTools => "Send the tool definitions along as long as calls or results remain.",
            Self::RoleOrder => {
                "Merge entries of one role that follow each other, or put the missing turn between them."
            }
            Self::CompactionBlock => {
                "Put the provider's compaction first, and remove what it stands for."
            }
            Self::SystemPlacement => {
                "Move the instruction right behind a user turn, or into the system prompt."
            }
            Self::CacheBreakpoints => {
                "Remove the oldest marks; the newest ones serve the cache best."
            }
            Self::UnknownRole => "Give the entry a role that the provider knows.",
            Self::MissingItem => "Send the item itself, or remove what refers to it.",
        }
    }
}

/// Collects violations.
struct Violations {
    mode: Mode,
    list: Vec<Violation>,
}

impl Violations {
    /// A breach of `rule`; its severity and its text are those of the table.
    #[inline]
    fn broke(
        &mut self,
        rule: &Rule,
        entry: usize,
        part: Option<usize>,
        ids: Vec<Id>,
        values: &[(&str, &str)],
    ) {
        self.add(rule.answer(), entry, part, ids, values);
    }

    fn add(
        &mut self,
        answer: Answer,
        entry: usize,
        part: Option<usize>,
        ids: Vec<Id>,
        values: &[(&str, &str)],
    ) {
        let entry_name = entry.to_string();
        let part_name = part.unwrap_or_default().to_string();
        let mut values = values.to_vec();
        values.extend([("entry", &*entry_name), ("part", &*part_name)]);
        let says = answer.text(&values);
        let Answer { code, severity, .. } = answer;
        self.list.push(Violation { code, severity, entry, part, ids, says });
    }

    /// Whether an open call is let be: it is in flight, and nothing is about to be sent.
    fn lets_be(&self, structure: &Structure, id: Id, entry: usize) -> bool {
        let newest = structure.tail.response.is_some_and(|response| entry >= response);
        self.mode == Mode::Log && newest && structure.tail.pending.contains(&id)
    }
}

/// The names of `ids`, joined as providers join them.
fn names(transcript: &Transcript, ids: &[Id]) -> String {
    let names: Vec<&str> = ids.iter().map(|&id| transcript.id(id)).collect();
    names.join(", ")
}

/// The ids of `ids` that come more than once, each once.
fn repeated(ids: impl Iterator<Item = Id>) -> Vec<Id> {
    let mut seen = BTreeSet::new();
    once(ids.filter(|&id| !seen.insert(id)))
}

/// The calls of an entry that are the caller's to execute, with their parts.
fn calls(transcript: &Transcript, entry: usize) -> impl Iterator<Item = (usize, Id)> + '_ {
    transcript.parts(entry).iter().enumerate().filter_map(|(part, content)| match content.kind {
        PartKind::Call { id, server: false, .. } => Some((part, id)),
        _ => None,
    })
}

/// The results of an entry that the caller wrote, with their parts.
fn results(transcript: &Transcript, entry: usize) -> impl Iterator<Item = (usize, Id)> + '_ {
    transcript.parts(entry).iter().enumerate().filter_map(|(part, content)| match content.kind {
        PartKind::Result { id, server: false, .. } => Some((part, id)),
        _ => None,
    })
}

fn is_result(part: &Part) -> bool {
    matches!(part.kind, PartKind::Result { .. })
}

/// The members of an entry.
fn members(transcript: &Transcript, entry: usize) -> Object<'_> {
    Node::at(transcript.text(), transcript.entries()[entry].span).object()
}

/// The members of what a part is the whole of.
fn block<'a>(transcript: &'a Transcript, part: &Part) -> Object<'a> {
    Node::at(transcript.text(), part.whole).object()
}

/// Whether an id was made up by the reader, for a call that came without one.
pub(crate) fn made_up(name: &str) -> bool {
    name.starts_with('#')
}
