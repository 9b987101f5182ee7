//! The plan against a slow and obvious one: every boundary is priced by itself, and the cut is found by looking at all of them.
//!
//! It follows "Choosing a cut" of `ARCHITECTURE.md`. What it takes from the core is what a line, a prompt or a pin costs, and
//! the lines of the digest; where they stand, what is legal and what is chosen it finds by itself.

use crate::support::naive::{naive_cuts, naive_pairs, plain};
use crate::support::policies::{Asked, policies};
use crate::support::{Move, Piece, Plain, Shape, Talk, cases, clean_talk, messy_talk};
use pinfold::estimator::estimate;
use pinfold::fold::{Outcome, fold};
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::{Accept, Block, Ledger, Options};
use pinfold::note::{self, Note};
use pinfold::plan::{Decision, Planner, Policy, Way};
use pinfold::tokens::Counts;
use pinfold::transcript::{Format, Transcript};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(20), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_plan_is_that_of_the_reference(
        clean in any::<bool>(),
        one in clean_talk(),
        other in messy_talk(),
        asked in prop::collection::vec(policies(), 8),
        pinned in any::<bool>(),
    ) {
        let moves = if clean { one } else { other };
        for shape in Shape::ALL {
            let talk = Talk::of(&moves, shape);
            // A log without a message is no transcript.
            if shape != Shape::ClaudeCode || !talk.entries.is_empty() {
                let text = talk.write(shape);
                let transcript = read(&text, shape.format());
                compare(&transcript, &planner(&transcript, pinned), &asked)?;
            }
        }
    }

    #[test]
    fn the_plan_of_what_was_folded_before_is_that_of_the_reference(
        talks in prop::collection::vec(prop_oneof![clean_talk(), messy_talk()], 2..5),
        asked in prop::collection::vec(policies(), 6),
        share in 2..8_u64,
    ) {
        for shape in Shape::lists().filter(|&shape| shape != Shape::AiSdkUi) {
            let mut talk = Talk::default();
            let mut held: Vec<String> = Vec::new();
            for moves in &talks {
                let known = talk.entries.len();
                talk.go_on(&[Move::Answer { words: 3, skip: 0, turn: 0 }], shape);
                talk.go_on(moves, shape);
                held.extend(talk.texts(shape).skip(known));
                let transcript = read(&format!("[{}]", held.join(",")), shape.format());
                let planner = planner(&transcript, false);
                compare(&transcript, &planner, &asked)?;
                let policy = Policy::new(planner.counts.total() * share / 9);
                if let Outcome::Folded(folded) = fold(&transcript, &planner, &policy) {
                    let after = read(&folded.text, shape.format());
                    held = (0..after.len()).map(|at| after.entry_text(at).to_string()).collect();
                }
            }
        }
    }
}

fn read(text: &str, format: Format) -> Transcript {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    formats::read(text.as_bytes(), options).expect("a written talk is read")
}

fn planner(transcript: &Transcript, pinned: bool) -> Planner {
    let counts = Counts::of(transcript);
    if pinned {
        let options = Options { accept: Accept::Prohibitions, ..Options::default() };
        Planner::with_ledger(transcript, counts, &mut Ledger::new(options)).0
    } else {
        Planner::new(transcript, counts)
    }
}

/// Holds the plan to the reference under each policy, and to what it promises of the fold.
fn compare(
    transcript: &Transcript,
    planner: &Planner,
    asked: &[Asked],
) -> Result<(), TestCaseError> {
    let reference = Reference::of(transcript, planner);
    for asked in asked {
        let policy = asked.of_recency(reference.total);
        let decision = planner.plan(&policy);
        let (found, wanted) = (Verdict::of(&decision), reference.plan(&policy));
        prop_assert_eq!(found, wanted, "{:?} on {}", policy, transcript.text());
        let Decision::Fold(plan) = decision else { continue };
        let Outcome::Folded(folded) = fold(transcript, planner, &policy) else {
            return Err(TestCaseError::fail(format!("{policy:?} on {}", transcript.text())));
        };
        prop_assert!(folded.report.after <= plan.after, "{policy:?}: {plan:?}");
        prop_assert_eq!(folded.report.entries.0, plan.entries);
        // What is kept is counted again from the result, and the note as it stands there.
        let after = read(&folded.text, transcript.wire());
        prop_assert_eq!(after.len() - usize::from(!folded.merged), reference.stay(plan.cut));
    }
    Ok(())
}

