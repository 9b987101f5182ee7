//! The ledger as a class of JavaScript: each method reads its arguments, calls the core and hands the answer over.

use core::cell::RefCell;
use std::rc::Rc;

use pinfold::ledger::ClassifyRequest;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::fault::Fault;
use crate::hand_over;
use crate::options::{self, Place, Selection};
use crate::pins;

/// A ledger of the caller's, or that of a session.
#[wasm_bindgen]
pub struct Ledger {
    core: Core,
}

enum Core {
    Own(Box<pinfold::Ledger>),
    Of(Rc<RefCell<pinfold::Session>>),
}

#[wasm_bindgen]
impl Ledger {
    /// An empty ledger.
    ///
    /// # Errors
    /// When an option is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Ledger, JsValue> {
        Ok(Self::own(pinfold::Ledger::new(options::ledger(options)?)))
    }

    /// The ledger that [`Ledger::json`] wrote.
    ///
    /// # Errors
    /// When an option is wrong, or the text is no such ledger.
    #[wasm_bindgen(js_name = fromJson)]
    pub fn from_json(json: &str, options: &JsValue) -> Result<Ledger, JsValue> {
        let core = pinfold::Ledger::from_json(json, options::ledger(options)?);
        Ok(Self::own(core.map_err(Fault::ledger)?))
    }

    /// Whether it asks a model.
    #[wasm_bindgen(getter)]
    pub fn classifies(&self) -> bool {
        self.look(|core| core.options().classify)
    }

    /// The whole ledger as JSON.
    pub fn json(&self) -> String {
        self.look(pinfold::Ledger::to_json)
    }

    /// The requests that are not answered yet.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn open(&self) -> Result<JsValue, JsValue> {
        requests(&self.look(pinfold::Ledger::open))
    }

    /// Takes the answer to a request, as JSON. Gives the ids of its pins.
    ///
    /// # Errors
    /// When the answer is refused; nothing has changed then.
    pub fn resolve(&mut self, request: &JsValue, answer: &str) -> Result<Vec<String>, JsValue> {
        let request = options::id("request", request)?;
        Ok(self.change(|core| core.resolve(&request, answer)).map_err(Fault::from)?)
    }

    /// Makes a candidate a pin. Gives the pin's id.
    ///
    /// # Errors
    /// When there is no such candidate, or no such class.
    pub fn accept(&mut self, candidate: &JsValue, class: &JsValue) -> Result<String, JsValue> {
        let candidate = options::id("candidate", candidate)?;
        let class = options::class(class)?;
        Ok(self.change(|core| core.accept(&candidate, &class)).map_err(Fault::from)?)
    }

    /// Says that a candidate does not bind.
    ///
    /// # Errors
    /// When there is no such candidate, or somebody made it a pin.
    pub fn dismiss(&mut self, candidate: &JsValue) -> Result<(), JsValue> {
        let candidate = options::id("candidate", candidate)?;
        Ok(self.change(|core| core.dismiss(&candidate)).map_err(Fault::from)?)
    }

    /// Pins words that somebody chose. Gives the pin's id.
    ///
    /// # Errors
    /// When they stand in no prompt and no system text, or not word for word.
    pub fn pin(&mut self, place: &JsValue, class: &JsValue) -> Result<String, JsValue> {
        let Place { entry, part, selection } = options::place(place)?;
        let class = options::class(class)?;
        let pinned = self.change(|core| match selection {
            Selection::Words(words) => core.pin_words(entry, part, &words, &class),
            Selection::Span(span) => core.pin_units(entry, part, span, &class),
        });
        Ok(pinned.map_err(Fault::from)?)
    }

    /// Ends a pin.
    ///
    /// # Errors
    /// When there is no such live pin, or it cannot end so.
    pub fn retire(&mut self, pin: &JsValue, how: &JsValue) -> Result<(), JsValue> {
        let pin = options::id("pin", pin)?;
        let (end, quote) = options::end(how)?;
        Ok(self.change(|core| core.retire(&pin, end, &quote)).map_err(Fault::from)?)
    }

    /// The pins, live and retired.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn pins(&self) -> Result<JsValue, JsValue> {
        self.look(|core| hand_over(&core.pins().iter().map(pins::Pin::from).collect::<Vec<_>>()))
    }

    /// The candidates.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn candidates(&self) -> Result<JsValue, JsValue> {
        self.look(|core| {
            hand_over(&core.candidates().iter().map(pins::Candidate::from).collect::<Vec<_>>())
        })
    }

    /// The conflicts.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn conflicts(&self) -> Result<JsValue, JsValue> {
        self.look(|core| {
            hand_over(&core.conflicts().iter().map(pins::Conflict::from).collect::<Vec<_>>())
        })
    }

    /// The findings.
    ///
    /// # Errors
    /// Only if the result cannot be handed over.
    pub fn findings(&self) -> Result<JsValue, JsValue> {
        self.look(|core| {
            hand_over(&core.findings().iter().map(pins::Finding::from).collect::<Vec<_>>())
        })
    }

    /// All that a fold of everything would show, as the block that stands there; empty if that is nothing.
    pub fn render(&self) -> String {
        let block = self.look(|core| core.standing().block(usize::MAX));
        if block.is_empty() { String::new() } else { block.render("") }
    }
}

impl Ledger {
    fn own(core: pinfold::Ledger) -> Self {
        Self { core: Core::Own(core.into()) }
    }

    /// The ledger of a session, which stays there.
    pub(crate) fn of(session: &Rc<RefCell<pinfold::Session>>) -> Self {
        Self { core: Core::Of(Rc::clone(session)) }
    }

    pub(crate) fn look<T>(&self, work: impl FnOnce(&pinfold::Ledger) -> T) -> T {
        match &self.core {
            Core::Own(core) => work(core),
            Core::Of(session) => work(session.borrow().ledger()),
        }
    }

    pub(crate) fn change<T>(&mut self, work: impl FnOnce(&mut pinfold::Ledger) -> T) -> T {
        match &mut self.core {
            Core::Own(core) => work(core),
            Core::Of(session) => session.borrow_mut().with_ledger(work),
        }
    }
}

/// Requests as JavaScript gets them.
pub(crate) fn requests(requests: &[ClassifyRequest]) -> Result<JsValue, JsValue> {
    hand_over(&requests.iter().map(pins::Request::from).collect::<Vec<_>>())
}
