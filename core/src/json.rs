//! JSON as text with places: look into a value without losing its bytes.
//!
//! A [`Node`] is a slice of the text it was found in, so a kept entry can be written back byte for byte,
//! 64-bit integers and odd escapes included. Nothing here recurses, so nesting costs no stack, and a text
//! that breaks off yields what stands before the break.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::transcript::Span;

/// One JSON value, as it stands in its text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a>(&'a str);

impl<'a> Node<'a> {
    /// The value that `text` consists of, or the byte offset at which it stops being JSON.
    pub(crate) fn parse(text: &'a str) -> Result<Self, usize> {
        serde_json::from_str::<&RawValue>(text)
            .map(|raw| Self(raw.get()))
            .map_err(|error| offset_of(text, &error))
    }

    /// The value that stands at `span` in `text`, where it was found before.
    pub(crate) fn at(text: &'a str, span: Span) -> Self {
        Self(&text[span.range()])
    }

    /// The value with which `text` begins.
    pub(crate) fn first(text: &'a str) -> Option<Self> {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
        values.next()?.ok().map(|raw| Self(raw.get()))
    }

    /// The bytes of the value.
    pub(crate) fn raw(self) -> &'a str {
        self.0
    }

    /// Where the value stands in `text`, which must be the text it was found in.
    pub(crate) fn span_in(self, text: &str) -> Span {
        let start = self.0.as_ptr() as usize - text.as_ptr() as usize;
        Span::new(start, start + self.0.len())
    }

    /// Whether the value is an object.
    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// Whether the value is an array.
    pub(crate) fn is_array(self) -> bool {
        self.0.starts_with('[')
    }

    /// Whether the value is `null`.
    pub(crate) fn is_null(self) -> bool {
        self.0.starts_with('n')
    }

    /// Whether the value is `true`.
    pub(crate) fn is_true(self) -> bool {
        self.0.starts_with('t')
    }

    /// The value as a whole number.
    pub(crate) fn integer(self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The string that the value encodes; a lone surrogate becomes U+FFFD.
    pub(crate) fn string(self) -> Option<Cow<'a, str>> {
        if !self.0.starts_with('"') {
            return None;
        }
        let inner = &self.0[1..self.0.len() - 1];
        if !inner.contains('\\') {
            return Some(Cow::Borrowed(inner));
        }
        let mut deserializer = serde_json::Deserializer::from_str(self.0);
        deserializer.deserialize_bytes(StringVisitor).ok()
    }

    /// The members of an object; empty for anything else.
    pub(crate) fn object(self) -> Object<'a> {
        let mut members = Vec::new();
        if self.is_object() {
            // The value was scanned when it was found, so reading it again cannot fail.
            let _ = read_members(self.0, &mut members);
        }
        Object(members)
    }

    /// The elements of an array; empty for anything else.
    pub(crate) fn array(self) -> Vec<Node<'a>> {
        let mut elements = Vec::new();
        if self.is_array() {
            let _ = read_elements(self.0, &mut elements);
        }
        elements
    }
}

/// The members of a JSON object in their order.
#[derive(Debug, Default)]
pub(crate) struct Object<'a>(Vec<(Cow<'a, str>, Node<'a>)>);

impl<'a> Object<'a> {
    /// The value under `key`; of a repeated key the last, as `JSON.parse` has it.
    pub(crate) fn field(&self, key: &str) -> Option<Node<'a>> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|&(_, node)| node)
    }

    /// The string under `key`.
    pub(crate) fn string(&self, key: &str) -> Option<Cow<'a, str>> {
        self.field(key).and_then(Node::string)
    }

    /// The value of an object that has one member.
    pub(crate) fn only(&self) -> Option<Node<'a>> {
        if let [(_, node)] = self.0[..] { Some(node) } else { None }
    }

    /// The members in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Node<'a>)> {
        self.0.iter().map(|(name, node)| (&**name, *node))
    }

    /// The names of the members, for a message to a person.
    pub(crate) fn keys(&self) -> String {
        let names: Vec<&str> = self.0.iter().take(12).map(|(name, _)| &**name).collect();
        alloc::format!("{names:?}")
    }

    /// The first member that is a list.
    pub(crate) fn first_list(&self) -> Vec<Node<'a>> {
        let list = self.0.iter().find(|(_, node)| node.is_array());
        list.map_or_else(Vec::new, |(_, node)| node.array())
    }

    /// Whether `key` stands there with anything but `null`.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.field(key).is_some_and(|node| !node.is_null())
    }

    /// Whether `key` is `true`.
    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.field(key).is_some_and(Node::is_true)
    }
}

