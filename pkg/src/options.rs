//! The options of every call, read by hand: a wrong one is answered by its name, its value and the way out.

use core::ops::Range;

use js_sys::{Array, Object};
use pinfold::formats::ReadOptions;
use pinfold::ledger::{self, Accept, End, Recogniser, Repeat, Topic};
use pinfold::plan::{Policy, Select};
use pinfold::provider::{Family, Provider};
use pinfold::rules::Mode;
use pinfold::thinking::Thinking;
use pinfold::transcript::Format;
use wasm_bindgen::prelude::{JsCast as _, JsValue};

use crate::fault::Fault;
use crate::note::Note;

/// The options of one call.
#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) read: ReadOptions,
    pub(crate) mode: Mode,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) fixed_tokens: Option<u32>,
    pub(crate) policy: Option<Policy>,
    /// Which ledger a fold shows, where the caller gives none.
    pub(crate) keep: Keep,
    /// The tokens that a summarising model can read and write at once.
    pub(crate) window: Option<u64>,
    /// What came of asking it.
    pub(crate) note: Option<Note>,
    /// What to convert to.
    pub(crate) to: Option<(Format, Option<Provider>)>,
}

/// Which ledger a fold shows, where the caller gives none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Keep {
    /// That of an earlier fold.
    Carried,
    /// One made on the spot, by the policy and from calls and results.
    #[default]
    Prohibitions,
}

/// How the caller counts.
#[derive(Debug)]
pub(crate) enum Tokens {
    /// By a function, which the TypeScript face calls.
    Function,
    /// One count for each entry.
    List(Vec<u32>),
}

/// A function that takes options.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call {
    Check,
    Compactor,
    Convert,
    Cuts,
    Fold,
    NoteRequest,
    Observe,
    Plan,
    Repair,
    Session,
    SessionFold,
    SessionNoteRequest,
    SessionPlan,
    Verify,
}

const READING: &[&str] = &["format", "pick", "provider", "model", "thinking", "previousResponseId"];
const COUNTING: &[&str] = &["tokens", "fixedTokens", FROZEN];
const FROZEN: &str = "frozen";
const POLICY: &[&str] = &[
    "budget",
    "window",
    "reserve",
    "trigger",
    "target",
    "lookback",
    "overshoot",
    "quiet",
    "hard",
    "minGain",
    "keepRecent",
    "keptThinking",
    "noteShare",
    "select",
    "recent",
];

const ASKING: &[&str] = &["classify", "classifyTimeoutMs", "summarise", "summariseTimeoutMs"];
const WINDOW: &str = "summariserWindow";
const LEDGER: &[&str] = &["accept", "classify", "tools", "repeat", "share", "recognisers"];

impl Call {
    /// The call of that name.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "check" => Self::Check,
            "compactor" => Self::Compactor,
            "convert" => Self::Convert,
            "cuts" => Self::Cuts,
            "fold" => Self::Fold,
            "noteRequest" => Self::NoteRequest,
            "observe" => Self::Observe,
            "plan" => Self::Plan,
            "repair" => Self::Repair,
            "Session" => Self::Session,
            _ => Self::Verify,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Compactor => "compactor",
            Self::Convert => "convert",
            Self::Cuts => "cuts",
            Self::Fold => "fold",
            Self::NoteRequest => "noteRequest",
            Self::Observe => "observe",
            Self::Plan => "plan",
            Self::Repair => "repair",
            Self::Session => "Session",
            Self::SessionFold => "session.fold",
            Self::SessionNoteRequest => "session.noteRequest",
            Self::SessionPlan => "session.plan",
            Self::Verify => "verify",
        }
    }

    fn takes(self) -> Vec<&'static str> {
        match self {
            Self::Check | Self::Repair => [READING, &["mode"]].concat(),
            Self::Convert => [READING, &["to"]].concat(),
            Self::Cuts | Self::Observe => READING.to_vec(),
            Self::Session => [READING, &[FROZEN]].concat(),
            Self::SessionFold => [POLICY, &["note"]].concat(),
            Self::SessionNoteRequest => [POLICY, &[WINDOW]].concat(),
            Self::SessionPlan => POLICY.to_vec(),
            Self::Plan | Self::Verify => [READING, COUNTING, POLICY, &["ledger"]].concat(),
            Self::Fold => [READING, COUNTING, POLICY, &["ledger", "note"]].concat(),
            Self::NoteRequest => [READING, COUNTING, POLICY, &["ledger", WINDOW]].concat(),
            Self::Compactor => [READING, COUNTING, POLICY, &["ledger", WINDOW], ASKING].concat(),
        }
    }
}

