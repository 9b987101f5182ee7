use leptos::prelude::*;

use super::icons::Logo;
use super::theme::Theme;
use crate::house::House;
use crate::model::visible::one_line;

/// The bar at the top: what is open, and what can be done with the page as a whole.
#[component]
pub(crate) fn Top() -> impl IntoView {
    let house = House::here();
    let name =
        move || house.held.with(|held| held.as_ref().map(|held| one_line(&held.source.name, 80)));
    view! {
        <header class="top">
            <h1><Logo /><span>"Pinfold"</span></h1>
            <Show
                when=move || house.held.with(Option::is_some)
                fallback=|| view! { <p class="motto">"Where may a transcript be cut?"</p> }
            >
                <p class="source" title=name>{name}</p>
                {move || house.steps().into_iter().map(|made| view! { <span class="tag made">{made.word()}</span> }).collect_view()}
                {move || house.made().map(|made| view! {
                    <button type="button" class="quiet back" on:click=move |_| house.back()>"← "<span>{made.back()}</span></button>
                })}
            </Show>
            <div class="top-end">
                <Show when=move || house.held.with(Option::is_some)>
                    <button type="button" class="open" on:click=move |_| house.opening.set(true)>"Open…"</button>
                </Show>
                <Theme />
                <button type="button" class="square" aria-label="Help and keys" title="Help and keys (?)" on:click=move |_| house.help.set(true)>"?"</button>
            </div>
        </header>
    }
}
