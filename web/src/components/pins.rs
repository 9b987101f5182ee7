use leptos::prelude::*;
use pinfold::ledger::Class;
use web_sys::KeyboardEvent;

use super::items::{Places, go};
use super::retire::RetireForm;
use crate::browser;
use crate::desk::Desk;
use crate::keeper::step_item;
use crate::model::keys::{Deed, Step, deed};
use crate::model::ledger::{Told, class_title, pins};
use crate::model::number::counted;

/// Pins of a class that are listed.
const LISTED: usize = 200;
/// Retired pins that are shown without being asked for.
const RETIRED: usize = 3;

/// The pins of a class: those that hold, then those that do not.
#[component]
pub(crate) fn Pins(class: Class) -> impl IntoView {
    let desk = Desk::here();
    let found = Memo::new(move |_| desk.keeper.ledger.with(|ledger| pins(ledger, class)));
    let of = move |live: bool| {
        let pins = found.get().into_iter().filter(|it| it.live == live);
        pins.take(LISTED).collect::<Vec<Told>>()
    };
    let count = move |live: bool| found.with(|it| it.iter().filter(|it| it.live == live).count());
    let list = move |live: bool| {
        view! {
            <ul class="items" role="list">
                <For each=move || of(live) key=|told| format!("{told:?}") let:told><PinView told /></For>
            </ul>
        }
    };
    let retired = move || {
        match count(false) {
        0 => None,
        few if few <= RETIRED => Some(list(false).into_any()),
        many => Some(
            view! { <details><summary>{counted(many, "retired", "retired")}</summary>{list(false)}</details> }.into_any(),
        ),
    }
    };
    view! {
        <Show when=move || found.with(|it| !it.is_empty())>
            <section aria-label=class_title(class)>
                <h3>{class_title(class)}<span class="count">{move || count(true)}</span></h3>
                {list(true)}
                {retired}
            </section>
        </Show>
    }
}

/// A pin, and what can be done with it.
#[component]
fn PinView(told: Told) -> impl IntoView {
    let desk = Desk::here();
    let (item, id) = (StoredValue::new(format!("pin-{}", told.id)), StoredValue::new(told.id));
    let (can_retire, guess) = (!told.ends.is_empty(), told.guess);
    let retire = move || {
        if can_retire {
            desk.keeper.begin_retiring(&id.get_value(), "");
        }
    };
    let dismiss = move || {
        if guess {
            desk.keeper.dismiss(&item.get_value(), &id.get_value());
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if browser::is_typing(&event) || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        match deed(&event.key()) {
            Some(Deed::Walk(step)) => step_item(&item.get_value(), step == Step::Next),
            Some(Deed::Retire) => retire(),
            Some(Deed::Dismiss) => dismiss(),
            Some(Deed::Undo) => desk.keeper.undo(),
            Some(Deed::Accept | Deed::Class(_)) | None => return,
        }
        event.prevent_default();
    };
    let words = go(&told.places);
    let retiring = move || {
        let retiring = desk.keeper.retiring.get().filter(|it| it.pin == id.get_value())?;
        Some(view! { <RetireForm retiring ends=told.ends.clone() /> })
    };
    view! {
        <li class="pin" class:retired=!told.live on:keydown=on_key on:focusin=move |_| desk.keeper.at_item(&item.get_value())>
            <button type="button" id=item.get_value() class="item" on:click=move |_| if let Some(words) = words.clone() { desk.show_words(words) }>
                <bdi class="item-words">{told.text}</bdi>
            </button>
            <div class="item-foot">
                <p class="item-facts">
                    {told.topic.map(|topic| view! { <b class="topic">{topic}</b> })}
                    <span class=if told.live { "state live" } else { "state" }>{if told.live { "live" } else { "retired" }}</span>
                    <Places places=told.places more=told.more />
                    <span>{counted(told.tokens as usize, "token", "tokens")}</span>
                    <span>{told.origin}</span>
                    {told.system.then_some(view! { <span>"holds as long as it stands there"</span> })}
                </p>
                {(can_retire || guess).then(|| view! {
                    <div class="item-tools">
                        {can_retire.then(|| view! { <button type="button" on:click=move |_| retire()>"Retire…"<kbd aria-hidden="true">"r"</kbd></button> })}
                        {guess.then(|| view! { <button type="button" class="quiet" on:click=move |_| dismiss()>"Dismiss"<kbd aria-hidden="true">"d"</kbd></button> })}
                    </div>
                })}
            </div>
            {told.evidence.map(|evidence| view! { <p class="evidence"><bdi>{evidence}</bdi></p> })}
            {retiring}
        </li>
    }
}
