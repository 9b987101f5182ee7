//! Find, over the data and not over the rows that happen to be drawn.

use pinfold::transcript::{PartKind, Transcript};

use super::json::lettered;

/// The entries in which `query` occurs, in a payload, a tool's name or an id; ASCII letters match in either case.
pub(crate) fn matches(transcript: &Transcript, query: &str) -> Vec<usize> {
    let query = query.trim();
    if query.is_empty() {
        return Vec::new();
    }
    let escaped = escaped(query);
    (0..transcript.len()).filter(|&entry| holds(transcript, entry, query, &escaped)).collect()
}

fn holds(transcript: &Transcript, entry: usize, query: &str, escaped: &str) -> bool {
    transcript.parts(entry).iter().any(|part| {
        let id = match part.kind {
            PartKind::Call { id, .. } | PartKind::Result { id, .. } => transcript.id(id),
            _ => "",
        };
        let raw = &transcript.text()[part.body.range()];
        contains(id, query)
            || contains(&transcript.call_name(part), query)
            || contains(raw, escaped)
            // Only a text that writes letters as escapes has to be decoded to be searched.
            || (raw.contains("\\u") && contains(&lettered(raw), escaped))
    })
}

/// `query` as it stands inside a JSON string.
fn escaped(query: &str) -> String {
    let mut text = String::with_capacity(query.len());
    for c in query.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            c => text.push(c),
        }
    }
    text
}

fn contains(text: &str, query: &str) -> bool {
    let (text, query) = (text.as_bytes(), query.as_bytes());
    let Some((first, rest)) = query.split_first() else { return false };
    let mut from = 0;
    while let Some(found) = text[from..].iter().position(|byte| byte.eq_ignore_ascii_case(first)) {
        let after = from + found + 1;
        match text.get(after..after + rest.len()) {
            Some(candidate) if candidate.eq_ignore_ascii_case(rest) => return true,
            Some(_) => from = after,
            None => return false,
        }
    }
    false
}

/// The place of the next hit after (or before) `entry`, going round at the end.
pub(crate) fn next(hits: &[usize], entry: Option<usize>, forward: bool) -> Option<usize> {
    let Some(entry) = entry else {
        return if forward { hits.first() } else { hits.last() }.copied();
    };
    if forward {
        hits.get(hits.partition_point(|&hit| hit <= entry)).or(hits.first()).copied()
    } else {
        let before = hits.partition_point(|&hit| hit < entry);
        before.checked_sub(1).map(|at| &hits[at]).or(hits.last()).copied()
    }
}

#[cfg(test)]
mod tests {
    use pinfold::formats::{ReadOptions, read};

    use super::{contains, matches, next};

    #[test]
    fn bytes_are_compared_without_case() {
        assert!(contains("xxFoO", "foo") && contains("aab", "ab") && !contains("fo", "foo"));
    }

    #[test]
    fn text_names_and_ids_are_searched_and_keys_are_not() {
        let text = r#"{"model":"claude-x","messages":[{"role":"user","content":"Say \"hi\""},
            {"role":"assistant","content":[{"type":"tool_use","id":"toolu_9","name":"Grep","input":{"pattern":"caf\u00e9"}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_9","content":"none"}]}]}"#;
        let transcript = read(text.as_bytes(), ReadOptions::default()).expect("a transcript");
        let found = |query| matches(&transcript, query);
        assert_eq!(found("toolu_9"), [1, 2]);
        assert_eq!(found("grep"), [1]);
        assert_eq!(found("say \"HI"), [0]);
        assert_eq!(found("café"), [1]);
        assert_eq!(found("role"), [0; 0]);
        assert_eq!(found("  "), [0; 0]);
    }

    #[test]
    fn hits_go_round() {
        let hits = [2, 5, 9];
        assert_eq!(next(&hits, None, true), Some(2));
        assert_eq!(next(&hits, Some(5), true), Some(9));
        assert_eq!(next(&hits, Some(9), true), Some(2));
        assert_eq!(next(&hits, Some(2), false), Some(9));
        assert_eq!(next(&hits, Some(7), false), Some(5));
        assert_eq!(next(&[], Some(7), false), None);
    }
}
