//! Uploaded files, and where a paginated listing goes on.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::book::{Book, Quote};
use super::pair::{Pair, texts};
use super::pin::{End, Topic};
use crate::json::{Node, Object};
use crate::pairing::Place;

/// The live ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    files: BTreeMap<String, usize>,
    /// The cursors by the listing that they are of, and by their values.
    listings: BTreeMap<String, Cursor>,
    values: BTreeMap<String, usize>,
}

#[derive(Clone, Debug)]
struct Cursor {
    told: usize,
    value: String,
}

/// Members of a result that say where its listing goes on.
const NEXT: [&str; 14] = [
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "next_token",
    "nextToken",
    "NextToken",
    "next_page",
    "nextPage",
    "continuation_token",
    "continuationToken",
    "NextContinuationToken",
    "end_cursor",
    "endCursor",
];

/// Members that may also say something else: they count where the call asked for a page.
const VAGUE: [&str; 3] = ["cursor", "after", "next"];

/// Arguments that ask for a page. They are not part of what the listing is of.
const PAGING: [&str; 24] = [
    "cursor",
    "after",
    "next_cursor",
    "nextCursor",
    "start_cursor",
    "startCursor",
    "starting_after",
    "page",
    "page_token",
    "pageToken",
    "next_token",
    "nextToken",
    "NextToken",
    "next_page_token",
    "nextPageToken",
    "continuation_token",
    "continuationToken",
    "ContinuationToken",
    "page_size",
    "pageSize",
    "per_page",
    "perPage",
    "limit",
    "first",
];

/// What begins the names of tools whose results are what somebody else has written; what stands in them, unless the tool
/// lists or searches such.
const QUOTING: [&str; 13] = [
    "agent", "browse", "cat", "diff", "edit", "fetch", "grep", "open", "read", "scrape", "spawn",
    "task", "view",
];
const QUOTED: [&str; 5] = ["content", "file", "resource", "url", "web"];

impl Pages {
    /// Takes over a state of an earlier fold.
    pub(super) fn inherit(&mut self, topic: Topic, told: usize, text: &str) {
        match topic {
            Topic::File => self.files.insert(text.into(), told),
            _ => self.values.insert(text.into(), told),
        };
    }

    /// Takes in a call that went well, of a tool that is no shell.
    pub(super) fn tool(&mut self, pair: &Pair<'_>, book: &mut Book) {
        let name = pair.name.to_ascii_lowercase();
        if name.starts_with("upload")
            || name.ends_with("upload")
            || pair.full_name == "files.create"
        {
            for id in file_ids(pair) {
                self.add_file(&id, pair.result, book);
            }
        } else if ["delete", "remove"].iter().any(|word| name.contains(word)) {
            self.delete_files(pair, book);
        } else if !quotes(&name) {
            self.page(pair, book);
        }
    }

    pub(super) fn add_file(&mut self, id: &str, place: Place, book: &mut Book) {
        if !self.files.contains_key(id) {
            let told = book.tell(Topic::File, id, place);
            self.files.insert(id.into(), told);
        }
    }

    fn delete_files(&mut self, pair: &Pair<'_>, book: &mut Book) {
        if self.files.is_empty() {
            return;
        }
        let members = Node::parse(pair.arguments()).map(Node::object).unwrap_or_default();
        for words in members.iter().flat_map(|(_, node)| texts(node)) {
            if let Some(told) = self.files.remove(&*words) {
                let quote = Quote { words: &words, entry: pair.call.entry };
                book.end(told, End::Completed, quote);
            }
        }
    }

    /// Takes in what may be a page of a listing.
    fn page(&mut self, pair: &Pair<'_>, book: &mut Book) {
        let arguments = Node::parse(pair.arguments()).map(Node::object).unwrap_or_default();
        let asks = PAGING.iter().any(|name| arguments.has(name));
        let raw = pair.raw();
        let ends = [super::pair::head(raw, 2048), pair.tail()];
        let hints = ["ursor", "oken", "next", "after"];
        let hinted =
            raw.len() < 4096 || hints.iter().any(|hint| ends.iter().any(|end| end.contains(hint)));
        if !hinted && !asks && self.listings.is_empty() {
            return;
        }
        let members = pair.members();
        let next = next(&members, asks);
        let used = arguments.iter().filter(|(name, _)| PAGING.contains(name));
        let used =
            used.filter_map(|(_, node)| value(node)).find(|used| self.values.contains_key(&**used));
        let listing = listing(pair, &arguments);
        if next.is_none() && used.is_none() && !self.listings.contains_key(&listing) {
            return;
        }
        if used.is_none() && !pair.text().trim_start().starts_with('{') {
            // No object: it says nothing of where the listing goes on.
            return;
        }
        self.turn(listing, used.as_deref(), next.as_deref(), pair, book);
    }

