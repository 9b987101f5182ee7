use leptos::prelude::*;

use super::words::Text;
use crate::desk::Desk;
use crate::model::marks::Home;

/// The system text that stands outside the list of entries.
#[component]
pub(crate) fn SystemDetail(
    /// Its number among the fixed parts of the request.
    index: usize,
) -> impl IntoView {
    let held = Desk::here().held();
    let home = Home::Fixed(index);
    let text = held.text_of(home, 0).unwrap_or_default();
    view! {
        <article class="detail">
            <ToLedger />
            <h2>"System text"</h2>
            <p class="detail-facts">"It stands in every request, and no fold takes it away."</p>
            <section class="part" aria-label="System text"><Text home part=0 text code=false /></section>
        </article>
    }
}

/// The way back to the ledger, for who came from there.
#[component]
pub(crate) fn ToLedger() -> impl IntoView {
    let desk = Desk::here();
    move || {
        desk.keeper.aim.get().map(|_| {
            view! { <button type="button" class="link to-ledger" on:click=move |_| desk.back_to_ledger()>"← Ledger"</button> }
        })
    }
}
