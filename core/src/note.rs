//! The note: the plain user entry that stands for what was folded, and its marker.
//!
//! A note is written in one exact form and read back only in that form, under its seal, at the place where
//! Pinfold puts it. Text that merely looks like one, in a result or in a prompt, is ordinary text.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::ledger::{BLOCK_CLOSING, BLOCK_OPENING, Block};
use crate::transcript::{PartKind, Role, Transcript};

/// What a note says.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Note {
    /// What was folded, all folds together.
    pub tally: Tally,
    /// The summary that the provider's own compaction left, word for word.
    pub summary: Option<String>,
    /// The summary that a model of the host's wrote, word for word.
    pub host: Option<HostSummary>,
    /// How many entries such a summary told of that found no room in a later note; 0 if that never happened.
    pub dropped: u64,
    /// The prompts of the exchange that is still going on, word for word.
    pub carried: Vec<String>,
    /// What is kept of lines that are older and no longer shown: their beginnings, with excerpts, and beside a summary those
    /// of the pairs that must stay on record.
    pub older: Vec<Kept>,
    /// One line for each prompt, answer and pair, oldest first.
    pub lines: Vec<Kept>,
    /// Lines that are older and no longer shown.
    pub unlisted: u32,
    /// The hash of what was folded: 16 hexadecimal digits.
    pub hash: String,
    /// The ledger that stands after the note, in the same text: the last thing before what is kept.
    pub ledger: Block,
}

/// A summary by a model of the host's.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct HostSummary {
    /// What the model wrote.
    pub text: String,
    /// Of how many of the folded entries, counted from the first, it tells.
    pub entries: u64,
}

/// A line of a note, with what is kept word for word of what it tells about.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Kept {
    /// The line.
    pub text: String,
    /// Pieces of lines of the output, the arguments or the words, in their order. None holds a line break.
    pub excerpts: Vec<String>,
}

impl From<&str> for Kept {
    fn from(text: &str) -> Self {
        Self { text: text.into(), excerpts: Vec::new() }
    }
}

/// What was folded.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Tally {
    /// Entries, without system entries.
    pub entries: u64,
    /// Prompts among them.
    pub prompts: u64,
    /// Calls with their results.
    pub pairs: u64,
    /// Their tokens.
    pub tokens: u64,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            entries: self.entries.saturating_add(other.entries),
            prompts: self.prompts.saturating_add(other.prompts),
            pairs: self.pairs.saturating_add(other.pairs),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }
}

const OPENING: &str = "[Pinfold note, version 1]";
const CLOSING: &str = "[End of the Pinfold note]";
const HONESTY: &str = "What this note does not mention may still have happened: its silence is not evidence. \
                       Call a tool again rather than guess what it returned.";
const OLDER: &str = "Of older calls the beginnings, and pieces of their output that may be needed again, word for word:";
const EXCERPT: &str = "  | ";
const CARRIED: &str = "The request being worked on, word for word:";
const SUMMARY: &str = "The provider's own summary of what came before, word for word:";
const HOST: (&str, &str) = (
    "A model's summary of the first ",
    " of these entries, quoted. It may be wrong; what else stands here is exact:",
);
const DROPPED: (&str, &str) =
    ("A model's summary of the first ", " of these entries found no room and is no longer here.");
/// What stands between the note and the ledger.
const BETWEEN: &str = "\n\n";
const UNSEALED: &str = "0000000000000000";

impl Note {
    /// The note as text, under its seal, and the ledger after it if there is one.
    pub fn render(&self) -> String {
        let unsealed = self.written(UNSEALED);
        let seal = hash(&[&unsealed]);
        let mut note = self.written(&seal);
        if !self.ledger.is_empty() {
            let ledger = self.ledger.render(&note);
            note.push_str(BETWEEN);
            note.push_str(&ledger);
        }
        note
    }

