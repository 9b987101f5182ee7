//! The least that cuts cost over any run of boundaries, in a tree that grows at its end.
//!
//! What a cut costs need not fall evenly, so a search by halving is for a minimum: the first boundary of a run that costs no
//! more than so much. What all boundaries have in common is left out, so that a new entry, which costs every cut before it
//! the same, changes nothing but the end.

use alloc::vec::Vec;
use core::ops::Range;

use crate::spare;

/// How many boundaries a leaf of the tree stands for, and how many nodes one above it.
const WIDTH: usize = 16;

/// The least costs of some boundaries, in tokens beside what all of them have in common; `None` where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Least {
    /// Without the lines of the note.
    pub(crate) bare: Option<i64>,
    /// With all of them.
    pub(crate) full: Option<i64>,
}

/// The least costs of some boundaries, and of those that may be legal among them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Both {
    pub(crate) any: Least,
    pub(crate) legal: Least,
}

/// The tree. The costs of a single boundary are not in it: whoever asks knows them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Minima {
    /// From the leaves up; the last has at most `WIDTH` nodes.
    levels: Vec<Vec<Node>>,
    len: usize,
}

/// A [`Both`] in half the room.
#[derive(Clone, Copy, Debug)]
struct Node {
    bare: i64,
    full: i64,
    legal_bare: i64,
    legal_full: i64,
}

impl Minima {
    /// Takes in that boundaries from `first` on cost something else, and that there are `len` of them.
    pub(crate) fn grow(&mut self, first: usize, len: usize, cost: impl Fn(usize) -> Both) {
        self.len = len;
        let (mut from, mut count) = (first / WIDTH, len.div_ceil(WIDTH));
        for level in 0.. {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
                from = 0;
            }
            let below = level.checked_sub(1);
            let (lower, rest) = self.levels.split_at_mut(level);
            let nodes = &mut rest[0];
            nodes.truncate(from);
            for node in from..count {
                let inside = node * WIDTH..(node + 1) * WIDTH;
                let least = match below {
                    None => {
                        inside.take_while(|&at| at < len).map(|at| Node::of(cost(at))).collect()
                    }
                    Some(below) => {
                        let lower = &lower[below];
                        lower[inside.start..inside.end.min(lower.len())].iter().copied().collect()
                    }
                };
                spare::push(nodes, least);
            }
            if count <= WIDTH {
                self.levels.truncate(level + 1);
                break;
            }
            (from, count) = (from / WIDTH, count.div_ceil(WIDTH));
        }
    }

    /// The first boundary of `range` of which `holds`, which holds of a minimum if it does of any boundary under it.
    pub(crate) fn first(
        &self,
        range: Range<usize>,
        cost: &impl Fn(usize) -> Both,
        holds: &impl Fn(Both) -> bool,
    ) -> Option<usize> {
        let range = range.start..range.end.min(self.len);
        let top = self.levels.len().checked_sub(1)?;
        (0..self.levels[top].len()).find_map(|node| self.search(top, node, &range, cost, holds))
    }

    /// The least over `range`.
    pub(crate) fn least(&self, range: Range<usize>, cost: &impl Fn(usize) -> Both) -> Both {
        let mut found = Node::NONE;
        let (mut start, mut end) = (range.start, range.end.min(self.len));
        // What stands at the edges of a level is taken one by one, and the rest from the one above.
        while start < end && !start.is_multiple_of(WIDTH) {
            found = found.and(Node::of(cost(start)));
            start += 1;
        }
        while start < end && !end.is_multiple_of(WIDTH) && end < self.len {
            end -= 1;
            found = found.and(Node::of(cost(end)));
        }
        if start == end {
            return found.both();
        }
        (start, end) = (start / WIDTH, end.div_ceil(WIDTH));
        for (level, nodes) in self.levels.iter().enumerate() {
            let top = level + 1 == self.levels.len();
            while start < end && (top || !start.is_multiple_of(WIDTH)) {
                found = found.and(nodes[start]);
                start += 1;
            }
            while start < end && !end.is_multiple_of(WIDTH) && end < nodes.len() {
                end -= 1;
                found = found.and(nodes[end]);
            }
            if start == end {
                break;
            }
            (start, end) = (start / WIDTH, end.div_ceil(WIDTH));
        }
        found.both()
    }

    fn search(
        &self,
        level: usize,
        node: usize,
        range: &Range<usize>,
        cost: &impl Fn(usize) -> Both,
        holds: &impl Fn(Both) -> bool,
    ) -> Option<usize> {
        let span = WIDTH.pow(level as u32 + 1);
        let (start, end) = (node * span, (node + 1) * span);
        if start >= range.end || end <= range.start || !holds(self.levels[level][node].both()) {
            return None;
        }
        let inside = node * WIDTH..(node + 1) * WIDTH;
        if let Some(below) = level.checked_sub(1) {
            let mut nodes = inside.start..inside.end.min(self.levels[below].len());
            return nodes.find_map(|node| self.search(below, node, range, cost, holds));
        }
        let mut inside = inside.start.max(range.start)..inside.end.min(range.end);
        inside.find(|&at| holds(cost(at)))
    }
}

