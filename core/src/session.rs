//! A session: a transcript that is planned and folded while it grows.
//!
//! An entry that is pushed costs what it holds; a plan costs a search. What the planner knows is that of a whole pass over the
//! same text, after every push.

mod saved;

use alloc::vec::Vec;
use core::ops::Range;

use crate::fold::{Folded, Outcome, fold_with};
use crate::formats::{Growth, PushError, ReadError, ReadOptions, read, settled};
use crate::ledger::{ClassifyRequest, Ledger, Listener};
use crate::plan::{Decision, Planner, Policy};
use crate::telling::Reply;
use crate::tokens::Counts;
use crate::transcript::{Format, Transcript};
use crate::trim::Trimming;

/// A transcript that grows, with its ledger.
///
/// It holds a list of messages: of a log those that it was rebuilt into.
#[derive(Clone, Debug)]
pub struct Session {
    transcript: Transcript,
    growth: Growth,
    planner: Planner,
    ledger: Ledger,
    listener: Listener,
}

/// What came of a push.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pushed {
    /// The numbers of the new entries.
    pub entries: Range<usize>,
    /// What is to be classified by a model.
    pub requests: Vec<ClassifyRequest>,
}

impl Session {
    /// A session without an entry, whose messages are written in `format`, with the ledger to keep.
    ///
    /// # Errors
    /// When `format` is that of a log.
    pub fn new(format: Format, ledger: Ledger) -> Result<Self, ReadError> {
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        Ok(Self::of(read(b"[]", options)?, ledger).0)
    }

    /// A session that goes on from `transcript`. Its ledger observes it; returns also what is to be classified.
    pub fn of(transcript: Transcript, ledger: Ledger) -> (Self, Vec<ClassifyRequest>) {
        let transcript = settled(transcript);
        let mut session = Self {
            growth: Growth::of(&transcript),
            planner: Planner::new(&transcript, Counts::of(&transcript)),
            transcript,
            ledger,
            listener: Listener::default(),
        };
        let requests = session.listen();
        (session, requests)
    }

    /// Adds entries behind the last one: an entry as JSON, or a list of them.
    ///
    /// # Errors
    /// When it is neither; nothing is added then.
    pub fn push(&mut self, json: &str) -> Result<Pushed, PushError> {
        let compacted = self.transcript.compaction.as_ref().map(|compaction| compaction.entry);
        let entries = self.growth.push(&mut self.transcript, json)?;
        let compaction = self.transcript.compaction.as_ref().map(|compaction| compaction.entry);
        if entries.start == 0 || compaction != compacted {
            // What stands before the provider's own compaction costs nothing from now on.
            self.planner = Planner::new(&self.transcript, Counts::of(&self.transcript));
            return Ok(Pushed { entries, requests: self.listen() });
        }
        self.planner.hush();
        let grown = self.planner.grow(&self.transcript);
        let structure = &self.planner.structure;
        let Self { transcript, ledger, listener, .. } = self;
        let requests = ledger.hear_on(transcript, structure, &grown, listener);
        Ok(Pushed { entries, requests })
    }

    /// The decision for a policy. Where results would have to be trimmed it costs a pass over them, otherwise a search.
    pub fn plan(&mut self, policy: &Policy) -> Decision {
        self.planner();
        Trimming::of(&self.transcript, &self.planner, policy).decision
    }

    /// Folds as `policy` asks, if the plan says so; the session then goes on with what the fold left.
    pub fn fold(&mut self, policy: &Policy) -> Outcome {
        self.fold_with(policy, &Reply::None)
    }

    /// The same with a summary by a model of the host's.
    pub fn fold_with(&mut self, policy: &Policy, reply: &Reply) -> Outcome {
        let (transcript, planner) = self.told();
        let mut outcome = fold_with(transcript, planner, policy, reply);
        if let Outcome::Folded(folded) = &mut outcome {
            self.take_over(folded);
        }
        outcome
    }

    /// Goes on with `text`, which a fold of the transcript left. What cannot be read leaves the session as it is.
    pub fn go_on(&mut self, text: &str) {
        self.planner.hush();
        if let Ok(after) = read(text.as_bytes(), ReadOptions::like(&self.transcript)) {
            let ledger = core::mem::take(&mut self.ledger);
            *self = Self::of(after, ledger).0;
        }
    }

    /// Goes on with what a fold of the transcript left, as its proof read it.
    pub fn take_over(&mut self, folded: &mut Folded) {
        match folded.after.take() {
            Some(after) => {
                let ledger = core::mem::take(&mut self.ledger);
                *self = Self::of(after, ledger).0;
            }
            None => self.go_on(&folded.text),
        }
    }

    /// The transcript as it is now.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What is known of it. The lines of its digest say nothing: see [`Session::told`].
    pub fn planner(&mut self) -> &Planner {
        if core::mem::take(&mut self.listener.changed) {
            self.planner.stand(self.ledger.standing());
        }
        &self.planner
    }

    /// The transcript, and what is known of it with a digest whose lines can be read: for a fold that somebody else carries
    /// out, or a request about its summary. The lines take room until the next push.
    pub fn told(&mut self) -> (&Transcript, &Planner) {
        self.planner.tell(&self.transcript);
        self.planner();
        (&self.transcript, &self.planner)
    }

    /// The transcript and what is known of it, as [`Session::planner`] gave it last.
    pub fn known(&self) -> (&Transcript, &Planner) {
        (&self.transcript, &self.planner)
    }

    /// The ledger as it is now.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Lets `change` work on the ledger: an answer, a pin, a retirement.
    pub fn with_ledger<T>(&mut self, change: impl FnOnce(&mut Ledger) -> T) -> T {
        (self.listener.touched, self.listener.changed) = (true, true);
        change(&mut self.ledger)
    }

    /// Has the ledger observe the whole.
    fn listen(&mut self) -> Vec<ClassifyRequest> {
        self.planner.hush();
        let structure = &self.planner.structure;
        self.ledger.listen(&self.transcript, structure, &mut self.listener)
    }
}
