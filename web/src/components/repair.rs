use std::sync::Arc;

use leptos::prelude::*;

use super::part::Copy;
use super::violations::{head, words};
use crate::browser;
use crate::desk::{Desk, Mending};
use crate::model::mending::{Done, Mended};

/// What was mended, what is left, and the ways to take the result along.
#[component]
pub(crate) fn RepairView(mended: Arc<Mended>) -> impl IntoView {
    let desk = Desk::here();
    let held = desk.held();
    let numbers =
        [("violations before", mended.before.clone()), ("violations after", mended.after.clone())];
    let number = |(name, value): (&'static str, String)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
    let clean = mended.left.is_empty();
    view! {
        <article class="detail repair">
            <h2 id="repair-title" tabindex="-1" class:clean=clean><span class="sign" aria-hidden="true"></span>{mended.headline.clone()}</h2>
            <button type="button" class="link back" on:click=move |_| desk.mending.set(Mending::Unasked)>"← Violations"</button>
            <dl class="floor">
                {numbers.map(number)}
                {held.written().map(|written| view! { <div><dt>"written as"</dt><dd>{written}</dd></div> })}
            </dl>
            <Ways mended=mended.clone() />
            <Changes mended=mended.clone() />
            <Left mended />
        </article>
    }
}

/// What can be done with the result.
#[component]
fn Ways(mended: Arc<Mended>) -> impl IntoView {
    let desk = Desk::here();
    let file = desk.held().source.file("repaired");
    mended.is_mended().then(|| {
        let (used, copied, saved) = (mended.clone(), mended.clone(), mended.clone());
        view! {
            <p class="detail-tools">
                <button type="button" class="primary" on:click=move |_| desk.use_mended(&used)>"Use the repaired transcript"</button>
                <Copy name="Copy" text=move || copied.text.clone() />
                <button type="button" on:click=move |_| { let _ = browser::download(&file, &saved.text); }>"Save"</button>
            </p>
        }
    })
}

/// Everything that was done, in its order.
#[component]
fn Changes(mended: Arc<Mended>) -> impl IntoView {
    let desk = Desk::here();
    let item = move |change: &Done| {
        let Done { what, code, entry, ids, message } = change.clone();
        view! {
            <li>
                <p class="violation-head">
                    <span class="tag done">{what}</span>
                    <span class="for">"for "<b>{code}</b></span>
                    <button type="button" class="where link" on:click=move |_| desk.point_at(entry)>{format!("entry {entry}")}</button>
                </p>
                {(!ids.is_empty()).then(|| view! { <code class="about">{ids}</code> })}
                <p>{message}</p>
            </li>
        }
    };
    let more = mended.more;
    mended.is_mended().then(|| {
        view! {
            <h3>"What was done"</h3>
            <ol class="changes" role="list">{mended.changes.iter().map(item).collect_view()}</ol>
            {(more > 0).then(|| view! { <p class="detail-facts">{format!("and {more} more")}</p> })}
        }
    })
}

/// What a person must look at.
#[component]
fn Left(mended: Arc<Mended>) -> impl IntoView {
    let more = mended.more_left;
    (!mended.left.is_empty()).then(|| {
        let items = mended.left.iter().cloned().map(|told| {
            view! {
                <li>
                    <p class="violation-head">{head(&told)}<span class="where">{told.place.clone()}</span></p>
                    {words(told)}
                </li>
            }
        });
        view! {
            <h3>"Left for a person"</h3>
            <p class="detail-facts">"Nobody can know the piece that is missing here. The entries are counted in the repaired transcript."</p>
            <ol class="violations" role="list">{items.collect_view()}</ol>
            {(more > 0).then(|| view! { <p class="detail-facts">{format!("and {more} more")}</p> })}
        }
    })
}
