//! The page of the rules, `docs/rules.md`, written from the tables that the core judges by. It is made here and not in the
//! core, so that what only the page needs is in no package.

use core::fmt::Write as _;

use pinfold::provider::Provider;
use pinfold::rules::{self, Rule};

/// Where the page stands in the repository.
pub(crate) const PATH: &str = "docs/rules.md";

const INTRODUCTION: &str = "\
# The rules of every provider

<!-- Written by `cargo xtask rules` from the tables in core/src/rules. Change them, not this page. -->

This is everything that `check` looks for: one section a provider, one row a rule.

**Severity.** An `error` is refused by the provider.
A `warning` is something whose answer is not known or depends on the model, or that a library lets pass although no
provider would take it.

**What the provider says** is its own text, as it was probed, run or quoted in public, and never a guess.
`{entry}` and `{part}` stand for the numbers of the message and of the block in it, counted from 0, `{ids}` for the ids
that the violation is about, and other names for what the row speaks of; a violation has them filled in.
A text whose beginning or end is not known is given as far as it is, and `…` stands for a middle that is not.
Where the column is empty, no text is known well enough to be put into the provider's mouth.

**Source** says how a rule is known.
";

/// The page.
pub(crate) fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for provider in Provider::ALL {
        let _ = write!(
            page,
            "\n## {}\n\n`{}`\n\n| code | severity | what breaks it | what the provider says | source |\n|---|---|---|---|---|\n",
            provider.title(),
            provider.name()
        );
        for rule in rules::rules(provider) {
            row(&mut page, rule);
        }
    }
    page
}

fn row(page: &mut String, rule: &Rule) {
    let says = rule.says.map(code).unwrap_or_default();
    let _ = writeln!(
        page,
        "| `{}` | {} | {} | {says} | {} |",
        rule.code.name(),
        rule.severity.name(),
        rule.breach.replace('|', "\\|"),
        rule.source.replace('|', "\\|"),
    );
}

/// A text as code in a cell. A backtick within it asks for two around it, and a line break for a piece of its own.
fn code(text: &str) -> String {
    let lines = text.split('\n').filter(|line| !line.is_empty());
    let lines = lines.map(|line| format!("`` {} ``", line.replace('|', "\\|")));
    lines.collect::<Vec<_>>().join("<br>")
}
