//! Reads a shell's command line as far as it takes to know which commands run in the shell itself.
//!
//! It knows quotes, lists, pipes, subshells, substitutions, here-documents and comments of the POSIX shell and bash, and
//! carries out nothing: a word with a variable in it stays as it is written. One pass, no recursion.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// What a command line runs.
#[derive(Debug, Default)]
pub(super) struct Script<'a> {
    /// The simple commands, in their order.
    pub(super) commands: Vec<Command<'a>>,
    /// The lists that a `&` sends into the background, as they are written, without it.
    pub(super) background: Vec<&'a str>,
}

/// A simple command.
#[derive(Debug)]
pub(super) struct Command<'a> {
    /// It as it is written.
    pub(super) text: &'a str,
    /// Its words, the name first; without assignments, redirections and reserved words before it.
    pub(super) words: Vec<Word<'a>>,
    /// Whether the shell itself runs it: no subshell, no pipe, not the background.
    pub(super) here: bool,
    /// Whether its output goes through a pipe.
    pub(super) piped: bool,
    /// Whether it has run if the whole line went well: it stands neither after `||` nor in a condition or a loop.
    pub(super) sure: bool,
}

/// A word of a command.
#[derive(Debug)]
pub(super) struct Word<'a> {
    /// As it is written; of a word that is one quotation, what stands between the quotes.
    pub(super) raw: &'a str,
    /// Without its quotes.
    pub(super) text: Cow<'a, str>,
}

impl Command<'_> {
    /// The word at `index`, without quotes; empty if there is none.
    pub(super) fn word(&self, index: usize) -> &str {
        self.words.get(index).map_or("", |word| &*word.text)
    }
}

/// Reads `line`.
pub(super) fn read(line: &str) -> Script<'_> {
    let mut reader = Reader { line, ..Reader::default() };
    reader.run();
    reader.script
}

#[derive(Default)]
struct Reader<'a> {
    line: &'a str,
    at: usize,
    script: Script<'a>,
    /// The words of the command that is open, and where it stands.
    words: Vec<Word<'a>>,
    start: Option<usize>,
    end: usize,
    /// How many conditions, loops and functions are open.
    blocks: usize,
    functions: usize,
    level: Level,
    /// Where the last list that went into the background ends.
    sent: usize,
    /// The lists around the subshells that are open.
    outer: Vec<Level>,
    /// The ends of the here-documents that begin on the next line, and whether tabs may stand before them.
    documents: Vec<(String, bool)>,
}

/// A list of commands, in the shell or in a subshell.
#[derive(Clone, Copy, Default)]
struct Level {
    /// The first command of the list, and where it stands.
    first: usize,
    start: Option<usize>,
    /// The first command of the pipeline that is not marked yet, and whether the pipeline has begun.
    pipe: usize,
    piping: bool,
    /// Whether what comes next runs only if something failed.
    or: bool,
}