    fn written(&self, seal: &str) -> String {
        let Tally { entries, prompts, pairs, tokens } = self.tally;
        let mut text = format!(
            "{OPENING}\nFolded here: {entries} entries of the earlier conversation (prompts: {prompts}, tool calls \
             with their results: {pairs}, tokens: about {tokens}).\n{HONESTY}\nFolded text {}, seal {seal}.\n",
            self.hash
        );
        if let Some(summary) = &self.summary {
            write_quoted(&mut text, SUMMARY, summary);
        }
        if let Some(HostSummary { text: words, entries }) = &self.host {
            write_quoted(&mut text, &format!("{}{entries}{}", HOST.0, HOST.1), words);
        }
        if self.dropped > 0 {
            let _ = writeln!(text, "\n{}{}{}", DROPPED.0, self.dropped, DROPPED.1);
        }
        for words in &self.carried {
            write_quoted(&mut text, CARRIED, words);
        }
        if !self.older.is_empty() {
            text.push('\n');
            text.push_str(OLDER);
            text.push('\n');
            write_lines(&mut text, &self.older);
        }
        if !self.lines.is_empty() || self.unlisted > 0 {
            text.push_str("\nWhat happened, oldest first");
            if self.unlisted > 0 {
                let _ = write!(text, " (older lines no longer shown: {})", self.unlisted);
            }
            text.push_str(":\n");
        }
        write_lines(&mut text, &self.lines);
        text.push_str(CLOSING);
        text
    }

    /// Reads a note back; `None` unless `text` is one to the last byte.
    pub fn parse(text: &str) -> Option<Self> {
        let whole = text;
        // What is quoted stands behind a mark, so a line that opens a ledger is one.
        let seam = [CLOSING, BETWEEN, BLOCK_OPENING, "\n"].concat();
        let (text, ledger) = match text.find(&seam) {
            None => (text, None),
            Some(at) => {
                let (note, rest) = text.split_at(at + CLOSING.len());
                (note, Some(rest.strip_prefix(BETWEEN)?))
            }
        };
        let body = text.strip_prefix(OPENING)?.strip_suffix(CLOSING)?;
        let mut rows = body.strip_prefix('\n')?.strip_suffix('\n')?.split('\n');
        let tally = parse_tally(rows.next()?)?;
        let _honesty = rows.next()?;
        let hash = rows.next()?.strip_prefix("Folded text ")?.get(..16)?.to_string();
        let ledger = match ledger {
            Some(ledger) => Block::parse(ledger, text)?,
            None => Block::default(),
        };
        let mut note = Self { tally, hash, ledger, ..Self::default() };
        let mut quoted: Option<String> = None;
        let mut heading = "";
        let mut older = false;
        for row in rows {
            if let Some(line) = row.strip_prefix("> ") {
                match &mut quoted {
                    Some(prompt) => {
                        prompt.push('\n');
                        prompt.push_str(line);
                    }
                    None => quoted = Some(line.to_string()),
                }
                continue;
            }
            note.keep(heading, quoted.take());
            heading = row;
            if let Some(entries) = between(row, DROPPED) {
                note.dropped = entries;
            }
            // An empty row ends what is older.
            older = row == OLDER || older && !row.is_empty();
            let lines = if older { &mut note.older } else { &mut note.lines };
            if let Some(line) = row.strip_prefix("- ") {
                lines.push(line.into());
            } else if let Some(excerpt) = row.strip_prefix(EXCERPT) {
                lines.last_mut()?.excerpts.push(excerpt.into());
            } else if let Some(older) =
                row.strip_prefix("What happened, oldest first (older lines no longer shown: ")
            {
                note.unlisted = older.split(')').next()?.parse().ok()?;
            }
        }
        note.keep(heading, quoted);
        // The form is exact: what does not render to the same bytes is not a note.
        (note.render() == whole).then_some(note)
    }

    /// Takes quoted words in, as what `heading` says that they are.
    fn keep(&mut self, heading: &str, quoted: Option<String>) {
        let Some(text) = quoted else { return };
        if heading == SUMMARY {
            self.summary = Some(text);
        } else if let Some(entries) = between(heading, HOST) {
            self.host = Some(HostSummary { text, entries });
        } else {
            self.carried.push(text);
        }
    }

    /// The most tokens that a note costs beside what it carries word for word and its lines.
    pub fn frame_tokens() -> u64 {
        let largest =
            Tally { entries: 9_999_999, prompts: 9_999_999, pairs: 9_999_999, tokens: 999_999_999 };
        let frame = Self {
            tally: largest,
            // Digits cost at least as much as any mix of hexadecimal digits of their number.
            hash: "a0a0a0a0a0a0a0a0".into(),
            unlisted: 9_999_999,
            ..Self::default()
        };
        u64::from(crate::estimator::estimate(&frame.written("a0a0a0a0a0a0a0a0"))) + 8
    }

