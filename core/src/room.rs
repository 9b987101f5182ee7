//! How the room of a note is divided: between a summary by a model, the lines of the digest, and the beginnings of those that
//! the summary, or excerpts, take the place of although they must stay on record.
//!
//! A pair must stay on record if its call may have changed something or failed. A summary may forget it, and work that is
//! forgotten is done again; so a summary costs no such pair its line, whatever the model writes, and no line of output is
//! worth more than what was done last.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use crate::digest::Source;
use crate::excerpts::Lines;
use crate::ledger::{may_matter, only_looks};
use crate::note::Note;
use crate::plan::{Fold, Planner};
use crate::transcript::Transcript;

/// The room of a note. All but the numbers of lines are tokens; lines are counted as [`Lines`] does.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// All of it.
    whole: u64,
    /// What lines alone take of it, at most.
    lines: u64,
    /// The first line that they show if there is no summary, and the one after the last.
    first: usize,
    end: usize,
    /// The lines before that one which are on record before excerpts get anything, and what their beginnings cost.
    claims: Vec<usize>,
    claimed: u64,
    /// How many lines stand before those of the digest.
    inherited: usize,
    /// What the beginning of each line costs that must stay on record.
    due: Vec<Option<u64>>,
    /// For each line what all lines before it cost in full, and the beginnings of those among them that are due.
    sums: Vec<(u64, u64)>,
    /// What a summary would tell of.
    folded: u64,
}

/// What a note shows beside a summary.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Division {
    /// The first line that is shown in full.
    pub(crate) shown: usize,
    /// The lines before it whose beginnings are shown, in their order.
    pub(crate) records: Vec<usize>,
    /// What all of them cost, in tokens.
    pub(crate) tokens: u64,
}

/// Fewer tokens are worth no summary.
const LEAST: u64 = 64;

/// One part in so many of what lines have is for beginnings that the note without a summary would only count.
const OLD: u64 = 4;

/// One part in so many of what excerpts would have is for beginnings first.
const CLAIM: u64 = 3;

/// The lines that a note without a summary does not show, and keeps on record before excerpts get anything: the newest that
/// must be, in their order.
pub(crate) fn claims(lines: Lines<'_>, fold: &Fold) -> Vec<usize> {
    let mut free = fold.excerpts / CLAIM;
    let mut claims = Vec::new();
    let mut told = BTreeSet::new();
    for line in (0..lines.inherited() + fold.lines.1).rev() {
        if free < LEAST_RECORD {
            break;
        }
        // The same words once more would tell nothing.
        if !is_due(lines, line) || !told.insert(record(lines, line)) {
            continue;
        }
        if !take(&mut claims, &mut free, line, cost_of(lines, line)) {
            break;
        }
    }
    claims.reverse();
    claims
}

/// What the beginnings of lines cost, with their heading, in tokens.
pub(crate) fn beginnings(lines: Lines<'_>, records: &[usize]) -> u64 {
    let heading = if records.is_empty() { 0 } else { Note::older_tokens() };
    heading + records.iter().map(|&line| cost_of(lines, line)).sum::<u64>()
}

/// Fewer tokens are no room for a beginning.
const LEAST_RECORD: u64 = 4;

fn cost_of(lines: Lines<'_>, line: usize) -> u64 {
    Note::line_tokens(&record(lines, line))
}

/// Takes a line whose beginning costs so much, and the heading over the first, if what is free allows it.
fn take(taken: &mut Vec<usize>, free: &mut u64, line: usize, cost: u64) -> bool {
    let cost = cost + if taken.is_empty() { Note::older_tokens() } else { 0 };
    let fits = cost <= *free;
    if fits {
        *free -= cost;
        taken.push(line);
    }
    fits
}

impl Room {
    /// The room of the note that `fold` would write.
    pub(crate) fn of(transcript: &Transcript, planner: &Planner, fold: &Fold) -> Self {
        let lines = Lines { transcript, structure: &planner.structure, digest: &planner.digest };
        let (inherited, end) = (lines.inherited(), lines.count(fold.cut));
        let due: Vec<Option<u64>> =
            (0..end).map(|line| is_due(lines, line).then(|| cost_of(lines, line))).collect();
        let mut sums = Vec::from([(0, 0)]);
        let (mut full, mut begun) = (0, 0);
        for (line, due) in due.iter().enumerate() {
            full += lines.full(line).map_or(0, Note::line_tokens);
            begun += due.unwrap_or_default();
            sums.push((full, begun));
        }
        let first = inherited + fold.lines.1;
        let listed = full - sums[first].0;
        let claims = claims(lines, fold);
        let claimed = claims.iter().filter_map(|&line| due[line]).sum();
        // Where excerpts have a share of their own, lines have got theirs.
        let own = if fold.excerpts > 0 { listed + beginnings(lines, &claims) } else { fold.room };
        let stays = planner.frozen_tokens(fold.cut) + planner.kept_tokens(fold.cut);
        let folded = planner.total.saturating_sub(stays);
        let (whole, lines) = (fold.room, own);
        Self { whole, lines, first, end, claims, claimed, inherited, due, sums, folded }
    }

    /// All of it, in tokens.
    pub(crate) fn whole(&self) -> u64 {
        self.whole
    }

    /// What the lines take that are shown if there is no summary, in tokens.
    pub(crate) fn listed(&self) -> u64 {
        self.full(self.first)
    }

