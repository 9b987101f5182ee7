//! What JavaScript gets: one struct for each shape of `ts/types.ts`, made from the core's types.
//!
//! Numbers of tokens are `f64` here, because that is what a number is in JavaScript, and a 64-bit integer that does not
//! fit would be an error. What is missing is left out; it is never `null`.

use pinfold::convert;
use pinfold::cut::{CutMap, Reason as CoreReason};
use pinfold::exchange::Structure;
use pinfold::fold::{self, Folded as CoreFolded};
use pinfold::formats;
use pinfold::liveness;
use pinfold::plan::{self, Decision as CoreDecision, Planner};
use pinfold::repair;
use pinfold::rules;
use pinfold::tokens;
use pinfold::transcript::{self, Id, Transcript, Weight};
use pinfold::trim;
use pinfold::undo;
use pinfold::verify;
use serde::Serialize;

use crate::note::Summary;
use crate::pins::{Shown, Taken, shown};

/// A format and how sure it is.
#[derive(Serialize)]
pub(crate) struct Detected {
    format: &'static str,
    confidence: f64,
}

impl From<&formats::Detected> for Detected {
    fn from(detected: &formats::Detected) -> Self {
        // In three digits: the core's 0.3 is a little more than that as a 64-bit number.
        let confidence = (f64::from(detected.confidence) * 1000.0).round() / 1000.0;
        Self { format: detected.format.name(), confidence }
    }
}

/// One transcript of several.
#[derive(Serialize)]
pub(crate) struct Document<'a> {
    label: &'a str,
    format: &'static str,
    entries: usize,
}

impl<'a> From<&'a formats::Document<'_>> for Document<'a> {
    fn from(document: &'a formats::Document<'_>) -> Self {
        Self {
            label: &document.label,
            format: document.detected.format.name(),
            entries: document.entries,
        }
    }
}

/// What `check` gives.
#[derive(Serialize)]
pub(crate) struct Checked<'a> {
    pub(crate) format: &'static str,
    pub(crate) provider: &'static str,
    pub(crate) entries: usize,
    pub(crate) violations: Vec<Violation<'a>>,
    pub(crate) findings: Vec<Finding>,
}

/// What a provider would refuse.
#[derive(Serialize)]
pub(crate) struct Violation<'a> {
    code: &'static str,
    severity: &'static str,
    entry: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<usize>,
    ids: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    says: Option<&'a str>,
    help: &'static str,
}

pub(crate) fn violations<'a>(
    transcript: &'a Transcript,
    violations: &'a [rules::Violation],
) -> Vec<Violation<'a>> {
    let mirrored = violations.iter().map(|violation| Violation {
        code: violation.code.name(),
        severity: violation.severity.name(),
        entry: violation.entry,
        part: violation.part,
        ids: names(transcript, &violation.ids),
        says: violation.says.as_deref(),
        help: violation.code.help(),
    });
    mirrored.collect()
}

/// What `repair` gives, and what the TypeScript face needs to make the transcript of it.
#[derive(Serialize)]
pub(crate) struct Repaired<'a> {
    changes: Vec<Change<'a>>,
    left: Vec<Violation<'a>>,
    /// The mended transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    /// Or its entries: elements of the input's list by their places, and new ones as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<Entry<'a>>>,
}

/// An entry of a mended transcript.
#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'a> {
    Kept(usize),
    Written(&'a str),
}

/// One thing that a repair did.
#[derive(Serialize)]
struct Change<'a> {
    kind: &'static str,
    code: &'static str,
    entry: usize,
    ids: &'a [String],
    message: &'a str,
}

impl<'a> Repaired<'a> {
    pub(crate) fn new(repaired: &'a repair::Repaired, as_text: bool) -> Self {
        let change = |change: &'a repair::Change| Change {
            kind: change.kind.name(),
            code: change.code.name(),
            entry: change.entry,
            ids: &change.ids,
            message: &change.message,
        };
        let item = |item: &'a repair::Item| match item.origin {
            Some(origin) => Entry::Kept(origin),
            None => Entry::Written(&item.text),
        };
        Self {
            changes: repaired.changes.iter().map(change).collect(),
            left: violations(&repaired.transcript, &repaired.left),
            text: as_text.then_some(&repaired.text),
            items: (!as_text).then(|| repaired.entries.iter().map(item).collect()),
        }
    }
}

/// What `convert` gives.
#[derive(Serialize)]
pub(crate) struct Converted<'a> {
    format: &'static str,
    text: &'a str,
    dropped: Vec<Dropped<'a>>,
}

/// What did not come along.
#[derive(Serialize)]
struct Dropped<'a> {
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<usize>,
    message: &'a str,
}

