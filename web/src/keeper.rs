//! The state around the ledger: what a person does with it, what it answers, and the planner that follows.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use pinfold::ledger::{Class, End, Refusal};
use pinfold::{Ledger, Planner};

use crate::browser::{self, Selected};
use crate::house::Held;
use crate::model::chosen::{Chosen, bytes_of};
use crate::model::ledger::{class_word, waiting};
use crate::model::marks::{Home, Marks, Words};
use crate::model::number::counted;
use crate::model::ticket::Tickets;

/// The items of the panel, through which the keys walk.
const ITEMS: &str = ".ledger .item";
/// Steps that can be taken back.
const STEPS: usize = 30;

/// What the page says about the last step.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) refused: bool,
    /// Whether the step can be taken back.
    pub(crate) undo: bool,
}

/// A pin that is being retired, and the words that its form begins with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Retiring {
    pub(crate) pin: String,
    pub(crate) quote: String,
}

/// The keeper of the ledger; a handle that can be copied.
#[derive(Clone, Copy)]
pub(crate) struct Keeper {
    held: StoredValue<Held>,
    pub(crate) ledger: RwSignal<Ledger>,
    /// The planner that knows the ledger as it is now.
    pub(crate) planner: RwSignal<Arc<Planner>>,
    pub(crate) marks: Memo<Arc<Marks>>,
    /// The words that somebody asked to see.
    pub(crate) aim: RwSignal<Option<Words>>,
    /// The words that are selected in an entry.
    pub(crate) chosen: RwSignal<Option<Chosen>>,
    pub(crate) said: RwSignal<Option<Said>>,
    pub(crate) retiring: RwSignal<Option<Retiring>>,
    /// The item of the list that had the focus last.
    item: StoredValue<Option<String>>,
    past: StoredValue<Vec<Ledger>>,
    replans: StoredValue<Tickets>,
    saids: StoredValue<Tickets>,
}

impl Keeper {
    /// Keeps `ledger`, which has observed the transcript.
    pub(crate) fn new(held: StoredValue<Held>, ledger: RwSignal<Ledger>) -> Self {
        let marks = move |_: Option<&Arc<Marks>>| ledger.with(Marks::of).into();
        Self {
            held,
            ledger,
            planner: RwSignal::new(held.with_value(|held| held.planner.clone())),
            marks: Memo::new(marks),
            aim: RwSignal::new(None),
            chosen: RwSignal::new(None),
            said: RwSignal::new(None),
            retiring: RwSignal::new(None),
            item: StoredValue::new(None),
            past: StoredValue::new(Vec::new()),
            replans: StoredValue::new(Tickets::default()),
            saids: StoredValue::new(Tickets::default()),
        }
    }

    /// Makes a candidate a pin. `item` is where it is listed.
    pub(crate) fn accept(self, item: &str, candidate: &str, class: Class) {
        leave(item);
        self.step(|ledger| {
            ledger.accept(candidate, class.name())?;
            Ok(format!("Pinned as {}.", article(class)))
        });
    }

    /// Says that a candidate, or a pin that is only a guess, does not bind. `item` is where it is listed.
    pub(crate) fn dismiss(self, item: &str, candidate: &str) {
        leave(item);
        self.step(|ledger| {
            ledger.dismiss(candidate)?;
            Ok("Dismissed: it does not bind.".into())
        });
    }

    /// The words of the transcript that a selection on the screen is.
    pub(crate) fn choose(self, selected: &Selected) -> Option<Chosen> {
        let home = Home::of_name(&selected.home)?;
        let part = selected.part.parse().ok()?;
        let text = self.held.with_value(|held| held.text_of(home, part))?;
        let bytes = bytes_of(&text, selected.units.clone());
        (!bytes.is_empty()).then_some(Chosen { home, part, bytes, at: selected.at })
    }

    /// Whether words are selected.
    pub(crate) fn has_chosen(self) -> bool {
        self.chosen.with_untracked(Option::is_some)
    }

    /// Takes note of the item that has the focus.
    pub(crate) fn at_item(self, id: &str) {
        self.item.set_value(Some(id.to_owned()));
    }

    /// Gives the focus back to the item that had it last, or to the first.
    pub(crate) fn focus_item(self) {
        let id = self.item.get_value();
        if !id.is_some_and(|id| browser::focus(&id)) {
            browser::focus_first(ITEMS);
        }
    }

