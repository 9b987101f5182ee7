use leptos::prelude::*;

use crate::desk::Desk;
use crate::model::budget::Bar;
use crate::model::number::grouped;

/// Tokens before and after, on one scale, with the budget as a line through both.
#[component]
pub(crate) fn Bars() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let before = Bar::before(&held);
    let scale = move |tokens: u64| tokens as f64 * 100.0 / before.total().max(1) as f64;
    let after = Memo::new(move |_| desk.decision.with(|decision| Bar::after(&held, decision)));
    let label = Memo::new(move |_| {
        desk.decision.with(|decision| if decision.name() == "stuck" { "floor" } else { "after" })
    });
    let shown = move || after.get().unwrap_or_default();
    let width =
        move |part: fn(&Bar) -> u64| move || format!("{:.3}%", scale(part(&shown())).min(100.0));
    let fixed = move |tokens: u64| format!("{:.3}%", scale(tokens));
    view! {
        <div class="bars">
            <div class="bar-line">
                <span class="bar-name">"now"</span>
                <span class="bar" aria-hidden="true">
                    <i class="fixed" style:width=fixed(before.fixed)></i>
                    <i class="kept" style:width=fixed(before.kept)></i>
                    <i class="live" style:width=fixed(before.live)></i>
                </span>
                <span class="bar-total">{grouped(before.total())}</span>
            </div>
            <div class="bar-line" class:none=move || after.get().is_none()>
                <span class="bar-name">{label}</span>
                <span class="bar" aria-hidden="true">
                    <i class="fixed" style:width=width(|bar| bar.fixed)></i>
                    <i class="note" style:width=width(|bar| bar.note)></i>
                    <i class="kept" style:width=width(|bar| bar.kept)></i>
                    <i class="live" style:width=width(|bar| bar.live)></i>
                </span>
                <span class="bar-total">{move || after.get().map_or_else(|| "—".into(), |bar| grouped(bar.total()))}</span>
            </div>
            <span class="bar-budget" aria-hidden="true"><i style:left=move || format!("{:.3}%", scale(desk.budget.get()).min(100.0))></i></span>
            <p class="bar-key" aria-hidden="true">
                <span class="fixed">"system, tools"</span><span class="note">"note, ledger"</span><span class="kept">"kept"</span><span class="live">"live tail"</span><span class="at">"budget"</span>
            </p>
        </div>
    }
}
