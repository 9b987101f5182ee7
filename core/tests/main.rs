//! The tests of the core, as one program: each file is a module, so that the core is linked once and not thirty times.

mod support;

mod archives;
mod attacks;
mod bugs;
mod cases;
mod claude_talks;
mod convert;
mod corpus;
mod detection;
mod digests;
mod hostile;
mod laws;
mod ledger;
mod ledger_attacks;
mod ledger_cases;
mod liveness;
mod logs_a;
mod logs_a_corpus;
mod logs_a_more;
mod logs_b;
mod logs_b_corpus;
mod messages;
mod proof;
mod provider_cases;
mod readme;
mod repair;
mod rules;
mod rules_page;
mod select;
mod state;
mod state_corpus;
mod summary;
mod summary_laws;
mod tokens;
mod trigger;
