//! The bindings of the npm package `pinfold`: what JavaScript hands over is read, given to the core, and handed back.
//!
//! Nothing is decided here. A transcript crosses as UTF-8, options as an object, results as plain objects whose shapes
//! are those of `mirror`; an error crosses as a [`fault::Fault`], of which the TypeScript face makes its `PinfoldError`.

mod fault;
mod ledger;
mod mirror;
mod note;
mod options;
mod pins;
mod session;

use pinfold::convert::convert;
use pinfold::cut::CutMap;
use pinfold::exchange::Structure;
use pinfold::fold::{Outcome, Reply, fold_with};
use pinfold::formats;
use pinfold::plan::Planner;
use pinfold::repair::repair;
use pinfold::rules;
use pinfold::tokens::{Counts, Item};
use pinfold::transcript::Transcript;
use pinfold::trim::Trimming;
use pinfold::verify::{Check, verify};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use fault::Fault;
use ledger::Ledger;
use options::{Call, Keep, Options, Tokens};

/// Whether `options` are right for the function named `call`, for one that keeps them for later calls.
///
/// # Errors
/// When they are not.
#[wasm_bindgen]
pub fn examine(call: &str, options: &JsValue) -> Result<(), JsValue> {
    Options::read(Call::named(call), options)?.policy_or_missing()?;
    Ok(())
}

/// The version of Pinfold.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The format of `input`, or `null`.
///
/// # Errors
/// Never on input; only if the result cannot be handed over.
#[wasm_bindgen]
pub fn detect(input: &[u8]) -> Result<JsValue, JsValue> {
    match formats::detect(input) {
        Some(detected) => hand_over(&mirror::Detected::from(&detected)),
        None => Ok(JsValue::NULL),
    }
}

/// The transcripts that `input` holds, in its order.
///
/// # Errors
/// When there is none.
#[wasm_bindgen]
pub fn transcripts(input: &[u8]) -> Result<JsValue, JsValue> {
    let (text, _) = formats::decode(input).map_err(Fault::from)?;
    let found = formats::documents(&text).map_err(Fault::from)?;
    hand_over(&found.iter().map(mirror::Document::from).collect::<Vec<_>>())
}

/// A transcript that was read, with the options of the call it was read for. Each call consumes it.
#[wasm_bindgen]
pub struct Reading {
    transcript: Transcript,
    options: Options,
    findings: Vec<mirror::Finding>,
    own: bool,
    /// Made with a ledger of the caller's, if there is one.
    planner: Option<Planner>,
}

#[wasm_bindgen]
impl Reading {
    /// Reads `input` for the function named `call`, whose options are `options`.
    ///
    /// # Errors
    /// When an option is wrong or no transcript is found.
    #[wasm_bindgen(constructor)]
    pub fn new(call: &str, input: &[u8], options: &JsValue) -> Result<Reading, JsValue> {
        let options = Options::read(Call::named(call), options)?;
        let transcript = formats::read(input, options.read).map_err(Fault::from)?;
        // A transcript of another length than its text was rebuilt, or stood somewhere inside it.
        let log = transcript.format().is_log();
        let own = !log && transcript.text().len() == input.len();
        let base = if log { input } else { transcript.text().as_bytes() };
        let findings = mirror::findings(transcript.findings(), base);
        Ok(Self { transcript, options, findings, own, planner: None })
    }

    /// Whether its entries are, one by one, the elements of the list in the input.
    #[wasm_bindgen(getter)]
    pub fn own(&self) -> bool {
        self.own
    }

