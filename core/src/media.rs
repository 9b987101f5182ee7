//! What images and documents cost: by their size on screen and not by the length of their base64.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::json::{Node, Object};
use crate::transcript::Format;

/// The tokens of a block that holds an image, a document or a sound; `None` for any other block.
pub(crate) fn tokens(format: Format, members: &Object<'_>) -> Option<u32> {
    let Some(kind) = members.string("type") else { return untyped(format, members) };
    match &*kind {
        "image" | "image_url" | "input_image" | "image-data" | "image-url" => {
            Some(image(format, data(members).as_deref()))
        }
        "document" | "input_file" => Some(document(format, members)),
        // These are of any type, and say which.
        "file" | "file-data" | "file-url" | "media" | "blob" | "uri" | "reasoning-file" => {
            Some(by_type(format, members))
        }
        "input_audio" | "audio" => Some(SOUND),
        "video" => Some(VIDEO),
        _ => None,
    }
}

/// No provider publishes a price by size; a minute of speech at ten tokens a second.
const SOUND: u32 = 600;
/// A minute at 258 tokens a second, as Gemini counts.
const VIDEO: u32 = 60 * 258;

/// Bedrock and Gemini give a block no type; its key says what it is.
fn untyped(format: Format, members: &Object<'_>) -> Option<u32> {
    let inner = |key: &str| members.field(key).filter(|inner| inner.is_object()).map(Node::object);
    match format {
        Format::Bedrock => {
            let image = || inner("image").map(|it| image(format, data(&it).as_deref()));
            let document = || inner("document").map(|it| document(format, &it));
            image()
                .or_else(document)
                .or_else(|| inner("audio").map(|_| SOUND))
                .or_else(|| inner("video").map(|_| VIDEO))
        }
        Format::Gemini => ["inlineData", "inline_data", "fileData", "file_data"]
            .iter()
            .find_map(|key| inner(key))
            .map(|it| by_type(format, &it)),
        _ => None,
    }
}

/// What a file costs that says its type; one that does not is a document.
fn by_type(format: Format, members: &Object<'_>) -> u32 {
    let keys = ["mediaType", "mimeType", "mime_type", "modality"];
    let mime = keys.iter().find_map(|key| members.string(key)).unwrap_or_default();
    match mime.split('/').next().unwrap_or_default() {
        "image" => image(format, data(members).as_deref()),
        "audio" => SOUND,
        "video" => VIDEO,
        _ => document(format, members),
    }
}

/// The base64 of a block, or its data URI, wherever the format keeps it.
fn data<'a>(members: &Object<'a>) -> Option<Cow<'a, str>> {
    let source = members.field("source").map(Node::object).unwrap_or_default();
    let nested = |key: &str| {
        let value = members.field(key)?;
        value.string().or_else(|| {
            let inner = value.object();
            inner.string("url").or_else(|| inner.string("file_data"))
        })
    };
    let keys = ["data", "image_url", "image", "url", "file_data", "content", "base64", "file"];
    source
        .string("data")
        .or_else(|| source.string("bytes"))
        .or_else(|| keys.iter().find_map(|key| nested(key)))
}

/// Anthropic: width × height ÷ 750 after scaling the long edge to 1,568, so at most about 1,600.
/// Gemini: 258 for each tile of 768, the long edge scaled to 3,072 first.
/// OpenAI (gpt-4o, high detail): 85 + 170 for each tile of 512 after scaling the short edge to 768.
/// Sources: the vision guides of each. An image whose size cannot be read is priced at 1,024 × 1,024.
fn image(format: Format, data: Option<&str>) -> u32 {
    let bytes = data.map(head_bytes).unwrap_or_default();
    let (width, height) = dimensions(&bytes).unwrap_or((1024, 1024));
    let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let tiles = |scale: f64, size: u32| {
        let along = |edge: f64| (((edge * scale) as u32).max(1)).div_ceil(size);
        along(width) * along(height)
    };
    match format {
        Format::Anthropic | Format::Bedrock => {
            let scale = (1568.0 / width.max(height)).min(1.0);
            ((width * scale * height * scale / 750.0) as u32).clamp(1, 1600)
        }
        Format::Gemini => 258 * tiles((3072.0 / width.max(height)).min(1.0), 768),
        _ => {
            let scale = (2048.0 / width.max(height)).min(768.0 / width.min(height)).min(1.0);
            85 + 170 * tiles(scale, 512)
        }
    }
}

/// A page is about 50 kB of a PDF and 2,000 tokens (Anthropic names 1,500 to 3,000 a page; Gemini takes 258).
fn document(format: Format, members: &Object<'_>) -> u32 {
    let source = members.field("source").map(Node::object).unwrap_or_default();
    let text = match source.string("type").as_deref() {
        Some("text") => source.string("data"),
        _ => source.string("text"),
    };
    if let Some(text) = text {
        return crate::estimator::estimate(&text);
    }
    let bytes = data(members).map_or(0, |data| data.len() * 3 / 4);
    let pages = bytes.div_ceil(50_000).max(1);
    let page = if format == Format::Gemini { 258 } else { 2000 };
    u32::try_from(pages * page).unwrap_or(u32::MAX)
}

/// The first bytes of an image in base64 or of a data URI: enough for every header that is read here.
fn head_bytes(data: &str) -> Vec<u8> {
    let base64 = data.split_once("base64,").map_or(data, |(_, tail)| tail);
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for value in base64.bytes().take(1 << 16).map_while(digit) {
        bits = (bits << 6 | u32::from(value)) & 0xFF_FFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

/// Width and height from the header of a PNG, GIF, WebP or JPEG.
fn dimensions(bytes: &[u8]) -> Option<(u32, u32)> {
    let be16 = |at: usize| Some(u32::from(*bytes.get(at)?) << 8 | u32::from(*bytes.get(at + 1)?));
    let le16 = |at: usize| Some(u32::from(*bytes.get(at + 1)?) << 8 | u32::from(*bytes.get(at)?));
    if bytes.starts_with(b"\x89PNG") {
        return Some((be16(16)? << 16 | be16(18)?, be16(20)? << 16 | be16(22)?));
    }
    if bytes.starts_with(b"GIF8") {
        return Some((le16(6)?, le16(8)?));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12)? == b"WEBP" {
        return match bytes.get(12..16)? {
            b"VP8 " => Some((le16(26)? & 0x3FFF, le16(28)? & 0x3FFF)),
            b"VP8X" => Some((le16(24)? + 1, le16(27)? + 1)),
            _ => None,
        };
    }
    if !bytes.starts_with(&[0xFF, 0xD8]) {
        return None;
    }
    let mut at = 2;
    loop {
        let (mark, kind) = (*bytes.get(at)?, *bytes.get(at + 1)?);
        if mark != 0xFF {
            return None;
        }
        // A start-of-frame segment holds the size; 0xC4, 0xC8 and 0xCC are tables of that range.
        if (0xC0..=0xCF).contains(&kind) && !matches!(kind, 0xC4 | 0xC8 | 0xCC) {
            return Some((be16(at + 7)?, be16(at + 5)?));
        }
        at += 2 + be16(at + 2)?.max(2) as usize;
    }
}
