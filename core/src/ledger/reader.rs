//! Reads one sentence from left to right, once: its tokens, its literals, and what the words of the lexicon say where they
//! stand.

mod items;
mod marks;
mod signs;
mod told;

use super::bytes::{DIGIT, DOT, END, MONEY, SHAPED, TRAITS, WORD};
use super::fold::{self, word_end};
use super::heads::Entrance;
use super::letters::Letters;
use super::lexicon::Lexicon;
use super::literals;
use super::reading::Reading;
use super::trigger::Sign;
use super::words::Mark;
use told::Told;

/// Reads a sentence.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about what was read so far")]
pub(super) struct Reader<'t> {
    lexicon: &'t Lexicon,
    text: &'t str,
    at: usize,
    seen: Reading,
    /// Nothing but leading words was read of the sentence.
    first: bool,
    /// Nothing but leading words was read of the clause.
    head: bool,
    /// Nothing but leading words was read of an item of a list.
    item: bool,
    /// A modal verb was read, which a denial makes a prohibition.
    modal: bool,
    /// How many words were read and passed by. What follows is said in words that were passed.
    passed: usize,
    /// Until when a denial may become a prohibition, and whether it began a clause.
    denies: usize,
    denied_head: bool,
    /// Nothing but short pronouns was read since.
    denied_near: bool,
    /// Until when a number is a limit.
    bound: usize,
    /// The clause began with a verb that tells what to do.
    tells: bool,
    /// The clause permits something, unless a denial follows.
    allows: bool,
    /// The sentence began with a denial, which an infinitive at the end of the clause makes a prohibition.
    nay: bool,
    /// What was read is in somebody else's words.
    told: Told,
    number: Number,
    /// Until when a name in backticks is that of a branch.
    branch: usize,
    /// When the word before was a form of "to be".
    be: usize,
    /// How far it is known that no backtick follows.
    ticks: usize,
    /// The clause is not the first, and begins with nothing that a task could begin with.
    tail: bool,
    /// The words before the clause.
    before: usize,
    /// No letter of a writing without spaces was read so far.
    latin: bool,
}

impl<'t> Reader<'t> {
    /// What `text`, one sentence, says.
    pub(super) fn read(lexicon: &'t Lexicon, text: &'t str) -> Reading {
        let mut reader = Self {
            lexicon,
            text,
            at: 0,
            seen: Reading::default(),
            first: true,
            head: true,
            item: true,
            modal: false,
            denies: 0,
            denied_head: false,
            denied_near: false,
            bound: 0,
            tells: false,
            allows: false,
            nay: false,
            told: Told::default(),
            number: Number::None,
            branch: 0,
            be: usize::MAX,
            passed: 0,
            ticks: 0,
            tail: false,
            before: 0,
            latin: true,
        };
        reader.tokens();
        reader.ends_clause();
        reader.seen
    }