    /// The number of its entries.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.transcript.len()
    }

    /// Its entries as one JSON list, for a caller who wants to count their tokens.
    pub fn entries(&self) -> String {
        let entries = (0..self.transcript.len()).map(|entry| self.transcript.entry_text(entry));
        format!("[{}]", entries.collect::<Vec<_>>().join(","))
    }

    /// Takes the token counts that the caller's function gave.
    ///
    /// # Errors
    /// When one of them is not a number of tokens.
    pub fn count(&mut self, tokens: &JsValue) -> Result<(), JsValue> {
        self.options.tokens = Some(Tokens::list("what `tokens` returned for entry ", tokens)?);
        Ok(())
    }

    /// Lets the caller's ledger observe the transcript; what follows plans with it.
    ///
    /// # Errors
    /// When the token counts do not match the entries.
    pub fn keep(&mut self, ledger: &mut Ledger) -> Result<(), JsValue> {
        let counts = self.counts()?;
        let transcript = &self.transcript;
        let planner = ledger.change(|core| Planner::with_ledger(transcript, counts, core).0);
        self.planner = Some(planner);
        Ok(())
    }

    /// Lets a ledger observe the transcript. Gives what a model should classify.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn observe(self, ledger: &mut Ledger) -> Result<JsValue, JsValue> {
        let structure = Structure::of(&self.transcript);
        ledger::requests(&ledger.change(|core| core.observe(&self.transcript, &structure)))
    }

    /// The violations.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn check(self) -> Result<JsValue, JsValue> {
        let structure = Structure::of(&self.transcript);
        let violations = rules::check(&self.transcript, &structure, self.options.mode);
        hand_over(&mirror::Checked {
            format: self.transcript.format().name(),
            provider: self.transcript.provider().name(),
            entries: self.transcript.len(),
            violations: mirror::violations(&self.transcript, &violations),
            findings: self.findings,
        })
    }

    /// The mended transcript: as text, or as what the caller needs to make it of the list's own elements.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn repair(self, as_text: bool) -> Result<JsValue, JsValue> {
        let repaired = repair(&self.transcript, self.options.mode);
        hand_over(&mirror::Repaired::new(&repaired, as_text))
    }

    /// The transcript in another format.
    ///
    /// # Errors
    /// When the target is missing, or nothing is written in it.
    pub fn convert(self) -> Result<JsValue, JsValue> {
        let (format, provider) = self.options.to_or_missing()?;
        let converted = convert(&self.transcript, format, provider).map_err(Fault::from)?;
        hand_over(&mirror::Converted::from(&converted))
    }

    /// Every boundary, as JSON. Objects made from here take as long where the boundaries are many (23,000: 112 ms, as JSON
    /// 117), and many times longer where they name many ids, because each id is a string of its own.
    ///
    /// # Errors
    /// When the boundaries name more ids than a caller could hold.
    pub fn cuts(self) -> Result<String, JsValue> {
        let structure = Structure::of(&self.transcript);
        let cuts = CutMap::of(&self.transcript, &structure);
        let cuts = mirror::cuts(&self.transcript, &structure, &cuts)
            .ok_or_else(|| Fault::too_many_ids(mirror::MOST_IDS))?;
        serde_json::to_string(&cuts).map_err(|error| Fault::own(&error).into())
    }

    /// The decision for the policy in the options.
    ///
    /// # Errors
    /// When the token counts do not match the entries.
    pub fn plan(mut self) -> Result<JsValue, JsValue> {
        let planner = self.planner()?;
        let policy = self.options.policy_or_missing()?;
        let decision = Trimming::of(&self.transcript, &planner, &policy).decision;
        hand_over(&mirror::Decision::new(&self.transcript, &planner, &decision))
    }

    /// What to ask a model about what the policy in the options would fold; `null` if there is nothing to ask.
    ///
    /// # Errors
    /// When the token counts do not match the entries.
    #[wasm_bindgen(js_name = noteRequest)]
    pub fn note_request(mut self) -> Result<JsValue, JsValue> {
        let planner = self.planner()?;
        note::request(&self.transcript, &planner, &self.options)
    }

    /// The fold for the policy in the options: as text, or as what the caller needs to make it of the list's own
    /// elements.
    ///
    /// # Errors
    /// When the token counts do not match the entries, or the result could not be proved.
    pub fn fold(mut self, as_text: bool) -> Result<JsValue, JsValue> {
        let planner = self.planner()?;
        let policy = self.options.policy_or_missing()?;
        let transcript = &self.transcript;
        let note = self.options.note.as_ref();
        let reply = note.map_or(Reply::None, |it| it.reply(transcript, &planner, &policy));
        match fold_with(transcript, &planner, &policy, &reply) {
            Outcome::Folded(folded) => hand_over(&mirror::Folded::new(
                transcript,
                &planner,
                &folded,
                self.findings,
                as_text,
            )),
            Outcome::Left(decision) => {
                hand_over(&mirror::Folded::left(transcript, &planner, &decision))
            }
            Outcome::Refused(broken) => Err(Fault::refused(&broken).into()),
        }
    }

    /// The proof that `after` is a lawful fold of this transcript.
    ///
    /// # Errors
    /// When the token counts do not match the entries.
    pub fn verify(mut self, after: &[u8]) -> Result<JsValue, JsValue> {
        let planner = self.planner()?;
        let check = Check { policy: self.options.policy, ..Check::default() };
        let proof = verify(&self.transcript, &planner, &String::from_utf8_lossy(after), &check);
        hand_over(&mirror::Proof::from(proof))
    }
}

impl Reading {
    /// The transcript alone.
    fn into_transcript(self) -> Transcript {
        self.transcript
    }

    fn planner(&mut self) -> Result<Planner, Fault> {
        if let Some(planner) = self.planner.take() {
            return Ok(planner);
        }
        let counts = self.counts()?;
        Ok(match self.options.keep {
            Keep::Carried => Planner::new(&self.transcript, counts),
            Keep::Prohibitions => {
                let mut ledger = pinfold::Ledger::default();
                Planner::with_ledger(&self.transcript, counts, &mut ledger).0
            }
        })
    }

    fn counts(&self) -> Result<Counts, Fault> {
        let transcript = &self.transcript;
        let mut counts = match &self.options.tokens {
            Some(Tokens::List(tokens)) => Counts::given(transcript, tokens.clone(), None)
                .map_err(|message| Fault::option(format!("The option `tokens`: {message}")))?,
            Some(Tokens::Function) | None => Counts::of(transcript),
        };
        if let Some(fixed) = self.options.fixed_tokens {
            counts.fixed = [Item::new("fixed", u64::from(fixed))].into();
        }
        Ok(counts)
    }
}

fn hand_over(value: &impl Serialize) -> Result<JsValue, JsValue> {
    // Maps as plain objects. What is missing is left out by the mirrors themselves, since this would make it `null`.
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(|error| Fault::own(&error).into())
}