    /// A page was read: the cursor that led to it is used up, and the next one takes its place.
    fn turn(
        &mut self,
        listing: String,
        used: Option<&str>,
        next: Option<&str>,
        pair: &Pair<'_>,
        book: &mut Book,
    ) {
        let mut over: Vec<usize> =
            used.and_then(|used| self.values.remove(used)).into_iter().collect();
        if let Some(cursor) = self.listings.get(&listing) {
            if next == Some(&*cursor.value) && used.is_none() {
                return;
            }
            over.push(cursor.told);
        }
        if let Some(before) = self.listings.remove(&listing) {
            self.values.remove(&before.value);
        }
        let entry = pair.result.entry;
        let end = if next.is_some() { End::Superseded } else { End::Completed };
        let words = next.unwrap_or_else(|| pair.first_line());
        for told in over {
            book.end(told, end, Quote { words, entry });
        }
        if let Some(next) = next {
            self.add_cursor(listing, next, pair.result, book);
        }
    }

    fn add_cursor(&mut self, listing: String, value: &str, place: Place, book: &mut Book) {
        let told = book.tell(Topic::Cursor, value, place);
        self.values.insert(value.into(), told);
        self.listings.insert(listing, Cursor { told, value: value.into() });
    }

    /// A caller's recogniser has found, or not found, where the listing goes on.
    pub(super) fn next_of(&mut self, next: Option<&str>, pair: &Pair<'_>, book: &mut Book) {
        let arguments = Node::parse(pair.arguments()).map(Node::object).unwrap_or_default();
        let used = arguments.iter().filter_map(|(_, node)| value(node));
        let used = used.into_iter().find(|used| self.values.contains_key(&**used));
        let listing = listing(pair, &arguments);
        self.turn(listing, used.as_deref(), next, pair, book);
    }
}

fn quotes(name: &str) -> bool {
    let lists = ["list", "search", "find", "query"].iter().any(|word| name.starts_with(word));
    QUOTING.iter().any(|word| name.starts_with(word))
        || !lists && QUOTED.iter().any(|word| name.contains(word))
}

/// What a listing is of: the tool, and its arguments without those that ask for a page.
fn listing(pair: &Pair<'_>, arguments: &Object<'_>) -> String {
    let mut listing = String::from(&*pair.full_name);
    for (name, node) in arguments.iter().filter(|(name, _)| !PAGING.contains(name)) {
        for piece in ["\n", name, "=", node.raw()] {
            listing.push_str(piece);
        }
    }
    listing
}

/// Where a result says that its listing goes on: in a member, or in a member of one of its members.
fn next<'a>(members: &Object<'a>, asks: bool) -> Option<Cow<'a, str>> {
    let ends = ["has_more", "hasMore", "has_next_page", "hasNextPage"];
    let is_last = |members: &Object<'a>| {
        ends.iter().any(|key| members.field(key).is_some_and(|node| node.raw() == "false"))
    };
    let in_object = |members: &Object<'a>| {
        if is_last(members) {
            return None;
        }
        let vague = VAGUE.iter().filter(|_| asks);
        NEXT.iter().chain(vague).find_map(|key| members.field(key).and_then(value))
    };
    if is_last(members) {
        return None;
    }
    in_object(members).or_else(|| {
        let inner = members.iter().filter(|(_, node)| node.is_object());
        inner.map(|(_, node)| node.object()).find_map(|inner| in_object(&inner))
    })
}

/// A cursor: a text, or a number.
fn value(node: Node<'_>) -> Option<Cow<'_, str>> {
    let text = node.string().or_else(|| node.integer().map(|_| Cow::Borrowed(node.raw())));
    text.filter(|text| !text.is_empty() && text.len() <= 4096)
}

/// The ids in the result of an upload.
fn file_ids(pair: &Pair<'_>) -> Vec<String> {
    let members = pair.members();
    let mut found = Vec::new();
    let lists = members
        .iter()
        .flat_map(|(_, node)| if node.is_array() { node.array() } else { Vec::from([node]) });
    let objects = lists.filter(|node| node.is_object()).map(Node::object);
    for object in core::iter::once(&members).chain(&objects.collect::<Vec<Object<'_>>>()) {
        let named = ["file_id", "fileId", "fileID"].iter().find_map(|key| object.string(key));
        let typed = ["id", "name", "uri"].iter().filter_map(|key| object.string(key));
        let id = named.or_else(|| typed.into_iter().find(|id| is_file_id(id)));
        found.extend(id.map(Cow::into_owned));
    }
    if found.is_empty() && !pair.text().trim_start().starts_with(['{', '[']) {
        let words = pair.first_line().split(|c: char| c.is_whitespace() || ",;:'\"()".contains(c));
        let words = words.map(|word| word.trim_end_matches('.')).filter(|word| is_file_id(word));
        found.extend(words.map(String::from));
    }
    found
}

/// Whether a text has the form of a file's id at OpenAI, Anthropic or Google.
fn is_file_id(text: &str) -> bool {
    let rest = ["file-", "file_", "files/"].iter().find_map(|start| text.strip_prefix(start));
    rest.is_some_and(|rest| {
        rest.len() >= 6 && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    })
}
