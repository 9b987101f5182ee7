use leptos::prelude::*;

/// The mark of Pinfold: a pen whose fence is open where it may be cut.
#[component]
pub(crate) fn Logo() -> impl IntoView {
    view! {
        <svg class="logo" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="M3 3v14M17 3v14" />
            <path d="M3 6h14M3 14h14" />
            <path class="gate" d="M6.5 10h2.5M11 10h2.5" />
        </svg>
    }
}

/// A small line drawing, named by its path.
#[component]
pub(crate) fn Icon(
    /// The path in a box of 16.
    path: &'static str,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d=path /></svg>
    }
}

pub(crate) const UP: &str = "M4 10l4-4 4 4";
pub(crate) const DOWN: &str = "M4 6l4 4 4-4";
pub(crate) const CLOSE: &str = "M4 4l8 8M12 4l-8 8";
pub(crate) const LIGHT: &str = "M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1";
pub(crate) const DARK: &str = "M13 9.6A5.6 5.6 0 016.4 3a5.6 5.6 0 106.6 6.6z";
pub(crate) const SYSTEM: &str = "M2.5 3.5h11v7.5h-11zM6 13.5h4M8 11v2.5";
