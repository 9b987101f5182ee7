//! The state of the whole page: which transcript is open, what is being read, what went wrong.

use core::ops::Deref;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use crate::browser;
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

/// The page's state; a handle that can be copied.
#[derive(Clone, Copy)]
pub(crate) struct House {
    /// The open transcript.
    pub(crate) held: RwSignal<Option<Held>>,
    /// The transcript that the open one is a fold of.
    pub(crate) origin: RwSignal<Option<Held>>,
    /// The name of what is being read.
    pub(crate) reading: RwSignal<Option<Arc<str>>>,
    /// Why the last input could not be opened, and the input itself.
    pub(crate) failure: RwSignal<Option<(Failure, Source)>>,
    /// Whether the person wants to open something else.
    pub(crate) opening: RwSignal<bool>,
    /// Whether the help is shown.
    pub(crate) help: RwSignal<bool>,
    tickets: StoredValue<Tickets>,
}

impl House {
    /// The state of a page with nothing on it.
    pub(crate) fn new() -> Self {
        Self {
            held: RwSignal::new(None),
            origin: RwSignal::new(None),
            reading: RwSignal::new(None),
            failure: RwSignal::new(None),
            opening: RwSignal::new(false),
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
        self.origin.set(None);
        self.read_as(source, Wish::default());
    }

    /// Opens a fold of the transcript that is open, which stays within reach.
    pub(crate) fn open_fold(self, source: Source) {
        if self.origin.get_untracked().is_none() {
            self.origin.set(self.held.get_untracked());
        }
        self.read_as(source, Wish::default());
    }

    /// Goes back to the transcript that the open one is a fold of.
    pub(crate) fn back(self) {
        if let Some(origin) = self.origin.get_untracked() {
            self.origin.set(None);
            self.held.set(Some(origin));
        }
    }

    /// Reads an input the way the person says.
    pub(crate) fn read_as(self, source: Source, wish: Wish) {
        let ticket = self.tickets.with_value(Tickets::take);
        spawn_local(self.read(ticket, source, wish));
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
            self.origin.set(None);
            if let Some(bytes) = bytes {
                let source = Source { name, bytes: bytes.into() };
                self.read(ticket, source, Wish::default()).await;
            } else {
                self.reading.set(None);
                let failure = Failure::unreadable(name.clone());
                self.failure.set(Some((failure, Source { name, bytes: Arc::new([]) })));
            }
        });
    }

    async fn read(self, ticket: Ticket, source: Source, wish: Wish) {
        self.reading.set(Some(source.name.clone()));
        browser::painted().await;
        if !ticket.is_valid() {
            return;
        }
        match intake::load(source.clone(), wish) {
            Ok(loaded) => {
                self.held.set(Some(Held(Arc::new(loaded))));
                self.failure.set(None);
                self.opening.set(false);
            }
            Err(failure) => self.failure.set(Some((failure, source))),
        }
        self.reading.set(None);
    }
}
