//! Conflicts: later words that contradict a pin. They are reported and never resolved: who is right, a person must say.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::Ledger;
use super::heard::Heard;
use super::pin::{Class, Pin, Said, Seat};
use super::trigger::{Sign, Signs, Trigger};

/// Words that contradict a pin.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Conflict {
    /// The pin's id.
    pub pin: String,
    /// The later words.
    pub text: String,
    /// Where they stand.
    pub said: Said,
    /// What contradicts.
    pub why: Clash,
}

/// How words contradict each other.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Clash {
    /// One says to ask first, the other to go on without asking.
    Asking,
    /// One forbids what the other asks for or allows: they speak of the same thing.
    Forbidden,
    /// The same rule with another version or amount.
    Value,
}

impl Clash {
    /// The clash of that name.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        [Self::Asking, Self::Forbidden, Self::Value].into_iter().find(|clash| clash.name() == name)
    }

    /// The name in kebab-case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Asking => "asking",
            Self::Forbidden => "forbidden",
            Self::Value => "value",
        }
    }
}

/// A sentence, seen as far as a contradiction goes.
struct View {
    signs: Signs,
    /// Whether it says not to ask.
    unasked: bool,
    /// Its content words and literals, folded and sorted.
    words: Vec<String>,
    /// Those among them that are paths, names, numbers.
    literals: Vec<String>,
}

impl Ledger {
    /// Finds the contradictions of all pins anew, in a transcript that may have moved.
    pub(super) fn contradict_all(&mut self) {
        let live = |id: &String| self.by_id.get(id).is_some_and(|&pin| self.pins[pin].is_live());
        self.conflicts.retain(|conflict| live(&conflict.pin));
        for conflict in &mut self.conflicts {
            let heard = conflict.said.heard.and_then(|index| self.heard.get(index as usize));
            conflict.said.seat = heard.map_or(Seat::Folded, |heard| heard.seat);
        }
        self.add_conflicts(conflicts(self.pins.iter(), &self.heard, 0, Trigger::shared()));
    }

    /// Finds those of all pins in what was heard from number `first` on.
    pub(super) fn contradict_new(&mut self, first: usize) {
        if first < self.heard.len() {
            let pins = self.pins.iter();
            self.add_conflicts(conflicts(pins, &self.heard, first, Trigger::shared()));
        }
    }

    /// Finds those of pins that were just made.
    pub(super) fn contradict(&mut self, ids: &[String]) {
        let pins = ids.iter().filter_map(|id| self.pins.get(*self.by_id.get(id)?));
        self.add_conflicts(conflicts(pins, &self.heard, 0, Trigger::shared()));
    }

    /// Adds the contradictions that are new. One that was seen is told as long as its pin lives, though its words may be folded.
    fn add_conflicts(&mut self, found: Vec<Conflict>) {
        for found in found {
            if self.conflicts.len() >= MOST_CONFLICTS {
                break;
            }
            let same = |known: &Conflict| known.pin == found.pin && known.text == found.text;
            if !self.conflicts.iter().any(same) {
                self.conflicts.push(found);
            }
        }
    }
}

/// The contradictions between live pins and what was said later, from number `first` on, and between two system texts.
pub(super) fn conflicts<'p>(
    pins: impl DoubleEndedIterator<Item = &'p Pin>,
    heard: &[Heard],
    first: usize,
    trigger: &Trigger,
) -> Vec<Conflict> {
    let words = pins.rev().filter(|pin| pin.is_live() && pin.class != Class::ToolState);
    let rules: Vec<(&Pin, View)> = words
        .take(MOST)
        .map(|pin| (pin, View::of(&pin.text, whole_signs(&pin.text, trigger))))
        .collect();
    let mut found: Vec<Conflict> = Vec::new();
    if rules.is_empty() {
        return found;
    }
    let is_later =
        |heard: &Heard, pin: &Pin| heard.turn > pin.turns().1 || heard.system && pin.is_system();
    for (index, heard) in heard.iter().enumerate().skip(first) {
        if heard.seat == Seat::Folded || !rules.iter().any(|(pin, _)| is_later(heard, pin)) {
            continue;
        }
        for (part, text) in &heard.texts {
            for flagged in trigger.scan(text) {
                let words = text.get(flagged.bytes.clone()).unwrap_or_default();
                let later = View::of(words, flagged.signs);
                for (pin, rule) in &rules {
                    let later_words = is_later(heard, pin) && pin.text != words;
                    let Some(why) = clash(rule, &later).filter(|_| later_words) else {
                        continue;
                    };
                    // Two system texts clash both ways; one report is enough.
                    let told = heard.system && found.iter().any(|known| known.text == pin.text);
                    if found.len() >= MOST {
                        return found;
                    }
                    if !told {
                        let said = heard.said(index, *part, flagged.bytes.clone());
                        found.push(Conflict {
                            pin: pin.id.clone(),
                            text: words.to_string(),
                            said,
                            why,
                        });
                    }
                }
            }
        }
    }
    found
}

