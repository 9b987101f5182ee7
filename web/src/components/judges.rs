use leptos::prelude::*;
use pinfold::provider::Provider;
use pinfold::rules::Mode;
use web_sys::Event;

use super::settings::chosen;
use crate::desk::Desk;
use crate::model::choices;
use crate::model::intake::Wish;

/// Whose rules the transcript is judged by; a choice where several fit its entries.
#[component]
pub(crate) fn ProviderSelect() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let now = held.transcript.provider();
    let fits = Provider::of_wire(held.transcript.wire());
    if fits.len() < 2 {
        return view! { <p class="select"><span>"judged by"</span><b>{now.title()}</b></p> }
            .into_any();
    }
    let wish = held.wish;
    let change = move |event: Event| {
        let provider = Provider::from_name(&chosen(&event, now.name()));
        desk.reread(Wish { provider, family: None, ..wish }, "judged-by");
    };
    let option = move |provider: Provider| {
        view! { <option value=provider.name() prop:selected=provider == now>{provider.title()}</option> }
    };
    view! {
        <label class="select" title="The providers whose rules are for entries like these"><span>"judged by"</span>
            <select id="judged-by" on:change=change>{fits.iter().copied().map(option).collect_view()}</select>
        </label>
    }
    .into_any()
}

/// The model, and the choice of its family where rules depend on it.
#[component]
pub(crate) fn FamilySelect() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let families = choices::families(held.transcript.provider());
    if families.is_empty() {
        let named = held.transcript.request().model.is_some();
        return named
            .then(|| view! { <p class="select"><span>"model"</span><b>{choices::model(&held)}</b></p> })
            .into_any();
    }
    let wish = held.wish;
    let told = wish.family.and_then(|told| families.iter().position(|&family| family == told));
    let change = move |event: Event| {
        let holds = told.map(|told| told.to_string()).unwrap_or_default();
        let index = chosen(&event, &holds).parse::<usize>().ok();
        let family = index.and_then(|index| families.get(index).copied());
        desk.reread(Wish { family, ..wish }, "model");
    };
    let options = families.iter().enumerate().map(|(index, &family)| {
        view! { <option value=index.to_string() prop:selected=told == Some(index)>"as: "{choices::family(family)}</option> }
    });
    view! {
        <label class="select" title="Some rules depend on the model"><span>"model"</span>
            <select id="model" on:change=change>
                <option value="" prop:selected=told.is_none()>{choices::model(&held)}</option>
                {options.collect_view()}
            </select>
        </label>
    }
    .into_any()
}

/// What the transcript is for: a log may end unfinished, a request may not.
#[component]
pub(crate) fn ModeToggle() -> impl IntoView {
    let desk = Desk::here();
    let wish = desk.held().wish;
    let modes = [
        (Mode::Log, "mode-log", "a log", "Its end may be unfinished"),
        (
            Mode::Request,
            "mode-request",
            "to be sent",
            "Its end is judged too: every call must be answered",
        ),
    ];
    let button = move |(mode, id, name, title): (
        Mode,
        &'static str,
        &'static str,
        &'static str,
    )| {
        view! {
            <button
                type="button"
                id=id
                title=title
                aria-pressed=if wish.mode == mode { "true" } else { "false" }
                on:click=move |_| if wish.mode != mode { desk.reread(Wish { mode, ..wish }, id) }
            >{name}</button>
        }
    };
    view! {
        <div class="select" role="group" aria-label="What it is judged as">
            <span>"as"</span><div class="segments">{modes.map(button)}</div>
        </div>
    }
}
