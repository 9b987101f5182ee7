//! Literals that conditions are made of: paths, globs, branches, addresses, versions and numbers, told by their shape.

use super::trigger::Sign;

/// What a run of characters without white space is; `None` for a word.
pub(super) fn literal(token: &str) -> Option<Sign> {
    if token.starts_with('<') && token.contains('>') {
        // A tag, and what it closes is no path.
        return None;
    }
    let shape = token.bytes().fold(0, |shape, byte| shape | SHAPES[byte as usize]);
    let has = |signs: u8| shape & signs != 0;
    if has(STAR) && is_glob(token.trim_start_matches(['(', '"', '\'', '“', '`'])) {
        return Some(Sign::Glob);
    }
    let token = bare(token);
    let stem = token.trim_end_matches('.');
    if has(COLON | DOT) && is_url(token) {
        Some(Sign::Url)
    } else if has(SLASH) && is_branch(stem) {
        Some(Sign::Branch)
    } else if has(SLASH | DOT | COLON) && is_path(stem) {
        Some(Sign::Path)
    } else if has(DIGIT) && is_version(stem) {
        Some(Sign::Version)
    } else {
        None
    }
}

/// `token` without the quotation marks and brackets around it, and without what ends a sentence.
fn bare(token: &str) -> &str {
    let mut token = token;
    // Most begin and end with what belongs to them.
    if !token.starts_with(|it: char| it.is_ascii_alphanumeric() || it == '/') {
        token = token.trim_start_matches(['(', '[', '{', '"', '\'', '“', '‘', '*', '`', '@', '=']);
    }
    if !token.ends_with(|it: char| it.is_ascii_alphanumeric()) {
        token = token.trim_end_matches([
            ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '>', '”', '’', '`',
        ]);
    }
    token
}

const STAR: u8 = 1;
const COLON: u8 = 2;
const DOT: u8 = 4;
const SLASH: u8 = 8;
const DIGIT: u8 = 16;

/// Which of the above a byte is: a literal without one of them is none.
const SHAPES: [u8; 256] = {
    let mut table = [0; 256];
    table[b'*' as usize] = STAR;
    table[b':' as usize] = COLON;
    table[b'.' as usize] = DOT;
    table[b'/' as usize] = SLASH;
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = DIGIT;
        digit += 1;
    }
    table
};

/// A file without the line that is named behind it (`a.rs:12:3`), and whether one is.
pub(super) fn without_line(token: &str) -> (&str, bool) {
    if !token.contains(':') {
        return (token, false);
    }
    let bare = token.trim_end_matches([')', ',', ':', '.']);
    let file = bare.trim_end_matches(|it: char| it.is_ascii_digit() || it == ':');
    let is_place = file.len() < bare.len()
        && bare.get(file.len()..).is_some_and(|it| it.starts_with(':'))
        && has_extension(file);
    if is_place { (file, true) } else { (token, false) }
}

/// Whether a run of characters is a number: digits with points, commas and their like between.
pub(super) fn is_number(token: &str) -> bool {
    let token = token.trim_matches(|it: char| !it.is_alphanumeric());
    token.starts_with(|it: char| it.is_ascii_digit())
        && token.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'.' | b',' | b'\'' | b'k'))
}

/// What a number is that has dots: an address, a version, or nothing else.
pub(super) fn dotted_number(token: &str) -> Option<Sign> {
    let token = bare(token).trim_end_matches('.');
    if is_address(token) { Some(Sign::Url) } else { is_version(token).then_some(Sign::Version) }
}

/// Whether a run of characters ends with a currency's sign.
pub(super) fn is_currency(token: &str) -> bool {
    token.ends_with(is_sign)
}

/// Whether a run of characters is a number with a currency's sign on one side.
pub(super) fn is_amount(token: &str) -> bool {
    let sign = token.find(is_sign);
    sign.is_some_and(|at| {
        let digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
        let mut behind = token[at..].chars();
        behind.next();
        digit(behind.next()) || digit(token[..at].chars().next_back())
    })
}

/// Whether a character is a currency's sign.
fn is_sign(letter: char) -> bool {
    matches!(letter, '$' | '€' | '£' | '¥' | '₩' | '₹' | '￥')
}

fn is_url(token: &str) -> bool {
    let (before, after) = at_first(token, b':');
    let scheme = after.starts_with("://")
        && before.len() > 1
        && before.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'+');
    scheme || is_address(token) || token.starts_with("www.") || token.starts_with("localhost:")
}

