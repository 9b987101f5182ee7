//! Where the words of the ledger stand in the transcript, and a text cut into pieces at them.

use core::ops::Range;

use pinfold::Ledger;
use pinfold::ledger::{Pin, Said, Seat, Verdict};

use super::ledger::{class_word, end_word, turns};
use super::number::counted;

/// A text that words stand in: an entry, or system text that stands outside the list of entries.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Home {
    /// The fixed part of that number.
    Fixed(usize),
    /// The entry.
    Entry(usize),
}

impl Home {
    /// The name that an element carries: `entry-3`, `system-0`.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Fixed(index) => format!("system-{index}"),
            Self::Entry(entry) => format!("entry-{entry}"),
        }
    }

    /// The home of that name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let (kind, number) = name.split_once('-')?;
        let number = number.parse().ok()?;
        match kind {
            "system" => Some(Self::Fixed(number)),
            "entry" => Some(Self::Entry(number)),
            _ => None,
        }
    }

    /// Where a seat is, unless it was folded.
    pub(crate) fn of(seat: Seat) -> Option<Self> {
        match seat {
            Seat::Folded => None,
            Seat::Fixed(index) => Some(Self::Fixed(index)),
            Seat::Entry(entry) | Seat::System(entry) => Some(Self::Entry(entry)),
        }
    }
}

/// Words and where they stand.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Words {
    pub(crate) home: Home,
    pub(crate) part: usize,
    /// Their bytes in the part's readable text; empty where only the words are known.
    pub(crate) bytes: Range<usize>,
    pub(crate) text: String,
}

impl Words {
    /// The words of one time that they were said; `None` once that was folded.
    pub(crate) fn of(said: &Said, text: &str) -> Option<Self> {
        let home = Home::of(said.seat)?;
        Some(Self { home, part: said.part, bytes: said.bytes.clone(), text: text.to_owned() })
    }

    /// Where they are in `text`, which is their part's text or a piece of it.
    pub(crate) fn place_in(&self, text: &str) -> Option<Range<usize>> {
        if text.get(self.bytes.clone()) == Some(&self.text) {
            return Some(self.bytes.clone());
        }
        let start = text.find(&self.text).filter(|_| !self.text.is_empty())?;
        Some(start..start + self.text.len())
    }
}

/// What a mark says of its words. Of marks that overlap, the greatest is shown.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Look {
    Retired,
    Candidate,
    Clash,
    Pinned,
}

impl Look {
    /// The name of its look.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Retired => "retired",
            Self::Clash => "clash",
            Self::Pinned => "pinned",
        }
    }
}

/// Marked words.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Mark {
    pub(crate) words: Words,
    pub(crate) look: Look,
    /// What is said about it when asked.
    pub(crate) title: String,
}

/// All marks of a transcript, in the order of their texts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Marks(Vec<Mark>);

impl Marks {
    /// The marks of a ledger and of what contradicts it.
    pub(crate) fn of(ledger: &Ledger) -> Self {
        let mut marks = Vec::new();
        for pin in ledger.pins() {
            let (look, title) = pinned(pin);
            marks.extend(pin.said.iter().filter_map(|said| {
                Some(Mark { words: Words::of(said, &pin.text)?, look, title: title.clone() })
            }));
        }
        for candidate in ledger.candidates() {
            if candidate.verdict == Verdict::Waiting
                && let Some(words) = Words::of(&candidate.said, &candidate.text)
            {
                let title = "Candidate: may bind what comes after it".into();
                marks.push(Mark { words, look: Look::Candidate, title });
            }
        }
        for conflict in ledger.conflicts() {
            if let Some(words) = Words::of(&conflict.said, &conflict.text) {
                let pin = ledger.pins().iter().find(|pin| pin.id == conflict.pin);
                let when = pin.map(|pin| turns(pin.turns(), pin.is_system())).unwrap_or_default();
                let title = format!("Contradicts a pin of {when}");
                marks.push(Mark { words, look: Look::Clash, title });
            }
        }
        let key = |mark: &Mark| (mark.words.home, mark.words.part, mark.words.bytes.start);
        marks.sort_by_key(key);
        Self(marks)
    }

    /// The marks of a text.
    pub(crate) fn at(&self, home: Home) -> &[Mark] {
        let first = self.0.partition_point(|mark| mark.words.home < home);
        let after = self.0.partition_point(|mark| mark.words.home <= home);
        &self.0[first..after]
    }
}

