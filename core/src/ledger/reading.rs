//! What the words of one sentence say, read from left to right.

use super::fold::{self, word_end};
use super::lexicon::Lexicon;
use super::literals;
use super::trigger::{Sign, Signs};
use super::words::Mark;

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
    /// It tells of what has been.
    pub(super) past: bool,
    /// It begins like a task for now.
    pub(super) task: bool,
    /// It begins like an answer, thanks, a greeting.
    pub(super) answers: bool,
    /// It goes on with the steps of the sentence before.
    pub(super) steps: bool,
    /// Words, or letters of a writing without spaces.
    pub(super) words: usize,
    /// Characters that prose has few of.
    pub(super) odd: usize,
}

impl Reading {
    /// Reads `text`, one sentence.
    pub(super) fn of(lexicon: &Lexicon, text: &str) -> Self {
        let mut reader = Reader {
            lexicon,
            text,
            at: 0,
            seen: Self::default(),
            first: true,
            head: true,
            modal: false,
            denies: 0,
            denied_head: false,
            bound: 0,
            tells: false,
            number: Number::None,
            branch: false,
            ticks: 0,
        };
        reader.read();
        reader.seen
    }

    /// The signs by which the sentence may bind; `None` if it evidently does not.
    pub(super) fn judge(self, text: &str) -> Option<Signs> {
        let asks = self.asks || is_question(text);
        let mut all = self.strong.and(self.weak).and(self.literal);
        if all.has(Sign::Prohibition) && (asks || self.reports && self.past) {
            // "Why don't you …?", "I was not allowed to …": neither is an unmistakable prohibition.
            all = all.without(Sign::Prohibition).with(Sign::Avoidance);
        }
        if !self.strong.is_empty() {
            return Some(all);
        }
        if asks || self.is_code() {
            return None;
        }
        if self.answers && self.words < 12 {
            return None;
        }
        if self.task {
            let denied = self.weak.has(Sign::Avoidance) || self.weak.has(Sign::Standing);
            return denied.then_some(all);
        }
        if self.past {
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

    /// Whether it looks like a line of code or of a log.
    fn is_code(self) -> bool {
        self.odd > 2 && self.odd * 3 > self.words
    }
}

/// Whether a sentence ends as a question. "…, ok?" behind a comma asks nothing.
fn is_question(text: &str) -> bool {
    let text = text.trim_end_matches(['"', ')', '*', '_', '」', '”']);
    let Some(asked) = text.strip_suffix(['?', '？']) else { return false };
    let Some((_, tag)) = asked.rsplit_once([',', '，', '、']) else { return true };
    tag.split_whitespace().count() > 2 || tag.trim().chars().count() > 10
}

/// Whether the last thing read was half an amount of money.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    None,
    Digits,
    Currency,
}

#[expect(clippy::struct_excessive_bools, reason = "independent facts about what was read so far")]
struct Reader<'t> {
    lexicon: &'t Lexicon,
    text: &'t str,
    at: usize,
    seen: Reading,
    /// Nothing but leading words was read of the sentence.
    first: bool,
    /// Nothing but leading words was read of the clause.
    head: bool,
    /// A modal verb was read, which a denial makes a prohibition.
    modal: bool,
    /// For how many words a denial may still become a prohibition, and whether it began a clause.
    denies: u8,
    denied_head: bool,
    /// For how many words a number is a limit.
    bound: u8,
    /// The clause began with a verb that tells what to do.
    tells: bool,
    number: Number,
    /// A branch is named next.
    branch: bool,
    /// How far it is known that no backtick follows.
    ticks: usize,
}

