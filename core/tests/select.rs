//! Pins that somebody selects: the words between two offsets of JavaScript, or the words themselves.

use pinfold::ledger::{Ledger, Options, RefusalCode};
use pinfold::{ReadOptions, Structure, read};
use serde_json::json;

/// An astral character, which is four bytes and two UTF-16 units, then letters of two bytes and one unit.
const SMILE: &str = "😀 Größe nie ändern.";

fn ledger() -> Ledger {
    let talk = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": [
            { "type": "text", "text": SMILE },
            { "type": "image_url", "image_url": { "url": "data:," } },
            { "type": "text", "text": "Be brief, and never brief me." },
        ] },
        { "role": "assistant", "content": "Never!" },
    ]);
    let transcript = read(talk.to_string().as_bytes(), ReadOptions::default()).expect("a talk");
    let options = Options { accept: pinfold::ledger::Accept::Nothing, ..Options::default() };
    let mut ledger = Ledger::new(options);
    ledger.observe(&transcript, &Structure::of(&transcript));
    ledger
}

/// The words that are pinned for the units from `start` to `end`, and where they stand.
fn check_units(
    entry: usize,
    part: Option<usize>,
    units: (usize, usize),
    wanted: Result<(&str, usize), RefusalCode>,
) {
    let mut ledger = ledger();
    let pinned = ledger.pin_units(entry, part, units.0..units.1, "constraint");
    compare(&ledger, pinned.map_err(|refusal| refusal.code), wanted);
}

fn check_words(
    entry: usize,
    part: Option<usize>,
    words: &str,
    wanted: Result<(&str, usize), RefusalCode>,
) {
    let mut ledger = ledger();
    let pinned = ledger.pin_words(entry, part, words, "constraint");
    compare(&ledger, pinned.map_err(|refusal| refusal.code), wanted);
}

fn compare(
    ledger: &Ledger,
    pinned: Result<String, RefusalCode>,
    wanted: Result<(&str, usize), RefusalCode>,
) {
    match (pinned, wanted) {
        (Ok(id), Ok((text, part))) => {
            let pin = ledger.pins().iter().find(|pin| pin.id == id).expect("a pin of that id");
            assert_eq!((&*pin.text, pin.said[0].part), (text, part));
        }
        (pinned, wanted) => assert_eq!(pinned.err(), wanted.err()),
    }
}

#[test]
fn a_range_is_in_utf16_units() {
    check_units(1, None, (0, 2), Ok(("😀", 0)));
    check_units(1, None, (3, 8), Ok(("Größe", 0)));
    check_units(1, Some(0), (9, 20), Ok(("nie ändern.", 0)));
    check_units(1, Some(2), (10, 19), Ok(("and never", 2)));
    check_units(0, None, (3, 9), Ok(("brief.", 0)));
}

#[test]
fn what_is_no_range_is_refused() {
    let refused = Err(RefusalCode::NotVerbatim);
    check_units(1, None, (1, 8), refused);
    check_units(1, None, (0, 1), refused);
    check_units(1, None, (3, 21), refused);
    check_units(1, None, (8, 3), refused);
    check_units(1, None, (usize::MAX, usize::MAX), refused);
    check_units(1, None, (3, 3), Err(RefusalCode::EmptyText));
    check_units(1, None, (2, 3), Err(RefusalCode::EmptyText));
    for (entry, part) in [(1, Some(1)), (2, None), (3, None), (usize::MAX, None)] {
        check_units(entry, part, (0, 2), Err(RefusalCode::NotAPrompt));
    }
}

#[test]
fn words_are_found_in_their_part() {
    check_words(1, None, "nie ändern", Ok(("nie ändern", 0)));
    check_words(1, None, "brief", Ok(("brief", 2)));
    check_words(1, Some(2), "never brief me.", Ok(("never brief me.", 2)));
    check_words(1, Some(0), "brief", Err(RefusalCode::NotVerbatim));
    check_words(1, Some(1), "brief", Err(RefusalCode::NotAPrompt));
    check_words(2, None, "Never!", Err(RefusalCode::NotAPrompt));
    check_words(1, None, " ", Err(RefusalCode::EmptyText));
}

#[test]
fn what_is_not_word_for_word_is_told_the_nearest_words() {
    for (words, wanted) in [
        ("größe NIE ändern", Some("Größe nie ändern")),
        ("grösse nie ändern", Some("😀 Größe nie ändern")),
        ("something else", None),
    ] {
        let refusal = ledger().pin_words(1, None, words, "constraint").err();
        assert_eq!(refusal.and_then(|refusal| refusal.nearest).as_deref(), wanted, "{words}");
    }
}

#[test]
fn an_entry_shows_the_texts_that_can_be_pinned() {
    let ledger = ledger();
    let texts = ledger.texts(1);
    assert_eq!(texts[0], (0, SMILE.to_string()));
    assert_eq!(texts[1].0, 2);
    assert_eq!(ledger.texts(0)[0].1, "Be brief.");
    assert!(ledger.texts(2).is_empty() && ledger.texts(9).is_empty());
}
