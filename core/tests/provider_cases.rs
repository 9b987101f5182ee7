//! The rules of every provider against small transcripts, one for each row of the tables.
//!
//! `cases/rules.json` is data of the project: a case names the violations it has, all of them, and what the provider
//! says to each. A severity that is not named is that of an error.

use std::collections::BTreeSet;

use pinfold::exchange::Structure;
use pinfold::formats::{self, ReadOptions};
use pinfold::provider::{Family, Provider};
use pinfold::rules::{self, Mode, Severity, Violation};
use pinfold::transcript::{Format, Transcript};
use serde_json::{Value, json};

#[test]
fn every_case_has_its_verdict_and_every_text_its_case() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("cases/rules.json")).expect("rules.json is JSON");
    let mut failures = Vec::new();
    let mut said: BTreeSet<(Provider, &str, String)> = BTreeSet::new();
    for case in &cases {
        match check(case) {
            Ok((provider, found)) => {
                let says = |it: Violation| (provider, it.code.name(), it.says.unwrap_or_default());
                said.extend(found.into_iter().map(says));
            }
            Err(why) => failures.push(format!("{}: {why}", text(case, "id"))),
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
    let ids: BTreeSet<&str> = cases.iter().map(|case| text(case, "id")).collect();
    assert_eq!(ids.len(), cases.len(), "two cases share an id");
    let mut untested = Vec::new();
    for provider in Provider::ALL {
        for rule in rules::rules(provider) {
            let Some(says) = rule.says else { continue };
            let is_it = |(of, code, text): &(Provider, &str, String)| {
                *of == provider && *code == rule.code.name() && fits(says, text)
            };
            if !said.iter().any(is_it) {
                untested.push(format!("{}: {says}", provider.name()));
            }
        }
    }
    assert!(untested.is_empty(), "no case has these texts:\n{}", untested.join("\n"));
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}

/// Whether `text` is `template` with something between each pair of braces.
fn fits(template: &str, text: &str) -> bool {
    let mut pieces = template.split('{').enumerate().map(|(at, piece)| {
        if at == 0 { piece } else { piece.split_once('}').expect("a closing brace").1 }
    });
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = if piece.is_empty() { "" } else { &rest[at + piece.len()..] };
    }
    rest.is_empty()
}

fn check(case: &Value) -> Result<(Provider, Vec<Violation>), String> {
    let format = text(case, "format");
    let options = ReadOptions {
        format: Some(Format::from_name(format).ok_or("unknown format")?),
        provider: match text(case, "provider") {
            "" => None,
            name => Some(Provider::from_name(name).ok_or("unknown provider")?),
        },
        family: case["model"].as_str().map(Family::of),
        ..ReadOptions::default()
    };
    let mode = if text(case, "mode") == "request" { Mode::Request } else { Mode::Log };
    let input = case["transcript"].to_string();
    let transcript = formats::read(input.as_bytes(), options).map_err(|error| error.to_string())?;
    let found = rules::check(&transcript, &Structure::of(&transcript), mode);
    let wanted = case["expect"]["violations"].as_array().ok_or("no violations listed")?;
    let mut left: Vec<&Value> = wanted.iter().collect();
    for violation in &found {
        let is_it = |wanted: &&Value| is_wanted(&transcript, wanted, violation);
        match left.iter().position(is_it) {
            Some(at) => drop(left.remove(at)),
            None => return Err(format!("not wanted: {}", shown(&transcript, violation))),
        }
    }
    match left.first() {
        Some(missing) => Err(format!("not found: {missing}")),
        None => Ok((transcript.provider(), found)),
    }
}

fn is_wanted(transcript: &Transcript, wanted: &Value, found: &Violation) -> bool {
    let severity = wanted["severity"].as_str().unwrap_or(Severity::Error.name());
    let ids: Vec<&str> = found.ids.iter().map(|&id| transcript.id(id)).collect();
    let says = found.says.as_deref();
    let holds = |key: &str, test: fn(&str, &str) -> bool| {
        wanted[key].as_str().is_none_or(|piece| says.is_some_and(|says| test(says, piece)))
    };
    wanted["code"] == found.code.name()
        && wanted["entry"] == found.entry
        && wanted["ids"] == json!(ids)
        && severity == found.severity.name()
        && holds("says", |says, whole| says == whole)
        && holds("says_starts", |says, start| says.starts_with(start))
        && holds("says_ends", |says, end| says.ends_with(end))
        && wanted["silent"].as_bool().is_none_or(|silent| silent == says.is_none())
}

fn shown(transcript: &Transcript, found: &Violation) -> Value {
    let ids: Vec<&str> = found.ids.iter().map(|&id| transcript.id(id)).collect();
    json!({
        "code": found.code.name(), "entry": found.entry, "ids": ids, "severity": found.severity.name(),
        "says": found.says,
    })
}