impl Reader<'_> {
    fn read(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                0..=b' ' => self.at += 1,
                b'`' => self.code(),
                0xE0 | 0xE1 | 0xE3..=0xEF => self.letter(),
                _ => self.token(),
            }
        }
    }

    fn clause(&mut self) {
        self.head = true;
        self.tells = false;
        self.denies = 0;
    }

    /// Code inside backticks: its words are no words, its literals are.
    fn code(&mut self) {
        let open = self.at;
        let run = self.text.as_bytes()[open..].iter().take_while(|&&it| it == b'`').count();
        let inside = open + run;
        self.at = inside;
        if self.ticks > inside || inside >= self.text.len() {
            return;
        }
        let Some(close) = self.text[inside..].find('`').map(|it| inside + it) else {
            self.ticks = usize::MAX;
            return;
        };
        for token in self.text[inside..close].split_ascii_whitespace() {
            self.literal(token, DIGIT | MONEY);
        }
        let rest = &self.text.as_bytes()[close..];
        self.at = close + rest.iter().take_while(|&&it| it == b'`').count();
        if core::mem::take(&mut self.branch) {
            self.seen.literal = self.seen.literal.with(Sign::Branch);
        }
        self.word_passed();
    }

    /// A run of characters without white space, of a writing that puts spaces between words.
    fn token(&mut self) {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut traits = 0;
        let mut end = start;
        while let Some(&byte) = bytes.get(end)
            && TRAITS[byte as usize] & END == 0
        {
            traits |= TRAITS[byte as usize];
            end += 1;
        }
        if traits == WORD {
            self.word(end);
            return;
        }
        let token = &self.text[start..end];
        if traits & SHAPED != 0 || traits & DOT != 0 && is_dotted(token) {
            if self.literal(token, traits) {
                self.at = end;
                self.word_passed();
                return;
            }
            if traits & DIGIT != 0 && literals::is_number(token) {
                self.digits();
                self.at = end;
                self.word_passed();
                return;
            }
        }
        self.words_of(end);
    }

    /// The words of a token, up to byte `end`; a phrase may go on beyond it.
    fn words_of(&mut self, end: usize) {
        let bytes = self.text.as_bytes();
        let mut before = b' ';
        while self.at < end
            && let Some(&byte) = bytes.get(self.at)
        {
            if TRAITS[byte as usize] & WORD != 0 {
                let inner =
                    matches!(before, b'/' | b'.' | b'_' | b'\\' | b'@' | b'#' | b'$' | b'=' | b'-');
                let word = word_end(bytes, self.at).max(self.at + 1);
                if inner {
                    self.at = word;
                } else {
                    self.word(word);
                }
                before = b'a';
                continue;
            }
            match byte {
                0xE2 => self.sign(),
                b',' | b';' | b':' | b'(' => {
                    self.at += 1;
                    // `10:30`, `a,b`: no clause begins in the middle of a word.
                    if byte == b'('
                        || bytes.get(self.at).is_none_or(|&it| !it.is_ascii_alphanumeric())
                    {
                        self.clause();
                    }
                }
                _ => {
                    self.seen.odd += usize::from(TRAITS[byte as usize] & ODD != 0);
                    self.at += 1;
                }
            }
            before = byte;
        }
    }

    /// A sign of three bytes: a dash begins a clause.
    fn sign(&mut self) {
        let letter = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        self.at += letter.map_or(1, char::len_utf8);
        if letter.is_some_and(|it| matches!(it, '–' | '—' | '→' | '•' | '…')) {
            self.clause();
        }
    }

    /// A word that begins here and ends before byte `end`.
    fn word(&mut self, end: usize) {
        self.seen.words += 1;
        if let Some(found) = self.lexicon.longest(self.text, self.at) {
            self.at = found.end.max(self.at + 1);
            self.mark(found.mark);
            return;
        }
        // As most English verbs end that tell of what has been.
        let word = self.text.as_bytes().get(self.at..end).unwrap_or_default();
        if let [_, _, _, .., b'e' | b'E', b'd' | b'D'] = word {
            self.seen.past = true;
        }
        self.at = end;
        self.word_passed();
    }

    /// A letter of a writing without spaces, or a syllable of Hangul.
    fn letter(&mut self) {
        if fold::unfolded(self.text.as_bytes(), self.at).is_none() {
            let Some(letter) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
                self.at = self.text.len();
                return;
            };
            if matches!(
                letter,
                '，' | '、' | '：' | '；' | '（' | '「' | '。' | '！' | '？' | '\u{3000}'
            ) {
                self.at += letter.len_utf8();
                self.clause();
                return;
            }
        }
        self.seen.words += 1;
        let start = self.at;
        if let Some(found) = self.lexicon.longest(self.text, start) {
            self.mark(found.mark);
            // Endings overlap (しない, ないで); only what says nothing hides the words inside it.
            self.at = if found.mark == Mark::Skip { found.end } else { start + 3 };
            return;
        }
        // All of them have three bytes.
        self.at += 3;
        self.word_passed();
    }

    fn word_passed(&mut self) {
        self.bound = self.bound.saturating_sub(1);
        self.first = false;
        self.head = false;
        self.branch = false;
        self.denies = self.denies.saturating_sub(1);
    }

    fn literal(&mut self, token: &str, traits: u8) -> bool {
        if traits & MONEY != 0 && traits & DIGIT != 0 && literals::is_amount(token) {
            self.seen.literal = self.seen.literal.with(Sign::Amount);
            if self.bound > 0 {
                self.strong(Sign::Limit);
            }
            return true;
        }
        let Some(sign) = literals::literal(token) else { return false };
        self.seen.literal = self.seen.literal.with(sign);
        true
    }

    fn digits(&mut self) {
        if self.bound > 0 {
            self.strong(Sign::Limit);
        }
        if self.number == Number::Currency {
            self.seen.literal = self.seen.literal.with(Sign::Amount);
        }
        self.number = Number::Digits;
    }

    fn strong(&mut self, sign: Sign) {
        self.seen.strong = self.seen.strong.with(sign);
    }

    fn weak(&mut self, sign: Sign) {
        self.seen.weak = self.seen.weak.with(sign);
    }

    fn mark(&mut self, mark: Mark) {
        let (first, head) = (self.first, self.head);
        let number = core::mem::replace(&mut self.number, Number::None);
        match mark {
            Mark::Lead => return,
            Mark::Ack if first => {
                self.seen.answers = true;
                return;
            }
            Mark::Prohibit => self.strong(Sign::Prohibition),
            Mark::HeadProhibit if head => self.strong(Sign::Prohibition),
            Mark::HeadAvoid if head => self.strong(Sign::Avoidance),
            Mark::Naught if self.modal || self.tells => self.strong(Sign::Prohibition),
            Mark::Avoid | Mark::Naught => self.strong(Sign::Avoidance),
            Mark::Must => self.strong(Sign::Imperative),
            Mark::HeadMust if head && self.seen.task => self.weak(Sign::Imperative),
            Mark::HeadMust if head => self.strong(Sign::Imperative),
            Mark::Standing => self.strong(Sign::Standing),
            Mark::Order => self.strong(Sign::Ordering),
            Mark::Step => {
                self.seen.steps |= first;
                self.weak(Sign::Ordering);
                if first || head {
                    return;
                }
            }
            Mark::Sequence => {
                self.seen.steps |= first;
                self.strong(Sign::Ordering);
            }
            Mark::Except => self.strong(Sign::Exception),
            Mark::Limit => self.strong(Sign::Limit),
            Mark::Approve => self.strong(Sign::Approval),
            Mark::Permit => self.strong(Sign::Permission),
            Mark::Later => self.strong(Sign::Later),
            Mark::If => self.weak(Sign::Standing),
            Mark::Modal => {
                self.strong(Sign::Imperative);
                self.modal = true;
            }
            Mark::Not | Mark::HeadProhibit | Mark::HeadAvoid => {
                self.weak(Sign::Avoidance);
                if self.modal || self.tells {
                    self.strong(Sign::Prohibition);
                }
            }
            Mark::Ne => {
                if head {
                    self.weak(Sign::Avoidance);
                }
                self.denies = NEAR;
                self.denied_head = head;
                self.first = false;
                self.head = false;
                return;
            }
            Mark::Deny if self.denies > 0 && self.denied_head || self.tells => {
                self.strong(Sign::Prohibition);
            }
            Mark::Deny => self.weak(Sign::Avoidance),
            Mark::Forbid if self.denies > 0 => self.strong(Sign::Prohibition),
            Mark::HeadForbid if self.denies > 0 && self.denied_head => {
                self.strong(Sign::Prohibition);
            }
            Mark::Ask => self.seen.asks |= first,
            Mark::AskEnd => self.seen.asks = true,
            Mark::Report => self.seen.reports |= first,
            Mark::Past => self.seen.past = true,
            Mark::Do => {
                self.seen.task |= first;
                self.tells |= head;
            }
            Mark::Polite => {
                self.seen.task |= first;
                return;
            }
            Mark::Bound => {
                self.word_passed();
                self.bound = NEAR;
                return;
            }
            Mark::DoEnd => self.seen.task = true,
            Mark::Branch => {
                self.word_passed();
                self.branch = true;
                return;
            }
            Mark::Money => {
                if number == Number::Digits {
                    self.seen.literal = self.seen.literal.with(Sign::Amount);
                }
                self.number = Number::Currency;
            }
            Mark::HeadMust | Mark::Ack | Mark::Skip | Mark::Forbid | Mark::HeadForbid => {}
        }
        self.word_passed();
    }
}

