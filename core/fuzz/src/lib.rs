//! What must hold of any bytes: nothing panics, what is read is read again, repair comes to an end, no fold breaks a law,
//! a ledger outlives its text, and a session knows what a whole pass knows.
//!
//! The first byte says what the others are: a text, or moves of a talk that is written in one of the formats. So the
//! fuzzer need not find out what JSON is before it comes to a fold.

#[path = "../../tests/support/mod.rs"]
#[allow(dead_code, reason = "the property tests use the rest")]
mod support;

use std::borrow::Cow;

use pinfold::fold::{Outcome, fold as fold_at};
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::{Ledger, Options};
use pinfold::plan::{Planner, Policy, Select};
use pinfold::repair::repair as mend;
use pinfold::rules::Mode;
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use pinfold::{Session, Structure, verify};

use support::whole::agrees_with;
use support::{Move, Shape, Talk};

/// What is read has its entries in its text, and is the same when it is read again.
pub fn read(bytes: &[u8]) {
    let (text, options) = input(bytes);
    let Ok(transcript) = formats::read(&text, options) else { return };
    for entry in 0..transcript.len() {
        // Not by a search: of many entries of a long text each would be a long one.
        let span = transcript.entries()[entry].span.range();
        assert_eq!(transcript.text().get(span), Some(transcript.entry_text(entry)));
    }
    let again = again(&transcript, transcript.text());
    let entries = |it: &Transcript| -> Vec<String> {
        (0..it.len()).map(|entry| it.entry_text(entry).into()).collect()
    };
    assert_eq!(entries(&transcript), entries(&again));
    let _ = formats::documents(&String::from_utf8_lossy(&text));
}

/// What was mended needs no mending.
pub fn repair(bytes: &[u8]) {
    let (text, options) = input(bytes);
    let Ok(transcript) = formats::read(&text, options) else { return };
    for mode in [Mode::Request, Mode::Log] {
        let mended = mend(&transcript, mode);
        if mended.text.is_empty() {
            continue;
        }
        let Ok(after) = formats::read(mended.text.as_bytes(), like(&transcript)) else {
            assert!(mended.changes.is_empty() || transcript.is_empty(), "it cannot be read again");
            continue;
        };
        let twice = mend(&after, mode);
        assert!(twice.changes.is_empty(), "{:?} after {:?}", twice.changes, mended.changes);
    }
}

/// No fold breaks a law, and none is over its budget.
pub fn fold(bytes: &[u8]) {
    let [share, asked, bytes @ ..] = bytes else { return };
    let (text, options) = input(bytes);
    let Ok(transcript) = formats::read(&text, options) else { return };
    let policy = policy(*share, *asked, &transcript);
    let mut ledger = Ledger::new(Options::default());
    let counts = Counts::of(&transcript);
    let planner = if asked & 1 == 0 {
        Planner::new(&transcript, counts)
    } else {
        Planner::with_ledger(&transcript, counts, &mut ledger).0
    };
    match fold_at(&transcript, &planner, &policy) {
        Outcome::Folded(folded) => {
            assert!(folded.report.after <= policy.budget, "{:?}", folded.report);
            let proof = verify(&transcript, &planner, &folded.text, &Default::default());
            assert!(proof.holds(), "{:?}", proof.broken);
        }
        Outcome::Left(_) => {}
        Outcome::Refused(broken) => panic!("{broken:?}"),
    }
}

/// A ledger is the same when it was stored, and what a fold left of it is found in the folded transcript.
pub fn ledger(bytes: &[u8]) {
    let [share, bytes @ ..] = bytes else { return };
    let (text, options) = input(bytes);
    let Ok(transcript) = formats::read(&text, options) else { return };
    let mut ledger = Ledger::new(Options::default());
    let (planner, _) = Planner::with_ledger(&transcript, Counts::of(&transcript), &mut ledger);
    let saved = ledger.to_json();
    let options = Options::default;
    let back = Ledger::from_json(&saved, options()).expect("what was stored");
    assert_eq!(back.to_json(), saved);
    let policy = policy(*share, 0, &transcript);
    let Outcome::Folded(folded) = fold_at(&transcript, &planner, &policy) else { return };
    let after = again(&transcript, &folded.text);
    let structure = Structure::of(&after);
    let (_, note) = structure.note.as_ref().expect("the note of the fold");
    let carried = Ledger::of(&after, &structure);
    for row in &note.ledger.rows {
        assert!(carried.pins().iter().any(|pin| pin.text == row.text), "{row:?} is lost");
    }
}

