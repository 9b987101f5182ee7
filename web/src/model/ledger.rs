//! The ledger in words: candidates, pins, conflicts, and what they take of the budget.

use std::collections::{BTreeMap, BTreeSet};

use pinfold::Ledger;
use pinfold::ledger::{
    Candidate, Class, Conflict, End, Evidence, Origin, Pin, Row, Said, Share, Sign, Verdict,
};

use super::marks::Words;
use super::number::{counted, grouped};
use super::visible::{capped, visible};

/// Characters of a pin's words that the panel shows; its entry shows them all.
const SHOWN: usize = 600;
/// Sentences that are offered as evidence.
const OFFERED: usize = 4;
/// Places of one pin that are named one by one.
const PLACES: usize = 6;

/// A sentence that may bind, as the panel tells it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) text: String,
    /// What flagged it, in words.
    pub(crate) signs: String,
    pub(crate) places: Vec<(String, Option<Words>)>,
}

/// The candidates with a verdict, each sentence once, in the order in which they came.
pub(crate) fn asked(ledger: &Ledger, verdict: Verdict) -> Vec<Asked> {
    let mut found: Vec<Asked> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for candidate in ledger.candidates().iter().filter(|it| it.verdict == verdict) {
        let place = place(&candidate.said, &candidate.text);
        let at = *known.entry(&candidate.id).or_insert(found.len());
        match found.get_mut(at) {
            Some(asked) => asked.places.push(place),
            None => found.push(ask(candidate, place)),
        }
    }
    found
}

/// How many candidates wait for a decision.
pub(crate) fn waiting(ledger: &Ledger) -> usize {
    let candidates = ledger.candidates().iter();
    let waiting = candidates.filter(|candidate| candidate.verdict == Verdict::Waiting);
    waiting.map(|candidate| &*candidate.id).collect::<BTreeSet<&str>>().len()
}

fn ask(candidate: &Candidate, place: (String, Option<Words>)) -> Asked {
    let signs: Vec<&str> = candidate.signs.iter().map(sign_word).collect();
    Asked {
        id: candidate.id.clone(),
        text: shortened(&candidate.text),
        signs: signs.join(", "),
        places: vec![place],
    }
}

/// What a sign says, in words.
fn sign_word(sign: Sign) -> &'static str {
    match sign {
        Sign::Prohibition => "forbids",
        Sign::Avoidance => "asks to avoid",
        Sign::Imperative => "demands",
        Sign::Standing => "holds from now on",
        Sign::Ordering => "sets an order",
        Sign::Exception => "sets a condition",
        Sign::Approval => "wants to be asked",
        Sign::Permission => "permits",
        Sign::Later => "is left for later",
        Sign::Limit => "sets a limit",
        Sign::Statement => "states how things are",
        Sign::Path => "names a path",
        Sign::Glob => "names a pattern of paths",
        Sign::Branch => "names a branch",
        Sign::Url => "names an address",
        Sign::Version => "names a version",
        Sign::Amount => "names an amount",
        Sign::Quoted => "is quoted",
    }
}

/// A pin, as the panel tells it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Told {
    pub(crate) id: String,
    pub(crate) class: Class,
    pub(crate) live: bool,
    pub(crate) topic: Option<&'static str>,
    pub(crate) text: String,
    pub(crate) origin: &'static str,
    /// What it costs in the ledger.
    pub(crate) tokens: u64,
    /// Why it holds no longer.
    pub(crate) evidence: Option<String>,
    pub(crate) places: Vec<(String, Option<Words>)>,
    /// Times that it was said beside those that are named.
    pub(crate) more: usize,
    /// Whether it stands in system text, which holds as long as it stands there.
    pub(crate) system: bool,
    /// Whether it is only a guess, which may be dismissed without evidence.
    pub(crate) guess: bool,
    /// The ways in which it can end.
    pub(crate) ends: Vec<End>,
}