/// A verb that far behind its denial still belongs to it: "no me lo toques", "ne me le change plus".
const NEAR: u8 = 4;

/// Whether a dot stands inside `token`: one at its end is the end of the sentence.
fn is_dotted(token: &str) -> bool {
    token.find('.').is_some_and(|at| token[at..].bytes().any(|it| it.is_ascii_alphanumeric()))
}

/// What each byte is: several of the following.
const TRAITS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0..=b' ' | b'`' | 0xE0 | 0xE1 | 0xE3..=0xEF => END,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0xC3..=0xDF => WORD,
            b'0'..=b'9' => WORD | DIGIT | SHAPED,
            // Of `é` and its like, whose first byte has told.
            0x80..=0xBF => WORD,
            b'.' => DOT,
            b'/' => SHAPED,
            b'*' | b'\\' => SHAPED | ODD,
            // `£` and `€` begin with the last two.
            b'$' | 0xC2 | 0xE2 => MONEY,
            b'{' | b'}' | b'<' | b'>' | b'=' | b'|' | b'[' | b']' | b'%' | b'&' => ODD,
            _ => OTHER,
        };
        byte += 1;
    }
    table
};

/// Ends a token: white space, a backtick, a letter of a writing without spaces.
const END: u8 = 1;
/// Of a word.
const WORD: u8 = 2;
/// A token with such a byte may be a literal.
const SHAPED: u8 = 4;
const DOT: u8 = 8;
const DIGIT: u8 = 16;
const MONEY: u8 = 32;
/// Prose has few of them.
const ODD: u8 = 64;
const OTHER: u8 = 128;
