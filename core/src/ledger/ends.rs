//! Where sentences end in running text: not at abbreviations, numbers, or inside quotations.

/// Finds the ends of sentences in running text, from left to right.
pub(super) struct Ends<'t> {
    /// Everything up to the end of the block.
    text: &'t str,
    at: usize,
    /// For each kind of quotation, how far it is known that none closes (or where the next does).
    closes: [usize; QUOTES],
    /// Where a line ends, which is the one at hand unless that byte is behind.
    line: usize,
    /// The number that the sentence counted last: "1. Back up 2. Pull" is one of them.
    counted: Option<u32>,
}

impl<'t> Ends<'t> {
    /// Of the text from byte `at` on.
    pub(super) fn of(text: &'t str, at: usize) -> Self {
        Self { text, at, closes: [0; QUOTES], line: 0, counted: None }
    }

    /// The byte after the sentence that begins at `start`.
    pub(super) fn next(&mut self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        self.at = start;
        self.counted = None;
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let Some(length) = stop(rest) else { return self.text.len() };
            self.at += length;
            let mut sign = rest[length];
            if sign == 0x80 {
                // The second byte of `。`, of `“` and of their like; in most other places it is nothing.
                let first = self.at.checked_sub(1).and_then(|at| Some((at, *bytes.get(at)?)));
                let Some((first, byte @ (0xE2 | 0xE3))) = first else {
                    self.at += 1;
                    continue;
                };
                (self.at, sign) = (first, byte);
            }
            let end = if sign.is_ascii() { self.ascii(start) } else { self.wide() };
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// At one of `.!?` or an ASCII quotation mark.
    fn ascii(&mut self, start: usize) -> Option<usize> {
        let at = self.at;
        let bytes = self.text.as_bytes();
        match bytes[at] {
            b'`' => self.quotation(0, '`'),
            b'"' => self.quotation(1, '"'),
            _ => {
                let run = bytes[at..].iter().take_while(|it| matches!(it, b'.' | b'!' | b'?'));
                let end = at + run.count();
                self.at = end;
                self.ends_here(start, at, end).then(|| self.with_closers(end))
            }
        }
    }

    /// Whether the signs at `at..end` end the sentence.
    fn ends_here(&mut self, start: usize, at: usize, end: usize) -> bool {
        let after = &self.text[self.with_closers(end)..];
        let Some(next) = after.chars().next() else { return true };
        let dot = self.text.as_bytes()[at] == b'.';
        if !next.is_whitespace() {
            // Without a space between: the writing that needs none.
            return is_wide(next) || dot && is_glued(&self.text[start..at], after);
        }
        if !dot {
            return true;
        }
        let next = after.trim_start().chars().next().unwrap_or_default();
        if end - at > 1 {
            return !next.is_lowercase();
        }
        let word = last_word(&self.text[start..at]);
        if next.is_ascii_digit() && is_in(&NUMBERED, word) {
            return false;
        }
        let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        if word.len() <= 2
            && word.bytes().all(|it| it.is_ascii_digit())
            && let Ok(number) = word.parse()
        {
            let before = &self.text[start..at - word.len()];
            return next.is_uppercase() && self.ends_with_number(before, number);
        }
        !(is_initial || is_in(&ABBREVIATIONS, word))
    }

    /// Whether a number with a dot behind it ends the sentence, of which `before` stands before it: "Look at job 3. Never
    /// push." It does not where it counts steps ("1. Back up 2. Pull"), or says which of several ("am 3. Mai").
    fn ends_with_number(&mut self, before: &str, number: u32) -> bool {
        let named = last_word(before.trim_end());
        let is_name = is_in(&LABELS, named);
        let counts = number < 2 || self.counted.and_then(|it| it.checked_add(1)) == Some(number);
        if counts && !is_name {
            self.counted = Some(number);
            return false;
        }
        let is_word = named.chars().next_back().is_some_and(char::is_alphanumeric);
        is_name || is_word && !is_in(&ORDINAL, named)
    }

    /// Past quotation marks and brackets that close behind the end of a sentence.
    fn with_closers(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        let trimmed = rest.trim_start_matches([
            '"', '\'', ')', ']', '*', '_', '”', '’', '»', '」', '』', '）', '】',
        ]);
        end + rest.len() - trimmed.len()
    }

    /// At a first byte of `…`, of an ideographic sign, or of a quotation mark that is not ASCII.
    fn wide(&mut self) -> Option<usize> {
        let rest = &self.text[self.at..];
        let letter = rest.chars().next().unwrap_or_default();
        match letter {
            '“' => return self.quotation(2, '”'),
            '«' => return self.quotation(3, '»'),
            '「' => return self.quotation(4, '」'),
            '。' | '！' | '？' | '；' | '｡' | '．' => {
                let trimmed = rest.trim_start_matches([
                    '。', '！', '？', '；', '｡', '．', '!', '?', '”', '"', '」', '』', '）', ')',
                    '’', '】', '笑',
                ]);
                let end = self.at + rest.len() - trimmed.len();
                self.at = end;
                return Some(end);
            }
            '…' => {
                let trimmed = rest.trim_start_matches(['…', '.']);
                let end = self.at + rest.len() - trimmed.len();
                self.at = end;
                let next = trimmed.chars().next();
                let spaced = next.is_some_and(char::is_whitespace);
                let next = trimmed.trim_start().chars().next();
                return (next.is_some_and(|it| spaced && !it.is_lowercase() || is_wide(it)))
                    .then_some(end);
            }
            other => self.at += other.len_utf8().max(1),
        }
        None
    }

    /// Where from byte `at` the next `close` stands, or the end of the line.
    fn closing(&mut self, at: usize, close: char) -> usize {
        if self.line < at {
            self.line = self.text[at..].find('\n').map_or(self.text.len(), |length| at + length);
        }
        self.text[at..self.line].find(close).map_or(self.line, |length| at + length)
    }

    /// Goes past a quotation that is closed on its line and not too long; past its first mark otherwise.
    ///
    /// Gives the end of the sentence if that ended inside the quotation: `He said "stop." Then …`.
    fn quotation(&mut self, kind: usize, close: char) -> Option<usize> {
        let inside = self.at + self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        if self.closes[kind] < inside {
            // The end of the line stands for one that closes nothing, so that the line is not searched again.
            self.closes[kind] = self.closing(inside, close);
        }
        let closing = self.closes[kind];
        if closing - inside > LONGEST_QUOTE || !self.text[closing..].starts_with(close) {
            self.at = inside;
            return None;
        }
        self.at = closing + close.len_utf8();
        let rest = &self.text[self.at..];
        let ended = self.text[inside..closing].ends_with(['.', '!', '?', '…'])
            && rest.starts_with(char::is_whitespace)
            && rest.trim_start().starts_with(char::is_uppercase);
        ended.then_some(self.at)
    }
}

const QUOTES: usize = 5;
/// A longer quotation is prose of its own, and its sentences end where they end.
const LONGEST_QUOTE: usize = 300;

/// Whether a letter belongs to a writing that puts no spaces between sentences.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{2E80}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}')
}

