//! What is known of one sentence, and whether it may bind.

use alloc::string::String;

use super::lexicon::Lexicon;
use super::reader::Reader;
use super::trigger::{Sign, Signs};

/// What was read in a sentence.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one sentence")]
pub(super) struct Reading {
    /// Signs that bind whatever else the sentence is.
    pub(super) strong: Signs,
    /// Signs that bind unless the sentence is a question, a report or a task for now.
    pub(super) weak: Signs,
    /// Paths, versions and the like.
    pub(super) literal: Signs,
    /// It asks something.
    pub(super) asks: bool,
    /// It begins like a report.
    pub(super) reports: bool,
    /// It begins with what may be the subject of a report.
    pub(super) subject: bool,
    /// It tells of what has been.
    pub(super) past: bool,
    /// It begins like a task for now.
    pub(super) task: bool,
    /// It begins like a polite request.
    pub(super) polite: bool,
    /// It begins like an answer, thanks, a greeting.
    pub(super) answers: bool,
    /// It goes on with the steps of the sentence before.
    pub(super) steps: bool,
    /// How many words of an order it has: first, then, finally.
    pub(super) ordered: u8,
    /// It is a heading, or ends with a colon.
    pub(super) introduces: bool,
    /// It stands in square brackets: "[Request interrupted by user]".
    pub(super) bracketed: bool,
    /// It ends with a question mark.
    pub(super) questions: bool,
    /// It is too short to tell of what has been and to come to a condition as well.
    pub(super) short: bool,
    /// Words, or letters of a writing without spaces.
    pub(super) words: usize,
    /// Characters that prose has few of.
    pub(super) odd: usize,
    /// It forbids in a clause of its own, which no story before it takes back.
    pub(super) turns: bool,
    /// It forbids so that even a question asks for nothing else.
    pub(super) begs: bool,
    /// It is a value between tags: `<policy>never</policy>`.
    pub(super) is_value: bool,
    /// A word begins with an underscore, which may be emphasis.
    pub(super) emphasis: bool,
    /// It stands in a comment of code or in a log.
    pub(super) foreign: bool,
    /// A clause behind the first is no more of the task.
    pub(super) tail: bool,
}

impl Reading {
    /// Reads `text`, one sentence.
    pub(super) fn of(lexicon: &Lexicon, text: &str) -> Self {
        let mut starred = None;
        let seen = loop {
            let seen = Reader::read(lexicon, starred.as_deref().unwrap_or(text));
            if !seen.emphasis || starred.is_some() {
                break seen;
            }
            starred = Some(unemphasised(text));
        };
        let introduces = text.starts_with('#') || text.ends_with([':', '：']);
        let bracketed = text.starts_with('[') && text.ends_with(']');
        let is_value = text.starts_with('<') && text.is_ascii() && !text.contains(' ');
        let short = text.len() <= SHORT_REPORT;
        let foreign =
            text.starts_with(['/', '<', 'n']) && FOREIGN.iter().any(|it| text.starts_with(it));
        Self {
            questions: is_question(text),
            introduces,
            bracketed,
            short,
            foreign,
            is_value,
            ..seen
        }
    }

    /// The signs by which the sentence may bind; `None` if it evidently does not.
    pub(super) fn judge(self) -> Option<Signs> {
        let asks = self.asks || self.questions;
        let mut all = self.strong.and(self.weak).and(self.literal);
        if self.introduces && self.words < 3 || self.is_value {
            return None;
        }
        let reports = self.past && (self.reports || self.subject);
        let doubtful = !self.begs && (asks || reports && !self.turns);
        if all.has(Sign::Prohibition) && (doubtful || self.foreign) {
            // "Why don't you …?", "I was not allowed to …": neither is an unmistakable prohibition.
            all = all.without(Sign::Prohibition).with(Sign::Avoidance);
        }
        if !self.strong.is_empty() {
            return Some(all);
        }
        if self.questions || self.asks && self.words < 12 || self.is_code() {
            return None;
        }
        if self.answers && self.words < 12 {
            return None;
        }
        if self.ordered > 1 && !self.past && !self.reports {
            return Some(all.with(Sign::Ordering));
        }
        if self.task {
            let denied = self.weak.has(Sign::Avoidance) || self.weak.has(Sign::Standing);
            return match (denied, self.tail) {
                (true, _) => Some(all),
                (false, tail) => tail.then(|| all.with(Sign::Statement)),
            };
        }
        let told = self.reports || self.subject && !self.weak.has(Sign::Standing);
        if self.past && (told || self.short && self.literal.is_empty()) {
            let lasting = self.literal.has(Sign::Url) || self.literal.has(Sign::Branch);
            return lasting.then_some(all);
        }
        if self.reports {
            let lasting = self.literal.has(Sign::Url)
                || self.literal.has(Sign::Branch)
                || self.literal.has(Sign::Version)
                || self.literal.has(Sign::Amount);
            return lasting.then_some(all);
        }
        if all.is_empty() && self.words < 2 {
            return None;
        }
        Some(if all.is_empty() { all.with(Sign::Statement) } else { all })
    }

    /// Whether it is a condition that is put as a question: "New table needed? Ask first."
    pub(super) fn may_be_condition(self) -> bool {
        self.questions && !self.asks && !self.polite && self.words <= 10
    }

    /// Whether it may be one more of the rules above it: "squash merges" between two that evidently bind.
    pub(super) fn may_be_rule(self) -> bool {
        !(self.questions || self.asks || self.is_code() || self.past)
    }

    /// Whether it looks like a line of code or of a log.
    fn is_code(self) -> bool {
        self.bracketed || self.odd > 2 && self.odd * 3 > self.words
    }
}

/// `text` with the stars for which its underscores stand where they are emphasis: "do _not_ push".
#[cold]
fn unemphasised(text: &str) -> String {
    let bytes = text.as_bytes();
    let in_word = |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_alphanumeric() || *it >= 0x80);
    let (mut opens, mut closes) = (false, false);
    let mut starred = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|&&it| it == b'_').count();
        let before = in_word(at.checked_sub(1).and_then(|it| bytes.get(it)));
        let after = in_word(bytes.get(at + length));
        if length > 0 && before != after {
            opens |= after;
            closes |= opens && before;
            starred[at..at + length].fill(b'*');
        }
        at += length.max(1);
    }
    let starred = closes.then(|| String::from_utf8(starred).ok());
    starred.flatten().unwrap_or_else(|| text.into())
}

/// Whether a sentence ends as a question. "…, ok?" behind a comma asks nothing.
fn is_question(text: &str) -> bool {
    let text = text.trim_end_matches(['"', ')', '*', '_', '」', '”']);
    let Some(asked) = text.strip_suffix(['?', '？']) else { return false };
    let Some((_, tag)) = asked.rsplit_once([',', '，', '、']) else { return true };
    let tag = tag.trim();
    let words = tag.split_whitespace().count();
    let is_tag = words <= 2 && tag.chars().count() <= 10
        || words <= 4
            && TAGS
                .iter()
                .any(|it| tag.get(..it.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(it)));
    !is_tag
}

/// How a question begins that only asks whether what stands before it was understood.
const TAGS: [&str; 12] = [
    "is that",
    "are we",
    "do you under",
    "do you hear",
    "understood",
    "got it",
    "ist das",
    "hast du",
    "c'est",
    "compris",
    "está claro",
    "entendi",
];

/// What comments of code begin with, and lines of logs.
const FOREIGN: [&str; 5] = ["//", "/*", "<!--", "npm ERR!", "npm WARN"];

/// "The build failed again", in bytes.
const SHORT_REPORT: usize = 32;
