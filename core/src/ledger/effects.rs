//! Whether a call may have changed something outside of the conversation: then what it did must stay on record, since work
//! that is forgotten is done again.
//!
//! Only what is known to look on is taken for it. A tool that nobody knows, a command with a substitution, a redirection:
//! all of them may have changed something.

use super::pair::Pair;
use super::recognisers::{lines, of_words, shell as shell_of};
use super::shell::{self, Command};
use crate::pairing::Call;
use crate::transcript::Transcript;

/// Whether a call may have changed something, failed, or was never answered.
pub(crate) fn may_matter(transcript: &Transcript, call: &Call) -> bool {
    let Some(pair) = Pair::of(transcript, call) else { return true };
    if pair.error {
        return true;
    }
    if shell_of(transcript.format(), &pair.name).is_none() {
        return !only_looks(&pair.name);
    }
    let (scripts, words) = lines(&pair);
    let known = !scripts.is_empty() || !words.is_empty();
    let direct = (!words.is_empty()).then(|| of_words(&words));
    !known
        || !scripts.iter().all(|line| line_only_looks(line))
        || !direct.iter().all(command_only_looks)
}

/// Whether a tool is known to look on only, by its name without case and joints.
pub(crate) fn only_looks(name: &str) -> bool {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let plain: alloc::string::String = letters.map(|c| c.to_ascii_lowercase()).collect();
    TOOLS.contains(&&*plain)
}

/// Tools that look on, as agents name them.
const TOOLS: [&str; 29] = [
    "bashoutput",
    "codebasesearch",
    "filesearch",
    "findfiles",
    "getfile",
    "glob",
    "globfilesearch",
    "grep",
    "grepsearch",
    "list",
    "listdir",
    "listdirectory",
    "listfiles",
    "ls",
    "notebookread",
    "read",
    "readfile",
    "readfiles",
    "readlints",
    "readmanyfiles",
    "search",
    "searchfilecontent",
    "searchfiles",
    "taskoutput",
    "todoread",
    "view",
    "viewfile",
    "webfetch",
    "websearch",
];

/// Commands that look on whatever their arguments are.
const COMMANDS: [&str; 35] = [
    "[", "basename", "cat", "cd", "cmp", "cut", "df", "diff", "dirname", "du", "echo", "egrep",
    "false", "fgrep", "file", "grep", "head", "jq", "ls", "nl", "printf", "ps", "pwd", "readlink",
    "realpath", "rg", "stat", "tail", "test", "tr", "true", "uname", "wc", "which", "whoami",
];

/// What git only shows.
const GIT: [&str; 10] = [
    "blame",
    "describe",
    "diff",
    "grep",
    "log",
    "ls-files",
    "rev-parse",
    "shortlog",
    "show",
    "status",
];

/// What `find` does beside looking.
const FIND: [&str; 4] = ["-delete", "-exec", "-fprint", "-ok"];

fn line_only_looks(line: &str) -> bool {
    let runs_more = ["$(", "`", "<(", ">("].iter().any(|sign| line.contains(sign));
    let plain = line.replace("2>&1", "").replace("2>/dev/null", "").replace("2> /dev/null", "");
    let script = shell::read(line);
    !runs_more
        && !plain.contains('>')
        && script.background.is_empty()
        && script.commands.iter().all(command_only_looks)
}

fn command_only_looks(command: &Command<'_>) -> bool {
    let is_of = |list: &[&str], word: &str| list.contains(&word);
    match command.word(0) {
        "find" => {
            let mut words = command.words.iter();
            !words.any(|word| FIND.iter().any(|act| word.text.starts_with(act)))
        }
        "git" => {
            let writes = command.words.iter().any(|word| word.text.starts_with("--output"));
            is_of(&GIT, command.word(1)) && !writes
        }
        // An option of `rg` runs a program for each file.
        "rg" => !command.words.iter().any(|word| word.text.starts_with("--pre")),
        word => is_of(&COMMANDS, word),
    }
}
