//! What a log records of the directory and the branch, held against what the calls imply.

use alloc::format;
use alloc::vec::Vec;

use super::directory::{self, Directory};
use super::git::Git;
use super::pin::Topic;
use crate::transcript::{Finding, Transcript, Weight};

/// What the log records, as far as it was read.
pub(super) struct Records<'t> {
    transcript: &'t Transcript,
    pub(super) directory: Record<'t>,
    pub(super) branch: Record<'t>,
    /// Where it differs from what the calls imply.
    pub(super) findings: Vec<Finding>,
}

/// What the log records of one thing.
#[derive(Clone, Copy, Default)]
pub(super) struct Record<'t> {
    /// Before the entry that is open, and from it on.
    before: Option<&'t str>,
    pub(super) now: Option<&'t str>,
    /// Whether it was seen to follow a call.
    pub(super) follows: bool,
    /// Whether the calls of the entry that is open explain what it says.
    pub(super) explained: bool,
}

impl Record<'_> {
    /// Whether it says something else from the entry that is open on.
    pub(super) fn changed(&self) -> bool {
        self.before.is_some() && self.before != self.now
    }
}

impl<'t> Records<'t> {
    pub(super) fn of(transcript: &'t Transcript) -> Self {
        let (directory, branch) = (Record::default(), Record::default());
        Self { transcript, directory, branch, findings: Vec::new() }
    }

    /// Reads what is recorded of the entry that comes next.
    pub(super) fn open(&mut self, entry: usize, directory: &mut Directory) {
        let all = &self.transcript.recorded;
        let first = all.partition_point(|it| (it.entry as usize) < entry);
        for record in [&mut self.directory, &mut self.branch] {
            (record.before, record.explained) = (record.now, false);
        }
        for it in all.iter().skip(first).take_while(|it| it.entry as usize == entry) {
            match it.what {
                Topic::Directory => self.directory.now = Some(&it.value),
                _ => self.branch.now = Some(&it.value),
            }
        }
        if let Record { before: None, now: Some(now), .. } = self.directory {
            if directory.is_told() {
                // What was inherited.
                self.compare(now, entry, directory);
            } else {
                directory.begin(now);
            }
        }
    }

    /// Compares what is recorded with what the calls imply, once all results of an entry are read. What was not recorded as
    /// the calls imply it before does not have to be now.
    pub(super) fn close(&mut self, entry: usize, directory: &mut Directory, git: &Git) {
        if let Record { before: Some(before), now: Some(now), explained: false, .. } =
            self.directory
            && before != now
        {
            if directory::same(directory.at(), before) {
                self.compare(now, entry, directory);
            }
            directory.adopt(now);
        }
        if let Record { before: Some(before), now: Some(now), explained: false, .. } = self.branch
            && before != now
            && now != "HEAD"
            && git.branch() == Some(before)
        {
            self.differs("branch-differs", "branch", before, now, entry);
        }
    }

    fn compare(&mut self, now: &str, entry: usize, directory: &Directory) {
        let at = directory.at();
        if directory.is_told() && !directory::same(at, now) {
            self.directory_differs(at, now, entry);
        }
    }

    /// A prompt states the directory anew.
    pub(super) fn directory_stated(&mut self, now: &str, directory: &mut Directory) {
        let at = directory.at();
        if !directory.is_told() {
            directory.begin(now);
        } else if !directory::same(at, now) && directory::is_known(at) && directory::is_known(now) {
            self.note(
                "directory-differs",
                "working directory",
                at,
                &format!("a prompt states {now:?}"),
                0,
            );
        }
    }

    /// A prompt states the branch anew.
    pub(super) fn branch_stated(&mut self, now: &str, git: &Git) {
        if let Some(branch) = git.branch().filter(|branch| *branch != now) {
            self.note("branch-differs", "branch", branch, &format!("a prompt states {now:?}"), 0);
        }
    }

    /// Notes that the calls imply the directory `at` while `now` is recorded, unless one of the two is not known to its end.
    pub(super) fn directory_differs(&mut self, at: &str, now: &str, entry: usize) {
        if directory::is_known(at) && directory::is_known(now) {
            self.differs("directory-differs", "working directory", at, now, entry);
        }
    }

    fn differs(&mut self, code: &'static str, what: &str, told: &str, now: &str, entry: usize) {
        let line = self.transcript.line(entry).unwrap_or_default();
        self.note(code, what, told, &format!("line {line} of the log records {now:?}"), line);
    }

    fn note(&mut self, code: &'static str, what: &str, told: &str, other: &str, line: u32) {
        let message = format!("The calls imply the {what} {told:?}, and {other}.");
        self.findings.push(Finding { code, weight: Weight::Warning, offset: 0, line, message });
    }
}
