//! What a line of a list begins with: a bullet, a number, a letter.

/// What a line begins with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Marker {
    /// `-`, `•` and their like.
    Bullet,
    /// `#` to `######`.
    Heading,
    None,
    /// An item of a numbered list.
    Number(u32),
    /// A line of dashes and the like.
    Rule,
}

impl Marker {
    /// The marker of a line without white space around it.
    pub(super) fn of(line: &str) -> Self {
        let mut letters = line.chars();
        let Some(first) = letters.next() else { return Self::None };
        let second = letters.next();
        let spaced = second.is_some_and(char::is_whitespace);
        match first {
            '#' if line.trim_start_matches('#').starts_with(' ') => Self::Heading,
            '-' | '*' | '=' | '_' | '─' | '═' | '—' if line.chars().all(|it| it == first) => {
                Self::Rule
            }
            '-' | '*' | '+' | '–' | '—' | '◦' | '▪' | '‣' | '○' | '●' | '■' | '□' | '◆' | '✓'
            | '✗' | '✅' | '❌' | '→'
                if spaced =>
            {
                Self::Bullet
            }
            '•' | '・' | '·' => Self::Bullet,
            '0'..='9' | '(' | '（' | '①'..='⑳' | '０'..='９' => {
                numbered(line).map_or(Self::None, |(number, _)| Self::Number(number))
            }
            'a'..='h'
            | 'A'..='H'
            | '一'
            | '二'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十' => numbered(line).map_or(Self::None, |(number, _)| Self::Number(number)),
            _ => Self::None,
        }
    }
}

/// How long the marker is that a line begins with, whether it is a bullet or a number; zero if there is none.
pub(super) fn length(line: &str) -> usize {
    if let [b'-' | b'*' | b'+', b' ', ..] = line.as_bytes() {
        return 1;
    }
    if let Some((_, length)) = numbered(line) {
        return length;
    }
    match (Marker::of(line), line.chars().next()) {
        (Marker::Bullet, Some(bullet)) => bullet.len_utf8(),
        _ => 0,
    }
}

/// The number that a line begins with and its length: `1.`, `1)`, `(1)`, `1、`, `①`, `一、`, `a)`, `(a)`, with white space
/// behind it where Latin text follows.
fn numbered(line: &str) -> Option<(u32, usize)> {
    if let [digit @ b'0'..=b'9', b'.' | b')', b' ', ..] = *line.as_bytes() {
        // As nearly all are.
        return Some((u32::from(digit - b'0'), 2));
    }
    let first = line.chars().next()?;
    if ('①'..='⑳').contains(&first) {
        return Some((u32::from(first) - u32::from('①') + 1, first.len_utf8()));
    }
    if let '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' = first {
        let number = "一二三四五六七八九十".chars().position(|it| it == first)? as u32 + 1;
        let rest = line.get(first.len_utf8()..)?;
        return rest.starts_with('、').then(|| (number, first.len_utf8() + '、'.len_utf8()));
    }
    let opened = line.starts_with(['(', '（']);
    let inside = if opened { line.get(first.len_utf8()..)? } else { line };
    let before = line.len() - inside.len();
    if let [letter @ (b'a'..=b'h' | b'A'..=b'H'), b')', ..] = inside.as_bytes() {
        return Some((u32::from(letter.to_ascii_lowercase() - b'a') + 1, before + 2));
    }
    let mut number = 0_u32;
    for (digits, (at, letter)) in inside.char_indices().enumerate().take(LONGEST_NUMBER + 1) {
        let digit = match letter {
            '0'..='9' => u32::from(letter) - u32::from('0'),
            '０'..='９' => u32::from(letter) - u32::from('０'),
            _ if digits == 0 => return None,
            _ => {
                let end = at + letter.len_utf8();
                let spaced = || {
                    inside[end..].starts_with(|next: char| next.is_whitespace() || !next.is_ascii())
                };
                let closed = match letter {
                    ')' | '）' => true,
                    '、' | '．' => !opened,
                    '.' | ':' => !opened && spaced(),
                    _ => false,
                };
                return closed.then_some((number, before + end));
            }
        };
        number = number * 10 + digit;
    }
    None
}

/// More digits number no item of a list.
const LONGEST_NUMBER: usize = 6;
