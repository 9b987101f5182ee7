//! Tool state: what lives outside the messages and the next call depends on.
//!
//! It is derived from calls and results alone: from arguments, and from what a tool itself writes at a place where nothing
//! that it quotes can stand. What assistants say, and what results say in between, changes nothing. A call that failed, or
//! was not answered, changes nothing either.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::book::{Book, Quote};
use super::directory::{self, Directory, Step};
use super::git::Git;
use super::handles::Handles;
use super::heard;
use super::pages::Pages;
use super::pair::{Pair, at_path};
use super::pin::{Evidence, Topic};
pub use super::recognisers::Recogniser;
use super::recognisers::{self, DIRECTORIES, Shell};
use super::recorded::Records;
use super::restated;
use super::shell::{self, Command, Script};
use super::steps::Steps;
use crate::exchange::Structure;
use crate::json::Node;
use crate::pairing::Place;
use crate::transcript::{Finding, Format, Role, Transcript};

/// A tool state that calls and results tell of.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Told {
    /// What it is about.
    pub topic: Topic,
    /// The piece of an argument or output that says it, as it stands there (JSON strings decoded).
    pub text: String,
    /// The part it stands in: a call or a result; `None` for one that was inherited.
    pub place: Option<Place>,
    /// Why it holds no longer: superseded, or completed; with the words that say so, and the entry they stand in.
    pub ended: Option<(Evidence, usize)>,
}

/// A tool state that was live when what stood before the transcript was folded: the ledger carried it over, the calls that
/// told of it are gone.
pub type Inherited = (Topic, String);

/// The tool states of a transcript, oldest first, and where a log's own record differs from them.
///
/// What was inherited comes first and ends as anything else does: a directory when a newer one is told, a process when an
/// output call says that it has ended, a plan's step when a newer plan is written. Of one topic several may hold at a time:
/// of a directory the last whole path and the relative steps from there.
pub fn told(
    transcript: &Transcript,
    structure: &Structure,
    more: &[Recogniser],
    inherited: &[Inherited],
) -> (Vec<Told>, Vec<Finding>) {
    let (followed, findings) = Followed::of(transcript, structure, more, inherited);
    (followed.pinned(transcript).into_iter().map(|(_, told)| told).collect(), findings)
}

/// What was followed up to the end of a transcript, so that it can be followed farther.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed {
    pub(super) book: Book,
    directory: Directory,
    git: Git,
    handles: Handles,
    pages: Pages,
    steps: Steps,
    lasting: Vec<String>,
}

impl Followed {
    /// Follows the whole of `transcript`. Gives also where a log's own record differs.
    pub(super) fn of(
        transcript: &Transcript,
        structure: &Structure,
        more: &[Recogniser],
        inherited: &[Inherited],
    ) -> (Self, Vec<Finding>) {
        let mut fold = Fold::new(transcript, more, Self::default());
        fold.inherit(inherited);
        fold.follow(structure, 0, &structure.pairing.answered());
        fold.done()
    }

    /// Goes on with the entries from `from` on, which hold the answers of the calls `answered`. What a log records beside
    /// its messages must all have been there before.
    pub(super) fn go_on(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
        more: &[Recogniser],
        (from, answered): (usize, &[u32]),
    ) -> Vec<Finding> {
        let mut fold = Fold::new(transcript, more, core::mem::take(self));
        fold.follow(structure, from, answered);
        let (followed, findings) = fold.done();
        *self = followed;
        findings
    }

    /// The states that may become pins, each with its number.
    pub(super) fn pinned(&self, transcript: &Transcript) -> Vec<(usize, Told)> {
        self.book.pinned(transcript)
    }
}

struct Fold<'t> {
    transcript: &'t Transcript,
    more: &'t [Recogniser],
    book: Book,
    directory: Directory,
    git: Git,
    handles: Handles,
    pages: Pages,
    steps: Steps,
    /// The shells that were seen to last, by name.
    lasting: Vec<String>,
    records: Records<'t>,
}