/// The pins of a class, live ones first.
pub(crate) fn pins(ledger: &Ledger, class: Class) -> Vec<Told> {
    let of = |live: bool| {
        let pins = ledger.pins().iter();
        pins.filter(move |pin| pin.class == class && pin.is_live() == live).map(tell)
    };
    of(true).chain(of(false)).collect()
}

/// A pin in words.
fn tell(pin: &Pin) -> Told {
    let named = pin.said.iter().take(PLACES).map(|said| place(said, &pin.text));
    Told {
        id: pin.id.clone(),
        class: pin.class,
        live: pin.is_live(),
        topic: pin.topic.map(pinfold::ledger::Topic::name),
        text: shortened(&pin.text),
        origin: origin_word(pin.origin),
        tokens: Row::of(pin).tokens(),
        evidence: pin.evidence.as_ref().map(evidence),
        places: named.collect(),
        more: pin.said.len().saturating_sub(PLACES),
        system: pin.is_system(),
        guess: pin.is_live() && matches!(pin.origin, Origin::Policy | Origin::Unanswered),
        ends: ends(pin),
    }
}

fn place(said: &Said, text: &str) -> (String, Option<Words>) {
    let when =
        if said.seat.is_system() { SYSTEM.into() } else { turns((said.turn, said.turn), false) };
    (when, Words::of(said, text))
}

const SYSTEM: &str = "system text";

/// The turns in which words were said.
pub(crate) fn turns((first, last): (u32, u32), system: bool) -> String {
    match (first, last) {
        _ if system => SYSTEM.into(),
        // System text is of turn 0, also where it was taken out since.
        (0, 0) => SYSTEM.into(),
        _ if first == last => format!("turn {first}"),
        _ => format!("turns {first} to {last}"),
    }
}

fn shortened(text: &str) -> String {
    let (shown, hidden) = capped(text.trim(), SHOWN);
    let mut shown = visible(shown).into_owned();
    if hidden > 0 {
        shown.push('…');
    }
    shown
}

fn evidence(evidence: &Evidence) -> String {
    let Evidence { end, quote, turn } = evidence;
    let quote = shortened(quote);
    let end = end_word(*end);
    match turn {
        Some(turn) => format!("{end} in turn {turn}: “{quote}”"),
        None => format!("{end}: “{quote}”"),
    }
}

fn ends(pin: &Pin) -> Vec<End> {
    match pin.class {
        _ if pin.is_system() || !pin.is_live() => Vec::new(),
        Class::Constraint => vec![End::Revoked],
        Class::Commitment => vec![End::Fulfilled, End::Revoked],
        Class::OpenQuestion => vec![End::Answered, End::Revoked],
        Class::ToolState => vec![End::Completed, End::Superseded],
    }
}

/// Classes of words, with the key for each.
pub(crate) const CLASSES: [(Class, &str); 3] =
    [(Class::Constraint, "c"), (Class::Commitment, "m"), (Class::OpenQuestion, "q")];

/// A class as a word.
pub(crate) fn class_word(class: Class) -> &'static str {
    match class {
        Class::Constraint => "constraint",
        Class::Commitment => "commitment",
        Class::OpenQuestion => "open question",
        Class::ToolState => "tool state",
    }
}

/// A class as a heading.
pub(crate) fn class_title(class: Class) -> &'static str {
    match class {
        Class::Constraint => "Constraints",
        Class::Commitment => "Commitments",
        Class::OpenQuestion => "Open questions",
        Class::ToolState => "Tool state",
    }
}

/// An end as a word.
pub(crate) fn end_word(end: End) -> &'static str {
    match end {
        End::Answered => "answered",
        End::Completed => "completed",
        End::Dismissed => "dismissed",
        End::Fulfilled => "fulfilled",
        End::Revoked => "revoked",
        End::Superseded => "superseded",
        End::Withdrawn => "taken out of the system text",
    }
}

/// Who made something a pin, in words.
fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Accepted => "accepted from the candidates",
        Origin::Classifier => "found by a model",
        Origin::Ledger => "from the ledger of an earlier fold",
        Origin::Policy => "by policy: a plain prohibition",
        Origin::Selected => "selected by hand",
        Origin::Tools => "told by a call or its result",
        Origin::Unanswered => "kept until somebody decides",
    }
}