/// After every push, every fold and every return from JSON a session knows what a whole pass over its text knows.
pub fn session(bytes: &[u8]) {
    let [order, also, bytes @ ..] = bytes else { return };
    let (text, options) = input(bytes);
    let Ok(transcript) = formats::read(&text, options) else { return };
    // Each step costs a whole pass. A prompt that stands by itself is no entry that could be pushed.
    let texts: Vec<String> = (0..transcript.len().min(24))
        .map(|entry| transcript.entry_text(entry).to_string())
        .filter(|text| text.starts_with('{'))
        .collect();
    let options = || Options { classify: also & 1 != 0, ..Options::default() };
    let mut ledger = Ledger::new(options());
    let mut session = if also & 2 != 0 && transcript.len() <= texts.len() {
        // What it has already comes once more, with the same ids.
        Session::of(transcript, Ledger::new(options())).0
    } else {
        let wire = transcript.wire();
        Session::new(wire, Ledger::new(options())).expect("a format of messages")
    };
    let bit = |step: usize| (order >> (step % 8)) & 1 == 1;
    let (mut at, mut step) = (0, 0);
    while at < texts.len() {
        step += 1;
        let size = if bit(step) { 1 } else { step % 4 };
        let next = &texts[at..texts.len().min(at + size)];
        at += next.len();
        if let Err(refused) = session.push(&format!("[{}]", next.join(","))) {
            // What holds a transcript of its own begins none.
            assert_eq!((refused.code(), session.transcript().len()), ("not-an-entry", 0));
            continue;
        }
        matches(&mut session, &mut ledger);
        if bit(step + 3) && (also >> 2) as usize % 8 == step % 8 {
            let share = u64::from(also >> 5) + 1;
            let policy = Policy::new(session.planner().counts.total() * share / 9);
            if let Outcome::Refused(broken) = session.fold(&policy) {
                panic!("{broken:?}");
            }
            matches(&mut session, &mut ledger);
        }
        if bit(step + 5) && bit(step) {
            session = stored(&session);
            matches(&mut session, &mut ledger);
        }
    }
}

/// Holds a session against the whole pass. What a log says beside the messages is only in what is stored.
fn matches(session: &mut Session, ledger: &mut Ledger) {
    let whole = stored(session).transcript().clone();
    agrees_with(session, ledger, &whole);
}

/// The session as it comes back from JSON, which gives the same bytes.
fn stored(session: &Session) -> Session {
    let saved = session.to_json();
    let options = Options { classify: session.ledger().options().classify, ..Options::default() };
    let back = Session::from_json(&saved, options).expect("what was stored");
    assert_eq!(back.to_json(), saved);
    back
}

/// A policy whose budget is a share of the transcript's tokens.
fn policy(share: u8, asked: u8, transcript: &Transcript) -> Policy {
    let total = Counts::of(transcript).total();
    let part = |share: u8| total.saturating_mul(u64::from(share)) / 255;
    Policy {
        select: if asked & 2 == 0 { Select::Recency } else { Select::Liveness },
        overshoot: asked & 4 == 0,
        quiet: asked & 8 != 0,
        trigger: (asked & 16 != 0).then(|| part(asked)),
        min_gain: if asked & 32 == 0 { 0 } else { part(asked / 8) },
        keep_recent: if asked & 64 == 0 { 0 } else { usize::from(asked & 3) },
        ..Policy::new(part(share))
    }
}

/// The text that `bytes` stand for, and how it is to be read.
fn input(bytes: &[u8]) -> (Cow<'_, [u8]>, ReadOptions) {
    match bytes {
        [first, second, moves @ ..] if first & 1 == 1 => {
            let shape = Shape::ALL[usize::from(*second) % Shape::ALL.len()];
            let talk = Talk::of(&moves.chunks(2).map(step).collect::<Vec<_>>(), shape);
            let options = ReadOptions { format: Some(shape.format()), ..ReadOptions::default() };
            (talk.write(shape).into_bytes().into(), options)
        }
        [first, text @ ..] => {
            // The format as it says itself, or any.
            let format = Format::ALL.get(usize::from(first / 2)).copied();
            (text.into(), ReadOptions { format, ..ReadOptions::default() })
        }
        [] => (bytes.into(), ReadOptions::default()),
    }
}

fn step(bytes: &[u8]) -> Move {
    let [kind, rest @ ..] = bytes else { return Move::System };
    let much = rest.first().copied().unwrap_or_default();
    let (much, few) = (usize::from(much), usize::from(much % 3));
    match kind % 16 {
        0..=2 => Move::Prompt(1 + much),
        3 | 4 => Move::Say(1 + much),
        5..=8 => Move::Call { thinks: much & 8 != 0, says: much & 16 != 0, calls: 1 + few },
        9..=11 => Move::Answer { words: 1 + much, skip: 0, turn: few },
        12 => Move::Answer { words: 1 + much, skip: few, turn: 0 },
        13 => Move::Orphan,
        14 => Move::Again,
        _ => if few == 0 { Move::Reuse } else { Move::System },
    }
}

/// A text that was read or written as that transcript was.
fn again(before: &Transcript, text: &str) -> Transcript {
    formats::read(text.as_bytes(), like(before)).expect("it was read before")
}

fn like(transcript: &Transcript) -> ReadOptions {
    let (format, provider) = (Some(transcript.wire()), Some(transcript.provider()));
    ReadOptions { format, provider, ..ReadOptions::default() }
}
