//! The table of recognisers: which tool tells of what, by its name and the format of its transcript.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::pair::{Pair, texts};
use super::pin::Topic;
use super::shell::{Command, Word};
use crate::transcript::Format;

/// How a tool tells of a state. A caller may add some of its own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recogniser {
    /// The tool's name; a `*` at its end stands for any rest.
    pub tool: String,
    /// The path of the argument that holds the text (`command`, `options.cwd`), or of a member of its result if it begins with `result.`.
    pub path: String,
    /// What that text is.
    pub topic: Topic,
}

impl Recogniser {
    /// Whether it is about the tool of that name.
    pub(super) fn knows(&self, name: &str) -> bool {
        match self.tool.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => self.tool == name,
        }
    }
}

/// Whether a shell is the same one in the next call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shell {
    /// It is: where it stands, it stands in the next call.
    Lasts,
    /// Each call has its own, which begins where the session does, or where an argument says.
    New,
    /// Not known from its name. A call that does nothing but change the directory speaks for `Lasts`.
    Unknown,
}

/// The tools that run command lines, by the names that agents give them.
const SHELLS: [(&str, Shell); 25] = [
    ("Bash", Shell::Lasts),
    ("Shell", Shell::Unknown),
    ("bash", Shell::Unknown),
    ("bash_session", Shell::Lasts),
    ("cmd_run", Shell::Unknown),
    ("computer_terminal", Shell::Unknown),
    ("container.exec", Shell::New),
    ("developer__shell", Shell::New),
    ("exec", Shell::Unknown),
    ("exec_command", Shell::New),
    ("execute_bash", Shell::Lasts),
    ("execute_command", Shell::New),
    ("local_shell", Shell::New),
    ("local_shell_call", Shell::New),
    ("run", Shell::Unknown),
    ("run_command", Shell::Unknown),
    ("run_commands", Shell::New),
    ("run_in_terminal", Shell::Lasts),
    ("run_shell_command", Shell::New),
    ("run_terminal_cmd", Shell::Lasts),
    ("run_terminal_command", Shell::Unknown),
    ("shell", Shell::Unknown),
    ("shell_call", Shell::New),
    ("shell_command", Shell::New),
    ("terminal", Shell::Unknown),
];

/// What kind of shell a tool is; `None` if it is none.
///
/// What lasts follows from how each agent runs commands: Claude Code, Copilot CLI, OpenHands and SWE-agent keep a shell (or
/// its directory) between calls, the others begin a new process in the directory of the session.
pub(super) fn shell(format: Format, name: &str) -> Option<Shell> {
    let (_, kind) = SHELLS.iter().find(|(tool, _)| *tool == name)?;
    Some(match format {
        Format::Codex
        | Format::GeminiCli
        | Format::Inspect
        | Format::KimiCli
        | Format::OpenClaw
        | Format::OpenCode
        | Format::Pi
            if name != "bash_session" =>
        {
            Shell::New
        }
        Format::ClaudeCode
        | Format::ClaudeStream
        | Format::CopilotCli
        | Format::OpenHands
        | Format::SweAgent => Shell::Lasts,
        _ => *kind,
    })
}

/// The arguments of a shell that name the directory of one command.
pub(super) const DIRECTORIES: [&str; 9] = [
    "workdir",
    "cwd",
    "working_directory",
    "working_dir",
    "workingDirectory",
    "dir_path",
    "directory",
    "cd",
    "Cwd",
];

/// The command lines that a shell's call runs. Words that no shell reads (`["git", "status"]`) come as they are.
pub(super) fn lines<'p>(pair: &'p Pair<'_>) -> (Vec<Cow<'p, str>>, Vec<Cow<'p, str>>) {
    let names = ["command", "cmd", "commands", "script", "CommandLine"];
    let Some(node) = pair.first_argument(&names) else {
        return (Vec::new(), Vec::new());
    };
    let found = texts(node);
    if node.string().is_some() || pair.name == "run_commands" || pair.name == "shell_call" {
        return (found, Vec::new());
    }
    let is_shell = found.first().is_some_and(|program| {
        let name = program.rsplit('/').next().unwrap_or_default();
        matches!(name, "bash" | "sh" | "zsh" | "dash" | "ash")
    });
    let option = found.get(1).filter(|option| option.starts_with('-') && option.ends_with('c'));
    if is_shell && option.is_some() && found.len() == 3 {
        return (found.into_iter().skip(2).collect(), Vec::new());
    }
    (Vec::new(), found)
}

/// The command that a list of words is, as some tools take them. It runs in no shell.
pub(super) fn of_words<'a>(words: &'a [Cow<'a, str>]) -> Command<'a> {
    let word = |word: &'a Cow<'a, str>| Word { raw: word, text: Cow::Borrowed(&**word) };
    Command {
        text: words.first().map_or("", |word| &**word),
        words: words.iter().map(word).collect(),
        here: false,
        piped: false,
        sure: true,
    }
}
