//! The page of Pinfold: paste a transcript, see its exchanges and its illegal cuts, drag a budget, take the fold home.
//!
//! `model` thinks and knows no browser; `house` and `desk` hold the state; `components` only bind the two.

// Without the page, nothing but its tests uses the model.
#![cfg_attr(not(feature = "page"), allow(dead_code))]

#[cfg(feature = "page")]
mod browser;
#[cfg(feature = "page")]
mod components;
#[cfg(feature = "page")]
mod desk;
#[cfg(feature = "page")]
mod house;
#[cfg(feature = "page")]
mod keeper;
mod model;

/// Puts the page into the document.
#[cfg(feature = "page")]
pub fn start() {
    console_error_panic_hook::set_once();
    browser::clear_body();
    leptos::mount::mount_to_body(components::app::App);
}
