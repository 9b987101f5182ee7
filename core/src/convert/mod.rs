//! A transcript written in another provider's format, with a list of what that format cannot hold.
//!
//! Nothing that pairing needs is lost: every call and every result arrives, each result right behind the response of its
//! call, under ids that the other provider takes. What is bound to its provider (sealed reasoning, its own settings) stays
//! behind and is named.

mod carrier;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use carrier::Carrier;

use crate::exchange::Structure;
use crate::formats::turn::{Turn, write};
use crate::json::quote;
use crate::pairing::Place;
use crate::provider::Provider;
use crate::repair::{ids, rename_ids};
use crate::rules::made_up;
use crate::transcript::{Format, Part, PartKind, Transcript};

/// A converted transcript.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Converted {
    /// It as text: a list of entries, or a request where the system prompt has no place in the list.
    pub text: String,
    /// The format it is written in.
    pub format: Format,
    /// What did not come along, in the order of the entries.
    pub dropped: Vec<Dropped>,
}

/// Something that the other format cannot hold.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Dropped {
    /// A stable name in kebab-case: `thinking`, `media`, `part`, `arguments`, `error-mark`, `server-pair`,
    /// `system-place`, `settings`, `tool-name`.
    pub what: &'static str,
    /// The entry of the input; `None` for the request around the entries.
    pub entry: Option<usize>,
    /// What was lost, and what stands there now.
    pub message: String,
}

/// Why a transcript cannot be converted.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ConvertError {
    /// Logs are read, not written.
    Log(Format),
}

impl ConvertError {
    /// A stable name in kebab-case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Log(_) => "not-a-message-format",
        }
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log(format) => {
                write!(
                    f,
                    "Nothing is written as {:?}, which is a log: name a format of messages, such as",
                    format.name()
                )?;
                let writable = Format::ALL.into_iter().filter(|format| is_written(*format));
                for (index, format) in writable.enumerate() {
                    write!(f, "{} {:?}", if index == 0 { "" } else { "," }, format.name())?;
                }
                f.write_str(".")
            }
        }
    }
}

impl core::error::Error for ConvertError {}

/// Whether transcripts can be written in `format`.
fn is_written(format: Format) -> bool {
    !format.is_log() && format != Format::Cline
}

/// Writes `transcript` in `format` for `provider`, whose ids it takes; without one, for the format's own.
///
/// # Errors
/// When `format` is that of a log.
pub fn convert(
    transcript: &Transcript,
    format: Format,
    provider: Option<Provider>,
) -> Result<Converted, ConvertError> {
    if !is_written(format) {
        return Err(ConvertError::Log(format));
    }
    let fits = Provider::of_wire(format);
    let provider = provider.filter(|provider| fits.contains(provider)).unwrap_or(fits[0]);
    let structure = Structure::of(transcript);
    let names = names(transcript, &structure, provider);
    if format == transcript.wire() && is_plain(transcript) {
        // Written like this already: every byte stays but those of ids.
        let text = rename_ids(transcript, &structure, &names);
        return Ok(Converted { text, format, dropped: Vec::new() });
    }
    let called = structure.pairing.pairs().map(|(call, answer)| (answer, call.place)).collect();
    let dropped = Vec::new();
    let mut carrier =
        Carrier { transcript, structure: &structure, names, called, format, provider, dropped };
    let mut turns = carrier.turns();
    let system = carrier.system(&mut turns);
    carrier.settings();
    turns.retain(|turn| !turn.pieces.is_empty());
    if format == Format::Bedrock {
        alternate(&mut turns);
    }
    let entries: Vec<String> = write(format, &turns).into_iter().map(|(_, entry)| entry).collect();
    let text = frame(format, &system, &format!("[\n{}\n]", entries.join(",\n")));
    let mut dropped = carrier.dropped;
    dropped.sort_by_key(|dropped| dropped.entry.map_or(usize::MAX, |entry| entry));
    Ok(Converted { text, format, dropped })
}

/// Whether every entry is of its format's own making, so that another provider of that format can take it as it stands.
fn is_plain(transcript: &Transcript) -> bool {
    let foreign =
        ["bare-call", "missing-id", "two-views", "unknown-block", "unknown-role", "untyped-block"];
    let silent =
        |part: &Part| matches!(part.kind, PartKind::Result { .. }) && part.body.range().is_empty();
    let is_silent = |entry: usize| transcript.parts(entry).iter().any(silent);
    !transcript.findings().iter().any(|finding| foreign.contains(&finding.code))
        && !transcript.ids.names().any(made_up)
        && !(0..transcript.len()).any(is_silent)
}

/// The id of each call and result, where it must be another one: of a form that the provider takes, and where it wants ids
/// to be unique, for each call its own.
fn names(
    transcript: &Transcript,
    structure: &Structure,
    provider: Provider,
) -> BTreeMap<Place, String> {
    let unique = provider == Provider::Anthropic || provider == Provider::Bedrock;
    let mut taken: BTreeSet<String> = transcript.ids.names().map(String::from).collect();
    let mut seen = BTreeSet::new();
    let mut mapped: BTreeMap<_, String> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for call in &structure.pairing.calls {
        let old = transcript.id(call.id);
        let form = ids::form(provider, false);
        let again = !seen.insert(call.id);
        let new = if again && unique {
            form.fresh(old, &mut taken)
        } else if form.fits(old) {
            continue;
        } else {
            mapped.entry(call.id).or_insert_with(|| form.fresh(old, &mut taken)).clone()
        };
        names.extend(call.answer.map(|answer| (answer, new.clone())));
        names.insert(call.place, new);
    }
    for stray in &structure.pairing.strays {
        let old = transcript.id(stray.id);
        let form = ids::form(provider, false);
        if !form.fits(old) {
            let new = mapped.entry(stray.id).or_insert_with(|| form.fresh(old, &mut taken));
            names.insert(stray.place, new.clone());
        }
    }
    names
}

/// Neighbours of one role become one turn.
fn alternate(turns: &mut Vec<Turn<'_>>) {
    let mut merged: Vec<Turn<'_>> = Vec::with_capacity(turns.len());
    for turn in turns.drain(..) {
        match merged.last_mut() {
            Some(last) if last.role == turn.role => last.pieces.extend(turn.pieces),
            _ => merged.push(turn),
        }
    }
    *turns = merged;
}

/// The list by itself, or in a request with its system prompt.
fn frame(format: Format, system: &[String], list: &str) -> String {
    if system.is_empty() {
        return format!("{list}\n");
    }
    let text = system.join("\n\n");
    let text = quote(&text);
    match format {
        Format::Gemini => {
            format!(
                "{{\"systemInstruction\":{{\"parts\":[{{\"text\":{text}}}]}},\"contents\":{list}}}\n"
            )
        }
        Format::Bedrock => format!("{{\"system\":[{{\"text\":{text}}}],\"messages\":{list}}}\n"),
        _ => format!("{{\"system\":{text},\"messages\":{list}}}\n"),
    }
}
