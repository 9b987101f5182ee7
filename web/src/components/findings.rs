use leptos::prelude::*;
use pinfold::transcript::{Finding, Weight};

use crate::desk::Desk;
use crate::model::number::grouped;
use crate::model::visible::one_line;

/// What the reader left aside or could not read.
#[component]
pub(crate) fn Findings() -> impl IntoView {
    let held = Desk::here().held();
    let findings = held.transcript.findings();
    if findings.is_empty() {
        return view! { <div class="empty"><p>"Everything in the input was read."</p></div> }
            .into_any();
    }
    view! { <ol class="findings" role="list">{findings.iter().map(item).collect_view()}</ol> }
        .into_any()
}

fn item(finding: &Finding) -> impl IntoView + use<> {
    let severity = match finding.weight {
        Weight::Note => "note",
        Weight::Warning => "warning",
    };
    view! {
        <li>
            <p class="violation-head">
                <span class=format!("row-trouble {severity}")><span class="hidden">{severity}</span></span>
                <b>{finding.code}</b>
                <span class="where">{format!("line {}, byte {}", finding.line, grouped(u64::from(finding.offset)))}</span>
            </p>
            <p>{one_line(&finding.message, 600)}</p>
        </li>
    }
}
