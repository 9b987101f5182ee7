use leptos::prelude::*;

use super::icons::{DARK, Icon, LIGHT, SYSTEM};
use crate::browser::{remember, remembered};

/// Where the choice is remembered; `boot.js` reads it before the page is drawn.
const KEY: &str = "pinfold-theme";

const THEMES: [(&str, &str, &str); 3] =
    [("system", "As the system", SYSTEM), ("light", "Light", LIGHT), ("dark", "Dark", DARK)];

/// Light, dark, or as the system has it; remembered.
#[component]
pub(crate) fn Theme() -> impl IntoView {
    let start = remembered(KEY).filter(|it| THEMES.iter().any(|(name, ..)| name == it));
    let theme = RwSignal::new(start.unwrap_or_else(|| "system".into()));
    let choose = move |name: &'static str| {
        theme.set(name.into());
        let told = (name != "system").then_some(name);
        remember(KEY, told);
        if let Some(root) = document().document_element() {
            let _ = match told {
                Some(told) => root.set_attribute("data-theme", told),
                None => root.remove_attribute("data-theme"),
            };
        }
    };
    let button = move |(name, title, path): (&'static str, &'static str, &'static str)| {
        view! {
            <button
                type="button"
                title=title
                aria-label=format!("Theme: {title}")
                aria-pressed=move || if theme.get() == name { "true" } else { "false" }
                on:click=move |_| choose(name)
            >
                <Icon path />
            </button>
        }
    };
    view! { <div class="segments theme" role="group" aria-label="Theme">{THEMES.map(button)}</div> }
}
