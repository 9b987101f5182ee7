//! A session as a class of JavaScript: entries cross as JSON, each once.

use core::cell::RefCell;
use std::rc::Rc;

use pinfold::fold::{Outcome, Reply, fold_with};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::fault::Fault;
use crate::ledger::{self, Ledger};
use crate::options::{self, Call, Options};
use crate::{Reading, hand_over, mirror, note};

/// A session of the caller's.
#[wasm_bindgen]
pub struct Session {
    core: Rc<RefCell<pinfold::Session>>,
}

#[wasm_bindgen]
impl Session {
    /// A session that goes on from what was read, with a ledger that works as `options` say.
    ///
    /// # Errors
    /// When an option of the ledger is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(reading: Reading, options: &JsValue) -> Result<Session, JsValue> {
        let ledger = pinfold::Ledger::new(options::ledger(options)?);
        Ok(Self::of(pinfold::Session::of(reading.into_transcript(), ledger).0))
    }

    /// The same with a copy of a ledger of the caller's.
    #[wasm_bindgen(js_name = withLedger)]
    pub fn with_ledger(reading: Reading, ledger: &Ledger) -> Session {
        let ledger = ledger.look(pinfold::Ledger::clone);
        Self::of(pinfold::Session::of(reading.into_transcript(), ledger).0)
    }

    /// The session that [`Session::json`] wrote, with a ledger that works as `options` say.
    ///
    /// # Errors
    /// When an option is wrong, or the text is no such session.
    #[wasm_bindgen(js_name = fromJson)]
    pub fn from_json(json: &str, options: &JsValue) -> Result<Session, JsValue> {
        let core = pinfold::Session::from_json(json, options::ledger(options)?);
        Ok(Self::of(core.map_err(Fault::session)?))
    }

    /// The whole session as JSON.
    pub fn json(&self) -> String {
        self.core.borrow().to_json()
    }

    /// The number of its entries.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.core.borrow().transcript().len()
    }

    /// The transcript as text.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> String {
        self.core.borrow().transcript().text().to_owned()
    }

    /// Its entries from number `from` on as one JSON list.
    pub fn entries(&self, from: usize) -> String {
        let core = self.core.borrow();
        let transcript = core.transcript();
        let entries = (from..transcript.len()).map(|entry| transcript.entry_text(entry));
        format!("[{}]", entries.collect::<Vec<_>>().join(","))
    }

    /// Its ledger, which stays a part of it.
    pub fn ledger(&self) -> Ledger {
        Ledger::of(&self.core)
    }

    /// Adds entries: one as JSON, or a list of them. Gives what a model should classify.
    ///
    /// # Errors
    /// When it is neither; nothing is added then.
    pub fn push(&mut self, json: &str) -> Result<JsValue, JsValue> {
        let pushed = self.core.borrow_mut().push(json).map_err(Fault::from)?;
        ledger::requests(&pushed.requests)
    }

    /// Every boundary, as JSON.
    ///
    /// # Errors
    /// When the boundaries name more ids than a caller could hold.
    pub fn cuts(&mut self) -> Result<String, JsValue> {
        let mut core = self.core.borrow_mut();
        core.planner();
        let (transcript, planner) = core.known();
        let cuts = mirror::cuts(transcript, &planner.structure, &planner.cuts)
            .ok_or_else(|| Fault::too_many_ids(mirror::MOST_IDS))?;
        serde_json::to_string(&cuts).map_err(|error| Fault::own(&error).into())
    }

    /// The decision for the policy in `options`.
    ///
    /// # Errors
    /// When an option is wrong.
    pub fn plan(&mut self, options: &JsValue) -> Result<JsValue, JsValue> {
        let policy = Options::read(Call::SessionPlan, options)?.policy_or_missing()?;
        let mut core = self.core.borrow_mut();
        let decision = core.plan(&policy);
        let (transcript, planner) = core.known();
        hand_over(&mirror::Decision::new(transcript, planner, &decision))
    }

    /// What to ask a model about what the policy in `options` would fold; `null` if there is nothing to ask.
    ///
    /// # Errors
    /// When an option is wrong.
    #[wasm_bindgen(js_name = noteRequest)]
    pub fn note_request(&mut self, options: &JsValue) -> Result<JsValue, JsValue> {
        let options = Options::read(Call::SessionNoteRequest, options)?;
        let mut core = self.core.borrow_mut();
        let (transcript, planner) = core.told();
        note::request(transcript, planner, &options)
    }

    /// Folds as the policy in `options` asks. Gives what the caller needs to make it of the entries' own elements; the
    /// session goes on with what the fold left.
    ///
    /// # Errors
    /// When an option is wrong, or the result could not be proved.
    pub fn fold(&mut self, options: &JsValue) -> Result<JsValue, JsValue> {
        let options = Options::read(Call::SessionFold, options)?;
        let policy = options.policy_or_missing()?;
        let mut core = self.core.borrow_mut();
        let (transcript, planner) = core.told();
        let note = options.note.as_ref();
        let reply = note.map_or(Reply::None, |it| it.reply(transcript, planner, &policy));
        match fold_with(transcript, planner, &policy, &reply) {
            Outcome::Folded(mut folded) => {
                let findings =
                    mirror::findings(transcript.findings(), transcript.text().as_bytes());
                let shown = mirror::Folded::new(transcript, planner, &folded, findings, false);
                let handed = hand_over(&shown)?;
                core.take_over(&mut folded);
                Ok(handed)
            }
            Outcome::Left(decision) => {
                hand_over(&mirror::Folded::left(transcript, planner, &decision))
            }
            Outcome::Refused(broken) => Err(Fault::refused(&broken).into()),
        }
    }
}

impl Session {
    fn of(core: pinfold::Session) -> Self {
        Self { core: Rc::new(RefCell::new(core)) }
    }
}
