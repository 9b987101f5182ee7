//! The ledger as JSON: what a host stores between two requests, and a page exports.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;

use super::candidate::{Candidate, Verdict};
use super::conflict::{Clash, Conflict};
use super::heard::{Heard, Question};
use super::pin::{Class, End, Evidence, Origin, Pin, Said, Seat, State, Topic};
use super::rulebook::Rulebook;
use super::{Ledger, Options};
use crate::json::{Node, Object, quote};
use crate::transcript::{Finding, Weight};

const VERSION: u64 = 1;

impl Ledger {
    /// The whole ledger as JSON: the same ledger gives the same bytes.
    ///
    /// `{"pinfold":"ledger","version":1,"pins":[…],"candidates":[…],"heard":[…],"gone":[…],"books":[…],"conflicts":[…],"drifts":[…]}`. Spans are UTF-8 bytes
    /// (`bytes`) and UTF-16 units (`utf16`) of a part's readable text. Where it stands in a transcript is found anew when the
    /// ledger observes one.
    pub fn to_json(&self) -> String {
        let mut json = format!("{{\"pinfold\":\"ledger\",\"version\":{VERSION},\"pins\":");
        list(&mut json, &self.pins, pin);
        json.push_str(",\"candidates\":");
        list(&mut json, &self.candidates, candidate);
        json.push_str(",\"heard\":");
        list(&mut json, &self.heard, heard);
        json.push_str(",\"gone\":");
        let gone: Vec<(&String, &u32)> = self.gone.iter().collect();
        list(&mut json, &gone, |(id, turn)| format!("{{\"id\":{},\"turn\":{turn}}}", quote(id)));
        json.push_str(",\"books\":");
        list(&mut json, &self.books, |book| {
            let (path, hash) = (quote(&book.path), quote(&book.hash));
            format!("{{\"path\":{path},\"hash\":{hash},\"turn\":{}}}", book.turn)
        });
        json.push_str(",\"conflicts\":");
        list(&mut json, &self.conflicts, |conflict| {
            let (pin, text) = (quote(&conflict.pin), quote(&conflict.text));
            let (why, said) = (quote(conflict.why.name()), said(&conflict.said));
            format!("{{\"pin\":{pin},\"text\":{text},\"why\":{why},\"said\":{said}}}")
        });
        json.push_str(",\"drifts\":");
        list(&mut json, &self.drifts, |drift| {
            let (code, message) = (quote(drift.code), quote(&drift.message));
            format!("{{\"code\":{code},\"line\":{},\"message\":{message}}}", drift.line)
        });
        json.push('}');
        json
    }

    /// The ledger that [`Ledger::to_json`] wrote.
    ///
    /// # Errors
    /// When the text is no such ledger; the message names what is wrong. A pin whose id does not follow from its words was
    /// changed by hand, and is refused.
    pub fn from_json(json: &str, options: Options) -> Result<Self, String> {
        let node = Node::parse(json)
            .map_err(|at| format!("The ledger is not JSON: it breaks at byte {at}."))?;
        let members = node.object();
        if members.string("pinfold").as_deref() != Some("ledger") {
            return Err("The JSON is no ledger: it lacks \"pinfold\": \"ledger\".".into());
        }
        let version = members.field("version").and_then(Node::integer);
        if version != Some(VERSION) {
            return Err(format!(
                "The ledger is not of version {VERSION}: this Pinfold cannot read it."
            ));
        }
        let read = Reader { members };
        let mut ledger = Self {
            by_id: BTreeMap::new(),
            options,
            pins: read.list("pins", read_pin)?,
            candidates: read.list("candidates", read_candidate)?,
            heard: read.list("heard", read_heard)?,
            gone: read
                .list("gone", |gone| Some((text(gone, "id")?, turn(gone)?)))?
                .into_iter()
                .collect(),
            books: read.list("books", |book| {
                let (path, hash) = (text(book, "path")?, text(book, "hash")?);
                Some(Rulebook { path, hash, turn: turn(book)? })
            })?,
            conflicts: read.list("conflicts", |conflict| {
                Some(Conflict {
                    pin: text(conflict, "pin")?,
                    text: text(conflict, "text")?,
                    why: Clash::of_name(&conflict.string("why")?)?,
                    said: read_said(&conflict.field("said")?.object())?,
                })
            })?,
            drifts: read.list("drifts", read_drift)?,
            findings: Vec::new(),
            placed: false,
            passes: 0,
        };
        ledger.number_requests();
        for (place, pin) in ledger.pins.iter().enumerate() {
            if pin.id != Pin::id_of(pin.topic, &pin.text) {
                return Err(changed("pin", &pin.id));
            }
            if ledger.by_id.insert(pin.id.clone(), place).is_some() {
                return Err(format!("Pin {} stands in the ledger twice.", pin.id));
            }
        }
        let words = ledger.candidates.iter().find(|it| it.id != Pin::id_of(None, &it.text));
        words.map_or(Ok(()), |candidate| Err(changed("candidate", &candidate.id)))?;
        Ok(ledger)
    }
}

