//! The laws of a transcript that is folded, grows and is folded again, up to fifty times, by a policy of any kind, with and
//! without a ledger and with summaries of every kind. What is counted here is counted without the core's own numbers.

use crate::support::naive::{naive_cuts, naive_pairs, plain, trimmed};
use crate::support::policies::{Asked, policies};
use crate::support::{Move, Piece, Plain, Shape, Talk, cases};
use pinfold::fold::{Folded, Outcome, Reply, fold_with};
use pinfold::formats::{self, ReadOptions};
use pinfold::ledger::{Ledger, Options};
use pinfold::note::Note;
use pinfold::plan::{Decision, Planner, Policy, Way};
use pinfold::summary::{NoteAnswer, NoteRequest, RequestOptions, Section, Stop};
use pinfold::thinking::Thinking;
use pinfold::tokens::Counts;
use pinfold::transcript::Transcript;
use pinfold::trim::Trimming;
use pinfold::verify::{Check, verify};
use proptest::prelude::*;

/// What happens between two folds, and what the host's model makes of the next one.
#[derive(Clone, Debug)]
struct Turn {
    moves: Vec<Move>,
    answer: Answer,
}

/// What a host's model answers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    /// It is not asked.
    None,
    Fails,
    /// So many words.
    Words(usize),
    CutOff,
    /// What it wrote for the fold before.
    Late,
}

/// A few steps of a talk that a provider accepts.
fn clean_steps() -> impl Strategy<Value = Vec<Move>> {
    let words = prop_oneof![9 => 1..90_usize, 1 => 200..600_usize];
    let round = (any::<bool>(), any::<bool>(), 1..3_usize, words, 0..2_usize);
    let step = prop_oneof![
        2 => (1..40_usize).prop_map(|words| vec![Move::Prompt(words)]),
        2 => (1..40_usize).prop_map(|words| vec![Move::Say(words)]),
        5 => round.prop_map(|(thinks, says, calls, words, turn)| vec![
            Move::Call { thinks, says, calls },
            Move::Answer { words, skip: 0, turn },
        ]),
    ];
    let open = (1..3_usize).prop_map(|calls| Move::Call { thinks: false, says: false, calls });
    (prop::collection::vec(step, 0..5), prop::option::weighted(0.2, open))
        .prop_map(|(steps, open)| steps.into_iter().flatten().chain(open).collect())
}

/// A few steps with faults.
fn messy_steps() -> impl Strategy<Value = Vec<Move>> {
    let step = prop_oneof![
        3 => (1..30_usize).prop_map(Move::Prompt),
        2 => (1..30_usize).prop_map(Move::Say),
        5 => (any::<bool>(), any::<bool>(), 1..3_usize)
            .prop_map(|(thinks, says, calls)| Move::Call { thinks, says, calls }),
        5 => (1..60_usize, 0..2_usize, 0..2_usize)
            .prop_map(|(words, skip, turn)| Move::Answer { words, skip, turn }),
        1 => prop::sample::select(vec![Move::System, Move::Orphan, Move::Again, Move::Reuse]),
    ];
    prop::collection::vec(step, 0..8)
}

fn turns(steps: impl Strategy<Value = Vec<Move>> + Clone) -> impl Strategy<Value = Vec<Turn>> {
    let answer = prop_oneof![
        6 => Just(Answer::None),
        1 => Just(Answer::Fails),
        4 => (1..120_usize).prop_map(Answer::Words),
        1 => Just(Answer::CutOff),
        1 => Just(Answer::Late),
    ];
    let turn = (steps, answer).prop_map(|(moves, answer)| Turn { moves, answer });
    prop_oneof![2 => 1..8_usize, 1 => Just(50)]
        .prop_flat_map(move |count| prop::collection::vec(turn.clone(), count))
}

