use leptos::html;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, PointerEvent};

use crate::desk::Desk;
use crate::model::number::percent;
use crate::model::overview::{HEIGHT, Overview};

/// The whole transcript as a strip: columns of tokens, exchanges below them, the cut and the view as marks.
#[component]
pub(crate) fn OverviewStrip() -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let overview = Overview::of(&held);
    let (len, live) = (held.len(), held.live);
    let strip = NodeRef::<html::Div>::new();
    let share = move |at: usize| at as f64 * 100.0 / len.max(1) as f64;
    let cut = move || desk.shape.get().cut.unwrap_or(0);
    let seen = move || {
        let ((top, height), whole) = (desk.scroll.get(), desk.geometry.get().height());
        (top * 100.0 / whole, (height * 100.0 / whole).min(100.0))
    };
    let jump = move |event: PointerEvent| {
        let Some(strip) = strip.get_untracked() else { return };
        let frame = strip.get_bounding_client_rect();
        let at = (f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0);
        let row = (at.clamp(0.0, 1.0) * len as f64) as usize;
        let half = desk.scroll.get_untracked().1 / 2.0;
        desk.scroll_to((desk.geometry.get_untracked().top(row) - half).max(0.0));
    };
    let on_key = move |event: KeyboardEvent| {
        let (top, height) = desk.scroll.get_untracked();
        let end = desk.geometry.get_untracked().height();
        let to = match &*event.key() {
            "ArrowRight" | "ArrowDown" | "PageDown" => top + height * 0.8,
            "ArrowLeft" | "ArrowUp" | "PageUp" => top - height * 0.8,
            "Home" => 0.0,
            "End" => end,
            _ => return,
        };
        event.prevent_default();
        desk.scroll_to(to.clamp(0.0, end));
    };
    let layer = {
        let columns = overview.columns.clone();
        let size = format!("0 0 {} {HEIGHT}", overview.width.max(1));
        move |class: &'static str, clip: Box<dyn Fn() -> String + Send>| {
            view! {
                <svg class=class viewBox=size.clone() preserveAspectRatio="none" aria-hidden="true" style:clip-path=clip>
                    <path d=columns.clone() />
                </svg>
            }
        }
    };
    let exchange = move |&(start, entries, number): &(usize, usize, usize)| {
        view! {
            <i class=format!("hue-{}", number % 6) style:left=format!("{:.3}%", share(start)) style:width=format!("{:.3}%", share(entries))></i>
        }
    };
    let violation = move |&entry: &usize| view! { <i style:left=format!("{:.3}%", share(entry) + share(1) / 2.0)></i> };
    view! {
        <div
            class="overview"
            node_ref=strip
            role="scrollbar"
            tabindex="0"
            aria-label="Overview of the transcript"
            aria-controls="list"
            aria-orientation="horizontal"
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=move || format!("{:.0}", seen().0)
            aria-valuetext=move || percent(seen().0 as u64, 100)
            on:keydown=on_key
            on:pointerdown=move |event: PointerEvent| jump(event)
            on:pointermove=move |event: PointerEvent| if event.buttons() & 1 == 1 { jump(event) }
        >
            {layer("folded", Box::new(move || format!("inset(0 {:.3}% 0 0)", 100.0 - share(cut()))))}
            {layer("kept", Box::new(move || format!("inset(0 {:.3}% 0 {:.3}%)", 100.0 - share(live), share(cut()))))}
            {layer("live", Box::new(move || format!("inset(0 0 0 {:.3}%)", share(live.max(cut())))))}
            <div class="exchanges" aria-hidden="true">{overview.exchanges.iter().map(exchange).collect_view()}</div>
            <div class="troubles" aria-hidden="true">{overview.violations.iter().map(violation).collect_view()}</div>
            <i class="strip-target" class:off=move || desk.shape.get().target.is_none() style:left=move || format!("{:.3}%", share(desk.shape.get().target.unwrap_or(0)))></i>
            <i class="strip-cut" class:off=move || desk.shape.get().cut.is_none() style:left=move || format!("{:.3}%", share(cut()))></i>
            <i class="strip-view" style:left=move || format!("{:.3}%", seen().0) style:width=move || format!("{:.3}%", seen().1)></i>
        </div>
    }
}
