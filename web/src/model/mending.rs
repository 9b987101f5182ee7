//! A repair in words: what was done, what is left, and how many faults there were and are.

use pinfold::repair::{Change, ChangeKind, Repaired, repair};

use super::loaded::Loaded;
use super::number::counted;
use super::violation::{Told, listed, tally};
use super::visible::one_line;

/// Changes, and faults that are left, that are listed; the rest is counted.
const LISTED: usize = 300;

/// A repair, with everything that the page says of it.
#[derive(Clone, Debug)]
pub(crate) struct Mended {
    /// The mended transcript as text.
    pub(crate) text: String,
    pub(crate) changes: Vec<Done>,
    /// How many changes are not listed.
    pub(crate) more: usize,
    /// What a person must look at, with its places in the mended transcript.
    pub(crate) left: Vec<Told>,
    /// How many of those are not listed.
    pub(crate) more_left: usize,
    /// The faults before and after, counted.
    pub(crate) before: String,
    pub(crate) after: String,
    /// What it comes to.
    pub(crate) headline: String,
}

/// One change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Done {
    pub(crate) what: &'static str,
    pub(crate) code: &'static str,
    /// The entry of the transcript on the desk.
    pub(crate) entry: usize,
    pub(crate) ids: String,
    pub(crate) message: String,
}

impl Mended {
    /// Mends what is on the desk, for the use that it is judged for.
    pub(crate) fn of(loaded: &Loaded) -> Self {
        let Repaired { text, changes, left, transcript, .. } =
            repair(&loaded.transcript, loaded.wish.mode);
        let last = loaded.len() - 1;
        let told = left.iter().take(LISTED).map(|violation| Told::of(&transcript, violation));
        Self {
            headline: headline(changes.len(), left.len()),
            changes: changes.iter().take(LISTED).map(|change| done(change, last)).collect(),
            more: changes.len().saturating_sub(LISTED),
            left: told.collect(),
            more_left: left.len().saturating_sub(LISTED),
            before: tally(&loaded.violations),
            after: tally(&left),
            text,
        }
    }

    /// Whether there is anything new to use.
    pub(crate) fn is_mended(&self) -> bool {
        !self.changes.is_empty()
    }
}

fn headline(changes: usize, left: usize) -> String {
    let done = counted(changes, "change", "changes");
    let left_told = counted(left, "fault is left", "faults are left");
    match (changes, left) {
        (0, _) => "Nothing can be mended without a person".into(),
        (_, 0) => format!("Mended with {done}"),
        _ => format!("{done} made, {left_told}"),
    }
}

fn done(change: &Change, last: usize) -> Done {
    Done {
        what: what(change.kind),
        code: change.code.name(),
        // What is added behind the end stands before an entry that is not there.
        entry: change.entry.min(last),
        ids: listed(change.ids.iter().map(String::as_str)),
        message: one_line(&change.message, 600),
    }
}

fn what(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "put in",
        ChangeKind::Answered => "result added",
        ChangeKind::Closed => "end added",
        ChangeKind::Merged => "merged",
        ChangeKind::Moved => "moved",
        ChangeKind::Opened => "beginning added",
        ChangeKind::Removed => "taken out",
        ChangeKind::Renamed => "id rewritten",
        ChangeKind::Signed => "signature added",
        ChangeKind::Stripped => "member taken out",
        _ => kind.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::Mended;
    use crate::model::intake::{SAMPLES, Wish, load};

    #[test]
    fn the_broken_sample_is_mended_and_stays_mended() {
        let loaded = load(SAMPLES[1].source(), Wish::default()).expect("it is readable");
        let mended = Mended::of(&loaded);
        assert_eq!((&*mended.before, &*mended.after), ("4 errors", "none"));
        assert!(mended.is_mended() && mended.left.is_empty());
        let whats: Vec<&str> = mended.changes.iter().map(|it| it.what).collect();
        assert_eq!(whats, ["moved", "taken out", "result added"]);
        let source = loaded.source.made(&mended.text);
        assert_eq!(loaded.source.file("repaired"), "broken.repaired.json");
        let again = load(source, Wish::like(&loaded)).expect("it is readable");
        assert!(again.violations.is_empty());
        let twice = Mended::of(&again);
        assert!(!twice.is_mended());
        assert_eq!(twice.text, mended.text);
    }
}
