use leptos::prelude::*;

use super::hint::reason;
use crate::desk::{Desk, Spot};
use crate::model::boundary::Boundary;
use crate::model::number::grouped;

/// The details of a boundary: whether it may be cut, why not, and what would be kept.
#[component]
pub(crate) fn BoundaryDetail(
    /// The boundary.
    at: usize,
) -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let boundary = Boundary::of(&held, at);
    let frozen = held.planner.frozen_tokens(at);
    let note = crate::model::budget::note_frame();
    let planner = desk.keeper.planner.get_untracked();
    let ledger = planner.standing.share(at, 0).tokens;
    let cuts = &held.planner.cuts;
    let before = at.checked_sub(1).and_then(|at| cuts.at_or_before(at));
    let near = [("Previous legal cut", before), ("Next legal cut", cuts.at_or_after(at + 1))];
    let link = move |(name, at): (&'static str, Option<usize>)| {
        at.map(|at| view! {
            <button type="button" class="link" on:click=move |_| desk.go_to(Spot::Boundary(at))>{name}" "{at}</button>
        })
    };
    let legal = boundary.is_legal();
    view! {
        <article class="detail">
            <h2>{format!("Boundary {at}")}<span class="tag" class:good=legal class:bad=!legal>{if legal { "legal" } else { "illegal" }}</span></h2>
            <p>{if legal {
                "Folding here parts no pair and no response, and touches nothing that the model has not read."
            } else {
                "Folding here would break the transcript:"
            }}</p>
            {boundary.why.iter().map(reason).collect_view()}
            <dl class="floor">
                <div><dt>"entries at and after it"</dt><dd>{grouped(boundary.kept)}</dd></div>
                <div><dt>"system, tools, system entries"</dt><dd>{grouped(frozen)}</dd></div>
                <div><dt>"the marker of the note, at most"</dt><dd>{grouped(note)}</dd></div>
                {(ledger > 0).then(|| view! { <div><dt>"the ledger"</dt><dd>{grouped(ledger)}</dd></div> })}
                <div class="sum"><dt>"tokens if cut here, without the note's lines"</dt><dd>{grouped(boundary.kept + frozen + note + ledger)}</dd></div>
            </dl>
            <p class="links">{near.map(link)}</p>
        </article>
    }
}