    /// Pins the words that are selected.
    pub(crate) fn pin_chosen(self, class: Class) {
        let Some(chosen) = self.chosen.get_untracked() else { return };
        let done = self.step(|ledger| match chosen.home {
            Home::Entry(entry) => {
                ledger.pin(entry, chosen.part, chosen.bytes.clone(), class.name())?;
                Ok(format!("Pinned as {}.", article(class)))
            }
            Home::Fixed(_) => Err(Trouble(
                "This system text stands in every request, and no fold takes it away: it needs no pin."
                    .into(),
            )),
        });
        if done {
            browser::forget_selection();
            self.chosen.set(None);
        }
    }

    /// Opens the form in which a pin is retired, with words to begin with.
    pub(crate) fn begin_retiring(self, pin: &str, quote: &str) {
        self.retiring.set(Some(Retiring { pin: pin.to_owned(), quote: quote.to_owned() }));
        spawn_local(async move {
            browser::painted().await;
            browser::show_first(".retire textarea");
        });
    }

    /// Ends a pin.
    pub(crate) fn retire(self, pin: &str, end: End, quote: &str) {
        let done = self.step(|ledger| {
            ledger.retire(pin, end, quote)?;
            Ok("Retired. Its evidence stays with it.".into())
        });
        if done {
            self.retiring.set(None);
        }
    }

    /// Takes a ledger that was exported in place of this one; whether it is one.
    pub(crate) fn import(self, json: &str) -> bool {
        let held = self.held.get_value();
        let options = self.ledger.with_untracked(|ledger| ledger.options().clone());
        let read = Ledger::from_json(json, options);
        self.step(|ledger| {
            *ledger = read.map_err(Trouble)?;
            ledger.observe(&held.transcript, &held.planner.structure);
            let pins = ledger.pins().iter().filter(|pin| pin.is_live()).count();
            let asked = waiting(ledger);
            Ok(format!(
                "Imported: {}, {}.",
                counted(pins, "live pin", "live pins"),
                counted(asked, "candidate", "candidates")
            ))
        })
    }

    /// Takes the last step back.
    pub(crate) fn undo(self) {
        let Some(ledger) = self.past.try_update_value(Vec::pop).flatten() else { return };
        self.retiring.set(None);
        self.ledger.set(ledger);
        self.say("Taken back.".into(), false, self.has_past());
        self.replan();
    }

    /// Whether there is a step to take back.
    pub(crate) fn has_past(self) -> bool {
        self.past.with_value(|past| !past.is_empty())
    }

    /// Says something about a step. What needs no answer is not said for long.
    fn say(self, text: String, refused: bool, undo: bool) {
        let ticket = self.saids.with_value(Tickets::take);
        self.said.set(Some(Said { text, refused, undo }));
        spawn_local(async move {
            browser::pause(12_000).await;
            if !refused && ticket.is_valid() {
                self.said.set(None);
            }
        });
    }

    /// Changes the ledger. A refusal is said as it is, and changes nothing.
    fn step(self, change: impl FnOnce(&mut Ledger) -> Result<String, Trouble>) -> bool {
        let before = self.ledger.get_untracked();
        let mut ledger = before.clone();
        match change(&mut ledger) {
            Ok(text) => {
                self.past.update_value(|past| {
                    past.push(before);
                    past.drain(..past.len().saturating_sub(STEPS));
                });
                self.ledger.set(ledger);
                self.say(text, false, true);
                self.replan();
                true
            }
            Err(Trouble(says)) => {
                self.say(says, true, false);
                false
            }
        }
    }

    /// Plans anew with the ledger as it is, when what changed has been drawn. The transcript is not read again.
    pub(crate) fn replan(self) {
        let ticket = self.replans.with_value(Tickets::take);
        spawn_local(async move {
            browser::painted().await;
            if ticket.is_valid() {
                let held = self.held.get_value();
                let standing = self.ledger.with_untracked(Ledger::standing);
                let planner = Planner::clone(&held.planner);
                self.planner.set(planner.with_standing(&held.transcript, standing).into());
            }
        });
    }
}

/// Goes to the item before or after the one with that id.
pub(crate) fn step_item(id: &str, forward: bool) {
    if let Some(next) = browser::beside(ITEMS, id, forward) {
        browser::focus(&next);
    }
}

/// Goes on to the next item when the one with that id is done with, and so gone.
fn leave(id: &str) {
    let next = browser::beside(ITEMS, id, true).or_else(|| browser::beside(ITEMS, id, false));
    spawn_local(async move {
        browser::painted().await;
        if let Some(next) = next {
            browser::focus(&next);
        }
    });
}

/// Why a step is not taken.
struct Trouble(String);

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.says)
    }
}

fn article(class: Class) -> String {
    let word = class_word(class);
    let article = if word.starts_with('o') { "an" } else { "a" };
    format!("{article} {word}")
}
