//! From bytes to a transcript on the page, or to an error with its way out. Each input is read once.

use std::sync::Arc;

use pinfold::Ledger;
use pinfold::formats::{self, Detected, Opened, ReadError, ReadOptions};
use pinfold::provider::{Family, Provider};
use pinfold::rules::Mode;
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

impl Source {
    /// A name for a file with what it was made into: `session.repaired.json`.
    pub(crate) fn file(&self, made: &str) -> String {
        let name = self.name.trim_start_matches("sample: ");
        let stem = name.trim_end_matches(".jsonl").trim_end_matches(".json");
        let stem: String =
            stem.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        format!("{stem}.{made}.json")
    }

    /// A text that was made from it.
    pub(crate) fn made(&self, text: &str) -> Self {
        Self { name: self.name.clone(), bytes: text.as_bytes().into() }
    }
}

/// How to read and judge it, where the person knows better.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Wish {
    /// The format.
    pub(crate) format: Option<Format>,
    /// Which of several transcripts.
    pub(crate) pick: Option<usize>,
    /// Whose rules it is judged by.
    pub(crate) provider: Option<Provider>,
    /// What is known of the model.
    pub(crate) family: Option<Family>,
    /// What it is about to be used for.
    pub(crate) mode: Mode,
}

impl Wish {
    /// To read a text that was made from `loaded` as that was read, and to judge it by the same rules.
    pub(crate) fn like(loaded: &Loaded) -> Self {
        let transcript = &loaded.transcript;
        // The model that a log names is not in the messages that were rebuilt from it.
        let logged = transcript.format().is_log().then_some(transcript.request().family);
        Self {
            format: Some(transcript.wire()),
            pick: None,
            provider: Some(transcript.provider()),
            family: loaded.wish.family.or(logged),
            mode: loaded.wish.mode,
        }
    }

    fn options(self) -> ReadOptions {
        ReadOptions {
            format: self.format,
            pick: self.pick,
            provider: self.provider,
            family: self.family,
            ..ReadOptions::default()
        }
    }
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
    /// The format that it was told to have, where it does not look like it.
    pub(crate) told: Option<Format>,
}

impl Failure {
    /// A file that the browser does not hand over.
    pub(crate) fn unreadable(name: Arc<str>) -> Self {
        Self {
            name,
            code: "unreadable-file",
            message: "The browser could not read this file.".into(),
            way_out: "A folder cannot be opened, and neither can a file that was moved away. Choose it again.",
            told: None,
        }
    }

    /// Whether the format is what stands in the way.
    pub(crate) fn is_about_format(&self) -> bool {
        self.code == "unknown-format"
    }
}

/// Reads `source` and prepares everything that the page shows of it. The ledger of its session takes it in.
pub(crate) fn open(source: Source, wish: Wish, ledger: &mut Ledger) -> Result<Loaded, Failure> {
    let (read, wish) = read(&source.bytes, wish).map_err(|error| failure(&source, wish, &error))?;
    if read.transcript.is_empty() {
        return Err(Failure {
            name: source.name,
            code: "no-entries",
            message: "The list is there, but it has no entries.".into(),
            way_out: "Paste a transcript that has at least one message.",
            told: None,
        });
    }
    Ok(Loaded::new(source, wish, read, ledger))
}

/// Reads `source` as the beginning of a session.
#[cfg(test)]
pub(crate) fn load(source: Source, wish: Wish) -> Result<Loaded, Failure> {
    open(source, wish, &mut Ledger::default())
}

/// A transcript with what is known about how it was found.
pub(crate) struct Read {
    pub(crate) transcript: Transcript,
    /// What detection says, also where the person said another format.
    pub(crate) detected: Option<Detected>,
    /// Every transcript of the input, and which one this is.
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) picked: usize,
}

fn read(bytes: &[u8], wish: Wish) -> Result<(Read, Wish), ReadError> {
    let (opened, wish) = match formats::open(bytes, wish.options()) {
        // Another transcript of the same input may be one for another provider.
        Err(ReadError::Provider { .. }) => {
            let wish = Wish { provider: None, family: None, ..wish };
            (formats::open(bytes, wish.options())?, wish)
        }
        opened => (opened?, wish),
    };
    let Opened { transcript, detected, all, index } = opened;
    let detected = match wish.format {
        Some(_) => formats::detect(bytes),
        None => Some(detected),
    };
    let candidates = all.into_iter().map(|(label, entries)| Candidate { label, entries }).collect();
    Ok((Read { transcript, detected, candidates, picked: index }, wish))
}

