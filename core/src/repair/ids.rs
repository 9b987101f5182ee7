//! New ids: made from the old ones, so that the same transcript gets the same ids, and never two alike.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};

use crate::note::hash;
use crate::provider::Provider;

/// The form that a provider demands of a call's id.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Form {
    /// Characters beside letters and digits.
    also: &'static str,
    /// The most characters.
    longest: usize,
    /// The beginning that is demanded.
    prefix: &'static str,
    /// Whether the length is `longest` exactly.
    exact: bool,
}

/// The form of a client call's ids; a server call's have a prefix.
pub(crate) fn form(provider: Provider, server: bool) -> Form {
    let form = |also, longest| Form { also, longest, prefix: "", exact: false };
    match provider {
        Provider::Anthropic if server => Form { prefix: "srvtoolu_", ..form("_", 64) },
        Provider::Bedrock => form("_.:-", 64),
        Provider::Mistral => Form { exact: true, ..form("", 9) },
        Provider::OpenAiChat => form("_-", 40),
        _ => form("_-", 64),
    }
}

impl Form {
    /// Whether `id` has this form.
    pub(crate) fn fits(self, id: &str) -> bool {
        let length = id.chars().count();
        let rest = id.strip_prefix(self.prefix);
        let plain = |c: char| c.is_ascii_alphanumeric() || self.also.contains(c);
        rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(plain))
            && (length == self.longest || length < self.longest && !self.exact)
    }

    /// An id of this form for the call that was called `old`, unlike all of `taken`, to which it is added.
    pub(crate) fn fresh(self, old: &str, taken: &mut BTreeSet<String>) -> String {
        let plain =
            |c: char| if c.is_ascii_alphanumeric() || self.also.contains(c) { c } else { '_' };
        // An id that a reader made up for want of one says nothing worth keeping.
        let kept: String = if self.exact || old.starts_with('#') || old.is_empty() {
            String::new()
        } else {
            old.chars().map(plain).filter(|c| self.also.contains(*c) || *c != '_').collect()
        };
        let kept = kept.strip_prefix(self.prefix).unwrap_or(&kept).to_string();
        for attempt in 0_u32.. {
            let digest = hash(&[old, &attempt.to_string()]);
            let candidate = if self.exact {
                digest[..self.longest.min(16)].to_string()
            } else if kept.is_empty() {
                let name =
                    format!("call{}{digest}", if self.also.contains('_') { "_" } else { "" });
                self.within(&name, "")
            } else if attempt == 0 {
                self.within(&kept, "")
            } else if self.also.contains('_') {
                self.within(&kept, &format!("_{}", attempt + 1))
            } else {
                self.within(&kept, &digest)
            };
            if self.fits(&candidate) && taken.insert(candidate.clone()) {
                return candidate;
            }
        }
        String::new()
    }

    /// The prefix, as much of `name` as there is room for, and `tail`.
    fn within(self, name: &str, tail: &str) -> String {
        let room = self.longest - self.prefix.len() - tail.len().min(self.longest);
        // What had to be cut keeps a digest, lest two long ids become one.
        let name: String = if name.len() > room {
            let digest = &hash(&[name])[..8.min(room)];
            name.chars().take(room - digest.len()).chain(digest.chars()).collect()
        } else {
            name.into()
        };
        [self.prefix, &name, tail].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_take_the_form_and_stay_apart() {
        let mut taken = BTreeSet::new();
        let anthropic = form(Provider::Anthropic, false);
        for (old, new) in [
            ("toolu_1", "toolu_1"),
            ("toolu_1", "toolu_1_2"),
            ("functions.bash:3", "functions_bash_3"),
            ("functions.bash|3", "functions_bash_3_2"),
        ] {
            assert_eq!(anthropic.fresh(old, &mut taken), new, "{old}");
        }
        for (provider, server) in
            [(Provider::Mistral, false), (Provider::OpenAiChat, false), (Provider::Anthropic, true)]
        {
            let form = form(provider, server);
            let mut taken = BTreeSet::new();
            for old in
                ["", "#1.0", "a", "a", &"x".repeat(200), &"x".repeat(201), "数据", "srvtoolu_a"]
            {
                let new = form.fresh(old, &mut taken);
                assert!(form.fits(&new), "{old} became {new} for {provider:?}");
            }
            assert_eq!(taken.len(), 8);
        }
    }
}
