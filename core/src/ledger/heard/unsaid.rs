//! Texts in the place of a prompt that no person said: a tool's output, a model's summary of what was cut away.
//!
//! Where a log marks them, its reader carries the mark. A list of messages has no such mark, and neither has the fold of a log,
//! which is written as one: there they are known by the words that their clients put first, and only by those, so that no
//! person's words are lost for a word that stands in them.

use alloc::string::String;
use alloc::vec::Vec;

/// What clients put before a summary.
const SUMMARIES: [&str; 5] = [
    "<state_snapshot>",
    ANOTHER,
    "Here is a summary of the conversation to date:\n\n",
    "The conversation history before this point was compacted into the following summary:",
    "This session is being continued from a previous conversation that ran out of context",
];

/// What Codex puts before a summary. Until autumn 2025 the person's own messages stood in front of it, behind words of Codex.
const ANOTHER: &str = "Another language model started to solve this problem and produced a summary of its thinking process";
const BRIDGE: &str = "You were originally given instructions from a user over one or more turns.";

/// What clients put before the report of a sub-agent, which is a model's.
const REPORTS: [&str; 3] =
    ["<subagent_notification>", "<task-notification>", "[Inter-session message] sourceSession="];

/// What clients put before the output of a tool, or of a command that a person ran. Where it stands between tags, the trigger
/// knows where it ends.
const OUTPUTS: [&str; 4] = [
    "<user_shell_command>",
    "EXECUTION RESULT of [",
    "I ran the following shell command:\n```",
    "OBSERVATION:",
];

/// Tools of Cline whose result is what a person answers.
const ASKING: [&str; 3] = ["ask_followup_question", "attempt_completion", "plan_mode_respond"];

/// Takes the outputs of tools out of the texts of one entry, which stand there by part.
pub(super) fn take_out_outputs(texts: &mut Vec<(usize, String)>) {
    // The part whose text is the output that the header before it names.
    let mut announced = None;
    texts.retain_mut(|(part, text)| {
        let is_output = announced.take() == Some(*part);
        let start = text.len() - text.trim_start().len();
        let Some((tool, rest)) = header(text.trim_start()) else {
            let trimmed = text.trim_start();
            return !is_output && !OUTPUTS.iter().any(|output| trimmed.starts_with(output));
        };
        let asks = ASKING.contains(&tool);
        if rest.trim().is_empty() && !asks {
            announced = Some(*part + 1);
        }
        // An output may begin like the answer of a person.
        if is_output || !asks {
            return false;
        }
        // What was asked is the model's. Blanks in its place leave the answer where it stands.
        let end = text.len() - rest.len();
        let asked: String = text.get(start..end).unwrap_or_default().chars().map(blank).collect();
        text.replace_range(start..end, &asked);
        true
    });
}

/// Takes the summaries and the reports of models out of the texts of one entry.
pub(super) fn take_out_reports(texts: &mut Vec<(usize, String)>) {
    texts.retain_mut(|(_, text)| {
        if text.trim_start().starts_with(BRIDGE)
            && let Some(end) = text.find(ANOTHER)
        {
            text.truncate(end);
        }
        !is_report(text)
    });
}

/// Whether a text is a summary or a report of a model. Gemini's models may think aloud before theirs.
pub(in crate::ledger) fn is_report(text: &str) -> bool {
    let text = text.trim_start();
    SUMMARIES.iter().chain(&REPORTS).any(|start| text.starts_with(start))
        || text.starts_with("<scratchpad>") && text.contains("<state_snapshot>")
}

/// White space as long as a character, in bytes and in units of UTF-16; no sentence is made of those for which there is none.
fn blank(c: char) -> char {
    match c.len_utf8() {
        1 => ' ',
        2 => '\u{a0}',
        3 => '\u{3000}',
        _ => c,
    }
}

/// The tool in the header that Cline puts before a result, `[tool for 'what'] Result:`, and what follows the header. Some
/// tools say nothing of what they are for, and a task that was given away that it is completed.
fn header(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?;
    let end = inner.find(|c: char| !(c.is_ascii_lowercase() || c == '_'))?;
    let (tool, rest) = inner.split_at(end);
    let bare = ["] Result:", " completed] Result:"].iter().find_map(|end| rest.strip_prefix(end));
    let rest = bare.or_else(|| {
        let what = rest.strip_prefix(" for '")?;
        what.split_once("'] Result:").map(|(_, rest)| rest)
    })?;
    (!tool.is_empty()).then_some((tool, rest))
}
