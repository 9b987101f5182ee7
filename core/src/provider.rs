//! Whose rules a transcript is judged by, and what is known of the model it is meant for.

use crate::transcript::Format;

/// A set of rules: a provider's API, or a library's own check.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Provider {
    /// What the AI SDK checks before it sends anything. That it finds nothing does not mean that a provider does not.
    AiSdk,
    /// Anthropic Messages.
    Anthropic,
    /// AWS Bedrock Converse.
    Bedrock,
    /// DeepSeek, over the shape of Chat Completions.
    DeepSeek,
    /// Google Gemini `generateContent`.
    Gemini,
    /// Groq, over the shape of Chat Completions.
    Groq,
    /// Kimi (Moonshot), over the shape of Chat Completions.
    Kimi,
    /// What LangGraph's prebuilt agents check.
    LangGraph,
    /// Mistral, over the shape of Chat Completions.
    Mistral,
    /// OpenAI Chat Completions; Azure answers with the same texts.
    OpenAiChat,
    /// OpenAI Responses.
    OpenAiResponses,
    /// Qwen (DashScope), over the shape of Chat Completions.
    Qwen,
    /// A description of what happened, sent to nobody: only what no provider would take is reported.
    Telemetry,
}

impl Provider {
    /// Every provider, in the order in which they are named to a caller.
    pub const ALL: [Self; 13] = [
        Self::Anthropic,
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Gemini,
        Self::Bedrock,
        Self::Mistral,
        Self::DeepSeek,
        Self::Kimi,
        Self::Qwen,
        Self::Groq,
        Self::AiSdk,
        Self::LangGraph,
        Self::Telemetry,
    ];

    /// The name used in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::AiSdk => "ai-sdk",
            Self::Anthropic => "anthropic",
            Self::Bedrock => "bedrock",
            Self::DeepSeek => "deepseek",
            Self::Gemini => "gemini",
            Self::Groq => "groq",
            Self::Kimi => "kimi",
            Self::LangGraph => "langgraph",
            Self::Mistral => "mistral",
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Qwen => "qwen",
            Self::Telemetry => "telemetry",
        }
    }

    /// The name for a person.
    pub fn title(self) -> &'static str {
        match self {
            Self::AiSdk => "AI SDK",
            Self::Anthropic => "Anthropic",
            Self::Bedrock => "Bedrock",
            Self::DeepSeek => "DeepSeek",
            Self::Gemini => "Gemini",
            Self::Groq => "Groq",
            Self::Kimi => "Kimi",
            Self::LangGraph => "LangGraph",
            Self::Mistral => "Mistral",
            Self::OpenAiChat => "OpenAI Chat",
            Self::OpenAiResponses => "OpenAI Responses",
            Self::Qwen => "Qwen",
            Self::Telemetry => "none (telemetry)",
        }
    }

    /// The provider of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// The providers that can be asked about a transcript whose entries are written in `wire`, the usual one first. To be
    /// judged by another one, a transcript must be converted.
    pub fn of_wire(wire: Format) -> &'static [Self] {
        match wire {
            Format::AiSdk | Format::AiSdkUi => &[Self::AiSdk],
            Format::Bedrock => &[Self::Bedrock],
            Format::Gemini => &[Self::Gemini],
            Format::LangChain => &[Self::LangGraph],
            Format::OpenAiChat => &[
                Self::OpenAiChat,
                Self::Mistral,
                Self::DeepSeek,
                Self::Kimi,
                Self::Qwen,
                Self::Groq,
            ],
            Format::OpenAiResponses => &[Self::OpenAiResponses],
            Format::OpenTelemetry => &[Self::Telemetry],
            _ => &[Self::Anthropic],
        }
    }

    /// The format in which it takes a transcript.
    pub fn wire(self) -> Format {
        let takes = |format: &Format| !format.is_log() && Self::of_wire(*format).contains(&self);
        Format::ALL.into_iter().find(takes).unwrap_or(Format::Anthropic)
    }

    /// The provider of a request in `wire` that names `model`, where the name tells.
    pub fn guess(wire: Format, model: Option<&str>) -> Self {
        let usual = Self::of_wire(wire)[0];
        let Some(model) = model.filter(|_| wire == Format::OpenAiChat) else { return usual };
        let model = model.to_ascii_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| model.contains(word));
        if names(&["mistral", "ministral", "magistral", "codestral", "devstral", "pixtral"]) {
            Self::Mistral
        } else if names(&["deepseek"]) {
            Self::DeepSeek
        } else if names(&["kimi", "moonshot"]) {
            Self::Kimi
        } else if names(&["qwen", "qwq"]) {
            Self::Qwen
        } else {
            usual
        }
    }
}

