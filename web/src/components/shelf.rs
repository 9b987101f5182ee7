use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, SubmitEvent};

use super::part::Copy;
use crate::browser;
use crate::desk::Desk;

/// The ways to take the ledger along and to bring one in.
#[component]
pub(crate) fn Shelf() -> impl IntoView {
    let keeper = Desk::here().keeper;
    let importing = RwSignal::new(false);
    let json = move || keeper.ledger.with_untracked(pinfold::Ledger::to_json);
    let past = move || {
        keeper.ledger.track();
        keeper.has_past()
    };
    view! {
        <p class="item-tools">
            <button type="button" on:click=move |_| { let _ = browser::download("ledger.json", &json()); }>"Export"</button>
            <Copy name="Copy" text=json />
            <button type="button" aria-expanded=move || if importing.get() { "true" } else { "false" } on:click=move |_| importing.update(|it| *it = !*it)>"Import…"</button>
            <button type="button" class="quiet" disabled=move || !past() on:click=move |_| keeper.undo()>"Undo"<kbd aria-hidden="true">"u"</kbd></button>
        </p>
        <Show when=move || importing.get()><Import importing /></Show>
    }
}

/// A ledger that was exported, from a file or as text.
#[component]
fn Import(importing: RwSignal<bool>) -> impl IntoView {
    let keeper = Desk::here().keeper;
    let text = RwSignal::new(String::new());
    let take = move |json: &str| {
        if keeper.import(json) {
            importing.set(false);
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        take(&text.get_untracked());
    };
    let chosen = move |event: Event| {
        let input = event.target().map(JsCast::unchecked_into::<HtmlInputElement>);
        let file = input.as_ref().and_then(|input| input.files()?.get(0));
        if let Some(input) = input {
            // The same file can be chosen again after it was changed.
            input.set_value("");
        }
        let Some(file) = file else { return };
        spawn_local(async move {
            let bytes = browser::bytes_of(&file).await.unwrap_or_default();
            take(&String::from_utf8_lossy(&bytes));
        });
    };
    view! {
        <form class="import" aria-label="Import a ledger" on:submit=submit>
            <label for="ledger-text">"A ledger that was exported; it takes the place of this one"</label>
            <textarea
                id="ledger-text"
                rows="3"
                spellcheck="false"
                placeholder="{ \"pinfold\": \"ledger\", … }"
                on:input=move |event| text.set(event_target_value(&event))
            ></textarea>
            <p class="item-tools">
                <button type="submit" class="primary">"Import"</button>
                <label class="button file">"Choose a file…"<input type="file" accept=".json,application/json" on:change=chosen /></label>
                <button type="button" class="quiet" on:click=move |_| importing.set(false)>"Cancel"</button>
            </p>
        </form>
    }
}
