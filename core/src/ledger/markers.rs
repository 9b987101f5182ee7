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
            '0'..='9' | '(' | '（' | '①'..='⑳' | '０'..='９' => Self::number(line),
            '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十'
                if second == Some('、') =>
            {
                let number = "一二三四五六七八九十".chars().position(|it| it == first);
                number.map_or(Self::None, |number| Self::Number(number as u32 + 1))
            }
            'a'..='h' | 'A'..='H' if second == Some(')') => {
                Self::Number(u32::from(first.to_ascii_lowercase()) - u32::from('a') + 1)
            }
            _ => Self::None,
        }
    }

    /// `1.`, `1)`, `(1)`, `1、`, `①`: with white space behind it, where Latin text follows.
    fn number(line: &str) -> Self {
        let first = line.chars().next().unwrap_or_default();
        if ('①'..='⑳').contains(&first) {
            return Self::Number(u32::from(first) - u32::from('①') + 1);
        }
        let opened = line.starts_with(['(', '（']);
        let inside = line.trim_start_matches(['(', '（']);
        let mut number = 0_u32;
        let mut digits = 0;
        for (at, letter) in inside.char_indices() {
            let digit = letter.to_digit(10).or_else(|| {
                let wide = u32::from(letter).wrapping_sub(u32::from('０'));
                (wide < 10).then_some(wide)
            });
            if let Some(digit) = digit {
                number = number.saturating_mul(10).saturating_add(digit);
                digits += 1;
                if digits > 6 {
                    return Self::None;
                }
                continue;
            }
            let rest = &inside[at + letter.len_utf8()..];
            let spaced = rest.starts_with(|next: char| next.is_whitespace() || !next.is_ascii());
            let closed = match letter {
                ')' | '）' => true,
                '、' | '．' => !opened,
                '.' | ':' => !opened && spaced,
                _ => false,
            };
            return if digits > 0 && closed { Self::Number(number) } else { Self::None };
        }
        Self::None
    }
}
