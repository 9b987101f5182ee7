//! Where the words of a sentence are somebody else's, or tell of what has been, so that they forbid nothing.

use super::Reader;
use crate::ledger::fold::{gap, word_end};
use crate::ledger::heads::Entrance;
use crate::ledger::trigger::Sign;
use crate::ledger::words::{Mark, SAID};

/// How far words are somebody else's.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// To the end of the clause: "why we must not use it".
    pub(super) clause: bool,
    /// To the end of the sentence: "The linter says: do not use it".
    pub(super) sentence: bool,
    /// Up to that byte, where a quotation closes.
    quoted: usize,
    /// For each kind of quotation, whether none closes from here on.
    open: [bool; QUOTES],
}

/// `"`, `«`, `“` or `„`, `「`.
const QUOTES: usize = 4;

impl Reader<'_> {
    /// Takes in what forbids where it stands; in somebody else's words it only denies.
    #[inline(never)]
    pub(super) fn forbid(&mut self) {
        self.allows = false;
        let told = self.told.clause
            || self.told.sentence
            || self.told.quoted > 0 && self.at <= self.told.quoted;
        self.strong(if told { Sign::Avoidance } else { Sign::Prohibition });
    }

    /// The mark of a quotation. What a sentence quotes is not what it says, unless it is all of the sentence.
    #[cold]
    pub(super) fn quote(&mut self, kind: usize, close: char) {
        let bytes = self.text.as_bytes();
        let open = self.at;
        let begins = open
            .checked_sub(1)
            .and_then(|at| bytes.get(at))
            .is_none_or(|it| !it.is_ascii_alphanumeric());
        self.at += self.text.get(open..).and_then(|it| it.chars().next()).map_or(1, char::len_utf8);
        if !begins
            || self.told.quoted > 0 && open <= self.told.quoted
            || self.told.open.get(kind).is_none_or(|&it| it)
        {
            return;
        }
        let Some(length) = self.text.get(self.at..).and_then(|rest| rest.find(close)) else {
            self.told.open[kind] = true;
            return;
        };
        let end = self.at + length;
        let is_all = self.seen.words == 0
            && self.text.len() - end < SHORTEST_REST
            && !self.text[end..].contains(char::is_alphanumeric);
        if !is_all {
            self.told.quoted = end;
        }
    }

    /// Whether a tag of a markup may begin here.
    pub(super) fn begins_tag(&self) -> bool {
        match *self.text.as_bytes().get(self.at + 1..).unwrap_or_default() {
            [b'/', next, ..] => next.is_ascii_alphabetic(),
            [next, ..] => next.is_ascii_alphabetic() || next == b'!',
            [] => false,
        }
    }

    /// Goes past a tag of a markup, `<rules>` or `</b>`: its name is no word.
    #[cold]
    pub(super) fn tag(&mut self) -> bool {
        let rest = self.text.as_bytes().get(self.at + 1..).unwrap_or_default();
        let inside = rest.iter().take(LONGEST_TAG).position(|it| matches!(it, b'<' | b'>' | b'\n'));
        let Some(inside) = inside.filter(|&it| rest[it] == b'>') else { return false };
        self.seen.odd += 2;
        self.at += inside + 2;
        true
    }

    /// Whether the next word tells of what has been: "never seen that", "nunca me respondieron". `false` if that is not
    /// clear.
    #[cold]
    pub(super) fn goes_on_in_past(&self) -> bool {
        let mut at = self.at;
        loop {
            let (start, word) = self.word_behind(at);
            if word.is_empty() {
                return false;
            }
            let mark = self.lexicon.longest(self.text, start, Entrance::TOP);
            if is_past(word) || mark.is_some_and(|it| it.mark == Mark::Past) {
                return true;
            }
            if !matches!(
                word,
                b"me" | b"te" | b"se" | b"le" | b"lo" | b"la" | b"nos" | b"les" | b"los" | b"las"
            ) {
                return false;
            }
            at = start + word.len();
        }
    }

    /// Whether a participle follows, of what must not be done: "must not be changed", not "must not be empty".
    #[cold]
    pub(super) fn goes_on_in_participle(&self) -> bool {
        let mut at = self.at;
        loop {
            let (start, word) = self.word_behind(at);
            match word.to_ascii_lowercase().as_slice() {
                [.., b'l', b'y'] | b"ever" | b"just" | b"also" | b"re" => at = start + word.len(),
                b"open" | b"even" | b"when" | b"then" => return false,
                [_, _, .., b'e', b'd'] | [_, _, _, .., b'e', b'n'] | [_, _, .., b'w', b'n'] => {
                    return true;
                }
                b"built" | b"cut" | b"done" | b"hit" | b"held" | b"kept" | b"left" | b"lost"
                | b"made" | b"put" | b"read" | b"rebuilt" | b"reset" | b"run" | b"sent"
                | b"set" | b"shut" | b"sold" | b"spent" | b"split" => return true,
                _ => return false,
            }
        }
    }

    /// Where the word begins that follows behind byte `at`, and that word.
    fn word_behind(&self, at: usize) -> (usize, &[u8]) {
        let bytes = self.text.as_bytes();
        let start = gap(bytes, at);
        (start, bytes.get(start..word_end(bytes, start)).unwrap_or_default())
    }

    /// What the whole clause makes of a word in it.
    #[cold]
    pub(super) fn resolve(&mut self) {
        if core::mem::take(&mut self.allows) {
            self.strong(Sign::Permission);
        }
        if core::mem::take(&mut self.nay) && self.ends_in_infinitive() {
            self.forbid();
        }
    }

    /// Whether the clause ends in what German gives an order by where a denial begins it: "Nicht auf main pushen".
    fn ends_in_infinitive(&self) -> bool {
        let clause = self.text.as_bytes().get(..self.at).unwrap_or_default();
        let signs =
            clause.iter().rev().take_while(|it| it.is_ascii() && !it.is_ascii_alphanumeric());
        let clause = clause.get(..clause.len() - signs.count()).unwrap_or_default();
        let mut words = clause.rsplit(u8::is_ascii_whitespace);
        let word = words.next().unwrap_or_default();
        if words.next() == Some(b"zu") {
            return false;
        }
        let [b'a'..=b'z' | 0xC3, _, _, .., b'e' | b'r' | b'l', b'n'] = word else { return false };
        let is_participle = word.starts_with(b"ge")
            || [
                &b"standen"[..],
                b"funden",
                b"kommen",
                b"handen",
                b"worden",
                b"gangen",
                b"fallen",
                b"lassen",
            ]
            .iter()
            .any(|it| word.ends_with(it));
        !is_participle
    }

    /// Whether nothing but signs follows from byte `end` on.
    pub(super) fn ends_at(&self, end: usize) -> bool {
        let rest = self.text.get(end..).unwrap_or_default();
        rest.chars().take(SHORTEST_REST).all(|it| !it.is_alphanumeric())
    }
}

