//! Texts in the place of a prompt that no person said: a tool's output, a model's summary of what was cut away.
//!
//! Where a log marks them, its reader carries the mark. A list of messages has no such mark, and neither has the fold of a log,
//! which is written as one: there they are known by the words that their clients put first, and only by those, so that no
//! person's words are lost for a word that stands in them.

use alloc::string::String;
use alloc::vec::Vec;

/// What clients put before a summary.
const SUMMARIES: [&str; 4] = [
    "<state_snapshot>",
    "Another language model started to solve this problem and produced a summary of its thinking process",
    "The conversation history before this point was compacted into the following summary:",
    "This session is being continued from a previous conversation that ran out of context",
];

/// What clients put before the output of a tool.
const OUTPUTS: [&str; 2] = ["EXECUTION RESULT of [", "OBSERVATION:"];

/// Tools of Cline whose result is what a person answers.
const ASKING: [&str; 3] = ["ask_followup_question", "attempt_completion", "plan_mode_respond"];

/// Takes the texts out that no person said; they are those of one entry, by part.
pub(super) fn take_out(texts: &mut Vec<(usize, String)>) {
    // The part whose text is the output that the header before it names.
    let mut announced = None;
    texts.retain(|(part, text)| {
        let text = text.trim_start();
        if announced.take() == Some(*part) && header(text).is_none() {
            return false;
        }
        if let Some((tool, rest)) = header(text) {
            let asks = ASKING.contains(&tool);
            announced = (rest.trim().is_empty() && !asks).then_some(part + 1);
            return asks;
        }
        !is_summary(text) && !OUTPUTS.iter().any(|start| text.starts_with(start))
    });
}

/// Whether a text is a summary. Gemini's models may think aloud before theirs.
fn is_summary(text: &str) -> bool {
    SUMMARIES.iter().any(|start| text.starts_with(start))
        || text.starts_with("<scratchpad>") && text.contains("<state_snapshot>")
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
