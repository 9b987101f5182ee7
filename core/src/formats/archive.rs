//! Zip archives: an Inspect log (`.eval`) is one, with a JSON document for each sample.
//!
//! The layout is that of PKWARE's APPNOTE, with its 64-bit sizes. Entries are stored or deflated; what is encrypted, or
//! packed in another way (Inspect may use zstd), is left out with a finding. No entry grows beyond what the directory says
//! of it, nor all of them beyond [`MOST`].

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::ReadError;
use crate::json::Node;
use crate::transcript::{Finding, Weight};

/// What the first bytes of an archive are.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// How many bytes an archive may hold, unpacked.
const MOST: u64 = 1 << 30;

/// The samples of the archive `bytes`, as the one document that Inspect's JSON format has for them.
pub(super) fn document(bytes: &[u8]) -> Result<(String, Vec<Finding>), ReadError> {
    let entries = directory(bytes)?;
    let total = entries.iter().filter(|entry| entry.is_read()).map(|entry| entry.size);
    if total.fold(0, u64::saturating_add) > MOST {
        return Err(bad("it holds more than 1 GiB, unpacked"));
    }
    let mut findings = Vec::new();
    // A name may stand in the directory again, for a newer version: the last counts.
    let newest: BTreeMap<&str, usize> =
        (0..).zip(&entries).map(|(at, entry)| (&*entry.name, at)).collect();
    let mut samples = Vec::new();
    let mut heads = [None, None];
    let (mut others, mut broken) = (0, None);
    for (at, entry) in entries.iter().enumerate() {
        let head = HEADS.iter().position(|name| *name == entry.name);
        if newest.get(&*entry.name) != Some(&at) || !entry.is_read() {
            others += 1;
            continue;
        }
        match entry.text(bytes) {
            Ok(text) => match head {
                Some(head) => heads[head] = Some(text),
                None => samples.push(text),
            },
            Err(why) => {
                let what = format!("{:?} in it {why}", entry.name);
                let message = format!("The text is an archive; {what}, and was left out.");
                broken = Some(what);
                findings.push(found("broken-entry", Weight::Warning, message));
            }
        }
    }
    if samples.is_empty() {
        return Err(bad(broken.as_deref().unwrap_or("it holds no samples")));
    }
    if others > 0 {
        let message = format!("{others} files of the archive are no samples and were left out.");
        findings.push(found("not-sent", Weight::Note, message));
    }
    let head = heads.into_iter().flatten().next().unwrap_or_default();
    let head = Node::parse(&head).map(Node::object).unwrap_or_default();
    let eval = head.field("eval").map_or("{}", Node::raw);
    Ok((format!("{{\"eval\":{eval},\"samples\":[\n{}\n]}}\n", samples.join(",\n")), findings))
}

/// Where the evaluation is described; the second alone is there while it still runs.
const HEADS: [&str; 2] = ["header.json", "_journal/start.json"];

fn bad(why: &str) -> ReadError {
    ReadError::Archive { why: why.into() }
}

fn found(code: &'static str, weight: Weight, message: String) -> Finding {
    Finding { code, weight, offset: 0, line: 1, message }
}

/// A file in the archive, as the directory has it.
struct Entry<'a> {
    name: Cow<'a, str>,
    encrypted: bool,
    method: u64,
    sum: u64,
    packed: u64,
    size: u64,
    /// Where its own header stands.
    at: u64,
}

/// The number of `width` bytes at `at`, the lowest first.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn directory(bytes: &[u8]) -> Result<Vec<Entry<'_>>, ReadError> {
    let ends = || bad("its directory is missing: the file is cut off");
    // After the end record there is a comment of at most 64 KiB.
    let from = bytes.len().saturating_sub(22 + 0xFFFF);
    let end = bytes[from..].windows(4).rposition(|four| four == b"PK\x05\x06").ok_or_else(ends)?;
    let end = from + end;
    let mut count = number(bytes, end + 10, 2).ok_or_else(ends)?;
    let mut at = number(bytes, end + 16, 4).ok_or_else(ends)?;
    // Numbers too large for it stand in a record of its own, whose place stands before it.
    let locator = end.checked_sub(20).filter(|&at| bytes[at..].starts_with(b"PK\x06\x07"));
    if let Some(wide) = locator.and_then(|locator| number(bytes, locator + 8, 8)) {
        let wide = usize::try_from(wide).map_err(|_| ends())?;
        count = number(bytes, wide.saturating_add(32), 8).ok_or_else(ends)?;
        at = number(bytes, wide.saturating_add(48), 8).ok_or_else(ends)?;
    }
    let mut at = usize::try_from(at).map_err(|_| ends())?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let (entry, next) = entry(bytes, at).ok_or_else(|| bad("its directory is damaged"))?;
        entries.push(entry);
        at = next;
    }
    Ok(entries)
}

