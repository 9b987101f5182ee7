//! The words of all languages in one tree of bytes.
//!
//! A lookup begins at the start of a word (or at any letter of a writing without spaces) and goes down the tree as far as
//! it leads, at most the longest phrase: a scan is linear, whatever the text.
//!
//! The tree is a double array: the child of a node by a byte stands at the node's base plus that byte, if it names the
//! node as its parent. That is one addition and one comparison a byte.
//!
//! The crate aho-corasick was tried first (without its default features, contiguous NFA, the same 9,000 phrases): it adds
//! 62 kB to the wasm and takes 44 ms to build there, against 6 ms for this; it knows no folding, so that the text would have
//! to be folded into a copy, and no boundaries of words.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::fold::{self, SPACE};
use super::words::{self, Mark};

/// The words, ready to be looked up.
#[derive(Clone, Debug)]
pub(super) struct Lexicon {
    nodes: Vec<Node>,
    /// The characters of three bytes that a phrase begins with: in writings without spaces a lookup begins at each.
    firsts: Firsts,
}

/// A word or phrase that was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Found {
    pub(super) mark: Mark,
    /// The byte behind it.
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Where its children stand, less their byte.
    base: u16,
    parent: u16,
    /// What a whole word that ends here says, and what a longer word with this stem says.
    word: Option<Mark>,
    stem: Option<Mark>,
}

const ROOT: u16 = 0;
/// No child stands below it, so that no base is negative.
const BYTES: usize = 256;
/// The parent of a place that no node has taken, and of the root.
const NOBODY: u16 = u16::MAX;

impl Lexicon {
    /// Builds the tree from the tables of [`words`].
    pub(super) fn new() -> Self {
        let mut phrases = Phrases { letters: Vec::new(), list: Vec::new() };
        for (mark, list) in words::all() {
            for phrase in list.split('|') {
                phrases.add(*mark, phrase.trim());
            }
        }
        let Phrases { letters, mut list } = phrases;
        // Where two tables name a word, the first says what it is.
        list.sort_unstable_by(|one, other| {
            let rest = |phrase: &Phrase| (&letters[phrase.letters.clone()], phrase.letters.start);
            one.head.cmp(&other.head).then_with(|| rest(one).cmp(&rest(other)))
        });
        let mut firsts = Firsts { bits: vec![0; 1 << 10] };
        for phrase in &list {
            if let [first @ 0xE0..=0xEF, second, third, ..] = letters[phrase.letters.clone()] {
                firsts.add(first, second, third);
            }
        }
        let nodes = Vec::with_capacity(letters.len() / 2);
        let mut builder = Builder { nodes, only: BYTES, siblings: BYTES, letters: &letters };
        builder.take(ROOT as usize, NOBODY);
        builder.grow(ROOT, &list, 0);
        Self { nodes: builder.nodes, firsts }
    }

    /// The longest phrase that begins at byte `at` of `text`, with its end on the boundary of a word.
    pub(super) fn longest(&self, text: &str, at: usize) -> Option<Found> {
        let bytes = text.as_bytes();
        if let Some(&[first, second, third]) = fold::unfolded(bytes, at)
            && !self.firsts.has(first, second, third)
        {
            return None;
        }
        let mut found = None;
        let mut at = at;
        let mut index = ROOT;
        let mut node = *self.nodes.first()?;
        while let Some(&byte) = bytes.get(at) {
            if byte < 0x80 {
                let letter = fold::ASCII[byte as usize];
                let Some(next) = self.child(index, node, letter) else { break };
                (index, node) = next;
                at = if letter == SPACE { fold::gap(bytes, at) } else { at + 1 };
            } else if let Some(letter) = fold::unfolded(bytes, at) {
                let down = letter
                    .iter()
                    .try_fold((index, node), |(index, node), &byte| self.child(index, node, byte));
                let Some(down) = down else { break };
                (index, node) = down;
                at += letter.len();
            } else {
                let Some((letter, next)) = fold::letter(text, at) else { break };
                let down = letter
                    .bytes()
                    .iter()
                    .try_fold((index, node), |(index, node), &byte| self.child(index, node, byte));
                let Some(down) = down else { break };
                (index, node) = down;
                at = next;
            }
            if node.word.is_none() && node.stem.is_none() {
                continue;
            }
            if fold::is_inside_word(bytes, at) {
                if let Some(mark) = node.stem {
                    found = Some(Found { mark, end: fold::word_end(bytes, at) });
                }
            } else if let Some(mark) = node.word.or(node.stem) {
                found = Some(Found { mark, end: at });
            }
        }
        found
    }

    fn child(&self, index: u16, node: Node, byte: u8) -> Option<(u16, Node)> {
        let place = node.base.wrapping_add(u16::from(byte));
        let child = *self.nodes.get(place as usize)?;
        (child.parent == index).then_some((place, child))
    }
}

/// A bit for each character of three bytes.
#[derive(Clone, Debug)]
struct Firsts {
    bits: Vec<u64>,
}

impl Firsts {
    fn has(&self, first: u8, second: u8, third: u8) -> bool {
        let (word, bit) = Self::seat(first, second, third);
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }

    fn add(&mut self, first: u8, second: u8, third: u8) {
        let (word, bit) = Self::seat(first, second, third);
        if let Some(bits) = self.bits.get_mut(word) {
            *bits |= bit;
        }
    }

    fn seat(first: u8, second: u8, third: u8) -> (usize, u64) {
        let word = usize::from(first & 0x0F) << 6 | usize::from(second & 0x3F);
        (word, 1 << (third & 0x3F))
    }
}

