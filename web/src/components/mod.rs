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
mod judges;
mod list;
mod mark;
mod note;
mod overview;
mod part;
mod repair;
mod row;
mod settings;
mod side;
mod theme;
mod top;
mod verdict;
mod violations;
