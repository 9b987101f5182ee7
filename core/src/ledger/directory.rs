//! Where the shell stands: the pieces of paths that lead there from a known place.

use alloc::string::String;
use alloc::vec::Vec;

use super::book::{Book, Quote};
use super::pin::{End, Topic};
use super::shell::Command;
use crate::pairing::Place;

/// The longest path that is followed, in bytes, as in POSIX systems; and the most pieces, and pushed directories.
const PATH: usize = 4096;
const PIECES: usize = 8;
const STACK: usize = 16;

/// The directory of a shell.
///
/// A step that says a whole path replaces all before it. A relative step is added to those before it, so that the last
/// whole path and the steps from there are live together; a step that leads back takes away what it undoes.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    /// Where the session began: `.` where that is not known.
    base: String,
    pieces: Vec<Piece>,
    before: Option<Vec<Piece>>,
    stack: Vec<Vec<Piece>>,
}

/// A step, and where it led.
#[derive(Clone, Debug)]
struct Piece {
    told: usize,
    at: String,
}

/// What moves the shell, and how that ends what it was.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    /// The words that say where to.
    pub(super) text: &'a str,
    /// The same without quotes.
    pub(super) plain: &'a str,
    /// Where they stand.
    pub(super) place: Place,
    /// The words around them.
    pub(super) quote: Quote<'a>,
}

impl Default for Directory {
    fn default() -> Self {
        Self { base: ".".into(), pieces: Vec::new(), before: None, stack: Vec::new() }
    }
}

impl Directory {
    /// Where the shell stands, as far as it is known.
    pub(super) fn at(&self) -> &str {
        self.pieces.last().map_or(&*self.base, |piece| &*piece.at)
    }

