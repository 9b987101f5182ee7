use leptos::prelude::*;

use super::bars::Bars;
use crate::desk::{Desk, Spot};
use crate::model::boundary::Why;
use crate::model::number::grouped;
use crate::model::wording::{Fact, Verdict};

/// The decision, in words and numbers.
#[component]
pub(crate) fn VerdictView() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let verdict = Memo::new(move |_| {
        let budget = desk.budget.get();
        desk.decision.with(|decision| Verdict::of(&held, budget, decision))
    });
    // Said aloud when the slider rests, not at every step of a drag.
    let held = desk.held();
    let said = Memo::new(move |_| {
        let budget = desk.settled.get();
        let decision = desk.decide(&desk.choice.get().policy(budget));
        let verdict = Verdict::of(&held, budget, &decision);
        format!("{}. {}", verdict.headline, verdict.sentence)
    });
    let few = move || verdict.with(|it| it.facts.len() < 4);
    view! {
        <div class=move || format!("verdict {}", verdict.with(|it| it.name))>
            <p class="headline">
                <span class="sign" aria-hidden="true"></span>
                <span>{move || verdict.with(|it| it.headline.clone())}</span>
                {move || {
                    let shape = desk.shape.get();
                    let at = shape.cut.or(shape.target)?;
                    Some(view! { <button type="button" class="link show" on:click=move |_| desk.go_to(Spot::Boundary(at))>"Show"</button> })
                }}
            </p>
            <p class="sentence">{move || verdict.with(|it| it.sentence.clone())}</p>
            <p class="hidden" role="status" aria-live="polite">{said}</p>
            <Bars />
            <div class="verdict-more">
                <dl class="numbers" class:few=few>
                    {move || verdict.with(|it| it.facts.iter().map(number).collect_view())}
                </dl>
                {move || verdict.with(|it| waiting(desk, it))}
                {move || verdict.with(floor)}
            </div>
        </div>
    }
}

fn number(fact: &Fact) -> impl IntoView + use<> {
    let Fact { name, value, about } = fact.clone();
    view! { <div title=about><dt>{name}</dt><dd>{value}</dd></div> }
}

/// What blocks, and the legal cuts around it.
fn waiting(desk: Desk, verdict: &Verdict) -> Option<impl IntoView + use<>> {
    let reason = |why: &Why| {
        let ids = (!why.ids.is_empty()).then(|| view! { <code>{why.listed()}</code> });
        view! { <li><b>{why.name}</b>" "{why.sentence}" "{ids}</li> }
    };
    let near = move |(at, text): &(usize, String)| {
        let (at, text) = (*at, text.clone());
        view! {
            <li><button type="button" class="link" on:click=move |_| desk.go_to(Spot::Boundary(at))>{format!("Legal cut {at}")}</button>" "{text}</li>
        }
    };
    (!verdict.blocking.is_empty() || !verdict.near.is_empty()).then(|| {
        view! {
            <ul class="waiting" role="list">
                {verdict.blocking.iter().map(reason).collect_view()}
                {verdict.near.iter().map(near).collect_view()}
            </ul>
        }
    })
}

/// The floor, item by item.
fn floor(verdict: &Verdict) -> Option<impl IntoView + use<>> {
    let item = |(what, tokens): &(String, u64)| {
        view! { <div title=what.clone()><dt>{what.clone()}</dt><dd>{grouped(*tokens)}</dd></div> }
    };
    (!verdict.floor.is_empty()).then(|| {
        view! { <dl class="floor" aria-label="The floor, item by item">{verdict.floor.iter().map(item).collect_view()}</dl> }
    })
}
