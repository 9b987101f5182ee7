//! Every structural entry of the public bug reports: the fault is flagged, the legal boundaries are right, and the
//! repaired form is clean.

use std::collections::BTreeMap;

use crate::support::case;
use pinfold::cut::CutMap;
use pinfold::exchange::Structure;
use pinfold::formats;
use pinfold::repair::repair;
use pinfold::rules::{self, Severity};
use pinfold::transcript::Transcript;
use serde_json::{Value, json};

const FILES: [(&str, &str); 8] = [
    ("A", include_str!("cases/bugs-a.json")),
    ("B", include_str!("cases/bugs-b.json")),
    ("C", include_str!("cases/bugs-c.json")),
    ("D", include_str!("cases/bugs-d.json")),
    ("E", include_str!("cases/bugs-e.json")),
    ("F", include_str!("cases/bugs-f.json")),
    ("L", include_str!("cases/bugs-l.json")),
    ("M", include_str!("cases/bugs-m.json")),
];

#[test]
fn every_report_is_flagged_cut_and_mended() {
    let mut failures = Vec::new();
    let mut counts = BTreeMap::new();
    for (class, text) in FILES {
        let cases: Vec<Value> = serde_json::from_str(text).expect("the cases are JSON");
        counts.insert(class, cases.len());
        for case in &cases {
            for message in check(case) {
                failures.push(format!("{}: {message}", case["id"]));
            }
        }
    }
    assert!(failures.is_empty(), "{} faults\n{}", failures.len(), failures.join("\n"));
    let all: usize = counts.values().sum();
    assert_eq!(all, 100, "{counts:?}");
}

fn check(case: &Value) -> Vec<String> {
    let (text, options, mode) = case::read(case);
    let transcript = match formats::read(text.as_bytes(), options) {
        Ok(transcript) => transcript,
        Err(error) => return vec![error.to_string()],
    };
    let structure = Structure::of(&transcript);
    let expect = &case["expect"];
    let mut wrong = Vec::new();
    let (legal, illegal) = boundaries(&transcript, &structure);
    compare(&mut wrong, "legal", &expect["legal"], &legal);
    compare(&mut wrong, "illegal", &expect["illegal"], &illegal);
    let found = rules::check(&transcript, &structure, mode);
    let found = case::violations(&transcript, &found, &expect["violations"]);
    compare(&mut wrong, "violations", &case::sorted(&expect["violations"]), &found);

    let mended = repair(&transcript, mode);
    let changes: Vec<Value> = mended
        .changes
        .iter()
        .map(|change| json!({ "kind": change.kind.name(), "ids": change.ids }))
        .collect();
    compare(
        &mut wrong,
        "changes",
        &case::sorted(&case["repaired"]["changes"]),
        &case::sorted(&changes.into()),
    );
    let errors = mended.left.iter().filter(|it| it.severity == Severity::Error);
    let left: Vec<&str> = errors.map(|it| it.code.name()).collect();
    compare(&mut wrong, "left", &case["repaired"]["left"], &json!(left));
    let again = repair(&mended.transcript, mode);
    if !again.changes.is_empty() {
        wrong.push(format!("repaired again, it changes once more: {:?}", again.changes));
    }
    wrong
}

fn boundaries(transcript: &Transcript, structure: &Structure) -> (Value, Value) {
    let cuts = CutMap::of(transcript, structure);
    let mut legal = Vec::new();
    let mut illegal = serde_json::Map::new();
    for at in 0..cuts.len() {
        if cuts.legal(at) {
            legal.push(at);
            continue;
        }
        let reasons = cuts.why(at, structure).into_iter().map(|reason| {
            json!({ "reason": reason.kind.name(), "ids": case::names(transcript, &reason.ids) })
        });
        illegal.insert(at.to_string(), reasons.collect());
    }
    (json!(legal), Value::Object(illegal))
}

fn compare(wrong: &mut Vec<String>, what: &str, wanted: &Value, found: &Value) {
    if wanted != found {
        wrong.push(format!("{what}: wanted {wanted}, found {found}"));
    }
}
