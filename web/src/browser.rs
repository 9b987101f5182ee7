//! What the page asks of the browser.

use js_sys::{Array, Promise, Uint8Array};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, DataTransfer, File, HtmlAnchorElement, HtmlElement, Storage, Url,
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

/// Gives an element of that id the focus.
pub(crate) fn focus(id: &str) {
    let element = document().get_element_by_id(id).and_then(|it| it.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element {
        let _ = element.focus();
    }
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
