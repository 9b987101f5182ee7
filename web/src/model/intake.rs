//! From bytes to a transcript on the page, or to an error with its way out. Each input is read once.

use std::sync::Arc;

use pinfold::formats::{self, Detected, Document, ReadError, ReadOptions};
use pinfold::transcript::{Format, Transcript};

use super::loaded::Loaded;

/// What was pasted, dropped or chosen.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The file's name, or how it came.
    pub(crate) name: Arc<str>,
    /// Its bytes.
    pub(crate) bytes: Arc<[u8]>,
}

/// How to read it, where the person knows better.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Wish {
    /// The format.
    pub(crate) format: Option<Format>,
    /// Which of several transcripts.
    pub(crate) pick: Option<usize>,
}

/// One of several transcripts in an input.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Candidate {
    /// What tells it from its neighbours.
    pub(crate) label: String,
    /// Its entries.
    pub(crate) entries: usize,
}

/// Why there is nothing to show.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Failure {
    /// What was read.
    pub(crate) name: Arc<str>,
    /// A stable name in kebab-case.
    pub(crate) code: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) way_out: &'static str,
}

impl Failure {
    /// A file that the browser does not hand over.
    pub(crate) fn unreadable(name: Arc<str>) -> Self {
        Self {
            name,
            code: "unreadable-file",
            message: "The browser could not read this file.".into(),
            way_out: "A folder cannot be opened, and neither can a file that was moved away. Choose it again.",
        }
    }
}

/// Reads `source` and prepares everything that the page shows of it.
pub(crate) fn load(source: Source, wish: Wish) -> Result<Loaded, Failure> {
    let read = read(&source.bytes, wish).map_err(|error| failure(&source, &error))?;
    if read.transcript.is_empty() {
        return Err(Failure {
            name: source.name,
            code: "no-entries",
            message: "The list is there, but it has no entries.".into(),
            way_out: "Paste a transcript that has at least one message.",
        });
    }
    Ok(Loaded::new(source, wish, read))
}

/// A transcript with what is known about how it was found.
pub(crate) struct Read {
    pub(crate) transcript: Transcript,
    /// `None` where the person said the format.
    pub(crate) detected: Option<Detected>,
    /// Every transcript of the input, and which one this is.
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) picked: usize,
}

fn read(bytes: &[u8], wish: Wish) -> Result<Read, ReadError> {
    // The short way finds all transcripts in one pass. What needs care with bytes or a told format goes through `read`.
    let clean = core::str::from_utf8(bytes).ok().filter(|text| !text.starts_with('\u{FEFF}'));
    if let (Some(text), None) = (clean, wish.format) {
        return pick(formats::documents(text)?, wish.pick);
    }
    let transcript = formats::read(bytes, ReadOptions { format: wish.format, pick: wish.pick })?;
    let several = transcript.findings().iter().any(|finding| finding.code == "several-transcripts");
    let found = clean.filter(|_| several).and_then(|text| formats::documents(text).ok());
    let candidates = found.unwrap_or_default().iter().map(candidate).collect();
    let detected = if wish.format.is_none() { formats::detect(bytes) } else { None };
    Ok(Read { transcript, detected, candidates, picked: wish.pick.unwrap_or(0) })
}

fn pick(mut found: Vec<Document<'_>>, wanted: Option<usize>) -> Result<Read, ReadError> {
    let candidates: Vec<Candidate> = found.iter().map(candidate).collect();
    let picked = wanted.unwrap_or_else(|| formats::preferred(&found));
    if picked >= found.len() {
        return Err(ReadError::Pick { asked: picked, available: found.len() });
    }
    let document = found.swap_remove(picked);
    let detected = Some(document.detected.clone());
    Ok(Read { transcript: document.read(), detected, candidates, picked })
}

fn candidate(document: &Document<'_>) -> Candidate {
    Candidate { label: document.label.clone(), entries: document.entries }
}

fn failure(source: &Source, error: &ReadError) -> Failure {
    let way_out = match error {
        ReadError::Empty => "Paste JSON or JSON Lines, drop a file, or open a sample.",
        ReadError::Unknown { .. } => {
            "Paste the body of a request, its list of messages, or a whole session log. If it is one of the \
             formats above, choose it by name below."
        }
        ReadError::Utf16 => "Save the file as UTF-8 and drop it again.",
        ReadError::TooLarge { .. } => "Split the file, or keep only the part that matters.",
        _ => "Choose another of the transcripts in this file.",
    };
    Failure { name: source.name.clone(), code: error.code(), message: error.to_string(), way_out }
}

