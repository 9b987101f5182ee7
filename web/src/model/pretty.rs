//! JSON laid out for reading. Only white space is changed, so that a number keeps every digit.

/// `raw` with a line for each member, two spaces a level. What is not JSON comes back more or less as it was.
pub(crate) fn pretty(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len() + raw.len() / 4);
    let mut depth = 0_usize;
    let mut chars = raw.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        if quoted {
            out.push(c);
            if c == '\\' {
                out.extend(chars.next());
            }
            quoted = c != '"';
            continue;
        }
        match c {
            '"' => {
                quoted = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(close) = chars.next_if(|&c| c == '}' || c == ']') {
                    out.push(close);
                } else {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    // A hostile depth must not cost its square in spaces.
    for _ in 0..depth.min(40) {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::pretty;

    #[test]
    fn members_get_lines_and_digits_stay() {
        let raw = r#"{"a" : [1,{"b":12345678901234567890.10}], "c":"x, {\"y\"}","d":[ ],"e":{}}"#;
        let laid = "{\n  \"a\": [\n    1,\n    {\n      \"b\": 12345678901234567890.10\n    }\n  ],\n  \
                    \"c\": \"x, {\\\"y\\\"}\",\n  \"d\": [],\n  \"e\": {}\n}";
        assert_eq!(pretty(raw), laid);
    }

    #[test]
    fn what_is_not_json_does_no_harm() {
        assert_eq!(pretty("plain"), "plain");
        assert_eq!(pretty("]]}"), "\n]\n]\n}");
        assert_eq!(pretty("\"open"), "\"open");
    }
}
