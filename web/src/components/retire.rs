use leptos::prelude::*;
use pinfold::ledger::End;
use web_sys::SubmitEvent;

use crate::desk::Desk;
use crate::keeper::Retiring;
use crate::model::ledger::{end_word, later};
use crate::model::visible::one_line;

/// The evidence with which a pin is retired.
#[component]
pub(crate) fn RetireForm(
    /// The pin, and the words to begin with.
    retiring: Retiring,
    /// The ways in which it can end.
    ends: Vec<End>,
) -> impl IntoView {
    let keeper = Desk::here().keeper;
    let Retiring { pin, quote } = retiring;
    let begin =
        if quote.is_empty() { ends.first() } else { ends.iter().find(|it| **it == End::Revoked) };
    let end = RwSignal::new(begin.copied().unwrap_or(End::Revoked));
    let quote = RwSignal::new(quote);
    let revokes = move || end.get() == End::Revoked;
    let offers = keeper.ledger.with_untracked(|ledger| later(ledger, &pin));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        keeper.retire(&pin, end.get_untracked(), &quote.get_untracked());
    };
    let way = move |it: End| {
        let pressed = move || if end.get() == it { "true" } else { "false" };
        view! { <button type="button" aria-pressed=pressed on:click=move |_| end.set(it)>{end_word(it)}</button> }
    };
    let offer = move |(when, text): (String, String)| {
        let shown = one_line(&text, 160);
        let same = text.clone();
        let pressed = move || if quote.with(|it| *it == same) { "true" } else { "false" };
        view! { <li><button type="button" aria-pressed=pressed on:click=move |_| quote.set(text.clone())><span>{when}</span><bdi>{shown}</bdi></button></li> }
    };
    let offered = (!offers.is_empty()).then_some(StoredValue::new(offers));
    let several = ends.len() > 1;
    view! {
        <form class="retire" aria-label="Retire the pin" on:submit=submit>
            {several.then(|| view! { <div class="segments" role="group" aria-label="How it ends">{ends.into_iter().map(way).collect_view()}</div> })}
            <label for="retire-quote">{move || if revokes() { "Words of a later prompt that take it back" } else { "The reason" }}</label>
            {offered.map(|offers| view! {
                <Show when=revokes>
                    <ul class="offers" role="list" aria-label="Sentences of later prompts">{offers.get_value().into_iter().map(offer).collect_view()}</ul>
                </Show>
            })}
            <textarea
                id="retire-quote"
                rows="2"
                placeholder=move || if revokes() { "exactly as they stand there" } else { "" }
                prop:value=move || quote.get()
                on:input=move |event| quote.set(event_target_value(&event))
            ></textarea>
            <p class="item-tools">
                <button type="submit" class="primary">"Retire"</button>
                <button type="button" class="quiet" on:click=move |_| keeper.retiring.set(None)>"Cancel"</button>
            </p>
        </form>
    }
}
