//! The state around one open transcript: its budget and decision, what is selected, where the list is scrolled to.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use pinfold::fold::{Outcome, fold};
use pinfold::ledger::Share;
use pinfold::plan::{Decision, Planner, Policy};
use pinfold::trim::Trimming;

use crate::browser;
use crate::house::{Held, House, Made, Session};
use crate::keeper::Keeper;
use crate::model::boundary::legal_from;
use crate::model::budget::{Choice, Shape};
use crate::model::find;
use crate::model::intake::Wish;
use crate::model::keys::{Action, Step};
use crate::model::marks::{Home, Words};
use crate::model::mending::Mended;
use crate::model::ticket::Tickets;
use crate::model::window::{Geometry, NOTE};

/// Bytes from which a search takes long enough to be felt at every letter.
const LONG: usize = 2 << 20;

/// What is selected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Spot {
    Entry(usize),
    Boundary(usize),
    /// System text that stands outside the list of entries.
    System(usize),
}

impl Spot {
    /// The row it is at.
    pub(crate) fn row(self) -> usize {
        match self {
            Self::Entry(at) | Self::Boundary(at) => at,
            Self::System(_) => 0,
        }
    }
}

/// The panels beside the list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Panel {
    Details,
    Violations,
    Ledger,
    Reader,
    Fold,
}

/// What became of a wish to fold.
#[derive(Clone, Debug, Default)]
pub(crate) enum Proof {
    /// Nobody asked.
    #[default]
    Unasked,
    /// It is being folded and proved.
    Working,
    /// It was done for this budget.
    Done(u64, Arc<Outcome>),
}

/// What became of a wish to mend.
#[derive(Clone, Debug, Default)]
pub(crate) enum Mending {
    /// Nobody asked, or the answer was put away.
    #[default]
    Unasked,
    /// It is being mended.
    Working,
    /// It was done, as far as it can be.
    Done(Arc<Mended>),
}

/// How a desk is laid when the same transcript, or one made from it, comes back.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    budget: u64,
    choice: Choice,
    spot: Option<Spot>,
    scroll: f64,
    mending: Mending,
    panel: Panel,
    sheet: bool,
    settings: bool,
    /// The element that gets the focus.
    focus: Option<&'static str>,
    /// Whether the ledger has changed since the transcript was opened.
    stale: bool,
}

impl Memory {
    /// The same, for a transcript whose ledger has changed.
    pub(crate) fn stale(self) -> Self {
        Self { stale: true, ..self }
    }
}

/// The desk's state; a handle that can be copied.
#[derive(Clone, Copy)]
pub(crate) struct Desk {
    house: House,
    held: StoredValue<Held>,
    pub(crate) keeper: Keeper,
    /// The budget, as it is while the slider moves.
    pub(crate) budget: RwSignal<u64>,
    /// The budget at which the slider was let go.
    pub(crate) settled: RwSignal<u64>,
    pub(crate) choice: RwSignal<Choice>,
    pub(crate) decision: Memo<Decision>,
    pub(crate) shape: Memo<Shape>,
    /// What the ledger takes of the budget: in the fold, or at most.
    pub(crate) share: Memo<Share>,
    pub(crate) spot: RwSignal<Option<Spot>>,
    /// The boundary whose tooltip is shown.
    pub(crate) hint: RwSignal<Option<usize>>,
    pub(crate) panel: RwSignal<Panel>,
    /// Whether the panels are pulled up, where there is no room beside the list.
    pub(crate) sheet: RwSignal<bool>,
    /// Whether the settings are shown, where there is no room for them.
    pub(crate) settings: RwSignal<bool>,
    pub(crate) note_open: RwSignal<bool>,
    pub(crate) query: RwSignal<String>,
    searches: StoredValue<Tickets>,
    pub(crate) hits: Memo<Arc<Vec<usize>>>,
    /// The list's scroll position and height.
    pub(crate) scroll: RwSignal<(f64, f64)>,
    pub(crate) geometry: Memo<Geometry>,
    pub(crate) list: NodeRef<html::Div>,
    pub(crate) finder: NodeRef<html::Input>,
    pub(crate) proof: RwSignal<Proof>,
    pub(crate) mending: RwSignal<Mending>,
    /// The violation that was jumped to last.
    pub(crate) violation: RwSignal<Option<usize>>,
}

