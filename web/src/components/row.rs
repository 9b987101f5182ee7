use leptos::prelude::*;
use pinfold::rules::Severity;

use super::mark::Mark;
use super::words::marked;
use crate::desk::{Desk, Spot};
use crate::model::marks::{Home, Look, sign};
use crate::model::number::grouped;
use crate::model::preview::preview;
use crate::model::row::{Chip, Fate, Row};

/// An entry as one row.
#[component]
pub(crate) fn RowView(
    /// The entry.
    entry: usize,
) -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let row = Row::of(&held, entry);
    let size = (held.len() + 1).to_string();
    let home = Home::Entry(entry);
    let shown = held.clone();
    let keeper = desk.keeper;
    let text = Memo::new(move |_| {
        let aim = keeper.aim.with(|aim| aim.clone().filter(|words| words.home == home));
        keeper.marks.with(|it| preview(&shown.transcript, entry, it.at(home), aim.as_ref()))
    });
    let kept = Memo::new(move |_| keeper.marks.with(|it| sign(it.at(home))));
    let fate = Memo::new(move |_| Fate::of(&held, desk.shape.get(), entry));
    let selected = move || desk.spot.get() == Some(Spot::Entry(entry));
    let hit = move || desk.hits.with(|hits| hits.binary_search(&entry).is_ok());
    let stop = move || match desk.spot.get() {
        Some(spot) => spot.row() == entry,
        None => entry == 0,
    };
    let trouble = row.severity.map(|severity| match severity {
        Severity::Error => "row-trouble error",
        Severity::Warning => "row-trouble warning",
    });
    let band = format!("band hue-{}", if row.exchange == 0 { 9 } else { row.exchange % 6 });
    view! {
        <li
            class="row"
            class:folded=move || fate.get().is_folded()
            class:live=move || fate.get() == Fate::Live
            class:selected=selected
            class:hit=hit
            class:opens=row.opens_exchange
            class:troubled=trouble.is_some()
            aria-setsize=size
            aria-posinset=(entry + 1).to_string()
        >
            <Mark at=entry />
            <span class=band title=format!("Exchange {}", row.exchange)>{row.opens_exchange.then(|| row.exchange.to_string())}</span>
            <span class="round" title="Round">{row.opens_round.map(|round| round.to_string())}</span>
            <button
                type="button"
                id=format!("entry-{entry}")
                class="row-open"
                tabindex=move || if stop() { "0" } else { "-1" }
                aria-current=move || if selected() { "true" } else { "false" }
                on:click=move |_| {
                    desk.select(Spot::Entry(entry));
                    desk.sheet.set(true);
                }
            >
                <span class="index">{entry}</span>
                <span class=format!("role {}", row.role.name()) class:carrier=row.carrier>{row.role.name()}</span>
                {trouble.map(|class| view! { <span class=class title="Violation"><span class="hidden">"violation"</span></span> })}
                {move || pin_sign(kept.get())}
                <span class="preview"><bdi>{move || marked(text.get())}</bdi></span>
            </button>
            <span class="chips">
                {row.chips.into_iter().map(|it| chip(desk, it)).collect_view()}
                {(row.more > 0).then(|| view! { <span class="more">{format!("+{}", row.more)}</span> })}
            </span>
            <span class=move || format!("fate {}", fate.get().word())>{move || fate.get().word()}</span>
            <span class="tokens">{grouped(row.tokens)}<span class="hidden">" tokens"</span></span>
        </li>
    }
}

/// What the ledger holds of an entry.
fn pin_sign(kept: Option<(Look, String)>) -> AnyView {
    // The place stays, so that the words of all rows begin at one line.
    let Some((look, words)) = kept else {
        return view! { <span class="row-pin none"></span> }.into_any();
    };
    let title = words.clone();
    view! { <span class=format!("row-pin {}", look.class()) title=title><span class="hidden">{words}</span></span> }
        .into_any()
}

/// A chip; one half of a pair leads to the other.
pub(crate) fn chip(desk: Desk, chip: Chip) -> impl IntoView {
    let class =
        if chip.error { format!("{} failed", chip.kind.class()) } else { chip.kind.class().into() };
    let number = chip.number.map(|number| view! { <b>{number}</b> });
    let label = (!chip.label.is_empty())
        .then(|| view! { <span class="tool"><bdi>{chip.label.clone()}</bdi></span> });
    let failed = chip.error.then(|| view! { <span class="failed-sign" title="The result says it is an error">"✕"<span class="hidden">"error"</span></span> });
    let word = chip.kind.word();
    match chip.partner {
        Some(partner) => {
            let other = if word == "result" { "call" } else { "result" };
            let title = format!("{word} {} ({}). Go to its {other}.", chip.number.unwrap_or(0), chip.id);
            view! {
                <button type="button" class=class tabindex="-1" title=title on:click=move |_| desk.go_to(Spot::Entry(partner))>
                    <span class="word">{word}</span>{number}{failed}{label}
                </button>
            }
            .into_any()
        }
        None => view! { <span class=class title=chip.id><span class="word">{word}</span>{number}{failed}{label}</span> }.into_any(),
    }
}