/// What can be held against the reference of a decision.
#[derive(Debug, PartialEq)]
enum Verdict {
    Fits(u64),
    Fold {
        cut: usize,
        way: Way,
        entries: usize,
        prompts: usize,
        pairs: usize,
        before: u64,
        after: u64,
        deficit: u64,
        lines: (usize, usize),
    },
    Defer {
        total: u64,
        deficit: u64,
        wanted: usize,
        blocking: Vec<(&'static str, usize)>,
        before: Option<(usize, u64)>,
        after: Option<(usize, u64)>,
    },
    Stuck(u64, u64),
}

impl Verdict {
    fn of(decision: &Decision) -> Self {
        match decision {
            Decision::Fits { total } => Self::Fits(*total),
            Decision::Fold(fold) => Self::Fold {
                cut: fold.cut,
                way: fold.way,
                entries: fold.entries,
                prompts: fold.prompts,
                pairs: fold.pairs,
                before: fold.before,
                after: fold.after,
                deficit: fold.deficit,
                lines: fold.lines,
            },
            Decision::Defer(defer) => Self::Defer {
                total: defer.total,
                deficit: defer.deficit,
                wanted: defer.wanted,
                blocking: defer.blocking.iter().map(|it| (it.kind.name(), it.ids.len())).collect(),
                before: defer.before.map(|near| (near.at, near.distance)),
                after: defer.after.map(|near| (near.at, near.distance)),
            },
            Decision::Stuck { total, floor } => {
                Self::Stuck(*total, floor.iter().map(|item| item.tokens).sum())
            }
        }
    }
}

/// A transcript as the reference sees it.
struct Reference<'t> {
    entries: Vec<Plain>,
    /// The entries of each call and its result.
    pairs: Vec<(usize, usize)>,
    /// The names of the reasons at each boundary, and how many ids each has.
    why: Vec<Vec<(&'static str, usize)>>,
    /// What a fold at each boundary leaves without a line of the note, and what each line costs that the note could show,
    /// oldest first.
    prices: Vec<(u64, Vec<u64>)>,
    planner: &'t Planner,
    /// The note of an earlier fold, and whether it shares the entry of a prompt.
    note: Option<(Note, bool)>,
    /// Entries before the first that may be folded.
    head: usize,
    total: u64,
    /// Whether the roles of entries must alternate.
    alternates: bool,
}

impl<'t> Reference<'t> {
    fn of(transcript: &Transcript, planner: &'t Planner) -> Self {
        let mut entries: Vec<Plain> =
            (0..transcript.len()).map(|at| plain(transcript, at)).collect();
        let note = note::find(transcript).map(|(seat, note)| {
            let shared = entries[seat].pieces.len() > 1;
            if shared {
                // What is left is the prompt as it was.
                entries[seat].pieces.remove(0);
            } else {
                entries[seat].role = "note";
            }
            (note, shared)
        });
        let leads = |entry: &Plain| matches!(entry.role, "system" | "note");
        let head = entries.iter().take_while(|entry| leads(entry)).count();
        let why = naive_cuts(&entries, transcript.wire())
            .into_iter()
            .map(|why| why.into_iter().map(|(name, ids)| (name, ids.len())).collect())
            .collect();
        let fixed: u64 = planner.counts.fixed.iter().map(|item| item.tokens).sum();
        let all: u64 = planner.counts.entries.iter().map(|&tokens| u64::from(tokens)).sum();
        let (pairs, _, _) = naive_pairs(&entries);
        let pairs = pairs.into_iter().map(|(call, result, _)| (call, result.0)).collect();
        let (prices, total) = (Vec::new(), fixed + all);
        let alternates = matches!(transcript.wire(), Format::Bedrock | Format::Gemini);
        let mut found =
            Self { entries, pairs, why, prices, planner, note, head, total, alternates };
        found.prices = (0..found.why.len()).map(|at| found.price(at)).collect();
        found
    }

    fn legal(&self, at: usize) -> bool {
        self.why[at].is_empty()
    }

    fn tokens(&self, counted: impl Fn(usize) -> bool) -> u64 {
        let entries = self.planner.counts.entries.iter().enumerate();
        entries.filter(|(entry, _)| counted(*entry)).map(|(_, &tokens)| u64::from(tokens)).sum()
    }