impl Desk {
    /// A desk for a transcript, with half of its tokens as the budget, or laid as the house remembers it.
    pub(crate) fn new(house: House, held: Held) -> Self {
        let budget = RwSignal::new((held.total / 2).max(1));
        let choice = RwSignal::new(Choice::default());
        let note_open = RwSignal::new(false);
        let query = RwSignal::new(String::new());
        let rows = held.len() + 1;
        let held = StoredValue::new(held);
        let keeper = Keeper::new(held, house.ledger);
        let planner = keeper.planner;
        let decision =
            Memo::new(move |_| decide(held, planner, &choice.get().policy(budget.get())));
        let shape = Memo::new(move |_| {
            let policy = choice.get().policy(budget.get());
            decision.with(|decision| planner.with(|planner| Shape::of(planner, &policy, decision)))
        });
        let taken = Memo::new(move |_| {
            let at = shape.get().cut.unwrap_or(rows - 1);
            planner.with(|planner| planner.standing.share(at, budget.get()))
        });
        let block = Memo::new(move |_| {
            let height = if note_open.get() { NOTE.1 } else { NOTE.0 };
            shape.get().cut.map(|cut| (cut, height))
        });
        let hits = Memo::new(move |_| {
            query
                .with(|query| held.with_value(|held| find::matches(&held.transcript, query)))
                .into()
        });
        let desk = Self {
            house,
            held,
            keeper,
            budget,
            settled: RwSignal::new(budget.get_untracked()),
            choice,
            decision,
            shape,
            share: taken,
            spot: RwSignal::new(None),
            hint: RwSignal::new(None),
            panel: RwSignal::new(Panel::Details),
            sheet: RwSignal::new(false),
            settings: RwSignal::new(false),
            note_open,
            query,
            searches: StoredValue::new(Tickets::default()),
            hits,
            scroll: RwSignal::new((0.0, 800.0)),
            geometry: Memo::new(move |_| Geometry { rows, block: block.get() }),
            list: NodeRef::new(),
            finder: NodeRef::new(),
            proof: RwSignal::new(Proof::Unasked),
            mending: RwSignal::new(Mending::Unasked),
            violation: RwSignal::new(None),
        };
        desk.prove_when_asked();
        if let Some(memory) = house.remembered() {
            desk.recall(memory);
        }
        desk
    }

    /// How the desk is laid now.
    pub(crate) fn memory(self) -> Memory {
        Memory {
            budget: self.settled.get_untracked(),
            choice: self.choice.get_untracked(),
            spot: self.spot.get_untracked(),
            scroll: self.scroll.get_untracked().0,
            mending: self.mending.get_untracked(),
            panel: self.panel.get_untracked(),
            sheet: self.sheet.get_untracked(),
            settings: self.settings.get_untracked(),
            focus: None,
            stale: false,
        }
    }

    /// Lays the desk as it was.
    fn recall(self, memory: Memory) {
        let len = self.held().len();
        self.settle(memory.budget);
        self.choice.set(memory.choice);
        self.spot.set(memory.spot.filter(|spot| spot.row() < len));
        self.mending.set(memory.mending);
        self.panel.set(memory.panel);
        self.sheet.set(memory.sheet);
        self.settings.set(memory.settings);
        if memory.stale {
            self.keeper.replan();
        }
        spawn_local(async move {
            browser::painted().await;
            self.scroll_to(memory.scroll);
            if let Some(id) = memory.focus {
                browser::focus(id);
            }
        });
    }

    /// Reads and judges the transcript the way the person says; `focus` is where they said it.
    pub(crate) fn reread(self, wish: Wish, focus: &'static str) {
        let memory = Memory { focus: Some(focus), mending: Mending::Unasked, ..self.memory() };
        let held = self.held();
        // Another transcript of the same input is another session.
        let session = if wish.pick == held.wish.pick { Session::GoesOn } else { Session::Begins };
        self.house.read_as(held.source.clone(), wish, Some(memory), session);
    }

    /// Mends the transcript, and shows what was done.
    pub(crate) fn mend(self) {
        self.mending.set(Mending::Working);
        let held = self.held();
        spawn_local(async move {
            browser::painted().await;
            self.mending.set(Mending::Done(Arc::new(Mended::of(&held))));
            browser::painted().await;
            browser::focus("repair-title");
        });
    }