fn changed(what: &str, id: &str) -> String {
    format!("The words of {what} {id} are not those of its id: they were changed.")
}

fn list<T>(json: &mut String, items: &[T], write: impl Fn(&T) -> String) {
    json.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        json.push_str(&write(item));
    }
    json.push(']');
}

fn pin(pin: &Pin) -> String {
    let topic = pin.topic.map_or("null".into(), |topic| quote(topic.name()));
    let mut json = format!(
        "{{\"id\":{},\"class\":{},\"topic\":{topic},\"text\":{},\"times\":{},\"origin\":{},\"state\":{},\"evidence\":",
        quote(&pin.id),
        quote(pin.class.name()),
        quote(&pin.text),
        pin.times,
        quote(pin.origin.name()),
        quote(pin.state.name()),
    );
    match &pin.evidence {
        None => json.push_str("null"),
        Some(Evidence { end, quote: words, turn }) => {
            let (end, words) = (quote(end.name()), quote(words));
            let turn = turn.map_or("null".into(), |turn| turn.to_string());
            let _ = write!(json, "{{\"end\":{end},\"quote\":{words},\"turn\":{turn}}}");
        }
    }
    json.push_str(",\"said\":");
    list(&mut json, &pin.said, said);
    json.push('}');
    json
}

fn said(said: &Said) -> String {
    format!(
        "{{\"turn\":{},\"part\":{},\"bytes\":[{},{}],\"utf16\":[{},{}],\"heard\":{}}}",
        said.turn,
        said.part,
        said.bytes.start,
        said.bytes.end,
        said.utf16.start,
        said.utf16.end,
        said.heard.map_or("null".into(), |heard| heard.to_string()),
    )
}

fn candidate(candidate: &Candidate) -> String {
    format!(
        "{{\"id\":{},\"text\":{},\"signs\":{},\"verdict\":{},\"said\":{}}}",
        quote(&candidate.id),
        quote(&candidate.text),
        candidate.signs.bits(),
        quote(candidate.verdict.name()),
        said(&candidate.said),
    )
}

fn heard(heard: &Heard) -> String {
    let question = match &heard.question {
        Question::None => "null".into(),
        Question::Open => quote("open"),
        Question::Answered(hash) => quote(hash),
    };
    let mut json = format!(
        "{{\"key\":{},\"turn\":{},\"system\":{},\"question\":{question},\"texts\":",
        quote(&heard.key),
        heard.turn,
        heard.system,
    );
    // What was answered is in its pins; what is open must be there when the answer comes.
    let open = heard.question == Question::Open;
    let texts = if open { &heard.texts[..] } else { &[] };
    list(&mut json, texts, |(part, text)| format!("[{part},{}]", quote(text)));
    json.push('}');
    json
}

struct Reader<'a> {
    members: Object<'a>,
}

