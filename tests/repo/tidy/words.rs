//! The words of CONTRIBUTING's style sheet, where a pattern can find what not to write.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use regex::Regex;
use syn::{Attribute, Item, LitStr};

use super::{assert_none, texts};

/// The prose of pages for users, without quotations and titles of other pages.
#[test]
fn pages_for_users_keep_to_the_style_sheet() {
    let quoted = Regex::new(r"`[^`]*`|\[[^\]]*\]\([^)]*\)").expect("a valid pattern");
    let avoided = any_of(&AVOIDED);
    let mut found = Vec::new();
    for (path, text) in ["docs/", "README"]
        .into_iter()
        .flat_map(|start| texts(start, ".md"))
    {
        let is_covered = path == "README.md"
            || path.starts_with("docs/algorithm/")
            || path.starts_with("docs/dev/")
            || path.starts_with("docs/questions/")
            || path.matches('/').count() == 1 && !NOT_YET.contains(&path.as_str());
        if !is_covered {
            continue;
        }
        let mut is_code = false;
        for (line, number) in text.lines().zip(1..) {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            } else if !is_code {
                let prose = quoted.replace_all(line, "…");
                let hits = avoided.find_iter(&prose);
                found.extend(hits.map(|hit| format!("{path}:{number}: {:?}", hit.as_str())));
            }
        }
    }
    assert_none("words that the style sheet replaces", &found);
}

/// The program's output: string literals outside of tests, and the help of the command line, which is in doc comments.
#[test]
fn texts_of_the_program_keep_to_the_style_sheet() {
    let avoided = any_of(&[&AVOIDED[..], &[r"n't\b"]].concat());
    let mut found = Vec::new();
    let mut literals = 0;
    for (path, text) in ["src/", "crates/"]
        .into_iter()
        .flat_map(|folder| texts(folder, ".rs"))
    {
        let is_test = path.contains("/tests") || path.contains("/benches/");
        if is_test || UPSTREAM.iter().any(|part| path.contains(part)) {
            continue;
        }
        let file = syn::parse_file(&text).expect("Rust");
        let with_help = path.contains("src/cli/") || path.ends_with("/connection/flags.rs");
        for literal in file.items.iter().flat_map(|item| strings(item, with_help)) {
            literals += 1;
            let is_upstream = LITERAL_TEXTS.iter().any(|text| literal.contains(text));
            for hit in avoided.find_iter(&literal) {
                if !is_upstream {
                    let literal = literal.split_whitespace().collect::<Vec<_>>().join(" ");
                    found.push(format!("{path}: {:?} in {literal:?}", hit.as_str()));
                }
            }
        }
    }
    assert!(5000 < literals, "{literals}");
    assert_none("words that the style sheet replaces", &found);
}

fn any_of(words: &[&str]) -> Regex {
    Regex::new(&format!("(?i)(?:{})", words.join("|"))).expect("a valid pattern")
}

/// The string literals of an item that is compiled into the program; doc comments only `with_help`.
fn strings(item: &Item, with_help: bool) -> Vec<String> {
    let attributes: &[Attribute] = match item {
        Item::Fn(one) => &one.attrs,
        Item::Mod(one) => &one.attrs,
        Item::Impl(one) => &one.attrs,
        _ => &[],
    };
    let is_for_tests = attributes.iter().any(|attribute| {
        let text = attribute.to_token_stream().to_string();
        text.contains("cfg (test") || text == "# [test]"
    });
    let mut found = Vec::new();
    if !is_for_tests {
        collect(item.to_token_stream(), with_help, &mut found);
    }
    found
}

fn collect(tokens: TokenStream, with_help: bool, found: &mut Vec<String>) {
    let mut follows_hash = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let is_doc = follows_hash && group.stream().to_string().starts_with("doc ");
                if !is_doc || with_help {
                    collect(group.stream(), with_help, found);
                }
                follows_hash = false;
            }
            TokenTree::Punct(punct) => follows_hash = punct.as_char() == '#',
            TokenTree::Literal(literal) => {
                follows_hash = false;
                let literal = TokenTree::Literal(literal).to_token_stream();
                found.extend(syn::parse2::<LitStr>(literal).map(|text| text.value()));
            }
            TokenTree::Ident(_) => follows_hash = false,
        }
    }
}

/// Folders with texts of the controller or the API server.
const UPSTREAM: [&str; 3] = [
    "hpa-engine/src/engine/",
    "hpa-engine/src/model/label_selector/",
    "hpa-objects/src/manifest/validation/",
];

/// Texts of kubectl, the name of a rule, and words in their literal sense: "too" much, "behind" time, a placeholder.
const LITERAL_TEXTS: [&str; 5] = [
    "couldn't find any field with path",
    "zero-behind-service",
    "down or far behind",
    ", too short",
    "({first}, {second} and {more} more){behind}",
];

/// Patterns, case-insensitive.
const AVOIDED: [&str; 20] = [
    r"\btold\b",
    r"\bstands?\b",
    r"\banew\b",
    r"\bwhoever\b",
    r"\b(no|some)body\b",
    r"\b(beside|behind)\b",
    r"\b(is|are) no\b",
    r"\b(is|are) not there\b",
    r"\bwhat there is\b",
    r"\bthat there are\b",
    r", too\b",
    r"\bby hand\b",
    r"\bat once\b",
    r"\bmend",
    r"\bputs? right\b",
    r"\binside the tolerance\b",
    r"\bon the way (up|down)\b",
    r"\bsecond (look|pass)\b",
    r"\bshall\b",
    r"\d %",
];

/// Pages whose tables do not follow it.
const NOT_YET: [&str; 4] = [
    "docs/SUMMARY.md",
    "docs/ci.md",
    "docs/lint.md",
    "docs/watch.md",
];
