use leptos::prelude::*;
use pinfold::transcript::{Format, Weight};

use crate::desk::{Desk, Panel};
use crate::house::House;
use crate::model::intake::Wish;
use crate::model::loaded::title;
use crate::model::number::{grouped, percent};
use crate::model::visible::one_line;

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
            <FormatSelect />
            <DocumentSelect />
            <dl>
                <div><dt>"provider"</dt><dd>{held.provider()}</dd></div>
                <div><dt>"entries"</dt><dd>{count(held.len())}</dd></div>
                <div><dt>"exchanges"</dt><dd>{count(structure.exchanges.len())}</dd></div>
                <div><dt>"rounds"</dt><dd>{count(structure.rounds.len())}</dd></div>
                <div><dt>"tokens"</dt><dd>{grouped(held.total)}<em>{held.kind()}</em></dd></div>
                <div><dt>"illegal boundaries"</dt><dd>{illegal}<em>{format!("{} of {}", count(cuts.illegal()), count(cuts.len()))}</em></dd></div>
                <div>
                    <dt>"violations"</dt>
                    <dd><button type="button" class="fact-link" class:bad=violations != 0 on:click=move |_| show(Panel::Violations)>{count(violations)}</button></dd>
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

/// The format as it was detected, and the choice of another.
#[component]
fn FormatSelect() -> impl IntoView {
    let house = House::here();
    let held = Desk::here().held();
    let told = held.wish.format;
    let detected = held.detected.as_ref().map(|detected| {
        format!("{}, {:.0} %", title(detected.format), detected.confidence * 100.0)
    });
    let detected = detected.unwrap_or_else(|| "Detect the format".into());
    let (source, pick) = (held.source.clone(), held.wish.pick);
    let change = move |event| {
        let format = Format::from_name(&event_target_value(&event));
        house.read_as(source.clone(), Wish { format, pick });
    };
    view! {
        <label class="select" title="The format, and how sure its detection is"><span>"format"</span>
            <select on:change=change>
                <option value="" selected=told.is_none()>{detected}</option>
                {Format::ALL.map(|format| view! {
                    <option value=format.name() selected=told == Some(format)>"as "{title(format)}</option>
                })}
            </select>
        </label>
    }
}

/// The choice between the transcripts of an input that holds several.
#[component]
fn DocumentSelect() -> impl IntoView {
    let house = House::here();
    let held = Desk::here().held();
    let (source, format, picked) = (held.source.clone(), held.wish.format, held.picked);
    let change = move |event| {
        let pick = event_target_value(&event).parse().ok();
        house.read_as(source.clone(), Wish { format, pick });
    };
    let options = held.candidates.iter().enumerate().map(|(index, candidate)| {
        let label = one_line(&candidate.label, 48);
        let text = format!("{} {label}: {} entries", index + 1, grouped(candidate.entries as u64));
        view! { <option value=index.to_string() selected=index == picked>{text}</option> }
    });
    let several = held.candidates.len() > 1;
    several.then(|| {
        view! {
            <label class="select"><span>"transcript"</span>
                <select on:change=change>{options.collect_view()}</select>
            </label>
        }
    })
}
