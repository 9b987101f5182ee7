use leptos::prelude::*;

use crate::desk::{Desk, Spot};
use crate::model::boundary::Boundary;
use crate::model::budget::Line;

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
    // While the slider moves, only a boundary that changes is drawn again.
    let line = Memo::new(move |_| desk.shape.get().line(at));
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
            class:chosen=move || line.get() == Some(Line::Cut)
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
        {move || line.get().map(drawn)}
    }
}

/// The line that a boundary draws across the list.
fn drawn(line: Line) -> impl IntoView {
    let (class, text) = match line {
        Line::Cut => ("line cut", ""),
        Line::Target => ("line target", "target"),
        Line::Near => ("line near", "nearest legal cut"),
    };
    view! { <span class=class><b>{text}</b></span> }
}
