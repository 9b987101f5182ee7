use std::sync::Arc;

use leptos::prelude::*;
use pinfold::fold::{Folded, Outcome};
use pinfold::verify::Broken;

use super::part::{Capped, Copy};
use crate::browser;
use crate::desk::{Desk, Proof};
use crate::house::{House, Made};
use crate::model::ledger::told as ledger_told;
use crate::model::number::grouped;
use crate::model::visible::one_line;
use crate::model::wording::Verdict;

/// The folded transcript: its proof, and the ways to take it along.
#[component]
pub(crate) fn Export() -> impl IntoView {
    let desk = Desk::here();
    move || {
        match desk.proof.get() {
        Proof::Unasked | Proof::Working => view! { <div class="empty"><p>"Folding, and proving the result…"</p></div> }.into_any(),
        Proof::Done(budget, outcome) => match &*outcome {
            Outcome::Folded(_) => view! { <FoldedView outcome=outcome.clone() /> }.into_any(),
            Outcome::Left(decision) => {
                let verdict = Verdict::of(&desk.held(), budget, decision);
                view! {
                    <div class="empty">
                        <p><b>{verdict.headline}"."</b>" "{verdict.sentence}</p>
                        <p>"There is nothing to export at this budget."</p>
                    </div>
                }
                .into_any()
            }
            Outcome::Refused(broken) => view! {
                <div class="empty bad">
                    <p><b>"Withheld."</b>" The fold breaks a law. This is a fault of Pinfold; please report it."</p>
                    <ul>{broken.iter().map(law).collect_view()}</ul>
                </div>
            }
            .into_any(),
        },
    }
    }
}

fn law(broken: &Broken) -> impl IntoView + use<> {
    let message = one_line(&broken.message, 400);
    view! { <li>{format!("Law {}, entry {}: {message}", broken.law, broken.entry)}</li> }
}

/// A fold that was proved.
#[component]
fn FoldedView(outcome: Arc<Outcome>) -> impl IntoView {
    let house = House::here();
    let desk = Desk::here();
    let held = desk.held();
    let file = held.source.file("folded");
    let written = held.written();
    let folded = StoredValue::new(outcome);
    let text =
        move || folded.with_value(|it| fold_of(it).map(|it| it.text.clone()).unwrap_or_default());
    let open = move |_| house.open_made(Made::Folded, &text(), &desk, None);
    let merged = folded.with_value(|it| {
        fold_of(it).filter(|it| it.merged).map(|it| {
            format!(
                "put into entry {}, in front of its own parts: roles must alternate",
                it.fold.cut
            )
        })
    });
    let report = folded.with_value(|it| {
        fold_of(it).map(|it| {
            let report = &it.report;
            (
                format!("{} → {} tokens", grouped(report.before), grouped(report.after)),
                format!("{} folded, {} kept", report.entries.0, report.entries.1),
                format!("{} folded, {} kept", report.pairs.0, report.pairs.1),
                format!("{:.2} ×", report.overshoot),
                ledger_told(&report.ledger),
            )
        })
    });
    let (tokens, entries, pairs, overshoot, ledger) = report.unwrap_or_default();
    view! {
        <article class="detail">
            <h2>"The folded transcript"</h2>
            <p class="proof"><span class="sign" aria-hidden="true"></span>"Every law holds"<em>"read again from its text alone"</em></p>
            <dl class="floor">
                <div><dt>"counted on the result"</dt><dd>{tokens}</dd></div>
                <div><dt>"entries"</dt><dd>{entries}</dd></div>
                <div><dt>"pairs"</dt><dd>{pairs}</dd></div>
                <div><dt>"overshoot"</dt><dd>{overshoot}</dd></div>
                <div><dt>"ledger"</dt><dd>{ledger}</dd></div>
                {merged.map(|merged| view! { <div class="wordy"><dt>"note"</dt><dd>{merged}</dd></div> })}
                {written.map(|written| view! { <div><dt>"written as"</dt><dd>{written}</dd></div> })}
            </dl>
            <p class="detail-tools">
                <Copy name="Copy" text=text />
                <button type="button" on:click=move |_| { let _ = browser::download(&file, &text()); }>"Download"</button>
                <button type="button" class="primary" title="Open the folded transcript in place of this one. The ledger goes along, and the way back stays." on:click=open>"Go on with the folded transcript"</button>
            </p>
            <Capped text=text() code=true />
        </article>
    }
}

fn fold_of(outcome: &Outcome) -> Option<&Folded> {
    match outcome {
        Outcome::Folded(folded) => Some(folded),
        Outcome::Left(_) | Outcome::Refused(_) => None,
    }
}
