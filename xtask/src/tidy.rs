//! Tests on the files of the repository that no compiler reads.

#![cfg(test)]

use std::fs;

use crate::run;

/// The two commands that the README promises, and CI runs one of them.
const PROMISED: [&str; 2] = ["cargo xtask serve", "cargo xtask test"];

#[test]
fn the_readme_names_the_two_commands() {
    let Ok(readme) = fs::read_to_string(run::root().join("README.md")) else { return };
    let commands: Vec<&str> = commands(&readme);
    for promised in PROMISED {
        assert!(
            commands.contains(&promised),
            "README.md has no line `{promised}` in a block of code"
        );
    }
}

#[test]
fn lock_files_name_no_registry() {
    for folder in ["pkg", "web"] {
        let lock = fs::read_to_string(run::root().join(folder).join("package-lock.json"))
            .expect("the lock file is part of the repository");
        assert!(
            !lock.contains("\"resolved\""),
            "{folder}/package-lock.json says where it was made"
        );
    }
}

/// The lines inside the fenced blocks of a Markdown text, without the shell's comments.
fn commands(markdown: &str) -> Vec<&str> {
    let blocks = markdown.split("\n```").skip(1).step_by(2);
    blocks
        .flat_map(str::lines)
        .map(|line| line.split_once(" #").map_or(line, |(command, _)| command).trim())
        .collect()
}