/// What is the same in all turns: the policies that take turns, the formats, whether there is a ledger.
fn setting() -> impl Strategy<Value = (Vec<Asked>, Vec<Shape>, bool)> {
    let shapes: Vec<Shape> = Shape::lists().collect();
    (prop::collection::vec(policies(), 1..4), prop::sample::subsequence(shapes, 3), any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(24), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_clean_talk_keeps_the_laws_however_often_it_is_folded(
        turns in turns(clean_steps().boxed()),
        (asked, shapes, pinned) in setting(),
    ) {
        for shape in shapes {
            let end = Session::new(shape, pinned).run(&turns, &asked)?;
            end.counts_everything_once()?;
        }
    }

    #[test]
    fn a_messy_talk_keeps_the_laws_however_often_it_is_folded(
        turns in turns(messy_steps().boxed()),
        (asked, shapes, pinned) in setting(),
    ) {
        // There a result that was lost may come into an entry that is folded by then.
        for shape in shapes.into_iter().filter(|&shape| shape != Shape::AiSdkUi) {
            Session::new(shape, pinned).run(&turns, &asked)?;
        }
    }
}

/// The laws above prove something only if the random talks come to what they are about.
#[test]
fn random_growth_comes_to_folds_upon_folds() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut sample = |count: usize| {
        let tree = (turns(clean_steps().boxed()), setting()).new_tree(&mut runner).expect("turns");
        let (turns, (asked, shapes, _)) = proptest::strategy::ValueTree::current(&tree);
        let ends = shapes
            .into_iter()
            .take(count)
            .map(|shape| Session::new(shape, true).run(&turns, &asked).expect("the laws hold"));
        ends.collect::<Vec<_>>()
    };
    let ends: Vec<Session> = (0..90).flat_map(|_| sample(1)).collect();
    let many = ends.iter().filter(|end| end.folds >= 10).count();
    let told: usize = ends.iter().map(|end| end.told).sum();
    let pins: usize = ends.iter().map(Session::pinned).sum();
    let trims: usize = ends.iter().map(|end| end.trims).sum();
    let came = format!("{many} sessions, {told} summaries, {pins} pins, {trims} trims");
    assert!(many >= 3 && told >= 1 && pins >= 20 && trims >= 20, "{came}");
}

/// A session that grows and is folded.
struct Session {
    shape: Shape,
    talk: Talk,
    /// The entries that are sent now.
    held: Vec<String>,
    ledger: Option<Ledger>,
    /// What the marker must say: entries, prompts and pairs that were folded, all folds together.
    folded: (usize, usize, usize),
    late: Option<NoteAnswer>,
    folds: usize,
    /// How many summaries were taken.
    told: usize,
    /// How many entries were trimmed.
    trims: usize,
    /// Whether a policy has thinking taken out.
    stripped: bool,
}

impl Session {
    fn new(shape: Shape, pinned: bool) -> Self {
        Self {
            shape,
            talk: Talk::default(),
            held: Vec::new(),
            ledger: pinned.then(|| Ledger::new(Options::default())),
            folded: (0, 0, 0),
            late: None,
            folds: 0,
            told: 0,
            trims: 0,
            stripped: false,
        }
    }

    fn run(mut self, turns: &[Turn], asked: &[Asked]) -> Result<Self, TestCaseError> {
        for (number, turn) in turns.iter().enumerate() {
            self.grow(&turn.moves);
            self.fold(turn.answer, asked[number % asked.len()])?;
        }
        Ok(self)
    }

    /// Goes on with the talk; every third prompt forbids something.
    fn grow(&mut self, moves: &[Move]) {
        let known = self.talk.entries.len();
        // What was left open is answered first, and where a result is put into the entry of its call, at once: that entry may
        // be folded by the next turn.
        let answer = [Move::Answer { words: 3, skip: 0, turn: 0 }];
        self.talk.go_on(&answer, self.shape);
        self.talk.go_on(moves, self.shape);
        if self.shape == Shape::AiSdkUi {
            self.talk.go_on(&answer, self.shape);
        }
        for (at, entry) in self.talk.entries.iter_mut().enumerate().skip(known) {
            if let (true, 0, [Piece::Text(text)]) =
                (entry.role == "user", at % 3, &mut entry.pieces[..])
            {
                text.push_str(&ban(at));
            }
        }
        self.held.extend(self.talk.texts(self.shape).skip(known));
    }

