//! The first letters of a word as one number, which is compared and looked up in one step.

/// The first letters of a word, at most eight, in lower case, as a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters(pub(super) u64);

impl Letters {
    /// Of the first `length` of `bytes`, a word.
    #[inline]
    pub(super) fn of(bytes: &[u8], length: usize) -> Self {
        let mut head = [0; 8];
        if let Some(first) = bytes.first_chunk() {
            head = *first;
        } else {
            head.iter_mut().zip(bytes).for_each(|(place, &byte)| *place = byte);
        }
        Self::first(u64::from_le_bytes(head), length)
    }

    /// The first `length` of eight bytes.
    #[inline]
    fn first(bytes: u64, length: usize) -> Self {
        let cut = 8 - length.clamp(1, 8) as u32;
        Self((bytes | each(0x20)) & u64::MAX >> (8 * cut))
    }

    /// Of the letters of ASCII that stand at byte `at`, and how many those are: sixteen at most. `None` near the end of
    /// `bytes`.
    #[inline]
    pub(super) fn plain(bytes: &[u8], at: usize) -> Option<(Self, usize)> {
        let chunk = |at: usize| Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let first = chunk(at)?;
        let mut length = leading_letters(first);
        if length == 8 {
            length += leading_letters(chunk(at + 8)?);
        }
        Some((Self::first(first, length), length))
    }
}

/// How many of eight bytes, in their order, are letters of ASCII before one is none. All eight are compared at once: a byte
/// of seven bits that is at least `a` sets the eighth by what `a` lacks of 128, one above `z` by what that lacks.
#[inline]
fn leading_letters(bytes: u64) -> usize {
    let lower = bytes | each(0x20);
    let low = lower & each(0x7F);
    let from_a = low + each(0x80 - b'a');
    let behind_z = low + each(0x7F - b'z');
    let others = (!from_a | behind_z | lower) & each(0x80);
    others.trailing_zeros() as usize / 8
}

/// Eight times that byte.
fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}
