//! What is written in a format is read back from it: every turn of every talk, in every format of messages.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::turn::{Media, Piece, Turn, write};
use super::{ReadOptions, read};
use crate::transcript::{Format, PartKind, Role, Transcript};

const WIRES: [Format; 9] = [
    Format::Anthropic,
    Format::OpenAiChat,
    Format::OpenAiResponses,
    Format::Gemini,
    Format::Bedrock,
    Format::AiSdk,
    Format::AiSdkUi,
    Format::LangChain,
    Format::OpenTelemetry,
];

/// What a talk says, whatever the format: words by their speaker, calls, results and media in their order.
#[derive(Debug, Default, PartialEq)]
struct Said {
    words: Vec<(Role, String)>,
    calls: Vec<(String, String, String)>,
    results: BTreeMap<String, String>,
    thoughts: Vec<String>,
    media: usize,
}

fn of_turns(turns: &[Turn<'_>], wire: Format) -> Said {
    let mut said = Said::default();
    // Neither has a role for instructions among the messages.
    let plain = matches!(wire, Format::Gemini | Format::Bedrock);
    for turn in turns {
        let role = if plain && turn.role == Role::System { Role::User } else { turn.role };
        for piece in &turn.pieces {
            match piece {
                Piece::Text(text) => said.words.push((role, text.to_string())),
                // Without its id and its encrypted content Responses would refuse it.
                Piece::Thinking { .. } if wire == Format::OpenAiResponses => {}
                Piece::Thinking { text, .. } => said.thoughts.push(text.to_string()),
                Piece::Call { id, name, arguments } => {
                    said.calls.push((id.to_string(), name.to_string(), arguments.to_string()));
                }
                Piece::Result { id, text, .. } => {
                    said.results.insert(id.to_string(), text.to_string());
                }
                Piece::Media(_) => said.media += 1,
            }
        }
    }
    said
}

fn of_transcript(transcript: &Transcript) -> Said {
    let mut said = Said::default();
    for (at, entry) in transcript.entries().iter().enumerate() {
        for part in transcript.parts(at) {
            let text = transcript.part_text(part).into_owned();
            match part.kind {
                // Chat gives an answer that is only thought empty words.
                PartKind::Text if text.is_empty() => {}
                PartKind::Text => said.words.push((entry.role, text)),
                PartKind::Thinking => said.thoughts.push(text),
                PartKind::Call { id, .. } => {
                    let name = transcript.call_name(part).into_owned();
                    said.calls.push((transcript.id(id).into(), name, text));
                }
                PartKind::Result { id, .. } => {
                    said.results.insert(transcript.id(id).into(), text);
                }
                PartKind::Media => said.media += 1,
                // The start of a step is written by the format, not by a turn.
                PartKind::Opaque => assert!(text.contains("step-start"), "{text}"),
            }
        }
    }
    said
}

/// A talk of a few turns; `seed` decides what happens.
fn talk(mut seed: u32) -> Vec<Turn<'static>> {
    let mut next = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    let mut turns = Vec::new();
    let mut ids = 0;
    for number in 0..=next(8) {
        let say = |what: &str| Piece::Text(format!("{what} {number} \"数据\"\n").into());
        match next(4) {
            0 => turns.push(Turn::of(Role::System, [say("rule")].into())),
            1 => {
                let media = Media { mime: "image/png".into(), data: "aGk=".into(), address: false };
                let mut pieces = Vec::from([say("prompt")]);
                pieces.extend((next(3) == 0).then_some(Piece::Media(media)));
                turns.push(Turn::of(Role::User, pieces));
            }
            _ => {
                let mut pieces = Vec::new();
                if next(2) == 0 {
                    let signature = (next(2) == 0).then(|| "c2ln".into());
                    pieces.push(Piece::Thinking { text: format!("hm {number}").into(), signature });
                }
                pieces.extend((next(2) == 0).then(|| say("answer")));
                let calls: Vec<u32> = (0..next(3)).map(|call| ids + call).collect();
                ids += 3;
                pieces.extend(calls.iter().map(|id| Piece::Call {
                    id: format!("call_{id}").into(),
                    name: format!("tool_{}", id % 2).into(),
                    arguments: format!("{{\"x\":{id}}}").into(),
                }));
                if pieces.is_empty() {
                    pieces.push(say("nothing"));
                }
                turns.push(Turn::of(Role::Assistant, pieces));
                let mut results: Vec<Piece<'static>> = calls
                    .iter()
                    .map(|id| Piece::Result {
                        id: format!("call_{id}").into(),
                        name: "".into(),
                        text: format!("result {id}").into(),
                        error: id % 4 == 0,
                    })
                    .collect();
                results.extend((next(3) == 0).then(|| say("more")));
                if next(5) > 0 && !results.is_empty() {
                    turns.push(Turn::of(Role::User, results));
                }
            }
        }
    }
    turns
}

