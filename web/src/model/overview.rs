//! The overview strip: the whole transcript in a few hundred columns.

use core::fmt::Write as _;

use super::loaded::Loaded;

/// The most columns that a strip has; more would be thinner than a pixel on a telephone.
const COLUMNS: usize = 320;
/// The height of the strip in its own units.
pub(crate) const HEIGHT: f64 = 40.0;

/// What the strip draws. Its width is counted in entries, so that a column stands where its rows do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Overview {
    /// The entries.
    pub(crate) width: usize,
    /// All columns as one path.
    pub(crate) columns: String,
    /// The exchanges as (first entry, entries, number), the thinnest left out.
    pub(crate) exchanges: Vec<(usize, usize, usize)>,
    /// The entries with violations, thinned to what can be told apart.
    pub(crate) violations: Vec<usize>,
}

impl Overview {
    /// The overview of a transcript.
    pub(crate) fn of(loaded: &Loaded) -> Self {
        let tokens = &loaded.planner.counts.entries;
        let width = tokens.len();
        let step = width.div_ceil(COLUMNS).max(1);
        let sums: Vec<u64> =
            tokens.chunks(step).map(|chunk| chunk.iter().map(|&it| u64::from(it)).sum()).collect();
        // Roots, so that one long result does not press everything else into the ground.
        let largest = sums.iter().max().map_or(1.0, |&most| (most as f64).sqrt()).max(1.0);
        let gap = if step == 1 { 0.2 } else { step as f64 * 0.15 };
        let mut columns = String::new();
        for (index, &sum) in sums.iter().enumerate() {
            let x = (index * step) as f64;
            let right = ((index + 1) * step).min(width) as f64 - gap;
            let top = HEIGHT - ((sum as f64).sqrt() / largest * HEIGHT).max(1.0);
            let _ = write!(columns, "M{x} {HEIGHT}V{top:.1}H{right:.2}V{HEIGHT}Z");
        }
        let exchanges = loaded.planner.structure.exchanges.iter().enumerate();
        let exchanges = exchanges
            .map(|(index, exchange)| (exchange.entries.start, exchange.entries.len(), index + 1));
        let thin = width / (2 * COLUMNS);
        let exchanges = exchanges.filter(|&(_, entries, _)| entries > thin).take(4 * COLUMNS);
        let mut violations: Vec<usize> = Vec::new();
        for violation in &loaded.violations {
            if violations.last().is_none_or(|&last| violation.entry >= last + step) {
                violations.push(violation.entry);
            }
        }
        Self { width, columns, exchanges: exchanges.collect(), violations }
    }
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Overview};
    use crate::model::intake::{SAMPLES, Source, Wish, load};

    #[test]
    fn a_small_transcript_has_a_column_for_each_entry() {
        let loaded = load(SAMPLES[0].source(), Wish::default()).expect("it is readable");
        let overview = Overview::of(&loaded);
        assert_eq!(overview.columns.matches('M').count(), loaded.len());
        assert_eq!(overview.exchanges.len(), 2);
    }

    #[test]
    fn a_large_one_has_a_few_hundred() {
        let entry =
            "{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}";
        let text = format!("[{}]", vec![entry; 5000].join(","));
        let source = Source { name: "big".into(), bytes: text.as_bytes().into() };
        let overview = Overview::of(&load(source, Wish::default()).expect("it is readable"));
        assert!(overview.columns.matches('M').count() <= COLUMNS);
        assert!(overview.exchanges.len() <= 4 * COLUMNS);
    }
}
