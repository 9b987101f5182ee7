//! The bindings of the npm package `pinfold`: what JavaScript hands over is read, given to the core, and handed back.

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of Pinfold.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
