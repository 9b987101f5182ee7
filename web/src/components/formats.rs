use leptos::prelude::*;
use pinfold::transcript::Format;

use crate::model::choices;

/// Everything that can be read, by name, behind a line that says how much it is.
#[component]
pub(crate) fn Formats() -> impl IntoView {
    let name = |format: Format| view! { <li>{format.title()}</li> };
    let group = move |(title, formats): (&'static str, Vec<Format>)| {
        view! {
            <section>
                <h3>{title}</h3>
                <ul role="list">{formats.into_iter().map(name).collect_view()}</ul>
            </section>
        }
    };
    view! {
        <details class="formats">
            <summary>
                {format!("Reads {} formats: ", Format::ALL.len())}
                "messages of Anthropic, OpenAI, Gemini, Bedrock and more, logs of Claude Code, Codex and more"
            </summary>
            <div class="formats-groups">{choices::groups().map(group)}</div>
        </details>
    }
}
