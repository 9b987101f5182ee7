use leptos::ev;
use leptos::prelude::*;
use pinfold::ledger::Class;

use super::budget::BudgetView;
use super::chosen::ChosenTools;
use super::facts::Facts;
use super::finder::Finder;
use super::list::List;
use super::overview::OverviewStrip;
use super::settings::Settings;
use super::side::Side;
use super::verdict::VerdictView;
use crate::browser;
use crate::desk::Desk;
use crate::house::{Held, House};
use crate::model::keys::{Action, action};

/// Everything around one open transcript.
#[component]
pub(crate) fn DeskView(
    /// The transcript.
    held: Held,
) -> impl IntoView {
    let house = House::here();
    let desk = Desk::new(house, held);
    provide_context(desk);
    Effect::new(move || {
        house.selecting.track();
        desk.look_at_selection();
    });
    let keys = window_event_listener(ev::keydown, move |event| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
            return;
        }
        if house.help.get_untracked() || house.opening.get_untracked() {
            return;
        }
        if event.key() == "Escape" {
            desk.hint.set(None);
            if desk.leave() {
                event.prevent_default();
                return;
            }
            desk.sheet.set(false);
        }
        if event.key() == "p" && !browser::is_typing(&event) && desk.keeper.has_chosen() {
            event.prevent_default();
            desk.keeper.pin_chosen(Class::Constraint);
            return;
        }
        let Some(action) = action(&event.key(), browser::is_typing(&event)) else { return };
        event.prevent_default();
        if action == Action::Help { house.help.set(true) } else { desk.act(action) }
    });
    let resized = window_event_listener(ev::resize, move |_| desk.scrolled());
    on_cleanup(move || {
        keys.remove();
        resized.remove();
    });
    view! {
        <main class="desk" class:sheet-up=move || desk.sheet.get()>
            <Settings />
            <Facts />
            <section class="control" aria-label="Budget and decision">
                <BudgetView />
                <VerdictView />
            </section>
            <OverviewStrip />
            <section class="middle" aria-label="Transcript">
                <Finder />
                <List />
            </section>
            <Side />
            <ChosenTools />
        </main>
    }
}