/// What an entry holds of the ledger, at a glance: the look that matters most, and all of it in words.
pub(crate) fn sign(marks: &[Mark]) -> Option<(Look, String)> {
    let look = marks.iter().map(|mark| mark.look).max()?;
    let kinds = [
        (Look::Pinned, "pinned", "pinned"),
        (Look::Candidate, "candidate", "candidates"),
        (Look::Clash, "contradiction", "contradictions"),
        (Look::Retired, "no longer in force", "no longer in force"),
    ];
    let told = kinds.into_iter().filter_map(|(look, one, many)| {
        let count = marks.iter().filter(|mark| mark.look == look).count();
        (count > 0).then(|| counted(count, one, many))
    });
    Some((look, told.collect::<Vec<String>>().join(", ")))
}

fn pinned(pin: &Pin) -> (Look, String) {
    let class = class_word(pin.class);
    match &pin.evidence {
        None => (Look::Pinned, format!("Pinned: {class}, {}", turns(pin.turns(), pin.is_system()))),
        Some(evidence) => {
            let end = end_word(evidence.end);
            (Look::Retired, format!("No longer in force: {class}, {end}"))
        }
    }
}

/// A piece of a text that is marked in one way throughout.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) look: Option<Look>,
    pub(crate) title: String,
    /// Whether these are the words that somebody asked to see.
    pub(crate) aimed: bool,
}

/// A stretch of a text, the mark that is shown on it, and whether it was asked for.
type Stretch = (Range<usize>, Option<usize>, bool);

/// The stretches of `text[..end]`, without a gap.
fn stretches(text: &str, marks: &[Mark], aim: Option<&Words>, end: usize) -> Vec<Stretch> {
    let places = marks.iter().enumerate();
    let places = places.filter_map(|(at, mark)| Some((mark.words.place_in(text)?, Some(at))));
    let mut places: Vec<(Range<usize>, Option<usize>)> = places.collect();
    let aimed = aim.and_then(|words| words.place_in(text));
    places.extend(aimed.map(|place| (place, None)));
    let edges = places.iter().flat_map(|(place, _)| [place.start, place.end]);
    let mut edges: Vec<usize> = edges.chain([0, end]).filter(|&edge| edge <= end).collect();
    edges.sort_unstable();
    edges.dedup();
    let stretch = |pair: &[usize]| {
        let (from, to) = (pair[0], pair[1]);
        let over = places.iter().filter(|(place, _)| place.start <= from && to <= place.end);
        let shown = over.clone().filter_map(|(_, at)| *at).max_by_key(|&at| marks[at].look);
        (from..to, shown, over.clone().any(|(_, at)| at.is_none()))
    };
    edges.windows(2).map(stretch).collect()
}

impl Piece {
    fn new(marks: &[Mark], shown: Option<usize>, aimed: bool, text: String) -> Self {
        let mark = shown.map(|at| &marks[at]);
        Self {
            text,
            look: mark.map(|mark| mark.look),
            title: mark.map(|mark| mark.title.clone()).unwrap_or_default(),
            aimed,
        }
    }
}

/// The first `limit` bytes of a text in pieces, of which each is as `show` has it.
pub(crate) fn pieces(
    text: &str,
    marks: &[Mark],
    aim: Option<&Words>,
    limit: usize,
    show: impl Fn(&str) -> String,
) -> Vec<Piece> {
    let end = text.floor_char_boundary(limit);
    let stretches = stretches(text, marks, aim, end).into_iter();
    let pieces =
        stretches.map(|(range, shown, aimed)| Piece::new(marks, shown, aimed, show(&text[range])));
    pieces.collect()
}

/// Characters before the words that were asked for that a line shows.
const BEFORE: usize = 24;