    fn read(&self, text: &str) -> Transcript {
        let options = ReadOptions { format: Some(self.shape.format()), ..ReadOptions::default() };
        formats::read(text.as_bytes(), options).expect("a written talk is read")
    }

    fn planner(transcript: &Transcript, ledger: Option<&mut Ledger>) -> Planner {
        let counts = Counts::of(transcript);
        match ledger {
            Some(ledger) => Planner::with_ledger(transcript, counts, ledger).0,
            None => Planner::new(transcript, counts),
        }
    }

    fn fold(&mut self, answer: Answer, asked: Asked) -> Result<(), TestCaseError> {
        let before = self.read(&format!("[{}]", self.held.join(",")));
        if let Some(ledger) = &mut self.ledger {
            // It is stored between two turns.
            *ledger = Ledger::from_json(&ledger.to_json(), Options::default()).expect("a ledger");
        }
        let planner = Self::planner(&before, self.ledger.as_mut());
        let policy = asked.of(planner.counts.total());
        let reply = self.reply(&before, &planner, &policy, answer);
        match fold_with(&before, &planner, &policy, &reply) {
            Outcome::Folded(folded) => self.take(&before, &planner, &policy, &folded),
            Outcome::Left(decision) => {
                prop_assert!(!matches!(decision, Decision::Fold(_)), "{decision:?}");
                Ok(())
            }
            Outcome::Refused(broken) => {
                let text = before.text();
                Err(TestCaseError::fail(format!(
                    "{:?}: {broken:?} by {policy:?} of {text}",
                    self.shape
                )))
            }
        }
    }

    /// What the host's model says about the fold that the policy asks for.
    fn reply(
        &mut self,
        before: &Transcript,
        planner: &Planner,
        policy: &Policy,
        answer: Answer,
    ) -> Reply {
        let trimming = Trimming::of(before, planner, policy);
        let (before, planner) = (&*trimming.transcript, &*trimming.planner);
        let Decision::Fold(plan) = &trimming.decision else { return Reply::None };
        if answer == Answer::None {
            return Reply::None;
        }
        let Ok(request) = NoteRequest::of(before, planner, plan, RequestOptions::default()) else {
            return Reply::Failed;
        };
        let (words, stop) = match answer {
            Answer::Words(words) => (words, Stop::Complete),
            _ => (4, Stop::Length),
        };
        let section = Section { text: "All went well so far. ".repeat(words), stop };
        let fresh = NoteAnswer { request: request.id.clone(), sections: vec![section] };
        let given = match answer {
            Answer::Fails => return Reply::Failed,
            Answer::Late => self.late.take().unwrap_or(fresh),
            _ => {
                self.late = Some(fresh.clone());
                fresh
            }
        };
        Reply::Checked(request.check(&given))
    }

