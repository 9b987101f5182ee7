//! Keys, and what they do. Every one of them is a button of the page too.

use pinfold::ledger::Class;

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

/// What a key asks for on an item of the ledger.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Deed {
    /// To the next or the previous item.
    Walk(Step),
    /// Make the candidate a pin.
    Accept,
    /// Say that it does not bind.
    Dismiss,
    /// Choose the class that the candidate gets.
    Class(Class),
    /// Retire the pin.
    Retire,
    /// Take the last step back.
    Undo,
}

/// A key on an item of the ledger, what it does, and how the help says it.
pub(crate) const DEEDS: [(&str, Deed, &str); 9] = [
    ("j", Deed::Walk(Step::Next), "Next candidate or pin"),
    ("k", Deed::Walk(Step::Previous), "Previous candidate or pin"),
    ("a", Deed::Accept, "Accept: the candidate becomes a pin"),
    ("d", Deed::Dismiss, "Dismiss: it does not bind"),
    ("c", Deed::Class(Class::Constraint), "As a constraint"),
    ("m", Deed::Class(Class::Commitment), "As a commitment"),
    ("q", Deed::Class(Class::OpenQuestion), "As an open question"),
    ("r", Deed::Retire, "Retire the pin, with its evidence"),
    ("u", Deed::Undo, "Take the last step back"),
];

/// What `key` asks for on an item of the ledger.
pub(crate) fn deed(key: &str) -> Option<Deed> {
    match key {
        "ArrowDown" => Some(Deed::Walk(Step::Next)),
        "ArrowUp" => Some(Deed::Walk(Step::Previous)),
        key => DEEDS.iter().find(|(name, ..)| *name == key).map(|&(_, deed, _)| deed),
    }
}

/// What `key` asks for, unless it is typed into a field.
pub(crate) fn action(key: &str, typing: bool) -> Option<Action> {
    let found = KEYS.iter().find(|(name, ..)| *name == key);
    found.filter(|_| !typing).map(|&(_, action, _)| action)
}

#[cfg(test)]
mod tests {
    use super::{Action, DEEDS, Deed, KEYS, Step, action, deed};

    #[test]
    fn keys_act_unless_they_are_typed() {
        assert_eq!(action("j", false), Some(Action::Entry(Step::Next)));
        assert_eq!(action("j", true), None);
        assert_eq!(action("x", false), None);
    }

    #[test]
    fn the_ledger_has_its_own_keys() {
        assert_eq!(deed("a"), Some(Deed::Accept));
        assert_eq!(deed("ArrowUp"), Some(Deed::Walk(Step::Previous)));
        assert_eq!(deed("n"), None);
    }

    #[test]
    fn no_key_does_two_things() {
        for (index, (key, ..)) in KEYS.iter().enumerate() {
            assert!(KEYS[..index].iter().all(|(other, ..)| other != key), "{key}");
        }
        for (index, (key, ..)) in DEEDS.iter().enumerate() {
            assert!(DEEDS[..index].iter().all(|(other, ..)| other != key), "{key}");
        }
    }
}
