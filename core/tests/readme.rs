//! What the README shows is what the code does.

use pinfold::note::Note;

#[test]
fn the_readmes_note_is_a_note_with_a_ledger() {
    let readme = include_str!("../../README.md");
    let start = readme.find("[Pinfold note").expect("the README shows a note");
    let end = readme[start..].find("\n```").expect("in a block of its own") + start;
    let note = Note::parse(&readme[start..end]);
    let note = note.expect("it has the exact form, seal included");
    assert_eq!((note.tally.pairs, note.lines.len(), note.ledger.rows.len()), (10, 9, 3));
}