    /// Holds a fold to the laws, and goes on with what it left.
    fn take(
        &mut self,
        before: &Transcript,
        planner: &Planner,
        policy: &Policy,
        folded: &Folded,
    ) -> Result<(), TestCaseError> {
        let at = format!("{:?} by {policy:?} of {}", self.shape, before.text());
        let check = Check { policy: Some(*policy), ..Check::default() };
        let proof = verify(before, planner, &folded.text, &check);
        prop_assert!(proof.holds(), "{:?}: {at}", proof.broken);
        let after = self.read(&folded.text);

        // Never larger, by the promise, by the report and counted anew.
        let total = planner.counts.total();
        let report = &folded.report;
        prop_assert!(report.after <= folded.fold.after, "{report:?} of {:?}: {at}", folded.fold);
        prop_assert!(folded.fold.after <= policy.budget, "{:?}: {at}", folded.fold);
        prop_assert!(folded.fold.after < total, "{:?}: {at}", folded.fold);
        let counted = Counts::of(&after).total();
        prop_assert!(counted <= report.after, "{counted} over {}: {at}", report.after);

        // What is kept is the end of the talk and every system entry, byte for byte; only where a note had to go into a
        // prompt is that one another, and where results are trimmed.
        let in_place = folded.fold.way == Way::InPlace;
        let strips = policy.thinking == Some(Thinking::Strip);
        let seat = folded.system.len();
        let kept = after.len() - seat - usize::from(!folded.merged && !in_place);
        let cut = before.len() - kept;
        for entry in cut + usize::from(folded.merged)..before.len() {
            let (was, is) =
                (before.entry_text(entry), after.entry_text(entry + after.len() - before.len()));
            let is_trimmed = folded.fold.trims.iter().any(|trim| trim.entry == entry);
            let is_cut = || trimmed(was, is) || strips && is_stripped(before, entry, &after);
            prop_assert!(if is_trimmed { is_cut() } else { was == is }, "{is} of {was}: {at}");
        }
        self.stripped |= strips;
        self.trims += folded.fold.trims.len();
        if in_place {
            self.hold(&after);
            return self.is_settled(&after, policy);
        }
        let all: Vec<String> = self.talk.texts(self.shape).collect();
        let first = all.len() - kept;
        for (entry, whole) in all.iter().enumerate().skip(first + usize::from(folded.merged)) {
            let is = after.entry_text(entry + after.len() - all.len());
            let is_known = is == whole || trimmed(whole, is) || self.stripped;
            prop_assert!(is_known, "{is} of {whole}: {at}");
        }
        let system = |entry: &Plain| entry.role == "system";
        let were: Vec<&String> =
            (0..first).filter(|&it| system(&self.talk.entries[it])).map(|it| &all[it]).collect();
        let are: Vec<&str> = (0..seat).map(|entry| after.entry_text(entry)).collect();
        prop_assert_eq!(are, were, "{}", at);

        // The cut is legal, so the live tail is there, and the newest rounds that the policy keeps.
        let entries = self.entries(before);
        let mut why = naive_cuts(&entries, before.wire())[cut].clone();
        why.retain(|(reason, _)| !strips || *reason != "detaches-thinking");
        prop_assert!(why.is_empty(), "{why:?} at {cut}: {at}");
        let model = |it: usize| entries[it].role == "assistant";
        let begins = |it: &usize| model(*it) && (*it == 0 || !model(it - 1));
        let rounds = (0..entries.len()).filter(begins).count();
        let left = (cut..entries.len()).filter(begins).count();
        prop_assert!(left >= policy.keep_recent.min(rounds), "{left} rounds are kept: {at}");

        // The marker tells every entry, prompt and pair once, all folds together.
        let note = Note::parse(&folded.note).expect("a note is read back");
        let is_old = |entry: &Plain| matches!(entry.role, "system" | "note");
        let (pairs, _, _) = naive_pairs(&entries);
        self.folded.0 += entries[..cut].iter().filter(|entry| !is_old(entry)).count();
        self.folded.1 += (0..cut).filter(|&it| opens(&entries, &pairs, it)).count();
        self.folded.2 +=
            pairs.iter().filter(|(call, result, _)| *call < cut && result.0 < cut).count();
        let told =
            (note.tally.entries as usize, note.tally.prompts as usize, note.tally.pairs as usize);
        prop_assert_eq!(told, self.folded, "{}", at);
        prop_assert_eq!(folded.text.matches("[Pinfold note, version 1]").count(), 1, "{}", at);
        for heading in
            ["It may be wrong; what else stands here", "found no room and is no longer here"]
        {
            prop_assert!(folded.note.matches(heading).count() <= 1, "{heading}: {at}");
        }

        self.folds += 1;
        self.told += usize::from(folded.report.summary.name() == "written");
        self.hold(&after);
        if self.ledger.is_some() {
            self.pins_stand_once(folded, first)?;
        }
        self.is_settled(&after, policy)
    }

    fn hold(&mut self, after: &Transcript) {
        self.held = (0..after.len()).map(|entry| after.entry_text(entry).to_string()).collect();
    }

