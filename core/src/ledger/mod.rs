//! The ledger: what binds the future is kept word for word.
//!
//! A summary keeps what the talk came back to. An instruction that was obeyed leaves no trace in the talk, so it is the first
//! thing that a summary loses. The ledger decides when a turn arrives, not when the window is full: the [`trigger`] flags
//! sentences that may bind, a model, a person or a policy says which do, and those are *pins* until they are retired.

mod block;
mod book;
mod bytes;
mod candidate;
mod classify;
mod conflict;
mod directory;
mod effects;
mod ends;
mod fold;
mod git;
mod handles;
mod heads;
mod heard;
mod letters;
mod lexicon;
mod listener;
mod literals;
mod markers;
mod pages;
mod pair;
pub mod pin;
mod quoted;
mod reader;
mod reading;
mod recognisers;
mod recorded;
mod restated;
mod retire;
mod rulebook;
mod saved;
mod select;
mod sentences;
mod shell;
mod standing;
pub mod state;
mod steps;
mod tools;
pub mod trigger;
mod words;

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

pub use block::{Block, Gone, Row};
pub(crate) use block::{CLOSING as BLOCK_CLOSING, OPENING as BLOCK_OPENING};
pub use candidate::{Candidate, Verdict};
pub use classify::{ClassifyRequest, Refusal, RefusalCode};
pub use conflict::Conflict;
pub(crate) use effects::{may_matter, only_looks};
pub(crate) use listener::Listener;
pub use pin::{Class, End, Evidence, Origin, Pin, Said, Seat, State, Topic};
pub(crate) use standing::verbatim;
pub use standing::{Share, Standing};
pub use state::Recogniser;
pub use trigger::{Sign, Trigger};

use candidate::decided_late;
use classify::{Answer, find};
use heard::{Heard, Question};
use rulebook::Rulebook;
use tools::Trail;

use crate::exchange::Structure;
use crate::note::hash;
use crate::transcript::{Finding, Transcript};

/// How a ledger works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which candidates become pins without anybody's word.
    pub accept: Accept,
    /// Whether a model is there to classify flagged turns; without one nothing is asked.
    pub classify: bool,
    /// Whether tool state is kept.
    pub tools: bool,
    /// Which pins a fold shows although their words are still in what it keeps.
    pub repeat: Repeat,
    /// The share of a budget that the ledger may take before it says so.
    pub share: f64,
    /// Recognisers of the caller's own tools.
    pub recognisers: Vec<Recogniser>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            accept: Accept::Prohibitions,
            classify: false,
            tools: true,
            repeat: Repeat::Folded,
            share: 0.25,
            recognisers: Vec::new(),
        }
    }
}

/// Which candidates become pins without anybody's word.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Accept {
    /// None.
    Nothing,
    /// Sentences with an unmistakable prohibition.
    Prohibitions,
}

/// Which pins a fold shows although their words are still there.
///
/// What is kept stands after the ledger, so nearer to the end: to say it again gains nothing. Only system text stands before
/// it, far from the end of a long request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Repeat {
    /// All of them.
    All,
    /// None: only those whose words were folded.
    Folded,
    /// Those of system text.
    System,
}

/// The standing conditions of a session, and what may become one.
#[derive(Clone, Debug)]
pub struct Ledger {
    options: Options,
    pins: Vec<Pin>,
    /// The place of each pin among them.
    by_id: BTreeMap<String, usize>,
    candidates: Vec<Candidate>,
    heard: Vec<Heard>,
    /// Retired pins of which an earlier fold's ledger tells, and up to which turn.
    gone: BTreeMap<String, u32>,
    books: Vec<Rulebook>,
    conflicts: Vec<Conflict>,
    /// Where a log or a prompt stated another directory or branch than the calls imply. What was seen once is told as long as
    /// the ledger lives, since its entry may be folded before anybody looks.
    drifts: Vec<Finding>,
    findings: Vec<Finding>,
    /// Whether a transcript was observed since it was read from JSON, so that it is known where things stand.
    placed: bool,
    /// How often it observed a whole transcript, so that a listener knows whether somebody else had it do so.
    passes: u32,
}

