//! What one row of the list shows of its entry.

use pinfold::pairing::Place;
use pinfold::rules::Severity;
use pinfold::transcript::{Part, PartKind, Role};

use super::budget::Shape;
use super::loaded::Loaded;
use super::visible::one_line;

/// Chips that a row has room for.
const CHIPS: usize = 3;

/// One row.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) role: Role,
    /// Whether it is a user entry only because results are carried in one.
    pub(crate) carrier: bool,
    /// The exchange, counted from 1; 0 in the head.
    pub(crate) exchange: usize,
    pub(crate) opens_exchange: bool,
    /// The round, counted from 1, where the row opens one.
    pub(crate) opens_round: Option<usize>,
    pub(crate) tokens: u64,
    pub(crate) chips: Vec<Chip>,
    /// Chips there was no room for.
    pub(crate) more: usize,
    pub(crate) severity: Option<Severity>,
}

/// A part of the entry that is not plain text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Chip {
    pub(crate) kind: ChipKind,
    /// The tool's name, or the kind of part.
    pub(crate) label: String,
    /// The number that a call shares with its result.
    pub(crate) number: Option<usize>,
    /// The entry of the other half of the pair.
    pub(crate) partner: Option<usize>,
    /// The id, for those who look for it.
    pub(crate) id: String,
    /// A result that says it is an error.
    pub(crate) error: bool,
}

/// What a chip stands for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ChipKind {
    Call,
    Pending,
    Dead,
    Result,
    Orphan,
    Duplicate,
    Thinking,
    Media,
    Opaque,
}

impl ChipKind {
    /// The word on the chip.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Pending => "pending call",
            Self::Dead => "dead call",
            Self::Result => "result",
            Self::Orphan => "orphan result",
            Self::Duplicate => "second result",
            Self::Thinking => "thinking",
            Self::Media => "media",
            Self::Opaque => "opaque",
        }
    }

    /// Whether it stands for a result, whatever it answers.
    fn is_result(self) -> bool {
        matches!(self, Self::Result | Self::Orphan | Self::Duplicate)
    }

    /// The name of its look.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Call => "chip call",
            Self::Pending => "chip call pending",
            Self::Result => "chip result",
            Self::Dead | Self::Orphan | Self::Duplicate => "chip broken",
            Self::Thinking | Self::Media | Self::Opaque => "chip plain",
        }
    }
}

impl Row {
    /// The row of entry `entry`.
    pub(crate) fn of(loaded: &Loaded, entry: usize) -> Self {
        let structure = &loaded.planner.structure;
        let exchange = structure.exchange_of(entry);
        let round = loaded.round_of(entry);
        let opens = |round: usize| {
            structure.response(round).is_some_and(|response| response.start == entry)
        };
        let mut chips = chips(loaded, entry);
        let carrier = chips.iter().any(|chip| chip.kind.is_result());
        let more = chips.len().saturating_sub(CHIPS);
        chips.truncate(CHIPS);
        Self {
            role: loaded.transcript.entries()[entry].role,
            carrier,
            exchange: exchange.map_or(0, |exchange| exchange + 1),
            opens_exchange: exchange
                .is_some_and(|exchange| structure.exchanges[exchange].entries.start == entry),
            opens_round: round.filter(|&round| opens(round)).map(|round| round + 1),
            tokens: u64::from(loaded.planner.counts.entries[entry]),
            chips,
            more,
            severity: loaded.severity_of(entry),
        }
    }
}

/// The chips of an entry, in the order of its parts.
pub(crate) fn chips(loaded: &Loaded, entry: usize) -> Vec<Chip> {
    let parts = loaded.transcript.parts(entry).iter().enumerate();
    parts
        .filter_map(|(part, content)| {
            chip(loaded, content, Place { entry: entry as u32, part: part as u32 })
        })
        .collect()
}

