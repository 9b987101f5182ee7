//! What a session knows, held against a whole pass over its text.

use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::Ledger;
use pinfold::plan::{Planner, Policy, Select};
use pinfold::session::Session;
use pinfold::tokens::Counts;
use pinfold::transcript::Transcript;

/// The session's text, read anew.
pub(crate) fn read_like(session: &Session) -> Transcript {
    let transcript = session.transcript();
    let request = transcript.request();
    let options = ReadOptions {
        format: Some(transcript.wire()),
        provider: Some(transcript.provider()),
        family: Some(request.family),
        continues: request.continues,
        thinking: request.thinking,
        ..ReadOptions::default()
    };
    formats::read(transcript.text().as_bytes(), options)
        .expect("the session's text is a transcript")
}

/// What a planner knows, as text: the structure, every boundary, the counts, the digest, the ledger at each cut, and plans.
fn known(transcript: &Transcript, planner: &Planner) -> Vec<String> {
    let Planner { structure, cuts, counts, digest, standing, .. } = planner;
    let len = transcript.len();
    let mut known = vec![
        format!("{:?} {:?}", structure.pairing.calls, structure.pairing.strays),
        format!("{:?}", structure.rounds().collect::<Vec<_>>()),
        format!("{:?}", structure.exchanges),
        format!("{} {:?} {}", structure.head, structure.note, structure.note_shared),
        format!("{:?}", structure.tail),
        format!("{counts:?}"),
        format!("{:?} {:?}", transcript.entries(), transcript.compaction()),
        format!("{:?}", transcript.request()),
    ];
    for at in 0..=len {
        known.push(format!(
            "{at}: {:?} {:?} {:?} {} {:?} {} {}",
            cuts.why(at, structure),
            cuts.at_or_before(at),
            cuts.at_or_after(at),
            cuts.legal(at),
            (digest.tokens_before(at), digest.count_before(at)),
            planner.kept_tokens(at),
            planner.frozen_tokens(at),
        ));
    }
    for at in [0, len / 2, len] {
        known.push(format!("{:?} {:?}", standing.block(at), standing.share(at, 1000)));
    }
    for policy in policies(counts.total()) {
        known.push(format!("{policy:?}: {:?}", planner.plan(&policy)));
    }
    known.push(format!("{:?} {}", planner.floor(), cuts.illegal()));
    known
}

fn policies(total: u64) -> Vec<Policy> {
    let budgets = [total / 10, total / 3, total * 2 / 3, total.saturating_sub(1)];
    let mut policies: Vec<Policy> = budgets.into_iter().map(Policy::new).collect();
    policies.push(Policy { select: Select::Liveness, ..Policy::new(total / 2) });
    policies.push(Policy { quiet: true, keep_recent: 2, ..Policy::new(total / 2) });
    policies.push(Policy { overshoot: false, lookback: 0.02, ..Policy::new(total / 2) });
    policies
}

/// Holds a session against a whole pass over its text, whose ledger has seen what the session's has.
pub(crate) fn agrees(session: &mut Session, ledger: &mut Ledger) {
    let whole = read_like(session);
    agrees_with(session, ledger, &whole);
}

/// The same where the text was read already: of a log not all stands in it.
pub(crate) fn agrees_with(session: &mut Session, ledger: &mut Ledger, whole: &Transcript) {
    assert_eq!(whole.text(), session.transcript().text());
    let (planner, _) = Planner::with_ledger(whole, Counts::of(whole), ledger);
    let transcript = session.transcript().clone();
    let (found, wanted) = (known(&transcript, session.planner()), known(whole, &planner));
    for (found, wanted) in found.iter().zip(&wanted) {
        assert_eq!(found, wanted, "{}", session.transcript().text());
    }
    assert_eq!(found.len(), wanted.len());
    // What there was to know about the text that it began with, its own text does not show.
    let told = transcript.findings();
    assert!(whole.findings().iter().all(|finding| told.contains(finding)), "{}", whole.text());
    assert_eq!(session.ledger().to_json(), ledger.to_json(), "{}", whole.text());
    assert_eq!(
        format!("{:?}", session.ledger().findings()),
        format!("{:?}", ledger.findings()),
        "{}",
        whole.text()
    );
}