    /// Opens the mended transcript in place of this one.
    pub(crate) fn use_mended(self, mended: &Mended) {
        let begin = Memory {
            focus: Some("tab-Violations"),
            spot: None,
            mending: Mending::Unasked,
            ..self.memory()
        };
        self.house.open_made(Made::Repaired, &mended.text, &self, Some(begin));
    }

    /// The desk that the page was given.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// The transcript on the desk.
    pub(crate) fn held(self) -> Held {
        self.held.get_value()
    }

    /// Sets the budget for good: a field was left, a share was chosen, the slider was let go.
    pub(crate) fn settle(self, budget: u64) {
        self.budget.set(budget.max(1));
        self.settled.set(budget.max(1));
    }

    /// Folding takes a while for a long transcript, so it waits for a look at the result and for the slider's rest.
    fn prove_when_asked(self) {
        let tickets = Tickets::default();
        Effect::new(move || {
            let wanted = self.note_open.get() || self.panel.get() == Panel::Fold;
            let (budget, choice) = (self.settled.get(), self.choice.get());
            let planner = self.keeper.planner.get();
            let ticket = tickets.take();
            if !wanted {
                return;
            }
            self.proof.set(Proof::Working);
            let held = self.held();
            spawn_local(async move {
                browser::painted().await;
                if ticket.is_valid() {
                    let outcome = fold(&held.transcript, &planner, &choice.policy(budget));
                    self.proof.set(Proof::Done(budget, Arc::new(outcome)));
                }
            });
        });
    }

    /// The decision for a policy.
    pub(crate) fn decide(self, policy: &Policy) -> Decision {
        decide(self.held, self.keeper.planner, policy)
    }

    /// Selects something and brings it into sight.
    pub(crate) fn select(self, spot: Spot) {
        self.keeper.aim.set(None);
        self.spot.set(Some(spot));
        self.panel.set(Panel::Details);
        self.reveal(spot.row());
    }

    /// Goes to words: to their entry, and within it to the words themselves.
    pub(crate) fn show_words(self, words: Words) {
        self.select(match words.home {
            Home::Entry(entry) => Spot::Entry(entry),
            Home::Fixed(index) => Spot::System(index),
        });
        self.keeper.aim.set(Some(words));
        spawn_local(async move {
            browser::painted().await;
            browser::show_first(".detail .aimed");
        });
    }

    /// Goes back to the ledger from the words that it led to.
    pub(crate) fn back_to_ledger(self) {
        self.keeper.aim.set(None);
        self.panel.set(Panel::Ledger);
        spawn_local(async move {
            browser::painted().await;
            self.keeper.focus_item();
        });
    }

    /// Leaves what lies over the ledger: its form, or the words that it led to. Whether there was any.
    pub(crate) fn leave(self) -> bool {
        if self.keeper.retiring.get_untracked().is_some() {
            self.keeper.retiring.set(None);
            self.back_to_ledger();
            return true;
        }
        let led = self.keeper.aim.get_untracked().is_some();
        if led && self.panel.get_untracked() == Panel::Details {
            self.back_to_ledger();
            return true;
        }
        false
    }

    /// Takes note of what is selected.
    pub(crate) fn look_at_selection(self) {
        let chosen = browser::selection().and_then(|it| self.keeper.choose(&it));
        if self.keeper.chosen.get_untracked() != chosen {
            self.keeper.chosen.set(chosen);
        }
    }

    /// Selects something and gives it the focus.
    pub(crate) fn go_to(self, spot: Spot) {
        self.select(spot);
        spawn_local(async move {
            browser::painted().await;
            let _ = match spot {
                Spot::Entry(at) => browser::focus(&format!("entry-{at}")),
                Spot::Boundary(at) => browser::focus(&format!("boundary-{at}")),
                Spot::System(_) => false,
            };
        });
    }

    /// Scrolls so that a row is in sight.
    pub(crate) fn reveal(self, row: usize) {
        let Some(list) = self.list.get_untracked() else { return };
        let (top, height) = (f64::from(list.scroll_top()), f64::from(list.client_height()));
        let geometry = self.geometry.get_untracked();
        if let Some(top) = geometry.reveal(row, top, height) {
            self.scroll_to(top);
        }
    }