impl Node {
    const NONE: Self =
        Self { bare: i64::MAX, full: i64::MAX, legal_bare: i64::MAX, legal_full: i64::MAX };

    fn of(both: Both) -> Self {
        let or_none = |cost: Option<i64>| cost.unwrap_or(i64::MAX);
        Self {
            bare: or_none(both.any.bare),
            full: or_none(both.any.full),
            legal_bare: or_none(both.legal.bare),
            legal_full: or_none(both.legal.full),
        }
    }

    fn both(self) -> Both {
        let some = |cost: i64| (cost < i64::MAX).then_some(cost);
        Both {
            any: Least { bare: some(self.bare), full: some(self.full) },
            legal: Least { bare: some(self.legal_bare), full: some(self.legal_full) },
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            bare: self.bare.min(other.bare),
            full: self.full.min(other.full),
            legal_bare: self.legal_bare.min(other.legal_bare),
            legal_full: self.legal_full.min(other.legal_full),
        }
    }
}

impl FromIterator<Self> for Node {
    fn from_iter<I: IntoIterator<Item = Self>>(nodes: I) -> Self {
        nodes.into_iter().fold(Self::NONE, Self::and)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Costs that neither rise nor fall, every third of them legal.
    fn cost(at: usize) -> Both {
        let at64 = (at as u64).cast_signed();
        let bare = (at64 * 7919) % 1013 - at64;
        let any = Least { bare: Some(bare), full: Some(bare + (at64 * 31) % 17) };
        Both { any, legal: if at.is_multiple_of(3) { any } else { Least::default() } }
    }

    #[test]
    fn a_tree_that_grew_finds_what_a_scan_finds() {
        let mut minima = Minima::default();
        let mut len = 0;
        for step in [1, 14, 1, 1, 30, 200, 3, 4000, 1] {
            let first = len - usize::from(len > 2);
            len += step;
            minima.grow(first, len, cost);
            for (start, end) in [(0, len), (1, len), (len / 3, len / 2), (17, len), (len - 1, len)]
            {
                let all = (start..end).map(|at| Node::of(cost(at))).collect::<Node>().both();
                let found = minima.least(start..end, &cost);
                assert_eq!((found.any, found.legal), (all.any, all.legal), "{start}..{end}");
                for most in [-5000, -900, -1, 0, 1, 500, 2000] {
                    let holds = |it: Both| it.legal.bare.is_some_and(|bare| bare <= most);
                    let scan = (start..end).find(|&at| holds(cost(at)));
                    assert_eq!(minima.first(start..end, &cost, &holds), scan, "{start}..{end}");
                }
            }
        }
    }
}
