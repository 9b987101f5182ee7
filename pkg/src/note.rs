//! The summary of a fold as JavaScript sees it: what a model is asked, the option `note` with what it answered, and what came
//! of it.

use js_sys::Array;
use pinfold::fold::{Reply, Report, Told};
use pinfold::plan::{Decision, Planner, Policy};
use pinfold::summary::{Chunk, NoteAnswer, NoteRequest, RequestOptions, Section, Stop};
use pinfold::transcript::Transcript;
use pinfold::trim::Trimming;
use serde::Serialize;
use wasm_bindgen::prelude::{JsCast as _, JsValue};

use crate::fault::Fault;
use crate::hand_over;
use crate::options::{Given, MAX_SAFE, Options, describe};

/// What to ask a model about what the policy in `options` would fold; `null` if there is nothing to ask.
pub(crate) fn request(
    transcript: &Transcript,
    planner: &Planner,
    options: &Options,
) -> Result<JsValue, JsValue> {
    let trimming = Trimming::of(transcript, planner, &options.policy_or_missing()?);
    let Decision::Fold(fold) = &trimming.decision else { return Ok(JsValue::NULL) };
    let window = RequestOptions { window: options.window };
    match NoteRequest::of(&trimming.transcript, &trimming.planner, fold, window) {
        Ok(request) => hand_over(&Request::from(&request)),
        Err(_) => Ok(JsValue::NULL),
    }
}

/// The option `note` of a fold.
#[derive(Debug)]
pub(crate) enum Note {
    /// The model was asked and gave no answer.
    Failed,
    /// What it answered, and how the request was made.
    Answered(NoteAnswer, RequestOptions),
}

impl Note {
    /// Reads `value`.
    pub(crate) fn read(value: &JsValue) -> Result<Self, Fault> {
        if value.as_string().is_some_and(|word| word == "failed") {
            return Ok(Self::Failed);
        }
        if !value.is_object() || Array::is_array(value) {
            return Err(Fault::option(format!(
                "The option `note` is {}: give the `request` of noteRequest with its `answers`, or \"failed\".",
                describe(value)
            )));
        }
        let given = Given::of("note", &["request", "answers"], value)?;
        let object = |value: &JsValue| value.is_object().then(|| value.clone());
        let request = given.needed("request", "what noteRequest gave", object)?;
        let request = Given::of("the request of note", REQUEST, &request)?;
        let id = request.needed("id", "the id of what noteRequest gave", JsValue::as_string)?;
        let window = request.whole("window", "a number of tokens", MAX_SAFE)?;
        let answers = given.needed("answers", ANSWERS, |value| Some(value.clone()))?;
        let sections = if Array::is_array(&answers) {
            let answers = answers.unchecked_ref::<Array>().iter();
            answers.map(|answer| section(&answer)).collect::<Result<_, _>>()?
        } else {
            Vec::from([section(&answers)?])
        };
        Ok(Self::Answered(NoteAnswer { request: id, sections }, RequestOptions { window }))
    }

    /// What it is worth for what `policy` would fold now.
    pub(crate) fn reply(
        &self,
        transcript: &Transcript,
        planner: &Planner,
        policy: &Policy,
    ) -> Reply {
        match self {
            Self::Failed => Reply::Failed,
            Self::Answered(answer, options) => {
                Reply::of(transcript, planner, policy, *options, answer)
            }
        }
    }
}

/// The members of a request.
const REQUEST: &[&str] = &["id", "system", "chunks", "pins", "records", "allowance", "window"];

const ANSWERS: &str = "a text, `{ text, stop }`, or a list with one of these for each chunk";

/// The answer to one chunk. A bare text is whole by the caller's word.
fn section(value: &JsValue) -> Result<Section, Fault> {
    if let Some(text) = value.as_string() {
        return Ok(Section { text, stop: Stop::Complete });
    }
    if !value.is_object() || Array::is_array(value) {
        let shown = describe(value);
        return Err(Fault::option(format!("The option `answers` has {shown}: give {ANSWERS}.")));
    }
    let given = Given::of("an answer", &["text", "stop"], value)?;
    let text = given.needed("text", "what the model wrote", JsValue::as_string)?;
    let stop =
        given.needed("stop", "the provider's word for why it stopped", JsValue::as_string)?;
    Ok(Section { text, stop: Stop::of_name(&stop) })
}

/// What a model is asked.
#[derive(Serialize)]
pub(crate) struct Request<'a> {
    id: &'a str,
    system: &'a str,
    chunks: Vec<Piece<'a>>,
    pins: &'a [String],
    records: &'a [String],
    allowance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    window: Option<f64>,
}

/// One call of the model.
#[derive(Serialize)]
struct Piece<'a> {
    message: &'a str,
    entries: (usize, usize),
    allowance: f64,
}

impl<'a> From<&'a NoteRequest> for Request<'a> {
    fn from(request: &'a NoteRequest) -> Self {
        let piece = |chunk: &'a Chunk| Piece {
            message: &chunk.message,
            entries: (chunk.entries.start, chunk.entries.end),
            allowance: chunk.allowance as f64,
        };
        Self {
            id: &request.id,
            system: &request.system,
            chunks: request.chunks.iter().map(piece).collect(),
            pins: &request.pins,
            records: &request.records,
            allowance: request.allowance as f64,
            window: request.window.map(|window| window as f64),
        }
    }
}

/// What came of it.
#[derive(Serialize)]
pub(crate) struct Summary {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    earlier: &'static str,
}

impl From<&Report> for Summary {
    fn from(report: &Report) -> Self {
        let (tokens, refusal) = match &report.summary {
            Told::Written { tokens } => (Some(*tokens as f64), None),
            Told::Refused(refusal) => (None, Some(refusal)),
            Told::None | Told::Failed => (None, None),
        };
        Self {
            state: report.summary.name(),
            tokens,
            reason: refusal.map(|refusal| refusal.code.name()),
            message: refusal.map(|refusal| refusal.says.clone()),
            earlier: report.earlier.name(),
        }
    }
}
