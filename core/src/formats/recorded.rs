//! What a log records of the directory and the branch, told for the entries of a talk.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::log::Log;
use crate::ledger::pin::Topic;
use crate::transcript::Recorded;

/// The directory and the branch, where they are recorded.
#[derive(Clone, Debug, Default)]
pub(super) struct State<'a> {
    pub(super) directory: Option<Cow<'a, str>>,
    pub(super) branch: Option<Cow<'a, str>>,
}

impl State<'_> {
    /// Takes over what `newer` says.
    pub(super) fn update(&mut self, newer: Self) {
        self.directory = newer.directory.or(self.directory.take());
        self.branch = newer.branch.or(self.branch.take());
    }
}

/// The first value of each, and those that differ from the one before. An empty one says nothing.
pub(super) fn changes<'s, 'a: 's>(
    states: impl IntoIterator<Item = &'s State<'a>>,
) -> Vec<Recorded> {
    let mut known: [&str; 2] = [""; 2];
    let mut recorded = Vec::new();
    for (entry, state) in (0..).zip(states) {
        let values = [(Topic::Directory, &state.directory), (Topic::Branch, &state.branch)];
        for (known, (what, value)) in known.iter_mut().zip(values) {
            if let Some(value) =
                value.as_deref().filter(|value| !value.is_empty() && value != known)
            {
                *known = value;
                recorded.push(Recorded { entry, what, value: value.into() });
            }
        }
    }
    recorded
}

/// What a log says by the way, in the order of its lines.
#[derive(Debug, Default)]
pub(super) struct Stamps<'a>(Vec<(u32, State<'a>)>);

impl<'a> Stamps<'a> {
    /// Notes what line `line` says.
    pub(super) fn note(
        &mut self,
        line: u32,
        directory: Option<Cow<'a, str>>,
        branch: Option<Cow<'a, str>>,
    ) {
        if directory.is_some() || branch.is_some() {
            let mut state = self.0.last().map(|(_, state)| state.clone()).unwrap_or_default();
            state.update(State { directory, branch });
            self.0.push((line, state));
        }
    }

    /// Tells it in `log`: what a line says holds of the entries that begin on it or after it.
    pub(super) fn tell_in(&self, log: &mut Log) {
        let nothing = State::default();
        let state = |line: &u32| {
            let after = self.0.partition_point(|(at, _)| at <= line);
            after.checked_sub(1).and_then(|at| self.0.get(at)).map_or(&nothing, |(_, state)| state)
        };
        log.recorded = changes(log.lines.iter().map(state));
    }
}
