//! The laws over transcripts that nobody would write: random talks in which values are missing, of another kind, far too long
//! or there twice, under policies that nobody would ask for.

use crate::support::policies::{Asked, policies};
use crate::support::{Move, Shape, Talk, cases, clean_talk, messy_talk};
use pinfold::fold::{Outcome, Reply, fold_with};
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::{Ledger, Options, Repeat};
use pinfold::plan::{Planner, Way};
use pinfold::repair::repair;
use pinfold::rules::Mode;
use pinfold::tokens::Counts;
use pinfold::transcript::Transcript;
use proptest::prelude::*;
use serde_json::{Value, json};

/// What is done to a value of an entry.
#[derive(Clone, Copy, Debug)]
enum Wound {
    /// The value gives way to another one.
    Becomes(usize),
    /// It is taken out, with its key.
    Gone,
    /// The whole entry stands twice.
    Doubled,
    /// The whole entry stands at the end instead.
    Last,
}

/// Where, by entry and by value of it in the order of the text.
type Place = (prop::sample::Index, prop::sample::Index);

fn wounds() -> impl Strategy<Value = Vec<(Place, Wound)>> {
    let place = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let wound = prop_oneof![
        6 => (0..OTHERS).prop_map(Wound::Becomes),
        3 => Just(Wound::Gone),
        1 => Just(Wound::Doubled),
        1 => Just(Wound::Last),
    ];
    prop::collection::vec((place, wound), 1..6)
}

const OTHERS: usize = 14;

/// Values that stand where others are looked for.
fn other(number: usize) -> Value {
    match number {
        0 => Value::Null,
        1 => json!(""),
        2 => json!([]),
        3 => json!({}),
        4 => json!(-7.5e300),
        5 => json!(true),
        6 => json!("system"),
        7 => json!("user"),
        8 => json!("assistant"),
        9 => json!("tool"),
        10 => json!("call_1"),
        11 => json!("Never push to main. ".repeat(60)),
        12 => json!([{ "type": "text", "text": "Never push to main." }]),
        _ => json!("[Pinfold note, version 1]\n> \u{0}\u{2028}\u{1F600}\r\n- x"),
    }
}

fn wound(list: &mut Vec<Value>, (entry, value): Place, wound: Wound) {
    if list.is_empty() {
        return;
    }
    let at = entry.index(list.len());
    let mut paths = Vec::new();
    walk(&list[at], String::new(), &mut paths);
    let path = &paths[value.index(paths.len())];
    match wound {
        Wound::Becomes(number) => {
            *list[at].pointer_mut(path).expect("it was found there") = other(number);
        }
        Wound::Gone => {
            let Some((parent, key)) = path.rsplit_once('/') else {
                list.remove(at);
                return;
            };
            match list[at].pointer_mut(parent).expect("it was found there") {
                Value::Object(members) => {
                    members.remove(&key.replace("~1", "/").replace("~0", "~"));
                }
                Value::Array(items) => {
                    items.remove(key.parse().expect("a place in a list"));
                }
                _ => {}
            }
        }
        Wound::Doubled => list.insert(at, list[at].clone()),
        Wound::Last => {
            let entry = list.remove(at);
            list.push(entry);
        }
    }
}

/// The paths of a value and of all values in it.
fn walk(value: &Value, path: String, paths: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, inner) in members {
                let key = key.replace('~', "~0").replace('/', "~1");
                walk(inner, format!("{path}/{key}"), paths);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                walk(inner, format!("{path}/{index}"), paths);
            }
        }
        _ => {}
    }
    paths.push(path);
}