    fn tokens(&mut self) {
        let bytes = self.text.as_bytes();
        self.marker();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                0..=b' ' => {
                    self.at += 1;
                    if byte == b'\n' {
                        self.marker();
                    }
                }
                b'a'..=b'z' | b'A'..=b'Z' if self.plain_word() => {}
                b'`' => self.code(),
                0xE0 | 0xE1 | 0xE3..=0xEF => self.letter(),
                _ => self.token(),
            }
        }
    }

    /// A word of letters of ASCII alone, with white space behind it or one sign and white space: most words of most
    /// languages are such. Tells whether there is one.
    #[expect(
        clippy::inline_always,
        reason = "called for nearly every word, which is a tenth of the time"
    )]
    #[inline(always)]
    fn plain_word(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let Some((letters, length)) = Letters::plain(bytes, self.at) else { return false };
        let end = self.at + length;
        match *bytes.get(end..).unwrap_or_default() {
            [b' ', ..] => {
                self.word(end, letters);
                self.at += usize::from(self.at == end);
            }
            [0..b' ', ..] => self.word(end, letters),
            [sign @ (b'.' | b',' | b';' | b':' | b'!' | b'?' | b')'), 0..=b' ', ..] => {
                self.word(end, letters);
                if self.at == end {
                    self.no_word(sign);
                }
            }
            _ => return false,
        }
        true
    }

    fn clause(&mut self) {
        self.ends_clause();
        self.head = true;
        self.tells = false;
        self.modal = false;
        self.denies = 0;
        self.told.clause = false;
    }

    /// "Migrate them to hooks, one component per commit": what stands behind a task may be a condition of it.
    fn ends_clause(&mut self) {
        let words = self.seen.words - self.before;
        self.seen.tail |= self.tail && words >= SHORTEST_TAIL;
        self.tail = false;
        self.before = self.seen.words;
        if self.allows || self.nay {
            self.resolve();
        }
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
        if core::mem::take(&mut self.branch) > self.passed {
            self.seen.literal = self.seen.literal.with(Sign::Branch);
        }
        self.word_passed();
    }

    /// A run of characters without white space, of a writing that puts spaces between words.
    fn token(&mut self) {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut traits = 0;
        let rest = bytes.get(start..).unwrap_or_default();
        let length = rest.iter().position(|&byte| {
            let these = TRAITS[byte as usize];
            traits |= these & !END;
            these & END != 0
        });
        let end = start + length.unwrap_or(rest.len());
        if traits == WORD {
            self.word(end, Letters::of(rest, end - start));
            return;
        }
        let token = &self.text[start..end];
        if traits & DIGIT != 0 && traits & MONEY == 0 && literals::is_number(token) {
            self.digits();
            if traits & DOT != 0 && is_dotted(token) {
                self.sign_of(literals::dotted_number(token));
            }
            self.at = end;
            self.word_passed();
            return;
        }
        let shaped = traits & SHAPED != 0 || traits & DOT != 0 && is_dotted(token);
        if shaped && self.literal(token, traits) {
            self.at = end;
            self.word_passed();
            return;
        }
        self.words_of(end);
        if traits & MONEY != 0 && literals::is_currency(token) {
            self.number = Number::Currency;
        }
    }

    /// The words of a token, up to byte `end`; a phrase may go on beyond it.
    fn words_of(&mut self, end: usize) {
        let bytes = self.text.as_bytes();
        let mut before = b' ';
        while self.at < end
            && let Some(&byte) = bytes.get(self.at)
        {
            if (0x80..0xC0).contains(&byte) {
                // Of a sign that is no letter.
                self.at += 1;
                continue;
            }
            if TRAITS[byte as usize] & WORD != 0 {
                let inner =
                    matches!(before, b'/' | b'.' | b'_' | b'\\' | b'@' | b'#' | b'$' | b'=' | b'-');
                self.seen.emphasis |= byte == b'_';
                let word = word_end(bytes, self.at).max(self.at + 1);
                if inner {
                    self.at = word;
                } else {
                    let letters = Letters::of(&bytes[self.at..], word - self.at);
                    self.word(word, letters);
                }
                before = b'a';
                continue;
            }
            self.no_word(byte);
            before = byte;
        }
    }

    /// A word that begins here and ends before byte `end`.
    fn word(&mut self, end: usize, letters: Letters) {
        self.seen.words += 1;
        if let Some(found) = self.lexicon.word(self.text, self.at, end, letters) {
            let length = found.end - self.at;
            self.at = found.end.max(self.at + 1);
            self.mark(found.mark);
            if found.mark == Mark::Must && self.text.as_bytes().get(self.at - 1) == Some(&b':') {
                self.clause();
            }
            self.denied_near &= matches!(found.mark, Mark::Ne | Mark::NeMay | Mark::ExceptNe)
                || length <= LONGEST_PRONOUN;
            return;
        }
        let word = self.text.as_bytes().get(self.at..end).unwrap_or_default();
        if let [_, _, _, .., b'e' | b'E', b'd' | b'D'] = word {
            self.participle();
        }
        self.denied_near &= word.len() <= LONGEST_PRONOUN;
        self.tail |= self.head && !self.first;
        self.number = Number::None;
        self.at = end;
        self.word_passed();
    }

    /// A word that ends as most English verbs do that tell of what has been. "Generated files go there", "the shared
    /// folder", "callers are greeted": before a noun and behind "to be" it tells of nothing.
    fn participle(&mut self) {
        let before = self.text.as_bytes().get(..self.at).unwrap_or_default();
        let articles: [&[u8]; 8] =
            [b"the ", b" a ", b" an ", b"our ", b"any ", b"all ", b"ach ", b" no "];
        let is_noun = self.first || articles.iter().any(|it| before.ends_with(it));
        self.seen.past |= self.be != self.passed && !is_noun;
    }

    /// A letter of a writing without spaces, or a syllable of Hangul.
    fn letter(&mut self) {
        let mut entrance = Entrance::TOP;
        if let Some(letter) = fold::unfolded(self.text.as_bytes(), self.at) {
            let Some(it) = self.lexicon.letter(*letter) else {
                self.seen.words += 1;
                self.at += letter.len();
                self.word_passed();
                return;
            };
            entrance = it;
        } else {
            let Some(letter) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else {
                self.at = self.text.len();
                return;
            };
            if letter == '\u{FEFF}' {
                // The mark of the order of bytes, which stands at the start of some files.
                self.at += letter.len_utf8();
                return;
            }
            self.told.sentence |= letter == '：' && told::is_said(self.text, self.at);
            if letter == '「' {
                self.clause();
                return self.quote(3, '」');
            }
            if matches!(letter, '，' | '、' | '：' | '；' | '（' | '。' | '！' | '？' | '\u{3000}')
            {
                self.at += letter.len_utf8();
                self.clause();
                return;
            }
        }
        if core::mem::take(&mut self.latin) && !self.seen.polite {
            // "GOはこっちから出す": a verb in another language makes no task.
            self.seen.task = false;
        }
        self.seen.words += 1;
        let start = self.at;
        if let Some(found) = self.lexicon.longest(self.text, start, entrance) {
            let ends = found.mark != Mark::EndProhibit || self.ends_at(found.end);
            self.mark(if ends { found.mark } else { Mark::Avoid });
            // Endings overlap (しない, ないで), but "忘れないで" forbids nothing, and 没遇到 tells of no meeting.
            let hides = matches!(found.mark, Mark::Skip | Mark::Later | Mark::Past);
            self.at = if hides { found.end } else { start + 3 };
            return;
        }
        // All of them have three bytes.
        self.at += 3;
        self.word_passed();
    }

    fn word_passed(&mut self) {
        self.passed += 1;
        self.first = false;
        self.head = false;
        self.item = false;
    }

    fn literal(&mut self, token: &str, traits: u8) -> bool {
        if traits & MONEY != 0 && traits & DIGIT != 0 && literals::is_amount(token) {
            self.seen.literal = self.seen.literal.with(Sign::Amount);
            if self.bound > self.passed {
                self.strong(Sign::Limit);
            }
            return true;
        }
        let (token, is_place) = literals::without_line(token);
        // Traces and compilers name lines; rules do not.
        self.seen.odd += if is_place { 4 } else { 0 };
        self.sign_of(literals::literal(token))
    }

    fn sign_of(&mut self, literal: Option<Sign>) -> bool {
        let Some(sign) = literal else { return false };
        self.seen.literal = self.seen.literal.with(sign);
        true
    }

    fn digits(&mut self) {
        if self.bound > self.passed {
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
}

/// Whether the last thing read was half an amount of money.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    None,
    Digits,
    Currency,
}

/// me, te, lo, les, nos: what may stand between "no" and the verb that it forbids.
const LONGEST_PRONOUN: usize = 3;

/// A shorter clause is rather one of several things: "add tests, docs and examples".
const SHORTEST_TAIL: usize = 4;

/// Whether a dot stands inside `token`: one at its end is the end of the sentence.
fn is_dotted(token: &str) -> bool {
    literals::at_first(token, b'.').1.bytes().any(|it| it.is_ascii_alphanumeric())
}
