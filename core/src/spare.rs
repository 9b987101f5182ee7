//! Lists that grow entry by entry and stay: what they reserve is small against what they hold.
//!
//! A list that doubles keeps up to as much again as it holds. A session keeps some twenty of them beside its text, for as long
//! as an agent works.

use alloc::string::String;
use alloc::vec::Vec;

/// Room is made for one part in so many more than there is.
pub(crate) const PART: usize = 32;

/// Makes room for `more` items.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.len() + more > list.capacity() {
        list.reserve_exact(more.max(list.len() / PART).max(4));
    }
}

/// Adds an item.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    reserve(list, 1);
    list.push(item);
}

/// Adds text.
pub(crate) fn push_str(text: &mut String, more: &str) {
    if text.len() + more.len() > text.capacity() {
        text.reserve_exact(more.len().max(text.len() / PART).max(16));
    }
    text.push_str(more);
}
