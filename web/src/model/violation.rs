//! A violation in words.

use pinfold::rules::{Severity, Violation};
use pinfold::transcript::Transcript;

use super::number::counted;
use super::visible::one_line;

/// Ids that are named one by one.
const NAMED: usize = 8;
/// Characters of a provider's text that are shown.
const SAID: usize = 1200;

/// A violation as the page tells it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Told {
    pub(crate) code: &'static str,
    pub(crate) severity: Severity,
    pub(crate) entry: usize,
    /// Where it is: the entry, and the part where one of several is at fault.
    pub(crate) place: String,
    pub(crate) ids: String,
    /// Whose words these are.
    pub(crate) speaker: &'static str,
    /// The provider's own words.
    pub(crate) says: Option<String>,
    /// Whether it is refused with words that are not known.
    pub(crate) wordless: bool,
    pub(crate) help: &'static str,
}

impl Told {
    /// A violation of `transcript`.
    pub(crate) fn of(transcript: &Transcript, violation: &Violation) -> Self {
        let entry = violation.entry;
        let part = violation.part.filter(|_| transcript.parts(entry).len() > 1);
        Self {
            code: violation.code.name(),
            severity: violation.severity,
            entry,
            place: match part {
                Some(part) => format!("entry {entry}, part {}", part + 1),
                None => format!("entry {entry}"),
            },
            ids: listed(violation.ids.iter().map(|&id| transcript.id(id))),
            speaker: transcript.provider().title(),
            says: violation.says.as_ref().map(|says| one_line(says, SAID)),
            wordless: violation.says.is_none() && violation.severity == Severity::Error,
            help: violation.code.help(),
        }
    }
}

/// Ids in a row; those that the reader made up, for calls that came without one, tell a person nothing.
pub(super) fn listed<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    let given: Vec<&str> = ids.filter(|id| !id.starts_with('#')).collect();
    let named = given.iter().take(NAMED).map(|id| one_line(id, 64));
    let more = given.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("and {more} more"));
    named.chain(more).collect::<Vec<String>>().join(", ")
}

/// How many there are of each severity.
pub(crate) fn tally(violations: &[Violation]) -> String {
    let errors = violations.iter().filter(|it| it.severity == Severity::Error).count();
    let warnings = violations.len() - errors;
    let errors_told = counted(errors, "error", "errors");
    let warnings_told = counted(warnings, "warning", "warnings");
    match (errors, warnings) {
        (0, 0) => "none".into(),
        (_, 0) => errors_told,
        (0, _) => warnings_told,
        _ => format!("{errors_told}, {warnings_told}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Told, listed, tally};
    use crate::model::intake::{SAMPLES, Wish, load};

    #[test]
    fn a_violation_tells_what_the_provider_says() {
        let loaded = load(SAMPLES[1].source(), Wish::default()).expect("it is readable");
        let told = Told::of(&loaded.transcript, &loaded.violations[0]);
        assert_eq!(
            (told.code, &*told.place, &*told.ids),
            ("orphan-result", "entry 1", "call_k2Xw")
        );
        assert_eq!(told.speaker, "OpenAI Chat");
        assert!(told.says.expect("its text is known").contains("preceeding message"));
        assert!(!told.wordless);
        assert_eq!(tally(&loaded.violations), "4 errors");
        assert_eq!(tally(&[]), "none");
    }

    #[test]
    fn ids_are_listed_as_far_as_they_are_given_and_can_be_read() {
        assert_eq!(listed(["a", "#1.0", "b"].into_iter()), "a, b");
        assert_eq!(listed(["#1.0"].into_iter()), "");
        assert_eq!(listed(["x"; 11].into_iter()), "x, x, x, x, x, x, x, x, and 3 more");
    }
}
