//! The page of Pinfold: paste a transcript, see its exchanges and its illegal cuts, drag a budget, take the fold home.
//!
//! `model` thinks and knows no browser; `house` and `desk` hold the state; `components` only bind the two.

mod browser;
mod components;
mod desk;
mod house;
mod model;

/// Puts the page into the document.
pub fn start() {
    console_error_panic_hook::set_once();
    browser::clear_body();
    leptos::mount::mount_to_body(components::app::App);
}
