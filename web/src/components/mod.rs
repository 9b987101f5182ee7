//! The components. They bind state to elements and decide nothing.

#![allow(
    clippy::large_types_passed_by_value,
    reason = "a desk is a bundle of handles, made to be copied into closures"
)]
#![expect(unreachable_pub, reason = "the `component` macro writes `pub` whatever the source says")]

pub(crate) mod app;
mod bars;
mod boundary;
mod budget;
mod candidates;
mod chosen;
mod clashes;
mod desk;
mod detail;
mod export;
mod facts;
mod failure;
mod finder;
mod findings;
mod formats;
mod help;
mod hint;
mod icons;
mod intake;
mod items;
mod judges;
mod ledger;
mod list;
mod mark;
mod note;
mod overview;
mod part;
mod pins;
mod repair;
mod retire;
mod row;
mod settings;
mod shelf;
mod side;
mod system;
mod theme;
mod top;
mod verdict;
mod violations;
mod words;