impl<'a> From<&'a convert::Converted> for Converted<'a> {
    fn from(converted: &'a convert::Converted) -> Self {
        let dropped = |dropped: &'a convert::Dropped| Dropped {
            what: dropped.what,
            entry: dropped.entry,
            message: &dropped.message,
        };
        Self {
            format: converted.format.name(),
            text: &converted.text,
            dropped: converted.dropped.iter().map(dropped).collect(),
        }
    }
}

/// Something to know about how the input was read.
#[derive(Serialize)]
pub(crate) struct Finding {
    code: &'static str,
    weight: &'static str,
    offset: usize,
    line: u32,
    message: String,
}

/// The findings, whose offsets in `text` become offsets in UTF-16.
pub(crate) fn findings(findings: &[transcript::Finding], text: &[u8]) -> Vec<Finding> {
    // Counted on from the last one wherever they stand in order, which they nearly always do.
    let (mut at, mut units) = (0, 0);
    let mirrored = findings.iter().map(|finding| {
        let offset = (finding.offset as usize).min(text.len());
        if offset < at {
            (at, units) = (0, 0);
        }
        units += utf16_len(&text[at..offset]);
        at = offset;
        Finding {
            code: finding.code,
            weight: weight(finding.weight),
            offset: units,
            line: finding.line,
            message: finding.message.clone(),
        }
    });
    mirrored.collect()
}

/// The name of a finding's weight.
pub(crate) fn weight(weight: Weight) -> &'static str {
    match weight {
        Weight::Note => "note",
        Weight::Warning => "warning",
    }
}

/// Every byte that begins a character is one unit; the first of four is two, as its character is a surrogate pair.
fn utf16_len(text: &[u8]) -> usize {
    text.iter().map(|&byte| usize::from(byte & 0xC0 != 0x80) + usize::from(byte >= 0xF0)).sum()
}

/// A boundary.
#[derive(Serialize)]
pub(crate) struct Cut<'a> {
    at: usize,
    legal: bool,
    why: Vec<Reason<'a>>,
}

/// The most ids that a list of boundaries may name. A thousand calls at once, each answered in an entry of its own, name
/// a million and a half; a session names a few for each boundary.
pub(crate) const MOST_IDS: usize = 4_000_000;

/// Every boundary; `None` if they name too many ids.
pub(crate) fn cuts<'a>(
    transcript: &'a Transcript,
    structure: &Structure,
    cuts: &CutMap,
) -> Option<Vec<Cut<'a>>> {
    let mut ids = 0;
    let cut = |at| {
        let why = reasons(transcript, &cuts.why(at, structure));
        ids += why.iter().map(|reason| reason.ids.len()).sum::<usize>();
        (ids <= MOST_IDS).then(|| Cut { at, legal: cuts.legal(at), why })
    };
    (0..cuts.len()).map(cut).collect()
}

/// Why a boundary is illegal.
#[derive(Serialize)]
pub(crate) struct Reason<'a> {
    reason: &'static str,
    ids: Vec<&'a str>,
}

fn reasons<'a>(transcript: &'a Transcript, reasons: &[CoreReason]) -> Vec<Reason<'a>> {
    let mirror = |reason: &CoreReason| Reason {
        reason: reason.kind.name(),
        ids: names(transcript, &reason.ids),
    };
    reasons.iter().map(mirror).collect()
}

/// What to do about a budget.
#[derive(Serialize)]
pub(crate) struct Decision<'a> {
    counted: &'static str,
    #[serde(flatten)]
    kind: DecisionKind<'a>,
}

#[derive(Serialize)]
#[serde(tag = "decision", rename_all = "kebab-case")]
enum DecisionKind<'a> {
    Defer {
        total: f64,
        deficit: f64,
        wanted: usize,
        blocking: Vec<Reason<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Near>,
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<Near>,
    },
    Fits {
        total: f64,
    },
    Fold {
        cut: usize,
        way: &'static str,
        entries: usize,
        prompts: usize,
        pairs: usize,
        before: f64,
        after: f64,
        deficit: f64,
        freed: f64,
        overshoot: f64,
        lines: Lines,
        trims: Vec<Trim>,
    },
    Stuck {
        total: f64,
        floor: Vec<Item<'a>>,
    },
}

/// A legal cut and its distance.
#[derive(Serialize)]
struct Near {
    at: usize,
    distance: f64,
}

impl From<&plan::Near> for Near {
    fn from(near: &plan::Near) -> Self {
        Self { at: near.at, distance: near.distance as f64 }
    }
}