impl Options {
    /// The options that `value` holds for `call`.
    pub(crate) fn read(call: Call, value: &JsValue) -> Result<Self, Fault> {
        let given = Given::of(call.name(), &call.takes(), value)?;
        for name in ["classify", "summarise"] {
            given.read(name, |it| it.is_function().then_some(()), || "a function".into())?;
        }
        let time = |it: &JsValue| it.as_f64().filter(|&it| it >= 0.0);
        for name in ["classifyTimeoutMs", "summariseTimeoutMs"] {
            given.read(name, time, || "a number of milliseconds".into())?;
        }
        Ok(Self {
            read: ReadOptions {
                format: given.word("format", &Format::ALL.map(|it| (it.name(), it)))?,
                pick: given.whole("pick", "a transcript's number", u32::MAX.into())?,
                provider: given.word("provider", &Provider::ALL.map(|it| (it.name(), it)))?,
                family: given.text("model", "the name of a model")?.map(|name| Family::of(&name)),
                continues: given.continues()?,
                thinking: given.flag("thinking")?,
                frozen: given.entries(FROZEN)?,
            },
            mode: given
                .word("mode", &[("log", Mode::Log), ("request", Mode::Request)])?
                .unwrap_or_default(),
            tokens: given.value("tokens").map(Tokens::read).transpose()?,
            fixed_tokens: given.whole("fixedTokens", "a number of tokens", u32::MAX.into())?,
            policy: given.policy()?,
            keep: given.keep()?,
            window: given.whole(WINDOW, "a number of tokens", MAX_SAFE)?,
            note: given.value("note").map(Note::read).transpose()?,
            to: given.target()?,
        })
    }

    /// What to convert to, which no conversion can do without.
    pub(crate) fn to_or_missing(&self) -> Result<(Format, Option<Provider>), Fault> {
        self.to.ok_or_else(|| {
            let message = "The option `to` is missing: give the name of a format or of a provider.";
            Fault::option(message.into())
        })
    }

    /// The policy of a call that cannot do without one.
    pub(crate) fn policy_or_missing(&self) -> Result<Policy, Fault> {
        self.policy.ok_or_else(no_budget)
    }
}

impl Tokens {
    fn read(value: &JsValue) -> Result<Self, Fault> {
        if value.is_function() {
            return Ok(Self::Function);
        }
        if !Array::is_array(value) {
            return Err(Fault::option(format!(
                "The option `tokens` is {}: give a list with one number of tokens for each entry, or a function from \
                 an entry to its number.",
                describe(value)
            )));
        }
        Self::list("tokens, number ", value)
    }

    /// The counts in the list `value`; an error calls them `what` and their place.
    pub(crate) fn list(what: &str, value: &JsValue) -> Result<Self, Fault> {
        let counts = value.unchecked_ref::<Array>().iter().enumerate();
        let counts = counts.map(|(at, count)| match whole_number(&count, u32::MAX.into()) {
            Some(count) => Ok(count as u32),
            None => Err(Fault::option(format!(
                "The option `tokens` is wrong: {what}{at} is {}. Give a whole number, 0 to {}.",
                describe(&count),
                u32::MAX
            ))),
        });
        counts.collect::<Result<_, _>>().map(Self::List)
    }
}

/// The members of an options object.
pub(crate) struct Given(Vec<(String, JsValue)>);

/// The largest number up to which JavaScript counts without gaps.
pub(crate) const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

impl Given {
    /// The members of `value`, of which `who` takes those that are named.
    pub(crate) fn of(who: &str, takes: &[&str], value: &JsValue) -> Result<Self, Fault> {
        if value.is_undefined() {
            return Ok(Self(Vec::new()));
        }
        if !value.is_object() || Array::is_array(value) {
            return Err(Fault::option(format!(
                "The options of {who} are {}: give an object, or nothing.",
                describe(value)
            )));
        }
        let mut members = Vec::new();
        for member in Object::entries(value.unchecked_ref()).iter() {
            let member: Array = member.unchecked_into();
            let name = member.get(0).as_string().unwrap_or_default();
            if !takes.contains(&&*name) {
                return Err(Fault::unknown_option(format!(
                    "There is no option `{name}`: {who} takes {}.",
                    takes.join(", ")
                )));
            }
            members.push((name, member.get(1)));
        }
        Ok(Self(members))
    }

