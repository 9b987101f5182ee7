use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::KeyboardEvent;

use super::hint::Hint;
use super::mark::Mark;
use super::note::NoteView;
use super::row::RowView;
use crate::browser;
use crate::desk::{Desk, Spot};

/// One thing in the list.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Item {
    Entry(usize),
    Note,
    End,
}

/// The transcript, of which only the rows in sight are drawn.
#[component]
pub(crate) fn List() -> impl IntoView {
    let desk = Desk::here();
    let len = desk.held().len();
    let drawn = Memo::new(move |_| {
        let (top, height) = desk.scroll.get();
        desk.geometry.get().drawn(top, height)
    });
    let items = Memo::new(move |_| {
        let ((first, last), cut) = (drawn.get(), desk.shape.get().cut);
        let mut items = Vec::with_capacity(last - first + 1);
        for row in first..last {
            if cut == Some(row) {
                items.push(Item::Note);
            }
            items.push(if row < len { Item::Entry(row) } else { Item::End });
        }
        items
    });
    let before = Memo::new(move |_| {
        let (geometry, (first, _)) = (desk.geometry.get(), drawn.get());
        // A block at the first row is drawn, so it is not part of the space above.
        let block = geometry.block.filter(|&(at, _)| at == first).map_or(0.0, |(_, it)| it);
        geometry.top(first) - block
    });
    let after = Memo::new(move |_| {
        let (geometry, (_, last)) = (desk.geometry.get(), drawn.get());
        if last < geometry.rows { geometry.height() - geometry.top(last) } else { 0.0 }
    });
    // The height is known only when the list is laid out.
    Effect::new(move || {
        if desk.list.get().is_some() {
            spawn_local(async move {
                browser::painted().await;
                desk.scrolled();
            });
        }
    });
    view! {
        <div class="list-frame">
            <div
                class="list"
                tabindex="-1"
                node_ref=desk.list
                on:scroll=move |_| desk.scrolled()
                on:keydown=move |event| walk(desk, &event)
            >
            <ul
                id="list"
                role="list"
                aria-label="Entries"
                style:padding-top=move || format!("{}px", before.get())
                style:padding-bottom=move || format!("{}px", after.get())
            >
                <For each=move || items.get() key=|item| *item let:item>
                    {match item {
                        Item::Entry(entry) => view! { <RowView entry /> }.into_any(),
                        Item::Note => view! { <NoteView /> }.into_any(),
                        Item::End => view! {
                            <li class="row end" aria-setsize=(len + 1).to_string() aria-posinset=(len + 1).to_string()>
                                <Mark at=len />
                                <span class="end-text">"end of the transcript"</span>
                            </li>
                        }.into_any(),
                    }}
                </For>
            </ul>
            </div>
            <Hint />
        </div>
    }
}

/// Arrow keys inside the list: up and down along rows or boundaries, left and right between the two.
fn walk(desk: Desk, event: &KeyboardEvent) {
    let Some(spot) = desk.spot.get_untracked() else { return };
    let last = desk.held().len();
    let to = match (&*event.key(), spot) {
        ("ArrowDown", Spot::Entry(at)) => Spot::Entry((at + 1).min(last - 1)),
        ("ArrowUp", Spot::Entry(at)) => Spot::Entry(at.saturating_sub(1)),
        ("ArrowDown", Spot::Boundary(at)) => Spot::Boundary((at + 1).min(last)),
        ("ArrowUp", Spot::Boundary(at)) => Spot::Boundary(at.saturating_sub(1)),
        ("ArrowLeft", Spot::Entry(at)) => Spot::Boundary(at),
        ("ArrowRight", Spot::Boundary(at)) => Spot::Entry(at.min(last - 1)),
        _ => return,
    };
    event.prevent_default();
    desk.go_to(to);
}