fn failure(source: &Source, wish: Wish, error: &ReadError) -> Failure {
    let told = wish.format;
    let (message, way_out) = match error {
        ReadError::Empty => (
            "There is nothing in it.".into(),
            "Paste JSON or JSON Lines, drop a file, or open a sample.",
        ),
        // What was looked for is listed below the message, where it can be chosen from.
        ReadError::Unknown { nearest } if told.is_some() => (
            misread(source, wish).unwrap_or_else(|| nearest.clone()),
            "Choose the format that it is in, or let it be detected.",
        ),
        ReadError::Unknown { nearest } => (
            format!("No transcript was found in it. {nearest}"),
            "Paste the body of a request, its list of messages, or a whole session log. If it is in one of the \
             formats below, choose it by name.",
        ),
        ReadError::Utf16 => (error.to_string(), "Save the file as UTF-8 and drop it again."),
        ReadError::TooLarge { .. } => {
            (error.to_string(), "Split the file, or keep only the part that matters.")
        }
        ReadError::Pick { .. } => {
            (error.to_string(), "Choose another of the transcripts in this file.")
        }
        _ => (error.to_string(), "Choose another file, or paste the transcript as JSON."),
    };
    let told = told.filter(|_| matches!(error, ReadError::Unknown { .. }));
    Failure { name: source.name.clone(), code: error.code(), message, way_out, told }
}

/// What stands there in place of the format that it was to be read as.
fn misread(source: &Source, wish: Wish) -> Option<String> {
    let (told, found) = (wish.format?, formats::detect(&source.bytes)?);
    let [told, found] = [told, found.format].map(Format::title);
    Some(format!("It was to be read as {told}, but it is written as {found}."))
}

/// The samples, written for the purpose and built into the page.
pub(crate) const SAMPLES: [Sample; 5] = [
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
    Sample {
        name: "gemini",
        about: "Two calls, one answer, and a signature that got lost on the way.",
        text: include_str!("../../samples/gemini.json"),
    },
    Sample {
        name: "rules",
        about: "Rules that were obeyed and never spoken of again, and one that was taken back.",
        text: include_str!("../../samples/rules.json"),
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
    use pinfold::Ledger;
    use pinfold::cut::ReasonKind;
    use pinfold::rules::Code;
    use pinfold::transcript::Format;

    use super::{Failure, SAMPLES, Source, Wish, load};
    use crate::model::loaded::Loaded;
    use crate::model::mending::Mended;

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
        assert!(loaded.planner.structure.round_count() > 55);
        assert_eq!(loaded.planner.structure.tail.pending.len(), 1);
        let prompt = loaded.transcript.part_text(&loaded.transcript.parts(0)[0]);
        assert!(prompt.contains("Never touch /migrations"));
    }

    #[test]
    fn the_gemini_sample_lost_an_answer_and_a_signature() {
        let loaded = sample("gemini");
        assert_eq!(loaded.transcript.format(), Format::Gemini);
        let said = loaded.violations.iter().filter_map(|violation| violation.says.as_deref());
        let said: Vec<&str> = said.collect();
        assert!(said[0].contains("number of function response parts"), "{said:?}");
        assert_eq!(said.len(), 2, "{said:?}");
        let mended = Mended::of(&loaded);
        assert_eq!(mended.after, "none", "{mended:?}");
    }

    #[test]
    fn the_rules_are_found_and_folding_loses_none() {
        let loaded = sample("rules");
        assert!(loaded.violations.is_empty(), "{:?}", loaded.violations);
        assert_eq!(loaded.planner.structure.exchanges.len(), 5);
        let ledger = Ledger::of(&loaded.transcript, &loaded.planner.structure);
        let rule = "Never edit anything under packages/legacy";
        assert!(ledger.pins().iter().any(|pin| pin.is_live() && pin.text.starts_with(rule)));
        assert!(
            ledger.pins().iter().any(|pin| pin.text.contains("rates-v2")),
            "{:?}",
            ledger.pins()
        );
        assert!(!ledger.candidates().is_empty() && !ledger.conflicts().is_empty());
    }

    #[test]
    fn errors_name_their_way_out() {
        assert_eq!(try_load("  ").expect_err("empty").code, "empty-input");
        let unknown = try_load("{\"a\":1}").expect_err("unknown");
        assert_eq!(unknown.code, "unknown-format");
        assert!(unknown.message.contains("its keys are") && unknown.told.is_none());
        let told = Wish { format: Some(Format::Codex), ..Wish::default() };
        let failed = load(SAMPLES[0].source(), told).expect_err("it is no log");
        assert_eq!((failed.told, failed.is_about_format()), (Some(Format::Codex), true));
        assert_eq!(
            failed.message,
            "It was to be read as Codex rollout, but it is written as Anthropic Messages."
        );
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
            load(source.clone(), Wish { pick: Some(0), ..Wish::default() }).expect("a transcript");
        assert_eq!(loaded.candidates.len(), 2);
        assert!(loaded.transcript.entry_text(0).contains("one"));
        let told = Wish { format: Some(Format::OpenAiChat), pick: Some(1), ..Wish::default() };
        let loaded = load(source, told).expect("a transcript");
        assert!(loaded.transcript.entry_text(0).contains("two"));
        assert_eq!(loaded.candidates.len(), 2);
    }
}
