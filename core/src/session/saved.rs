//! A session as JSON: what a host stores between two runs. What follows from the text is not stored but made anew.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::Session;
use crate::formats::{ReadOptions, read};
use crate::json::{Node, quote};
use crate::ledger::{Ledger, Options};
use crate::provider::{Family, Provider};
use crate::transcript::Format;

const VERSION: u64 = 1;

impl Session {
    /// The whole session as JSON: the same session gives the same bytes.
    ///
    /// `{"pinfold":"session","version":1,"format":…,"provider":…,"family":…,"continues":…,"thinking":…,"frozen":…,"unsaid":[…],"text":…,"ledger":…}`.
    pub fn to_json(&self) -> String {
        let transcript = &self.transcript;
        let request = transcript.request();
        let mut json = format!("{{\"pinfold\":\"session\",\"version\":{VERSION}");
        let thinking = match request.thinking {
            None => "null",
            Some(true) => "true",
            Some(false) => "false",
        };
        let _ = write!(
            json,
            ",\"format\":{},\"provider\":{},\"family\":{},\"continues\":{},\"thinking\":{thinking},\"frozen\":{},\"unsaid\":[",
            quote(transcript.wire().name()),
            quote(transcript.provider().name()),
            quote(request.family.name()),
            request.continues,
            transcript.frozen(),
        );
        let unsaid = transcript.entries.iter().enumerate().filter(|(_, entry)| entry.unsaid);
        for (index, (entry, _)) in unsaid.enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(json, "{comma}{entry}");
        }
        let _ = write!(json, "],\"text\":{},\"ledger\":", quote(transcript.text()));
        json.push_str(&self.ledger.to_json());
        json.push('}');
        json
    }

    /// The session that [`Session::to_json`] wrote, with a ledger that works as `options` say.
    ///
    /// # Errors
    /// When the text is no such session; the message names what is wrong.
    pub fn from_json(json: &str, options: Options) -> Result<Self, String> {
        let node = Node::parse(json)
            .map_err(|at| format!("The session is not JSON: it breaks at byte {at}."))?;
        let members = node.object();
        if members.string("pinfold").as_deref() != Some("session") {
            return Err("The JSON is no session: it lacks \"pinfold\": \"session\".".into());
        }
        if members.field("version").and_then(Node::integer) != Some(VERSION) {
            return Err(format!(
                "The session is not of version {VERSION}: this Pinfold cannot read it."
            ));
        }
        let missing = |key: &str| format!("The session has no `{key}` that can be read.");
        let word = |key: &str| members.string(key).ok_or_else(|| missing(key));
        let named =
            |key: &str, name: &str| format!("The session's `{key}` is {name:?}, which is none.");
        let (format, provider, family) = (word("format")?, word("provider")?, word("family")?);
        let frozen = members.field("frozen").and_then(Node::integer);
        let frozen = frozen.ok_or_else(|| missing("frozen"))?;
        let options_of = ReadOptions {
            format: Some(Format::from_name(&format).ok_or_else(|| named("format", &format))?),
            pick: None,
            provider: Some(
                Provider::from_name(&provider).ok_or_else(|| named("provider", &provider))?,
            ),
            family: Some(Family::from_name(&family).ok_or_else(|| named("family", &family))?),
            continues: members.is_true("continues"),
            thinking: members.field("thinking").filter(|it| !it.is_null()).map(Node::is_true),
            frozen: frozen as usize,
        };
        let text = word("text")?;
        let mut transcript =
            read(text.as_bytes(), options_of).map_err(|error| format!("{error}"))?;
        if transcript.text() != text {
            return Err("The session's text is not the list of its entries: it was changed.".into());
        }
        let unsaid = members.field("unsaid").map(Node::array).ok_or_else(|| missing("unsaid"))?;
        let unsaid: Option<Vec<u64>> = unsaid.into_iter().map(Node::integer).collect();
        for entry in unsaid.ok_or_else(|| missing("unsaid"))? {
            let entry = usize::try_from(entry).ok().and_then(|at| transcript.entries.get_mut(at));
            entry.ok_or_else(|| missing("unsaid"))?.unsaid = true;
        }
        let ledger = members.field("ledger").ok_or_else(|| missing("ledger"))?;
        let ledger = Ledger::from_json(ledger.raw(), options)?;
        Ok(Self::of(transcript, ledger).0)
    }
}
