//! Token counts: the estimator against a real tokenizer, media by their size, anchors, and the caller's own.

use pinfold::estimator::estimate;
use pinfold::formats::{self, ReadOptions};
use pinfold::tokens::{CountKind, Counts};
use pinfold::transcript::{Format, Transcript};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Texts with their tokens in `o200k_base`, counted with gpt-tokenizer 4.0.0.
const COUNTED: [(u32, &str); 11] = [
    (18, "The quick brown fox jumps over the lazy dog, and then it goes back to sleep."),
    (
        36,
        "fn main() {\n    let items: Vec<u32> = (0..10).map(|x| x * 2).collect();\n    println!(\"{items:?}\");\n}\n",
    ),
    (33, "2026-11-30T08:31:57Z 192.168.0.17 4829104 bytes in 0.0347 s"),
    (
        25,
        "{\"command\":\"cargo test -p pinfold --test laws\",\"timeout\":120000,\"description\":\"Run the property tests\"}",
    ),
    (26, "模型必须在每次调用之后得到结果，否则请求会被拒绝。不要修改迁移目录下的任何文件。"),
    (26, "この関数は、呼び出しと結果の対を壊さずに会話を短くします。"),
    (19, "이 함수는 호출과 결과의 쌍을 깨지 않고 대화를 줄입니다."),
    (17, "Эта функция сокращает разговор, не разрывая пары вызова и результата."),
    (16, "/home/dev/projects/orders-service/src/billing/invoice_repository.rs:142:9"),
    (
        53,
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    ),
    (
        33,
        "test result: FAILED. 41 passed; 3 failed; 0 ignored; 0 measured; 2 filtered out; finished in 12.08s",
    ),
];

#[test]
fn the_estimate_is_near_a_real_tokenizer() {
    for (counted, text) in COUNTED {
        let ratio = f64::from(estimate(text)) / f64::from(counted);
        assert!((0.7..1.4).contains(&ratio), "{} for {counted}: {text}", estimate(text));
    }
    assert_eq!(estimate(""), 0);
}

proptest! {
    #[test]
    fn lines_are_priced_by_themselves(a in "(?s).{0,60}", b in "(?s).{0,60}") {
        let joined = estimate(&format!("{a}\n{b}"));
        prop_assert!(joined <= estimate(&a) + estimate(&b) + 1);
    }
}

fn image_tokens(format: Format, header: &[u8]) -> u32 {
    let data = base64(header);
    let block = match format {
        Format::OpenAiChat => {
            json!({ "type": "image_url", "image_url": { "url": format!("data:image/png;base64,{data}") } })
        }
        _ => {
            json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": data } })
        }
    };
    let transcript = read(&json!([{ "role": "user", "content": [block] }]), format);
    Counts::of(&transcript).entries[0] - 4
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.resize(1_000_000, 0);
    bytes
}

#[test]
fn images_cost_their_size_on_screen_and_not_their_bytes() {
    let cases = [
        (Format::Anthropic, png(750, 750), 750),
        (Format::Anthropic, png(100, 75), 10),
        // Scaled to a long edge of 1,568.
        (Format::Anthropic, png(3136, 1568), 1600),
        (Format::OpenAiChat, png(512, 512), 85 + 170),
        // 1,024 × 1,024 is scaled to 768 × 768: four tiles.
        (Format::OpenAiChat, png(1024, 1024), 85 + 4 * 170),
        (Format::Anthropic, b"GIF89a\x2C\x01\xC8\x00".to_vec(), 300 * 200 / 750),
        (
            Format::Anthropic,
            b"\xFF\xD8\xFF\xE0\0\x04\0\0\xFF\xC0\0\x11\x08\0\xC8\x01\x2C".to_vec(),
            300 * 200 / 750,
        ),
        (
            Format::Anthropic,
            b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x2B\x01\0\xC7\0\0".to_vec(),
            300 * 200 / 750,
        ),
        // A size that cannot be read is taken for 1,024 × 1,024.
        (Format::Anthropic, b"????".to_vec(), 1024 * 1024 / 750),
    ];
    for (format, header, wanted) in cases {
        assert_eq!(image_tokens(format, &header), wanted, "{:?}", &header[..header.len().min(24)]);
    }
}

