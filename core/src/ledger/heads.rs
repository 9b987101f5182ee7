//! Where a lookup in the lexicon begins: most words begin no phrase, and the others lead some letters down the tree at once.

use alloc::vec;
use alloc::vec::Vec;

use super::fold::IN_WORD;
use super::lexicon::{Node, Phrase, ROOT, child};
use super::words::Mark;

/// The nodes of the characters of three bytes that begin a phrase: a bit for each such character, and as many nodes as
/// there are bits, in their order.
#[derive(Clone, Debug)]
pub(super) struct Firsts {
    /// With each word of bits, how many nodes those before it have.
    bits: Vec<(u64, u16)>,
    nodes: Vec<u16>,
}

impl Firsts {
    /// From letters in ascending order.
    pub(super) fn of(letters: impl Iterator<Item = ([u8; 3], u16)>) -> Self {
        let mut firsts = Self { bits: vec![(0, 0); 1 << 10], nodes: Vec::new() };
        for (letter, node) in letters {
            let (word, bit) = Self::seat(letter);
            if let Some((bits, _)) = firsts.bits.get_mut(word)
                && *bits & bit == 0
            {
                *bits |= bit;
                firsts.nodes.push(node);
            }
        }
        let mut before = 0;
        for (bits, rank) in &mut firsts.bits {
            *rank = before;
            before += bits.count_ones() as u16;
        }
        firsts
    }

    pub(super) fn node(&self, letter: [u8; 3]) -> Option<u16> {
        let (word, bit) = Self::seat(letter);
        let &(bits, rank) = self.bits.get(word)?;
        if bits & bit == 0 {
            return None;
        }
        let before = (bits & (bit - 1)).count_ones() as usize;
        self.nodes.get(usize::from(rank) + before).copied()
    }

    fn seat([first, second, third]: [u8; 3]) -> (usize, u64) {
        let word = usize::from(first & 0x0F) << 6 | usize::from(second & 0x3F);
        (word, 1 << (third & 0x3F))
    }
}

/// How the phrases begin that begin with a word in ASCII: by the first eight letters of that word, and by the first four
/// of a stem, which none is shorter than. A hash table that is at most half full.
#[derive(Clone, Debug)]
pub(super) struct Heads {
    slots: Vec<Head>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    /// The letters as a number; zero for an empty place.
    letters: u64,
    entrance: Entrance,
    /// Whether a stem begins with them.
    stems: bool,
}

/// Where a lookup begins in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entrance {
    pub(super) index: u16,
    /// How many bytes that node lies below the root.
    pub(super) letters: u8,
    /// The longest stem above it.
    pub(super) stem: Option<Mark>,
}

impl Entrance {
    /// At the root.
    pub(super) const TOP: Self = Self { index: ROOT, letters: 0, stem: None };
}

impl Heads {
    /// Of phrases that have their nodes.
    pub(super) fn of(phrases: &[Phrase], letters: &[u8], nodes: &[Node]) -> Self {
        let empty = Head { letters: 0, entrance: Entrance::TOP, stems: false };
        let mut heads = Self { slots: vec![empty; (phrases.len() + 1).next_power_of_two()] };
        for phrase in phrases {
            let letters = &letters[phrase.letters.clone()];
            let word = letters.iter().take_while(|&&byte| IN_WORD[byte as usize]).count();
            let word = &letters[..word];
            if word.is_empty() || !word.is_ascii() {
                continue;
            }
            heads.add(&word[..word.len().min(8)], false, nodes);
            if phrase.stem && word.len() == letters.len() {
                heads.add(&word[..word.len().min(STEM)], true, nodes);
            }
        }
        heads
    }

    /// Where a lookup of the first `length` of `bytes` begins, a word.
    pub(super) fn entrance(&self, bytes: &[u8], length: usize) -> Option<Entrance> {
        let letters = Self::first_letters(bytes, length);
        if letters & 0x8080_8080_8080_8080 != 0 {
            // What is not ASCII has still to be folded.
            return Some(Entrance::TOP);
        }
        let head = self.slots.get(self.seat(letters))?;
        if head.letters == letters {
            return Some(head.entrance);
        }
        if length <= STEM {
            return None;
        }
        let letters = Self::first_letters(bytes, STEM);
        let head = self.slots.get(self.seat(letters))?;
        (head.stems && head.letters == letters).then_some(head.entrance)
    }

    fn add(&mut self, word: &[u8], stem: bool, nodes: &[Node]) {
        let letters = Self::first_letters(word, word.len());
        let seat = self.seat(letters);
        let head = &mut self.slots[seat];
        head.letters = letters;
        head.stems |= stem;
        let mut entrance = Entrance::TOP;
        for &letter in word {
            let node = nodes[entrance.index as usize];
            let Some((index, _)) = child(nodes, entrance.index, node, letter) else { return };
            let stem = node.stem.or(entrance.stem);
            entrance = Entrance { index, letters: entrance.letters + 1, stem };
        }
        head.entrance = entrance;
    }

    /// The place of these letters, or the first empty one behind it.
    #[inline]
    fn seat(&self, letters: u64) -> usize {
        let mask = self.slots.len() - 1;
        // The highest bits are those in which every letter has its part.
        let hash = letters.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.slots.len().ilog2());
        let mut seat = hash as usize;
        while self.slots.get(seat).is_some_and(|it| it.letters != letters && it.letters != 0) {
            seat = (seat + 1) & mask;
        }
        seat
    }

    /// The first `length` letters, at most eight, in lower case, as a number.
    #[inline]
    fn first_letters(bytes: &[u8], length: usize) -> u64 {
        let mut head = [0; 8];
        if let Some(first) = bytes.first_chunk() {
            head = *first;
        } else {
            head.iter_mut().zip(bytes).for_each(|(place, &byte)| *place = byte);
        }
        let cut = 8 - length.clamp(1, 8) as u32;
        (u64::from_le_bytes(head) | 0x2020_2020_2020_2020) << (8 * cut)
    }
}

/// The letters by which a stem is told.
const STEM: usize = 4;