    /// The value of an option; `undefined` is none.
    fn value(&self, name: &str) -> Option<&JsValue> {
        let found = self.0.iter().find(|(member, _)| member == name);
        found.map(|(_, value)| value).filter(|value| !value.is_undefined())
    }

    /// Whether the request goes on with a conversation that the provider stores: the id of a response, or `true`.
    fn continues(&self) -> Result<bool, Fault> {
        let read = |value: &JsValue| {
            value.as_bool().or_else(|| value.as_string().map(|id| !id.is_empty()))
        };
        let wanted = || "the id of a response, or true".into();
        Ok(self.read("previousResponseId", read, wanted)?.unwrap_or(false))
    }

    /// What to convert to: a format, or a provider and the format it takes.
    fn target(&self) -> Result<Option<(Format, Option<Provider>)>, Fault> {
        let formats = Format::ALL.into_iter().map(|format| (format.name(), (format, None)));
        let providers = Provider::ALL.into_iter().map(|it| (it.name(), (it.wire(), Some(it))));
        let names: Vec<_> =
            formats.filter(|(_, (format, _))| !format.is_log()).chain(providers).collect();
        self.word("to", &names)
    }

    /// Which ledger to show. A ledger of the caller's own stays with the TypeScript face.
    fn keep(&self) -> Result<Keep, Fault> {
        let read = |value: &JsValue| match value.as_string() {
            Some(word) => (word == "prohibitions").then_some(Keep::Prohibitions),
            None => (value.as_bool() == Some(false)).then_some(Keep::Carried),
        };
        let wanted = || "a Ledger of this package, \"prohibitions\", or false".into();
        Ok(self.read("ledger", read, wanted)?.unwrap_or_default())
    }

    /// The caller's own recognisers of tool state.
    fn recognisers(&self) -> Result<Vec<Recogniser>, Fault> {
        let list = |value: &JsValue| Array::is_array(value).then(|| Array::from(value).to_vec());
        let wanted = || "a list of objects with tool, path and topic".into();
        let list = self.read("recognisers", list, wanted)?.unwrap_or_default();
        let read = |value: &JsValue| {
            let given = Given::of("a recogniser", &["tool", "path", "topic"], value)?;
            Ok(Recogniser {
                tool: given.needed("tool", "the name of a tool", JsValue::as_string)?,
                path: given.needed("path", "the path of an argument", JsValue::as_string)?,
                topic: given
                    .word("topic", &Topic::ALL.map(|it| (it.name(), it)))?
                    .ok_or_else(|| missing("topic", "what its text is"))?,
            })
        };
        list.iter().map(read).collect()
    }

    pub(crate) fn needed<T>(
        &self,
        name: &str,
        what: &str,
        read: impl Fn(&JsValue) -> Option<T>,
    ) -> Result<T, Fault> {
        self.read(name, read, || what.into())?.ok_or_else(|| missing(name, what))
    }

    fn text(&self, name: &str, what: &str) -> Result<Option<String>, Fault> {
        self.read(name, JsValue::as_string, || what.into())
    }