#[test]
fn a_result_with_an_image_is_priced_by_the_image() {
    let data = base64(&png(750, 750));
    let image = json!({ "type": "image", "source": { "type": "base64", "data": data } });
    let transcript = read(
        &json!([
            { "role": "user", "content": "Look." },
            { "role": "assistant", "content": [{ "type": "tool_use", "id": "a", "name": "f", "input": {} }] },
            { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "a", "content": [image] }] }
        ]),
        Format::Anthropic,
    );
    assert_eq!(Counts::of(&transcript).entries[2], 750 + 12);
}

/// A log of three responses; `usage` is what the provider reported for each.
fn log(usage: [Option<(u32, u32)>; 3]) -> Transcript {
    let text = "word ".repeat(100);
    let mut lines = Vec::new();
    for (index, usage) in usage.into_iter().enumerate() {
        let line = |kind: &str, message: Value| {
            json!({ "type": kind, "uuid": format!("{kind}{index}"), "sessionId": "s", "message": message }).to_string()
        };
        lines.push(line("user", json!({ "role": "user", "content": text })));
        let mut message = json!({ "id": format!("m{index}"), "role": "assistant", "content": [{ "type": "text", "text": text }] });
        if let Some((input, output)) = usage {
            message["usage"] = json!({ "input_tokens": 1, "cache_read_input_tokens": input - 1, "output_tokens": output });
        }
        lines.push(line("assistant", message));
    }
    formats::read(lines.join("\n").as_bytes(), ReadOptions::default()).expect("a log")
}

#[test]
fn recorded_usage_anchors_the_estimate() {
    let plain = Counts::of(&log([None; 3]));
    assert_eq!(plain.kind, CountKind::Estimated);
    let each = plain.entries[0];
    assert_eq!(plain.entries, [each; 6]);

    // Between the responses 2 × 150 tokens went in; the first saw 20,000 tokens of system and tools.
    let counts = Counts::of(&log([Some((20_150, 150)), Some((20_450, 150)), Some((20_750, 150))]));
    assert_eq!(counts.kind, CountKind::Anchored);
    assert_eq!(counts.entries[1..5].iter().sum::<u32>(), 600);
    assert_eq!(counts.entries[1] + counts.entries[2], 300);
    // The ends are scaled by the same measure.
    assert!(
        counts.entries[0].abs_diff(150) <= 1 && counts.entries[5].abs_diff(150) <= 1,
        "{:?}",
        counts.entries
    );
    assert!(counts.fixed_total().abs_diff(20_000) <= 1, "{:?}", counts.fixed);

    // A difference that no text explains (the context was edited meanwhile) is left alone.
    let counts = Counts::of(&log([Some((20_150, 150)), Some((90_000, 150)), Some((400, 150))]));
    assert_eq!(counts.entries, plain.entries);
}

#[test]
fn the_callers_counts_win() {
    let transcript = log([Some((20_150, 150)), None, None]);
    let counts = Counts::given(&transcript, vec![1, 2, 3, 4, 5, 6], Some(7)).expect("six counts");
    assert_eq!((counts.total(), counts.kind), (28, CountKind::Given));
    let error = Counts::given(&transcript, vec![1], None).unwrap_err();
    assert_eq!(error, "There are 1 token counts for 6 entries: give one for each entry.");
}

fn read(list: &Value, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(list.to_string().as_bytes(), options).expect("a list")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let value = chunk.iter().fold(0_u32, |value, &byte| value << 8 | u32::from(byte))
            << (8 * (3 - chunk.len()));
        for digit in 0..=chunk.len() {
            text.push(DIGITS[(value >> (18 - 6 * digit) & 63) as usize] as char);
        }
    }
    text
}
