use leptos::prelude::*;
use pinfold::ledger::Class;

use super::candidates::{Candidates, Dismissed};
use super::clashes::Clashes;
use super::pins::Pins;
use super::shelf::Shelf;
use crate::desk::Desk;
use crate::model::ledger::share;
use crate::model::visible::one_line;

/// The ledger: what may bind, what binds, what contradicts it, and what it costs.
#[component]
pub(crate) fn LedgerPanel() -> impl IntoView {
    view! {
        <article class="ledger">
            <LedgerHead />
            <Candidates />
            <Clashes />
            {Class::ALL.map(|class| view! { <Pins class /> })}
            <Dismissed />
            <LedgerFindings />
        </article>
    }
}

/// The ledger's share of the budget, and the ways in and out.
#[component]
fn LedgerHead() -> impl IntoView {
    let desk = Desk::here();
    let told = Memo::new(move |_| share(&desk.share.get(), desk.shape.get().cut.is_some()));
    let over = move || told.get().1;
    let filled = move || {
        let share = desk.share.get();
        let part = share.tokens as f64 * 100.0 / share.allowed.max(1) as f64;
        format!("{:.1}%", part.min(100.0))
    };
    view! {
        <header class="ledger-head" class:over=over>
            <p class="share">{move || told.get().0}</p>
            <span class="share-bar" aria-hidden="true"><i style:width=filled></i></span>
            <Show when=over><Proposals /></Show>
            <Shelf />
        </header>
    }
}

/// What could be retired where the ledger takes more than its share.
#[component]
fn Proposals() -> impl IntoView {
    let desk = Desk::here();
    let proposals = move || {
        let share = desk.share.get();
        let pins = desk.keeper.ledger.with(|ledger| {
            let of = |id: &String| ledger.pins().iter().find(|pin| pin.id == *id);
            let found = share.proposals.iter().filter_map(of);
            found.map(|pin| (pin.id.clone(), one_line(&pin.text, 80))).collect::<Vec<_>>()
        });
        if pins.is_empty() {
            return view! { <p>"It takes more than its share. Nothing is left out, and every pin is a constraint: only a later prompt can revoke one."</p> }.into_any();
        }
        let item = move |(id, text): (String, String)| {
            view! { <li><bdi>{text}</bdi>" "<button type="button" class="link" on:click=move |_| desk.keeper.begin_retiring(&id, "")>"Retire…"</button></li> }
        };
        view! {
            <p>"It takes more than its share. Nothing is left out; the oldest that may be retired:"</p>
            <ul class="proposals" role="list">{pins.into_iter().map(item).collect_view()}</ul>
        }
        .into_any()
    };
    view! { <div class="over-more">{proposals}</div> }
}

/// Where the log's own record differs from what its calls imply, and what system text was taken out.
#[component]
fn LedgerFindings() -> impl IntoView {
    let ledger = Desk::here().keeper.ledger;
    let findings = Memo::new(move |_| {
        let message = |finding: &pinfold::transcript::Finding| {
            (finding.code, one_line(&finding.message, 600))
        };
        ledger.with(|ledger| ledger.findings().iter().map(message).collect::<Vec<_>>())
    });
    let item = |(code, message): (&'static str, String)| {
        view! { <li><b>{code}</b><p>{message}</p></li> }
    };
    move || {
        let found = findings.get();
        (!found.is_empty()).then(|| {
            view! {
                <section aria-label="Findings of the ledger">
                    <h3>"Findings"<span class="count">{found.len()}</span></h3>
                    <ul class="items ledger-findings" role="list">{found.into_iter().map(item).collect_view()}</ul>
                </section>
            }
        })
    }
}
