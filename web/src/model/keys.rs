//! Keys, and what they do. Every one of them is a button of the page too.

/// What a key asks for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Action {
    /// The next or the previous entry.
    Entry(Step),
    /// The next or the previous legal cut.
    LegalCut(Step),
    /// The next or the previous violation.
    Violation(Step),
    /// Put the cursor into the find field.
    Find,
    /// Show the help.
    Help,
}

/// Which way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Step {
    /// Towards the end.
    Next,
    /// Towards the beginning.
    Previous,
}

/// A key, what it does, and how the help says it.
pub(crate) const KEYS: [(&str, Action, &str); 8] = [
    ("j", Action::Entry(Step::Next), "Next entry"),
    ("k", Action::Entry(Step::Previous), "Previous entry"),
    ("]", Action::LegalCut(Step::Next), "Next legal cut"),
    ("[", Action::LegalCut(Step::Previous), "Previous legal cut"),
    ("n", Action::Violation(Step::Next), "Next violation"),
    ("p", Action::Violation(Step::Previous), "Previous violation"),
    ("/", Action::Find, "Find in texts, tool names and ids"),
    ("?", Action::Help, "This help"),
];

/// What `key` asks for, unless it is typed into a field.
pub(crate) fn action(key: &str, typing: bool) -> Option<Action> {
    let found = KEYS.iter().find(|(name, ..)| *name == key);
    found.filter(|_| !typing).map(|&(_, action, _)| action)
}

#[cfg(test)]
mod tests {
    use super::{Action, KEYS, Step, action};

    #[test]
    fn keys_act_unless_they_are_typed() {
        assert_eq!(action("j", false), Some(Action::Entry(Step::Next)));
        assert_eq!(action("j", true), None);
        assert_eq!(action("x", false), None);
    }

    #[test]
    fn no_key_does_two_things() {
        for (index, (key, ..)) in KEYS.iter().enumerate() {
            assert!(KEYS[..index].iter().all(|(other, ..)| other != key), "{key}");
        }
    }
}
