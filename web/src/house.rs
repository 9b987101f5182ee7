//! The state of the whole page: which transcript is open, what is being read, what went wrong.

use core::ops::Deref;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use pinfold::Ledger;
use web_sys::File;

use crate::browser;
use crate::desk::{Desk, Memory};
use crate::model::intake::{self, Failure, Source, Wish};
use crate::model::loaded::Loaded;
use crate::model::ticket::{Ticket, Tickets};

/// A transcript that is open. Two are equal if they are the same one.
#[derive(Clone, Debug)]
pub(crate) struct Held(Arc<Loaded>);

impl Deref for Held {
    type Target = Loaded;

    fn deref(&self) -> &Loaded {
        &self.0
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Where the open transcript comes from, if it was made here.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The transcript that it was made from.
    held: Held,
    /// How the desk of that was left.
    memory: Memory,
    pub(crate) made: Made,
}

/// What was done to a transcript.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Made {
    Folded,
    Repaired,
}

impl Made {
    /// What the result is called.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Folded => "folded",
            Self::Repaired => "repaired",
        }
    }

    /// What the way back is called.
    pub(crate) fn back(self) -> &'static str {
        match self {
            Self::Folded => "Unfolded",
            Self::Repaired => "Back to the original",
        }
    }
}

/// Whether a transcript goes on with the session that is open, and so with its ledger.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Session {
    Begins,
    GoesOn,
}

/// The page's state; a handle that can be copied.
#[derive(Clone, Copy)]
pub(crate) struct House {
    /// The open transcript.
    pub(crate) held: RwSignal<Option<Held>>,
    /// The ledger of its session, which outlives every fold.
    pub(crate) ledger: RwSignal<Ledger>,
    /// What the open transcript was made from, step by step.
    pub(crate) origins: RwSignal<Vec<Origin>>,
    /// How the next desk is to begin.
    memory: StoredValue<Option<Memory>>,
    /// The name of what is being read.
    pub(crate) reading: RwSignal<Option<Arc<str>>>,
    /// Why the last input could not be opened, and the input itself.
    pub(crate) failure: RwSignal<Option<(Failure, Source)>>,
    /// Whether the person wants to open something else.
    pub(crate) opening: RwSignal<bool>,
    /// Tells that the selection on the screen has changed.
    pub(crate) selecting: RwSignal<()>,
    /// Whether the help is shown.
    pub(crate) help: RwSignal<bool>,
    tickets: StoredValue<Tickets>,
}

impl House {
    /// The state of a page with nothing on it.
    pub(crate) fn new() -> Self {
        Self {
            held: RwSignal::new(None),
            ledger: RwSignal::new(Ledger::default()),
            origins: RwSignal::new(Vec::new()),
            memory: StoredValue::new(None),
            reading: RwSignal::new(None),
            failure: RwSignal::new(None),
            opening: RwSignal::new(false),
            selecting: RwSignal::new(()),
            help: RwSignal::new(false),
            tickets: StoredValue::new(Tickets::default()),
        }
    }

    /// The state that the page was given.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Opens text that was pasted.
    pub(crate) fn open_text(self, text: String) {
        self.open(Source { name: "pasted text".into(), bytes: text.into_bytes().into() });
    }

    /// Opens an input.
    pub(crate) fn open(self, source: Source) {
        self.origins.update(Vec::clear);
        self.read_as(source, Wish::default(), None, Session::Begins);
    }

    /// Opens what was made from the transcript on a desk, which stays within reach.
    pub(crate) fn open_made(self, made: Made, text: &str, desk: &Desk, begin: Option<Memory>) {
        let held = desk.held();
        let (source, wish) = (held.source.made(text), Wish::like(&held));
        self.origins.update(|it| it.push(Origin { held, memory: desk.memory(), made }));
        self.read_as(source, wish, begin, Session::GoesOn);
    }

    /// What was done to get to the open transcript, step by step.
    pub(crate) fn steps(self) -> Vec<Made> {
        self.origins.with(|origins| origins.iter().map(|origin| origin.made).collect())
    }

    /// What was done last.
    pub(crate) fn made(self) -> Option<Made> {
        self.origins.with(|origins| origins.last().map(|origin| origin.made))
    }

    /// Goes back to the transcript that the open one was made from. What was pinned since stays pinned.
    pub(crate) fn back(self) {
        if let Some(origin) = self.origins.try_update(Vec::pop).flatten() {
            let Loaded { transcript, planner, .. } = &*origin.held;
            self.ledger.update(|ledger| {
                ledger.observe(transcript, &planner.structure);
            });
            self.memory.set_value(Some(origin.memory.stale()));
            self.held.set(Some(origin.held));
        }
    }

    /// How the desk that is being laid is to begin.
    pub(crate) fn remembered(self) -> Option<Memory> {
        self.memory.try_update_value(Option::take).flatten()
    }

    /// Reads an input the way the person says.
    pub(crate) fn read_as(
        self,
        source: Source,
        wish: Wish,
        begin: Option<Memory>,
        session: Session,
    ) {
        let ticket = self.tickets.with_value(Tickets::take);
        spawn_local(self.read(ticket, source, wish, begin, session));
    }

    /// Opens a file. A newer input overtakes one that takes long to read.
    pub(crate) fn open_file(self, file: File) {
        let ticket = self.tickets.with_value(Tickets::take);
        let name: Arc<str> = file.name().into();
        self.reading.set(Some(name.clone()));
        spawn_local(async move {
            let bytes = browser::bytes_of(&file).await;
            if !ticket.is_valid() {
                return;
            }
            self.origins.update(Vec::clear);
            if let Some(bytes) = bytes {
                let source = Source { name, bytes: bytes.into() };
                self.read(ticket, source, Wish::default(), None, Session::Begins).await;
            } else {
                self.reading.set(None);
                let failure = Failure::unreadable(name.clone());
                self.failure.set(Some((failure, Source { name, bytes: Arc::new([]) })));
            }
        });
    }

    async fn read(
        self,
        ticket: Ticket,
        source: Source,
        wish: Wish,
        begin: Option<Memory>,
        session: Session,
    ) {
        self.reading.set(Some(source.name.clone()));
        browser::painted().await;
        if !ticket.is_valid() {
            return;
        }
        let mut ledger = match session {
            Session::Begins => Ledger::default(),
            Session::GoesOn => self.ledger.get_untracked(),
        };
        match intake::open(source.clone(), wish, &mut ledger) {
            Ok(loaded) => {
                self.ledger.set(ledger);
                self.memory.set_value(begin);
                self.held.set(Some(Held(Arc::new(loaded))));
                self.failure.set(None);
                self.opening.set(false);
            }
            Err(failure) => self.failure.set(Some((failure, source))),
        }
        self.reading.set(None);
    }
}
