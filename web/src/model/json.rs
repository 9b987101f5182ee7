//! As much of JSON as showing it needs. The core reads transcripts; this only lays out what it found.

/// The text of a JSON string from behind its opening quote, up to its end or about `limit` bytes.
pub(crate) fn string(raw: &str, limit: usize) -> String {
    let mut text = String::with_capacity(raw.len().min(limit));
    let mut rest = raw;
    while let Some(at) = rest.find(['"', '\\']) {
        text.push_str(&rest[..at]);
        if rest[at..].starts_with('"') || text.len() > limit {
            return text;
        }
        rest = escape(&rest[at..], &mut text);
    }
    text.push_str(rest);
    text
}

/// `raw` with the letters that it writes as `\uXXXX`, all else as it is.
pub(crate) fn lettered(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find("\\u") {
        text.push_str(&rest[..at]);
        rest = letters(&rest[at..], &mut text);
    }
    text.push_str(rest);
    text
}

/// Undoes the escape at the start of `raw`, and gives back what follows it.
fn escape<'a>(raw: &'a str, text: &mut String) -> &'a str {
    let mut chars = raw[1..].chars();
    match chars.next() {
        Some('n') => text.push('\n'),
        Some('t') => text.push('\t'),
        Some('r') => text.push('\r'),
        Some('b') => text.push('\u{8}'),
        Some('f') => text.push('\u{C}'),
        Some('u') => return letters(raw, text),
        Some(other) => text.push(other),
        None => {}
    }
    chars.as_str()
}

/// Undoes the run of `\uXXXX` at the start of `raw`; two of them may be one letter.
fn letters<'a>(raw: &'a str, text: &mut String) -> &'a str {
    let mut units = Vec::new();
    let mut rest = raw;
    while let Some(code) = rest.strip_prefix("\\u").and_then(|rest| rest.get(..4)) {
        let Ok(unit) = u16::from_str_radix(code, 16) else { break };
        units.push(unit);
        rest = &rest[6..];
    }
    if units.is_empty() {
        text.push_str("\\u");
        return &raw[2..];
    }
    text.push_str(&String::from_utf16_lossy(&units));
    rest
}

/// The members of an object as (name, value), the values as they stand; `None` for anything else.
pub(crate) fn members(raw: &str) -> Option<Vec<(String, &str)>> {
    let inner = raw.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut found = Vec::new();
    let mut rest = inner.trim_start();
    while !rest.is_empty() {
        let name = rest.strip_prefix('"')?;
        let after = &rest[end(rest)..];
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        let end = end(value);
        found.push((string(name, usize::MAX), value[..end].trim_end()));
        rest = value[end..].trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Some(found)
}

/// The elements of a list as they stand; `None` for anything else.
pub(crate) fn elements(raw: &str) -> Option<Vec<&str>> {
    let mut rest = raw.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let end = end(rest).max(1);
        found.push(rest.get(..end)?.trim_end());
        rest = rest[end..].trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
    Some(found)
}

/// The words of a system text: a string, a list of texts, or an object that holds such a list.
pub(crate) fn words(raw: &str) -> String {
    let raw = raw.trim();
    if let Some(inner) = raw.strip_prefix('"') {
        return string(inner, usize::MAX);
    }
    if let Some(elements) = elements(raw) {
        let texts: Vec<String> = elements.into_iter().map(words).collect();
        return texts.join("\n");
    }
    let members = members(raw).unwrap_or_default();
    let member = |wanted: &str| members.iter().find(|(name, _)| name == wanted);
    let words = member("text").or_else(|| member("parts")).map(|(_, value)| words(value));
    words.unwrap_or_else(|| raw.to_owned())
}

/// Where the value at the start of `raw` ends.
fn end(raw: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in raw.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => {
                quoted = !quoted;
                if !quoted && depth == 0 {
                    return at + 1;
                }
            }
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            b',' if depth == 0 => return at,
            _ => {}
        }
    }
    raw.len()
}

#[cfg(test)]
mod tests {
    use super::{elements, lettered, members, string, words};

    #[test]
    fn strings_are_decoded_up_to_their_end() {
        assert_eq!(string(r#"a\n\"b\"\u00e9\ud83d\ude00" rest"#, 99), "a\n\"b\"é😀");
        assert_eq!(string(r"lone \ud83d", 99), "lone \u{FFFD}");
        assert_eq!(string(r"broken \u12", 99), r"broken \u12");
        assert!(string(&"ab\\n".repeat(100), 20).len() < 40);
    }

    #[test]
    fn letters_are_letters() {
        assert_eq!(lettered(r"a\u00e9\ud83d\ude00\ux\n"), "aé😀\\ux\\n");
    }

    #[test]
    fn system_text_is_read_as_it_may_be_written() {
        assert_eq!(words(r#""a\n\"b\" ""#), "a\n\"b\" ");
        assert_eq!(words(r#"[{"type":"text","text":"a"}, {"text":"b","type":"text"}]"#), "a\nb");
        assert_eq!(words(r#"{"role":"user","parts":[{"text":"a"},{"text":"b"}]}"#), "a\nb");
        let list = elements(r#"[ 1, "a,b" ,{"c":[2]}]"#);
        assert_eq!(list, Some(vec!["1", r#""a,b""#, r#"{"c":[2]}"#]));
        assert_eq!(elements("[]"), Some(Vec::new()));
        assert_eq!(elements("[]]"), Some(vec!["]"]));
        assert_eq!(elements("{}"), None);
    }

    #[test]
    fn members_keep_their_values_as_they_stand() {
        let raw = r#" {"a\n" : "x, }\"" ,"b":[1, {"c":"]"}],"d":12.50, "e":{}} "#;
        let found = members(raw).expect("an object");
        let found: Vec<(&str, &str)> =
            found.iter().map(|(name, value)| (&**name, *value)).collect();
        assert_eq!(
            found,
            [("a\n", r#""x, }\"""#), ("b", r#"[1, {"c":"]"}]"#), ("d", "12.50"), ("e", "{}")]
        );
        assert_eq!(members("{}"), Some(Vec::new()));
        assert_eq!(members("[1]"), None);
        assert_eq!(members("{broken"), None);
        assert_eq!(members("{broken}"), None);
    }
}
