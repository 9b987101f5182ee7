use leptos::prelude::*;
use pinfold::fold::Outcome;

use super::icons::{DOWN, Icon};
use crate::desk::{Desk, Proof};
use crate::model::number::{counted, grouped};
use crate::model::visible::visible;

/// The note, at the place where it would stand.
#[component]
pub(crate) fn NoteView() -> impl IntoView {
    let desk = Desk::here();
    let tokens = move || {
        let held = desk.held();
        let bar = desk.decision.with(|it| crate::model::budget::Bar::after(&held, it));
        bar.map_or(0, |bar| bar.note)
    };
    let text = move || match desk.proof.get() {
        Proof::Unasked | Proof::Working => "Writing the note…".to_owned(),
        Proof::Done(budget, _) if budget != desk.budget.get() => {
            "Let the slider rest to read the note of this budget.".into()
        }
        Proof::Done(_, outcome) => match &*outcome {
            Outcome::Folded(folded) if folded.note.is_empty() => {
                "There is no note: nothing is folded.".into()
            }
            Outcome::Folded(folded) => visible(&folded.note).into_owned(),
            Outcome::Left(_) => "There is no note: nothing is folded.".into(),
            Outcome::Refused(_) => "There is no note: the fold broke a law and is withheld.".into(),
        },
    };
    let merged = move || match desk.proof.get() {
        Proof::Done(_, outcome) => matches!(&*outcome, Outcome::Folded(folded) if folded.merged),
        Proof::Unasked | Proof::Working => false,
    };
    view! {
        <li class="note-block" class:open=move || desk.note_open.get()>
            <button
                type="button"
                class="note-head"
                aria-expanded=move || if desk.note_open.get() { "true" } else { "false" }
                on:click=move |_| desk.toggle_note()
            >
                <Icon path=DOWN />
                <b>{move || if desk.share.get().pins > 0 { "Note and ledger" } else { "Note" }}</b>
                <span>{move || desk.shape.get().cut.map(|cut| format!("stands for entries 0 to {}", cut.saturating_sub(1)))}</span>
                <span class="note-pins">{move || Some(desk.share.get().pins).filter(|&pins| pins > 0).map(|pins| format!("{} word for word", counted(pins, "pin", "pins")))}</span>
                <span class="tokens">{move || grouped(tokens())}<span class="hidden">" tokens"</span></span>
            </button>
            <Show when=move || desk.note_open.get()>
                {move || merged().then(|| view! {
                    <p class="note-merged">"Roles must alternate here: the note is put into the entry below, in front of its own parts."</p>
                })}
                <pre class="note-text" tabindex="0" aria-label="Text of the note">{text}</pre>
            </Show>
        </li>
    }
}
