use leptos::prelude::*;
use pinfold::transcript::Weight;

use crate::desk::{Desk, Panel};
use crate::model::ledger::told;
use crate::model::number::{grouped, percent};

/// The line of facts about the open transcript.
#[component]
pub(crate) fn Facts() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let structure = &held.planner.structure;
    let cuts = &held.planner.cuts;
    let illegal = percent(cuts.illegal() as u64, cuts.len() as u64);
    let violations = held.violations.len();
    let findings = held.transcript.findings();
    let warned = findings.iter().any(|finding| finding.weight == Weight::Warning);
    let count = |number: usize| grouped(number as u64);
    let show = move |panel| {
        desk.panel.set(panel);
        desk.sheet.set(true);
    };
    view! {
        <section class="facts" aria-label="Facts">
            <dl>
                <div><dt>"entries"</dt><dd>{count(held.len())}</dd></div>
                <div><dt>"exchanges"</dt><dd>{count(structure.exchanges.len())}</dd></div>
                <div><dt>"rounds"</dt><dd>{count(structure.round_count())}</dd></div>
                <div><dt>"tokens"</dt><dd>{grouped(held.total)}<em>{held.kind()}</em></dd></div>
                <div><dt>"illegal boundaries"</dt><dd>{illegal}<em>{format!("{} of {}", count(cuts.illegal()), count(cuts.len()))}</em></dd></div>
                <div>
                    <dt>"violations"</dt>
                    <dd><button type="button" class="fact-link" class:bad=violations != 0 on:click=move |_| show(Panel::Violations)>{count(violations)}</button></dd>
                </div>
                <div>
                    <dt>"ledger"</dt>
                    <dd><button type="button" class="fact-link" on:click=move |_| show(Panel::Ledger)>{move || told(&desk.share.get())}</button></dd>
                </div>
                {(!findings.is_empty()).then(|| view! {
                    <div>
                        <dt>"reader"</dt>
                        <dd><button type="button" class="fact-link" class:bad=warned on:click=move |_| show(Panel::Reader)>{count(findings.len())}" findings"</button></dd>
                    </div>
                })}
            </dl>
        </section>
    }
}