/// A contradiction, as the panel tells it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Clash {
    pub(crate) pin: String,
    /// The pin's words.
    pub(crate) rule: String,
    /// The later words, in short and as they stand.
    pub(crate) later: String,
    pub(crate) quote: String,
    pub(crate) when: String,
    pub(crate) place: Option<Words>,
    pub(crate) why: &'static str,
    /// Whether the later words can revoke the pin.
    pub(crate) revokes: bool,
}

/// The contradictions between pins that hold and later words.
pub(crate) fn clashes(ledger: &Ledger) -> Vec<Clash> {
    ledger.conflicts().iter().map(|conflict| clash(ledger, conflict)).collect()
}

fn clash(ledger: &Ledger, conflict: &Conflict) -> Clash {
    let pin = ledger.pins().iter().find(|pin| pin.id == conflict.pin);
    let (when, place) = place(&conflict.said, &conflict.text);
    Clash {
        pin: conflict.pin.clone(),
        rule: pin.map(|pin| shortened(&pin.text)).unwrap_or_default(),
        later: shortened(&conflict.text),
        quote: conflict.text.clone(),
        when,
        place,
        why: match conflict.why.name() {
            "asking" => "One wants to be asked first, the other does not.",
            "value" => "The same rule, with another value.",
            _ => "One forbids what the other asks for.",
        },
        revokes: pin.is_some_and(|pin| ends(pin).contains(&End::Revoked)),
    }
}

