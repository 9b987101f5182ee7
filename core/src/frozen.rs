//! A prefix that is never touched, because the provider has cached it.
//!
//! A note stands behind it as it stands behind system entries. So the prefix ends where a note may stand: not inside a pair or a
//! response.

use crate::cut::{CutMap, ReasonKind};
use crate::exchange::Structure;
use crate::transcript::{Role, Transcript};

/// Freezes the first `least` entries of `transcript`, and those up to the next boundary behind which a note may stand; all of them
/// where it may nowhere.
pub(crate) fn freeze(transcript: &mut Transcript, least: usize) {
    if least == 0 {
        return;
    }
    let structure = Structure::of(transcript);
    let cuts = CutMap::of(transcript, &structure);
    // What is live now is not always, and a prefix may hold it.
    let apart = |at: usize| {
        let mut why = cuts.why(at, &structure).into_iter();
        why.all(|reason| !PARTS.contains(&reason.kind))
    };
    // Where roles must alternate, a note follows what the model said.
    let alternates = transcript.wire.alternates();
    let model = |at: usize| transcript.entries[at - 1].role == Role::Assistant;
    let ends = |at: &usize| apart(*at) && (!alternates || model(*at));
    let end = (least..transcript.len()).find(ends).unwrap_or(transcript.len());
    transcript.frozen = end as u32;
}

/// The reasons why what stands on both sides belongs together.
const PARTS: [ReasonKind; 4] = [
    ReasonKind::SeversPair,
    ReasonKind::BeginsWithResult,
    ReasonKind::SplitsResponse,
    ReasonKind::DetachesReasoning,
];
