use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::icons::{DOWN, Icon, UP};
use crate::desk::Desk;
use crate::model::keys::{Action, Step};
use crate::model::number::grouped;

/// Find, and the buttons that step through what is worth seeing.
#[component]
pub(crate) fn Finder() -> impl IntoView {
    let desk = Desk::here();
    let violations = desk.held().violations.len();
    let on_key = move |event: KeyboardEvent| match &*event.key() {
        "Enter" => {
            event.prevent_default();
            desk.step_hit(if event.shift_key() { Step::Previous } else { Step::Next });
        }
        "Escape" => {
            desk.query.set(String::new());
            if let Some(field) = desk.finder.get_untracked() {
                let _ = field.blur();
            }
        }
        _ => {}
    };
    let count = move || {
        let hits = desk.hits.get();
        let row = desk.spot.get().map(crate::desk::Spot::row);
        let place = row.and_then(|row| hits.binary_search(&row).ok());
        match (desk.query.with(|it| it.trim().is_empty()), place) {
            (true, _) => String::new(),
            (_, Some(place)) => {
                format!("{} of {}", grouped(place as u64 + 1), grouped(hits.len() as u64))
            }
            (_, None) => format!("{} found", grouped(hits.len() as u64)),
        }
    };
    let none = move || desk.hits.with(|hits| hits.is_empty());
    view! {
        <div class="tools" role="toolbar" aria-label="Move through the transcript">
            <div class="find">
                <input
                    type="search"
                    node_ref=desk.finder
                    aria-label="Find in texts, tool names and ids"
                    placeholder="Find text or id"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || desk.query.get()
                    on:input=move |event| desk.search(event_target_value(&event))
                    on:keydown=on_key
                />
                <kbd aria-hidden="true">"/"</kbd>
                <span class="found" role="status">{count}</span>
                <button type="button" class="square" aria-label="Previous hit" disabled=none on:click=move |_| desk.step_hit(Step::Previous)><Icon path=UP /></button>
                <button type="button" class="square" aria-label="Next hit" disabled=none on:click=move |_| desk.step_hit(Step::Next)><Icon path=DOWN /></button>
            </div>
            <Stepper name="Entry" keys=("k", "j") previous="Previous entry" next="Next entry" action=Action::Entry off=false />
            <Stepper name="Legal cut" keys=("[", "]") previous="Previous legal cut" next="Next legal cut" action=Action::LegalCut off=false />
            <Stepper name="Violation" keys=("p", "n") previous="Previous violation" next="Next violation" action=Action::Violation off=violations == 0 />
        </div>
    }
}

/// Two buttons that do what two keys do.
#[component]
fn Stepper(
    name: &'static str,
    keys: (&'static str, &'static str),
    previous: &'static str,
    next: &'static str,
    action: fn(Step) -> Action,
    off: bool,
) -> impl IntoView {
    let desk = Desk::here();
    view! {
        <div class="stepper" role="group" aria-label=name class:off=off>
            <button type="button" aria-label=previous title=format!("{previous} ({})", keys.0) disabled=off on:click=move |_| desk.act(action(Step::Previous))><kbd>{keys.0}</kbd></button>
            <span aria-hidden="true">{name}</span>
            <button type="button" aria-label=next title=format!("{next} ({})", keys.1) disabled=off on:click=move |_| desk.act(action(Step::Next))><kbd>{keys.1}</kbd></button>
        </div>
    }
}
