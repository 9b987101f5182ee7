//! Prompts with the spans that bind, written by hand, and whether the trigger finds them.
//!
//! `prompts/` is the set with which the words were chosen, `held-out/` one that was not looked at meanwhile.
//! `cargo xtask bench ledger` reads this file as well.

use pinfold::ledger::trigger::{Flagged, Trigger};
use serde_json::Value;

/// The languages of both sets.
pub(crate) const LANGUAGES: [&str; 8] = ["en", "es", "fr", "de", "pt", "zh", "ja", "ko"];

/// What came of a set in one language.
#[derive(Debug, Default)]
pub(crate) struct Recall {
    /// Binding spans.
    pub(crate) spans: usize,
    /// Those that were not found, with their prompts.
    pub(crate) misses: Vec<(String, String)>,
    /// Prompts in which nothing binds.
    pub(crate) idle: usize,
    /// Those of them in which something was flagged.
    pub(crate) false_flags: usize,
}

impl Recall {
    /// The share of spans that were found.
    pub(crate) fn share(&self) -> f64 {
        let found = self.spans - self.misses.len();
        found as f64 / self.spans.max(1) as f64
    }
}

/// Scans every prompt of a set: a JSON array of `{ text, binding: [{ text, kind }] }`.
pub(crate) fn recall(trigger: &Trigger, set: &str) -> Result<Recall, String> {
    let set: Value = serde_json::from_str(set).map_err(|error| error.to_string())?;
    let mut recall = Recall::default();
    for prompt in set.as_array().ok_or("it is no list")? {
        let text = prompt["text"].as_str().ok_or("a prompt has no text")?;
        let binding = prompt["binding"].as_array().ok_or("a prompt has no list of spans")?;
        let flagged = trigger.scan(text);
        if binding.is_empty() {
            recall.idle += 1;
            recall.false_flags += usize::from(!flagged.is_empty());
        }
        for span in binding {
            let wanted = span["text"].as_str().ok_or("a span has no text")?;
            if !text.contains(wanted) {
                return Err(format!("{wanted:?} does not occur in {text:?}"));
            }
            recall.spans += 1;
            if !is_found(text, &flagged, wanted, span["kind"] == "ordering") {
                recall.misses.push((wanted.into(), text.into()));
            }
        }
    }
    Ok(recall)
}

/// Whether one flagged sentence contains the span, or several cover it with nothing but white space and the marks of
/// fences and quotations between them. Steps must be in one.
fn is_found(text: &str, flagged: &[Flagged], wanted: &str, steps: bool) -> bool {
    text.match_indices(wanted).any(|(start, _)| {
        let end = start + wanted.len();
        if flagged.iter().any(|it| it.bytes.start <= start && end <= it.bytes.end) {
            return true;
        }
        let mut covered = start;
        for sentence in flagged.iter().filter(|it| it.bytes.end > start && it.bytes.start < end) {
            if sentence.bytes.start > covered && !is_blank(&text[covered..sentence.bytes.start]) {
                return false;
            }
            covered = sentence.bytes.end;
        }
        !steps && (covered >= end || is_blank(&text[covered..end]))
    })
}

fn is_blank(text: &str) -> bool {
    text.trim_matches(|it: char| it.is_whitespace() || matches!(it, '`' | '~' | '>')).is_empty()
}
