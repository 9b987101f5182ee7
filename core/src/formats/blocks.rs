//! Content blocks, shared by the message formats: a block says by its `type` what it is.

use super::builder::Builder;
use crate::json::Node;
use crate::transcript::PartKind;

/// Reads the content of a message: a string, or a list of blocks.
pub(super) fn content<'a>(builder: &mut Builder<'a>, content: Node<'a>) {
    if content.raw().starts_with('"') {
        builder.within(content);
        builder.part(PartKind::Text, Some(content));
    } else if content.is_array() {
        for node in content.array() {
            block(builder, node);
        }
    } else if !content.is_null() {
        builder.at(
            content,
            "odd-content",
            "The content is neither a string nor a list of blocks; it is carried unread.".into(),
        );
        builder.part(PartKind::Opaque, Some(content));
    }
}

/// Reads one block.
pub(super) fn block<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    builder.within(node);
    let members = node.object();
    let kind = members.string("type").unwrap_or_default();
    match &*kind {
        "text" | "input_text" | "output_text" => {
            builder.part(PartKind::Text, members.field("text"));
        }
        "refusal" => builder.part(PartKind::Text, members.field("refusal")),
        "thinking" => builder.part(PartKind::Thinking, members.field("thinking")),
        "redacted_thinking" => builder.part(PartKind::Thinking, members.field("data")),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let id = members.string("id");
            let server = kind != "tool_use";
            builder.call(id.as_deref(), members.field("name"), members.field("input"), server);
        }
        "image" | "image_url" | "input_image" | "document" | "file" | "input_file"
        | "input_audio" | "audio" | "container_upload" => builder.part(PartKind::Media, Some(node)),
        // `tool_result`, and the result block of every server tool: `web_search_tool_result` and its like.
        _ if kind.ends_with("tool_result") && members.has("tool_use_id")
            || kind == "tool_result" =>
        {
            let id = members.string("tool_use_id");
            let server = kind != "tool_result";
            let error = members.is_true("is_error");
            builder.result(id.as_deref(), "", members.field("content"), error, server);
        }
        _ => {
            if node.raw().starts_with('"') {
                builder.part(PartKind::Text, Some(node));
                return;
            }
            if kind == "compaction" {
                builder.compaction();
            } else if !kind.is_empty() && !CARRIED.contains(&&*kind) {
                let message = alloc::format!("A block of type {kind:?} is carried unread.");
                builder.at(node, "unknown-block", message);
            }
            if kind.is_empty() {
                builder.at(
                    node,
                    "untyped-block",
                    "A content block has no type; it is carried unread.".into(),
                );
            }
            builder.part(PartKind::Opaque, Some(node));
        }
    }
}

/// Blocks that hold neither a call nor a result, and are carried as they are.
const CARRIED: [&str; 7] = [
    "compaction",
    "fallback",
    "mid_conv_system",
    "search_result",
    "summary_text",
    "tool_addition",
    "tool_removal",
];
