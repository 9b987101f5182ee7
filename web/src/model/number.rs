//! Numbers as the page writes them.

/// A number with its thousands apart: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 entry`, `2 entries`.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number as u64), if number == 1 { one } else { many })
}

/// A share as a whole percentage, where less than one is said to be so.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "0 %".into();
    }
    let share = part as f64 * 100.0 / whole as f64;
    if part > 0 && share < 1.0 { "< 1 %".into() } else { format!("{share:.0} %") }
}

/// The number that a person typed, with or without separators, or with a `k` for thousands.
pub(crate) fn typed(text: &str) -> Option<u64> {
    let text: String =
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, ',' | '_' | '\'')).collect();
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1000.0),
        None => (&*text, 1.0),
    };
    let number: f64 = digits.parse().ok()?;
    (number >= 0.0 && number.is_finite()).then_some((number * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped, percent, typed};

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "entry", "entries"), "1 entry");
        assert_eq!(counted(0, "entry", "entries"), "0 entries");
    }

    #[test]
    fn a_small_share_is_not_nothing() {
        assert_eq!(percent(1, 1000), "< 1 %");
        assert_eq!(percent(0, 1000), "0 %");
        assert_eq!(percent(1, 2), "50 %");
        assert_eq!(percent(0, 0), "0 %");
    }

    #[test]
    fn typed_numbers_may_be_written_as_people_do() {
        assert_eq!(typed("12,345"), Some(12_345));
        assert_eq!(typed(" 12 k"), Some(12_000));
        assert_eq!(typed("1.5k"), Some(1500));
        assert_eq!(typed("-1"), None);
        assert_eq!(typed("many"), None);
    }
}
