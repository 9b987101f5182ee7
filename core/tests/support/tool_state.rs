//! Calls and results in words short enough to be written down in a test, and what they tell of tool state.

use pinfold::Structure;
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::pin::Topic;
use pinfold::ledger::state::{Inherited, Recogniser, Told, told};
use pinfold::transcript::{Format, PartKind, Transcript};
use serde_json::{Value, json};

/// The tool states that `talk` tells, one a line, in the order of their telling.
///
/// A line of `talk` is `Tool command => result`, `!>` before an error, `?` at its end where nothing answers. Arguments are
/// written out if they begin with a brace. `user:` and `assistant:` say something. `\n` is a newline.
pub(crate) fn check(talk: &str, wanted: &str) {
    check_more("", talk, wanted);
}

/// The same, where states were inherited.
pub(crate) fn check_more(inherited: &str, talk: &str, wanted: &str) {
    let inherited: Vec<Inherited> = lines(inherited)
        .map(|line| {
            let (topic, text) = line.split_once(' ').expect("a topic and a text");
            (Topic::of_name(topic).expect("a topic"), text.to_string())
        })
        .collect();
    same(&list(talk), &[], &inherited, talk, wanted);
}

/// The same, with recognisers of a caller.
pub(crate) fn check_with(more: &[Recogniser], talk: &str, wanted: &str) {
    same(&list(talk), more, &[], talk, wanted);
}

/// What is live in the end of a talk, where states were inherited.
pub(crate) fn live(talk: &str, inherited: &[Inherited]) -> Vec<Inherited> {
    let transcript = list(talk);
    let (told, _) = told(&transcript, &Structure::of(&transcript), &[], inherited);
    for it in &told {
        holds(&transcript, it);
    }
    let live = told.into_iter().filter(|it| it.ended.is_none());
    live.map(|it| (it.topic, it.text)).collect()
}

/// A talk as messages of Anthropic.
fn list(talk: &str) -> Transcript {
    let mut list = vec![json!({ "role": "user", "content": "Go." })];
    for (at, line) in lines(talk).enumerate() {
        let entries = entries(line, at).into_iter();
        list.extend(entries.map(|(role, content)| json!({ "role": role, "content": content })));
    }
    list.push(json!({ "role": "assistant", "content": "Done." }));
    let text = Value::from(list).to_string();
    let options = ReadOptions { format: Some(Format::Anthropic), ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).expect("a list")
}

/// What a log of Claude Code tells. A line is `directory branch | Tool command => result`: what the log records of the call,
/// and what it does; `-` records nothing. The result is recorded with what the next line says.
pub(crate) fn check_log(talk: &str, wanted: &str) {
    let rows: Vec<(&str, Option<&str>)> = lines(talk)
        .map(|line| {
            line.split_once(" | ").map_or((line, None), |(state, what)| (state, Some(what)))
        })
        .collect();
    let mut log = Vec::new();
    let mut record = |state: &str, kind: &str, content: &Value| {
        let (directory, branch) = state.split_once(' ').expect("a directory and a branch");
        let uuid = format!("u{}", log.len());
        let parent = log.len().checked_sub(1).map(|at| format!("u{at}"));
        let mut line = json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": directory,
            "message": { "role": kind, "content": content },
        });
        if kind == "assistant" {
            line["message"]["id"] = json!(uuid);
        }
        if branch != "-" {
            line["gitBranch"] = json!(branch);
        }
        log.push(line.to_string());
    };
    record(rows[0].0, "user", &json!("Go."));
    for (at, (state, what)) in rows.iter().enumerate() {
        let next = rows.get(at + 1).map_or(*state, |(state, _)| state);
        match what {
            Some("user") => record(state, "assistant", &json!("Yes?")),
            Some(what) => {
                for (role, content) in entries(what, at) {
                    record(if role == "user" { next } else { state }, role, &content);
                }
            }
            None => record(state, "user", &json!("Go on.")),
        }
    }
    let transcript =
        formats::read(log.join("\n").as_bytes(), ReadOptions::default()).expect("a log");
    assert_eq!(transcript.format(), Format::ClaudeCode);
    same(&transcript, &[], &[], talk, wanted);
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn entries(line: &str, at: usize) -> Vec<(&'static str, Value)> {
    let plain = |text: &str| text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\");
    for role in ["user", "assistant"] {
        if let Some(text) = line.strip_prefix(role).and_then(|rest| rest.strip_prefix(": ")) {
            return vec![(role, json!(plain(text)))];
        }
    }
    let id = format!("t{at}");
    let (call, answer) = match (line.split_once(" !>"), line.split_once(" =>")) {
        (Some((call, text)), _) => (call, Some((text, true))),
        (_, Some((call, text))) => (call, Some((text, false))),
        _ => match line.strip_suffix(" ?") {
            Some(call) => (call, None),
            None => (line, Some(("", false))),
        },
    };
    let (name, rest) = call.split_once(' ').unwrap_or((call, ""));
    let input = if rest.starts_with("{\"") {
        serde_json::from_str(rest).expect("arguments")
    } else {
        json!({ "command": plain(rest) })
    };
    let mut entries = vec![(
        "assistant",
        json!([{ "type": "tool_use", "id": id, "name": name, "input": input }]),
    )];
    if let Some((text, error)) = answer {
        let text = plain(text.strip_prefix(' ').unwrap_or(text));
        let result = json!([{ "type": "tool_result", "tool_use_id": id, "content": text, "is_error": error }]);
        entries.push(("user", result));
    }
    entries
}

