//! Tool state: what lives outside the messages and the next call depends on.
//!
//! It is derived from calls and results alone: from arguments, and from what a tool itself writes at a place where nothing
//! that it quotes can stand. What assistants say, and what results say in between, changes nothing. A call that failed, or
//! was not answered, changes nothing either.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::book::{Book, Quote};
use super::directory::{self, Directory, Step};
use super::git::Git;
use super::pair::Pair;
use super::pin::{Evidence, Topic};
pub use super::recognisers::Recogniser;
use super::recognisers::{self, DIRECTORIES, Shell};
use super::shell::{self, Script};
use crate::exchange::Structure;
use crate::pairing::Place;
use crate::transcript::{Finding, Format, Transcript, Weight};

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
    let mut fold = Fold::new(transcript, more);
    fold.inherit(inherited);
    let mut pairs: Vec<Pair<'_>> =
        structure.pairing.calls.iter().filter_map(|call| Pair::of(transcript, call)).collect();
    pairs.sort_by_key(|pair| pair.result);
    let mut pairs = pairs.iter().peekable();
    for entry in 0..transcript.len() {
        fold.open(entry);
        while let Some(pair) = pairs.next_if(|pair| pair.result.entry as usize == entry) {
            fold.pair(pair);
        }
        fold.close(entry);
    }
    (fold.book.told, fold.findings)
}

struct Fold<'t> {
    transcript: &'t Transcript,
    more: &'t [Recogniser],
    book: Book,
    directory: Directory,
    git: Git,
    /// The shells that were seen to last, by name.
    lasting: Vec<String>,
    /// What the log records of the directory and of the branch.
    records: [Record<'t>; 2],
    findings: Vec<Finding>,
}

/// What a log records of one thing, as far as it was read.
#[derive(Clone, Copy, Default)]
struct Record<'t> {
    /// Before the entry that is open, and from it on.
    before: Option<&'t str>,
    now: Option<&'t str>,
    /// Whether it was seen to follow a call.
    follows: bool,
    /// Whether the calls of the entry that is open explain what it says.
    explained: bool,
}

impl Record<'_> {
    fn changed(&self) -> bool {
        self.before.is_some() && self.before != self.now
    }
}

const DIRECTORY: usize = 0;
const BRANCH: usize = 1;

impl<'t> Fold<'t> {
    fn new(transcript: &'t Transcript, more: &'t [Recogniser]) -> Self {
        Self {
            transcript,
            more,
            book: Book::default(),
            directory: Directory::default(),
            git: Git::default(),
            lasting: Vec::new(),
            records: [Record::default(), Record::default()],
            findings: Vec::new(),
        }
    }

    fn inherit(&mut self, inherited: &[Inherited]) {
        for (topic, text) in inherited {
            let told = self.book.tell(*topic, text, None);
            match topic {
                Topic::Directory => self.directory.inherit(told, text),
                Topic::Branch | Topic::Worktree => self.git.inherit(*topic, told, text),
                _ => {}
            }
        }
    }
}

impl<'t> Fold<'t> {
    /// Reads what the log records of the entry that comes next.
    fn open(&mut self, entry: usize) {
        let all = &self.transcript.recorded;
        let first = all.partition_point(|it| (it.entry as usize) < entry);
        let here = || all.iter().skip(first).take_while(|it| it.entry as usize == entry);
        for (record, what) in self.records.iter_mut().zip([Topic::Directory, Topic::Branch]) {
            record.before = record.now;
            record.explained = false;
            record.now =
                here().filter(|it| it.what == what).last().map_or(record.now, |it| Some(&it.value));
        }
        let [Record { before: None, now: Some(now), .. }, _] = self.records else { return };
        if self.directory.is_told() {
            // What was inherited.
            self.compare_directory(now, entry);
        } else {
            self.directory.begin(now);
        }
    }

    /// Compares what the log records with what the calls imply, once all results of an entry are read. What was not recorded
    /// as the calls imply it before does not have to be now.
    fn close(&mut self, entry: usize) {
        let [directory, branch] = self.records;
        if let (Some(before), Some(now)) = (directory.before, directory.now)
            && before != now
            && !directory.explained
        {
            if directory::same(self.directory.at(), before) {
                self.compare_directory(now, entry);
            }
            self.directory.adopt(now);
        }
        if let (Some(before), Some(now)) = (branch.before, branch.now)
            && before != now
            && !branch.explained
            && now != "HEAD"
            && self.git.branch() == Some(before)
        {
            self.differs("branch-differs", "branch", before, now, entry);
        }
    }

    fn compare_directory(&mut self, now: &str, entry: usize) {
        let at = String::from(self.directory.at());
        let known = directory::is_known(&at) && directory::is_known(now);
        if self.directory.is_told() && known && !directory::same(&at, now) {
            self.differs("directory-differs", "working directory", &at, now, entry);
        }
    }

    fn differs(
        &mut self,
        code: &'static str,
        what: &str,
        told: &str,
        recorded: &str,
        entry: usize,
    ) {
        let line = self.transcript.line(entry).unwrap_or_default();
        let message = format!(
            "The calls before entry {entry} (line {line}) imply the {what} {told:?}, and the log records {recorded:?}."
        );
        self.findings.push(Finding { code, weight: Weight::Warning, offset: 0, line, message });
    }

    /// Takes in a call and its result.
    fn pair(&mut self, pair: &Pair<'_>) {
        let Some(kind) = recognisers::shell(self.transcript.format, &pair.name) else { return };
        let (lines, words) = recognisers::lines(pair);
        let mut scripts: Vec<Script<'_>> = lines.iter().map(|line| shell::read(line)).collect();
        if !words.is_empty() {
            let commands = Vec::from([shell::of_words(&words)]);
            scripts.push(Script { commands, ..Script::default() });
        }
        self.shell(kind, &scripts, pair);
        if pair.failed() {
            return;
        }
        for script in &scripts {
            let own = self.git.run(script, pair, &mut self.book);
            let record = &mut self.records[BRANCH];
            record.explained |= own && record.changed();
            record.follows |= record.explained;
        }
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
            self.records[DIRECTORY].explained = true;
            return;
        }
        if pair.failed() {
            return;
        }
        for name in DIRECTORIES {
            let text = pair.argument(name).and_then(crate::json::Node::string);
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                let quote = Quote { words: &text, entry: pair.call.entry };
                let step = Step { text: &text, plain: &text, place: pair.call, quote };
                self.directory.stand(step, &mut self.book);
                return;
            }
        }
        if !self.lasts(kind, scripts, pair) {
            return;
        }
        let records_all = matches!(self.transcript.format, Format::ClaudeCode | Format::OpenHands);
        let commands = || scripts.iter().flat_map(|script| &script.commands);
        let moving = || commands().filter(|command| command.here && command.sure);
        let record = &self.records[DIRECTORY];
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
                if record.follows && directory::is_known(&at) && directory::is_known(now) {
                    let (now, entry) = (String::from(now), pair.result.entry as usize);
                    self.differs("directory-differs", "working directory", &at, &now, entry);
                }
                return;
            }
            let follows = record.changed();
            let now = String::from(now);
            for command in moving() {
                self.directory.run(command, pair.call, &mut self.book);
            }
            self.directory.adopt(&now);
            let record = &mut self.records[DIRECTORY];
            record.explained = true;
            record.follows |= follows;
        } else {
            for command in moving() {
                self.directory.run(command, pair.call, &mut self.book);
            }
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
