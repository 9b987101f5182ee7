//! The formats in which transcripts are written, by name.

/// How a transcript is written.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Format {
    /// Vercel AI SDK `ModelMessage`: parts `tool-call` and `tool-result`.
    AiSdk,
    /// A recorded stream of AI SDK UI message chunks.
    AiSdkStream,
    /// Vercel AI SDK `UIMessage`: a call and its result in one part.
    AiSdkUi,
    /// Anthropic Messages: `messages` with content blocks.
    Anthropic,
    /// Agent Trajectory Interchange Format: `steps` with observations.
    Atif,
    /// AWS Bedrock Converse: content blocks without a type.
    Bedrock,
    /// A Claude Code session log: JSON Lines, one content block a line.
    ClaudeCode,
    /// What Claude Code prints with `--output-format stream-json`.
    ClaudeStream,
    /// A session of Cline: Anthropic messages in an envelope of its own.
    Cline,
    /// A Codex rollout: Responses items in an envelope each.
    Codex,
    /// Events of GitHub Copilot CLI.
    CopilotCli,
    /// A history of fast-agent: calls and results as maps.
    FastAgent,
    /// Google Gemini `contents`.
    Gemini,
    /// A session of Gemini CLI.
    GeminiCli,
    /// A session of Google's Agent Development Kit: Gemini contents in events.
    GoogleAdk,
    /// Samples of an Inspect evaluation.
    Inspect,
    /// The wire log of Kimi CLI.
    KimiCli,
    /// LangChain messages: `lc` envelopes, `messages_to_dict`, or plain.
    LangChain,
    /// A recorded stream of LangGraph events.
    LangGraphStream,
    /// OpenAI Chat Completions: `messages` with `tool_calls` and `tool` messages.
    OpenAiChat,
    /// OpenAI Responses: `input` with typed items.
    OpenAiResponses,
    /// Telemetry of OpenClaw.
    OpenClaw,
    /// An export of opencode: a call and its result in one part.
    OpenCode,
    /// Events of the OpenHands SDK.
    OpenHands,
    /// Flattened attributes of OpenInference.
    OpenInference,
    /// OpenTelemetry GenAI messages.
    OpenTelemetry,
    /// A session of pi.
    Pi,
    /// A SWE-agent trajectory.
    SweAgent,
}

impl Format {
    /// Every format, in the order in which they are named to a caller: those of providers and libraries, then logs.
    pub const ALL: [Self; 28] = [
        Self::Anthropic,
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Gemini,
        Self::Bedrock,
        Self::AiSdk,
        Self::AiSdkUi,
        Self::LangChain,
        Self::OpenTelemetry,
        Self::Cline,
        Self::OpenInference,
        Self::ClaudeCode,
        Self::ClaudeStream,
        Self::Codex,
        Self::CopilotCli,
        Self::GeminiCli,
        Self::GoogleAdk,
        Self::KimiCli,
        Self::OpenCode,
        Self::OpenHands,
        Self::Pi,
        Self::SweAgent,
        Self::Inspect,
        Self::Atif,
        Self::FastAgent,
        Self::OpenClaw,
        Self::LangGraphStream,
        Self::AiSdkStream,
    ];

    /// The name used in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::AiSdk => "ai-sdk",
            Self::AiSdkStream => "ai-sdk-stream",
            Self::AiSdkUi => "ai-sdk-ui",
            Self::Anthropic => "anthropic",
            Self::Atif => "atif",
            Self::Bedrock => "bedrock",
            Self::ClaudeCode => "claude-code",
            Self::ClaudeStream => "claude-stream",
            Self::Cline => "cline",
            Self::Codex => "codex",
            Self::CopilotCli => "copilot-cli",
            Self::FastAgent => "fast-agent",
            Self::Gemini => "gemini",
            Self::GeminiCli => "gemini-cli",
            Self::GoogleAdk => "google-adk",
            Self::Inspect => "inspect",
            Self::KimiCli => "kimi-cli",
            Self::LangChain => "langchain",
            Self::LangGraphStream => "langgraph-stream",
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::OpenClaw => "openclaw",
            Self::OpenCode => "opencode",
            Self::OpenHands => "openhands",
            Self::OpenInference => "openinference",
            Self::OpenTelemetry => "opentelemetry",
            Self::Pi => "pi",
            Self::SweAgent => "swe-agent",
        }
    }

    /// The name for a person.
    pub fn title(self) -> &'static str {
        match self {
            Self::AiSdk => "AI SDK model messages",
            Self::AiSdkStream => "AI SDK UI stream",
            Self::AiSdkUi => "AI SDK UI messages",
            Self::Anthropic => "Anthropic Messages",
            Self::Atif => "ATIF trajectory",
            Self::Bedrock => "Bedrock Converse",
            Self::ClaudeCode => "Claude Code log",
            Self::ClaudeStream => "Claude Code stream-json",
            Self::Cline => "Cline session",
            Self::Codex => "Codex rollout",
            Self::CopilotCli => "Copilot CLI events",
            Self::FastAgent => "fast-agent history",
            Self::Gemini => "Gemini contents",
            Self::GeminiCli => "Gemini CLI session",
            Self::GoogleAdk => "Google ADK session",
            Self::Inspect => "Inspect samples",
            Self::KimiCli => "Kimi CLI log",
            Self::LangChain => "LangChain messages",
            Self::LangGraphStream => "LangGraph stream",
            Self::OpenAiChat => "OpenAI Chat",
            Self::OpenAiResponses => "OpenAI Responses",
            Self::OpenClaw => "OpenClaw telemetry",
            Self::OpenCode => "opencode export",
            Self::OpenHands => "OpenHands events",
            Self::OpenInference => "OpenInference attributes",
            Self::OpenTelemetry => "OpenTelemetry GenAI",
            Self::Pi => "pi session",
            Self::SweAgent => "SWE-agent trajectory",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Whether the roles of its entries must alternate: two user entries in a row are refused.
    pub(crate) fn alternates(self) -> bool {
        matches!(self, Self::Bedrock | Self::Gemini)
    }

    /// Whether a transcript of this format is rebuilt into messages of another one: its own form cannot express a fold.
    pub fn is_log(self) -> bool {
        !matches!(
            self,
            Self::AiSdk
                | Self::AiSdkUi
                | Self::Anthropic
                | Self::Bedrock
                | Self::Cline
                | Self::Gemini
                | Self::LangChain
                | Self::OpenAiChat
                | Self::OpenAiResponses
                | Self::OpenTelemetry
        )
    }
}
