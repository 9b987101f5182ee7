//! The conformance cases: small transcripts from public bug reports with the right verdict.
//!
//! `cases.json` is data of the project, shared with the tests of the npm package.

use std::collections::BTreeMap;

use pinfold::cut::CutMap;
use pinfold::exchange::Structure;
use pinfold::formats::{self, ReadOptions};
use pinfold::rules::{self, Mode};
use pinfold::transcript::{Format, Transcript};
use serde_json::Value;

#[test]
fn every_case_has_its_verdict() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("cases.json")).expect("cases.json is JSON");
    let mut failures = Vec::new();
    for case in &cases {
        let format = case["format"].as_str().expect("a case names its format");
        if let Err(message) = check(case, format) {
            failures.push(format!("{}: {message}", case["id"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(cases.len(), 36);
}

fn check(case: &Value, format: &str) -> Result<(), String> {
    let format = Format::from_name(format).ok_or("unknown format")?;
    let text = case["transcript"].to_string();
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let transcript = formats::read(text.as_bytes(), options).map_err(|error| error.to_string())?;
    let structure = Structure::of(&transcript);
    let cuts = CutMap::of(&transcript, &structure);
    let names = |ids: &[pinfold::transcript::Id]| names(&transcript, ids);

    let mut legal = Vec::new();
    let mut illegal: BTreeMap<String, Value> = BTreeMap::new();
    for at in 0..cuts.len() {
        let why = cuts.why(at, &structure);
        if cuts.legal(at) {
            legal.push(Value::from(at));
        }
        if !why.is_empty() {
            let reasons = why.iter().map(|reason| {
                serde_json::json!({ "reason": reason.kind.name(), "ids": names(&reason.ids) })
            });
            illegal.insert(at.to_string(), reasons.collect());
        }
    }
    same("legal", &case["expect"]["legal"], &Value::from(legal))?;
    let wanted = case["expect"]["illegal"].as_object().ok_or("no illegal boundaries listed")?;
    let wanted: BTreeMap<String, Value> = wanted.clone().into_iter().collect();
    same("illegal", &serde_json::json!(wanted), &serde_json::json!(illegal))?;

    let found = rules::check(&transcript, &structure, Mode::Log);
    let mut found: Vec<String> = found
        .iter()
        .map(|violation| {
            let ids = names(&violation.ids);
            let code = violation.code.name();
            serde_json::json!({ "code": code, "entry": violation.entry, "ids": ids }).to_string()
        })
        .collect();
    let wanted = case["expect"]["violations"].as_array().ok_or("no violations listed")?;
    let mut wanted: Vec<String> = wanted
        .iter()
        .map(|it| {
            serde_json::json!({ "code": it["code"], "entry": it["entry"], "ids": it["ids"] })
                .to_string()
        })
        .collect();
    found.sort();
    wanted.sort();
    same("violations", &Value::from(wanted), &Value::from(found))
}

fn names(transcript: &Transcript, ids: &[pinfold::transcript::Id]) -> Vec<String> {
    ids.iter().map(|&id| transcript.id(id).to_string()).collect()
}

fn same(what: &str, wanted: &Value, found: &Value) -> Result<(), String> {
    if wanted == found { Ok(()) } else { Err(format!("{what}: wanted {wanted}, found {found}")) }
}
