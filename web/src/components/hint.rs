use leptos::prelude::*;

use crate::desk::Desk;
use crate::model::boundary::{Boundary, Why};
use crate::model::number::grouped;

/// The tooltip of the boundary that is pointed at or focused.
#[component]
pub(crate) fn Hint() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let body = move || {
        let at = desk.hint.get()?;
        let (top, height) = desk.scroll.get();
        let y = desk.geometry.get().top(at) - top;
        if y < -1.0 || y > height + 1.0 {
            return None;
        }
        let boundary = Boundary::of(&held, at);
        let low = y > height / 2.0;
        Some(view! {
            <div class="hint" class:low=low class:legal=boundary.is_legal() role="tooltip" style:top=format!("{y}px")>
                <p class="hint-title">{format!("Boundary {at}")}<b>{if boundary.is_legal() { "legal" } else { "illegal" }}</b></p>
                {boundary.why.iter().map(reason).collect_view()}
                {boundary.is_legal().then(|| view! { <p>"Cut here, "{grouped(boundary.kept)}" tokens of entries are kept."</p> })}
            </div>
        })
    };
    view! { {body} }
}

/// A reason with its sentence and its ids.
pub(crate) fn reason(why: &Why) -> impl IntoView + use<> {
    let ids = (!why.ids.is_empty()).then(|| view! { <code>{why.listed()}</code> });
    view! { <p class="reason"><b>{why.name}</b>{why.sentence}{ids}</p> }
}
