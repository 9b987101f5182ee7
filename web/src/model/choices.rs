//! What can be chosen about how a transcript is read and judged, in words.

use pinfold::provider::{Family, Provider};
use pinfold::rules::Mode;
use pinfold::transcript::Format;

use super::loaded::Loaded;
use super::visible::one_line;

/// Every format, by what kind of thing it is.
pub(crate) fn groups() -> [(&'static str, Vec<Format>); 2] {
    let (logs, messages) = Format::ALL.into_iter().partition(|format| format.is_log());
    [("Messages", messages), ("Logs and recordings", logs)]
}

/// What detection says, and how sure it is.
pub(crate) fn detected(loaded: &Loaded) -> String {
    match &loaded.detected {
        Some(found) if found.confidence < 0.5 => format!("{} (a guess)", found.format.title()),
        Some(found) => {
            format!("{} (detected, {:.0} %)", found.format.title(), found.confidence * 100.0)
        }
        None => "Detect the format".into(),
    }
}

const CLAUDE: &[Family] =
    &[Family::ClaudeManual, Family::ClaudeAdaptive, Family::ClaudePreserved, Family::Unknown];

/// The families of models that a provider's rules tell apart; none where they make no difference.
pub(crate) fn families(provider: Provider) -> &'static [Family] {
    match provider {
        Provider::Anthropic | Provider::Bedrock => CLAUDE,
        Provider::Gemini => &[Family::Gemini2, Family::Gemini3, Family::Unknown],
        Provider::OpenAiResponses => &[Family::GptReasoning, Family::Unknown],
        _ => &[],
    }
}

/// A family in words that say what depends on it.
pub(crate) fn family(family: Family) -> &'static str {
    match family {
        Family::ClaudeManual => "Claude, prefill allowed",
        Family::ClaudeAdaptive => "Claude, no prefill",
        Family::ClaudePreserved => "Claude, thinking bound to its place",
        Family::Gemini2 => "Gemini, calls unsigned",
        Family::Gemini3 => "Gemini, calls signed",
        Family::GptReasoning => "GPT that reasons",
        _ => "not known",
    }
}

/// The model as the transcript tells it.
pub(crate) fn model(loaded: &Loaded) -> String {
    let request = loaded.transcript.request();
    let named = request.model.as_deref();
    let known = match loaded.wish.family {
        None => request.family,
        Some(_) => named.map(Family::of).unwrap_or_default(),
    };
    match (named, known) {
        (None, Family::Unknown) => "not named".into(),
        (None, known) => family(known).into(),
        (Some(name), Family::Unknown) => one_line(name, 40),
        (Some(name), known) => format!("{} ({})", one_line(name, 40), family(known)),
    }
}

/// What it is judged as, after the name of the judge.
pub(crate) fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Log => "as a log",
        Mode::Request => "as about to be sent",
    }
}

/// What it means that nothing was found.
pub(crate) fn clean(provider: Provider, mode: Mode) -> String {
    let who = provider.title();
    let found = match provider {
        Provider::AiSdk | Provider::LangGraph => {
            format!("{who} would pass it on. That is its own check; the provider behind it has rules too.")
        }
        Provider::Telemetry => {
            "It is a record that is sent to nobody, so only what no provider would take is looked for.".into()
        }
        _ => format!("{who} would take it as it is."),
    };
    match mode {
        Mode::Log => format!("{found} As a log it may end unfinished."),
        Mode::Request => found,
    }
}

#[cfg(test)]
mod tests {
    use pinfold::provider::{Family, Provider};
    use pinfold::rules::{Code, Mode};
    use pinfold::transcript::Format;

    use super::{detected, families, family, groups, model};
    use crate::model::intake::{SAMPLES, Source, Wish, load};

    fn of(text: &str, wish: Wish) -> crate::model::loaded::Loaded {
        let source = Source { name: "test".into(), bytes: text.as_bytes().into() };
        load(source, wish).expect("it is readable")
    }

    #[test]
    fn every_format_is_in_one_group() {
        let [(_, messages), (_, logs)] = groups();
        assert_eq!(messages.len() + logs.len(), Format::ALL.len());
        assert!(messages.contains(&Format::Gemini) && logs.contains(&Format::ClaudeCode));
    }

    #[test]
    fn detection_says_how_sure_it_is_even_when_overruled() {
        let talk = r#"[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]"#;
        let guessed = of(talk, Wish::default());
        assert_eq!(detected(&guessed), "OpenAI Chat (a guess)");
        let told = of(talk, Wish { format: Some(Format::Anthropic), ..Wish::default() });
        assert_eq!(told.transcript.format(), Format::Anthropic);
        assert_eq!(detected(&told), "OpenAI Chat (a guess)");
        let sure = load(SAMPLES[0].source(), Wish::default()).expect("it is readable");
        assert_eq!(detected(&sure), "Anthropic Messages (detected, 100 %)");
    }

    #[test]
    fn a_told_provider_family_and_use_judge() {
        let prefill = r#"{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#;
        let send = Wish { mode: Mode::Request, ..Wish::default() };
        let codes = |wish| {
            let found = of(prefill, wish).violations.into_iter();
            found.map(|violation| violation.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(Wish { format: Some(Format::Anthropic), ..send }), []);
        let adaptive =
            Wish { format: Some(Format::Anthropic), family: Some(Family::ClaudeAdaptive), ..send };
        assert_eq!(codes(adaptive), [Code::TailRole]);
        assert_eq!(codes(Wish { mode: Mode::Log, ..adaptive }), []);
        let told = of(prefill, adaptive);
        assert_eq!(model(&told), "claude-sonnet-4-5 (Claude, prefill allowed)");
    }

    #[test]
    fn a_provider_that_does_not_fit_another_transcript_is_let_go() {
        let chat = SAMPLES[1].text;
        let mistral = Wish { provider: Some(Provider::Mistral), ..Wish::default() };
        assert_eq!(of(chat, mistral).transcript.provider(), Provider::Mistral);
        let other = of(SAMPLES[0].text, mistral);
        assert_eq!((other.transcript.provider(), other.wish.provider), (Provider::Anthropic, None));
    }

    #[test]
    fn families_are_told_where_rules_depend_on_them() {
        assert!(families(Provider::OpenAiChat).is_empty());
        for &provider in &Provider::ALL {
            let named: Vec<&str> = families(provider).iter().map(|&it| family(it)).collect();
            let known = named.iter().filter(|&&name| name != "not known").count();
            assert_eq!(known + 1, named.len().max(1), "{provider:?}: {named:?}");
        }
    }
}
