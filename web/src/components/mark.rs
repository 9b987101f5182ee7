use leptos::prelude::*;

use crate::desk::{Desk, Spot};
use crate::model::boundary::Boundary;

/// A boundary between two rows: a button whose name says whether it may be cut, and why not.
#[component]
pub(crate) fn Mark(
    /// The boundary.
    at: usize,
) -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let legal = held.planner.cuts.legal(at);
    let tail = at > held.live;
    let class = match (legal, tail) {
        (true, _) => "mark legal",
        (false, true) => "mark tail",
        (false, false) => "mark illegal",
    };
    let selected = move || desk.spot.get() == Some(Spot::Boundary(at));
    // One row of the list is a stop of the Tab key; the arrow keys do the rest.
    let stop = move || match desk.spot.get() {
        Some(spot) => spot.row() == at,
        None => at == 0,
    };
    view! {
        <button
            type="button"
            id=format!("boundary-{at}")
            class=class
            class:selected=selected
            class:chosen=move || desk.shape.get().cut == Some(at)
            tabindex=move || if stop() { "0" } else { "-1" }
            aria-label=Boundary::of(&held, at).name()
            on:click=move |_| {
                desk.select(Spot::Boundary(at));
                desk.sheet.set(true);
            }
            on:pointerenter=move |_| desk.hint.set(Some(at))
            on:pointerleave=move |_| desk.hint.set(None)
            on:focus=move |_| desk.hint.set(Some(at))
            on:blur=move |_| desk.hint.set(None)
        ></button>
        {move || line(desk, at)}
    }
}

/// The line that a boundary draws across the list, if the decision makes it stand out.
fn line(desk: Desk, at: usize) -> Option<impl IntoView> {
    let shape = desk.shape.get();
    let (class, text) = if shape.cut == Some(at) {
        ("line cut", "")
    } else if shape.target == Some(at) {
        ("line target", "target")
    } else if shape.before == Some(at) || shape.after == Some(at) {
        ("line near", "nearest legal cut")
    } else {
        return None;
    };
    Some(view! { <span class=class><b>{text}</b></span> })
}
