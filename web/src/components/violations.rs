use leptos::prelude::*;
use pinfold::rules::Violation;

use crate::desk::Desk;
use crate::model::visible::one_line;

/// Rows of the list of violations; a transcript that is broken throughout has thousands.
const LISTED: usize = 500;

/// What the provider would refuse.
#[component]
pub(crate) fn Violations() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    if held.violations.is_empty() {
        return view! {
            <div class="empty"><p>"No violations: the provider would take this transcript as it is."</p></div>
        }
        .into_any();
    }
    let items = held.violations.iter().take(LISTED).enumerate();
    let items = items.map(|(index, violation)| item(desk, index, violation)).collect_view();
    let more = held.violations.len().saturating_sub(LISTED);
    view! {
        <ol class="violations" role="list">{items}</ol>
        {(more > 0).then(|| view! { <p class="empty">{format!("and {more} more, which n and p reach")}</p> })}
    }
    .into_any()
}

fn item(desk: Desk, index: usize, violation: &Violation) -> impl IntoView + use<> {
    let held = desk.held();
    let ids: Vec<String> =
        violation.ids.iter().take(8).map(|&id| one_line(held.transcript.id(id), 64)).collect();
    let says = violation.says.as_ref().map(|says| one_line(says, 600));
    let severity = violation.severity.name();
    view! {
        <li class:selected=move || desk.violation.get() == Some(index)>
            <button type="button" class="violation" on:click=move |_| desk.show_violation(index)>
                <span class="violation-head">
                    <span class=format!("row-trouble {severity}")><span class="hidden">{severity}</span></span>
                    <b>{violation.code.name()}</b>
                    <span class="where">{format!("entry {}", violation.entry)}</span>
                </span>
                {(!ids.is_empty()).then(|| view! { <code>{ids.join(", ")}</code> })}
                {says.map(|says| view! { <q>{says}</q> })}
                <span class="violation-help">{violation.code.help()}</span>
            </button>
        </li>
    }
}
