//! Tells formats apart by the keys and types that only one of them has.

use alloc::format;
use alloc::string::String;

use super::document::List;
use crate::json::{Node, Object};
use crate::transcript::Format;

/// A format, and how sure its detection is.
#[derive(Clone, Debug, PartialEq)]
pub struct Detected {
    /// The format.
    pub format: Format,
    /// 0 to 1: 1 when something stands there that only this format has, about 0.3 when a plain talk would be
    /// the same in several.
    pub confidence: f32,
}

/// How many entries are asked for evidence.
const SAMPLE: usize = 200;

/// The format of a list; `told` wins. `None` if nothing in it looks like an entry.
pub(super) fn detect(list: &List<'_>, told: Option<Format>) -> Option<Detected> {
    if let Some(format) = told {
        return Some(Detected { format, confidence: 1.0 });
    }
    if !list.nodes.is_empty() && !looks_like_entries(&list.nodes) {
        return None;
    }
    let mut votes = Votes::default();
    votes.request(list);
    for node in list.nodes.iter().take(SAMPLE) {
        votes.entry(&node.object());
    }
    Some(votes.winner())
}

/// Whether a list holds entries of a format that is read here.
pub(super) fn looks_like_entries(nodes: &[Node<'_>]) -> bool {
    let sample = nodes.iter().take(SAMPLE);
    if sample.clone().any(|node| is_foreign(&node.object())) {
        return false;
    }
    let entries = sample.clone().filter(|node| is_entry(&node.object())).count();
    entries * 2 >= sample.count().max(1)
        || nodes.first().is_some_and(|node| node.string().is_some())
}

/// Whether an entry belongs to a format that is not read yet; to read it as another would lose its calls.
fn is_foreign(members: &Object<'_>) -> bool {
    let keys = ["parts", "kwargs", "tool_results"];
    let foreign = keys.iter().any(|key| members.field(key).is_some())
        || members.field("tool_calls").is_some_and(Node::is_object)
        || is_sdk(members);
    foreign || is_converse(members)
}

fn is_entry(members: &Object<'_>) -> bool {
    let message = members.field("role").is_some_and(|role| role.string().is_some());
    message || is_item(members) || members.has("function")
}

fn is_item(members: &Object<'_>) -> bool {
    let kind = members.string("type").unwrap_or_default();
    ITEMS.contains(&&*kind)
}

/// Bedrock's blocks have no `type`: the key names the kind.
fn is_converse(members: &Object<'_>) -> bool {
    let content = members.field("content").map(Node::array).unwrap_or_default();
    content.first().is_some_and(|block| {
        let block = block.object();
        block.field("type").is_none()
            && ["text", "toolUse", "toolResult"].iter().any(|key| block.field(key).is_some())
    })
}

/// The AI SDK writes the types of its parts with a hyphen.
fn is_sdk(members: &Object<'_>) -> bool {
    let content = members.field("content").map(Node::array).unwrap_or_default();
    content.iter().any(|block| {
        let kind = block.object().string("type").unwrap_or_default();
        matches!(&*kind, "tool-call" | "tool-result" | "tool-approval-request")
    })
}

/// Item types that only Responses has.
const ITEMS: [&str; 17] = [
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "shell_call",
    "shell_call_output",
    "local_shell_call",
    "local_shell_call_output",
    "apply_patch_call",
    "computer_call",
    "tool_search_call",
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "mcp_call",
    "item_reference",
    "reasoning",
];

/// Evidence: what only one format has counts 10, what one prefers counts 1.
#[derive(Default)]
struct Votes {
    blocks: u32,
    anthropic: u32,
    chat: u32,
    responses: u32,
}

impl Votes {
    fn request(&mut self, list: &List<'_>) {
        let members = &list.members;
        self.responses += if list.key == Some("input") { 10 } else { 0 };
        self.responses += u32::from(members.has("instructions"));
        self.anthropic += if members.has("system") { 10 } else { 0 };
        self.anthropic += u32::from(members.has("max_tokens"));
        let model = members.string("model").unwrap_or_default();
        self.anthropic += if model.contains("claude") { 2 } else { 0 };
        self.chat += u32::from(model.contains("gpt"));
        for tool in members.field("tools").map(Node::array).unwrap_or_default().iter().take(4) {
            let tool = tool.object();
            self.anthropic += if tool.has("input_schema") { 10 } else { 0 };
            self.chat += if tool.field("function").is_some_and(Node::is_object) { 10 } else { 0 };
        }
    }

    fn entry(&mut self, members: &Object<'_>) {
        let role = members.string("role").unwrap_or_default();
        let tool = matches!(&*role, "tool" | "function");
        let chat_keys = ["tool_calls", "tool_call_id", "function_call", "reasoning_content"];
        self.chat += if tool || chat_keys.iter().any(|key| members.has(key)) { 10 } else { 0 };
        self.chat += u32::from(matches!(&*role, "system" | "developer"));
        self.responses += if is_item(members) { 10 } else { 0 };
        self.responses += if members.string("type").as_deref() == Some("message") { 3 } else { 0 };
        let content = members.field("content").map(Node::array).unwrap_or_default();
        for block in content.iter().take(8) {
            match &*block.object().string("type").unwrap_or_default() {
                "tool_use" | "tool_result" | "thinking" | "redacted_thinking"
                | "server_tool_use" | "mcp_tool_use" | "compaction" | "document" | "image" => {
                    self.anthropic += 10;
                }
                "input_text" | "output_text" | "input_image" | "input_file" => self.responses += 10,
                "image_url" | "input_audio" | "file" => self.chat += 10,
                // A list of text blocks is rarer in Chat, but no evidence by its number.
                "text" => self.blocks = 1,
                _ => {}
            }
        }
    }

    fn winner(&self) -> Detected {
        let ranked = [
            (self.chat, Format::OpenAiChat),
            (self.anthropic + self.blocks, Format::Anthropic),
            (self.responses, Format::OpenAiResponses),
        ];
        let total: u32 = ranked.iter().map(|(votes, _)| votes).sum();
        // Of equals the first: a plain talk is the same in all, and Chat has the fewest rules to break.
        let (mut votes, mut format) = ranked[0];
        for &(others, other) in &ranked[1..] {
            if others > votes {
                (votes, format) = (others, other);
            }
        }
        let share = if total == 0 { 0.0 } else { votes as f32 / total as f32 };
        let confidence = if votes >= 10 { share } else { 0.3 + 0.05 * votes.min(4) as f32 };
        Detected { format, confidence }
    }
}

/// What an unknown document looks most like.
pub(super) fn nearest(node: Node<'_>) -> String {
    let members = node.object();
    let list = if node.is_array() { node.array() } else { members.first_list() };
    let Some(first) = list.first() else {
        return String::from("The text is JSON, but holds no list of entries.");
    };
    let first = first.object();
    if first.has("parts") {
        "Nearest: Gemini `contents` or AI SDK UI messages (entries with `parts`), which are not read yet.".into()
    } else if is_converse(&first) {
        "Nearest: Bedrock Converse (content blocks without `type`), which is not read yet.".into()
    } else if list.iter().take(SAMPLE).any(|node| is_sdk(&node.object())) {
        "Nearest: AI SDK model messages (`tool-call` parts), which are not read yet.".into()
    } else if list.iter().take(SAMPLE).any(|node| node.object().field("tool_results").is_some()) {
        "Nearest: fast-agent history (`tool_results` maps), which is not read yet.".into()
    } else if first.has("kwargs") || first.has("lc") {
        "Nearest: LangChain messages (`lc` envelopes), which are not read yet.".into()
    } else {
        let keys = first.keys();
        format!("The first element of its list has the keys {keys}, and no `role` or known `type`.")
    }
}
