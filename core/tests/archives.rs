//! Inspect's archives: what is read, what is damaged.

use pinfold::formats::{self, ReadOptions};

/// How a file is packed: its name, the method, flags, what the directory says of its size, and its text.
type File<'a> = (&'a str, u64, u64, Option<u64>, &'a str);

/// A zip archive of the files; `wide` is with 64-bit sizes.
fn zip(files: &[File<'_>], wide: bool) -> Vec<u8> {
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    let narrow = |number: u64| if wide { u64::from(u32::MAX) } else { number };
    for &(name, method, flags, size, text) in files {
        let packed = match method {
            8 => miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6),
            _ => text.as_bytes().to_vec(),
        };
        let (at, length) = (body.len() as u64, packed.len() as u64);
        let size = size.unwrap_or(text.len() as u64);
        let sum = u64::from(sum(text.as_bytes()));
        let mut extra = Vec::new();
        if wide {
            put(&mut extra, &[(1, 2), (24, 2), (size, 8), (length, 8), (at, 8)]);
        }
        let named = (name.len() as u64, 2);
        put(&mut body, &[(0x0403_4B50, 4), (20, 2), (flags, 2), (method, 2), (0, 4), (sum, 4)]);
        put(&mut body, &[(length, 4), (size, 4), named, (0, 2)]);
        body.extend(name.as_bytes());
        body.extend(&packed);
        put(&mut directory, &[(0x0201_4B50, 4), (20, 2), (20, 2), (flags, 2), (method, 2)]);
        put(&mut directory, &[(0, 4), (sum, 4), (narrow(length), 4), (narrow(size), 4), named]);
        put(&mut directory, &[(extra.len() as u64, 2), (0, 8), (0, 2), (narrow(at), 4)]);
        directory.extend(name.as_bytes());
        directory.extend(extra);
    }
    let (at, size, count) = (body.len() as u64, directory.len() as u64, files.len() as u64);
    body.extend(directory);
    let record = body.len() as u64;
    if wide {
        put(&mut body, &[(0x0606_4B50, 4), (44, 8), (0, 8), (0, 4), (count, 8), (count, 8)]);
        put(&mut body, &[(size, 8), (at, 8), (0x0706_4B50, 4), (0, 4), (record, 8), (1, 4)]);
    }
    let shown = if wide { 0xFFFF } else { count };
    put(&mut body, &[(0x0605_4B50, 4), (0, 4), (shown, 2), (shown, 2), (size, 4), (narrow(at), 4)]);
    put(&mut body, &[(2, 2)]);
    body.extend(b"hi");
    body
}

/// Numbers of so many bytes each, the lowest first.
fn put(out: &mut Vec<u8>, numbers: &[(u64, usize)]) {
    for (number, width) in numbers {
        out.extend(&number.to_le_bytes()[..*width]);
    }
}

/// The CRC-32, bit by bit.
fn sum(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), bit))
}

/// What is read from an archive: the labels and the findings, or the error.
fn unpacked(bytes: &[u8]) -> String {
    let (text, findings) = match formats::decode(bytes) {
        Ok(decoded) => decoded,
        Err(error) => return format!("{}: {error}", error.code()),
    };
    let documents = formats::documents(&text).expect("samples");
    let labels = documents.iter().map(|document| document.label.clone());
    let findings = findings.iter().map(|finding| format!("{}: {}", finding.code, finding.message));
    labels.chain(findings).collect::<Vec<_>>().join("; ")
}

const HEADER: File<'_> =
    ("header.json", 8, 0, None, "{\"version\":2,\"eval\":{\"model\":\"openai/gpt-4o\"}}");
const ONE: &str = "{\"id\":1,\"epoch\":1,\"messages\":[{\"role\":\"user\",\"content\":\"Go.\"}]}";
const TWO: &str = "{\"id\":2,\"epoch\":1,\"messages\":[]}";

#[test]
fn an_archive_holds_a_sample_a_file() {
    let files = [
        ("_journal/start.json", 8, 0, None, "{}"),
        ("samples/1_epoch_1.json", 8, 0, None, TWO),
        ("samples/1_epoch_1.json", 0, 0, None, ONE),
        ("summaries.json", 0, 0, None, "[]"),
        HEADER,
    ];
    for wide in [false, true] {
        let bytes = zip(&files, wide);
        let wanted =
            "sample 1, epoch 1; not-sent: 2 files of the archive are no samples and were left out.";
        assert_eq!(unpacked(&bytes), wanted, "{wide}");
        let read = formats::read(&bytes, ReadOptions::default()).expect("a sample");
        assert_eq!(read.request().model.as_deref(), Some("openai/gpt-4o"));
    }
}

#[test]
fn a_damaged_archive_gives_what_is_whole() {
    let good = ("samples/1.json", 8, 0, None, ONE);
    for (bad, wanted) in [
        (("samples/2.json", 8, 1, None, ONE), "is encrypted"),
        (("samples/2.json", 93, 0, None, ONE), "is packed with zstd, which is not read"),
        (("samples/2.json", 12, 0, None, ONE), "is packed by method 12, which is not read"),
        (("samples/2.json", 8, 0, Some(4), ONE), "is damaged"),
        (("samples/2.json", 8, 0, Some(4000), ONE), "is damaged"),
        (("samples/2.json", 0, 0, Some(4000), ONE), "is cut off"),
        (("samples/2.json", 8, 0, None, "{\"id\":"), "stops being JSON at byte 5"),
    ] {
        let found = unpacked(&zip(&[good, bad], false));
        let told =
            format!("The text is an archive; \"samples/2.json\" in it {wanted}, and was left out.");
        assert_eq!(found, format!("sample 1, epoch 1; broken-entry: {told}"));
        let found = unpacked(&zip(&[bad, HEADER], false));
        assert!(found.starts_with("bad-archive: ") && found.contains(wanted), "{found}");
    }
    for (bytes, wanted) in [
        (zip(&[HEADER], false), "it holds no samples"),
        (
            zip(
                &[
                    ("samples/1.json", 8, 0, Some(1 << 29), ONE),
                    ("samples/2.json", 8, 0, Some((1 << 29) + 1), ONE),
                ],
                false,
            ),
            "more than 1 GiB",
        ),
        (b"PK\x03\x04".to_vec(), "its directory is missing"),
    ] {
        let found = unpacked(&bytes);
        assert!(found.starts_with("bad-archive: ") && found.contains(wanted), "{found}");
    }
}

#[test]
fn no_damage_to_an_archive_is_fatal() {
    for wide in [false, true] {
        let bytes = zip(
            &[HEADER, ("samples/1.json", 8, 0, None, ONE), ("samples/2.json", 0, 0, None, TWO)],
            wide,
        );
        let mut read = 0;
        for at in 0..bytes.len() {
            read +=
                usize::from(formats::decode(&bytes[..at]).is_ok_and(|(text, _)| text.len() > 60));
            for change in [1, 0x80, 0xFF] {
                let mut broken = bytes.clone();
                broken[at] ^= change;
                let _ = formats::read(&broken, ReadOptions::default());
            }
        }
        // Cut off, it has no directory; only the comment at its end and how long that is may be missing.
        assert_eq!(read, 4, "{wide}");
    }
}