impl Default for Ledger {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Ledger {
    /// An empty ledger.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            pins: Vec::new(),
            by_id: BTreeMap::new(),
            candidates: Vec::new(),
            heard: Vec::new(),
            gone: BTreeMap::new(),
            books: Vec::new(),
            conflicts: Vec::new(),
            drifts: Vec::new(),
            findings: Vec::new(),
            placed: true,
            passes: 0,
        }
    }

    /// A ledger that has observed `transcript`, without a model.
    pub fn of(transcript: &Transcript, structure: &Structure) -> Self {
        let mut ledger = Self::default();
        ledger.observe(transcript, structure);
        ledger
    }

    /// Takes in what is new in `transcript` and finds again what is known: the pins of an earlier fold's ledger, prompts and
    /// system text, tool state. Gives a request for each new turn that a model should classify.
    pub fn observe(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
    ) -> Vec<ClassifyRequest> {
        self.observe_all(transcript, structure).0
    }

    /// The same, with what a listener must know to go on.
    fn observe_all(
        &mut self,
        transcript: &Transcript,
        structure: &Structure,
    ) -> (Vec<ClassifyRequest>, Option<Trail>) {
        self.passes = self.passes.wrapping_add(1);
        if let Some((_, note)) = &structure.note {
            self.inherit(&note.ledger);
        }
        let fresh = self.hear(transcript, structure);
        let asked = self.judge(fresh);
        self.keep_system(structure);
        let follows =
            self.options.tools || self.pins.iter().any(|pin| pin.class == Class::ToolState);
        let followed = follows.then(|| self.follow_tools(transcript, structure));
        self.find();
        self.contradict_all();
        (asked, followed)
    }

    /// Flags turns that were just heard. Gives the requests for those that a model should classify.
    fn judge(&mut self, fresh: impl IntoIterator<Item = usize>) -> Vec<ClassifyRequest> {
        let mut asked = Vec::new();
        for index in fresh {
            for (_, text) in &self.heard[index].texts {
                self.books.extend(rulebook::rulebooks(text, self.heard[index].turn));
            }
            let flagged = self.flag(index);
            if flagged && self.options.classify {
                self.heard[index].question = Question::Open;
                asked.push(index);
            }
        }
        asked.into_iter().map(|index| self.request(index)).collect()
    }

    /// The ledger that an earlier fold left in `transcript`, for one that nobody will ask: prompts are only heard if words
    /// in them are known to bind no longer.
    fn carried(
        options: Options,
        transcript: &Transcript,
        structure: &Structure,
        block: &Block,
    ) -> Self {
        let mut ledger = Self::new(options);
        ledger.inherit(block);
        if !ledger.gone.is_empty() {
            for index in ledger.hear(transcript, structure) {
                ledger.flag(index);
            }
        }
        if ledger.options.tools {
            ledger.follow_tools(transcript, structure);
        }
        ledger
    }

    /// The requests that are not answered yet.
    pub fn open(&self) -> Vec<ClassifyRequest> {
        let open =
            (0..self.heard.len()).filter(|&index| self.heard[index].question == Question::Open);
        open.map(|index| self.request(index)).collect()
    }

    /// Takes the answer of a model to the request `request`, as the JSON that it wrote. Returns the ids of its pins.
    ///
    /// # Errors
    /// A [`Refusal`]; nothing has changed then, and the request may be asked again.
    pub fn resolve(&mut self, request: &str, answer: &str) -> Result<Vec<String>, Refusal> {
        let Some(index) = self.heard.iter().position(|heard| heard.request == request) else {
            let says = alloc::format!(
                "Nothing was asked under the id {request:?}: take the id of a request that this ledger gave."
            );
            return Err(Refusal::new(RefusalCode::UnknownRequest, says));
        };
        let told = hash(&["answer", answer.trim()]);
        match &self.heard[index].question {
            Question::Open => {}
            Question::Answered(first) if *first == told => return Ok(Vec::new()),
            Question::Answered(_) => {
                let says =
                    alloc::format!("Request {request} was answered before; its answer stands.");
                return Err(Refusal::new(RefusalCode::AlreadyAnswered, says));
            }
            Question::None => {
                let says =
                    alloc::format!("Nothing was asked about turn {}.", self.heard[index].turn);
                return Err(Refusal::new(RefusalCode::UnknownRequest, says));
            }
        }
        let answer = Answer::read(answer)?;
        let texts: Vec<String> =
            self.heard[index].texts.iter().map(|(_, text)| text.clone()).collect();
        let mut places = Vec::new();
        for (class, words) in &answer.found {
            let (text, bytes) = find(&texts, words)?;
            places.push((*class, self.heard[index].texts[text].0, bytes));
        }
        let ends = self.ends(index, &answer.retires, &texts)?;
        self.heard[index].question = Question::Answered(told);
        let mut ids = Vec::new();
        for (class, part, bytes) in places {
            ids.push(self.classified(index, class, part, bytes));
        }
        self.settle(index, &ids);
        for (pin, evidence) in ends {
            self.end(pin, evidence);
        }
        self.contradict(&ids);
        self.forget();
        Ok(ids)
    }

    /// Pins words that a person or program chose: bytes of the readable text of part `part` of entry `entry`, as the
    /// transcript was observed last.
    ///
    /// # Errors
    /// A [`Refusal`] if there stands no prompt and no system text, or the range is no range of it.
    pub fn pin(
        &mut self,
        entry: usize,
        part: usize,
        bytes: Range<usize>,
        class: &str,
    ) -> Result<String, Refusal> {
        let class = classify::word_class(class)?;
        let found = self.heard.iter().position(|heard| heard.seat.entry() == Some(entry));
        let text = found.and_then(|index| self.heard[index].text(part));
        let (Some(index), Some(text)) = (found, text) else {
            let says = alloc::format!(
                "Part {part} of entry {entry} is no prompt and no system text: only what a person or the system said can be pinned."
            );
            return Err(Refusal::new(RefusalCode::NotAPrompt, says));
        };
        let Some(words) = text.get(bytes.clone()) else {
            let says = alloc::format!(
                "Bytes {} to {} are no range of that text, which has {} bytes.",
                bytes.start,
                bytes.end,
                text.len()
            );
            return Err(Refusal::new(RefusalCode::NotVerbatim, says));
        };
        if words.trim().is_empty() {
            let says = String::from("The words to pin are empty: choose some.");
            return Err(Refusal::new(RefusalCode::EmptyText, says));
        }
        let (words, said) = (words.to_string(), self.heard[index].said(index, part, bytes));
        let id = self.add(&words, said, class, Origin::Selected);
        self.contradict(core::slice::from_ref(&id));
        Ok(id)
    }

    /// The pins in the order in which they came, retired ones among them.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// The sentences that may bind, in the order in which they came.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Pins that a later prompt contradicts.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// What a reader must know: where a log's own record differs from what its calls imply, what system text was taken out.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How it works.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What a fold of the transcript that was observed last shows of it.
    pub fn standing(&self) -> Standing {
        Standing::of(self)
    }

    /// Takes the pins of an earlier fold's ledger.
    fn inherit(&mut self, block: &Block) {
        for Gone { id, turn } in &block.gone {
            let known = self.gone.entry(id.clone()).or_default();
            *known = (*known).max(*turn);
        }
        let decided = self.decided();
        for row in block.rows.iter().filter(|row| !row.system) {
            let id = Pin::id_of(row.topic, &row.text);
            if let Some(&pin) = self.by_id.get(&id) {
                self.pins[pin].times = self.pins[pin].times.max(row.times);
                continue;
            }
            let late = !row.confirmed && decided.binary_search(&id).is_ok();
            self.push(row.pin(id));
            if late {
                self.end(self.pins.len() - 1, decided_late());
            }
        }
    }

    /// Lets go of texts that were folded and about which nothing is asked.
    fn forget(&mut self) {
        for heard in &mut self.heard {
            if heard.seat == Seat::Folded && heard.question != Question::Open {
                heard.texts = Vec::new();
            }
        }
        self.forget_decided();
    }

    fn request(&self, index: usize) -> ClassifyRequest {
        let heard = &self.heard[index];
        let live = self.pins.iter().filter(|pin| pin.is_live() && pin.class != Class::ToolState);
        ClassifyRequest::new(heard.request.clone(), heard.turn, heard.message(), live)
    }

    /// Makes words of a turn a pin, or adds the place to the pin that they are. Returns its id.
    fn add(&mut self, words: &str, said: Said, class: Class, origin: Origin) -> String {
        let id = Pin::id_of(None, words);
        match self.by_id.get(&id) {
            Some(&pin) => self.pins[pin].say_again(said, class, origin),
            None => self.push(Pin {
                id: id.clone(),
                class,
                topic: None,
                text: words.to_string(),
                said: [said].into(),
                times: 1,
                origin,
                state: State::Live,
                evidence: None,
            }),
        }
        id
    }

    fn push(&mut self, pin: Pin) {
        self.by_id.insert(pin.id.clone(), self.pins.len());
        self.pins.push(pin);
    }
}