impl<'a> Reader<'a> {
    fn list<T>(
        &self,
        key: &str,
        read: impl Fn(&Object<'a>) -> Option<T>,
    ) -> Result<Vec<T>, String> {
        let list = self.members.field(key).filter(|list| list.is_array());
        let list = list.ok_or_else(|| format!("The ledger has no list `{key}`."))?.array();
        let items = list.into_iter().enumerate();
        items
            .map(|(index, item)| {
                read(&item.object()).ok_or_else(|| {
                    format!("Element {index} of `{key}` in the ledger cannot be read.")
                })
            })
            .collect()
    }
}

fn text(members: &Object<'_>, key: &str) -> Option<String> {
    Some(members.string(key)?.into_owned())
}

fn number(members: &Object<'_>, key: &str) -> Option<usize> {
    usize::try_from(members.field(key)?.integer()?).ok()
}

fn turn(members: &Object<'_>) -> Option<u32> {
    u32::try_from(members.field("turn")?.integer()?).ok()
}

fn range(members: &Object<'_>, key: &str) -> Option<Range<usize>> {
    let ends = members.field(key)?.array();
    let [start, end] = ends[..] else { return None };
    Some(usize::try_from(start.integer()?).ok()?..usize::try_from(end.integer()?).ok()?)
}

fn read_said(members: &Object<'_>) -> Option<Said> {
    Some(Said {
        turn: turn(members)?,
        seat: Seat::Folded,
        part: number(members, "part")?,
        bytes: range(members, "bytes")?,
        utf16: range(members, "utf16")?,
        heard: members.field("heard")?.integer().and_then(|heard| u32::try_from(heard).ok()),
    })
}

fn read_pin(members: &Object<'_>) -> Option<Pin> {
    let evidence = members.field("evidence").filter(|evidence| !evidence.is_null());
    let evidence = match evidence.map(Node::object) {
        None => None,
        Some(evidence) => Some(Evidence {
            end: End::of_name(&evidence.string("end")?)?,
            quote: text(&evidence, "quote")?,
            turn: turn(&evidence),
        }),
    };
    let said = members.field("said")?.array();
    let state = members.string("state")?;
    let is_retired = state == State::Retired.name();
    // A pin is retired with evidence and not otherwise.
    if said.is_empty() || is_retired != evidence.is_some() || !is_retired && state != "live" {
        return None;
    }
    Some(Pin {
        id: text(members, "id")?,
        class: Class::of_name(&members.string("class")?)?,
        topic: match members.string("topic") {
            None => None,
            Some(topic) => Some(Topic::of_name(&topic)?),
        },
        text: text(members, "text")?,
        said: said.into_iter().map(|said| read_said(&said.object())).collect::<Option<_>>()?,
        times: u32::try_from(members.field("times")?.integer()?).ok()?,
        origin: Origin::of_name(&members.string("origin")?)?,
        state: if is_retired { State::Retired } else { State::Live },
        evidence,
    })
}

fn read_drift(members: &Object<'_>) -> Option<Finding> {
    let code = members.string("code")?;
    let code = ["directory-differs", "branch-differs"].into_iter().find(|known| *known == code)?;
    let line = u32::try_from(members.field("line")?.integer()?).ok()?;
    Some(Finding {
        code,
        weight: Weight::Warning,
        offset: 0,
        line,
        message: text(members, "message")?,
    })
}

fn read_candidate(members: &Object<'_>) -> Option<Candidate> {
    Some(Candidate {
        id: text(members, "id")?,
        text: text(members, "text")?,
        signs: super::trigger::Signs::of_bits(u32::try_from(number(members, "signs")?).ok()?),
        said: read_said(&members.field("said")?.object())?,
        verdict: Verdict::of_name(&members.string("verdict")?)?,
    })
}

fn read_heard(members: &Object<'_>) -> Option<Heard> {
    let texts = members.field("texts")?.array();
    let texts = texts.into_iter().map(|text| {
        let pair = text.array();
        let [part, text] = pair[..] else { return None };
        Some((usize::try_from(part.integer()?).ok()?, text.string()?.into_owned()))
    });
    Some(Heard {
        key: text(members, "key")?,
        turn: turn(members)?,
        system: members.is_true("system"),
        seat: Seat::Folded,
        texts: texts.collect::<Option<_>>()?,
        question: match members.string("question") {
            None => Question::None,
            Some(open) if open == "open" => Question::Open,
            Some(hash) => Question::Answered(hash.into_owned()),
        },
        request: String::new(),
    })
}
