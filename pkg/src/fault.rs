//! What goes wrong, in the one shape in which JavaScript gets it.

use core::fmt::Display;

use pinfold::convert::ConvertError;
use pinfold::formats::{PushError, ReadError};
use pinfold::ledger::Refusal;
use pinfold::verify::Broken;
use serde::Serialize;
use wasm_bindgen::prelude::JsValue;

/// An error on its way to JavaScript.
#[derive(Debug, Serialize)]
pub(crate) struct Fault {
    code: &'static str,
    message: String,
    /// For words that do not stand where they should: the words there that come nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<String>,
}

impl Fault {
    fn new(code: &'static str, message: String) -> Self {
        Self { code, message, nearest: None }
    }

    /// A value of an option is wrong.
    pub(crate) fn option(message: String) -> Self {
        Self::new("bad-option", message)
    }

    /// The name of an option is wrong.
    pub(crate) fn unknown_option(message: String) -> Self {
        Self::new("unknown-option", message)
    }

    /// A text that is no ledger; `message` says why.
    pub(crate) fn ledger(message: String) -> Self {
        Self::new("bad-ledger", message)
    }

    /// A text that is no session; `message` says why.
    pub(crate) fn session(message: String) -> Self {
        Self::new("bad-session", message)
    }

    /// Boundaries that name more than `most` ids.
    pub(crate) fn too_many_ids(most: usize) -> Self {
        let message = format!(
            "The boundaries of this transcript name more than {most} ids, so many calls are open at once: use `plan`, \
             which needs no list of them."
        );
        Self::new("too-large", message)
    }

    /// A fold whose result could not be proved, which is withheld.
    pub(crate) fn refused(broken: &[Broken]) -> Self {
        let laws = broken.iter().map(|it| format!("law {}: {}", it.law, it.message));
        let laws = laws.collect::<Vec<_>>().join(" ");
        let message = format!(
            "The fold broke a law, so it is withheld ({laws}) This is a fault of Pinfold: please report it. \
             The transcript is as it was; another budget may do."
        );
        Self::new("unproved", message)
    }

    /// A result that cannot be handed over.
    pub(crate) fn own(error: &impl Display) -> Self {
        let message = format!("The result could not be handed over: {error}. Please report it.");
        Self::new("crashed", message)
    }
}

impl From<ReadError> for Fault {
    fn from(error: ReadError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<PushError> for Fault {
    fn from(error: PushError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<ConvertError> for Fault {
    fn from(error: ConvertError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, says, nearest } = refusal;
        Self { code: code.name(), message: says, nearest }
    }
}

impl From<Fault> for JsValue {
    fn from(fault: Fault) -> Self {
        let serializer = serde_wasm_bindgen::Serializer::json_compatible();
        // Strings always serialize; the message alone is still an error that can be read.
        fault.serialize(&serializer).unwrap_or_else(|_| JsValue::from(fault.message))
    }
}