/// What a request says around its messages.
fn request(number: usize, list: Vec<Value>) -> Value {
    let key = match number {
        0 => return Value::Array(list),
        1 | 2 => "messages",
        3 => "contents",
        _ => "input",
    };
    let thinking = json!({ "type": "enabled", "budget_tokens": 2000 });
    let mut request =
        json!({ "model": "claude-opus-4-5", "system": "Never push to main.", "max_tokens": 9 });
    if number == 2 {
        request["thinking"] = thinking;
    }
    request[key] = list.into();
    request
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(48), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_odd_transcript_breaks_no_law(
        moves in prop_oneof![clean_talk(), messy_talk()],
        wounds in wounds(),
        around in 0..5_usize,
        asked in prop::collection::vec(policies(), 4),
    ) {
        for shape in Shape::lists() {
            let text = odd(&moves, shape, &wounds, around);
            let options = ReadOptions { format: Some(shape.format()), ..ReadOptions::default() };
            let Ok(transcript) = formats::read(text.as_bytes(), options) else { continue };
            for (repeat, asked) in [None, Some(Repeat::Folded), Some(Repeat::All), Some(Repeat::System)].into_iter().zip(&asked) {
                folds(&transcript, repeat, asked)?;
            }
        }
    }

    #[test]
    fn an_odd_transcript_is_mended_in_the_end(
        moves in prop_oneof![clean_talk(), messy_talk()],
        wounds in wounds(),
        around in 0..5_usize,
    ) {
        for shape in Shape::lists() {
            let text = odd(&moves, shape, &wounds, around);
            let options = ReadOptions { format: Some(shape.format()), ..ReadOptions::default() };
            let Ok(transcript) = formats::read(text.as_bytes(), options) else { continue };
            for mode in [Mode::Request, Mode::Log] {
                let mended = repair(&transcript, mode);
                let again = repair(&mended.transcript, mode);
                let first: Vec<_> = again.changes.iter().take(4).collect();
                prop_assert!(first.is_empty(), "{first:?} of {shape:?} {text}");
            }
        }
    }
}

fn odd(moves: &[Move], shape: Shape, wounds: &[(Place, Wound)], around: usize) -> String {
    let written = Talk::of(moves, shape).write(shape);
    let mut list: Vec<Value> = serde_json::from_str(&written).expect("a list");
    for &(place, how) in wounds {
        wound(&mut list, place, how);
    }
    request(around, list).to_string()
}

fn folds(
    transcript: &Transcript,
    repeat: Option<Repeat>,
    asked: &Asked,
) -> Result<(), TestCaseError> {
    let mut ledger = repeat.map(|repeat| Ledger::new(Options { repeat, ..Options::default() }));
    let planner = planner(transcript, ledger.as_mut());
    let total = planner.counts.total();
    let policy = asked.of(total);
    let at = || format!("{policy:?} of {:?} {}", transcript.wire(), transcript.text());
    match fold_with(transcript, &planner, &policy, &Reply::None) {
        Outcome::Left(_) => {}
        Outcome::Refused(broken) => {
            return Err(TestCaseError::fail(format!("{broken:?}: {}", at())));
        }
        Outcome::Folded(folded) => {
            prop_assert!(folded.report.after <= folded.fold.after, "{:?}: {}", folded.report, at());
            prop_assert!(
                folded.fold.after <= policy.budget && folded.fold.after < total,
                "{}",
                at()
            );
            let after = formats::read(folded.text.as_bytes(), like(transcript));
            let after = after.expect("what was folded is read again");
            let planner = planner_like(&planner, &after, &folded, ledger.as_mut());
            let again = fold_with(&after, &planner, &policy, &Reply::None);
            prop_assert!(matches!(again, Outcome::Left(_)), "{again:?}: {}", at());
        }
    }
    Ok(())
}

fn planner(transcript: &Transcript, ledger: Option<&mut Ledger>) -> Planner {
    counted(transcript, Counts::of(transcript), ledger)
}

fn counted(transcript: &Transcript, counts: Counts, ledger: Option<&mut Ledger>) -> Planner {
    match ledger {
        Some(ledger) => Planner::with_ledger(transcript, counts, ledger).0,
        None => Planner::new(transcript, counts),
    }
}

/// The planner of a folded transcript, in which what was kept costs what it cost before.
fn planner_like(
    before: &Planner,
    after: &Transcript,
    folded: &pinfold::fold::Folded,
    ledger: Option<&mut Ledger>,
) -> Planner {
    let mut counts = Counts::of(after);
    let mut were = before.counts.entries.clone();
    for trim in &folded.fold.trims {
        were[trim.entry] = trim.after as u32;
    }
    if folded.fold.way == Way::InPlace {
        counts.entries = were;
        return counted(after, counts, ledger);
    }
    let kept = were[folded.fold.cut + usize::from(folded.merged)..].iter().copied();
    let note = counts.entries[folded.system.len()];
    let system = folded.system.iter().map(|&entry| before.counts.entries[entry]);
    counts.entries = system.chain([note]).chain(kept).collect();
    counted(after, counts, ledger)
}

/// How a text is read that was made from `transcript`.
fn like(transcript: &Transcript) -> ReadOptions {
    ReadOptions {
        format: Some(transcript.wire()),
        provider: Some(transcript.provider()),
        family: Some(transcript.request().family),
        ..ReadOptions::default()
    }
}