    fn kept(&self, at: usize) -> u64 {
        self.tokens(|entry| entry >= at)
    }

    fn is_system(&self, entry: usize) -> bool {
        self.entries[entry].role == "system"
    }

    /// How many entries stay as they are.
    fn stay(&self, at: usize) -> usize {
        (0..self.entries.len()).filter(|&entry| entry >= at || self.is_system(entry)).count()
    }

    fn is_prompt(&self, entry: usize) -> bool {
        let carries = |piece: &Piece| matches!(piece, Piece::Result(..));
        self.entries[entry].role == "user" && !self.entries[entry].pieces.iter().any(carries)
    }

    /// The prompts that open an exchange: not one that is wedged between a call and its result.
    fn opens(&self, entry: usize) -> bool {
        let wedges = |(call, result): &(usize, usize)| *call < entry && entry < *result;
        self.is_prompt(entry) && !self.pairs.iter().any(wedges)
    }

    /// Whether an exchange begins at the boundary, or the last one ends.
    fn parts_exchanges(&self, at: usize) -> bool {
        at == self.entries.len() || self.opens(at) || at == self.head
    }

    /// The prompts that are still being worked on at the boundary, word for word.
    fn carried(&self, at: usize) -> Vec<String> {
        let mut asked = self.note.as_ref().map_or_else(Vec::new, |(note, _)| note.carried.clone());
        let mut answered = false;
        for entry in self.head..at {
            if self.opens(entry) {
                if answered {
                    asked.clear();
                }
                answered = false;
            }
            if self.is_prompt(entry) {
                asked.push(words(&self.entries[entry]));
            }
            answered |= self.entries[entry].role == "assistant";
        }
        if answered && self.parts_exchanges(at) { Vec::new() } else { asked }
    }

    fn price(&self, at: usize) -> (u64, Vec<u64>) {
        let fixed: u64 = self.planner.counts.fixed.iter().map(|item| item.tokens).sum();
        let stays = self.tokens(|entry| entry >= at || self.is_system(entry));
        let carried: u64 = self.carried(at).iter().map(|text| Note::carried_tokens(text)).sum();
        let block = self.planner.standing.block(at);
        let pins: u64 = block.rows.iter().map(pinfold::ledger::Row::tokens).sum();
        let pins = if block.is_empty() { 0 } else { pins + Block::frame_tokens() };
        let lines = self.planner.digest.lines(at, 0);
        let lines = lines.map(|line| u64::from(estimate(line)) + 2).collect();
        (fixed + stays + Note::frame_tokens() + carried + pins, lines)
    }

    fn bare(&self, at: usize) -> u64 {
        self.prices[at].0
    }

    /// What a fold at the boundary leaves with at most so many tokens of lines.
    fn cost(&self, at: usize, lines: u64) -> u64 {
        let (bare, all) = &self.prices[at];
        bare.saturating_add(lines.min(all.iter().sum()))
    }

    /// The last boundary that leaves so many rounds alone.
    fn last(&self, keep: usize) -> usize {
        if keep == 0 {
            // A note at the end would stand in front of the next prompt.
            return self.entries.len().saturating_sub(usize::from(self.alternates));
        }
        let model = |at: usize| self.entries[at].role == "assistant";
        let begins = |at: &usize| model(*at) && (*at == 0 || !model(at - 1));
        let rounds: Vec<usize> = (0..self.entries.len()).filter(begins).collect();
        rounds.len().checked_sub(keep).map_or(self.head, |first| rounds[first])
    }

    /// The fewest tokens that a fold up to boundary `last` leaves.
    fn floor(&self, last: usize) -> u64 {
        let legal = (self.head + 1..=last).filter(|&at| self.legal(at));
        legal.map(|at| self.bare(at)).min().unwrap_or_else(|| {
            // Where none is legal it is what would be left if all but the live tail could go.
            let at = self.tail().min(last);
            if at > self.head { self.bare(at) } else { self.total }
        })
    }

    /// Where the live tail begins.
    fn tail(&self) -> usize {
        let live = ["pending-call", "unconsumed-result", "unanswered-prompt"];
        let is_live = |at: &usize| self.why[*at].iter().any(|(name, _)| live.contains(name));
        (0..self.why.len()).find(is_live).map_or(self.entries.len(), |at| at - 1)
    }