    /// Whether any call has said where it stands.
    pub(super) fn is_told(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// The log says that the shell stands at `at`.
    pub(super) fn adopt(&mut self, at: &str) {
        let known = self.pieces.last_mut().map_or(&mut self.base, |piece| &mut piece.at);
        *known = at.into();
    }

    /// The log says that the session began at `at`.
    pub(super) fn begin(&mut self, at: &str) {
        self.base = at.into();
    }

    /// Takes over a state of an earlier fold.
    pub(super) fn inherit(&mut self, told: usize, text: &str) {
        let at = join(self.at(), text);
        self.pieces.push(Piece { told, at });
    }

    /// Does what a command does to the directory; says whether that is anything.
    pub(super) fn run(&mut self, command: &Command<'_>, place: Place, book: &mut Book) -> bool {
        let name = command.word(0);
        let words = command.words.iter().skip(1);
        let target =
            words.skip_while(|word| matches!(word.raw, "-L" | "-P" | "-e" | "-@" | "--" | "/d"));
        let target = target.into_iter().next();
        let quote = Quote { words: command.text, entry: place.entry };
        match (name, target) {
            ("cd" | "chdir" | "Set-Location" | "sl", Some(word)) if &*word.text == "-" => {
                if let Some(before) = self.before.clone() {
                    self.back(before, quote, book);
                }
            }
            ("cd" | "chdir" | "Set-Location" | "sl", Some(word)) => {
                self.go(Step { text: word.raw, plain: &word.text, place, quote }, book);
            }
            ("cd", None) => {
                let text = command.words.first().map_or("cd", |word| word.raw);
                self.go(Step { text, plain: "~", place, quote }, book);
            }
            ("pushd" | "Push-Location", Some(word)) if !word.raw.starts_with(['+', '-']) => {
                if self.stack.len() == STACK {
                    self.stack.remove(0);
                }
                self.stack.push(self.pieces.clone());
                self.go(Step { text: word.raw, plain: &word.text, place, quote }, book);
            }
            ("popd" | "Pop-Location", None) => {
                if let Some(before) = self.stack.pop() {
                    self.back(before, quote, book);
                }
            }
            _ => return false,
        }
        true
    }

    /// Goes from where the shell stands.
    pub(super) fn go(&mut self, step: Step<'_>, book: &mut Book) {
        let at = join(self.at(), step.plain);
        let anchored = is_anchored(step.plain);
        if same(&at, self.at()) && (self.is_told() || !anchored) {
            return;
        }
        let before = self.pieces.clone();
        let path = |pieces: &[Piece], kept: usize| {
            let last = kept.checked_sub(1).and_then(|last| pieces.get(last));
            last.map_or(self.base.clone(), |piece| piece.at.clone())
        };
        let counts = 0..=before.len();
        let back =
            counts.clone().find(|&kept| (kept > 0 || !anchored) && path(&before, kept) == at);
        let kept = back
            .or_else(|| counts.clone().find(|&kept| join(&path(&before, kept), step.plain) == at))
            .unwrap_or(before.len());
        self.end_after(kept, step.quote, book);
        if back.is_none() {
            let told = book.tell(Topic::Directory, step.text, step.place);
            self.pieces.push(Piece { told, at });
            if self.pieces.len() > PIECES {
                let oldest = self.pieces.remove(0);
                book.end(oldest.told, End::Superseded, step.quote);
            }
        }
        self.before = Some(before);
    }

    /// Stands where an argument says, whatever was before: it is counted from where the session began.
    pub(super) fn stand(&mut self, step: Step<'_>, book: &mut Book) {
        let at = join(&self.base, step.plain);
        if same(&at, self.at()) && (self.is_told() || !is_anchored(step.plain)) {
            return;
        }
        self.end_after(0, step.quote, book);
        if at != self.base || is_anchored(step.plain) {
            let told = book.tell(Topic::Directory, step.text, step.place);
            self.pieces.push(Piece { told, at });
        }
    }

    /// Leaves where it was for a place that nobody names.
    pub(super) fn leave(&mut self, quote: Quote<'_>, book: &mut Book) {
        self.back(Vec::new(), quote, book);
    }

    /// Returns to where it was: what was said of that place holds again.
    fn back(&mut self, before: Vec<Piece>, quote: Quote<'_>, book: &mut Book) {
        let common = self.pieces.iter().zip(&before).take_while(|(a, b)| a.told == b.told).count();
        let left = self.pieces.clone();
        self.end_after(common, quote, book);
        for piece in before.into_iter().skip(common) {
            let (text, place) = book.said(piece.told);
            let told = book.tell(Topic::Directory, &text, place);
            self.pieces.push(Piece { told, ..piece });
        }
        self.before = Some(left);
    }

    fn end_after(&mut self, kept: usize, quote: Quote<'_>, book: &mut Book) {
        for piece in self.pieces.drain(kept.min(self.pieces.len())..) {
            book.end(piece.told, End::Superseded, quote);
        }
    }
}

/// Where `piece` leads from `base`. What cannot be resolved (a variable, a home) stays as it is written.
pub(super) fn join(base: &str, piece: &str) -> String {
    let (root, steps) = if is_anchored(piece) { ("", piece) } else { (base, piece) };
    let mut path = String::from(root);
    if root.is_empty() && steps.starts_with('/') {
        path.push('/');
    }
    for step in steps.split('/').filter(|step| !matches!(*step, "" | ".")) {
        let last = path.rsplit('/').next().unwrap_or_default();
        let climbs = step == ".." && !matches!(last, "." | "..") && !is_vague(last);
        match (climbs, path.rfind('/')) {
            (true, Some(0)) => path.truncate(1),
            (true, Some(slash)) => path.truncate(slash),
            _ => {
                if !path.is_empty() && !path.ends_with('/') {
                    path.push('/');
                }
                path.push_str(step);
            }
        }
    }
    if path.len() > PATH { "?".into() } else { path }
}

/// Whether a path does not depend on where the shell stands.
pub(super) fn is_anchored(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    path.starts_with(['/', '~', '$', '`', '\\', '%']) || drive
}

/// Whether a path is known to its end.
pub(super) fn is_known(path: &str) -> bool {
    path.starts_with('/') && !path.contains(['$', '`', '*', '?', '~', '\\'])
}

fn is_vague(step: &str) -> bool {
    step.starts_with(['~', '$', '`', '%', '?'])
}

/// Whether two paths name one place; macOS writes some both ways.
pub(super) fn same(one: &str, other: &str) -> bool {
    let plain = |path: &'_ str| -> usize { path.trim_end_matches('/').len() };
    let (one, other) = (&one[..plain(one)], &other[..plain(other)]);
    let private = |long: &str, short: &str| long.strip_prefix("/private") == Some(short);
    one == other || private(one, other) || private(other, one)
}