/// The word that `text` ends with.
fn last_word(text: &str) -> &str {
    let tears = |it: u8| it.is_ascii_whitespace() || matches!(it, b'(' | b'[' | b'"' | b',');
    let start = text.bytes().rposition(tears).map_or(0, |at| at + 1);
    let word = text.get(start..).unwrap_or_default();
    // White space that is not of ASCII is rare.
    if word.is_ascii() { word } else { word.rsplit(char::is_whitespace).next().unwrap_or_default() }
}

/// What a dot behind which does not end a sentence. Sorted by bytes, as are the other lists.
const ABBREVIATIONS: Listed<47> = listed([
    "abs", "approx", "aprox", "art", "bzw", "ca", "cf", "d.h", "dr", "dra", "e.g", "ed", "eg",
    "ej", "etw", "evtl", "ex", "exkl", "fig", "ggf", "i.e", "ie", "incl", "inkl", "mr", "mrs",
    "ms", "núm", "o.ä", "p.ej", "p.ex", "prof", "pág", "resp", "s.o", "sog", "sr", "sra", "st",
    "tel", "u.a", "v.a", "vgl", "vol", "vs", "z.b", "zzgl",
]);

/// Of these the dot belongs to the number behind it.
const NUMBERED: Listed<12> =
    listed(["ch", "kap", "max", "min", "no", "nr", "num", "p", "pp", "sec", "v", "ver"]);