/// A phrase, folded: a range of the letters of all.
#[derive(Clone, Debug)]
struct Phrase {
    letters: Range<usize>,
    /// The first eight of them as a number, which compares in one step.
    head: u64,
    mark: Mark,
    stem: bool,
}

struct Phrases {
    letters: Vec<u8>,
    list: Vec<Phrase>,
}

impl Phrases {
    /// Adds a phrase, in the spellings that people give it.
    fn add(&mut self, mark: Mark, phrase: &str) {
        if phrase.is_empty() {
            return;
        }
        self.spell(mark, phrase, |letter| letter);
        // As typed in haste; what is left of "n'" would be another word.
        if phrase.len() > 4 && phrase.contains('\'') {
            self.spell(mark, phrase, |letter| if letter == "'" { "" } else { letter });
        }
        if phrase.contains(['ä', 'ö', 'ü', 'ß']) {
            self.spell(mark, phrase, spelt_out);
        }
    }

    fn spell(&mut self, mark: Mark, phrase: &str, spelling: impl Fn(&str) -> &str) {
        let start = self.letters.len();
        let mut at = 0;
        let mut stem = false;
        while let Some((_, next)) = fold::letter(phrase, at) {
            let letter = &phrase[at..next];
            at = next;
            if letter == "*" {
                stem = true;
                continue;
            }
            // A space at the end, which the tables could not show.
            let letter = if letter == "_" { " " } else { letter };
            let spelt = spelling(letter);
            let mut inner = 0;
            while let Some((folded, next)) = fold::letter(spelt, inner) {
                self.letters.extend_from_slice(folded.bytes());
                inner = next;
            }
        }
        let letters = self.letters.get(start..).unwrap_or_default();
        let mut head = [0; 8];
        head.iter_mut().zip(letters).for_each(|(place, &letter)| *place = letter);
        let letters = start..self.letters.len();
        self.list.push(Phrase { letters, head: u64::from_be_bytes(head), mark, stem });
    }
}

/// `ä` as `ae`, as it is typed where there is no such key.
fn spelt_out(letter: &str) -> &str {
    match letter {
        "ä" => "ae",
        "ö" => "oe",
        "ü" => "ue",
        "ß" => "ss",
        other => other,
    }
}

struct Builder<'p> {
    nodes: Vec<Node>,
    /// Where to look for the place of an only child, and of the first of several.
    only: usize,
    siblings: usize,
    letters: &'p [u8],
}

impl Builder<'_> {
    /// Puts the children of a node in their places: `phrases` are sorted, and begin with the same `depth` bytes.
    fn grow(&mut self, index: u16, phrases: &[Phrase], depth: usize) {
        if let [phrase] = phrases {
            return self.chain(index, phrase, depth);
        }
        let letters = self.letters;
        let byte = |phrase: &Phrase| letters[phrase.letters.clone()].get(depth).copied();
        let ended = phrases.iter().take_while(|phrase| byte(phrase).is_none()).count();
        let (here, deeper) = phrases.split_at(ended);
        let node = &mut self.nodes[index as usize];
        for phrase in here {
            let mark = if phrase.stem { &mut node.stem } else { &mut node.word };
            mark.get_or_insert(phrase.mark);
        }
        let mut children = [0; BYTES];
        let mut count = 0;
        let groups = deeper.chunk_by(|one, other| byte(one) == byte(other));
        for group in groups.clone() {
            children[count] = group.first().and_then(byte).unwrap_or_default();
            count += 1;
        }
        let [first, rest @ ..] = &children[..count] else { return };
        // A search goes on where the last one ended, so that building is linear. An only child takes the first free
        // place, among them those that siblings left open between them.
        let mut base =
            self.only.max(if rest.is_empty() { 0 } else { self.siblings }) - usize::from(*first);
        while !children[..count].iter().all(|&it| self.is_free(base + usize::from(it))) {
            base += 1;
        }
        *(if rest.is_empty() { &mut self.only } else { &mut self.siblings }) =
            base + usize::from(*first);
        self.nodes[index as usize].base = base as u16;
        for &child in &children[..count] {
            self.take(base + usize::from(child), index);
        }
        for (&child, group) in children.iter().zip(groups) {
            self.grow((base + usize::from(child)) as u16, group, depth + 1);
        }
    }

    /// The rest of a phrase that nothing else begins like: one only child after the other.
    fn chain(&mut self, index: u16, phrase: &Phrase, depth: usize) {
        let letters = self.letters;
        let rest = letters.get(phrase.letters.start + depth..phrase.letters.end);
        let mut index = index;
        for &byte in rest.unwrap_or_default() {
            while !self.is_free(self.only) {
                self.only += 1;
            }
            let place = self.only;
            self.nodes[index as usize].base = (place - usize::from(byte)) as u16;
            self.take(place, index);
            index = place as u16;
        }
        let node = &mut self.nodes[index as usize];
        *(if phrase.stem { &mut node.stem } else { &mut node.word }) = Some(phrase.mark);
    }

    fn is_free(&self, place: usize) -> bool {
        self.nodes.get(place).is_none_or(|node| node.parent == NOBODY)
    }

    fn take(&mut self, place: usize, parent: u16) {
        debug_assert!(
            place < usize::from(NOBODY),
            "the words have outgrown the places of the tree"
        );
        if self.nodes.len() <= place {
            let free = Node { base: 0, parent: NOBODY, word: None, stem: None };
            self.nodes.resize(place + 1, free);
        }
        self.nodes[place].parent = parent;
    }
}