impl<'a> Reader<'a> {
    fn run(&mut self) {
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'\\', Some(b'\n')) => self.at += 2,
                (b'#', _) => self.skip_comment(),
                (b'\n', _) => {
                    self.end_list(1);
                    self.skip_documents();
                }
                (b';', _) => self.end_list(1),
                (b'&', Some(b'&')) => self.end_pipeline(false),
                (b'|', Some(b'|')) => self.end_pipeline(true),
                (b'|', _) => self.pipe(),
                (b'&', next) if next != Some(b'>') => self.send_to_background(),
                (b'(', _) => self.open_subshell(),
                (b')', _) => self.close_subshell(),
                (b'<' | b'>', Some(b'(')) => self.word(),
                (b'<' | b'>' | b'&', _) => self.redirection(),
                _ => self.word(),
            }
        }
        self.end_list(0);
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.line.as_bytes().get(self.at + ahead).copied()
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.line.get(start..end).unwrap_or_default()
    }

    fn end_command(&mut self) {
        let words = core::mem::take(&mut self.words);
        let start = self.start.take().unwrap_or(self.end);
        if words.is_empty() {
            return;
        }
        self.script.commands.push(Command {
            text: self.slice(start, self.end),
            words,
            here: self.outer.is_empty() && !self.level.piping,
            piped: false,
            sure: !self.level.or && self.blocks == 0,
        });
    }

    fn end_pipeline(&mut self, or: bool) {
        self.at += 2;
        self.end_command();
        let pipe = self.script.commands.len();
        self.level = Level { pipe, piping: false, or, ..self.level };
    }

    fn end_list(&mut self, ahead: usize) {
        self.at += ahead;
        self.end_command();
        let first = self.script.commands.len();
        self.level = Level { first, pipe: first, ..Level::default() };
    }

    /// What the pipeline holds so far writes into a pipe, and so does not run in the shell itself.
    fn pipe(&mut self) {
        self.at += 1 + usize::from(self.peek(1) == Some(b'&'));
        self.end_command();
        // Inside of a subshell nothing runs in the shell itself anyway; marking once keeps this linear.
        let before = self.script.commands.len();
        let first = if self.outer.is_empty() { self.level.pipe } else { before.saturating_sub(1) };
        for command in self.script.commands.iter_mut().skip(first) {
            (command.here, command.piped) = (false, true);
        }
        self.level = Level { pipe: before, piping: true, ..self.level };
    }

    fn send_to_background(&mut self) {
        self.end_command();
        if self.outer.is_empty() {
            let first = self.level.first;
            for command in self.script.commands.iter_mut().skip(first) {
                command.here = false;
            }
        }
        // Of lists within lists the innermost is told.
        if let Some(start) = self.level.start.filter(|start| *start >= self.sent) {
            self.script.background.push(self.slice(start, self.end));
            self.sent = self.end;
        }
        self.end_list(1);
    }

    fn open_subshell(&mut self) {
        if !self.words.is_empty() && self.peek(1) == Some(b')') {
            // A function: what stands in it does not run here and now.
            self.at += 2;
            self.words.clear();
            self.blocks += 1;
            self.functions += 1;
            return;
        }
        self.end_command();
        self.level.start.get_or_insert(self.at);
        self.outer.push(self.level);
        let first = self.script.commands.len();
        self.level = Level { first, pipe: first, or: self.level.or, ..Level::default() };
        self.at += 1;
    }

    fn close_subshell(&mut self) {
        self.end_list(1);
        self.level = self.outer.pop().unwrap_or(self.level);
        self.end = self.at;
    }

    /// Reads a word, or a reserved word, which is none.
    fn word(&mut self) {
        let start = self.at;
        let raw = self.raw_word();
        let is_number = !raw.is_empty() && raw.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && matches!(self.peek(0), Some(b'<' | b'>')) {
            // The number of what is redirected.
            return;
        }
        self.start.get_or_insert(start);
        self.level.start.get_or_insert(start);
        self.end = self.at;
        if self.words.is_empty() && self.is_reserved(raw) {
            self.start = None;
        } else if !self.words.is_empty() || !is_assignment(raw) {
            self.words.push(Word::of(raw));
        }
    }

    fn is_reserved(&mut self, word: &str) -> bool {
        match word {
            "if" | "while" | "until" => self.blocks += 1,
            "for" | "case" | "select" => {
                self.blocks += 1;
                return false;
            }
            "fi" | "done" | "esac" => self.blocks = self.blocks.saturating_sub(1),
            "}" if self.functions > 0 => {
                self.functions -= 1;
                self.blocks = self.blocks.saturating_sub(1);
            }
            "then" | "elif" | "else" | "do" | "!" | "{" | "}" | "time" => {}
            _ => return false,
        }
        true
    }

    /// The word that begins here, with its quotes.
    fn raw_word(&mut self) -> &'a str {
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b')', _) => break,
                (b'<' | b'>', next) if next != Some(b'(') => break,
                (b'(', _) if !self.slice(start, self.at).ends_with('=') => break,
                _ => self.skip_piece(),
            }
        }
        self.at = self.at.min(self.line.len());
        self.slice(start, self.at)
    }

    /// Skips one character, or a quotation or substitution as a whole.
    fn skip_piece(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (Some(b'\\'), _) => self.at += 2,
            (Some(b'\''), _) => self.skip_literal(),
            (Some(quote @ (b'"' | b'`')), _) => self.skip_to(quote, 1),
            (Some(b'$'), Some(b'{')) => self.skip_to(b'}', 2),
            (Some(b'$' | b'<' | b'>'), Some(b'(')) => self.skip_to(b')', 2),
            (Some(b'('), _) => self.skip_to(b')', 1),
            _ => self.at += 1,
        }
        // Escapes may have ended inside of a character.
        while self.at < self.line.len() && !self.line.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    fn skip_literal(&mut self) {
        let rest = self.slice(self.at + 1, self.line.len());
        self.at += rest.find('\'').map_or(rest.len() + 1, |end| end + 2);
    }

    /// Skips what begins `ahead` bytes before its content and ends with `closer`, with all that is nested in it.
    fn skip_to(&mut self, closer: u8, ahead: usize) {
        self.at += ahead;
        let waiting = core::mem::take(&mut self.documents);
        let mut open = alloc::vec![closer];
        while let (Some(&top), Some(byte)) = (open.last(), self.peek(0)) {
            let quoted = top == b'"';
            match (byte, self.peek(1)) {
                (b'\\', _) => self.at += 2,
                (byte, _) if byte == top => {
                    open.pop();
                    self.at += 1;
                }
                (b'$', Some(b'(')) => {
                    open.push(b')');
                    self.at += 2;
                }
                (b'$', Some(b'{')) => {
                    open.push(b'}');
                    self.at += 2;
                }
                (b'`', _) => {
                    open.push(b'`');
                    self.at += 1;
                }
                _ if quoted || top == b'`' => self.at += 1,
                (b'"', _) => {
                    open.push(b'"');
                    self.at += 1;
                }
                (b'(', _) if top == b')' => {
                    open.push(b')');
                    self.at += 1;
                }
                (b'\'', _) => self.skip_literal(),
                (b'<', Some(b'<')) if top == b')' => {
                    self.document();
                }
                (b' ' | b'\n', Some(b'#')) if top == b')' => {
                    self.at += usize::from(byte == b' ');
                    if byte == b'\n' {
                        self.at += 1;
                        self.skip_documents();
                    }
                    self.skip_comment();
                }
                (b'\n', _) => {
                    self.at += 1;
                    self.skip_documents();
                }
                _ => self.at += 1,
            }
        }
        self.documents = waiting;
    }

    fn skip_comment(&mut self) {
        let rest = self.slice(self.at, self.line.len());
        if rest.starts_with('#') {
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Skips a redirection and its word.
    fn redirection(&mut self) {
        if self.peek(0) == Some(b'<') && self.peek(1) == Some(b'<') {
            if self.document() {
                return;
            }
            self.skip_blanks();
            self.raw_word();
        } else {
            let start = self.at;
            while matches!(self.peek(0), Some(b'<' | b'>' | b'&' | b'|')) && self.at < start + 3 {
                self.at += 1;
            }
            self.skip_blanks();
            self.raw_word();
        }
        self.end = self.at;
    }

    /// Skips `<<` and the end that it names: the text of the here-document comes after the line. Says whether it is one,
    /// and not the string that `<<<` gives.
    fn document(&mut self) -> bool {
        self.at += 2;
        if self.peek(0) == Some(b'<') {
            self.at += 1;
            return false;
        }
        let dash = self.peek(0) == Some(b'-');
        self.at += usize::from(dash);
        self.skip_blanks();
        let rest = self.slice(self.at, self.line.len());
        let is_end = |c: char| c.is_ascii_whitespace() || ";&|<>()".contains(c);
        let end = rest.split(is_end).next().unwrap_or_default();
        self.at += end.len();
        self.documents.push((unquoted(end), dash));
        self.end = self.at;
        true
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(0), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Skips the texts of the here-documents of the line that has just ended.
    fn skip_documents(&mut self) {
        for (end, dash) in core::mem::take(&mut self.documents) {
            while self.at < self.line.len() {
                let rest = self.slice(self.at, self.line.len());
                let length = rest.find('\n').unwrap_or(rest.len());
                let line = rest.get(..length).unwrap_or_default();
                self.at += (length + 1).min(rest.len().max(1));
                let line = if dash { line.trim_start_matches('\t') } else { line };
                if line.trim_end_matches('\r') == end {
                    break;
                }
            }
        }
    }
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl<'a> Word<'a> {
    fn of(raw: &'a str) -> Self {
        if !raw.contains(['\'', '"', '\\']) {
            return Self { raw, text: Cow::Borrowed(raw) };
        }
        for quote in ['\'', '"'] {
            let inner = raw.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
            if let Some(inner) = inner.filter(|inner| !inner.contains([quote, '\\'])) {
                return Self { raw: inner, text: Cow::Borrowed(inner) };
            }
        }
        Self { raw, text: Cow::Owned(unquoted(raw)) }
    }
}

fn unquoted(raw: &str) -> String {
    let mut text = String::new();
    let mut quote = None;
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None) => text.extend(chars.next().filter(|next| *next != '\n')),
            ('\\', Some('"')) => {
                let next = chars.next();
                if !matches!(next, Some('"' | '\\' | '$' | '`' | '\n')) {
                    text.push('\\');
                }
                text.extend(next.filter(|next| *next != '\n'));
            }
            ('\'' | '"', None) => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            _ => text.push(c),
        }
    }
    text
}
