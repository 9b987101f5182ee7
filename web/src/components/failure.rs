use leptos::prelude::*;

use super::icons::{CLOSE, Icon};
use crate::house::House;
use crate::model::intake::Wish;
use crate::model::loaded::title;
use crate::model::visible::one_line;
use pinfold::transcript::Format;

/// Why an input could not be opened, and the way out.
#[component]
pub(crate) fn FailureView() -> impl IntoView {
    let house = House::here();
    let body = move || {
        let (failure, source) = house.failure.get()?;
        let retry = (failure.code == "unknown-format").then(|| {
            let button = move |format: Format| {
                let source = source.clone();
                let told = Wish { format: Some(format), pick: None };
                view! {
                    <button type="button" on:click=move |_| house.read_as(source.clone(), told)>{title(format)}</button>
                }
            };
            view! { <p class="retry"><span>"Read it as"</span>{Format::ALL.map(button)}</p> }
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
