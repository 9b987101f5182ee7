//! Tool state: what lives outside the messages and the next call depends on.

use alloc::string::String;
use alloc::vec::Vec;

use super::pin::{Evidence, Topic};
use crate::exchange::Structure;
use crate::pairing::Place;
use crate::transcript::{Finding, Transcript};

/// A tool state that calls and results tell of.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Told {
    /// What it is about.
    pub topic: Topic,
    /// The piece of an argument or output that says it, as it stands there (JSON strings decoded).
    pub text: String,
    /// The part it stands in: a call or a result; `None` for one that was inherited.
    pub place: Option<Place>,
    /// Why it holds no longer: superseded, or completed; with the words that say so, and the entry they stand in.
    pub ended: Option<(Evidence, usize)>,
}

/// How a tool tells of a state. A caller may add some of its own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Recogniser {
    /// The tool's name; a `*` at its end stands for any rest.
    pub tool: String,
    /// The path of the argument that holds the text (`command`, `options.cwd`), or of a member of its result if it begins with `result.`.
    pub path: String,
    /// What that text is.
    pub topic: Topic,
}

/// A tool state that was live when what stood before the transcript was folded: the ledger carried it over, the calls that
/// told of it are gone.
pub type Inherited = (Topic, String);

/// The tool states of a transcript, oldest first, and where a log's own record differs from them.
///
/// What was inherited comes first and ends as anything else does: a directory when a newer one is told, a process when an
/// output call says that it has ended, a plan's step when a newer plan is written.
pub fn told(
    _transcript: &Transcript,
    _structure: &Structure,
    _more: &[Recogniser],
    _inherited: &[Inherited],
) -> (Vec<Told>, Vec<Finding>) {
    (Vec::new(), Vec::new())
}
