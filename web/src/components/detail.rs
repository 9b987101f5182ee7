use leptos::prelude::*;

use super::part::{Capped, Copy, PartView};
use super::system::ToLedger;
use super::violations::words;
use crate::desk::Desk;
use crate::model::number::grouped;
use crate::model::pretty::pretty;
use crate::model::violation::Told;

/// The details of an entry: its parts decoded, or its JSON.
#[component]
pub(crate) fn EntryDetail(
    /// The entry.
    entry: usize,
) -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let raw = RwSignal::new(false);
    let role = held.transcript.entries()[entry].role.name();
    let exchange = held.planner.structure.exchange_of(entry).map_or(0, |it| it + 1);
    let round = held.round_of(entry).map(|round| format!("round {}", round + 1));
    let line = held.transcript.line(entry).map(|line| format!("line {line} of the log"));
    let tokens = u64::from(held.planner.counts.entries[entry]);
    let facts = [
        Some(if exchange == 0 { "head".to_owned() } else { format!("exchange {exchange}") }),
        round,
        Some(format!("{} tokens, {}", grouped(tokens), held.kind())),
        line,
    ];
    let troubles = held.violations_of(entry).iter().map(|violation| {
        let told = Told::of(&held.transcript, violation);
        view! { <div class="reason"><b>{told.code}</b>{words(told)}</div> }
    });
    let troubles = troubles.collect_view();
    let can_pin = held.can_pin(entry);
    let parts = held.transcript.parts(entry).len();
    let json = desk.held();
    view! {
        <article class="detail">
            <ToLedger />
            <h2>{format!("Entry {entry}")}<span class=format!("role {role}")>{role}</span></h2>
            <p class="detail-facts">{facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")}</p>
            {can_pin.then(|| view! { <p class="detail-facts">"Select words of it to pin them."</p> })}
            <p class="detail-tools">
                <button type="button" aria-pressed=move || if raw.get() { "true" } else { "false" } on:click=move |_| raw.update(|it| *it = !*it)>"JSON"</button>
                <Copy name="Copy JSON" text=move || desk.held().transcript.entry_text(entry).to_owned() />
            </p>
            {troubles}
            {move || if raw.get() {
                let text = pretty(json.transcript.entry_text(entry));
                view! { <Capped text code=true /> }.into_any()
            } else {
                (0..parts).map(|part| view! { <PartView entry part /> }).collect_view().into_any()
            }}
            {(parts == 0).then(|| view! { <p class="empty">"This entry has no parts."</p> })}
        </article>
    }
}