    /// The tokens of the heading over what is kept of older lines, at most.
    pub(crate) fn older_tokens() -> u64 {
        u64::from(crate::estimator::estimate(OLDER)) + 3
    }

    /// The tokens of a line, without its excerpts, at most.
    pub(crate) fn line_tokens(line: &str) -> u64 {
        u64::from(crate::estimator::estimate(line)) + 2
    }

    /// The tokens of an excerpt, at most.
    pub(crate) fn excerpt_tokens(excerpt: &str) -> u64 {
        u64::from(crate::estimator::estimate(excerpt)) + 3
    }

    /// The tokens of a prompt that is carried.
    pub fn carried_tokens(prompt: &str) -> u64 {
        Self { carried: [prompt.into()].into(), ..Self::default() }.own_tokens()
    }

    /// The tokens of a summary that is carried.
    pub fn summary_tokens(summary: &str) -> u64 {
        Self { summary: Some(summary.into()), ..Self::default() }.own_tokens()
    }

    /// The tokens of a summary by a model of the host's.
    pub(crate) fn host_tokens(summary: &HostSummary) -> u64 {
        Self { host: Some(summary.clone()), ..Self::default() }.own_tokens()
    }

    /// The tokens of the line that says that such a summary is no longer there.
    pub(crate) fn dropped_tokens(entries: u64) -> u64 {
        Self { dropped: entries, ..Self::default() }.own_tokens()
    }

    /// The tokens of what it holds beside its marker.
    fn own_tokens(&self) -> u64 {
        let without = Self::default();
        let estimate = |note: &Self| u64::from(crate::estimator::estimate(&note.written(UNSEALED)));
        estimate(self).saturating_sub(estimate(&without)) + 1
    }
}

/// Writes words behind marks, so that no line of theirs is taken for one of the note.
fn write_quoted(text: &mut String, heading: &str, words: &str) {
    text.push('\n');
    text.push_str(heading);
    text.push('\n');
    for line in words.split('\n') {
        text.push_str("> ");
        text.push_str(line);
        text.push('\n');
    }
}

/// The number that stands between the two halves of a row.
fn between(row: &str, halves: (&str, &str)) -> Option<u64> {
    row.strip_prefix(halves.0)?.strip_suffix(halves.1)?.parse().ok()
}

/// Whether a line looks as if it opened or closed a block of Pinfold's, of whatever version.
pub(crate) fn is_forged(line: &str) -> bool {
    let start = line.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '[');
    [OPENING, CLOSING, BLOCK_OPENING, BLOCK_CLOSING].iter().any(|sign| {
        let name = sign.split([',', ']']).next().unwrap_or(sign);
        start.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
    })
}

fn write_lines(text: &mut String, lines: &[Kept]) {
    for line in lines {
        text.push_str("- ");
        text.push_str(&line.text);
        text.push('\n');
        for excerpt in &line.excerpts {
            text.push_str(EXCERPT);
            text.push_str(excerpt);
            text.push('\n');
        }
    }
}

fn parse_tally(row: &str) -> Option<Tally> {
    let mut numbers = row.split(|c: char| !c.is_ascii_digit()).filter(|piece| !piece.is_empty());
    let mut next = || numbers.next()?.parse::<u64>().ok();
    Some(Tally { entries: next()?, prompts: next()?, pairs: next()?, tokens: next()? })
}

/// The note of an earlier fold, if `transcript` has one: its first entry that is neither frozen nor a system entry, or the first part of
/// it, before a prompt.
pub fn find(transcript: &Transcript) -> Option<(usize, Note)> {
    let entries = transcript.entries();
    let seat = (0..entries.len()).find(|&entry| !transcript.stays(entry))?;
    let parts = transcript.parts(seat);
    let part = parts.first()?;
    let has_result = parts.iter().any(|part| matches!(part.kind, PartKind::Result { .. }));
    if entries[seat].role != Role::User || part.kind != PartKind::Text || has_result {
        return None;
    }
    Some((seat, Note::parse(&transcript.part_text(part))?))
}

/// 16 hexadecimal digits of the SHA-256 of `pieces`, each ended by a zero byte.
pub(crate) fn hash(pieces: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for piece in pieces {
        hasher.update(piece.as_bytes());
        hasher.update([0]);
    }
    let digest = hasher.finalize();
    digest[..8].iter().fold(String::with_capacity(16), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
