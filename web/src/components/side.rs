use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::boundary::BoundaryDetail;
use super::chosen::SaidLine;
use super::detail::EntryDetail;
use super::export::Export;
use super::findings::Findings;
use super::icons::{CLOSE, Icon};
use super::ledger::LedgerPanel;
use super::system::SystemDetail;
use super::violations::Violations;
use crate::browser;
use crate::desk::{Desk, Panel, Spot};
use crate::model::ledger::waiting;

/// The panels beside the list; a sheet below it where there is no room.
#[component]
pub(crate) fn Side() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let (violations, findings) = (held.violations.len(), held.transcript.findings().len());
    let asked = Memo::new(move |_| desk.keeper.ledger.with(waiting));
    let tabs = [
        (Panel::Details, "Details"),
        (Panel::Violations, "Violations"),
        (Panel::Ledger, "Ledger"),
        (Panel::Reader, "Reader"),
        (Panel::Fold, "Fold"),
    ];
    let count = move |panel| match panel {
        Panel::Violations => violations,
        Panel::Ledger => asked.get(),
        Panel::Reader => findings,
        Panel::Details | Panel::Fold => 0,
    };
    let walk = move |event: KeyboardEvent| {
        let at =
            tabs.iter().position(|(panel, ..)| *panel == desk.panel.get_untracked()).unwrap_or(0);
        let to = match &*event.key() {
            "ArrowRight" => (at + 1) % tabs.len(),
            "ArrowLeft" => (at + tabs.len() - 1) % tabs.len(),
            _ => return,
        };
        event.prevent_default();
        desk.panel.set(tabs[to].0);
        browser::focus(&format!("tab-{}", tabs[to].1));
    };
    let tab = move |(panel, name): (Panel, &'static str)| {
        let here = move || desk.panel.get() == panel;
        view! {
            <button
                type="button"
                role="tab"
                id=format!("tab-{name}")
                aria-controls="panel"
                aria-selected=move || if here() { "true" } else { "false" }
                tabindex=move || if here() { "0" } else { "-1" }
                on:click=move |_| {
                    desk.panel.set(panel);
                    desk.sheet.set(true);
                }
            >{name}{move || Some(count(panel)).filter(|&it| it > 0).map(|it| view! { <span class="count" class:bad=panel == Panel::Violations>{it}</span> })}</button>
        }
    };
    let body = move || match desk.panel.get() {
        Panel::Details => view! { <Details /> }.into_any(),
        Panel::Violations => view! { <Violations /> }.into_any(),
        Panel::Ledger => view! { <LedgerPanel /> }.into_any(),
        Panel::Reader => view! { <Findings /> }.into_any(),
        Panel::Fold => view! { <Export /> }.into_any(),
    };
    view! {
        <aside class="side" aria-label="Details">
            <div class="tabs">
                <div role="tablist" aria-label="Panels" on:keydown=walk>{tabs.map(tab)}</div>
                <button type="button" class="square sheet-close" aria-label="Close the panel" on:click=move |_| desk.sheet.set(false)><Icon path=CLOSE /></button>
            </div>
            <SaidLine />
            <div id="panel" class="panel" on:scroll=move |_| desk.look_at_selection() role="tabpanel" tabindex="0" aria-label=move || format!("{:?}", desk.panel.get())>{body}</div>
        </aside>
    }
}

/// What is known about the selection.
#[component]
fn Details() -> impl IntoView {
    let desk = Desk::here();
    move || {
        match desk.spot.get() {
        None => view! {
            <div class="empty">
                <p>"Select an entry to read it, or a mark between two entries to see why it may or may not be cut."</p>
                <p><kbd>"j"</kbd><kbd>"k"</kbd>" walk the entries, "<kbd>"["</kbd><kbd>"]"</kbd>" the legal cuts."</p>
            </div>
        }
        .into_any(),
        Some(Spot::Entry(entry)) => view! { <EntryDetail entry /> }.into_any(),
        Some(Spot::Boundary(at)) => view! { <BoundaryDetail at /> }.into_any(),
        Some(Spot::System(index)) => view! { <SystemDetail index /> }.into_any(),
    }
    }
}