    fn policy(&self) -> Result<Option<Policy>, Fault> {
        let tokens = "a number of tokens";
        let budget = self.whole("budget", tokens, MAX_SAFE)?;
        let window = self.whole("window", tokens, MAX_SAFE)?;
        let reserve = self.whole("reserve", tokens, MAX_SAFE)?;
        let mut policy = match (budget, window) {
            (Some(_), Some(_)) => return Err(two_budgets()),
            (Some(_), None) if reserve.is_some() => return Err(no_window()),
            (Some(budget), None) => Policy::new(budget),
            (None, Some(window)) => Policy::of_window(window, reserve.unwrap_or(0)),
            (None, None) => {
                // The others say how to reach a budget, and mean nothing without one.
                let asked = POLICY.iter().any(|name| self.value(name).is_some());
                return if asked { Err(no_budget()) } else { Ok(None) };
            }
        };
        policy.trigger = self.whole("trigger", tokens, MAX_SAFE)?;
        policy.target = self.whole("target", tokens, MAX_SAFE)?;
        policy.lookback = self.share("lookback")?.unwrap_or(policy.lookback);
        policy.overshoot = self.flag("overshoot")?.unwrap_or(policy.overshoot);
        policy.quiet = self.flag("quiet")?.unwrap_or(policy.quiet);
        policy.hard = self.flag("hard")?.unwrap_or(policy.hard);
        policy.min_gain = self.whole("minGain", tokens, MAX_SAFE)?.unwrap_or(policy.min_gain);
        let rounds = self.whole("keepRecent", "a number of rounds", f64::from(u32::MAX))?;
        policy.keep_recent = rounds.map_or(policy.keep_recent, |rounds: u32| rounds as usize);
        let handling = [Thinking::Keep, Thinking::Strip, Thinking::DropBlock];
        policy.thinking = self.word("keptThinking", &handling.map(|it| (it.name(), it)))?;
        policy.note_share = self.share("noteShare")?.unwrap_or(policy.note_share);
        let select = [Select::Liveness, Select::Recency].map(|select| (select.name(), select));
        policy.select = self.word("select", &select)?.unwrap_or(policy.select);
        policy.recent = self.share("recent")?;
        Ok(Some(policy))
    }

    pub(crate) fn whole<T: FromWhole>(
        &self,
        name: &str,
        what: &str,
        most: f64,
    ) -> Result<Option<T>, Fault> {
        let read = |value: &JsValue| whole_number(value, most).map(T::from_whole);
        self.read(name, read, || format!("{what}, whole, 0 to {most}"))
    }

    fn entries(&self, name: &str) -> Result<usize, Fault> {
        let entries = self.whole(name, "a number of entries", u32::MAX.into())?;
        Ok(entries.map_or(0, |entries: u32| entries as usize))
    }

    fn share(&self, name: &str) -> Result<Option<f64>, Fault> {
        let read = |value: &JsValue| value.as_f64().filter(|share| (0.0..=1.0).contains(share));
        self.read(name, read, || "a share of the budget, 0 to 1".into())
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, Fault> {
        self.read(name, JsValue::as_bool, || "true or false".into())
    }

    fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, Fault> {
        let read = |value: &JsValue| {
            let word = value.as_string()?;
            words.iter().find(|(name, _)| *name == word).map(|(_, meaning)| *meaning)
        };
        self.read(name, read, || {
            let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
            format!("one of {}", names.join(", "))
        })
    }

    fn read<T>(
        &self,
        name: &str,
        read: impl Fn(&JsValue) -> Option<T>,
        wanted: impl Fn() -> String,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.value(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| {
            Fault::option(format!("The option `{name}` is {}: give {}.", describe(value), wanted()))
        })
    }
}

/// The options of a ledger.
pub(crate) fn ledger(value: &JsValue) -> Result<ledger::Options, Fault> {
    let given = Given::of("a ledger", LEDGER, value)?;
    let own = ledger::Options::default();
    let accept = [("prohibitions", Accept::Prohibitions), ("nothing", Accept::Nothing)];
    let repeat = [("folded", Repeat::Folded), ("system", Repeat::System), ("all", Repeat::All)];
    Ok(ledger::Options {
        accept: given.word("accept", &accept)?.unwrap_or(own.accept),
        classify: given.flag("classify")?.unwrap_or(own.classify),
        tools: given.flag("tools")?.unwrap_or(own.tools),
        repeat: given.word("repeat", &repeat)?.unwrap_or(own.repeat),
        share: given.share("share")?.unwrap_or(own.share),
        recognisers: given.recognisers()?,
    })
}

/// What somebody chose to pin, and where.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) entry: usize,
    pub(crate) part: Option<usize>,
    pub(crate) selection: Selection,
}

/// What to pin of a text.
#[derive(Debug)]
pub(crate) enum Selection {
    /// Its UTF-16 units from one to the other.
    Span(Range<usize>),
    /// These words.
    Words(String),
}

