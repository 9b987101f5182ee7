//! Which rows of a long list are in sight. Every row has one height, and the note is one block among them.

/// The height of a row in pixels; `list.css` says the same.
pub(crate) const ROW: f64 = 32.0;
/// The note's height when only its first line is shown, and when it can be read.
pub(crate) const NOTE: (f64, f64) = (38.0, 340.0);
/// The space above the first row, for the first boundary.
pub(crate) const TOP: f64 = 10.0;
/// Rows drawn beyond the edge, so that the next one is there before it is seen or focused.
const BEYOND: usize = 8;

/// The geometry of a list of `rows` rows, with a block of `block` pixels before row `at`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Geometry {
    /// The rows, the one after the last entry included.
    pub(crate) rows: usize,
    /// The row before which the block stands, and its height.
    pub(crate) block: Option<(usize, f64)>,
}

impl Geometry {
    /// Where row `row` begins.
    pub(crate) fn top(&self, row: usize) -> f64 {
        let block = self.block.filter(|&(at, _)| at <= row).map_or(0.0, |(_, height)| height);
        TOP + row as f64 * ROW + block
    }

    /// The height of the whole list.
    pub(crate) fn height(&self) -> f64 {
        TOP + self.rows as f64 * ROW + self.block.map_or(0.0, |(_, height)| height)
    }

    /// The row at `y` pixels.
    pub(crate) fn row_at(&self, y: f64) -> usize {
        let y = y - TOP;
        let row = |y: f64| ((y / ROW).max(0.0) as usize).min(self.rows.saturating_sub(1));
        match self.block {
            Some((at, height)) if y >= at as f64 * ROW + height => row(y - height),
            Some((at, _)) => row(y).min(at),
            None => row(y),
        }
    }

    /// The rows to draw for a view of `height` pixels scrolled to `top`.
    pub(crate) fn drawn(&self, top: f64, height: f64) -> (usize, usize) {
        let first = self.row_at(top).saturating_sub(BEYOND);
        let last = (self.row_at(top + height) + 1 + BEYOND).min(self.rows);
        (first, last)
    }

    /// How to scroll so that row `row` is well in sight; `None` if it is already.
    pub(crate) fn reveal(&self, row: usize, top: f64, height: f64) -> Option<f64> {
        let y = self.top(row);
        let margin = ROW * 2.0;
        if y >= top + margin && y + ROW <= top + height - margin {
            return None;
        }
        let near = y + ROW >= top - height / 2.0 && y <= top + height * 1.5;
        let wanted = if !near {
            y - height * 0.35
        } else if y < top + margin {
            y - margin
        } else {
            y + ROW + margin - height
        };
        let limit = (self.height() - height).max(0.0);
        let wanted = wanted.clamp(0.0, limit);
        ((wanted - top).abs() > 0.5).then_some(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::{BEYOND, Geometry, ROW, TOP};

    const PLAIN: Geometry = Geometry { rows: 100_001, block: None };
    const CUT: Geometry = Geometry { rows: 50, block: Some((10, 100.0)) };

    #[test]
    fn only_what_is_in_sight_is_drawn() {
        let (first, last) = PLAIN.drawn(PLAIN.top(50_000), 640.0);
        assert_eq!((first, last), (50_000 - BEYOND, 50_000 + 20 + 1 + BEYOND));
        assert_eq!(PLAIN.drawn(0.0, 640.0).0, 0);
        assert_eq!(PLAIN.drawn(PLAIN.height(), 640.0).1, 100_001);
    }

    #[test]
    fn the_block_moves_what_is_below_it() {
        assert!((CUT.top(9) - (TOP + 9.0 * ROW)).abs() < 0.1);
        assert!((CUT.top(10) - (TOP + 10.0 * ROW + 100.0)).abs() < 0.1);
        for row in 0..50 {
            assert_eq!(CUT.row_at(CUT.top(row) + 1.0), row);
        }
        assert_eq!(CUT.row_at(TOP + 10.0 * ROW + 50.0), 10);
    }

    #[test]
    fn a_row_in_sight_does_not_move_the_list() {
        assert_eq!(PLAIN.reveal(10, 0.0, 640.0), None);
        assert_eq!(PLAIN.reveal(0, 0.0, 640.0), None);
        let far = PLAIN.reveal(5000, 0.0, 640.0).expect("it is out of sight");
        assert!(PLAIN.reveal(5000, far, 640.0).is_none());
        let near = PLAIN.reveal(19, 0.0, 640.0).expect("it is at the edge");
        assert!(near > 0.0 && near < ROW * 4.0);
    }
}