impl<'a> FromIterator<(Cow<'a, str>, Node<'a>)> for Object<'a> {
    fn from_iter<I: IntoIterator<Item = (Cow<'a, str>, Node<'a>)>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

/// The elements of the array that `text` is, and where reading stopped if it is not whole.
pub(crate) fn elements(text: &str) -> (Vec<Node<'_>>, Option<usize>) {
    let mut found = Vec::new();
    let broken = read_elements(text, &mut found).err();
    (found, broken)
}

/// An object read for one list among its members.
#[derive(Debug, Default)]
pub(crate) struct Envelope<'a> {
    /// The members other than the list.
    pub(crate) members: Object<'a>,
    /// The key of the list and its elements.
    pub(crate) list: Option<(&'static str, Vec<Node<'a>>)>,
    /// Where reading stopped, if the text is not whole.
    pub(crate) broken: Option<usize>,
}

/// Reads the object that `text` is, opening the first list that stands under one of `keys`. A text that
/// breaks off inside that list yields the elements before the break.
pub(crate) fn envelope<'a>(text: &'a str, keys: &'static [&'static str]) -> Envelope<'a> {
    let mut found = Envelope::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = EnvelopeSeed { keys, found: &mut found };
    let outcome = seed.deserialize(&mut deserializer).and_then(|()| deserializer.end());
    let Err(error) = outcome else { return found };
    // Under one of the keys stands something else than a list: the object may still be whole.
    let mut members = Vec::new();
    if read_members(text, &mut members).is_ok() {
        let members = Object(members);
        let mut lists = keys.iter().filter_map(|&key| members.field(key).map(|node| (key, node)));
        let list = lists.find(|(_, node)| node.is_array());
        return Envelope {
            list: list.map(|(key, node)| (key, node.array())),
            members,
            broken: None,
        };
    }
    found.broken = Some(offset_of(text, &error));
    found
}

/// `text` as a JSON string with its quotes.
pub(crate) fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// The byte offset that a parse error names.
fn offset_of(text: &str, error: &serde_json::Error) -> usize {
    let line_start = (1..error.line())
        .try_fold(0, |at, _| text[at..].find('\n').map(|next| at + next + 1))
        .unwrap_or(0);
    let mut offset = (line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn read_elements<'a>(text: &'a str, into: &mut Vec<Node<'a>>) -> Result<(), usize> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer
        .deserialize_seq(ElementsVisitor(into))
        .and_then(|()| deserializer.end())
        .map_err(|error| offset_of(text, &error))
}

fn read_members<'a>(
    text: &'a str,
    into: &mut Vec<(Cow<'a, str>, Node<'a>)>,
) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(MembersVisitor(into)).and_then(|()| deserializer.end())
}

struct ElementsVisitor<'v, 'a>(&'v mut Vec<Node<'a>>);

impl<'a> Visitor<'a> for ElementsVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(raw) = seq.next_element::<&RawValue>()? {
            self.0.push(Node(raw.get()));
        }
        Ok(())
    }
}

struct MembersVisitor<'v, 'a>(&'v mut Vec<(Cow<'a, str>, Node<'a>)>);

impl<'a> Visitor<'a> for MembersVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(StringSeed)? {
            let value: &RawValue = map.next_value()?;
            self.0.push((key, Node(value.get())));
        }
        Ok(())
    }
}

struct EnvelopeSeed<'v, 'a> {
    keys: &'static [&'static str],
    found: &'v mut Envelope<'a>,
}

impl<'a> DeserializeSeed<'a> for EnvelopeSeed<'_, 'a> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for EnvelopeSeed<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(StringSeed)? {
            let list_key = self.keys.iter().find(|&&name| name == key);
            match list_key {
                Some(&name)
                    if self.found.list.as_ref().is_none_or(|(_, nodes)| nodes.is_empty()) =>
                {
                    let mut nodes = Vec::new();
                    let outcome = map.next_value_seed(ListSeed(&mut nodes));
                    self.found.list = Some((name, nodes));
                    outcome?;
                }
                _ => {
                    let value: &RawValue = map.next_value()?;
                    self.found.members.0.push((key, Node(value.get())));
                }
            }
        }
        Ok(())
    }
}

/// Reads an array element by element, so that what stands before a break is not lost.
struct ListSeed<'v, 'a>(&'v mut Vec<Node<'a>>);

impl<'a> DeserializeSeed<'a> for ListSeed<'_, 'a> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(ElementsVisitor(self.0))
    }
}

struct StringSeed;

impl<'a> DeserializeSeed<'a> for StringSeed {
    type Value = Cow<'a, str>;

    fn deserialize<D: serde::Deserializer<'a>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_bytes(StringVisitor)
    }
}

/// Takes a string as bytes, because `serde_json` hands lone surrogates over only that way (as WTF-8).
struct StringVisitor;

impl<'a> Visitor<'a> for StringVisitor {
    type Value = Cow<'a, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E: serde::de::Error>(self, bytes: &'a [u8]) -> Result<Self::Value, E> {
        // The check that sees no fault is much faster than the one that mends them.
        Ok(core::str::from_utf8(bytes)
            .map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed))
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        let text = core::str::from_utf8(bytes).map(String::from);
        Ok(Cow::Owned(text.unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned())))
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'a str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(String::from(text)))
    }
}
