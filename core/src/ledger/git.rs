//! The branch that is checked out, and the worktrees that were added.

use alloc::string::String;
use alloc::vec::Vec;

use super::book::{Book, Quote};
use super::pair::Pair;
use super::pin::{End, Topic};
use super::shell::{Command, Script, Word};
use crate::pairing::Place;

/// What is known of the repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Git {
    branch: Option<Checkout>,
    before: Option<Checkout>,
    worktrees: Vec<(usize, String)>,
}

#[derive(Clone, Debug)]
struct Checkout {
    told: usize,
    name: String,
}

/// Names of branches that need nobody's word for it.
const USUAL: [&str; 4] = ["main", "master", "develop", "trunk"];

/// How many worktrees a command is compared with, the newest first.
const WORKTREES: usize = 64;

/// The most lines of a result in which git's own words are looked for.
const LINES: usize = 12;

impl Git {
    /// The branch that calls have told of.
    pub(super) fn branch(&self) -> Option<&str> {
        self.branch.as_ref().map(|checkout| &*checkout.name)
    }

    /// Takes over a state of an earlier fold.
    pub(super) fn inherit(&mut self, topic: Topic, told: usize, text: &str) {
        match topic {
            Topic::Branch => self.branch = Some(Checkout { told, name: text.into() }),
            _ => self.worktrees.push((told, text.into())),
        }
    }

    /// Takes in what a command line did that went well. Says whether the branch of the shell's own directory was set.
    pub(super) fn run(&mut self, script: &Script<'_>, pair: &Pair<'_>, book: &mut Book) -> bool {
        let mut own = false;
        let loud = || script.commands.iter().enumerate().filter(|(_, it)| !is_silent(it));
        let first = loud().next().map(|(at, _)| at);
        let alone = loud().nth(1).is_none();
        let moved = script.commands.iter().any(|it| matches!(it.word(0), "cd" | "pushd"));
        for (at, command) in script.commands.iter().enumerate() {
            let Some(git) = Invocation::of(command).filter(|_| command.sure) else { continue };
            let first = first == Some(at) && !command.piped;
            let prints = Prints { first, alone: first && alone };
            own |= self.git(&git, command, pair, prints, book) && !git.elsewhere && !moved;
        }
        own
    }

    fn git(
        &mut self,
        git: &Invocation<'_>,
        command: &Command<'_>,
        pair: &Pair<'_>,
        prints: Prints,
        book: &mut Book,
    ) -> bool {
        let quote = Quote { words: command.text, entry: pair.call.entry };
        match git.verb {
            "checkout" | "switch" => {
                let Some(checkout) = git.checkout() else { return false };
                self.checkout(&checkout, quote, pair, prints, book)
            }
            "worktree" => self.worktree(git, quote, pair, book),
            "branch" if git.has(&["-m", "-M", "--move"]) => {
                let names = git.operands();
                let renamed = match names[..] {
                    [new] => Some(new),
                    [old, new] if self.branch() == Some(&*old.text) => Some(new),
                    _ => None,
                };
                renamed.is_some_and(|new| self.set(new.raw, &new.text, pair.call, quote, book))
            }
            "branch" if prints.alone && git.has(&["--show-current"]) => self.printed(pair, book),
            "rev-parse" if prints.alone && git.has(&["--abbrev-ref"]) => self.printed(pair, book),
            "status" if prints.first && !git.elsewhere => {
                let name =
                    pair.first_line().strip_prefix("On branch ").filter(|name| is_name(name));
                name.is_some_and(|name| {
                    let words = pair.first_line();
                    self.set(
                        name,
                        name,
                        pair.result,
                        Quote { words, entry: pair.result.entry },
                        book,
                    )
                })
            }
            _ => false,
        }
    }

    /// A result that is the name of a branch and nothing else.
    fn printed(&mut self, pair: &Pair<'_>, book: &mut Book) -> bool {
        let mut lines = pair.text().lines().map(str::trim).filter(|line| !line.is_empty());
        match (lines.next(), lines.next()) {
            (Some(name), None) if is_name(name) && name != "HEAD" => {
                let quote = Quote { words: name, entry: pair.result.entry };
                self.set(name, name, pair.result, quote, book)
            }
            _ => false,
        }
    }

