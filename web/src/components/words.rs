use leptos::prelude::*;

use super::part::CAP;
use crate::desk::Desk;
use crate::model::marks::{Home, Mark, Piece, pieces};
use crate::model::number::counted;
use crate::model::visible::{capped, visible};

/// A text of the transcript with what the ledger holds of it marked. Words of it can be selected and pinned.
#[component]
pub(crate) fn Text(
    /// Whose text it is.
    home: Home,
    /// The part.
    part: usize,
    /// The text, or a piece of it.
    text: String,
    /// Whether it is set in a fixed width.
    code: bool,
) -> impl IntoView {
    let keeper = Desk::here().keeper;
    let all = RwSignal::new(false);
    let (start, hidden) = capped(&text, CAP);
    let (cap, chars) = (start.len(), hidden + CAP);
    let aim = move || keeper.aim.get().filter(|it| (it.home, it.part) == (home, part));
    let text = StoredValue::new(text);
    // Words that were asked for are shown, also those far down.
    Effect::new(move || {
        let place = aim().and_then(|words| text.with_value(|text| words.place_in(text)));
        if place.is_some_and(|place| place.end > cap) {
            all.set(true);
        }
    });
    let shown = Memo::new(move |_| {
        let limit = if all.get() { usize::MAX } else { cap };
        let of_part = |mark: &&Mark| mark.words.part == part;
        let marks: Vec<Mark> =
            keeper.marks.with(|it| it.at(home).iter().filter(of_part).cloned().collect());
        let show = |text: &str| visible(text).into_owned();
        text.with_value(|text| pieces(text, &marks, aim().as_ref(), limit, show))
    });
    let faded = move || hidden > 0 && !all.get();
    let empty = text.with_value(String::is_empty);
    view! {
        <pre class="text" class:code=code class:faded=faded data-home=home.name() data-part=part.to_string()>
            {move || marked(shown.get())}
            {empty.then_some("(empty)")}
        </pre>
        {(hidden > 0).then(|| view! {
            <button type="button" class="show-all" on:click=move |_| all.update(|it| *it = !*it)>
                {move || if all.get() { "Show less".to_owned() } else { format!("Show all {}", counted(chars, "character", "characters")) }}
            </button>
        })}
    }
}

/// Pieces of a text, the marked ones under their marks.
pub(crate) fn marked(pieces: Vec<Piece>) -> impl IntoView {
    let piece = |Piece { text, look, title, aimed }| {
        let class = match look {
            None if !aimed => return text.into_any(),
            None => "words",
            Some(look) => look.class(),
        };
        view! {
            <mark class=format!("words {class}") class:aimed=aimed title=title tabindex=aimed.then_some("-1")>{text}</mark>
        }
        .into_any()
    };
    pieces.into_iter().map(piece).collect_view()
}
