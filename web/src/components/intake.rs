use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use super::formats::Formats;
use crate::house::House;
use crate::model::intake::SAMPLES;

/// Paste, drop, choose a file, or take a sample.
#[component]
pub(crate) fn Intake(
    /// Whether this is all that the page shows.
    landing: bool,
) -> impl IntoView {
    let house = House::here();
    let field = NodeRef::<html::Textarea>::new();
    let read = move || {
        if let Some(field) = field.get_untracked() {
            house.open_text(field.value());
        }
    };
    let chosen = move |event: web_sys::Event| {
        let input = event.target().map(JsCast::unchecked_into::<HtmlInputElement>);
        if let Some(input) = input {
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                house.open_file(file);
            }
            // The same file can be chosen again after it was changed.
            input.set_value("");
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
            read();
        }
    };
    view! {
        <div class="intake">
            {landing.then(|| view! { <Lead /> })}
            {(!landing).then(|| view! { <h2>"Open another transcript"</h2> })}
            <label class="hidden" for="transcript">"Transcript, as JSON or JSON Lines"</label>
            <textarea
                id="transcript"
                class="transcript"
                node_ref=field
                rows=if landing { "11" } else { "8" }
                spellcheck="false"
                autocomplete="off"
                placeholder="Paste a transcript: the body of a request, its list of messages, or a whole session log"
                on:keydown=on_key
            ></textarea>
            <div class="intake-row">
                <button type="button" class="primary" on:click=move |_| read()>"Read it"</button>
                <label class="button file">"Choose a file…"<input type="file" on:change=chosen /></label>
                {(!landing).then(|| view! { <button type="button" class="quiet" on:click=move |_| house.opening.set(false)>"Cancel"</button> })}
                <span class="intake-hint">"or drop one anywhere, or press Ctrl V"</span>
            </div>
            <h2 class="samples-title">"Samples"</h2>
            <ul class="samples" role="list">
                {SAMPLES.map(|sample| view! {
                    <li><button type="button" on:click=move |_| house.open(sample.source())>
                        <b>{sample.name}</b><span>{sample.about}</span>
                    </button></li>
                })}
            </ul>
        </div>
    }
}

/// What the page is for.
#[component]
fn Lead() -> impl IntoView {
    view! {
        <h2 class="lead">"See why an agent broke, and where its transcript may be cut."</h2>
        <p class="lead-more">
            "Every boundary between two entries is checked: legal, or illegal and why. Drag a budget and see what would be folded. "
            "What a provider would refuse is told in its own words, and mended on a click."
        </p>
        <Formats />
        <p class="privacy">"Nothing leaves this page. Once it has loaded, its own policy forbids every request."</p>
    }
}