    fn checkout(
        &mut self,
        checkout: &Target<'_>,
        quote: Quote<'_>,
        pair: &Pair<'_>,
        prints: Prints,
        book: &mut Book,
    ) -> bool {
        let lines = pair.head().lines().map(str::trim).take(LINES);
        let said: Vec<&str> = lines.filter_map(switched).collect();
        match checkout {
            Target::Previous => {
                match (said.first().filter(|_| prints.alone), self.before.clone()) {
                    (Some(name), _) if is_name(name) => {
                        self.set(name, name, pair.result, quote, book)
                    }
                    (None, Some(before)) if said.is_empty() => {
                        let (text, place) = book.said(before.told);
                        self.set(&text, &before.name, place, quote, book)
                    }
                    _ => false,
                }
            }
            // A file may be checked out as well; git's answer, or what is known of the name, tells which it was.
            Target::Named(word) => {
                let known = USUAL.contains(&&*word.text)
                    || [&self.branch, &self.before]
                        .into_iter()
                        .flatten()
                        .any(|it| it.name == word.text);
                let confirmed = said.contains(&&*word.text) || said.is_empty() && known;
                confirmed && self.set(word.raw, &word.text, pair.call, quote, book)
            }
            Target::Branch(word) | Target::New(word) => {
                self.set(word.raw, &word.text, pair.call, quote, book)
            }
        }
    }

    fn worktree(
        &mut self,
        git: &Invocation<'_>,
        quote: Quote<'_>,
        pair: &Pair<'_>,
        book: &mut Book,
    ) -> bool {
        let names = git.operands();
        let (Some(what), path) = (names.first(), names.get(1)) else { return false };
        match (&*what.text, path) {
            ("add", Some(path)) => {
                let told = book.tell(Topic::Worktree, path.raw, pair.call);
                self.worktrees.push((told, path.text.clone().into_owned()));
                let branch = git.new_branch().or(names.get(2).copied());
                let detached = |word: &str| word == "HEAD" || word.starts_with("origin/");
                let branch = branch.filter(|word| is_name(&word.text) && !detached(&word.text));
                if let Some(word) = branch {
                    self.set(word.raw, &word.text, pair.call, quote, book);
                }
            }
            ("remove", Some(path)) => self.remove(&path.text, quote, book),
            ("move", Some(path)) => {
                let Some(new) = names.get(2) else { return false };
                let Some(at) = self.worktree_at(|known| known == path.text) else {
                    return false;
                };
                let (told, _) = self.worktrees.remove(at);
                book.end(told, End::Superseded, quote);
                let told = book.tell(Topic::Worktree, new.raw, pair.call);
                self.worktrees.push((told, new.text.clone().into_owned()));
            }
            _ => {}
        }
        false
    }

    /// A worktree of that path, or of the same name, is gone.
    pub(super) fn remove(&mut self, path: &str, quote: Quote<'_>, book: &mut Book) {
        fn name(path: &str) -> &str {
            path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
        }
        let exact = self.worktree_at(|known| known == path);
        if let Some(at) = exact.or_else(|| self.worktree_at(|known| name(known) == name(path))) {
            let (told, _) = self.worktrees.remove(at);
            book.end(told, End::Completed, quote);
        }
    }

    /// The newest worktree whose path is such.
    fn worktree_at(&self, is_such: impl Fn(&str) -> bool) -> Option<usize> {
        let newest = self.worktrees.iter().enumerate().rev().take(WORKTREES);
        newest.into_iter().find(|(_, (_, path))| is_such(path)).map(|(at, _)| at)
    }

    /// A worktree that a tool has made, and the branch in it.
    pub(super) fn add(&mut self, path: &str, place: Place, book: &mut Book) {
        let told = book.tell(Topic::Worktree, path, place);
        self.worktrees.push((told, path.into()));
    }

    /// The branch is no longer the one of the worktree that was left, but the one before.
    pub(super) fn leave(&mut self, quote: Quote<'_>, book: &mut Book) {
        let Some(left) = self.branch.take() else { return };
        book.end(left.told, End::Superseded, quote);
        if let Some(before) = self.before.take() {
            let (text, place) = book.said(before.told);
            self.set(&text, &before.name, place, quote, book);
        }
    }

    /// A branch is checked out. Says so.
    pub(super) fn set(
        &mut self,
        text: &str,
        name: &str,
        place: impl Into<Option<Place>>,
        quote: Quote<'_>,
        book: &mut Book,
    ) -> bool {
        if self.branch() != Some(name) {
            let told = book.tell(Topic::Branch, text, place);
            let left = self.branch.replace(Checkout { told, name: name.into() });
            if let Some(left) = &left {
                book.end(left.told, End::Superseded, quote);
            }
            self.before = left;
        }
        true
    }
}

