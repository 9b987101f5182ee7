//! Where a client states the directory and the branch anew in a prompt: an environment block, which it writes from its own
//! process and not from what the calls did.

/// The directory and the branch that the environment blocks of a text state.
pub(super) fn restated(text: &str) -> (Option<&str>, Option<&str>) {
    let (mut directory, mut branch) = (None, None);
    for (open, close) in BLOCKS {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(open) {
            let (block, after) = after.split_once(close).unwrap_or((after, ""));
            for line in block.lines().map(str::trim) {
                directory = stated(line, &DIRECTORY).or(directory);
                branch = stated(line, &BRANCH).or(branch);
            }
            rest = after;
        }
    }
    (directory, branch)
}

const BLOCKS: [(&str, &str); 3] =
    [("<env>", "</env>"), ("<environment_context>", "</environment_context>"), ("<git>", "</git>")];

const DIRECTORY: [(&str, &str); 4] = [
    ("Working directory:", ""),
    ("Primary working directory:", ""),
    ("Current working directory:", ""),
    ("<cwd>", "</cwd>"),
];

const BRANCH: [(&str, &str); 2] = [("Current branch:", ""), ("<branch>", "</branch>")];

fn stated<'a>(line: &'a str, forms: &[(&str, &str)]) -> Option<&'a str> {
    let line = line.trim_start_matches("- ");
    let found = forms.iter().find_map(|(start, end)| {
        let rest = line.strip_prefix(start)?;
        rest.strip_suffix(end).map(str::trim)
    });
    found.filter(|value| !value.is_empty())
}