impl<'t> Fold<'t> {
    fn new(transcript: &'t Transcript, more: &'t [Recogniser], followed: Followed) -> Self {
        let Followed { book, directory, git, handles, pages, steps, lasting } = followed;
        let records = Records::of(transcript);
        Self { transcript, more, book, directory, git, handles, pages, steps, lasting, records }
    }

    fn done(self) -> (Followed, Vec<Finding>) {
        let Self { book, directory, git, handles, pages, steps, lasting, records, .. } = self;
        let followed = Followed { book, directory, git, handles, pages, steps, lasting };
        (followed, records.findings)
    }

    /// Goes through the entries from `from` on, which hold the answers of the calls `answered`, in the order of these.
    fn follow(&mut self, structure: &Structure, from: usize, answered: &[u32]) {
        let calls = answered.iter().map(|&call| &structure.pairing.calls[call as usize]);
        let mut pairs = calls.filter_map(|call| Pair::of(self.transcript, call)).peekable();
        for entry in from..self.transcript.len() {
            self.records.open(entry, &mut self.directory);
            while let Some(pair) = pairs.next_if(|pair| pair.result.entry as usize == entry) {
                self.pair(&pair);
            }
            self.notices(entry, structure);
            self.records.close(entry, &mut self.directory, &self.git);
        }
    }

    fn inherit(&mut self, inherited: &[Inherited]) {
        for (topic, text) in inherited {
            let told = self.book.tell(*topic, text, None);
            match topic {
                Topic::Directory => self.directory.inherit(told, text),
                Topic::Branch | Topic::Worktree => self.git.inherit(*topic, told, text),
                Topic::File | Topic::Cursor => self.pages.inherit(*topic, told, text),
                Topic::Process | Topic::Agent => self.handles.inherit(told, text),
                Topic::Plan => self.steps.inherit(told, text),
            }
        }
    }
}

