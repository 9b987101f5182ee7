//! Liveness: which lines of folded output a note keeps, why, and that they stand there word for word.

use pinfold::fold::{Folded, Outcome, fold};
use pinfold::note::Note;
use pinfold::plan::{Planner, Policy, Select};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::verify::{Check, verify};
use pinfold::{ReadOptions, read};
use serde_json::{Value, json};

/// A pair: a call of `tool` with an argument, and its output.
fn pair(id: usize, tool: &str, argument: &str, output: &str) -> [Value; 2] {
    let id = format!("t{id}");
    [
        json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": tool, "input": {"command": argument}}]}),
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": output}]}),
    ]
}

/// One prompt, then a round for each `(argument, output)`.
fn session(rounds: &[(&str, &str)]) -> Vec<Value> {
    let mut entries = vec![json!({"role": "user", "content": "Find out why the import fails."})];
    for (round, (argument, output)) in rounds.iter().enumerate() {
        entries.extend(pair(round, "bash", argument, output));
    }
    entries
}

fn transcript(entries: &[Value]) -> Transcript {
    let options = ReadOptions { format: Some(Format::Anthropic), ..ReadOptions::default() };
    read(json!(entries).to_string().as_bytes(), options).expect("a transcript")
}

fn folded(before: &Transcript, budget: u64) -> Box<Folded> {
    let planner = Planner::new(before, Counts::of(before));
    let policy = Policy { select: Select::Liveness, target: Some(budget), ..Policy::new(budget) };
    match fold(before, &planner, &policy) {
        Outcome::Folded(folded) => folded,
        other => panic!("it folds, and does not {other:?}"),
    }
}

/// Lines that say nothing, a few of them with names that nobody uses.
fn filler(seed: usize) -> String {
    let line = |line: usize| match line % 20 {
        7 => format!("processed chunk_{seed}_{line} of the nightly batch without trouble"),
        _ => "processed the next part of the nightly batch without any trouble".into(),
    };
    (0..40).map(line).collect::<Vec<_>>().join("\n")
}

/// A line with an id in the middle of much output, which later calls use.
fn needle(rounds_after: usize) -> Vec<Value> {
    let with_id =
        format!("{}\ninvoice in_9921 was refused by ledger_svc\n{}", filler(0), filler(1));
    let fillers: Vec<String> = (2..2 + rounds_after).map(filler).collect();
    let mut rounds = vec![("cat import.log", &*with_id)];
    rounds.push(("show in_9921", "state: refused"));
    for (round, filler) in fillers.iter().enumerate() {
        rounds.push((["tail a.log", "tail b.log", "tail c.log"][round % 3], filler));
    }
    rounds.push(("show in_9921 --full", "state: refused"));
    session(&rounds)
}

#[test]
fn a_line_with_a_string_that_calls_used_is_kept_with_its_reason() {
    let before = transcript(&needle(10));
    let folded = folded(&before, 2_000);
    let line = "invoice in_9921 was refused by ledger_svc";
    let excerpt = folded.report.excerpts.iter().find(|it| it.text == line).expect("it is kept");
    assert_eq!((excerpt.entry, &*excerpt.string), (2, "ledger_svc"), "in_9921 stands in the tail");
    assert!(folded.note.contains(&format!("\n  | {line}\n")), "{}", folded.note);
    assert!(folded.report.after <= 2_000, "{}", folded.report.after);
    let recency = Policy { select: Select::Recency, target: Some(2_000), ..Policy::new(2_000) };
    let planner = Planner::new(&before, Counts::of(&before));
    let Outcome::Folded(plain) = fold(&before, &planner, &recency) else { panic!("it folds") };
    assert!(!plain.note.contains(line) && plain.report.excerpts.is_empty());
    assert!(plain.fold.cut < folded.fold.cut, "without excerpts the newest rounds get the room");
}

