use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast as _;

use super::desk::DeskView;
use super::failure::FailureView;
use super::help::Help;
use super::intake::Intake;
use super::top::Top;
use crate::browser;
use crate::house::House;

/// The whole page: listens for what is pasted or dropped anywhere.
#[component]
pub(crate) fn App() -> impl IntoView {
    let house = House::new();
    provide_context(house);
    let dragged = RwSignal::new(false);
    listen(house, dragged);
    browser::on_selection(move || house.selecting.set(()));
    view! {
        <Top />
        <FailureView />
        {move || match house.held.get() {
            Some(held) => view! { <DeskView held /> }.into_any(),
            None => view! { <main class="landing"><Intake landing=true /></main> }.into_any(),
        }}
        <OpenDialog />
        <Help />
        <div class="drop" class:on=move || dragged.get() aria-hidden="true">
            <p>"Drop the transcript anywhere"</p>
        </div>
        <div class="reading" class:on=move || house.reading.with(Option::is_some) role="status">
            {move || house.reading.get().map(|name| view! { <p>"Reading "<b>{name.to_string()}</b>"…"</p> })}
        </div>
    }
}

/// The intake again, above a transcript that is already open.
#[component]
fn OpenDialog() -> impl IntoView {
    let house = House::here();
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move || {
        let open = house.opening.get();
        let Some(dialog) = dialog.get() else { return };
        if open && !dialog.open() {
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    view! {
        <dialog class="open-dialog" node_ref=dialog aria-label="Open another transcript" on:close=move |_| house.opening.set(false)>
            <Show when=move || house.opening.get()>
                <Intake landing=false />
            </Show>
        </dialog>
    }
}

fn listen(house: House, dragged: RwSignal<bool>) {
    let pasted = window_event_listener(ev::paste, move |event| {
        let Some(data) = event.clipboard_data() else { return };
        let field = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
        let intake = field.is_some_and(|it| it.class_list().contains("transcript"));
        if browser::is_typing(&event) && !intake {
            return;
        }
        if let Some(file) = browser::first_file(&data) {
            event.prevent_default();
            house.open_file(file);
            return;
        }
        let text = data.get_data("text/plain").unwrap_or_default();
        if text.is_empty() {
            return;
        }
        // A large text would take long to draw in a field, and a small one is wanted there for mending.
        if !intake || text.len() > 200_000 {
            event.prevent_default();
        }
        house.open_text(text);
    });
    let over = window_event_listener(ev::dragover, move |event| {
        event.prevent_default();
        if !dragged.get_untracked() {
            dragged.set(true);
        }
    });
    let left = window_event_listener(ev::dragleave, move |event| {
        if event.related_target().is_none() {
            dragged.set(false);
        }
    });
    let dropped = window_event_listener(ev::drop, move |event| {
        event.prevent_default();
        dragged.set(false);
        let Some(data) = event.data_transfer() else { return };
        if let Some(file) = browser::first_file(&data) {
            house.open_file(file);
        } else if let Ok(text) = data.get_data("text/plain") {
            house.open_text(text);
        }
    });
    on_cleanup(move || {
        pasted.remove();
        over.remove();
        left.remove();
        dropped.remove();
    });
}
