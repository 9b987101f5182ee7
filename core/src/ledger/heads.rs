//! Where a lookup in the lexicon begins: most words begin no phrase, and the others lead some letters down the tree at once.

use alloc::vec;
use alloc::vec::Vec;

use super::fold::{IN_WORD, SPACE};
use super::letters::Letters;
use super::lexicon::{Found, Node, Phrase, ROOT, child};
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
    /// The letters; zero for an empty place.
    letters: u64,
    /// A bit for each letter with which a phrase goes on behind them and a space, [`OTHERS`] if one goes on otherwise, and
    /// [`STEMS`] if a stem begins with them.
    bits: u32,
    /// Where they lead in the tree, and the longest stem above.
    index: u16,
    stem: Option<Mark>,
    /// What they say where they are the whole phrase.
    whole: Option<Mark>,
}

impl Head {
    fn entrance(self) -> Entrance {
        let letters = (71 - self.letters.leading_zeros()) / 8;
        Entrance { index: self.index, letters: letters as u8, stem: self.stem }
    }
}

/// No letter has these bits.
const STEMS: u32 = 1 << 31;
const OTHERS: u32 = 1 << 30;

/// The bit of a letter of ASCII, whatever its case.
fn bit(letter: u8) -> u32 {
    1 << (letter & 0x1F)
}

/// The bits of which one must be set for a phrase to go on behind the word that ends before byte `end`.
#[inline]
fn going_on(bytes: &[u8], end: usize) -> u32 {
    match *bytes.get(end..).unwrap_or_default() {
        [b' ' | b'\n', next, ..] if next.is_ascii_alphabetic() => bit(next),
        [] => 0,
        _ => !STEMS,
    }
}

/// What the first letters of a word lead to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Looked {
    /// No phrase begins with it.
    Nothing,
    /// One may.
    Entrance(Entrance),
    /// It is one, and no longer one begins with it here.
    Found(Found),
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
        let empty = Head { letters: 0, bits: 0, index: ROOT, stem: None, whole: None };
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

    /// What the word of `bytes` from byte `at` to `end` leads to, of which these are the first letters.
    #[inline]
    pub(super) fn look(&self, bytes: &[u8], at: usize, end: usize, letters: Letters) -> Looked {
        if letters.0 & 0x8080_8080_8080_8080 != 0 {
            // What is not ASCII has still to be folded.
            return Looked::Entrance(Entrance::TOP);
        }
        let length = end - at;
        let Some(head) = self.slots.get(self.seat(letters.0)) else { return Looked::Nothing };
        if head.letters == letters.0 {
            if length <= 8 && head.bits & going_on(bytes, end) == 0 {
                return head
                    .whole
                    .map_or(Looked::Nothing, |mark| Looked::Found(Found { mark, end }));
            }
            return Looked::Entrance(head.entrance());
        }
        if length <= STEM {
            return Looked::Nothing;
        }
        let letters = letters.0 & u64::MAX >> (8 * (8 - STEM));
        match self.slots.get(self.seat(letters)) {
            Some(head) if head.bits & STEMS != 0 && head.letters == letters => {
                Looked::Entrance(head.entrance())
            }
            _ => Looked::Nothing,
        }
    }

    fn add(&mut self, word: &[u8], stem: bool, nodes: &[Node]) {
        let Letters(letters) = Letters::of(word, word.len());
        let seat = self.seat(letters);
        let head = &mut self.slots[seat];
        head.letters = letters;
        head.bits |= if stem { STEMS } else { 0 };
        let mut place = (ROOT, nodes[ROOT as usize]);
        let mut stem = None;
        for &letter in word {
            stem = place.1.stem.or(stem);
            let Some(next) = child(nodes, place.0, place.1, letter) else { return };
            place = next;
        }
        let (index, node) = place;
        (head.index, head.stem) = (index, stem);
        head.whole = node.word.or(node.stem).or(stem);
        let follows = |place: (u16, Node), it: u8| child(nodes, place.0, place.1, it);
        let letter = |it: &u8| it.is_ascii_lowercase();
        if let Some(behind) = follows(place, SPACE) {
            let (letters, others): (Vec<u8>, Vec<u8>) =
                (0..=u8::MAX).filter(|&it| follows(behind, it).is_some()).partition(letter);
            head.bits |= letters.into_iter().fold(0, |bits, it| bits | bit(it));
            head.bits |= if others.is_empty() { 0 } else { OTHERS };
        }
        let goes_on = |it: u8| it != SPACE && !IN_WORD[it as usize] && follows(place, it).is_some();
        head.bits |= if (0..=u8::MAX).any(goes_on) { OTHERS } else { 0 };
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
}

/// The letters by which a stem is told.
const STEM: usize = 4;
