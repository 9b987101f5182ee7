//! Pinfold shortens the transcript of a tool-using agent without ever breaking it.
//!
//! A transcript is a list of entries that refer to each other by id, not a string of tokens. Cut between a
//! call and its result, and the provider refuses the request, or the model invents the missing half. This
//! crate finds the cuts that are legal, folds what stands before one into a visible note, and proves the
//! result from its bytes.
//!
//! ```text
//! bytes ─ formats ─► Transcript ─ exchange ─► Structure ─ cut ─► CutMap
//!                        │                        │                 │
//!                        ├─ rules ─► violations   ├─ digest ─► lines │
//!                        └─ tokens ─► Counts ─────┴──────► Planner ◄─┘
//!                                                  Policy ─► │ plan ─► Decision ─ fold ─► text ─ verify ─► Proof
//! ```
//!
//! It does no input or output, knows no clock and no randomness, and gives the same bytes for the same bytes.
//!
//! ```
//! use pinfold::{Counts, Decision, Planner, Policy, ReadOptions, fold, read};
//!
//! let long = "one of many lines of output\\n".repeat(80);
//! let text = format!(
//!     r#"[{{"role":"user","content":"Run the tests."}},
//!     {{"role":"assistant","content":[{{"type":"tool_use","id":"t1","name":"bash","input":{{"command":"pytest -x"}}}}]}},
//!     {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"{long}3 failed"}}]}},
//!     {{"role":"assistant","content":"Three tests fail."}},
//!     {{"role":"user","content":"Fix them."}}]"#
//! );
//! let transcript = read(text.as_bytes(), ReadOptions::default())?;
//! let planner = Planner::new(&transcript, Counts::of(&transcript));
//! assert!(!planner.cuts.legal(2), "boundary 2 lies between the call and its result");
//!
//! let Decision::Fold(plan) = planner.plan(&Policy::new(300)) else { panic!("it does not fit") };
//! assert_eq!((plan.cut, plan.pairs), (4, 1));
//!
//! let fold::Outcome::Folded(folded) = fold::fold(&transcript, &planner, &Policy::new(300)) else { panic!() };
//! assert!(folded.note.contains("bash `pytest -x` → 81 lines"));
//! assert!(folded.text.ends_with(r#"{"role":"user","content":"Fix them."}]"#));
//! # Ok::<(), pinfold::ReadError>(())
//! ```

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod chunks;
pub mod convert;
mod cost;
pub mod cut;
pub mod digest;
mod edited;
pub mod estimator;
mod excerpts;
pub mod exchange;
pub mod fold;
mod format;
pub mod formats;
mod frozen;
mod ids;
mod json;
pub mod ledger;
pub mod liveness;
mod media;
mod minima;
pub mod note;
pub mod pairing;
mod places;
pub mod plan;
mod policy;
pub mod provider;
pub mod repair;
pub mod report;
mod room;
mod rounds;
pub mod rules;
mod search;
pub mod session;
mod spare;
mod strings;
pub mod summary;
mod telling;
pub mod thinking;
pub mod tokens;
pub mod transcript;
pub mod trim;
mod trimmed;
pub mod undo;
pub mod verify;

pub use convert::convert;
pub use cut::CutMap;
pub use exchange::Structure;
pub use formats::{ReadError, ReadOptions, detect, documents, read};
pub use ledger::{Ledger, Pin};
pub use plan::{Decision, Planner, Policy};
pub use provider::{Family, Provider};
pub use repair::repair;
pub use rules::{Mode, Violation, check};
pub use session::Session;
pub use summary::{NoteAnswer, NoteRequest};
pub use tokens::Counts;
pub use transcript::{Format, Transcript};
pub use undo::Undo;
pub use verify::{Proof, verify};