/// A text on one line of `width` characters, in pieces: from its beginning, or from just before the words that were asked for.
pub(crate) fn line(
    text: &str,
    marks: &[Mark],
    aim: Option<&Words>,
    width: usize,
    show: impl Fn(&str) -> String,
) -> Vec<Piece> {
    let aimed = aim.and_then(|words| words.place_in(text)).map_or(0, |place| place.start);
    let before = text[..aimed].char_indices().rev().nth(BEFORE);
    let start = before.map_or(0, |(at, _)| at);
    let mut taken = 0;
    let mut gap = false;
    let mut found: Vec<Piece> = Vec::new();
    if start > 0 {
        found.push(Piece { text: "…".into(), ..Piece::default() });
    }
    for (range, shown, aimed) in stretches(text, marks, aim, text.len()) {
        let mut words = String::new();
        for c in text[range.start.max(start).min(range.end)..range.end].chars() {
            if c.is_whitespace() {
                gap = taken > 0;
                continue;
            }
            if taken >= width {
                break;
            }
            if core::mem::take(&mut gap) {
                // The space in front of marked words is not marked with them.
                match found.last_mut() {
                    Some(last) if words.is_empty() && last.look.is_none() && !last.aimed => {
                        last.text.push(' ');
                    }
                    _ if words.is_empty() && (shown.is_some() || aimed) => {
                        found.push(Piece { text: " ".into(), ..Piece::default() });
                    }
                    _ => words.push(' '),
                }
                taken += 1;
            }
            words.push(c);
            taken += 1;
        }
        if !words.is_empty() {
            found.push(Piece::new(marks, shown, aimed, show(&words)));
        }
        if taken >= width {
            found.push(Piece { text: "…".into(), ..Piece::default() });
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Home, Look, Mark, Piece, Words, line, pieces, sign};
    use crate::model::visible::visible;

    fn words(start: usize, text: &str) -> Words {
        let bytes = start..start + text.len();
        Words { home: Home::Entry(0), part: 0, bytes, text: text.into() }
    }

    fn mark(start: usize, text: &str, look: Look) -> Mark {
        Mark { words: words(start, text), look, title: String::new() }
    }

    fn told(pieces: &[Piece]) -> String {
        let one = |piece: &Piece| {
            let look = piece.look.map_or("", Look::class);
            let aimed = if piece.aimed { "!" } else { "" };
            if look.is_empty() && aimed.is_empty() {
                piece.text.clone()
            } else {
                format!("[{look}{aimed}:{}]", piece.text)
            }
        };
        pieces.iter().map(one).collect()
    }

    fn plain(text: &str) -> String {
        visible(text).into_owned()
    }

    #[test]
    fn a_text_is_cut_at_its_marks() {
        let marks = [mark(4, "two", Look::Candidate), mark(8, "three", Look::Pinned)];
        let cut = |aim: Option<&Words>| told(&pieces("one two three", &marks, aim, 99, plain));
        assert_eq!(cut(None), "one [candidate:two] [pinned:three]");
        assert_eq!(
            cut(Some(&words(4, "two th"))),
            "one [candidate!:two][!: ][pinned!:th][pinned:ree]"
        );
    }

    #[test]
    fn a_pin_shows_over_the_candidate_that_it_lies_in() {
        let marks = [mark(0, "never touch it", Look::Candidate), mark(6, "touch", Look::Pinned)];
        let cut = told(&pieces("never touch it", &marks, None, 99, plain));
        assert_eq!(cut, "[candidate:never ][pinned:touch][candidate: it]");
    }

    #[test]
    fn words_whose_place_is_not_known_are_looked_for_and_others_are_left_out() {
        let place = Words { bytes: 0..0, ..words(0, "/srv/app") };
        assert_eq!(place.place_in("cd /srv/app && ls"), Some(3..11));
        assert_eq!(place.place_in("cd /srv"), None);
        assert_eq!(Words { text: String::new(), ..place }.place_in("x"), Some(0..0));
    }

    #[test]
    fn a_home_is_known_by_its_name() {
        for home in [Home::Entry(12), Home::Fixed(0)] {
            assert_eq!(Home::of_name(&home.name()), Some(home));
        }
        assert_eq!(Home::of_name("entry-x"), None);
        assert_eq!(Home::of_name(""), None);
    }

    #[test]
    fn a_sign_counts_what_an_entry_holds() {
        let marks = [
            mark(0, "a", Look::Candidate),
            mark(1, "b", Look::Retired),
            mark(2, "c", Look::Candidate),
        ];
        assert_eq!(
            sign(&marks),
            Some((Look::Candidate, "2 candidates, 1 no longer in force".into()))
        );
        assert_eq!(sign(&[]), None);
    }

    #[test]
    fn a_limit_falls_between_letters() {
        let marks = [mark(0, "日本", Look::Pinned)];
        assert_eq!(told(&pieces("日本語", &marks, None, 4, plain)), "[pinned:日]");
    }

    #[test]
    fn a_line_begins_near_the_words_that_were_asked_for() {
        let text = format!("{}\n never\n\u{202E}stop {}", "a ".repeat(200), "z".repeat(300));
        let at = text.find("never").expect("it is there");
        let marks = [mark(at, "never", Look::Pinned)];
        let shown = told(&line(&text, &marks, Some(&marks[0].words), 60, plain));
        assert!(shown.starts_with("…a a"), "{shown}");
        assert!(shown.contains("a [pinned!:never] ⟨U+202E⟩stop z"), "{shown}");
        assert!(shown.ends_with("z…"), "{shown}");
        let shown = told(&line(&text, &marks, None, 9, plain));
        assert_eq!(shown, "a a a a a…");
    }
}