/// The samples, written for the purpose and built into the page.
pub(crate) const SAMPLES: [Sample; 3] = [
    Sample {
        name: "clean",
        about: "A short talk with parallel calls. Nothing is wrong with it.",
        text: include_str!("../../samples/clean.json"),
    },
    Sample {
        name: "broken",
        about: "An orphan result, an unanswered call, a prompt wedged inside a pair.",
        text: include_str!("../../samples/broken.json"),
    },
    Sample {
        name: "loop",
        about: "One prompt, some sixty rounds of coding: where may it be cut?",
        text: include_str!("../../samples/loop.json"),
    },
];

/// A transcript to try the page with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it shows.
    pub(crate) about: &'static str,
    /// The transcript.
    pub(crate) text: &'static str,
}

impl Sample {
    /// The sample as an input.
    pub(crate) fn source(&self) -> Source {
        Source { name: format!("sample: {}", self.name).into(), bytes: self.text.as_bytes().into() }
    }
}

#[cfg(test)]
mod tests {
    use pinfold::cut::ReasonKind;
    use pinfold::rules::Code;
    use pinfold::transcript::Format;

    use super::{Failure, SAMPLES, Source, Wish, load};
    use crate::model::loaded::Loaded;

    fn try_load(text: &str) -> Result<Loaded, Failure> {
        load(Source { name: "test".into(), bytes: text.as_bytes().into() }, Wish::default())
    }

    fn sample(name: &str) -> Loaded {
        let sample = SAMPLES.iter().find(|sample| sample.name == name).expect("a sample");
        load(sample.source(), Wish::default()).expect("it is readable")
    }

    #[test]
    fn the_clean_sample_is_clean() {
        let loaded = sample("clean");
        assert_eq!(loaded.transcript.format(), Format::Anthropic);
        assert!(loaded.violations.is_empty(), "{:?}", loaded.violations);
        assert!(loaded.transcript.findings().is_empty());
        assert_eq!(loaded.planner.structure.exchanges.len(), 2);
    }

    #[test]
    fn the_broken_sample_is_broken_in_three_ways() {
        let loaded = sample("broken");
        assert_eq!(loaded.transcript.format(), Format::OpenAiChat);
        let codes: Vec<Code> = loaded.violations.iter().map(|it| it.code).collect();
        assert!(codes.contains(&Code::OrphanResult), "{codes:?}");
        assert!(codes.contains(&Code::UnansweredCall), "{codes:?}");
        // The prompt wedged inside the pair severs it from both sides.
        for at in [5, 6] {
            let why = loaded.planner.cuts.why(at, &loaded.planner.structure);
            assert_eq!(why[0].kind, ReasonKind::SeversPair, "{at}");
        }
    }

    #[test]
    fn the_loop_is_one_long_exchange_and_a_second_prompt() {
        let loaded = sample("loop");
        assert!(loaded.violations.is_empty(), "{:?}", loaded.violations);
        assert_eq!(loaded.planner.structure.exchanges.len(), 2);
        assert!(loaded.planner.structure.rounds.len() > 55);
        assert_eq!(loaded.planner.structure.tail.pending.len(), 1);
        let prompt = loaded.transcript.part_text(&loaded.transcript.parts(0)[0]);
        assert!(prompt.contains("Never touch /migrations"));
    }

    #[test]
    fn errors_name_their_way_out() {
        assert_eq!(try_load("  ").expect_err("empty").code, "empty-input");
        let unknown = try_load("{\"a\":1}").expect_err("unknown");
        assert_eq!(unknown.code, "unknown-format");
        assert!(!unknown.way_out.is_empty());
        assert_eq!(try_load("[]").expect_err("no entries").code, "no-entries");
    }

    #[test]
    fn one_of_several_can_be_picked() {
        let line = |text: &str| {
            format!(
                "{{\"messages\":[{{\"role\":\"user\",\"content\":\"{text}\"}},{{\"role\":\"assistant\",\"content\":\"ok\"}}]}}\n"
            )
        };
        let text = line("one") + &line("two");
        let source = Source { name: "set.jsonl".into(), bytes: text.as_bytes().into() };
        let loaded =
            load(source.clone(), Wish { format: None, pick: Some(0) }).expect("a transcript");
        assert_eq!(loaded.candidates.len(), 2);
        assert!(loaded.transcript.entry_text(0).contains("one"));
        let told = Wish { format: Some(Format::OpenAiChat), pick: Some(1) };
        let loaded = load(source, told).expect("a transcript");
        assert!(loaded.transcript.entry_text(0).contains("two"));
        assert_eq!(loaded.candidates.len(), 2);
    }
}
