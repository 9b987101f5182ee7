//! The words of all languages in one tree of bytes.
//!
//! A lookup begins at the start of a word (or at any letter of a writing without spaces) and goes down the tree as far as
//! it leads, at most the longest phrase: a scan is linear, whatever the text.
//!
//! The tree is a double array: the child of a node by a byte stands at the node's base plus that byte, if it names the
//! node as its parent. That is one addition and one comparison a byte.
//!
//! The crate aho-corasick was tried first (without its default features, contiguous NFA, the same 9,000 phrases): it adds
//! 62 kB to the wasm and takes 44 ms to build there, against 6 to 13 ms for this; it knows no folding, so that the text would have
//! to be folded into a copy, and no boundaries of words.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::fold::{self, IN_WORD, SPACE};
use super::heads::{Entrance, Firsts, Heads, Looked};
use super::letters::Letters;
use super::words::{self, Mark};

/// The words, ready to be looked up.
#[derive(Clone, Debug)]
pub(super) struct Lexicon {
    nodes: Vec<Node>,
    /// The characters of three bytes that a phrase begins with: in writings without spaces a lookup begins at each.
    firsts: Firsts,
    /// How the other phrases begin.
    heads: Heads,
}

/// A word or phrase that was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Found {
    pub(super) mark: Mark,
    /// The byte behind it.
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// A bit for each byte that a child may have, by its lowest four bits: most lookups end here, without a look at a
    /// place that is in no cache.
    bytes: u16,
    /// Where its children stand, less their byte.
    base: u16,
    parent: u16,
    /// What a whole word that ends here says, and what a longer word with this stem says.
    pub(super) word: Option<Mark>,
    pub(super) stem: Option<Mark>,
}

pub(super) const ROOT: u16 = 0;
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
        let nodes = Vec::with_capacity(letters.len() / 2);
        let mut builder = Builder {
            nodes,
            only: BYTES,
            siblings: BYTES,
            letters: &letters,
            children: Vec::new(),
        };
        builder.take(ROOT as usize, NOBODY);
        // Level by level: where every lookup passes stands together, at the front.
        let mut level = vec![Branch { index: ROOT, phrases: &list, depth: 0 }];
        let mut next = Vec::new();
        while !level.is_empty() {
            for branch in level.drain(..) {
                builder.grow(&branch, &mut next);
            }
            core::mem::swap(&mut level, &mut next);
        }
        let nodes = builder.nodes;
        let firsts = Firsts::of(list.iter().filter_map(|phrase| {
            let letter @ [0xE0..=0xEF, _, _] = *letters[phrase.letters.clone()].first_chunk()?
            else {
                return None;
            };
            let down = |index, letter| child(&nodes, index, nodes[index as usize], letter);
            let node = letter.iter().try_fold(ROOT, |index, &it| Some(down(index, it)?.0))?;
            Some((letter, node))
        }));
        let heads = Heads::of(&list, &letters, &nodes);
        Self { nodes, firsts, heads }
    }

    /// The longest phrase that begins with the word from byte `at` to `end`, of which these are the first letters.
    #[inline]
    pub(super) fn word(
        &self,
        text: &str,
        at: usize,
        end: usize,
        letters: Letters,
    ) -> Option<Found> {
        match self.heads.look(text.as_bytes(), at, end, letters) {
            Looked::Nothing => None,
            Looked::Found(found) => Some(found),
            Looked::Entrance(entrance) => self.longest(text, at, entrance),
        }
    }

    /// Where a lookup begins at this ideograph, syllable or kana; `None` if no phrase begins with it.
    pub(super) fn letter(&self, letter: [u8; 3]) -> Option<Entrance> {
        let index = self.firsts.node(letter)?;
        Some(Entrance { index, letters: 3, stem: None })
    }

    /// The longest phrase that begins at byte `at` of `text`, with its end on the boundary of a word.
    pub(super) fn longest(&self, text: &str, at: usize, from: Entrance) -> Option<Found> {
        let bytes = text.as_bytes();
        let Entrance { mut index, letters, stem } = from;
        let mut node = *self.nodes.get(index as usize)?;
        let mut at = at + usize::from(letters);
        // The last byte of the letter before, folded.
        let mut last = if letters == 0 { SPACE } else { *bytes.get(at - 1)? };
        let mut found = stem.map(|mark| Found { mark, end: fold::word_end(bytes, at) });
        loop {
            if node.word.is_some() || node.stem.is_some() {
                // Ideographs, syllables and kana end a word wherever they stand.
                let goes_on = |at: usize| bytes.get(at).is_some_and(|&it| IN_WORD[it as usize]);
                if IN_WORD[last as usize] && goes_on(at) {
                    if let Some(mark) = node.stem {
                        found = Some(Found { mark, end: fold::word_end(bytes, at) });
                    }
                } else if let Some(mark) = node.word.or(node.stem) {
                    found = Some(Found { mark, end: at });
                }
            }
            let Some(&byte) = bytes.get(at) else { break };
            if byte < 0x80 {
                let letter = fold::ASCII[byte as usize];
                let Some(next) = self.child(index, node, letter) else { break };
                (index, node) = next;
                last = letter;
                at = if letter == SPACE { fold::gap(bytes, at) } else { at + 1 };
            } else if let Some(letter) = fold::unfolded(bytes, at) {
                let Some(next) = self.beneath(index, node, letter) else { break };
                (index, node) = next;
                last = letter[2];
                at += letter.len();
            } else {
                let Some(next) = self.folded(index, node, text, at) else { break };
                (index, node, last, at) = next;
            }
        }
        found
    }

    /// Down the tree by a character that has to be folded: the node, the last byte of what it was folded to, and the byte
    /// behind it.
    #[inline(never)]
    fn folded(
        &self,
        index: u16,
        node: Node,
        text: &str,
        at: usize,
    ) -> Option<(u16, Node, u8, usize)> {
        let (letter, next) = fold::letter(text, at)?;
        let (index, node) = self.beneath(index, node, letter.bytes())?;
        let last = letter.bytes().last().copied().unwrap_or(b'a');
        Some((index, node, last, next))
    }

    #[inline]
    fn beneath(&self, index: u16, node: Node, letters: &[u8]) -> Option<(u16, Node)> {
        letters.iter().try_fold((index, node), |(index, node), &it| self.child(index, node, it))
    }

    #[inline]
    fn child(&self, index: u16, node: Node, byte: u8) -> Option<(u16, Node)> {
        child(&self.nodes, index, node, byte)
    }
}

