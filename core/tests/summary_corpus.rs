//! Every real transcript folded with a summary: what is asked fits the model, and what comes of it is lawful.

#![expect(clippy::print_stdout, reason = "a test says aloud how much it proved")]

use crate::corpus::{corpus, each_transcript};
use pinfold::fold::{Outcome, Reply, Told, fold, fold_with};
use pinfold::ledger::Ledger;
use pinfold::note::Note;
use pinfold::plan::{Decision, Planner, Policy, Select};
use pinfold::summary::{NoteAnswer, NoteRequest, RequestOptions, Section, Stop, Unasked};
use pinfold::tokens::Counts;
use pinfold::transcript::Transcript;
use pinfold::{estimator, verify};

/// What was done, all files together.
#[derive(Debug, Default)]
struct Sums {
    folds: usize,
    written: usize,
    no_room: usize,
    too_small: usize,
    chunks: usize,
    records: usize,
    /// Lines that a note shows in full without a summary, and beside one.
    lines: (usize, usize),
    /// Tokens of summaries, and of the entries that they tell of.
    tokens: (u64, u64),
}

#[test]
fn every_file_folds_lawfully_with_a_summary() {
    let Some(files) = corpus() else { return };
    let mut sums = Sums::default();
    each_transcript(&files, |label, transcript| fold_at_some_budgets(label, transcript, &mut sums));
    println!("{sums:?}");
    assert!(sums.written > 200, "the corpus is too small to prove anything: {sums:?}");
}

fn fold_at_some_budgets(label: &str, transcript: &Transcript, sums: &mut Sums) {
    let mut ledger = Ledger::default();
    let (planner, _) = Planner::with_ledger(transcript, Counts::of(transcript), &mut ledger);
    let total = planner.counts.total();
    for (share, window, select) in [
        (1, None, Select::Recency),
        (1, Some(32_000), Select::Recency),
        (3, Some(8_000), Select::Liveness),
        (6, Some(3_000), Select::Recency),
    ] {
        let policy = Policy { select, note_share: 0.2, ..Policy::new(total * share / 9) };
        let Decision::Fold(plan) = planner.plan(&policy) else { continue };
        sums.folds += 1;
        let request = match NoteRequest::of(transcript, &planner, &plan, RequestOptions { window })
        {
            Ok(request) => request,
            Err(Unasked::NoRoom) => {
                sums.no_room += 1;
                continue;
            }
            Err(Unasked::WindowTooSmall) => {
                sums.too_small += 1;
                continue;
            }
        };
        sums.chunks += request.chunks.len();
        for chunk in &request.chunks {
            let read = estimator::estimate(&request.system) + estimator::estimate(&chunk.message);
            let taken = u64::from(read) + chunk.allowance;
            assert!(window.is_none_or(|window| taken <= window), "{label}: {taken} in {window:?}");
        }
        let answer = answer(&request);
        let reply = Reply::Checked(request.check(&answer));
        let Outcome::Folded(folded) = fold_with(transcript, &planner, &policy, &reply) else {
            panic!("{label} at {share}/9: it does not fold");
        };
        let Told::Written { tokens } = folded.report.summary else {
            panic!("{label} at {share}/9: {:?}", folded.report.summary);
        };
        assert!(folded.report.after <= policy.budget, "{label}: {:?}", folded.report);
        let check = verify::Check { policy: Some(policy), ..verify::Check::default() };
        let proof = verify::verify(transcript, &planner, &folded.text, &check);
        assert!(proof.holds(), "{label} at {share}/9: {:?}", proof.broken);
        let Outcome::Folded(without) = fold(transcript, &planner, &policy) else {
            panic!("{label} at {share}/9: it does not fold without one");
        };
        let shown = |note: &str| Note::parse(note).map_or(0, |note| note.lines.len());
        sums.written += 1;
        sums.records += request.records.len();
        sums.lines.0 += shown(&without.note);
        sums.lines.1 += shown(&folded.note);
        sums.tokens.0 += tokens;
        sums.tokens.1 += folded.fold.before.saturating_sub(planner.kept_tokens(folded.fold.cut));
    }
}

/// An answer of about half of what each chunk may have.
fn answer(request: &NoteRequest) -> NoteAnswer {
    let section = |chunk: &pinfold::summary::Chunk| Section {
        text: "word ".repeat((chunk.allowance / 2) as usize),
        stop: Stop::Complete,
    };
    let sections = request.chunks.iter().map(section).collect();
    NoteAnswer { request: request.id.clone(), sections }
}
