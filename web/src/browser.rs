//! What the page asks of the browser.

use core::ops::Range;

use js_sys::{Array, Promise, Uint8Array};
use leptos::prelude::{document, window};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, DataTransfer, Element, File, HtmlAnchorElement, HtmlElement, Node,
    Storage, Url,
};

/// Takes away what the document shows until the page runs.
pub(crate) fn clear_body() {
    if let Some(body) = document().body() {
        body.set_text_content(None);
    }
}

/// Waits until what was last drawn is on the screen, so that it is seen before a long computation blocks.
pub(crate) async fn painted() {
    let drawn = Promise::new(&mut |resolve, _| {
        // A page that is not looked at draws no frames; it must not wait for one forever.
        let asked = !document().hidden() && window().request_animation_frame(&resolve).is_ok();
        if !asked {
            let _ = window().set_timeout_with_callback(&resolve);
        }
    });
    let _ = JsFuture::from(drawn).await;
    pause(0).await;
}

/// Waits for some milliseconds.
pub(crate) async fn pause(milliseconds: i32) {
    let passed = Promise::new(&mut |resolve, _| {
        let _ =
            window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
    });
    let _ = JsFuture::from(passed).await;
}

/// The bytes of a file; `None` if it cannot be read.
pub(crate) async fn bytes_of(file: &File) -> Option<Vec<u8>> {
    let buffer = JsFuture::from(file.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

/// The first file of what was dropped or pasted.
pub(crate) fn first_file(transfer: &DataTransfer) -> Option<File> {
    transfer.files()?.get(0)
}

/// Puts text on the clipboard; whether it worked.
pub(crate) async fn copy(text: &str) -> bool {
    // Outside a secure context there is no clipboard at all.
    let navigator = window().navigator();
    let there = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if there.map_or(true, |clipboard| clipboard.is_undefined()) {
        return false;
    }
    JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}

/// Saves text as a file. The link points into memory, so nothing leaves the page.
pub(crate) fn download(name: &str, text: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("application/json");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&url)
}

/// Whether an event comes from a field in which keys are text.
pub(crate) fn is_typing(event: &web_sys::Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|element| {
        let kind = element.get_attribute("type").unwrap_or_default();
        match &*element.tag_name() {
            "TEXTAREA" | "SELECT" => true,
            "INPUT" => !matches!(&*kind, "range" | "checkbox"),
            _ => element.is_content_editable(),
        }
    })
}

/// Gives an element of that id the focus; whether there is one.
pub(crate) fn focus(id: &str) -> bool {
    let element = document().get_element_by_id(id).and_then(|it| it.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| element.focus().is_ok())
}

/// Gives the first element of those the focus.
pub(crate) fn focus_first(selector: &str) {
    if let Some(element) = first(selector) {
        let _ = element.focus();
    }
}

/// The id of the element of those that stands before or after the one with the id `id`.
pub(crate) fn beside(selector: &str, id: &str, forward: bool) -> Option<String> {
    let found = document().query_selector_all(selector).ok()?;
    let elements =
        (0..found.length()).filter_map(|at| found.item(at)?.dyn_into::<HtmlElement>().ok());
    let elements: Vec<HtmlElement> = elements.collect();
    let at = elements.iter().position(|element| element.id() == id)?;
    let to = if forward { at + 1 } else { at.checked_sub(1)? };
    elements.get(to).map(|element| element.id())
}

/// Brings the first element of those to the middle, and gives it the focus.
pub(crate) fn show_first(selector: &str) {
    if let Some(element) = first(selector) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Center);
        element.scroll_into_view_with_scroll_into_view_options(&options);
        let _ = element.focus();
    }
}

fn first(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).ok()??.dyn_into().ok()
}

/// What is selected inside an element that says what it shows.
#[derive(Clone, Debug)]
pub(crate) struct Selected {
    /// Whose text the element shows, and which part of it.
    pub(crate) home: String,
    pub(crate) part: String,
    /// The UTF-16 units of its text.
    pub(crate) units: Range<usize>,
    /// Where the selection ends on the screen.
    pub(crate) at: (f64, f64),
}

/// What is selected inside one element with the attribute `data-home`; `None` if it is nothing, or lies in several.
pub(crate) fn selection() -> Option<Selected> {
    let selection = window().get_selection().ok()??;
    if selection.is_collapsed() || selection.range_count() == 0 {
        return None;
    }
    let range = selection.get_range_at(0).ok()?;
    let (first, last) = (home(&range.start_container().ok()?), home(&range.end_container().ok()?));
    let element = first.clone().or_else(|| last.clone())?;
    let chosen = range.clone_range();
    match (&first, &last) {
        (Some(first), Some(last)) if first != last => return None,
        // A click that selects a whole paragraph ends at the beginning of what follows it.
        (Some(_), None) => chosen.set_end(&element, element.child_nodes().length()).ok()?,
        (None, Some(_)) => chosen.set_start(&element, 0).ok()?,
        _ => {}
    }
    let before = chosen.clone_range();
    before.collapse_with_to_start(true);
    before.set_start(&element, 0).ok()?;
    let units = |range: &web_sys::Range| range.to_string().length() as usize;
    let start = units(&before);
    let frame = range.get_bounding_client_rect();
    Some(Selected {
        home: element.get_attribute("data-home")?,
        part: element.get_attribute("data-part")?,
        units: start..start + units(&chosen),
        at: (frame.left(), frame.bottom()),
    })
}

fn home(node: &Node) -> Option<Element> {
    let element = node.dyn_ref::<Element>().cloned().or_else(|| node.parent_element())?;
    element.closest("[data-home]").ok()?
}

/// Selects nothing.
pub(crate) fn forget_selection() {
    if let Ok(Some(selection)) = window().get_selection() {
        let _ = selection.remove_all_ranges();
    }
}

/// Does something whenever the selection changes, for as long as the page is open.
pub(crate) fn on_selection(act: impl Fn() + 'static) {
    let act = Closure::<dyn Fn()>::new(act);
    let _ = document()
        .add_event_listener_with_callback("selectionchange", act.as_ref().unchecked_ref());
    act.forget();
}

/// What was remembered under a key. A browser may forbid remembering.
pub(crate) fn remembered(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Remembers a value under a key, or forgets it.
pub(crate) fn remember(key: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    let _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

fn storage() -> Option<Storage> {
    window().local_storage().ok()?
}
