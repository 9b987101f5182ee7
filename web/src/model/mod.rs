//! What the page thinks, without a browser: plain values that are tested on the host.

pub(crate) mod boundary;
pub(crate) mod budget;
pub(crate) mod choices;
pub(crate) mod chosen;
pub(crate) mod find;
pub(crate) mod intake;
pub(crate) mod json;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod loaded;
pub(crate) mod marks;
pub(crate) mod mending;
pub(crate) mod number;
pub(crate) mod overview;
pub(crate) mod pretty;
pub(crate) mod preview;
pub(crate) mod row;
pub(crate) mod ticket;
pub(crate) mod violation;
pub(crate) mod visible;
pub(crate) mod window;
pub(crate) mod wording;
