use leptos::html;
use leptos::prelude::*;

use crate::house::House;
use crate::model::keys::{DEEDS, KEYS};

/// The keys, and what the signs in the list mean.
#[component]
pub(crate) fn Help() -> impl IntoView {
    let house = House::here();
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move || {
        let open = house.help.get();
        let Some(dialog) = dialog.get() else { return };
        if open && !dialog.open() {
            let _ = dialog.show_modal();
        } else if !open && dialog.open() {
            dialog.close();
        }
    });
    let key = |key: &'static str, what: &'static str| {
        view! { <div><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div> }
    };
    view! {
        <dialog class="help" node_ref=dialog aria-labelledby="help-title" on:close=move |_| house.help.set(false)>
            <h2 id="help-title">"Keys and signs"</h2>
            <div class="help-columns">
                <section aria-label="Keys">
                    <h3>"In the transcript"</h3>
                    <dl class="keys">
                        {KEYS.map(|(name, _, what)| key(name, what))}
                        <div><dt><kbd>"↑"</kbd><kbd>"↓"</kbd></dt><dd>"In the list: the row or boundary above, below"</dd></div>
                        <div><dt><kbd>"←"</kbd><kbd>"→"</kbd></dt><dd>"In the list: to the boundary, to the entry"</dd></div>
                        <div><dt><kbd>"Ctrl"</kbd><kbd>"V"</kbd></dt><dd>"Open what is on the clipboard"</dd></div>
                    </dl>
                </section>
                <section aria-label="Keys of the ledger">
                    <h3>"In the ledger"</h3>
                    <dl class="keys">
                        {DEEDS.map(|(name, _, what)| key(name, what))}
                        <div><dt><kbd>"Enter"</kbd></dt><dd>"Go to the words; "<kbd>"Esc"</kbd>" comes back"</dd></div>
                        <div><dt><kbd>"p"</kbd></dt><dd>"With words of an entry selected: pin them"</dd></div>
                    </dl>
                </section>
                <section aria-label="Signs">
                    <h3>"Signs"</h3>
                    <ul class="signs" role="list">
                        <li><span class="mark legal" aria-hidden="true"></span>"Legal cut: folding here breaks nothing"</li>
                        <li><span class="mark illegal" aria-hidden="true"></span>"Illegal: the entries on both sides are bound together"</li>
                        <li><span class="mark tail" aria-hidden="true"></span>"Illegal: inside the live tail, which is never folded"</li>
                        <li><span class="sign-line cut" aria-hidden="true"></span>"The cut that the budget leads to"</li>
                        <li><span class="sign-line target" aria-hidden="true"></span>"The boundary that the budget asks for"</li>
                        <li><span class="sign-line near" aria-hidden="true"></span>"The nearest legal cuts, where none is in reach"</li>
                        <li><span class="row-pin pinned" aria-hidden="true"></span><span><mark class="words pinned">"pinned"</mark>" words, "<mark class="words candidate">"candidates"</mark>", and words "<mark class="words retired">"no longer in force"</mark></span></li>
                    </ul>
                    <p>"Folded rows stay readable. "<b>"digest"</b>" is a line in the note, "<b>"counted"</b>" only a number in it."</p>
                </section>
            </div>
            <form method="dialog"><button class="primary">"Close"</button></form>
        </dialog>
    }
}