fn same(
    transcript: &Transcript,
    more: &[Recogniser],
    inherited: &[Inherited],
    talk: &str,
    wanted: &str,
) {
    let (told, findings) = told(transcript, &Structure::of(transcript), more, inherited);
    let mut found: Vec<String> = told.iter().map(shown).collect();
    for it in &told {
        holds(transcript, it);
    }
    for finding in findings {
        let mut values = finding.message.split(' ').filter(|word| word.starts_with('"'));
        let values = [values.next(), values.next()]
            .map(|value| value.unwrap_or_default().trim_end_matches([',', '.']));
        found.push(format!("! {} {} {}", finding.code, finding.line, values.join(" ")));
    }
    let wanted: Vec<&str> = lines(wanted).collect();
    assert_eq!(found, wanted, "{talk}");
}

fn shown(it: &Told) -> String {
    let ended = it.ended.as_ref();
    let ended =
        ended.map(|(evidence, _)| format!(" - {}: {}", evidence.end.name(), evidence.quote));
    format!("{} {}{}", it.topic.name(), it.text, ended.unwrap_or_default())
}

/// What is told stands word for word in its part, and what ended it in its entry.
pub(crate) fn holds(transcript: &Transcript, it: &Told) {
    if let Some(place) = it.place {
        let part = &transcript.parts(place.entry as usize)[place.part as usize];
        assert!(matches!(part.kind, PartKind::Call { .. } | PartKind::Result { .. }));
        assert!(says(&transcript.part_text(part), &it.text), "{it:?}");
    }
    if let Some((evidence, entry)) = &it.ended {
        let mut parts = transcript.parts(*entry).iter();
        assert!(parts.any(|part| says(&transcript.part_text(part), &evidence.quote)), "{it:?}");
    }
}

/// Whether `text` stands in `said`, or in a string of the JSON that it is.
fn says(said: &str, text: &str) -> bool {
    fn within(value: &Value, text: &str) -> bool {
        match value {
            Value::String(string) => {
                string.contains(text)
                    || serde_json::from_str(string)
                        .is_ok_and(|inner: Value| !inner.is_string() && within(&inner, text))
            }
            Value::Array(list) => list.iter().any(|inner| within(inner, text)),
            Value::Object(members) => members.values().any(|inner| within(inner, text)),
            _ => {
                let raw = value.to_string();
                raw == text
            }
        }
    }
    said.contains(text) || serde_json::from_str(said).is_ok_and(|value: Value| within(&value, text))
}
