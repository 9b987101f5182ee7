//! What JavaScript gets of a ledger: one struct for each shape of `ts/types.ts`, made from the core's types.
//!
//! As in `mirror`, what is missing is left out, and every offset is one in UTF-16.

use pinfold::ledger::{self, Block, Row, Seat, Share, Sign};
use pinfold::transcript;
use serde::Serialize;

use crate::mirror::weight;

/// A standing condition.
#[derive(Serialize)]
pub(crate) struct Pin<'a> {
    id: &'a str,
    class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<&'static str>,
    text: &'a str,
    said: Vec<Said>,
    times: u32,
    origin: &'static str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence<'a>>,
}

impl<'a> From<&'a ledger::Pin> for Pin<'a> {
    fn from(pin: &'a ledger::Pin) -> Self {
        Self {
            id: &pin.id,
            class: pin.class.name(),
            topic: pin.topic.map(ledger::Topic::name),
            text: &pin.text,
            said: pin.said.iter().map(Said::from).collect(),
            times: pin.times,
            origin: pin.origin.name(),
            state: pin.state.name(),
            evidence: pin.evidence.as_ref().map(Evidence::from),
        }
    }
}

/// Why a pin holds no longer.
#[derive(Serialize)]
struct Evidence<'a> {
    end: &'static str,
    quote: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
}

impl<'a> From<&'a ledger::Evidence> for Evidence<'a> {
    fn from(evidence: &'a ledger::Evidence) -> Self {
        Self { end: evidence.end.name(), quote: &evidence.quote, turn: evidence.turn }
    }
}

/// One time that words were said. Of what was folded nothing but the turn means anything any more.
#[derive(Serialize)]
struct Said {
    turn: u32,
    seat: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
}

impl From<&ledger::Said> for Said {
    fn from(said: &ledger::Said) -> Self {
        let seat = match said.seat {
            Seat::Folded => "folded",
            Seat::Fixed(_) => "fixed",
            Seat::System(_) => "system",
            Seat::Entry(_) => "entry",
        };
        // A tool state stands somewhere in the arguments or the output of its part: it has no span.
        let has_span = said.seat != Seat::Folded && !said.utf16.is_empty();
        Self {
            turn: said.turn,
            seat,
            entry: said.seat.entry(),
            part: said.seat.entry().map(|_| said.part),
            span: has_span.then_some([said.utf16.start, said.utf16.end]),
        }
    }
}

/// A sentence that may bind.
#[derive(Serialize)]
pub(crate) struct Candidate<'a> {
    id: &'a str,
    text: &'a str,
    signs: Vec<&'static str>,
    said: Said,
    verdict: &'static str,
}

impl<'a> From<&'a ledger::Candidate> for Candidate<'a> {
    fn from(candidate: &'a ledger::Candidate) -> Self {
        Self {
            id: &candidate.id,
            text: &candidate.text,
            signs: candidate.signs.iter().map(Sign::name).collect(),
            said: Said::from(&candidate.said),
            verdict: candidate.verdict.name(),
        }
    }
}

/// Later words that contradict a pin.
#[derive(Serialize)]
pub(crate) struct Conflict<'a> {
    pin: &'a str,
    text: &'a str,
    said: Said,
    why: &'static str,
}

impl<'a> From<&'a ledger::Conflict> for Conflict<'a> {
    fn from(conflict: &'a ledger::Conflict) -> Self {
        Self {
            pin: &conflict.pin,
            text: &conflict.text,
            said: Said::from(&conflict.said),
            why: conflict.why.name(),
        }
    }
}

/// Something to know about what a ledger observed.
#[derive(Serialize)]
pub(crate) struct Finding<'a> {
    code: &'static str,
    weight: &'static str,
    /// Where a line of the input is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    message: &'a str,
}

impl<'a> From<&'a transcript::Finding> for Finding<'a> {
    fn from(finding: &'a transcript::Finding) -> Self {
        Self {
            code: finding.code,
            weight: weight(finding.weight),
            line: (finding.line > 0).then_some(finding.line),
            message: &finding.message,
        }
    }
}

/// A question to a model. The schema is JSON, of which the TypeScript face makes an object.
#[derive(Serialize)]
pub(crate) struct Request<'a> {
    id: &'a str,
    turn: u32,
    system: &'a str,
    message: &'a str,
    schema: &'static str,
}

impl<'a> From<&'a ledger::ClassifyRequest> for Request<'a> {
    fn from(request: &'a ledger::ClassifyRequest) -> Self {
        let ledger::ClassifyRequest { id, turn, system, message, schema } = request;
        Self { id, turn: *turn, system, message, schema }
    }
}

/// A pin as a fold shows it.
#[derive(Serialize)]
pub(crate) struct Shown {
    id: String,
    class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<&'static str>,
    text: String,
    turns: [u32; 2],
    times: u32,
    system: bool,
    classified: bool,
}

impl From<Row> for Shown {
    fn from(row: Row) -> Self {
        Self {
            id: ledger::Pin::id_of(row.topic, &row.text),
            class: row.class.name(),
            topic: row.topic.map(ledger::Topic::name),
            text: row.text,
            turns: row.turns.into(),
            times: row.times,
            system: row.system,
            classified: row.confirmed,
        }
    }
}

/// The pins that stand in a fold.
pub(crate) fn shown(block: Block) -> Vec<Shown> {
    block.rows.into_iter().map(Shown::from).collect()
}

/// What a ledger takes of a budget.
#[derive(Serialize)]
pub(crate) struct Taken {
    pins: usize,
    tokens: f64,
    allowed: f64,
    proposals: Vec<String>,
}

impl From<&Share> for Taken {
    fn from(share: &Share) -> Self {
        Self {
            pins: share.pins,
            tokens: share.tokens as f64,
            allowed: share.allowed as f64,
            proposals: share.proposals.clone(),
        }
    }
}