#[test]
fn what_is_written_is_read_back() {
    for seed in 0..400 {
        let turns = talk(seed);
        for wire in WIRES {
            let written = write(wire, &turns);
            let text: Vec<&str> = written.iter().map(|(_, entry)| &**entry).collect();
            let text = format!("[{}]", text.join(","));
            let options = ReadOptions { format: Some(wire), ..ReadOptions::default() };
            let transcript = read(text.as_bytes(), options).expect("a list");
            assert_eq!(of_transcript(&transcript), of_turns(&turns, wire), "{text}");
            assert!(transcript.findings().is_empty(), "{:?} in {text}", transcript.findings());
            assert!(written.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{written:?}");
        }
    }
}

/// The forms that a random talk does not show.
#[test]
fn entries_as_they_are_written() {
    let result =
        |error| Piece::Result { id: "a".into(), name: "".into(), text: "no".into(), error };
    let call = Piece::Call { id: "a".into(), name: "run".into(), arguments: "[1]".into() };
    let answer = Turn::of(Role::Assistant, [call].into());
    let media = Media { mime: "image/png".into(), data: "https://a.b/c".into(), address: true };
    let check = |wire: Format, turns: &[Turn<'_>], wanted: &[&str]| {
        let written: Vec<String> = write(wire, turns).into_iter().map(|(_, text)| text).collect();
        assert_eq!(written, wanted);
    };
    let pair = [answer, Turn::of(Role::User, [result(true)].into())];
    check(
        Format::Gemini,
        &pair,
        &[
            r#"{"role":"model","parts":[{"functionCall":{"id":"a","name":"run","args":{"input":[1]}}}]}"#,
            r#"{"role":"user","parts":[{"functionResponse":{"id":"a","name":"run","response":{"error":"no"}}}]}"#,
        ],
    );
    check(
        Format::AiSdkUi,
        &pair,
        &[
            r#"{"id":"turn-0","role":"assistant","parts":[{"type":"step-start"},{"type":"dynamic-tool","toolName":"run","toolCallId":"a","state":"output-error","input":[1],"errorText":"no"}]}"#,
        ],
    );
    // A result without its call is shown with an empty one: the format has no other place for it.
    check(
        Format::AiSdkUi,
        &pair[1..],
        &[
            r#"{"id":"turn-0","role":"assistant","parts":[{"type":"dynamic-tool","toolName":"","toolCallId":"a","state":"output-error","input":{},"errorText":"no"}]}"#,
        ],
    );
    check(
        Format::LangChain,
        &pair,
        &[
            r#"{"type":"ai","content":"","tool_calls":[{"name":"run","args":[1],"id":"a","type":"tool_call"}]}"#,
            r#"{"type":"tool","content":"no","tool_call_id":"a","status":"error"}"#,
        ],
    );
    let shown = [Turn::of(Role::User, [Piece::Media(media)].into())];
    check(
        Format::Bedrock,
        &shown,
        &[r#"{"role":"user","content":[{"text":"[image: https://a.b/c]"}]}"#],
    );
    check(
        Format::AiSdk,
        &shown,
        &[
            r#"{"role":"user","content":[{"type":"file","mediaType":"image/png","data":"https://a.b/c"}]}"#,
        ],
    );
}