/// What is known of a model, as far as a rule depends on it.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Family {
    /// Claude 4.6 and later without preserved thinking: adaptive thinking, no prefill.
    ClaudeAdaptive,
    /// Claude 4.5 and earlier: manual extended thinking, prefill.
    ClaudeManual,
    /// Claude models that bind kept thinking to everything before it (Fable 5.1, Opus 5.5).
    ClaudePreserved,
    /// Gemini 2.5 and earlier: thought signatures are optional.
    Gemini2,
    /// Gemini 3 and later: the calls of the current turn carry their thought signature.
    Gemini3,
    /// Models of OpenAI that reason before they answer (o1 and its like, GPT-5 and later).
    GptReasoning,
    /// Not known: what depends on the model is a warning at most.
    #[default]
    Unknown,
}

impl Family {
    const ALL: [Self; 7] = [
        Self::ClaudeAdaptive,
        Self::ClaudeManual,
        Self::ClaudePreserved,
        Self::Gemini2,
        Self::Gemini3,
        Self::GptReasoning,
        Self::Unknown,
    ];

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeAdaptive => "claude-adaptive",
            Self::ClaudeManual => "claude-manual",
            Self::ClaudePreserved => "claude-preserved",
            Self::Gemini2 => "gemini-2",
            Self::Gemini3 => "gemini-3",
            Self::GptReasoning => "gpt-reasoning",
            Self::Unknown => "unknown",
        }
    }

    /// The family of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// The family of the model called `model`.
    pub fn of(model: &str) -> Self {
        let model = model.to_ascii_lowercase();
        if let Some(at) = model.find("gemini-") {
            return match model[at + 7..].bytes().next() {
                Some(b'1' | b'2') => Self::Gemini2,
                Some(b'0'..=b'9') => Self::Gemini3,
                _ => Self::Unknown,
            };
        }
        if reasons(&model) {
            return Self::GptReasoning;
        }
        let named = ["claude", "opus", "sonnet", "haiku", "fable", "mythos"];
        if !named.iter().any(|name| model.contains(name)) {
            return Self::Unknown;
        }
        let fable = model.contains("fable");
        match version(&model) {
            Some((5, 1)) if fable => Self::ClaudePreserved,
            Some((5, 5)) if model.contains("opus") => Self::ClaudePreserved,
            Some(version) if version >= (4, 6) => Self::ClaudeAdaptive,
            Some(_) => Self::ClaudeManual,
            None => Self::Unknown,
        }
    }

    /// Whether a request may end with an entry of the assistant; `None` if not known.
    pub fn prefills(self) -> Option<bool> {
        match self {
            Self::ClaudeManual => Some(true),
            Self::ClaudeAdaptive | Self::ClaudePreserved => Some(false),
            _ => None,
        }
    }
}

/// Whether the name is one of OpenAI's for a model that reasons: `o3`, `openai/o4-mini`, `gpt-5`, `gpt-5.1-codex`.
fn reasons(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or_default();
    let major = |rest: &str| -> Option<u32> {
        rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().parse().ok()
    };
    let gpt = name.strip_prefix("gpt-").and_then(major);
    gpt.is_some_and(|version| version >= 5) || name.strip_prefix('o').and_then(major).is_some()
}

/// The version in a model's name: `claude-sonnet-4-5-20250929`, `claude-3-7-sonnet`, `claude-opus-5.5`. A date is no
/// minor version.
fn version(model: &str) -> Option<(u32, u32)> {
    let mut numbers = model
        .split(|c: char| !c.is_ascii_digit())
        .filter(|piece| !piece.is_empty())
        .map_while(|piece| (piece.len() < 3).then(|| piece.parse::<u32>().ok()).flatten());
    numbers.next().map(|major| (major, numbers.next().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_tells_its_family() {
        for (model, family) in [
            ("claude-3-7-sonnet-20250219", Family::ClaudeManual),
            ("claude-sonnet-4-20250514", Family::ClaudeManual),
            ("claude-sonnet-4-5-20250929", Family::ClaudeManual),
            ("us.anthropic.claude-opus-4-6-v1:0", Family::ClaudeAdaptive),
            ("anthropic/claude-sonnet-5", Family::ClaudeAdaptive),
            ("claude-opus-5.5", Family::ClaudePreserved),
            ("claude-fable-5-1", Family::ClaudePreserved),
            ("models/gemini-2.5-pro", Family::Gemini2),
            ("gemini-3-pro-preview", Family::Gemini3),
            ("gpt-5", Family::GptReasoning),
            ("openai/gpt-5.1-codex", Family::GptReasoning),
            ("o4-mini", Family::GptReasoning),
            ("gpt-4o", Family::Unknown),
            ("gpt-oss-120b", Family::Unknown),
            ("claude", Family::Unknown),
        ] {
            assert_eq!(Family::of(model), family, "{model}");
        }
    }
}