/// What stands in German before an ordinal number, whose dot ends nothing: "die 2. Variante", "bis zum 3. Mai".
const ORDINAL: Listed<32> = listed([
    "ab", "am", "beim", "bis", "das", "dein", "dem", "den", "der", "des", "die", "diese", "dieser",
    "ein", "eine", "im", "ins", "jede", "jedem", "jeden", "jeder", "jedes", "mein", "meine",
    "nach", "seit", "und", "unser", "unsere", "vom", "vor", "zum",
]);

/// Words that begin a sentence even where its writer forgot the space before them: "Fix it.Never push." Any other may be
/// part of a name with dots.
const BEGINNERS: Listed<8> =
    listed(["also", "always", "but", "do", "don't", "dont", "never", "please"]);

/// Whether the dot between `before` and `after` ends a sentence without a space behind it.
fn is_glued(before: &str, after: &str) -> bool {
    let next =
        after.split(|it: char| !it.is_ascii_alphabetic() && it != '\'').next().unwrap_or_default();
    next.starts_with(|it: char| it.is_ascii_uppercase())
        && after[next.len()..].starts_with(' ')
        && before.ends_with(|it: char| it.is_ascii_lowercase())
        && is_in(&BEGINNERS, next)
}

/// Where the first byte stands that may be, or be of, a sign which ends or quotes something.
fn stop(bytes: &[u8]) -> Option<usize> {
    // Eight at once cost little more than one: only the last of them is searched.
    let (chunks, _) = bytes.as_chunks::<8>();
    let clear = chunks
        .iter()
        .take_while(|chunk| !chunk.iter().fold(false, |any, &it| any | STOP[it as usize]));
    let start = 8 * clear.count();
    let rest = bytes.get(start..).unwrap_or_default();
    Some(start + rest.iter().position(|&byte| STOP[byte as usize])?)
}

const STOP: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'.' | b'!' | b'?' | b'`' | b'"' | 0x80 | 0xC2 | 0xEF);
        byte += 1;
    }
    table
};

/// A sorted list of words as numbers, which compare in one step each.
type Listed<const COUNT: usize> = [u128; COUNT];

const fn listed<const COUNT: usize>(words: [&str; COUNT]) -> Listed<COUNT> {
    let mut list = [0; COUNT];
    let mut at = 0;
    while at < COUNT {
        let word = words[at].as_bytes();
        assert!(word.len() <= LONGEST_LISTED);
        let mut byte = 0;
        while byte < LONGEST_LISTED {
            let letter = if byte < word.len() { word[byte] } else { 0 };
            list[at] = list[at] << 8 | letter as u128;
            byte += 1;
        }
        assert!(
            at == 0 || list[at - 1] < list[at],
            "sorted, so that it can be searched by halving"
        );
        at += 1;
    }
    list
}

/// Whether `word` is in the list, whatever its capitals are.
fn is_in(list: &[u128], word: &str) -> bool {
    if word.len() > LONGEST_LISTED {
        return false;
    }
    let letter = |word, letter: u8| word << 8 | u128::from(letter.to_ascii_lowercase());
    let word = word.bytes().chain(core::iter::repeat(0)).take(LONGEST_LISTED).fold(0, letter);
    list.binary_search(&word).is_ok()
}

/// No word of the lists is longer, in bytes.
const LONGEST_LISTED: usize = 9;

/// Words whose number comes after them.
const LABELS: Listed<45> = listed([
    "aufgabe",
    "bug",
    "case",
    "chapter",
    "day",
    "etapa",
    "example",
    "exercise",
    "fase",
    "figure",
    "issue",
    "item",
    "iteration",
    "java",
    "job",
    "level",
    "line",
    "milestone",
    "node",
    "opción",
    "option",
    "page",
    "part",
    "parte",
    "partie",
    "paso",
    "passo",
    "phase",
    "php",
    "point",
    "pr",
    "problem",
    "python",
    "round",
    "schritt",
    "section",
    "sprint",
    "stage",
    "step",
    "task",
    "teil",
    "test",
    "ticket",
    "version",
    "étape",
]);
