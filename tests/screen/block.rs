//! Blocks of a documentation page that the program generates, between a comment that names them and the end of the
//! fence below it.

use std::{env, fs};

/// Asserts that the block called `name` of `docs/watch.md` is `text`, or writes it if `UPDATE_GENERATED` is set.
#[track_caller]
pub(crate) fn check(name: &str, text: &str) {
    let (page, place) = find(name);
    let text = format!("{}\n", text.trim_end());
    if env::var_os("UPDATE_GENERATED").is_some() {
        let (before, after) = (&page[..place.start], &page[place.end..]);
        fs::write(PAGE, format!("{before}{text}{after}")).unwrap();
        return;
    }
    assert!(
        page[place.clone()] == text,
        "docs/watch.md: {name} is out of date: run UPDATE_GENERATED=1 cargo test --test screen\nit has:\n{}it should have:\n{text}",
        &page[place],
    );
}

/// The block's current text.
#[track_caller]
pub(crate) fn written(name: &str) -> String {
    let (page, place) = find(name);
    page[place].trim_end().to_owned()
}

#[track_caller]
fn find(name: &str) -> (String, std::ops::Range<usize>) {
    let page = fs::read_to_string(PAGE).unwrap().replace("\r\n", "\n");
    let mark = format!("<!-- {name}: made by a test -->\n");
    let begin = page.find(&mark).unwrap_or_else(|| panic!("no {mark:?}"));
    let fence = begin + mark.len();
    let start = fence + page[fence..].find('\n').unwrap() + 1;
    let end = start + page[start..].find("```\n").unwrap();
    assert!(page[fence..].starts_with("```"), "no fence after {mark:?}");
    (page, start..end)
}

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/watch.md");