/// The chip of a part; none for words.
pub(crate) fn chip(loaded: &Loaded, part: &Part, place: Place) -> Option<Chip> {
    let structure = &loaded.planner.structure;
    let id = |id| one_line(loaded.transcript.id(id), 80);
    let plain = |kind: ChipKind| Chip {
        kind,
        label: String::new(),
        number: None,
        partner: None,
        id: String::new(),
        error: false,
    };
    match part.kind {
        PartKind::Text => None,
        PartKind::Thinking => Some(plain(ChipKind::Thinking)),
        PartKind::Media => Some(plain(ChipKind::Media)),
        PartKind::Opaque => Some(plain(ChipKind::Opaque)),
        PartKind::Call { id: name, .. } => {
            let call = loaded.call_at(place)?;
            let answer = structure.pairing.calls[call].answer;
            let kind = match answer {
                Some(_) => ChipKind::Call,
                None if structure.tail.pending.contains(&name) => ChipKind::Pending,
                None => ChipKind::Dead,
            };
            Some(Chip {
                label: one_line(&loaded.transcript.call_name(part), 40),
                number: answer.map(|_| call + 1),
                partner: answer.map(|answer| answer.entry as usize),
                id: id(name),
                ..plain(kind)
            })
        }
        PartKind::Result { id: name, error, .. } => {
            let call = loaded.answered_by(place);
            let strays = &structure.pairing.strays;
            let stray = strays.binary_search_by_key(&place, |stray| stray.place);
            let duplicate = stray.is_ok_and(|stray| strays[stray].duplicate);
            let kind = match call {
                Some(_) => ChipKind::Result,
                None if duplicate => ChipKind::Duplicate,
                None => ChipKind::Orphan,
            };
            let caller = call.map(|call| structure.pairing.calls[call].place);
            let name_of = |caller: Place| {
                let part = &loaded.transcript.parts(caller.entry as usize)[caller.part as usize];
                one_line(&loaded.transcript.call_name(part), 40)
            };
            Some(Chip {
                label: caller.map(name_of).unwrap_or_default(),
                number: call.map(|call| call + 1),
                partner: caller.map(|caller| caller.entry as usize),
                id: id(name),
                error,
                ..plain(kind)
            })
        }
    }
}

/// What a fold does to an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fate {
    /// Kept byte for byte.
    Kept,
    /// Kept, and could never be folded.
    Live,
    /// A system entry before the cut: it stays.
    Stays,
    /// Folded into lines of the note.
    Digest,
    /// Folded, and only counted by the marker.
    Counted,
}

impl Fate {
    /// The fate of entry `entry` under a decision.
    pub(crate) fn of(loaded: &Loaded, shape: Shape, entry: usize) -> Self {
        match shape.cut {
            Some(cut) if entry < cut => {
                if loaded.transcript.entries()[entry].role == Role::System {
                    Self::Stays
                } else if loaded.planner.digest.count_before(entry + 1) > shape.skipped {
                    Self::Digest
                } else {
                    Self::Counted
                }
            }
            _ if entry >= loaded.live => Self::Live,
            _ => Self::Kept,
        }
    }

    /// Whether the entry is folded.
    pub(crate) fn is_folded(self) -> bool {
        matches!(self, Self::Digest | Self::Counted)
    }

    /// The word at the row's end; kept rows have none.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Kept => "",
            Self::Live => "live",
            Self::Stays => "stays",
            Self::Digest => "digest",
            Self::Counted => "counted",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChipKind, Fate, Row};
    use crate::model::budget::{Choice, Shape};
    use crate::model::intake::{SAMPLES, Wish, load};
    use crate::model::loaded::Loaded;

    fn sample(index: usize) -> Loaded {
        load(SAMPLES[index].source(), Wish::default()).expect("it is readable")
    }

    #[test]
    fn call_and_result_share_a_number_and_know_each_other() {
        let loaded = sample(0);
        let call = &Row::of(&loaded, 1).chips[1];
        let result = &Row::of(&loaded, 2).chips[1];
        assert_eq!((call.number, call.partner), (Some(2), Some(2)));
        assert_eq!((result.number, result.partner), (Some(2), Some(1)));
        assert_eq!((&*call.label, &*result.label), ("read_file", "read_file"));
    }

    #[test]
    fn broken_halves_are_named() {
        let loaded = sample(1);
        let kinds: Vec<ChipKind> = (0..loaded.len())
            .flat_map(|entry| Row::of(&loaded, entry).chips)
            .map(|chip| chip.kind)
            .collect();
        assert!(kinds.contains(&ChipKind::Orphan) && kinds.contains(&ChipKind::Dead), "{kinds:?}");
    }

    #[test]
    fn rows_before_the_cut_are_folded_and_rows_after_it_are_not() {
        let loaded = sample(2);
        let policy = Choice::default().policy(loaded.total / 2);
        let shape = Shape::of(&loaded.planner, &policy, &loaded.planner.plan(&policy));
        let cut = shape.cut.expect("a fold");
        assert!((0..cut).all(|entry| Fate::of(&loaded, shape, entry).is_folded()));
        assert!((cut..loaded.len()).all(|entry| !Fate::of(&loaded, shape, entry).is_folded()));
        assert_eq!(Fate::of(&loaded, shape, loaded.len() - 1), Fate::Live);
    }
}
