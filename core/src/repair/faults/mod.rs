//! How each kind of fault is mended. What nobody can know (a missing thinking block, tool definitions) is left.

pub(super) mod calls;
mod content;
mod order;
mod results;

use super::draft::Draft;
use crate::transcript::Format;

/// Mends all faults of the first kind that can be mended; false if there is none.
pub(super) fn mend(draft: &mut Draft<'_>) -> bool {
    const KINDS: [fn(&mut Draft<'_>); 15] = [
        content::compactions,
        order::split_responses,
        calls::doubled_calls,
        calls::shared_ids,
        results::misplaced,
        results::strays,
        content::reasoning,
        content::emptiness,
        results::unanswered,
        calls::bad_ids,
        order::heads,
        order::split_prompts,
        order::system_placement,
        content::cache_marks,
        order::tails,
    ];
    KINDS.iter().any(|kind| {
        kind(draft);
        draft.is_touched()
    })
}

/// The place right behind the response of an entry; Chat and Gemini look right behind the entry itself.
fn behind(draft: &Draft<'_>, entry: usize) -> usize {
    match draft.transcript.wire() {
        Format::Gemini | Format::LangChain | Format::OpenAiChat => entry + 1,
        _ => response_of(draft, entry).map_or(entry + 1, |response| response.end),
    }
}

fn response_of(draft: &Draft<'_>, entry: usize) -> Option<core::ops::Range<usize>> {
    draft.structure.response(draft.structure.response_of(entry)?)
}
