//! Vercel AI SDK `UIMessage`: a call and its result in one part.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::ai_sdk::{file, reasoning};
use super::builder::Builder;
use super::detect::ONLY;
use super::turn::{Names, Piece, Turn, names};
use crate::json::{Node, Object, quote};
use crate::transcript::{Name, PartKind, Role, Span};

/// What in an entry speaks for this format.
pub(super) fn evidence(members: &Object<'_>) -> u32 {
    let parts = members.field("parts").map(Node::array).unwrap_or_default();
    let own = |part: &Node<'_>| {
        let part = part.object();
        let kind = part.string("type").unwrap_or_default();
        match &*kind {
            "text" | "reasoning" => part.has("text") || part.has("reasoning"),
            "file" => part.has("url"),
            _ => is_own(&kind),
        }
    };
    let role = members.has("role");
    let own = parts.iter().take(8).any(own) || members.has("toolInvocations");
    if role && own { ONLY } else { 0 }
}

fn is_own(kind: &str) -> bool {
    matches!(kind, "step-start" | "dynamic-tool")
        || ["tool-", "data-", "source-"].iter().any(|prefix| kind.starts_with(prefix))
}

/// Reads one message.
pub(super) fn entry<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let role = members.string("role").unwrap_or_default();
    let known = match &*role {
        "system" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return builder.unknown_role(node, &role, "the AI SDK"),
    };
    builder.open(node, known);
    let parts = members.field("parts").map(Node::array).unwrap_or_default();
    // Version 4 keeps the words in `content`, and beside the parts only as a copy.
    if let Some(content) = members.field("content").filter(|_| parts.is_empty()) {
        super::blocks::content(builder, content);
    } else if parts.is_empty() && !members.has("toolInvocations") {
        builder.here("missing-content", "A message has no parts.");
    }
    for node in parts {
        builder.within(node);
        part(builder, node);
    }
    for node in members.field("toolInvocations").map(Node::array).unwrap_or_default() {
        let inner = node.object();
        if !inner.string("toolCallId").is_some_and(|id| builder.called(&id)) {
            builder.within(node);
            tool(builder, &inner, inner.field("toolName"));
        }
    }
}

fn part<'a>(builder: &mut Builder<'a>, node: Node<'a>) {
    let members = node.object();
    let kind = members.string("type").unwrap_or_default();
    match &*kind {
        "text" => builder.part(PartKind::Text, members.field("text")),
        "reasoning" => {
            let body = members.field("text").or_else(|| members.field("reasoning"));
            builder.part(PartKind::Thinking, body);
        }
        "file" | "reasoning-file" => builder.part(PartKind::Media, Some(node)),
        "dynamic-tool" => tool(builder, &members, members.field("toolName")),
        "tool-invocation" => {
            let inner = members.field("toolInvocation").map(Node::object).unwrap_or_default();
            tool(builder, &inner, inner.field("toolName"));
        }
        _ if kind.starts_with("tool-") => {
            let name = members.field("type").map(name_in);
            tool(builder, &members, name);
        }
        // Marks of a step, of where the words come from, and what only the page shows.
        _ if matches!(&*kind, "step-start" | "source") || is_own(&kind) => {
            builder.part(PartKind::Opaque, Some(node));
        }
        _ => builder.unknown_block(node, &kind),
    }
}

/// The tool's name in the type of its part: what follows `tool-`.
fn name_in(kind: Node<'_>) -> Node<'_> {
    let raw = kind.raw();
    let plain = raw.starts_with(Name::BEFORE) && raw.len() > Name::BEFORE.len() + 1;
    if plain { Node::at(raw, Span::new(Name::BEFORE.len(), raw.len() - 1)) } else { kind }
}

/// A tool part: its call, and where it has come in its result.
fn tool<'a>(builder: &mut Builder<'a>, members: &Object<'a>, name: Option<Node<'a>>) {
    let id = members.string("toolCallId");
    let state = members.string("state").unwrap_or_default();
    let server = members.is_true("providerExecuted");
    let body = ["input", "rawInput", "args"].iter().find_map(|key| members.field(key));
    let (body_of_result, error) = match &*state {
        "output-available" => (members.field("output"), false),
        "output-error" => (members.field("errorText"), true),
        "output-denied" => {
            let approval = members.field("approval");
            let reason = approval.and_then(|approval| approval.object().field("reason"));
            (reason.or(approval), true)
        }
        "result" => (members.field("result"), false),
        // The call is being written, waits for its approval or is being executed.
        _ => return builder.call(id.as_deref(), name, body, server),
    };
    // A call without an id is answered all the same: both are one part.
    let known = if let Some(id) = id.filter(|id| !id.is_empty()) {
        builder.id(&id)
    } else {
        builder.here("missing-id", "A call has no id; it is named by its place.");
        builder.nameless_call("")
    };
    builder.call_of(known, name, body, server);
    builder.part(PartKind::Result { id: known, error, server }, body_of_result);
}

