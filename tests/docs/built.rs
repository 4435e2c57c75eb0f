//! The book as mdBook builds it: without a warning, and with working links.
//!
//! Needs mdBook, which `.ci/run` installs. Only the form of external links is checked: CI has no network, and an
//! external page that moves is not a failure of a change here.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use html5ever::{parse_document, tendril::TendrilSink as _};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

#[test]
fn book_is_built_without_warnings_and_its_links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(mdbook(root))
        .arg("build")
        .arg("--dest-dir")
        .arg(folder.path())
        .current_dir(root)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{printed}");
    let is_remark = |line: &&str| line.contains("WARN") || line.contains("ERROR");
    let remarks: Vec<&str> = printed.lines().filter(is_remark).collect();
    assert!(remarks.is_empty(), "mdBook warns: {remarks:#?}");

    let pages = pages(folder.path());
    assert!(120 < pages.len(), "only {} pages", pages.len());
    let repository = repository(root);
    let mut broken = Vec::new();
    for (path, page) in &pages {
        for link in &page.links {
            if let Some(why) = why_broken(folder.path(), &pages, path, link, &repository) {
                broken.push(format!("{path}: {link}: {why}"));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "links that lead nowhere:\n{}",
        broken.join("\n")
    );
}

/// The relevant parts of a page.
#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    links: BTreeSet<String>,
}

/// The path of mdBook: where `.ci/run` puts it, or from the environment.
fn mdbook(root: &Path) -> PathBuf {
    let program = match env::var_os("MDBOOK") {
        Some(program) => PathBuf::from(program),
        None => root.join("target/tools/bin/mdbook"),
    };
    let hint = "install it with .ci/tools, or name one with MDBOOK";
    assert!(
        program.exists(),
        "there is no {}: {hint}",
        program.display()
    );
    program
}

/// The target of links to files outside of the book, as `.ci/book-links` creates them.
fn repository(root: &Path) -> String {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let (_, rest) = manifest.split_once("repository = \"").unwrap();
    format!("{}/blob/main/", rest.split('"').next().unwrap())
}

/// All pages of the book by path. The page for wrong addresses is not in any folder.
fn pages(book: &Path) -> BTreeMap<String, Page> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![book.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(book).unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "html")
                && !["404.html", "toc.html"].contains(&name)
            {
                let html = fs::read_to_string(&path).unwrap();
                let dom = parse_document(RcDom::default(), html5ever::ParseOpts::default());
                let mut page = Page::default();
                page.add(&dom.one(html).document);
                pages.insert(name.to_owned(), page);
            }
        }
    }
    pages
}

impl Page {
    fn add(&mut self, node: &Handle) {
        if let NodeData::Element { name, attrs, .. } = &node.data {
            for attribute in attrs.borrow().iter() {
                let value = attribute.value.to_string();
                match (&*name.local, &*attribute.name.local) {
                    (_, "id") => {
                        self.anchors.insert(value);
                    }
                    ("a" | "link", "href") | ("img" | "script", "src") => {
                        self.links.insert(value);
                    }
                    _ => {}
                }
            }
        }
        for child in node.children.borrow().iter() {
            self.add(child);
        }
    }
}

/// Why a link on the page `from` is broken; `None` if it works.
fn why_broken(
    book: &Path,
    pages: &BTreeMap<String, Page>,
    from: &str,
    link: &str,
    repository: &str,
) -> Option<String> {
    if let Some(file) = link.strip_prefix(repository) {
        let file = file.split('#').next().unwrap();
        let is_there = Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists();
        return (!is_there).then(|| "there is no such file in the repository".to_owned());
    }
    if let Some((scheme, rest)) = link.split_once("://") {
        let host = rest.split(['/', '#', '?']).next().unwrap();
        let is_well_formed = scheme == "https"
            && host.contains('.')
            && host
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-.".contains(c))
            && !rest.contains(|c: char| c.is_whitespace() || "<>\"`{}".contains(c));
        return (!is_well_formed).then(|| "it is no address of a public page".to_owned());
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() {
        from.to_owned()
    } else {
        resolve(from, file)
    };
    if !book.join(&target).is_file() {
        return Some("there is no such file".to_owned());
    }
    let is_there = anchor.is_empty()
        || pages
            .get(&target)
            .is_some_and(|page| page.anchors.contains(anchor));
    (!is_there).then(|| "there is no such heading".to_owned())
}

/// The path in the book of a relative link on the page `from`.
fn resolve(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
