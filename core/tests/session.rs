//! A session against the whole pass: after every push, every fold and every return from JSON it knows the same.

#![expect(clippy::print_stdout, reason = "a test says aloud what it read")]

use crate::corpus::corpus;
use crate::support::whole::{agrees, read_like};
use crate::support::{Shape, Talk, clean_talk, messy_talk};
use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::{Accept, Ledger, Options};
use pinfold::plan::{Planner, Policy};
use pinfold::session::Session;
use pinfold::tokens::Counts;
use pinfold::transcript::Format;
use proptest::prelude::*;

/// A ledger as sessions keep it.
fn options(classify: bool) -> Options {
    Options { classify, accept: Accept::Prohibitions, ..Options::default() }
}

/// Pushes `entries` in portions of `portion` (0: in ever larger ones), folds on the way, and compares after every step.
fn check(format: Format, entries: &[String], portion: usize, classify: bool, fold_at: &[usize]) {
    let mut session =
        Session::new(format, Ledger::new(options(classify))).expect("a format of messages");
    let mut ledger = Ledger::new(options(classify));
    let mut at = 0;
    let mut step = 0;
    while at < entries.len() {
        step += 1;
        let size = if portion == 0 { step } else { portion };
        let next = &entries[at..entries.len().min(at + size)];
        let json = if next.len() == 1 { next[0].clone() } else { format!("[{}]", next.join(",")) };
        let before = session.transcript().len();
        let pushed = session.push(&json).expect("entries");
        assert_eq!(pushed.entries, before..before + next.len());
        at += next.len();
        agrees(&mut session, &mut ledger);
        if fold_at.contains(&step) {
            step_fold(&mut session, &mut ledger);
        }
    }
    let saved = session.to_json();
    let mut restored = Session::from_json(&saved, options(classify)).expect("a session");
    assert_eq!(restored.to_json(), saved, "the same bytes");
    let mut again = Ledger::from_json(&ledger.to_json(), options(classify)).expect("a ledger");
    agrees(&mut restored, &mut again);
}