/// The child of a node by a byte.
#[inline]
pub(super) fn child(nodes: &[Node], index: u16, node: Node, byte: u8) -> Option<(u16, Node)> {
    if node.bytes & bit(byte) == 0 {
        return None;
    }
    let place = node.base.wrapping_add(u16::from(byte));
    let child = *nodes.get(place as usize)?;
    (child.parent == index).then_some((place, child))
}

fn bit(byte: u8) -> u16 {
    1 << (byte & 0x0F)
}

/// A phrase, folded: a range of the letters of all.
#[derive(Clone, Debug)]
pub(super) struct Phrase {
    pub(super) letters: Range<usize>,
    /// The first eight of them as a number, which compares in one step.
    head: u64,
    mark: Mark,
    pub(super) stem: bool,
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

/// A node whose children are still to come: its phrases are sorted, and begin with the same `depth` bytes.
struct Branch<'b> {
    index: u16,
    phrases: &'b [Phrase],
    depth: usize,
}

struct Builder<'p> {
    nodes: Vec<Node>,
    /// Where to look for the place of an only child, and of the first of several.
    only: usize,
    siblings: usize,
    letters: &'p [u8],
    /// The bytes of the children at hand, kept for its memory.
    children: Vec<u8>,
}

impl Builder<'_> {
    /// Puts the children of a node in their places.
    fn grow<'b>(&mut self, branch: &Branch<'b>, next: &mut Vec<Branch<'b>>) {
        let &Branch { index, phrases, depth } = branch;
        let letters = self.letters;
        let byte = |phrase: &Phrase| letters[phrase.letters.clone()].get(depth).copied();
        let ended = phrases.iter().take_while(|phrase| byte(phrase).is_none()).count();
        let (here, deeper) = phrases.split_at(ended);
        let node = &mut self.nodes[index as usize];
        for phrase in here {
            let mark = if phrase.stem { &mut node.stem } else { &mut node.word };
            mark.get_or_insert(phrase.mark);
        }
        let mut children = core::mem::take(&mut self.children);
        children.clear();
        let groups = deeper.chunk_by(|one, other| byte(one) == byte(other));
        children.extend(groups.clone().filter_map(|group| group.first().and_then(byte)));
        self.place(index, &children);
        for (&child, phrases) in children.iter().zip(groups) {
            let index = self.nodes[index as usize].base + u16::from(child);
            next.push(Branch { index, phrases, depth: depth + 1 });
        }
        self.children = children;
    }

    /// Finds places for the children of a node.
    fn place(&mut self, index: u16, children: &[u8]) {
        let [first, rest @ ..] = children else { return };
        // A search goes on where the last one ended, so that building is linear. An only child takes the first free
        // place, among them those that siblings left open between them.
        let cursor = if rest.is_empty() { self.only } else { self.siblings.max(self.only) };
        let mut base = cursor - usize::from(*first);
        while !children.iter().all(|&it| self.is_free(base + usize::from(it))) {
            base += 1;
        }
        *(if rest.is_empty() { &mut self.only } else { &mut self.siblings }) =
            base + usize::from(*first);
        let node = &mut self.nodes[index as usize];
        node.base = base as u16;
        node.bytes = children.iter().fold(0, |bytes, &byte| bytes | bit(byte));
        for &child in children {
            self.take(base + usize::from(child), index);
        }
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
            let free = Node { bytes: 0, base: 0, parent: NOBODY, word: None, stem: None };
            self.nodes.resize(place + 1, free);
        }
        self.nodes[place].parent = parent;
    }
}
