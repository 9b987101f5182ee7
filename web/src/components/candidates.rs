use leptos::prelude::*;
use pinfold::ledger::{Class, Verdict};
use web_sys::KeyboardEvent;

use super::items::{Places, go};
use crate::browser;
use crate::desk::Desk;
use crate::keeper::step_item;
use crate::model::keys::{Deed, Step, deed};
use crate::model::ledger::{Asked, CLASSES, asked, class_word};

/// Candidates that are listed; the rest comes up as these are decided.
const LISTED: usize = 100;

/// The sentences that may bind, each to accept or to dismiss.
#[component]
pub(crate) fn Candidates() -> impl IntoView {
    let desk = Desk::here();
    let found = Memo::new(move |_| desk.keeper.ledger.with(|it| asked(it, Verdict::Waiting)));
    let count = move || found.with(Vec::len);
    let listed = move || found.get().into_iter().take(LISTED).collect::<Vec<_>>();
    view! {
        <section aria-label="Candidates">
            <h3>"Candidates"<span class="count">{count}</span></h3>
            <Show when=move || { count() > 0 } fallback=|| view! {
                <p class="none">"No sentence waits for a decision. Select words in an entry to pin them."</p>
            }>
                <p class="keys-hint">"Does it bind what comes after it?"<span>" "<kbd>"a"</kbd>" accepts, "<kbd>"d"</kbd>" dismisses, "<kbd>"Enter"</kbd>" goes to the words."</span></p>
            </Show>
            <ol class="items" role="list">
                <For each=listed key=|it| (it.id.clone(), it.places.len()) let:asked><Candidate asked /></For>
            </ol>
            {move || count().checked_sub(LISTED).filter(|&it| it > 0).map(|more| view! { <p class="none">{format!("and {more} more")}</p> })}
        </section>
    }
}

/// One of them.
#[component]
fn Candidate(asked: Asked) -> impl IntoView {
    let desk = Desk::here();
    let class = RwSignal::new(Class::Constraint);
    let (item, id) =
        (StoredValue::new(format!("candidate-{}", asked.id)), StoredValue::new(asked.id));
    let accept =
        move || desk.keeper.accept(&item.get_value(), &id.get_value(), class.get_untracked());
    let dismiss = move || desk.keeper.dismiss(&item.get_value(), &id.get_value());
    let on_key = move |event: KeyboardEvent| {
        if browser::is_typing(&event) || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        match deed(&event.key()) {
            Some(Deed::Walk(step)) => step_item(&item.get_value(), step == Step::Next),
            Some(Deed::Accept) => accept(),
            Some(Deed::Dismiss) => dismiss(),
            Some(Deed::Class(chosen)) => class.set(chosen),
            Some(Deed::Undo) => desk.keeper.undo(),
            Some(Deed::Retire) | None => return,
        }
        event.prevent_default();
    };
    let choose = move |event| {
        let chosen = Class::of_name(&event_target_value(&event)).unwrap_or(Class::Constraint);
        class.set(chosen);
    };
    let option = move |(it, _): (Class, &'static str)| {
        view! { <option value=it.name() prop:selected=move || class.get() == it>{class_word(it)}</option> }
    };
    let words = go(&asked.places);
    view! {
        <li class="candidate" on:keydown=on_key on:focusin=move |_| desk.keeper.at_item(&item.get_value())>
            <button type="button" id=item.get_value() class="item" on:click=move |_| if let Some(words) = words.clone() { desk.show_words(words) }>
                <bdi class="item-words">{asked.text}</bdi>
            </button>
            <div class="item-foot">
                <p class="item-facts"><Places places=asked.places more=0 /><span>{asked.signs}</span></p>
                <div class="item-tools">
                    <button type="button" on:click=move |_| accept()>"Accept"<kbd aria-hidden="true">"a"</kbd></button>
                    <select aria-label="Class of the pin" on:change=choose>{CLASSES.map(option)}</select>
                    <button type="button" class="quiet" on:click=move |_| dismiss()>"Dismiss"<kbd aria-hidden="true">"d"</kbd></button>
                </div>
            </div>
        </li>
    }
}

/// What was dismissed, which can still be accepted.
#[component]
pub(crate) fn Dismissed() -> impl IntoView {
    let desk = Desk::here();
    let found = Memo::new(move |_| desk.keeper.ledger.with(|it| asked(it, Verdict::Dismissed)));
    let item = move |asked: Asked| {
        let name = format!("dismissed-{}", asked.id);
        let id = asked.id;
        view! {
            <li>
                <p><bdi class="item-words">{asked.text}</bdi></p>
                <p class="item-facts"><Places places=asked.places more=0 />
                    <button type="button" class="link" on:click=move |_| desk.keeper.accept(&name, &id, Class::Constraint)>"Accept after all"</button>
                </p>
            </li>
        }
    };
    move || {
        let found = found.get();
        (!found.is_empty()).then(|| {
            view! {
                <details class="dismissed">
                    <summary>{format!("Dismissed: {}", found.len())}</summary>
                    <ul class="items" role="list">{found.into_iter().take(LISTED).map(item).collect_view()}</ul>
                </details>
            }
        })
    }
}