/// What the output of a command line tells of one command in it.
#[derive(Clone, Copy)]
struct Prints {
    /// Whether it begins with that of the command.
    first: bool,
    /// Whether it is that of the command and of no other.
    alone: bool,
}

/// A call of git.
struct Invocation<'c> {
    verb: &'c str,
    words: &'c [Word<'c>],
    /// Whether it is told to work in another directory.
    elsewhere: bool,
}

/// What is to be checked out.
enum Target<'c> {
    Branch(&'c Word<'c>),
    Named(&'c Word<'c>),
    New(&'c Word<'c>),
    Previous,
}

/// Whether an option names a new branch in the word after it; `-qb` does as well.
fn creates(option: &str) -> bool {
    let short = !option.starts_with("--") && option.ends_with(['b', 'B', 'c', 'C']);
    let long = matches!(option, "--create" | "--force-create" | "--orphan");
    option.starts_with('-') && option.len() > 1 && short || long
}

/// Whether an option takes the next word with it.
fn takes(option: &str) -> bool {
    creates(option) || matches!(option, "--conflict" | "--reason" | "--pathspec-from-file")
}

impl<'c> Invocation<'c> {
    fn of(command: &'c Command<'c>) -> Option<Self> {
        let mut words = &command.words[..];
        while let [first, rest @ ..] = words
            && matches!(&*first.text, "command" | "sudo" | "env" | "nohup" | "exec")
        {
            words = rest;
        }
        let [program, rest @ ..] = words else { return None };
        if program.text.rsplit('/').next() != Some("git") {
            return None;
        }
        let mut elsewhere = false;
        let mut rest = rest;
        while let [option, after @ ..] = rest
            && option.text.starts_with('-')
        {
            let takes = matches!(&*option.text, "-C" | "-c" | "--git-dir" | "--work-tree");
            elsewhere |= option.text.starts_with("-C") || option.text.starts_with("--");
            rest = after.get(usize::from(takes)..).unwrap_or_default();
        }
        let [verb, words @ ..] = rest else { return None };
        Some(Self { verb: &verb.text, words, elsewhere })
    }

    fn has(&self, options: &[&str]) -> bool {
        self.words.iter().any(|word| options.contains(&&*word.text))
    }

    /// The branch that it makes.
    fn new_branch(&self) -> Option<&'c Word<'c>> {
        let at = self.words.iter().position(|word| creates(&word.text))?;
        self.words.get(at + 1)
    }

    /// The words that are no options and belong to none.
    fn operands(&self) -> Vec<&'c Word<'c>> {
        let mut taken = false;
        let mut found = Vec::new();
        for word in self.words {
            let is_option = word.text.starts_with('-') && word.text.len() > 1;
            if !taken && !is_option {
                found.push(word);
            }
            taken = !taken && takes(&word.text);
        }
        found
    }

    fn checkout(&self) -> Option<Target<'c>> {
        if let Some(word) = self.new_branch() {
            return is_name(&word.text).then_some(Target::New(word));
        }
        if self.has(&["--", "-p", "--patch", "--ours", "--theirs"]) {
            return None;
        }
        let track = ["-t", "--track"];
        match self.operands()[..] {
            [word] if word.text == "-" => Some(Target::Previous),
            // `--track origin/x` makes a branch of another name.
            [_] if self.has(&track) => Some(Target::Previous),
            [word] if !is_name(&word.text) => None,
            [word] if self.verb == "switch" => Some(Target::Branch(word)),
            [word] => Some(Target::Named(word)),
            _ => None,
        }
    }
}

/// The branch or revision to which git says that it has switched.
fn switched(line: &str) -> Option<&str> {
    let quoted = |start: &str| line.strip_prefix(start)?.strip_suffix('\'');
    let forms = ["Switched to branch '", "Switched to a new branch '", "Already on '"];
    let found = forms.into_iter().find_map(quoted);
    found.or_else(|| line.strip_prefix("Note: switching to '")?.strip_suffix("'."))
}

/// Whether a command prints nothing when it goes well.
fn is_silent(command: &Command<'_>) -> bool {
    matches!(command.word(0), "cd" | "mkdir" | "export" | "set" | "touch" | "sleep" | "true" | ":")
}

/// Whether a text may be the name of a branch or a revision.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 250
        && !text.starts_with('-')
        && !text
            .contains(|c: char| c.is_whitespace() || c.is_control() || "$`*?~^:\\'\"".contains(c))
}
