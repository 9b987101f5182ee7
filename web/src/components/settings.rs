use leptos::prelude::*;
use pinfold::transcript::Format;
use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlSelectElement};

use super::icons::{DOWN, Icon};
use super::judges::{FamilySelect, ModeToggle, ProviderSelect};
use crate::desk::Desk;
use crate::house::House;
use crate::model::choices;
use crate::model::intake::Wish;
use crate::model::number::grouped;
use crate::model::visible::one_line;

/// How the transcript is read and judged, and the choice of another way.
#[component]
pub(crate) fn Settings() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let format = held.transcript.format().title();
    let provider = held.transcript.provider().title();
    view! {
        <section class="settings" class:open=move || desk.settings.get() aria-label="How it is read and judged">
            <button
                type="button"
                class="settings-open"
                aria-controls="settings"
                aria-expanded=move || if desk.settings.get() { "true" } else { "false" }
                on:click=move |_| desk.settings.update(|open| *open = !*open)
            >
                <span class="settings-told"><b>{format}</b>", judged by "<b>{provider}</b></span>
                <Icon path=DOWN />
            </button>
            <div class="settings-row" id="settings">
                <FormatSelect />
                <DocumentSelect />
                <ProviderSelect />
                <FamilySelect />
                <ModeToggle />
            </div>
        </section>
    }
}

/// The format as it was detected, and the choice of another.
#[component]
fn FormatSelect() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let told = held.wish.format;
    // What was made here is read as what it was made as, and nobody had to tell.
    let mark = told.is_some() && House::here().made().is_none();
    let wish = Wish { pick: held.wish.pick, mode: held.wish.mode, ..Wish::default() };
    let change = move |event: Event| {
        let format = Format::from_name(&chosen(&event, told.map_or("", Format::name)));
        desk.reread(Wish { format, ..wish }, "read-as");
    };
    let option = move |format: Format| {
        view! { <option value=format.name() prop:selected=told == Some(format)>{format.title()}</option> }
    };
    let group = move |(name, formats): (&'static str, Vec<Format>)| {
        view! { <optgroup label=name>{formats.into_iter().map(option).collect_view()}</optgroup> }
    };
    view! {
        <label class="select" title="The format, and how sure its detection is"><span>"read as"</span>
            <select id="read-as" on:change=change>
                <option value="" prop:selected=told.is_none()>{choices::detected(&held)}</option>
                {choices::groups().map(group)}
            </select>
            {mark.then(|| view! { <em>"as told"</em> })}
        </label>
    }
}

/// The choice between the transcripts of an input that holds several.
#[component]
fn DocumentSelect() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let (wish, picked) = (held.wish, held.picked);
    let change = move |event: Event| {
        let pick = chosen(&event, &picked.to_string()).parse().ok();
        desk.reread(Wish { pick, ..wish }, "transcript-select");
    };
    let options = held.candidates.iter().enumerate().map(|(index, candidate)| {
        let label = one_line(&candidate.label, 48);
        let text = format!("{} {label}: {} entries", index + 1, grouped(candidate.entries as u64));
        view! { <option value=index.to_string() prop:selected=index == picked>{text}</option> }
    });
    let several = held.candidates.len() > 1;
    several.then(|| {
        view! {
            <label class="select"><span>"transcript"</span>
                <select id="transcript-select" on:change=change>{options.collect_view()}</select>
            </label>
        }
    })
}

/// What was chosen. Until it has been read, and if it cannot be, the select shows what holds.
pub(super) fn chosen(event: &Event, holds: &str) -> String {
    let value = event_target_value(event);
    let select = event.target().and_then(|it| it.dyn_into::<HtmlSelectElement>().ok());
    if let Some(select) = select {
        select.set_value(holds);
    }
    value
}