impl Fold<'_> {
    /// Takes in what a client says in the user's place.
    fn notices(&mut self, entry: usize, structure: &Structure) {
        let transcript = self.transcript;
        let said = &transcript.entries[entry];
        if said.role != Role::User || said.unsaid || structure.note_entry() == Some(entry) {
            return;
        }
        // What Pinfold or a tool wrote is no client's word.
        for (_, text) in heard::texts(transcript, structure, entry) {
            self.handles.notice(&text, entry, &mut self.book);
            if heard::unsaid::is_report(&text) {
                continue;
            }
            let (directory, branch) = restated::restated(&text);
            if let Some(at) = directory {
                self.records.directory_stated(at, &mut self.directory);
            }
            if let Some(branch) = branch {
                self.records.branch_stated(branch, &self.git);
            }
        }
    }

    /// Takes in a call and its result.
    fn pair(&mut self, pair: &Pair<'_>) {
        for recogniser in self.more.iter().filter(|it| it.knows(&pair.full_name)) {
            self.recognise(recogniser, pair);
        }
        if let Some(kind) = recognisers::shell(self.transcript.format, &pair.name) {
            let (lines, words) = recognisers::lines(pair);
            self.command(kind, &lines, &words, pair);
        } else if !pair.failed() {
            match &*pair.name {
                // A server's tool of that name is not the client's own, whose words about itself are believed.
                "EnterWorktree" | "ExitWorktree" | "enter_worktree" | "exit_worktree"
                    if !pair.full_name.contains("__") =>
                {
                    self.worktree(pair);
                }
                _ => {
                    self.handles.tool(pair, &mut self.book);
                    self.steps.tool(pair, &mut self.book);
                    let is_cursor = |it: &Recogniser| it.topic == Topic::Cursor;
                    // Where the caller knows the cursor, nothing else is one.
                    if !self.more.iter().any(|it| is_cursor(it) && it.knows(&pair.full_name)) {
                        self.pages.tool(pair, &mut self.book);
                    }
                }
            }
        }
    }

    fn command(
        &mut self,
        kind: Shell,
        lines: &[Cow<'_, str>],
        words: &[Cow<'_, str>],
        pair: &Pair<'_>,
    ) {
        let mut scripts: Vec<Script<'_>> = lines.iter().map(|line| shell::read(line)).collect();
        if !words.is_empty() {
            let commands = Vec::from([recognisers::of_words(words)]);
            scripts.push(Script { commands, ..Script::default() });
        }
        self.shell(kind, &scripts, pair);
        if pair.failed() {
            return;
        }
        self.handles.shell(&scripts, pair, &mut self.book);
        for script in &scripts {
            let own = self.git.run(script, pair, &mut self.book);
            let record = &mut self.records.branch;
            record.explained |= own && record.changed();
        }
    }

    /// Takes in what a caller's recogniser finds in a call that went well.
    fn recognise(&mut self, recogniser: &Recogniser, pair: &Pair<'_>) {
        if pair.failed() {
            return;
        }
        let path = &*recogniser.path;
        let (node, place) = match path.strip_prefix("result.") {
            Some(path) => {
                let whole = Node::parse(pair.text().trim()).ok();
                (whole.and_then(|whole| at_path(whole, path)), pair.result)
            }
            None => (pair.argument(path), pair.call),
        };
        let word = node.map(|node| node.string().unwrap_or(Cow::Borrowed(node.raw())));
        let word = word.filter(|word| !word.is_empty() && word != "null" && word != "false");
        let is_line = matches!(path.rsplit('.').next(), Some("command" | "cmd" | "script"));
        if recogniser.topic == Topic::Cursor {
            self.pages.next_of(word.as_deref(), pair, &mut self.book);
            return;
        }
        let (Some(node), Some(word)) = (node, word) else { return };
        let (text, book) = (&*word, &mut self.book);
        let quote = Quote { words: text, entry: place.entry };
        match recogniser.topic {
            Topic::Directory | Topic::Branch | Topic::Worktree | Topic::Process if is_line => {
                self.command(Shell::Lasts, &[word], &[], pair);
            }
            Topic::Directory => {
                self.directory.stand(Step { text, plain: text, place, quote }, book);
            }
            Topic::Branch => {
                self.git.set(text, text, place, quote, book);
            }
            Topic::Worktree => self.git.add(text, place, book),
            Topic::File => self.pages.add_file(text, place, book),
            Topic::Process | Topic::Agent => {
                self.handles.start(recogniser.topic, text, place, book);
            }
            Topic::Plan => self.steps.list(node, pair, book),
            Topic::Cursor => {}
        }
    }

    /// A tool that makes a worktree and goes there, or leaves it, says so in its first line.
    fn worktree(&mut self, pair: &Pair<'_>) {
        let (line, place) = (pair.first_line(), pair.result);
        let quote = Quote { words: line, entry: place.entry };
        let go = |text| Step { text, plain: text, place, quote };
        let book = &mut self.book;
        let entered = [
            "Created worktree at ",
            "Entered worktree at ",
            "Entered worktree ",
            "Switched to worktree at ",
        ];
        if let Some(rest) = entered.iter().find_map(|start| line.strip_prefix(start)) {
            let (path, rest) = rest.split_once(" on branch ").unwrap_or((rest, ""));
            let path = path.split(". ").next().unwrap_or_default().trim_end_matches('.');
            let branch = rest.split(". ").next().unwrap_or_default().trim_end_matches('.');
            if path.is_empty() {
                return;
            }
            self.git.add(path, place, book);
            if !branch.is_empty() {
                self.git.set(branch, branch, place, quote, book);
            }
            self.directory.go(go(path), book);
        } else if let Some(left) = line.strip_prefix("Left worktree ") {
            let path = left.split([';', ',']).next().unwrap_or_default().trim_end_matches('.');
            self.git.remove(path, quote, book);
            self.git.leave(quote, book);
            // Where it stands now, nobody says.
            self.directory.leave(quote, book);
        } else if let Some((left, path)) = line.split_once("Session is now back in ") {
            let path = path.split(". ").next().unwrap_or_default().trim_end_matches('.');
            if left.starts_with("Exited and removed worktree") {
                let left = String::from(self.directory.at());
                self.git.remove(&left, quote, book);
            }
            self.git.leave(quote, book);
            self.directory.go(go(path), book);
        }
        self.records.directory.explained = true;
        self.records.branch.explained = true;
    }

    /// What a shell's call does to the directory.
    fn shell(&mut self, kind: Shell, scripts: &[Script<'_>], pair: &Pair<'_>) {
        if let Some(told) = says_directory(pair) {
            let line = pair.last_lines().find(|line| line.contains(told)).unwrap_or(told);
            let quote = Quote { words: line, entry: pair.result.entry };
            let step = Step { text: told, plain: told, place: pair.result, quote };
            if !directory::same(self.directory.at(), told) {
                self.directory.go(step, &mut self.book);
            }
            self.records.directory.explained = true;
            return;
        }
        if pair.failed() {
            return;
        }
        if let Some(text) = pair.text_argument(&DIRECTORIES) {
            let quote = Quote { words: &text, entry: pair.call.entry };
            let step = Step { text: &text, plain: &text, place: pair.call, quote };
            self.directory.stand(step, &mut self.book);
            return;
        }
        if !self.lasts(kind, scripts, pair) {
            self.enter(scripts, pair);
            return;
        }
        let records_all = matches!(self.transcript.format, Format::ClaudeCode | Format::OpenHands);
        let commands = || scripts.iter().flat_map(|script| &script.commands);
        let moving = || commands().filter(|command| command.here && command.sure);
        let record = self.records.directory;
        if let Some(now) = record.now.filter(|_| records_all) {
            let mut next = self.directory.clone();
            let mut moved = false;
            for command in moving() {
                moved |= next.run(command, pair.call, &mut Book::default());
            }
            if !moved {
                return;
            }
            let at = String::from(next.at());
            let agrees = directory::same(&at, now) || record.changed();
            if !agrees {
                if record.follows {
                    self.records.directory_differs(&at, now, pair.result.entry as usize);
                }
                return;
            }
            let follows = record.changed();
            for command in moving() {
                self.directory.run(command, pair.call, &mut self.book);
            }
            self.directory.adopt(now);
            let record = &mut self.records.directory;
            record.explained = true;
            record.follows |= follows;
        } else {
            for command in moving() {
                self.directory.run(command, pair.call, &mut self.book);
            }
        }
    }

    /// A shell of its own for each call: the whole path that a call enters first is where the work is, and where the next call
    /// has to go, too.
    fn enter(&mut self, scripts: &[Script<'_>], pair: &Pair<'_>) {
        let first = scripts.iter().flat_map(|script| &script.commands).next();
        let whole = |command: &&Command<'_>| {
            let target = command.words.get(1);
            let anchored = target.is_some_and(|word| directory::is_anchored(&word.text));
            command.here && command.sure && command.word(0) == "cd" && anchored
        };
        if let Some(command) = first.filter(whole) {
            self.directory.run(command, pair.call, &mut self.book);
        }
    }

    /// Whether the shell of this call is the same in the next one.
    fn lasts(&mut self, kind: Shell, scripts: &[Script<'_>], pair: &Pair<'_>) -> bool {
        let known = self.lasting.iter().any(|name| *name == *pair.full_name);
        if kind == Shell::Unknown && !known {
            let mut commands = scripts.iter().flat_map(|script| &script.commands);
            let only = commands.next().is_some_and(|first| first.word(0) == "cd")
                && commands.next().is_none();
            if only {
                self.lasting.push(pair.full_name.clone().into_owned());
            }
            return only;
        }
        kind != Shell::New
    }
}

/// The directory that a shell's tool itself names behind what the command wrote.
fn says_directory<'p>(pair: &'p Pair<'_>) -> Option<&'p str> {
    let mut last = pair.last_lines();
    let line = last.next()?;
    if pair.name == "Bash" || pair.name == "PowerShell" {
        return line.strip_prefix("Shell cwd was reset to ");
    }
    // SWE-agent: the prompt stands last.
    if line == "bash-$" || line.starts_with("(Current directory: ") {
        let line = if line == "bash-$" { last.next()? } else { line };
        return line.strip_prefix("(Current directory: ")?.strip_suffix(')');
    }
    // OpenHands: the exit code stands last.
    if line.starts_with("[Command finished with exit code ")
        || line.starts_with("[The command completed with exit code ")
    {
        return last
            .take(2)
            .find_map(|line| line.strip_prefix("[Current working directory: ")?.strip_suffix(']'));
    }
    None
}