/// An entry of which results are trimmed.
#[derive(Serialize)]
struct Trim {
    entry: usize,
    before: f64,
    after: f64,
}

impl From<&trim::Trim> for Trim {
    fn from(trim: &trim::Trim) -> Self {
        Self { entry: trim.entry, before: trim.before as f64, after: trim.after as f64 }
    }
}

/// Lines of a note.
#[derive(Serialize)]
struct Lines {
    shown: usize,
    unlisted: usize,
}

/// A named number of tokens.
#[derive(Serialize)]
struct Item<'a> {
    what: &'a str,
    tokens: f64,
}

impl<'a> From<&'a tokens::Item> for Item<'a> {
    fn from(item: &'a tokens::Item) -> Self {
        Self { what: &item.what, tokens: item.tokens as f64 }
    }
}

impl<'a> Decision<'a> {
    pub(crate) fn new(
        transcript: &'a Transcript,
        planner: &Planner,
        decision: &'a CoreDecision,
    ) -> Self {
        let kind = match decision {
            CoreDecision::Fits { total } => DecisionKind::Fits { total: *total as f64 },
            CoreDecision::Fold(fold) => DecisionKind::from(fold),
            CoreDecision::Defer(defer) => DecisionKind::Defer {
                total: defer.total as f64,
                deficit: defer.deficit as f64,
                wanted: defer.wanted,
                blocking: reasons(transcript, &defer.blocking),
                before: defer.before.as_ref().map(Near::from),
                after: defer.after.as_ref().map(Near::from),
            },
            CoreDecision::Stuck { total, floor } => DecisionKind::Stuck {
                total: *total as f64,
                floor: floor.iter().map(Item::from).collect(),
            },
        };
        Self { counted: planner.counts.kind.name(), kind }
    }
}

impl From<&plan::Fold> for DecisionKind<'_> {
    fn from(fold: &plan::Fold) -> Self {
        let (shown, unlisted) = fold.lines;
        Self::Fold {
            cut: fold.cut,
            way: fold.way.name(),
            entries: fold.entries,
            prompts: fold.prompts,
            pairs: fold.pairs,
            before: fold.before as f64,
            after: fold.after as f64,
            deficit: fold.deficit as f64,
            freed: fold.freed() as f64,
            overshoot: fold.overshoot(),
            lines: Lines { shown, unlisted },
            trims: fold.trims.iter().map(Trim::from).collect(),
        }
    }
}

/// What `fold` gives, and what the TypeScript face needs to make the transcript of it.
#[derive(Serialize)]
pub(crate) struct Folded<'a> {
    decision: Decision<'a>,
    proof: Proof,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Report>,
    /// The pins that it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<Vec<Shown>>,
    /// The folded transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Or the elements of the input's list of which it consists.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Kept>,
}

/// System entries, the note, and the entries from the cut on.
#[derive(Serialize)]
struct Kept {
    system: Vec<usize>,
    /// Absent where nothing was folded.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The first entry that is kept as it is: where the note shares its entry with the prompt at the cut, the one after.
    from: usize,
    /// The entries that are trimmed, as they are.
    trimmed: Vec<Trimmed>,
}

#[derive(Serialize)]
struct Trimmed {
    entry: usize,
    text: String,
}

impl<'a> Folded<'a> {
    pub(crate) fn new(
        transcript: &Transcript,
        planner: &Planner,
        folded: &CoreFolded,
        findings: Vec<Finding>,
        as_text: bool,
    ) -> Self {
        let report = Report::new(transcript, folded, findings, as_text);
        let ledger = shown(planner.standing.block(folded.fold.cut));
        let CoreFolded { fold, text, note_entry, merged, system, .. } = folded;
        let trimmed =
            fold.trims.iter().map(|it| Trimmed { entry: it.entry, text: it.text.clone() });
        let kept = Kept {
            system: system.clone(),
            note: Some(note_entry).filter(|note| !note.is_empty()).cloned(),
            from: fold.cut + usize::from(*merged),
            trimmed: trimmed.collect(),
        };
        Self {
            decision: Decision {
                counted: planner.counts.kind.name(),
                kind: DecisionKind::from(fold),
            },
            // The core hands out no fold that it has not proved.
            proof: Proof { holds: true, broken: Vec::new() },
            report: Some(report),
            ledger: Some(ledger),
            text: as_text.then(|| text.clone()),
            kept: (!as_text).then_some(kept),
        }
    }

    /// A transcript that stays as it is, which breaks no law.
    pub(crate) fn left(
        transcript: &'a Transcript,
        planner: &Planner,
        decision: &'a CoreDecision,
    ) -> Self {
        Self {
            decision: Decision::new(transcript, planner, decision),
            proof: Proof { holds: true, broken: Vec::new() },
            report: None,
            ledger: None,
            text: None,
            kept: None,
        }
    }
}

