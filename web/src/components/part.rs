use leptos::prelude::*;
use leptos::task::spawn_local;
use pinfold::pairing::Place;
use pinfold::tokens::part_tokens;
use pinfold::transcript::PartKind;

use super::row::chip;
use super::words::Text;
use crate::browser;
use crate::desk::Desk;
use crate::model::json;
use crate::model::marks::Home;
use crate::model::number::{counted, grouped};
use crate::model::pretty::pretty;
use crate::model::row;
use crate::model::visible::{capped, visible};

/// Characters of a long text that are shown at once.
pub(super) const CAP: usize = 4000;

/// A part of an entry, decoded.
#[component]
pub(crate) fn PartView(
    /// The entry.
    entry: usize,
    /// The part, counted within its entry.
    part: usize,
) -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let content = held.transcript.parts(entry)[part];
    let place = Place { entry: entry as u32, part: part as u32 };
    let home = Home::Entry(entry);
    let mark = row::chip(&held, &content, place);
    let id = mark.as_ref().map(|it| it.id.clone()).filter(|id| !id.is_empty());
    let title = match mark {
        Some(mark) => chip(desk, mark).into_any(),
        None => {
            view! { <span class="chip plain"><span class="word">"text"</span></span> }.into_any()
        }
    };
    let text = held.transcript.part_text(&content);
    let code = !matches!(content.kind, PartKind::Text | PartKind::Thinking);
    let body = match content.kind {
        PartKind::Call { .. } => arguments(home, part, &text),
        PartKind::Opaque | PartKind::Media => {
            view! { <Capped text=pretty(&text) code /> }.into_any()
        }
        _ => view! { <Text home part text=text.into_owned() code /> }.into_any(),
    };
    let tokens = u64::from(part_tokens(&held.transcript, &content));
    let copied = move || {
        let held = desk.held();
        held.transcript.part_text(&held.transcript.parts(entry)[part]).into_owned()
    };
    view! {
        <section class="part" aria-label=format!("Part {}", part + 1)>
            <p class="part-head">
                {title}
                {id.map(|id| view! { <code class="part-id"><bdi>{id}</bdi></code> })}
                <span class="part-tokens" title="Estimated from the text">"≈ "{grouped(tokens)}</span>
                <Copy name="Copy" text=copied />
            </p>
            {body}
        </section>
    }
}

/// The arguments of a call, each under its name, strings as the text that they are.
fn arguments(home: Home, part: usize, text: &str) -> AnyView {
    let Some(members) = json::members(text).filter(|members| !members.is_empty()) else {
        return view! { <Capped text=pretty(text) code=true /> }.into_any();
    };
    let member = move |(name, value): (String, &str)| {
        let value = match value.strip_prefix('"') {
            Some(inner) => json::string(inner, usize::MAX),
            None => pretty(value),
        };
        view! {
            <p class="argument"><bdi>{visible(&name).into_owned()}</bdi></p>
            <Text home part text=value code=true />
        }
    };
    members.into_iter().map(member).collect_view().into_any()
}

/// A text of which the beginning is shown until the whole is asked for.
#[component]
pub(crate) fn Capped(
    /// The text.
    text: String,
    /// Whether it is set in a fixed width.
    code: bool,
) -> impl IntoView {
    let all = RwSignal::new(false);
    let (_, hidden) = capped(&text, CAP);
    let chars = hidden + CAP;
    let body = move || {
        let (shown, _) = if all.get() { (&*text, 0) } else { capped(&text, CAP) };
        if shown.is_empty() { "(empty)".to_owned() } else { visible(shown).into_owned() }
    };
    let faded = move || hidden > 0 && !all.get();
    view! {
        <pre class="text" class:code=code class:faded=faded>{body}</pre>
        {(hidden > 0).then(|| view! {
            <button type="button" class="show-all" on:click=move |_| all.update(|it| *it = !*it)>
                {move || if all.get() { "Show less".to_owned() } else { format!("Show all {}", counted(chars, "character", "characters")) }}
            </button>
        })}
    }
}

/// A button that copies a text, and says whether it did.
#[component]
pub(crate) fn Copy<F>(
    /// What the button says.
    name: &'static str,
    /// The text, made when it is asked for.
    text: F,
) -> impl IntoView
where
    F: Fn() -> String + 'static,
{
    let said = RwSignal::new("");
    let copy = move |_| {
        let text = text();
        spawn_local(async move {
            let done = browser::copy(&text).await;
            said.set(if done { "Copied" } else { "Not allowed" });
            browser::pause(1600).await;
            said.set("");
        });
    };
    view! {
        <button type="button" class="copy" on:click=copy>
            <span aria-live="polite">{move || if said.get().is_empty() { name } else { said.get() }}</span>
        </button>
    }
}