/// Whether a word has an ending by which verbs tell of what has been.
fn is_past(word: &[u8]) -> bool {
    match word {
        // "exceed", "embed": verbs that end so anyway.
        [.., b'e', b'e', b'd'] | b"embed" | b"shed" | b"shred" => false,
        // English, and German as in "gehört".
        [_, _, .., b'e' | b'E', b'd' | b'D'] | [b'g', b'e', _, _, .., b't'] => true,
        // Spanish and Portuguese.
        _ => {
            [&b"aron"[..], b"ieron", b"aram", b"eram", b"iram"].iter().any(|it| word.ends_with(it))
                || word.len() > 4 && (word.ends_with("ó".as_bytes()) || word.ends_with(b"ou"))
        }
    }
}

/// Whether what stands behind the colon at byte `at` is said by somebody, or is an error: "The linter says:".
#[cold]
pub(super) fn is_said(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes().get(..at).unwrap_or_default();
    let near = bytes.get(bytes.len().saturating_sub(LONGEST_SAID)..).unwrap_or_default();
    let start = near.iter().rposition(u8::is_ascii_whitespace).map_or(0, |it| it + 1);
    let word = near.get(start..).unwrap_or_default();
    // `ValueError:`, and the lower case in which compilers warn.
    let is_error = word.ends_with(b"Error") || word.ends_with(b"Exception") || word == b"warning";
    is_error
        || SAID.iter().any(|it| {
            let it = it.as_bytes();
            if it.is_ascii() { word.eq_ignore_ascii_case(it) } else { word.ends_with(it) }
        })
}

/// Longer than any verb of saying.
const LONGEST_SAID: usize = 24;

/// A longer tag is rather two signs that compare something.
const LONGEST_TAG: usize = 80;

/// What may stand behind the last quotation mark of a sentence, in bytes.
const SHORTEST_REST: usize = 8;
