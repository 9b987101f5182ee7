//! Cases as data: what a case in `cases/*.json` says of how it is read, and its violations in a form to compare.

use pinfold::formats::ReadOptions;
use pinfold::provider::{Family, Provider};
use pinfold::rules::{Mode, Severity, Violation};
use pinfold::transcript::{Format, Id, Transcript};
use serde_json::{Value, json};

/// The text of a case, how to read it, and what it is to be judged for.
pub(crate) fn read(case: &Value) -> (String, ReadOptions, Mode) {
    let format = case["format"].as_str().expect("a case names its format");
    let options = ReadOptions {
        format: Some(Format::from_name(format).expect("the format of a case is known")),
        provider: case["provider"]
            .as_str()
            .map(|name| Provider::from_name(name).expect("the provider of a case is known")),
        family: case["model"].as_str().map(Family::of),
        ..ReadOptions::default()
    };
    let mode = match case["mode"].as_str() {
        Some("request") => Mode::Request,
        _ => Mode::Log,
    };
    (case["transcript"].to_string(), options, mode)
}

/// The names of `ids`.
pub(crate) fn names(transcript: &Transcript, ids: &[Id]) -> Vec<String> {
    ids.iter().map(|&id| transcript.id(id).to_string()).collect()
}

/// The violations with the members that the expected ones name: a severity is compared where a case gives one.
pub(crate) fn violations(transcript: &Transcript, found: &[Violation], wanted: &Value) -> Value {
    let wanted = wanted.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut list = Vec::new();
    for violation in found {
        let mut value = json!({
            "code": violation.code.name(),
            "entry": violation.entry,
            "ids": names(transcript, &violation.ids),
        });
        let twin = wanted
            .iter()
            .find(|it| ["code", "entry", "ids"].iter().all(|key| it[*key] == value[*key]));
        if twin.is_some_and(|twin| twin.get("severity").is_some()) {
            value["severity"] = violation.severity.name().into();
        } else if twin.is_none() && violation.severity == Severity::Warning {
            value["severity"] = "warning".into();
        }
        list.push(value);
    }
    sorted(&list.into())
}

/// A list in the order of its elements' texts.
pub(crate) fn sorted(list: &Value) -> Value {
    let mut list = list.as_array().cloned().unwrap_or_default();
    list.sort_by_key(ToString::to_string);
    list.into()
}