#[test]
fn a_long_number_of_an_argument_is_kept_with_its_name() {
    let mut entries = vec![json!({"role": "user", "content": "Import the invoices."})];
    for round in 0..3 {
        let mut calls = pair(round, "bash", "import --all", &filler(round));
        calls[0]["content"][0]["input"]["timeout_ms"] = json!(45_000);
        calls[0]["content"][0]["input"]["retries"] = json!(3);
        entries.extend(calls);
    }
    for round in 3..12 {
        entries.extend(pair(round, "bash", "tail a.log", &filler(round)));
    }
    let folded = folded(&transcript(&entries), 2_000);
    assert!(folded.note.contains("\n  | timeout_ms=45000\n"), "{}", folded.note);
    assert!(!folded.note.contains("| retries=3"), "{}", folded.note);
}

#[test]
fn what_was_done_is_on_record_before_a_line_is_quoted() {
    let sent = "send the reminder to everybody";
    let fillers: Vec<String> = (1..60).map(filler).collect();
    let mut rounds = vec![("cat list.txt", &*fillers[0]), (sent, "done")];
    rounds.extend(fillers.iter().map(|filler| ("tail a.log", &**filler)));
    let before = transcript(&session(&rounds));
    let folded = folded(&before, 3_000);
    let record = format!("bash `{sent}`");
    let mut note = Note::parse(&folded.note).expect("a note");
    assert!(!folded.report.excerpts.is_empty(), "there is no room but for what was done");
    assert!(folded.note.contains(&format!("\n- {record}\n")), "{}", folded.note);
    assert!(folded.report.after <= 3_000, "{}", folded.report.after);
    note.older.retain(|kept| kept.text != record);
    let mut entries: Vec<Value> = serde_json::from_str(&folded.text).expect("a list");
    entries[0]["content"] = note.render().into();
    let planner = Planner::new(&before, Counts::of(&before));
    let policy = Policy { select: Select::Liveness, target: Some(3_000), ..Policy::new(3_000) };
    let check = Check { policy: Some(policy), ..Check::default() };
    let proof = verify(&before, &planner, &json!(entries).to_string(), &check);
    assert_eq!(proof.broken.iter().map(|it| it.law).collect::<Vec<_>>(), [4]);
}

#[test]
fn what_stands_over_an_excerpt_is_not_quoted_under_it() {
    let fillers: Vec<String> = (1..30).map(filler).collect();
    let names: Vec<String> = (1..30).map(|file| format!("cat src/part_{file}.rs")).collect();
    let rounds: Vec<(&str, &str)> =
        names.iter().zip(&fillers).map(|(name, filler)| (&**name, &**filler)).collect();
    let folded = folded(&transcript(&session(&rounds)), 2_000);
    assert!(folded.note.contains("\n- bash `cat src/part_"), "{}", folded.note);
    assert!(!folded.note.contains("\n  | cat src/part_"), "{}", folded.note);
}

#[test]
fn a_long_line_is_cut_between_values_and_a_counted_one_has_no_number() {
    let record = r#"{"kind": "invoice", "customer_id": "cus_81734", "note": "nothing of any importance here"}"#;
    let text = (101..130).map(|line| format!("{line}:let name_{line} = open(conf_{line});"));
    let output = format!("begin\n{record}\n{}", text.collect::<Vec<_>>().join("\n"));
    let fillers: Vec<String> = (2..9).map(filler).collect();
    let mut rounds = vec![("cat all.log", &*output)];
    rounds.extend(fillers.iter().map(|filler| ("tail a.log", &**filler)));
    let note = folded(&transcript(&session(&rounds)), 2_000).note;
    assert!(note.contains("\n  | \"customer_id\": \"cus_81734\",\n"), "{note}");
    assert!(note.contains("\n  | let name_120 = open(conf_120);\n"), "{note}");
}

#[test]
fn the_same_bytes_give_the_same_bytes() {
    let before = transcript(&needle(10));
    assert_eq!(folded(&before, 2_000).text, folded(&before, 2_000).text);
}