/// Nobody reads more contradictions.
const MOST_CONFLICTS: usize = 200;

/// The newest pins that later words are held against, and the most conflicts of one search: the cost is pins × sentences,
/// and nobody reads more.
const MOST: usize = 200;

fn whole_signs(text: &str, trigger: &Trigger) -> Signs {
    trigger.scan(text).into_iter().fold(Signs::default(), |signs, flagged| signs.and(flagged.signs))
}

fn clash(rule: &View, later: &View) -> Option<Clash> {
    let asks = |view: &View| view.signs.has(Sign::Approval) && !view.unasked;
    let allows = |view: &View| view.signs.has(Sign::Permission);
    let forbids =
        |view: &View| view.signs.has(Sign::Prohibition) || view.signs.has(Sign::Avoidance);
    let shared = common(&rule.words, &later.words);
    let same_literal = common(&rule.literals, &later.literals) > 0;
    let same_thing = same_literal || shared >= 2 && shared * 5 >= rule.words.len() * 3;
    let go_on = |view: &View| view.unasked || allows(view) && !asks(view) && same_thing;
    if asks(rule) && go_on(later) || go_on(rule) && asks(later) {
        return Some(Clash::Asking);
    }
    if forbids(rule) != forbids(later) && !asks(later) && !asks(rule) && same_thing {
        return Some(Clash::Forbidden);
    }
    let values = |view: &View| view.signs.has(Sign::Version) || view.signs.has(Sign::Amount);
    let same_rule = forbids(rule) == forbids(later) && shared >= 1;
    (values(rule) && values(later) && same_rule && !same_literal).then_some(Clash::Value)
}

impl View {
    fn of(text: &str, signs: Signs) -> Self {
        let (mut words, mut literals) = (Vec::new(), Vec::new());
        let is_edge = |c: char| {
            c.is_whitespace()
                || matches!(c, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '“' | '”' | '«' | '»')
        };
        for piece in text.split(is_edge) {
            let piece = piece.trim_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '*');
            if is_literal(piece) {
                literals.push(piece.trim_end_matches(['/', '*']).to_lowercase());
            }
            words.extend(content(piece));
        }
        for list in [&mut words, &mut literals] {
            list.sort_unstable();
            list.dedup();
        }
        let folded = text.to_lowercase();
        let unasked = UNASKED.iter().any(|words| folded.contains(words))
            || signs.has(Sign::Approval) && signs.has(Sign::Prohibition);
        Self { signs, unasked, words, literals }
    }
}

/// Whether a piece names one thing: a path, a file, a branch, a number with a unit.
fn is_literal(piece: &str) -> bool {
    let inner = piece.chars().skip(1).any(|c| matches!(c, '/' | '.' | '_' | '\\'));
    piece.len() > 2
        && (piece.starts_with('/') || inner || piece.chars().any(|c| c.is_ascii_digit()))
}

/// The words of a piece that carry its matter: Latin words of four letters and more, pairs of CJK characters.
fn content(piece: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in piece.split(|c: char| !c.is_alphanumeric()) {
        let folded = word.to_lowercase();
        let wide = folded.chars().any(|c| c >= '\u{2e80}');
        if wide {
            let chars: Vec<char> = folded.chars().collect();
            words.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if folded.chars().count() >= 4 && !PLAIN.contains(&&*folded) {
            words.push(folded);
        }
    }
    words
}

/// How people say that nobody is to be asked.
const UNASKED: [&str; 18] = [
    "without asking",
    "no need to ask",
    "don't ask",
    "stop asking",
    "sin preguntar",
    "no preguntes",
    "sans demander",
    "sans me demander",
    "ohne zu fragen",
    "ohne nachzufragen",
    "ohne rückfrage",
    "sem perguntar",
    "não pergunte",
    "不用问",
    "无需询问",
    "聞かずに",
    "確認不要",
    "묻지 말고",
];

/// Words that say how and not what.
const PLAIN: [&str; 24] = [
    "always", "anything", "avoid", "before", "dont", "every", "from", "have", "into", "make",
    "must", "never", "nothing", "only", "please", "should", "sure", "that", "there", "this",
    "when", "will", "with", "without",
];

/// How many elements two sorted lists share.
fn common(a: &[String], b: &[String]) -> usize {
    a.iter().filter(|word| b.binary_search(word).is_ok()).count()
}
