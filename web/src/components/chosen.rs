use leptos::prelude::*;
use pinfold::ledger::Class;

use crate::desk::Desk;
use crate::model::chosen::Chosen;

/// The buttons at words that are selected, which pin them.
#[component]
pub(crate) fn ChosenTools() -> impl IntoView {
    let keeper = Desk::here().keeper;
    let tools = move |Chosen { at: (x, y), .. }: Chosen| {
        view! {
            // A press must not take the selection away before it is used.
            <div
                class="chosen-tools"
                role="group"
                aria-label="Pin the selected words"
                style:left=format!("min({x:.0}px, 100vw - 330px)")
                style:top=format!("clamp(8px, {:.0}px, 100dvh - 48px)", y + 6.0)
                on:mousedown=|event| event.prevent_default()
            >
                <button type="button" class="primary" on:click=move |_| keeper.pin_chosen(Class::Constraint)>"Pin this"<kbd aria-hidden="true">"p"</kbd></button>
                <button type="button" class="quiet" on:click=move |_| keeper.pin_chosen(Class::Commitment)>"as commitment"</button>
                <button type="button" class="quiet" on:click=move |_| keeper.pin_chosen(Class::OpenQuestion)>"as question"</button>
            </div>
        }
    };
    move || keeper.chosen.get().map(tools)
}

/// What the page says about the last step with the ledger.
#[component]
pub(crate) fn SaidLine() -> impl IntoView {
    let keeper = Desk::here().keeper;
    let refused = move || keeper.said.with(|said| said.as_ref().is_some_and(|said| said.refused));
    let body = move || {
        let said = keeper.said.get()?;
        Some(view! {
            <span>{said.text}</span>
            {said.undo.then(|| view! { <button type="button" class="link" on:click=move |_| keeper.undo()>"Undo"</button> })}
            <button type="button" class="link" on:click=move |_| keeper.said.set(None)>"Close"</button>
        })
    };
    view! { <div class="said" class:refused=refused role="status">{body}</div> }
}