    /// Opens the note where it stands, with all of it in sight, or closes it.
    pub(crate) fn toggle_note(self) {
        self.note_open.update(|open| *open = !*open);
        let (Some(cut), true) = (self.shape.get_untracked().cut, self.note_open.get_untracked())
        else {
            return;
        };
        spawn_local(async move {
            browser::painted().await;
            let (top, height) = self.scroll.get_untracked();
            let y = self.geometry.get_untracked().top(cut) - NOTE.1;
            if y < top || y + NOTE.1 > top + height {
                self.scroll_to((y - (height - NOTE.1).max(0.0) / 2.0).max(0.0));
            }
        });
    }

    /// Scrolls to a position.
    pub(crate) fn scroll_to(self, top: f64) {
        if let Some(list) = self.list.get_untracked() {
            list.set_scroll_top(top as i32);
            self.scrolled();
        }
    }

    /// Takes note of where the list is scrolled to.
    pub(crate) fn scrolled(self) {
        if let Some(list) = self.list.get_untracked() {
            let now = (f64::from(list.scroll_top()), f64::from(list.client_height()));
            if self.scroll.get_untracked() != now {
                self.scroll.set(now);
            }
        }
    }

    /// Does what a key or its button asks for.
    pub(crate) fn act(self, action: Action) {
        match action {
            Action::Entry(step) => self.step_entry(step),
            Action::LegalCut(step) => self.step_cut(step),
            Action::Violation(step) => self.step_violation(step),
            Action::Find => {
                if let Some(field) = self.finder.get_untracked() {
                    let _ = field.focus();
                    field.select();
                }
            }
            Action::Help => {}
        }
    }

    fn step_entry(self, step: Step) {
        let last = self.held().len() - 1;
        let entry = match (self.spot.get_untracked().map(Spot::row), step) {
            (None, _) => 0,
            (Some(row), Step::Next) => (row + 1).min(last),
            (Some(row), Step::Previous) => row.saturating_sub(1),
        };
        self.go_to(Spot::Entry(entry));
    }

    fn step_cut(self, step: Step) {
        let from = self.spot.get_untracked().map(Spot::row);
        if let Some(at) = legal_from(&self.held(), from, step == Step::Next) {
            self.go_to(Spot::Boundary(at));
        }
    }

    fn step_violation(self, step: Step) {
        let count = self.held().violations.len();
        if count == 0 {
            return;
        }
        let index = match (self.violation.get_untracked(), step) {
            (None, Step::Next) => 0,
            (None, Step::Previous) => count - 1,
            (Some(index), Step::Next) => (index + 1) % count,
            (Some(index), Step::Previous) => (index + count - 1) % count,
        };
        self.show_violation(index);
    }

    /// Brings an entry into sight, and leaves the panel as it is.
    pub(crate) fn point_at(self, entry: usize) {
        self.keeper.aim.set(None);
        self.spot.set(Some(Spot::Entry(entry)));
        // The sheet of a small screen would lie over the entry.
        self.sheet.set(false);
        self.reveal(entry);
    }

    /// Jumps to the entry of a violation and marks both.
    pub(crate) fn show_violation(self, index: usize) {
        let entry = self.held().violations[index].entry;
        self.keeper.aim.set(None);
        self.spot.set(Some(Spot::Entry(entry)));
        self.violation.set(Some(index));
        self.panel.set(Panel::Violations);
        self.reveal(entry);
    }

    /// Looks for a text. In a long transcript it waits until the typing pauses.
    pub(crate) fn search(self, query: String) {
        let ticket = self.searches.with_value(Tickets::take);
        let long = self.held().transcript.text().len() > LONG;
        if !long {
            self.query.set(query);
            return;
        }
        spawn_local(async move {
            browser::pause(200).await;
            if ticket.is_valid() {
                self.query.set(query);
            }
        });
    }

    /// Goes to the next or previous entry in which the query occurs.
    pub(crate) fn step_hit(self, step: Step) {
        let from = self.spot.get_untracked().map(Spot::row);
        let hits = self.hits.get_untracked();
        if let Some(entry) = find::next(&hits, from, step == Step::Next) {
            self.select(Spot::Entry(entry));
        }
    }
}

fn decide(held: StoredValue<Held>, planner: RwSignal<Arc<Planner>>, policy: &Policy) -> Decision {
    planner.with(|planner| {
        held.with_value(|held| Trimming::of(&held.transcript, planner, policy).decision)
    })
}
