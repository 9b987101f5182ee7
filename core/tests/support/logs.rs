//! What a rebuilt log holds, in words short enough to be written down in a test.

use pinfold::formats;
use pinfold::transcript::{PartKind, Transcript};

/// The format, the provider and the model of a log, then each of its transcripts: its entries with their lines, its usage,
/// and what was found, by code and line.
pub(crate) fn shown(log: &str) -> String {
    let documents = formats::documents(log).unwrap_or_else(|error| panic!("{error}: {log}"));
    let current = formats::preferred(&documents);
    let mut shown = Vec::new();
    for (index, document) in documents.into_iter().enumerate() {
        let label = document.label.clone();
        let transcript = document.read();
        if index == 0 {
            let (format, wire) = (transcript.format().name(), transcript.wire().name());
            let provider = transcript.provider().name();
            let model = transcript.request().model.as_deref().unwrap_or("-");
            shown.push(format!("{format} {wire} {provider} {model}"));
        }
        let now = if index == current { " now" } else { "" };
        shown.push(format!("[{label}]{now}"));
        for at in 0..transcript.len() {
            let line = transcript.line(at).unwrap_or_default();
            let role = transcript.entries()[at].role.name();
            let parts = parts(&transcript, at).join(" ");
            shown.push(format!("{line} {role}: {parts}"));
        }
        let usage = transcript.usage().iter();
        let usage = usage.map(|it| format!("{}:{}+{}", it.entry, it.input, it.output));
        let usage: Vec<String> = usage.collect();
        if !usage.is_empty() {
            shown.push(format!("usage {}", usage.join(" ")));
        }
        let findings = transcript.findings().iter();
        let findings: Vec<String> = findings.map(|it| format!("{}@{}", it.code, it.line)).collect();
        shown.push(findings.join(" "));
    }
    shown.join("\n")
}

fn parts(transcript: &Transcript, at: usize) -> Vec<String> {
    let parts = transcript.parts(at).iter().map(|part| {
        let text = transcript.part_text(part).replace('\n', "\\n");
        match part.kind {
            PartKind::Text => format!("\"{text}\""),
            PartKind::Thinking => format!("({})", text.replace("\\n", " ")),
            PartKind::Call { id, .. } => {
                format!("{}#{} {text}", transcript.call_name(part), transcript.id(id))
            }
            PartKind::Result { id, error, .. } => {
                format!("{}{} {text}", if error { '!' } else { '=' }, transcript.id(id))
            }
            PartKind::Media => "media".into(),
            PartKind::Opaque => format!("?{text}"),
        }
    });
    parts.collect()
}

/// Reads a log wrecked in every place: each line left out, doubled, broken off, emptied, and each brace of it torn out.
pub(crate) fn survives_damage(log: &str) {
    let read = |lines: &[&str]| {
        for document in formats::documents(&lines.join("\n")).into_iter().flatten() {
            let transcript = document.read();
            let _ = transcript.text().len() + transcript.len();
        }
    };
    let lines: Vec<&str> = log.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let damaged = |other: &[&str]| {
            let mut all = lines.clone();
            all.splice(at..=at, other.iter().copied());
            read(&all);
        };
        let half = line.floor_char_boundary(line.len() / 2);
        for other in [vec![], vec![*line, *line], vec![&line[..half]], vec!["{}"], vec!["7"]] {
            damaged(&other);
        }
        for (from, to) in [
            ("{", "["),
            ("\":\"", "\":7,\""),
            ("\"}", "\":null}"),
            ("[{", "[7,{"),
            ("\"a\"", "\"\""),
        ] {
            for (place, _) in line.match_indices(from) {
                damaged(&[&format!("{}{to}{}", &line[..place], &line[place + from.len()..])]);
            }
        }
    }
}

/// Reads `log` and compares what it holds, line by line.
pub(crate) fn check(log: &str, wanted: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(String::from).collect()
    };
    let log = lines(log).join("\n");
    assert_eq!(lines(&shown(&log)), lines(wanted), "{log}");
    survives_damage(&log);
}