/// What stands before the first `sign`, an ASCII character, and the rest from there. Tokens are short: the standard
/// library's searches take longer to begin than this takes to end.
pub(super) fn at_first(token: &str, sign: u8) -> (&str, &str) {
    let at = token.bytes().position(|it| it == sign).unwrap_or(token.len());
    token.split_at(at)
}

/// Four numbers below 256.
fn is_address(token: &str) -> bool {
    if !token.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let (host, _) = at_first(token, b':');
    let host = at_first(host, b'/').0.trim_end_matches('.');
    let mut numbers = host.split('.');
    numbers.by_ref().take(4).filter(|it| it.parse::<u8>().is_ok()).count() == 4
        && numbers.next().is_none()
}

/// A star beside a slash or a dot; two stars around a word are emphasis.
fn is_glob(token: &str) -> bool {
    let bytes = token.as_bytes();
    bytes.windows(2).any(|pair| matches!(pair, [b'*', b'.' | b'/'] | [b'/', b'*']))
        && token.bytes().any(|it| it.is_ascii_alphanumeric())
}

fn is_branch(token: &str) -> bool {
    let (folder, name) = at_first(token, b'/');
    let is_usual = matches!(
        folder,
        "feature"
            | "feat"
            | "fix"
            | "bugfix"
            | "hotfix"
            | "release"
            | "releases"
            | "chore"
            | "refactor"
            | "origin"
            | "upstream"
            | "wip"
            | "spike"
            | "task"
            | "dependabot"
    );
    is_usual && name.len() > 1 && !has_extension(token)
}

fn is_path(token: &str) -> bool {
    let bytes = token.as_bytes();
    let word = |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    match bytes {
        [b'/', rest @ ..] | [b'.' | b'~', b'/', rest @ ..] | [b'.', b'.', b'/', rest @ ..] => {
            return word(rest.first()) || rest.first() == Some(&b'.');
        }
        // A dot file.
        [b'.', rest @ ..] if rest.len() > 1 && rest[0].is_ascii_lowercase() => return true,
        [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic() => return true,
        _ => {}
    }
    let mut slashes = bytes.iter().filter(|&&it| it == b'/');
    let many = slashes.nth(1).is_some() || token.ends_with('/');
    has_extension(token) || many && word(bytes.first())
}

/// Sorted.
const EXTENSIONS: [&str; 88] = [
    "bat",
    "bib",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "dart",
    "db",
    "doc",
    "docx",
    "env",
    "erl",
    "ex",
    "exs",
    "fs",
    "go",
    "gradle",
    "graphql",
    "h",
    "hpp",
    "hs",
    "html",
    "ini",
    "ipynb",
    "java",
    "jl",
    "jpg",
    "js",
    "json",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "lock",
    "log",
    "lua",
    "md",
    "mdx",
    "mjs",
    "ml",
    "pdf",
    "php",
    "pl",
    "png",
    "ppt",
    "pptx",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "r",
    "rb",
    "rs",
    "rst",
    "sass",
    "sc",
    "scala",
    "scss",
    "sh",
    "sql",
    "sqlite",
    "svelte",
    "svg",
    "swift",
    "tex",
    "tf",
    "tfvars",
    "toml",
    "ts",
    "tsv",
    "tsx",
    "txt",
    "vb",
    "vue",
    "xls",
    "xlsx",
    "xml",
    "yaml",
    "yml",
    "zip",
];

/// Whether a token ends like a file.
fn has_extension(token: &str) -> bool {
    let Some((stem, extension)) = token.rsplit_once('.') else { return false };
    !stem.is_empty()
        && extension.starts_with(|it: char| it.is_ascii_lowercase())
        && EXTENSIONS.binary_search(&extension).is_ok()
}

/// `1.2`, `v3`, `2.0.0-rc.1`, `>=3.9`.
fn is_version(token: &str) -> bool {
    let compared = token.trim_start_matches(['>', '<', '=', '^', '~']);
    let bare = compared.strip_prefix(['v', 'V']).unwrap_or(compared);
    let marked = bare.len() < token.len();
    let (numbers, _) = at_first(at_first(bare, b'-').0, b'+');
    let mut parts = 0;
    for part in numbers.as_bytes().split(|&it| it == b'.') {
        let short = (1..=5).contains(&part.len());
        if !(short && part.iter().all(u8::is_ascii_digit) || parts > 0 && part == b"x") {
            return false;
        }
        parts += 1;
        if parts > 6 {
            return false;
        }
    }
    parts > 1 || marked
}