/// The directory's record at `at`, and where the next one stands.
fn entry(bytes: &[u8], at: usize) -> Option<(Entry<'_>, usize)> {
    let record = bytes.get(at..)?;
    if !record.starts_with(b"PK\x01\x02") {
        return None;
    }
    let field = |at: usize, width: usize| number(record, at, width);
    let name_end = 46 + field(28, 2)? as usize;
    let extra_end = name_end + field(30, 2)? as usize;
    let mut entry = Entry {
        name: String::from_utf8_lossy(record.get(46..name_end)?),
        encrypted: field(8, 2)? & 1 == 1,
        method: field(10, 2)?,
        sum: field(16, 4)?,
        packed: field(20, 4)?,
        size: field(24, 4)?,
        at: field(42, 4)?,
    };
    let mut extra = record.get(name_end..extra_end)?;
    while let (Some(kind), Some(length)) = (number(extra, 0, 2), number(extra, 2, 2)) {
        let body = extra.get(4..4 + length as usize)?;
        if kind == 1 {
            // The wide numbers are there for those that are too large, in this order.
            let mut at = 0;
            for narrow in [&mut entry.size, &mut entry.packed, &mut entry.at] {
                if *narrow == 0xFFFF_FFFF {
                    *narrow = number(body, at, 8)?;
                    at += 8;
                }
            }
        }
        extra = &extra[4 + length as usize..];
    }
    Some((entry, at + extra_end + field(32, 2)? as usize))
}

impl Entry<'_> {
    /// Whether it is a sample or tells of the evaluation.
    fn is_read(&self) -> bool {
        self.name.starts_with("samples/") && self.name.ends_with(".json")
            || HEADS.contains(&&*self.name)
    }

    /// The JSON document that it is, or why there is none.
    fn text(&self, bytes: &[u8]) -> Result<String, String> {
        if self.encrypted {
            return Err("is encrypted".into());
        }
        let packed = self.packed(bytes).ok_or("is cut off")?;
        let size = usize::try_from(self.size).map_err(|_| "is too large")?;
        let unpacked = match self.method {
            0 => packed.get(..size).map(<[u8]>::to_vec).ok_or("is cut off")?,
            8 => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, size)
                .map_err(|_| "is damaged")?,
            93 => return Err("is packed with zstd, which is not read".into()),
            other => return Err(format!("is packed by method {other}, which is not read")),
        };
        if unpacked.len() != size || u64::from(sum(&unpacked)) != self.sum {
            return Err("is damaged".into());
        }
        let text = String::from_utf8(unpacked).map_err(|_| "is not UTF-8")?;
        match Node::parse(&text) {
            Ok(_) => Ok(text),
            Err(at) => Err(format!("stops being JSON at byte {at}")),
        }
    }

    fn packed<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let at = usize::try_from(self.at).ok()?;
        let header = bytes.get(at..).filter(|header| header.starts_with(MAGIC))?;
        let start = 30 + number(header, 26, 2)? as usize + number(header, 28, 2)? as usize;
        let end = start.checked_add(usize::try_from(self.packed).ok()?)?;
        header.get(start..end)
    }
}

/// The CRC-32 of `bytes`.
fn sum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| sum >> 8 ^ SUMS[(sum as u8 ^ byte) as usize])
}

/// The sums of all bytes, by the polynomial that zip uses.
const SUMS: [u32; 256] = {
    let mut sums = [0; 256];
    let mut at = 0;
    while at < 256 {
        let (mut sum, mut bit) = (at as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
            bit += 1;
        }
        sums[at] = sum;
        at += 1;
    }
    sums
};