/// The place and the words that `value` names.
pub(crate) fn place(value: &JsValue) -> Result<Place, Fault> {
    let given = Given::of("pin", &["entry", "part", "span", "text"], value)?;
    let number = |value: &JsValue| whole_number(value, u32::MAX.into()).map(usize::from_whole);
    let span = |value: &JsValue| {
        let ends = Array::is_array(value).then(|| Array::from(value))?;
        let both =
            (ends.length() == 2).then(|| Some((number(&ends.get(0))?, number(&ends.get(1))?)));
        both.flatten().map(|(start, end)| start..end)
    };
    let span = given.read("span", span, || "a list of two offsets in UTF-16 units".into())?;
    let text = given.text("text", "the words to pin")?;
    let selection = match (span, text) {
        (Some(span), None) => Selection::Span(span),
        (None, Some(text)) => Selection::Words(text),
        _ => {
            let message =
                "What to pin is not said: give either the option `text` or the option `span`.";
            return Err(Fault::option(message.into()));
        }
    };
    let part = given.read("part", number, || "the number of a part".into())?;
    Ok(Place { entry: given.needed("entry", "the number of an entry", number)?, part, selection })
}

/// How a pin ends, and the words that say so.
pub(crate) fn end(value: &JsValue) -> Result<(End, String), Fault> {
    const ENDS: [End; 5] =
        [End::Answered, End::Completed, End::Fulfilled, End::Revoked, End::Superseded];
    let given = Given::of("retire", &["end", "quote"], value)?;
    let end = given.word("end", &ENDS.map(|it| (it.name(), it)))?;
    let end = end.ok_or_else(|| missing("end", "how it ends"))?;
    Ok((end, given.needed("quote", "the words that say so", JsValue::as_string)?))
}

/// The id of a request, a candidate or a pin.
pub(crate) fn id(what: &str, value: &JsValue) -> Result<String, Fault> {
    value.as_string().ok_or_else(|| {
        Fault::option(format!("The {what} is {}: give its id, which is a text.", describe(value)))
    })
}

/// The class that a pin gets, by default a constraint.
pub(crate) fn class(value: &JsValue) -> Result<String, Fault> {
    if value.is_undefined() {
        return Ok(ledger::Class::Constraint.name().into());
    }
    value.as_string().ok_or_else(|| {
        let shown = describe(value);
        Fault::option(format!(
            "The class is {shown}: give constraint, commitment or open-question."
        ))
    })
}

/// A kind of whole number that options hold.
pub(crate) trait FromWhole {
    /// The number, which is known to be within the kind's range.
    fn from_whole(number: f64) -> Self;
}

impl FromWhole for u32 {
    fn from_whole(number: f64) -> Self {
        number as Self
    }
}

impl FromWhole for u64 {
    fn from_whole(number: f64) -> Self {
        number as Self
    }
}

impl FromWhole for usize {
    fn from_whole(number: f64) -> Self {
        number as Self
    }
}

fn no_budget() -> Fault {
    missing("budget", "the most tokens that the request may have, or `window`, those of the model")
}

fn two_budgets() -> Fault {
    Fault::option("There are two budgets, the options `budget` and `window`: give one.".into())
}

fn no_window() -> Fault {
    missing("window", "the tokens of the model, of which `reserve` are kept free")
}

fn missing(name: &str, what: &str) -> Fault {
    Fault::option(format!("The option `{name}` is missing: give {what}."))
}

fn whole_number(value: &JsValue, most: f64) -> Option<f64> {
    value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=most).contains(number))
}

/// A value as an error message shows it.
pub(crate) fn describe(value: &JsValue) -> String {
    const SHOWN: usize = 60;
    if let Some(text) = value.as_string() {
        let shown: String = text.chars().take(SHOWN).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        return format!("\"{shown}{more}\"");
    }
    if let Some(number) = value.as_f64() {
        // Rust has its own name for infinity.
        return number.to_string().replace("inf", "Infinity");
    }
    if let Some(flag) = value.as_bool() {
        return flag.to_string();
    }
    let kind = if value.is_null() {
        "null"
    } else if value.is_undefined() {
        "undefined"
    } else if value.is_bigint() {
        "a BigInt"
    } else if value.is_symbol() {
        "a symbol"
    } else if value.is_function() {
        "a function"
    } else if Array::is_array(value) {
        "a list"
    } else {
        "an object"
    };
    kind.into()
}