/// Sentences of later prompts that may revoke a pin, most telling first, as they stand.
pub(crate) fn later(ledger: &Ledger, pin: &str) -> Vec<(String, String)> {
    let Some(pin) = ledger.pins().iter().find(|known| known.id == pin) else { return Vec::new() };
    let after = pin.turns().1;
    let is_later = |said: &Said| !said.seat.is_system() && said.turn > after;
    let clashing = ledger.conflicts().iter().filter(|conflict| conflict.pin == pin.id);
    let clashing = clashing.map(|conflict| (&conflict.said, &conflict.text));
    let permits = |permits: bool| {
        let candidates = ledger.candidates().iter();
        let found = candidates.filter(move |it| it.signs.has(Sign::Permission) == permits);
        found.map(|candidate| (&candidate.said, &candidate.text))
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for (said, text) in clashing.chain(permits(true)).chain(permits(false)) {
        let known = found.iter().any(|(_, known)| known == text);
        if is_later(said) && !known && *text != pin.text && found.len() < OFFERED {
            found.push((turns((said.turn, said.turn), false), text.clone()));
        }
    }
    found
}

/// What the ledger is in a fold.
pub(crate) fn told(share: &Share) -> String {
    let pins = counted(share.pins, "pin", "pins");
    format!("{pins}, {} tokens", grouped(share.tokens))
}

/// What the ledger takes of the budget, in a sentence, and whether that is too much.
pub(crate) fn share(share: &Share, folded: bool) -> (String, bool) {
    let pins = counted(share.pins, "pin", "pins");
    let (tokens, allowed) = (grouped(share.tokens), grouped(share.allowed));
    let over = share.tokens > share.allowed;
    let sentence = match (folded, share.pins) {
        (true, 0) => {
            "The fold of this budget needs no pin: what binds stands in what is kept.".into()
        }
        (true, _) => format!("{pins} in the fold, {tokens} of {allowed} tokens"),
        (false, 0) => "No pins. Accept a candidate, or select words in an entry.".into(),
        (false, _) => format!("Nothing is folded. At most: {pins}, {tokens} of {allowed} tokens"),
    };
    (sentence, over)
}

#[cfg(test)]
mod tests {
    use pinfold::ledger::{Class, End, Sign};
    use pinfold::{Counts, Ledger, Planner, ReadOptions, Transcript, read};

    use super::{CLASSES, later, pins, share, sign_word, turns};

    fn talk(texts: &[&str]) -> Transcript {
        let entries: Vec<String> = texts
            .iter()
            .map(|text| format!(r#"{{"role":"user","content":"{text}"}},{{"role":"assistant","content":"Done."}}"#))
            .collect();
        let text = format!("[{}]", entries.join(","));
        read(text.as_bytes(), ReadOptions::default()).expect("a transcript")
    }

    fn kept(transcript: &Transcript) -> (Ledger, Planner) {
        let mut ledger = Ledger::default();
        let counts = Counts::of(transcript);
        let (planner, _) = Planner::with_ledger(transcript, counts, &mut ledger);
        (ledger, planner)
    }

    #[test]
    fn a_pin_is_told_with_its_turn_its_origin_and_its_end() {
        let transcript = talk(&["The port is 8080 for good.", "The port is 9090 now."]);
        let (mut ledger, _) = kept(&transcript);
        let id = ledger.pin(0, 0, 0..26, "constraint").expect("it is a prompt");
        let told = pins(&ledger, Class::Constraint).remove(0);
        assert_eq!((&*told.text, told.live), ("The port is 8080 for good.", true));
        assert_eq!((&*told.places[0].0, told.origin), ("turn 1", "selected by hand"));
        assert_eq!((told.ends, told.guess), (vec![End::Revoked], false));
        ledger.retire(&id, End::Revoked, "The port is 9090 now.").expect("a later prompt says it");
        let told = pins(&ledger, Class::Constraint).remove(0);
        assert_eq!(told.evidence.as_deref(), Some("revoked in turn 2: “The port is 9090 now.”"));
        assert!(!told.live && told.ends.is_empty());
    }

    #[test]
    fn the_share_of_a_ledger_is_said_for_a_fold_and_without_one() {
        let transcript = talk(&["Keep to the port 8080.", "Go on."]);
        let (mut ledger, planner) = kept(&transcript);
        ledger.pin(0, 0, 0..22, "constraint").expect("it is a prompt");
        let planner = planner.with_standing(&transcript, ledger.standing());
        let (none, over) = share(&planner.standing.share(0, 1000), true);
        assert!(none.contains("needs no pin") && !over);
        let (some, over) = share(&planner.standing.share(2, 1000), true);
        assert!(
            some.starts_with("1 pin in the fold, ") && some.ends_with(" of 250 tokens"),
            "{some}"
        );
        assert!(!over);
        let (much, over) = share(&planner.standing.share(2, 40), false);
        assert!(much.starts_with("Nothing is folded. At most: 1 pin, ") && over, "{much}");
    }

    #[test]
    fn only_later_sentences_are_offered_and_each_once() {
        let transcript = talk(&["Never do it.", "You may do it now.", "You may do it now."]);
        let (mut ledger, _) = kept(&transcript);
        let id = ledger.pin(0, 0, 0..12, "constraint").expect("it is a prompt");
        let texts: Vec<String> = later(&ledger, &id).into_iter().map(|(_, text)| text).collect();
        assert!(texts.iter().filter(|text| *text == "You may do it now.").count() <= 1);
        assert!(!texts.contains(&"Never do it.".to_owned()), "{texts:?}");
        assert!(later(&ledger, "nobody").is_empty());
    }

    #[test]
    fn turns_are_said_in_words() {
        assert_eq!(turns((2, 2), false), "turn 2");
        assert_eq!(turns((2, 5), false), "turns 2 to 5");
        assert_eq!(turns((0, 0), true), "system text");
    }

    #[test]
    fn every_sign_and_key_has_its_own_word() {
        for (index, &sign) in Sign::ALL.iter().enumerate() {
            let word = sign_word(sign);
            assert!(Sign::ALL[..index].iter().all(|&other| sign_word(other) != word), "{word}");
        }
        let keys: Vec<&str> = CLASSES.iter().map(|(_, key)| *key).collect();
        assert_eq!(keys, ["c", "m", "q"]);
    }
}
