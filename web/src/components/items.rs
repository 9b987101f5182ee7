use leptos::prelude::*;

use crate::desk::Desk;
use crate::model::marks::Words;

/// When words were said, each time a way to them.
#[component]
pub(crate) fn Places(
    /// Each time, with the words where they still stand.
    places: Vec<(String, Option<Words>)>,
    /// Times that are not named.
    more: usize,
) -> impl IntoView {
    let desk = Desk::here();
    let place = move |(when, words): (String, Option<Words>)| {
        match words {
        Some(words) => view! {
            <button type="button" class="link" tabindex="-1" on:click=move |_| desk.show_words(words.clone())>{when}</button>
        }
        .into_any(),
        None => view! { <span title="Its entry was folded">{when}" (folded)"</span> }.into_any(),
    }
    };
    view! {
        {places.into_iter().map(place).collect_view()}
        {(more > 0).then(|| view! { <span>{format!("and {more} times more")}</span> })}
    }
}

/// The newest place at which words still stand.
pub(super) fn go(places: &[(String, Option<Words>)]) -> Option<Words> {
    places.iter().rev().find_map(|(_, words)| words.clone())
}