    fn plan(&self, policy: &Policy) -> Verdict {
        let share = |share: f64| (policy.budget as f64 * share.clamp(0.0, 1.0)) as u64;
        let total = self.total;
        let over = total > policy.budget;
        if total <= policy.trigger.unwrap_or(policy.budget) {
            return Verdict::Fits(total);
        }
        // What a fold leaves is below the trigger as well; where no cut reaches that, only a budget that is exceeded is a
        // reason to fold.
        let last = self.last(policy.keep_recent);
        let floor = self.floor(last);
        let mut most = policy.trigger.map_or(policy.budget, |trigger| trigger.min(policy.budget));
        if floor > most && over {
            most = policy.budget;
        }
        if floor > most {
            return Verdict::Stuck(total, floor);
        }
        // It is worth the gain, unless the budget demands it, and in any case it frees something.
        let gain = policy.min_gain.max(1);
        let worth = total >= gain && floor <= total - gain;
        if !worth && !over || last <= self.head {
            return Verdict::Fits(total);
        }
        let reach = share(policy.lookback);
        let most = most.min(total - if worth { gain } else { 1 });
        let aim = policy.target.unwrap_or(most.saturating_sub(reach)).min(most);
        let lines = share(policy.note_share).min(aim.saturating_sub(floor));
        let target = aim.max(floor);
        let limit = target.saturating_add(reach).min(most);
        let within = |at: &usize| self.cost(*at, lines) <= target;
        let wanted = (self.head + 1..=last).find(within).unwrap_or(last);
        if policy.quiet
            && self.why.last().is_some_and(|why| why.iter().any(|it| it.0 == "pending-call"))
        {
            return self.defer(policy, wanted, self.entries.len());
        }
        let fits = |at: &usize| self.legal(*at) && self.cost(*at, lines) <= limit;
        let back = || (self.head + 1..=wanted).rev();
        let on = || (wanted..=last).filter(|_| policy.overshoot);
        let parts = |at: &usize| self.parts_exchanges(*at);
        let near = |at: &usize| self.kept(wanted) - self.kept(*at) <= reach / 3;
        let found = back()
            .filter(parts)
            .find(fits)
            .or_else(|| on().filter(parts).find(fits).filter(near))
            .or_else(|| back().find(fits))
            .or_else(|| on().find(fits));
        match found {
            Some(cut) => {
                self.fold(policy, wanted, cut, lines.max(target.saturating_sub(self.bare(cut))))
            }
            None => self.defer(policy, wanted, wanted),
        }
    }

    /// A fold with the newest lines that cost at most `room`.
    fn fold(&self, policy: &Policy, wanted: usize, cut: usize, room: u64) -> Verdict {
        let (mut listed, mut shown) = (0, 0);
        let lines = &self.prices[cut].1;
        for line in lines.iter().rev() {
            if listed + line > room {
                break;
            }
            listed += line;
            shown += 1;
        }
        let replaced = |entry: &usize| !matches!(self.entries[*entry].role, "system" | "note");
        Verdict::Fold {
            cut,
            way: match cut {
                _ if cut < wanted => Way::Back,
                _ if cut > wanted => Way::Forward,
                _ => Way::AtTarget,
            },
            entries: (0..cut).filter(replaced).count(),
            prompts: (0..cut).filter(|&entry| self.opens(entry)).count(),
            pairs: self.pairs.iter().filter(|(call, result)| *call < cut && *result < cut).count(),
            before: self.total,
            after: self.bare(cut) + listed,
            deficit: self.total.saturating_sub(policy.budget),
            lines: (shown, lines.len() - shown),
        }
    }

    fn defer(&self, policy: &Policy, wanted: usize, blocked: usize) -> Verdict {
        let near = |at: usize| (at, self.kept(at).abs_diff(self.kept(wanted)));
        Verdict::Defer {
            total: self.total,
            deficit: self.total.saturating_sub(policy.budget),
            wanted,
            blocking: self.why[blocked].clone(),
            before: (0..=wanted).rev().find(|&at| self.legal(at)).map(near),
            after: (wanted..self.why.len()).find(|&at| self.legal(at)).map(near),
        }
    }
}

/// The words of a prompt.
fn words(entry: &Plain) -> String {
    let texts = entry.pieces.iter().map(|piece| match piece {
        Piece::Text(text) => text.as_str(),
        other => panic!("a prompt with {other:?}"),
    });
    texts.collect::<Vec<_>>().join("\n")
}
