//! What is found in a log, as lines to compare.

use core::fmt::Write as _;

use pinfold::formats;
use pinfold::transcript::{PartKind, Transcript};
use serde_json::{Value, json};

/// The transcripts in `text`: each with its label, wire, model, entries, usage and findings.
pub(crate) fn told(text: &str) -> String {
    let mut told = String::new();
    for document in formats::documents(text).expect("a log") {
        let (label, format) = (document.label.clone(), document.detected.format.name());
        let read = document.read();
        let model = read.request().model.clone().unwrap_or_default();
        let _ = writeln!(told, "# {label} | {format} as {} | {model}", read.wire().name());
        for at in 0..read.len() {
            let line = read.line(at).unwrap_or_default();
            let _ = writeln!(told, "{line} {}{}", read.entries()[at].role.name(), parts(&read, at));
        }
        for usage in read.usage() {
            let _ = writeln!(told, "usage of {}: {} + {}", usage.entry, usage.input, usage.output);
        }
        for finding in read.findings() {
            let _ = writeln!(told, "! {} at {}: {}", finding.code, finding.line, finding.message);
        }
    }
    told
}

fn parts(read: &Transcript, at: usize) -> String {
    let part = |part| {
        let body = read.part_text(part);
        match part.kind {
            PartKind::Text => format!(", {body}"),
            PartKind::Thinking => format!(", thinks {body}"),
            PartKind::Call { id, .. } => {
                format!(", calls {} {} {body}", read.id(id), read.call_name(part))
            }
            PartKind::Result { id, error, .. } => {
                format!(", {} {} {body}", if error { "error" } else { "result" }, read.id(id))
            }
            PartKind::Media => ", media".into(),
            PartKind::Opaque => format!(", opaque {body}"),
        }
    };
    read.parts(at).iter().map(part).collect()
}

/// A log of records, a line each.
pub(crate) fn check(records: &[Value], wanted: &str) {
    let lines: Vec<String> = records.iter().map(Value::to_string).collect();
    same(&lines.join("\n"), wanted);
}

/// A log that is one document; written in one line and in many it is the same.
pub(crate) fn check_document(document: &Value, wanted: &str) {
    same(&document.to_string(), wanted);
    same(&serde_json::to_string_pretty(document).expect("JSON"), wanted);
}

fn same(text: &str, wanted: &str) {
    let trimmed = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let (found, wanted) = (trimmed(&told(text)), trimmed(wanted));
    wreck(text);
    assert!(found == wanted, "{text}\nis\n{found}\nand not\n{wanted}");
}

/// Puts a value of another kind in every place of the log: nothing may panic.
fn wreck(text: &str) {
    let whole = serde_json::from_str::<Value>(text).ok();
    let records: Vec<Value> = match whole {
        Some(document) => Vec::from([document]),
        None => text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    };
    for at in 0..records.len() {
        for wrecked in wrecks(&records[at]) {
            let record = |(other, record): (usize, &Value)| {
                if other == at { wrecked.to_string() } else { record.to_string() }
            };
            let lines: Vec<String> = records.iter().enumerate().map(record).collect();
            for document in formats::documents(&lines.join("\n")).into_iter().flatten() {
                document.read();
            }
        }
    }
}

fn wrecks(value: &Value) -> Vec<Value> {
    let mut wrecks = vec![Value::Null, json!(7), json!(""), json!([]), json!({}), json!([[1, {}]])];
    match value {
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                wrecks.extend(wrecks_of(inner, |other| {
                    let mut list = list.clone();
                    list[at] = other;
                    list.into()
                }));
            }
        }
        Value::Object(members) => {
            for (key, inner) in members {
                wrecks.extend(wrecks_of(inner, |other| {
                    let mut members = members.clone();
                    members[key] = other;
                    members.into()
                }));
            }
        }
        _ => {}
    }
    wrecks
}

fn wrecks_of(inner: &Value, place: impl Fn(Value) -> Value) -> Vec<Value> {
    wrecks(inner).into_iter().map(place).collect()
}
