//! The page of the rules is what the tables say.

#[path = "../../xtask/src/rules.rs"]
mod page;

#[test]
fn the_page_is_what_the_tables_say() {
    let path = format!("{}/../{}", env!("CARGO_MANIFEST_DIR"), page::PATH);
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page::page(),
        "{} is not what the tables say: run `cargo xtask rules`",
        page::PATH
    );
}