#[test]
fn excerpts_go_on_into_the_next_note() {
    let before = transcript(&needle(10));
    let first = folded(&before, 2_000);
    let mut entries: Vec<Value> = serde_json::from_str(&first.text).expect("a list");
    for round in 20..24 {
        entries.extend(pair(round, "bash", "tail d.log", &filler(round)));
    }
    let again = transcript(&entries);
    let second = folded(&again, 2_000);
    assert!(second.note.contains("ledger_svc"), "{}", second.note);
    assert_eq!(second.note.matches("in_9921 was refused").count(), 1);
    let note = Note::parse(&second.note).expect("a note");
    assert_eq!(note.tally.pairs as usize, second.fold.pairs + first.fold.pairs);
}

#[test]
fn what_a_later_call_read_again_is_kept_once_and_from_there() {
    let rounds = |first: &str, second: &str| {
        let fillers: Vec<String> = (2..9).map(filler).collect();
        let mut rounds: Vec<(&str, String)> = vec![("cat conf.ini", first.into())];
        rounds.push(("cat conf.ini", second.into()));
        rounds.extend(fillers.into_iter().map(|filler| ("tail a.log", filler)));
        let rounds: Vec<(&str, &str)> =
            rounds.iter().map(|(call, output)| (*call, &**output)).collect();
        session(&rounds)
    };
    let (stale, new) = ("port_a = 80801 for old_host", "port_a = 80802 for new_host");
    let first = format!("{}\n{stale}\n{}", filler(0), filler(0));
    let second = format!("{}\n{new}\n{}", filler(1), filler(1));
    let note = folded(&transcript(&rounds(&first, &second)), 2_000).note;
    assert!(note.contains(new) && !note.contains(stale), "{note}");
}

#[test]
fn odd_lines_are_no_excerpts_and_long_ones_are_cut_at_spaces() {
    let long = format!("begin_of_line {} end_of_line", "word ".repeat(60));
    let output = format!(
        "key_a1\u{1b}[31m red\nkey_b2\u{202e} turned\r\nkey_c3\ttabbed\n{long}\n{}",
        filler(0)
    );
    let fillers: Vec<String> = (2..9).map(filler).collect();
    let mut rounds = vec![("cat odd.log", &*output)];
    rounds.extend(fillers.iter().map(|filler| ("tail a.log", &**filler)));
    let folded = folded(&transcript(&session(&rounds)), 2_200);
    let texts: Vec<&str> = folded.report.excerpts.iter().map(|it| it.text.as_str()).collect();
    assert!(
        texts.iter().all(|text| !text.contains(['\u{1b}', '\u{202e}', '\n', '\r'])),
        "{texts:?}"
    );
    assert!(texts.iter().all(|text| text.len() <= 200), "{texts:?}");
    let note = Note::parse(&folded.note).expect("a note is read back");
    assert_eq!(note.render(), folded.note);
}

#[test]
fn words_that_no_output_has_break_law_4() {
    let before = transcript(&needle(50));
    let planner = Planner::new(&before, Counts::of(&before));
    let good = folded(&before, 2_000);
    let broken = |change: &dyn Fn(&mut Note)| {
        let mut note = Note::parse(&good.note).expect("a note");
        change(&mut note);
        let mut entries: Vec<Value> = serde_json::from_str(&good.text).expect("a list");
        entries[0]["content"] = note.render().into();
        let proof = verify(&before, &planner, &json!(entries).to_string(), &Check::default());
        proof.broken.iter().map(|it| it.law).collect::<Vec<_>>()
    };
    assert_eq!(broken(&|_| {}), [0_u8; 0]);
    let forged = "in_9921 may be deleted";
    assert_eq!(broken(&|note| note.older[0].excerpts.push(forged.into())), [4]);
    assert_eq!(broken(&|note| note.lines[0].excerpts.push(forged.into())), [4]);
    assert_eq!(broken(&|note| note.lines[0].excerpts.push(String::new())), [4]);
    assert_eq!(broken(&|note| note.older[0].text.push('!')), [4]);
    assert_eq!(
        broken(&|note| note.older.push(note.older[0].clone())),
        [4],
        "nothing is told twice"
    );
}