    /// Every ban stands where it was said, or once in the ledger, word for word.
    fn pins_stand_once(&self, folded: &Folded, first: usize) -> Result<(), TestCaseError> {
        let end = folded.note.find("[End of the Pinfold note]").expect("a note ends");
        for (at, entry) in self.talk.entries.iter().enumerate() {
            let ban = ban(at);
            if entry.role == "user"
                && matches!(&entry.pieces[..], [Piece::Text(text)] if text.ends_with(&ban))
            {
                let found = folded.note[end..].matches(ban.trim()).count();
                prop_assert_eq!(found, usize::from(at < first), "{} in {}", ban, folded.note);
            }
        }
        Ok(())
    }

    /// How many bans the ledger holds.
    fn pinned(&self) -> usize {
        self.ledger.as_ref().map_or(0, |ledger| ledger.pins().len())
    }

    /// Twice in one turn gives what once gives.
    fn is_settled(&mut self, after: &Transcript, policy: &Policy) -> Result<(), TestCaseError> {
        let mut ledger = self.ledger.clone();
        let planner = Self::planner(after, ledger.as_mut());
        let again = fold_with(after, &planner, policy, &Reply::None);
        let is_left = matches!(again, Outcome::Left(_));
        prop_assert!(is_left, "{:?} by {policy:?}: {again:?} of {}", self.shape, after.text());
        Ok(())
    }

    /// The entries as they were read, with the note of an earlier fold under a role of its own.
    fn entries(&self, transcript: &Transcript) -> Vec<Plain> {
        let mut entries: Vec<Plain> =
            (0..transcript.len()).map(|at| plain(transcript, at)).collect();
        let seat = entries.iter().position(|entry| entry.role != "system");
        if let Some(seat) = seat.filter(|_| self.folds > 0) {
            if entries[seat].pieces.len() > 1 {
                entries[seat].pieces.remove(0);
            } else {
                entries[seat].role = "note";
            }
        }
        entries
    }

    /// In the end every entry, prompt and pair of a clean talk is kept once or was counted once.
    fn counts_everything_once(&self) -> Result<(), TestCaseError> {
        let entries = self.entries(&self.read(&format!("[{}]", self.held.join(","))));
        let (pairs, _, _) = naive_pairs(&entries);
        let is_old = |entry: &&Plain| !matches!(entry.role, "system" | "note");
        let kept = (
            entries.iter().filter(is_old).count(),
            (0..entries.len()).filter(|&it| opens(&entries, &pairs, it)).count(),
            pairs.len(),
        );
        let all = naive_pairs(&self.talk.entries).0.len();
        let prompts =
            self.talk.entries.iter().filter(|entry| entry.role == "user" && !carries(entry));
        prop_assert_eq!(self.folded.0 + kept.0, self.talk.entries.iter().filter(is_old).count());
        prop_assert_eq!(self.folded.1 + kept.1, prompts.count());
        prop_assert_eq!(self.folded.2 + kept.2, all);
        Ok(())
    }
}

/// Whether an entry is that of `before` without its thinking, and with results that are as they were or cut down.
fn is_stripped(before: &Transcript, entry: usize, after: &Transcript) -> bool {
    let mut was = plain(before, entry).pieces;
    let is = plain(after, entry + after.len() - before.len()).pieces;
    was.retain(|piece| !matches!(piece, Piece::Thinking(_)));
    let alike = |(was, is): (&Piece, &Piece)| match (was, is) {
        (Piece::Result(id, was), Piece::Result(of, is)) => {
            id == of && (was == is || trimmed(was, is))
        }
        _ => was == is,
    };
    was.len() == is.len() && was.iter().zip(&is).all(alike)
}

fn ban(at: usize) -> String {
    format!("\n\nNever push to main{at}.")
}

fn carries(entry: &Plain) -> bool {
    entry.pieces.iter().any(|piece| matches!(piece, Piece::Result(..)))
}

/// Whether an entry is a prompt that opens an exchange: not one that is wedged between a call and its result.
fn opens(entries: &[Plain], pairs: &[(usize, (usize, usize), String)], at: usize) -> bool {
    let wedges = |(call, result, _): &&(usize, (usize, usize), String)| *call < at && at < result.0;
    entries[at].role == "user" && !carries(&entries[at]) && !pairs.iter().any(|pair| wedges(&pair))
}
