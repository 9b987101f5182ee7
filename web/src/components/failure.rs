use std::sync::Arc;

use leptos::prelude::*;
use pinfold::transcript::Format;

use super::icons::{CLOSE, Icon};
use crate::house::{House, Session};
use crate::model::choices;
use crate::model::intake::{Source, Wish};
use crate::model::visible::one_line;

/// Why an input could not be opened, and the way out.
#[component]
pub(crate) fn FailureView() -> impl IntoView {
    let house = House::here();
    let body = move || {
        let (failure, source) = house.failure.get()?;
        let retry = failure.is_about_format().then(|| {
            view! { <Retry source told=failure.told.is_some() /> }
        });
        Some(view! {
            <section class="failure" role="alert" aria-label="The input could not be opened">
                <div>
                    <h2>{one_line(&failure.name, 80)}" could not be read "<code>{failure.code}</code></h2>
                    <p>{one_line(&failure.message, 1000)}</p>
                    <p class="way-out">{failure.way_out}</p>
                    {retry}
                </div>
                <button type="button" class="square" aria-label="Dismiss" on:click=move |_| house.failure.set(None)><Icon path=CLOSE /></button>
            </section>
        })
    };
    view! { {body} }
}

/// The ways to read an input whose format is not what it was taken for.
#[component]
fn Retry(source: Source, told: bool) -> impl IntoView {
    let house = House::here();
    let open = house.held.get_untracked();
    let open = open.filter(|held| Arc::ptr_eq(&held.source.bytes, &source.bytes));
    let again = source.clone();
    let back = match open {
        Some(held) => {
            let name = format!("Back to {}", held.transcript.format().title());
            view! { <button type="button" class="primary" on:click=move |_| house.failure.set(None)>{name}</button> }.into_any()
        }
        None => told
            .then(|| view! { <button type="button" class="primary" on:click=move |_| house.read_as(again.clone(), Wish::default(), None, Session::Begins)>"Detect the format"</button> })
            .into_any(),
    };
    let button = move |format: Format| {
        let source = source.clone();
        let wish = Wish { format: Some(format), ..Wish::default() };
        view! {
            <button type="button" on:click=move |_| house.read_as(source.clone(), wish, None, Session::Begins)>{format.title()}</button>
        }
    };
    let group = move |(name, formats): (&'static str, Vec<Format>)| {
        view! { <p class="retry-group"><b>{name}</b>{formats.into_iter().map(button.clone()).collect_view()}</p> }
    };
    view! {
        <div class="retry">
            {back}
            <details>
                <summary>{format!("Looked for {} formats. Read it as…", Format::ALL.len())}</summary>
                {choices::groups().map(group)}
            </details>
        </div>
    }
}
