use leptos::prelude::*;
use pinfold::rules::Severity;

use super::repair::RepairView;
use crate::desk::{Desk, Mending};
use crate::house::House;
use crate::model::choices;
use crate::model::number::counted;
use crate::model::violation::{Told, tally};

/// Rows of the list of violations; a transcript that is broken throughout has thousands.
const LISTED: usize = 500;

/// What the provider would refuse, or what was done about it.
#[component]
pub(crate) fn Violations() -> impl IntoView {
    let desk = Desk::here();
    move || {
        match desk.mending.get() {
        Mending::Unasked => view! { <ViolationList /> }.into_any(),
        Mending::Working => {
            view! { <div class="empty" role="status"><p>"Mending, and judging the result…"</p></div> }.into_any()
        }
        Mending::Done(mended) => view! { <RepairView mended /> }.into_any(),
    }
    }
}

/// Every violation, and the way to mend them.
#[component]
fn ViolationList() -> impl IntoView {
    let desk = Desk::here();
    let house = House::here();
    let held = desk.held();
    let count = held.violations.len();
    let made = house.made().map(|made| {
        view! {
            <p class="made-here">"This is the "<b>{made.word()}</b>" transcript. "
                <button type="button" class="link" on:click=move |_| house.back()>{made.back()}</button>
            </p>
        }
    });
    if count == 0 {
        let clean = choices::clean(held.transcript.provider(), held.wish.mode);
        return view! { <div class="empty">{made}<p><b>"No violations."</b>" "{clean}</p></div> }
            .into_any();
    }
    let items = held.violations.iter().take(LISTED).enumerate();
    let items =
        items.map(|(index, violation)| item(desk, index, Told::of(&held.transcript, violation)));
    let more = count.saturating_sub(LISTED);
    view! {
        <div class="violations-head">
            {made}
            <p>{tally(&held.violations)}", judged by "<b>{held.transcript.provider().title()}</b>" "{choices::mode(held.wish.mode)}</p>
            <button type="button" class="primary" on:click=move |_| desk.mend()>{format!("Repair {}", counted(count, "fault", "faults"))}</button>
        </div>
        <ol class="violations" role="list">{items.collect_view()}</ol>
        {(more > 0).then(|| view! { <p class="empty">{format!("and {more} more, which n and p reach")}</p> })}
    }
    .into_any()
}

fn item(desk: Desk, index: usize, told: Told) -> impl IntoView + use<> {
    let show = move |_| {
        desk.show_violation(index);
        // The sheet of a small screen would lie over the entry.
        desk.sheet.set(false);
    };
    view! {
        <li class:selected=move || desk.violation.get() == Some(index)>
            <button type="button" class="violation" on:click=show>{head(&told)}<span class="where link">{told.place.clone()}</span></button>
            {words(told)}
        </li>
    }
}

/// The code and how sure the refusal is, in a sign and in a word.
pub(super) fn head(told: &Told) -> impl IntoView + use<> {
    let severity = told.severity.name();
    view! {
        <span class=format!("row-trouble {severity}") aria-hidden="true"></span>
        <b>{told.code}</b>
        <span class=format!("severity {severity}")>{severity}</span>
    }
}

/// What it is about, what the provider says, and what helps.
pub(super) fn words(told: Told) -> impl IntoView {
    let Told { ids, speaker, says, wordless, help, severity, .. } = told;
    let verb = if severity == Severity::Error { "says" } else { "may say" };
    view! {
        {(!ids.is_empty()).then(|| view! { <code class="about">{ids}</code> })}
        {says.map(|says| view! { <p class="says"><span>{speaker}" "{verb}":"</span><q>{says}</q></p> })}
        {wordless.then(|| view! { <p class="says"><span>{speaker}" refuses it; its exact text is not known."</span></p> })}
        <p class="violation-help">{help}</p>
    }
}