/// What a fold did.
#[derive(Serialize)]
struct Report {
    format: &'static str,
    written: &'static str,
    before: f64,
    after: f64,
    deficit: f64,
    freed: f64,
    overshoot: f64,
    entries: Split,
    pairs: Split,
    coarseness: f64,
    #[serde(rename = "cacheLost")]
    cache_lost: f64,
    #[serde(rename = "countError", skip_serializing_if = "Option::is_none")]
    count_error: Option<f64>,
    exchanges: Vec<Became>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<Undo>,
    excerpts: Vec<Excerpt>,
    #[serde(rename = "keptThinking")]
    kept_thinking: &'static str,
    ledger: Taken,
    summary: Summary,
    findings: Vec<Finding>,
}

/// What became of an exchange.
#[derive(Serialize)]
struct Became {
    representation: &'static str,
    why: &'static str,
    entries: [usize; 2],
    tokens: f64,
    lines: Lines,
}

impl From<&fold::Became> for Became {
    fn from(became: &fold::Became) -> Self {
        let (shown, all) = became.lines;
        Self {
            representation: became.representation.name(),
            why: became.why.name(),
            entries: [became.entries.start, became.entries.end],
            tokens: became.tokens as f64,
            lines: Lines { shown, unlisted: all - shown },
        }
    }
}

/// What takes the fold of a text back; that of a list the TypeScript face makes of its elements.
#[derive(Serialize)]
struct Undo {
    /// In UTF-16.
    at: usize,
    written: String,
    removed: String,
}

impl Undo {
    fn of(transcript: &Transcript, folded: &CoreFolded) -> Self {
        let undo::Undo { at, written, removed } = undo::Undo::of(transcript, folded);
        Self { at: utf16_len(&transcript.text().as_bytes()[..at]), written, removed }
    }
}

/// A line of folded output that the note keeps.
#[derive(Serialize)]
struct Excerpt {
    entry: usize,
    text: String,
    string: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    used: Option<usize>,
    tokens: f64,
}

impl From<&liveness::Excerpt> for Excerpt {
    fn from(excerpt: &liveness::Excerpt) -> Self {
        Self {
            entry: excerpt.entry,
            text: excerpt.text.clone(),
            string: excerpt.string.clone(),
            used: excerpt.used,
            tokens: excerpt.tokens as f64,
        }
    }
}

/// How many were folded and how many are kept.
#[derive(Serialize)]
struct Split {
    folded: usize,
    kept: usize,
}

impl From<(usize, usize)> for Split {
    fn from((folded, kept): (usize, usize)) -> Self {
        Self { folded, kept }
    }
}

impl Report {
    fn new(
        transcript: &Transcript,
        folded: &CoreFolded,
        findings: Vec<Finding>,
        as_text: bool,
    ) -> Self {
        let report = &folded.report;
        Self {
            format: transcript.format().name(),
            written: transcript.wire().name(),
            before: report.before as f64,
            after: report.after as f64,
            deficit: report.deficit as f64,
            freed: report.freed as f64,
            overshoot: report.overshoot,
            entries: report.entries.into(),
            pairs: report.pairs.into(),
            coarseness: report.coarseness,
            cache_lost: report.cache_lost as f64,
            count_error: report.counted.1,
            exchanges: report.exchanges.iter().map(Became::from).collect(),
            undo: as_text.then(|| Undo::of(transcript, folded)),
            excerpts: report.excerpts.iter().map(Excerpt::from).collect(),
            kept_thinking: report.thinking.name(),
            ledger: Taken::from(&report.ledger),
            summary: Summary::from(report),
            findings,
        }
    }
}

/// What a proof found.
#[derive(Serialize)]
pub(crate) struct Proof {
    holds: bool,
    broken: Vec<Broken>,
}

/// A law that is broken.
#[derive(Serialize)]
struct Broken {
    law: u8,
    entry: usize,
    ids: Vec<String>,
    message: String,
}

impl From<verify::Proof> for Proof {
    fn from(proof: verify::Proof) -> Self {
        let holds = proof.holds();
        let broken = proof
            .broken
            .into_iter()
            .map(|verify::Broken { law, entry, ids, message }| Broken { law, entry, ids, message });
        Self { holds, broken: broken.collect() }
    }
}

fn names<'a>(transcript: &'a Transcript, ids: &[Id]) -> Vec<&'a str> {
    ids.iter().map(|&id| transcript.id(id)).collect()
}
