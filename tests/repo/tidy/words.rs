//! The words of CONTRIBUTING's style sheet, as far as a pattern can find what it says not to write.

use regex::Regex;

use super::{assert_none, texts};

/// Pages for users, in prose: what is quoted, and the titles of other pages, is as it is.
#[test]
fn pages_for_users_keep_to_the_style_sheet() {
    let quoted = Regex::new(r"`[^`]*`|\[[^\]]*\]\([^)]*\)").expect("a valid pattern");
    let mut found = Vec::new();
    for word in AVOIDED {
        let word = Regex::new(&format!(r"(?i){word}")).expect("a valid pattern");
        for (path, text) in texts("docs/", ".md")
            .into_iter()
            .chain(texts("README", ".md"))
        {
            let is_covered = path == "README.md"
                || path.starts_with("docs/questions/")
                || path.matches('/').count() == 1 && !NOT_YET.contains(&path.as_str());
            if !is_covered {
                continue;
            }
            let mut is_code = false;
            for (line, number) in text.lines().zip(1..) {
                if line.trim_start().starts_with("```") {
                    is_code = !is_code;
                } else if !is_code && let Some(hit) = word.find(&quoted.replace_all(line, "…")) {
                    found.push(format!("{path}:{number}: {:?}", hit.as_str()));
                }
            }
        }
    }
    assert_none("words that the style sheet replaces", &found);
}

/// Patterns, without regard to case.
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

/// Pages whose tables do not keep to it.
const NOT_YET: [&str; 4] = [
    "docs/SUMMARY.md",
    "docs/ci.md",
    "docs/lint.md",
    "docs/watch.md",
];
