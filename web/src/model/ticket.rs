//! Tickets: of two reads that overlap, the one that was asked for last wins, whichever ends first.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Hands out tickets.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tickets(Arc<AtomicU64>);

impl Tickets {
    /// A new ticket; every earlier one is void from now on.
    pub(crate) fn take(&self) -> Ticket {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Ticket { number, latest: self.0.clone() }
    }
}

/// A claim on the page, valid until a newer one is made.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    number: u64,
    latest: Arc<AtomicU64>,
}

impl Ticket {
    /// Whether no newer ticket was taken.
    pub(crate) fn is_valid(&self) -> bool {
        self.latest.load(Ordering::Relaxed) == self.number
    }
}

#[cfg(test)]
mod tests {
    use super::Tickets;

    #[test]
    fn the_newest_wins() {
        let tickets = Tickets::default();
        let slow = tickets.take();
        assert!(slow.is_valid());
        let quick = tickets.take();
        assert!(quick.is_valid() && !slow.is_valid());
    }
}