fn step_fold(session: &mut Session, ledger: &mut Ledger) {
    let policy = Policy::new(session.planner().counts.total() * 2 / 3);
    let whole = read_like(session);
    let (planner, _) = Planner::with_ledger(&whole, Counts::of(&whole), ledger);
    let wanted = fold(&whole, &planner, &policy);
    match (session.fold(&policy), wanted) {
        (Outcome::Folded(found), Outcome::Folded(wanted)) => {
            assert_eq!(found.text, wanted.text);
            assert_eq!(found.report, wanted.report);
            assert_eq!(session.transcript().text(), found.text);
        }
        (Outcome::Left(found), Outcome::Left(wanted)) => assert_eq!(found, wanted),
        (found, wanted) => panic!("{found:?} and {wanted:?}"),
    }
    agrees(session, ledger);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_knows_what_a_whole_pass_knows(
        moves in messy_talk(),
        portion in 0..4_usize,
        classify in any::<bool>(),
        fold_at in prop::collection::vec(1..30_usize, 0..3),
    ) {
        for shape in Shape::lists() {
            let texts: Vec<String> = Talk::of(&moves, shape).texts(shape).collect();
            check(shape.format(), &texts, portion, classify, &fold_at);
        }
    }

    #[test]
    fn and_of_a_clean_talk(
        moves in clean_talk(),
        portion in 0..4_usize,
        fold_at in prop::collection::vec(1..30_usize, 0..4),
    ) {
        for shape in Shape::lists() {
            let texts: Vec<String> = Talk::of(&moves, shape).texts(shape).collect();
            check(shape.format(), &texts, portion, false, &fold_at);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_goes_on_from_whatever_can_be_read(
        moves in messy_talk(),
        share in 0.0..1.0_f64,
        around in 0..3_usize,
    ) {
        for shape in Shape::ALL {
            let list = Talk::of(&moves, shape).write(shape);
            let key = match shape.format() {
                Format::OpenAiResponses => "input",
                Format::Gemini => "contents",
                _ => "messages",
            };
            let mut text = match around {
                1 if shape != Shape::ClaudeCode => format!("{{\"{key}\": {list}, \"system\": \"Be brief.\"}}"),
                2 if shape != Shape::ClaudeCode => format!("{list}\n"),
                _ => list,
            };
            let mut end = (text.len() as f64 * (0.3 + share)) as usize;
            while end < text.len() && !text.is_char_boundary(end) {
                end += 1;
            }
            text.truncate(end);
            let options = ReadOptions { format: Some(shape.format()), ..ReadOptions::default() };
            let Ok(transcript) = formats::read(text.as_bytes(), options) else { continue };
            if transcript.is_empty() {
                continue;
            }
            let (mut session, _) = Session::of(transcript, Ledger::default());
            let mut ledger = Ledger::default();
            agrees(&mut session, &mut ledger);
            for entry in Talk::of(&moves, shape).texts(shape).take(3) {
                session.push(&entry).expect("an entry");
                agrees(&mut session, &mut ledger);
            }
        }
    }
}

#[test]
fn a_prompt_that_stands_by_itself_becomes_one_of_a_list() {
    let text = r#"{"model":"gpt-5","input":"Go.","instructions":"Be brief."}"#;
    let transcript = formats::read(text.as_bytes(), ReadOptions::default()).expect("a request");
    let (mut session, _) = Session::of(transcript, Ledger::default());
    let mut ledger = Ledger::default();
    agrees(&mut session, &mut ledger);
    session.push(r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Gone."}]}"#).expect("an entry");
    agrees(&mut session, &mut ledger);
    assert_eq!(session.transcript().entry_text(0), r#"{"role":"user","content":"Go."}"#);
}

#[test]
fn what_is_no_entry_is_refused_and_changes_nothing() {
    let mut session = Session::new(Format::Anthropic, Ledger::default()).expect("messages");
    session.push(r#"{"role":"user","content":"Go."}"#).expect("an entry");
    let before = session.to_json();
    for (json, code) in [("{", "not-json"), ("[1]", "not-an-entry"), ("\"Go.\"", "not-an-entry")] {
        assert_eq!(session.push(json).expect_err("no entry").code(), code, "{json}");
        assert_eq!(session.to_json(), before);
    }
    assert_eq!(session.push("[]").expect("no entries").entries, 1..1);
    assert_eq!(session.to_json(), before);
}

#[test]
fn a_request_keeps_what_stands_around_its_list() {
    let request = r#"{"model":"claude-sonnet-4-5", "messages": [
  {"role":"user","content":"Go."},
  {"role":"assistant","content":"Gone."}
], "system":"Be brief.", "tools":[{"name":"bash"}]}"#;
    for text in [request, r#"{"messages":[],"system":"Be brief."}"#] {
        let options = ReadOptions { format: Some(Format::Anthropic), ..ReadOptions::default() };
        let transcript = formats::read(text.as_bytes(), options).expect("a request");
        let (mut session, _) = Session::of(transcript, Ledger::default());
        let mut ledger = Ledger::default();
        agrees(&mut session, &mut ledger);
        for entry in [
            r#"{"role":"user","content":"Never push to main."}"#,
            r#"{"role":"assistant","content":"No."}"#,
        ] {
            session.push(entry).expect("an entry");
            agrees(&mut session, &mut ledger);
        }
        assert!(session.transcript().text().contains("\"system\":\"Be brief.\""));
    }
}

#[test]
fn real_transcripts_pushed_entry_by_entry() {
    let Some(files) = corpus() else { return };
    let mut pushed = 0;
    for (path, _) in files {
        let bytes = std::fs::read(&path).expect("a file of the corpus");
        let name = path.display();
        let Ok(transcript) = formats::read(&bytes, ReadOptions::default()) else { continue };
        if transcript.len() < 8 || transcript.len() > 160 || pushed >= 12 {
            continue;
        }
        pushed += 1;
        let entries: Vec<String> =
            (0..transcript.len()).map(|entry| transcript.entry_text(entry).into()).collect();
        println!("{name}: {} entries", entries.len());
        check(transcript.wire(), &entries, 1, true, &[entries.len() / 2, entries.len() - 3]);
    }
    println!("{pushed} transcripts");
}

/// A round of a tool: what is called with which arguments, and what comes.
const ROUNDS: [(&str, &str, &str); 14] = [
    ("bash", r#"{"command":"cd /work/app"}"#, "ok"),
    ("bash", r#"{"command":"cd /work/lib && make"}"#, "ok"),
    ("bash", r#"{"command":"git checkout -b feature"}"#, "Switched to a new branch 'feature'"),
    ("bash", r#"{"command":"git switch main"}"#, "Switched to branch 'main'"),
    ("bash", r#"{"command":"git worktree add ../wt fix"}"#, "Preparing worktree"),
    (
        "Bash",
        r#"{"command":"npm start","run_in_background":true}"#,
        "Command running in background with ID: bash_1",
    ),
    ("BashOutput", r#"{"bash_id":"bash_1"}"#, "<status>completed</status><exit_code>0</exit_code>"),
    ("KillShell", r#"{"shell_id":"bash_1"}"#, "Successfully killed shell: bash_1"),
    (
        "TodoWrite",
        r#"{"todos":[{"content":"Read it","status":"pending"},{"content":"Mend it","status":"in_progress"}]}"#,
        "ok",
    ),
    (
        "TodoWrite",
        r#"{"todos":[{"content":"Read it","status":"completed"},{"content":"Ship it","status":"pending"}]}"#,
        "ok",
    ),
    ("list_issues", r#"{"state":"open"}"#, r#"{"items":[1],"next_cursor":"abc123"}"#),
    ("list_issues", r#"{"state":"open","cursor":"abc123"}"#, r#"{"items":[2],"next_cursor":null}"#),
    ("upload", r#"{"path":"a.pdf"}"#, r#"{"file_id":"file-77"}"#),
    ("read", r#"{"path":"a"}"#, "text"),
];

#[test]
fn tool_state_and_answers_are_followed_as_in_a_whole_pass() {
    let mut state = 4711_usize;
    let mut random = |below: usize| {
        state = (state * 1_103_515_245 + 12345) % (1 << 31);
        state / 7 % below
    };
    for _ in 0..6 {
        let mut session =
            Session::new(Format::Anthropic, Ledger::new(options(true))).expect("messages");
        let mut ledger = Ledger::new(options(true));
        for step in 0..70 {
            let (name, arguments, result) = ROUNDS[random(ROUNDS.len())];
            let pushed = match random(6) {
                0 => format!(r#"{{"role":"user","content":"Go on with {step}. Never touch file {} again."}}"#, random(9)),
                1 => r#"{"role":"user","content":"continue"}"#.into(),
                2 => r#"{"role":"user","content":"You may push to main. Always ask me before a release."}"#.into(),
                _ => format!(
                    r#"[{{"role":"assistant","content":[{{"type":"tool_use","id":"t{step}","name":"{name}","input":{arguments}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{step}","content":{}}}]}}]"#,
                    serde_json::to_string(result).expect("a text")
                ),
            };
            let requests = session.push(&pushed).expect("entries").requests;
            agrees(&mut session, &mut ledger);
            for request in requests {
                let answer = if random(2) == 0 {
                    let words = request.message.split('.').next().unwrap_or_default();
                    serde_json::json!({ "found": [{ "binding": true, "class": "constraint", "text": words }] })
                } else {
                    serde_json::json!({ "found": [] })
                };
                let found = session.with_ledger(|it| it.resolve(&request.id, &answer.to_string()));
                assert_eq!(found, ledger.resolve(&request.id, &answer.to_string()));
            }
            let live = session.ledger().pins().iter().filter(|pin| pin.is_live());
            let tools: Vec<String> =
                live.filter(|pin| pin.topic.is_some()).map(|pin| pin.id.clone()).collect();
            if let (0, Some(id)) = (random(9), tools.first()) {
                let end = pinfold::ledger::End::Completed;
                let ended = session.with_ledger(|it| it.retire(id, end, "by hand"));
                assert_eq!(ended, ledger.retire(id, end, "by hand"));
            }
            agrees(&mut session, &mut ledger);
            if random(20) == 0 {
                step_fold(&mut session, &mut ledger);
            }
        }
        let topics = session.ledger().pins().iter().filter(|pin| pin.topic.is_some()).count();
        assert!(topics > 4, "{topics} tool states");
    }
}

#[test]
fn a_log_goes_on_as_the_messages_it_was_rebuilt_into() {
    let talk = Talk::of(
        &[
            crate::support::Move::Prompt(5),
            crate::support::Move::Call { thinks: false, says: true, calls: 1 },
            crate::support::Move::Answer { words: 5, skip: 0, turn: 0 },
            crate::support::Move::Say(5),
        ],
        Shape::ClaudeCode,
    );
    let log = talk.write(Shape::ClaudeCode);
    let transcript = formats::read(log.as_bytes(), ReadOptions::default()).expect("a log");
    let (mut session, _) = Session::of(transcript, Ledger::default());
    assert_eq!(session.transcript().format(), Format::Anthropic);
    let mut ledger = Ledger::default();
    agrees(&mut session, &mut ledger);
    session.push(r#"{"role":"user","content":"And now?"}"#).expect("an entry");
    agrees(&mut session, &mut ledger);
}

#[test]
fn an_entry_of_an_unknown_type_may_come_first() {
    let later = r#"{"role":"user","content":"Go on."}"#;
    for (format, first) in [
        (Format::OpenAiResponses, r#"{"type":"function_call_to_come","call_id":"a"}"#),
        (Format::Anthropic, "{}"),
        (Format::Gemini, r#"{"role":"moderator"}"#),
    ] {
        check(format, &[first.into(), later.into()], 1, false, &[]);
    }
    let recorded = r#"{"input":[{"role":"user","content":"Go."}],"model":"gpt-5"}"#;
    let mut session = Session::new(Format::OpenAiResponses, Ledger::default()).expect("messages");
    assert_eq!(session.push(recorded).expect_err("a request").code(), "not-an-entry");
    assert!(session.transcript().is_empty());
    check(Format::OpenAiResponses, &[later.into(), recorded.into()], 1, false, &[]);
}
