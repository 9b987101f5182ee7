use leptos::prelude::*;

use crate::desk::Desk;
use crate::model::ledger::{Clash, clashes};

/// Later words that contradict a pin: reported, never resolved.
#[component]
pub(crate) fn Clashes() -> impl IntoView {
    let desk = Desk::here();
    let keeper = desk.keeper;
    let found = Memo::new(move |_| keeper.ledger.with(clashes));
    move || {
        let found = found.get();
        (!found.is_empty()).then(|| {
            view! {
                <section aria-label="Contradictions">
                    <h3>"Contradictions"<span class="count bad">{found.len()}</span></h3>
                    <p class="keys-hint">"Who is right, a person must say: retire the pin, or leave it."</p>
                    <ul class="items" role="list">{found.into_iter().map(|it| item(desk, it)).collect_view()}</ul>
                </section>
            }
        })
    }
}

fn item(desk: Desk, clash: Clash) -> impl IntoView + use<> {
    let Clash { pin, rule, later, quote, when, place, why, revokes } = clash;
    let place = StoredValue::new(place);
    let show = move |_| {
        if let Some(words) = place.get_value() {
            desk.show_words(words);
        }
    };
    view! {
        <li class="contradiction">
            <p><span class="side-word">"pin"</span><bdi class="item-words">{rule}</bdi></p>
            <p><span class="side-word">{when}</span><bdi class="item-words">{later}</bdi></p>
            <p class="item-facts"><span>{why}</span></p>
            <div class="item-tools">
                <button type="button" on:click=show>"Show the words"</button>
                {revokes.then(|| view! { <button type="button" class="quiet" on:click=move |_| desk.keeper.begin_retiring(&pin, &quote)>"Retire the pin…"</button> })}
            </div>
        </li>
    }
}