/// Writes turns as messages: from one prompt to the next, what the model said and did is one.
pub(super) fn write(turns: &[Turn<'_>]) -> Vec<(usize, String)> {
    let names = names(turns);
    let mut written = Vec::new();
    let mut open: Option<Answer<'_>> = None;
    for (at, turn) in turns.iter().enumerate() {
        if turn.role == Role::Assistant {
            open.get_or_insert_with(|| Answer::new(at)).say(&turn.pieces);
            continue;
        }
        let (results, words): (Vec<_>, Vec<_>) =
            turn.pieces.iter().partition(|piece| matches!(piece, Piece::Result { .. }));
        if !results.is_empty() {
            open.get_or_insert_with(|| Answer::new(at)).answer(&results);
        }
        if !words.is_empty() || results.is_empty() {
            written.extend(open.take().map(|answer| answer.write(&names)));
            let parts = words.into_iter().map(|piece| part_of(Some(piece), None, &names));
            written.push(message(at, turn.role, &parts.collect::<Vec<_>>()));
        }
    }
    written.extend(open.map(|answer| answer.write(&names)));
    written
}

fn message(at: usize, role: Role, parts: &[String]) -> (usize, String) {
    let (role, parts) = (role.name(), parts.join(","));
    (at, format!("{{\"id\":\"turn-{at}\",\"role\":\"{role}\",\"parts\":[{parts}]}}"))
}

/// A message of the model in the making.
struct Answer<'t> {
    first: usize,
    /// Each piece with its result; neither is the start of a step, a result alone one without its call.
    parts: Vec<(Option<&'t Piece<'t>>, Option<&'t Piece<'t>>)>,
    /// The calls that wait for their results, by their ids.
    waiting: BTreeMap<&'t str, usize>,
}

impl<'t> Answer<'t> {
    fn new(first: usize) -> Self {
        Self { first, parts: Vec::new(), waiting: BTreeMap::new() }
    }

    fn say(&mut self, pieces: &'t [Piece<'t>]) {
        self.parts.push((None, None));
        for piece in pieces {
            if let Piece::Call { id, .. } = piece {
                self.waiting.insert(id, self.parts.len());
            }
            self.parts.push((Some(piece), None));
        }
    }

    fn answer(&mut self, results: &[&'t Piece<'t>]) {
        for &result in results {
            let Piece::Result { id, .. } = result else { continue };
            match self.waiting.remove(&**id) {
                Some(call) => self.parts[call].1 = Some(result),
                None => self.parts.push((None, Some(result))),
            }
        }
    }

    fn write(self, names: &Names<'_>) -> (usize, String) {
        let parts = self.parts.iter().map(|&(piece, result)| part_of(piece, result, names));
        message(self.first, Role::Assistant, &parts.collect::<Vec<_>>())
    }
}

fn part_of(piece: Option<&Piece<'_>>, result: Option<&Piece<'_>>, names: &Names<'_>) -> String {
    let (id, name, arguments) = match (piece, result) {
        (Some(Piece::Text(text)), _) => {
            return format!("{{\"type\":\"text\",\"text\":{}}}", quote(text));
        }
        (Some(Piece::Thinking { text, signature }), _) => {
            return reasoning(text, signature.as_deref(), "Metadata");
        }
        (Some(Piece::Media(media)), _) => return file(media, "url", false),
        (Some(Piece::Call { id, name, arguments }), _) => (id, &**name, &**arguments),
        (_, Some(Piece::Result { id, name, .. })) => (id, names.of(id, name), "{}"),
        _ => return "{\"type\":\"step-start\"}".into(),
    };
    let outcome = match result {
        Some(Piece::Result { text, error: false, .. }) => {
            format!("\"output-available\",\"input\":{arguments},\"output\":{}", quote(text))
        }
        Some(Piece::Result { text, .. }) => {
            format!("\"output-error\",\"input\":{arguments},\"errorText\":{}", quote(text))
        }
        _ => format!("\"input-available\",\"input\":{arguments}"),
    };
    format!(
        "{{\"type\":\"dynamic-tool\",\"toolName\":{},\"toolCallId\":{},\"state\":{outcome}}}",
        quote(name),
        quote(id)
    )
}