    /// How many lines stand before those of the digest.
    pub(crate) fn inherited(&self) -> usize {
        self.inherited
    }

    /// The tokens that a summary may have, with its heading; `None` if it would be too short to be worth asking for.
    pub(crate) fn allowance(&self) -> Option<u64> {
        let kept = (self.whole / 2).max(self.least());
        let allowed = self.whole.saturating_sub(kept);
        // A summary half as long as what it tells of is none.
        Some(allowed.min(self.folded / 2)).filter(|&allowed| allowed >= LEAST)
    }

    /// What is shown beside a summary of so many tokens that is there already; `None` if it would take too much.
    ///
    /// It may take more than a new one: what it tells of is told nowhere else.
    pub(crate) fn divide_kept(&self, summary: u64) -> Option<Division> {
        (summary <= self.whole * 2 / 3).then(|| self.divide(summary)).flatten()
    }

    /// What is shown beside a summary of so many tokens; `None` if a pair would lose its record.
    pub(crate) fn divide(&self, summary: u64) -> Option<Division> {
        let left = self.whole.checked_sub(summary)?.min(self.lines);
        let mut free = left.checked_sub(self.least())?.min(left / OLD);
        let mut old = Vec::new();
        for line in (0..self.claims.first().copied().unwrap_or(self.first)).rev() {
            let Some(cost) = self.due[line] else { continue };
            if !take(&mut old, &mut free, line, cost) {
                break;
            }
        }
        old.reverse();
        let spent = self.beginnings(&old);
        let shown = (self.first..=self.end).find(|&shown| self.cost(shown) + spent <= left)?;
        let mut records = old;
        records.extend(self.due(shown));
        let tokens = self.full(shown) + self.beginnings(&records);
        Some(Division { shown, records, tokens })
    }

    /// The lines that must be on record where those from `shown` on are shown in full.
    pub(crate) fn due(&self, shown: usize) -> impl Iterator<Item = usize> {
        let range = self.first..shown.clamp(self.first, self.end);
        let due = range.filter(|&line| self.due[line].is_some());
        self.claims.iter().copied().chain(due)
    }

    /// The records that a note with a summary has in any case.
    pub(crate) fn records(&self, lines: Lines<'_>) -> Vec<String> {
        self.due(self.end).map(|line| record(lines, line)).collect()
    }

    /// The least that the lines can cost that the note without a summary shows.
    fn least(&self) -> u64 {
        (self.first..=self.end).map(|shown| self.cost(shown)).min().unwrap_or_default()
    }

    /// What they cost if those from `shown` on are shown in full.
    fn cost(&self, shown: usize) -> u64 {
        let due = self.claimed + self.sums[shown].1 - self.sums[self.first].1;
        let heading = if due == 0 { 0 } else { Note::older_tokens() };
        self.full(shown) + due + heading
    }

    fn full(&self, shown: usize) -> u64 {
        self.sums[self.end].0 - self.sums[shown].0
    }

    fn beginnings(&self, lines: &[usize]) -> u64 {
        let heading = if lines.is_empty() { 0 } else { Note::older_tokens() };
        heading + lines.iter().filter_map(|&line| self.due[line]).sum::<u64>()
    }
}

/// What stands for a line that must stay on record: its beginning, and whether it failed.
pub(crate) fn record(lines: Lines<'_>, line: usize) -> String {
    let short = lines.short(line);
    let Some(full) = lines.full(line) else { return short.into() };
    let mut text = String::from(short);
    if let Some((call, outcome)) = full.split_once(" → ")
        && call.matches('`').count() % 2 == 0
    {
        let first = outcome.split(", ").next().unwrap_or_default();
        let code = first.strip_prefix("exit ").and_then(|code| code.parse::<i64>().ok());
        if first == "error" || code.is_some_and(|code| code != 0) || outcome == UNANSWERED {
            text.push_str(" → ");
            text.push_str(if outcome == UNANSWERED { UNANSWERED } else { first });
        }
    }
    text
}

const UNANSWERED: &str = "no result was recorded";

/// Whether a text is what a note may show in place of a line.
pub(crate) fn stands_for(lines: Lines<'_>, line: usize, text: &str) -> bool {
    let short = lines.short(line);
    short == text || text.starts_with(short) && record(lines, line) == text
}

/// Whether a line must stay on record. Of what an earlier note tells only the tool's name is known.
fn is_due(lines: Lines<'_>, line: usize) -> bool {
    let told = |text: &str| {
        let said = text.starts_with("user: ") || text.starts_with("assistant: ");
        !said && !only_looks(text.split(' ').next().unwrap_or_default())
    };
    let Some(number) = line.checked_sub(lines.inherited()) else { return told(lines.short(line)) };
    match lines.digest.source(number) {
        Source::Call(call) => {
            may_matter(lines.transcript, &lines.structure.pairing.calls[call as usize])
        }
        Source::Note(_) => told(lines.digest.text(number)),
        Source::Said(_) => false,
        Source::Stray(_) => true,
    }
}

/// The first of the lines `due` whose record is not, in order, among the beginnings that a note shows.
pub(crate) fn lost_record<'t>(
    lines: Lines<'_>,
    due: impl Iterator<Item = usize>,
    mut shown: impl Iterator<Item = &'t str>,
) -> Option<String> {
    let mut records = due.map(|line| record(lines, line));
    records.find(|record| !shown.any(|shown| shown == record))
}
