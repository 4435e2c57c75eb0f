//! Creates the comment that suppresses a finding, for editors.

use kubectl_hpa_yaml::{Comment, Document, parse};

use super::{directive, marks, scope};
use crate::{RuleSelector, fix::Replacement};

/// The edit that suppresses a rule's findings on the line of byte `at` with a comment. None: a comment cannot be placed
/// for that line alone, as in JSON or in a multi-line scalar.
pub fn accepting(text: &str, at: usize, code: &str) -> Option<Replacement> {
    let before = documents(text)?;
    let start = scope::line_start(text, at);
    let line = text[start..scope::line_end(text, at)].trim_end_matches(['\r', '\n']);
    let mut comments = before.iter().flat_map(|document| &document.comments);
    let on_line = start..=start + line.len();
    let own = comments.rfind(|comment| on_line.contains(&(comment.span.start as usize)));
    let words = format!("# {} ignore {code}", marks::PREFIX);
    let edits = match own {
        Some(comment) if matches!(directive::of_comment(&comment.text), Some(Ok(_))) => {
            vec![listed(text, comment, code)]
        }
        Some(_) => vec![above(text, start, line, &words)],
        None => vec![
            Replacement {
                range: start + line.trim_end().len()..start + line.len(),
                text: format!(" {words}"),
            },
            above(text, start, line, &words),
        ],
    };
    edits.into_iter().find(|edit| {
        let mut changed = text.to_owned();
        changed.replace_range(edit.range.clone(), &edit.text);
        let is_new = |comment: &Comment| {
            let place = comment.span.start as usize..=comment.span.end as usize;
            place.contains(&(edit.range.start + edit.text.trim_end().len()))
                && !is_about_more(&changed, comment)
                && directive::of_comment(&comment.text)
                    .and_then(Result::ok)
                    .is_some_and(|found| {
                        let mut selectors = found.selectors.iter();
                        selectors
                            .any(|one| matches!(one, RuleSelector::Rule(rule) if rule.code == code))
                    })
        };
        documents(&changed).is_some_and(|after| {
            let values = |documents: &[Document]| -> Vec<_> {
                documents.iter().map(|one| one.root.to_json()).collect()
            };
            let mut comments = after.iter().flat_map(|document| &document.comments);
            values(&before) == values(&after) && comments.any(is_new)
        })
    })
}

/// The documents of a text, if all can be parsed.
fn documents(text: &str) -> Option<Vec<Document>> {
    parse(text).into_iter().collect::<Result<_, _>>().ok()
}

/// Adds a code to an existing comment.
fn listed(text: &str, comment: &Comment, code: &str) -> Replacement {
    let start = comment.span.start as usize;
    let written = &text[start..comment.span.end as usize];
    let names = written.split('(').next().unwrap_or_default();
    let at = start + names.trim_end().len();
    Replacement {
        range: at..at,
        text: format!(", {code}"),
    }
}

/// Adds a comment on the line before.
fn above(text: &str, start: usize, line: &str, words: &str) -> Replacement {
    let indentation = &line[..line.len() - line.trim_start().len()];
    let end = if text[start..]
        .split_inclusive('\n')
        .next()
        .is_some_and(|line| line.ends_with("\r\n"))
    {
        "\r\n"
    } else {
        "\n"
    };
    Replacement {
        range: start..start,
        text: format!("{indentation}{words}{end}"),
    }
}

/// Whether a comment applies to its whole document.
fn is_about_more(text: &str, comment: &Comment) -> bool {
    scope::of(comment, text, &[]) == scope::SuppressionScope::Document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, at: &str, expected: Option<&str>) {
        let edit = accepting(text, text.find(at).unwrap(), "HPA102");
        let changed = edit.map(|edit| {
            let mut changed = text.to_owned();
            changed.replace_range(edit.range, &edit.text);
            changed
        });
        assert_eq!(changed.as_deref(), expected);
    }

    #[test]
    fn a_comment_goes_to_the_end_of_the_line_or_to_the_line_before() {
        check(
            "a: 1\nmax: 3\nb: 2\n",
            "max",
            Some("a: 1\nmax: 3 # kubectl-hpa: ignore HPA102\nb: 2\n"),
        );
        check(
            "a: 1\r\nmax: 3\r\n",
            "max",
            Some("a: 1\r\nmax: 3 # kubectl-hpa: ignore HPA102\r\n"),
        );
        check(
            "a:\n  max: 3 # three\n",
            "max",
            Some("a:\n  # kubectl-hpa: ignore HPA102\n  max: 3 # three\n"),
        );
        check("a: 1", "a", Some("a: 1 # kubectl-hpa: ignore HPA102"));
    }

    #[test]
    fn a_comment_that_has_names_gets_one_more() {
        check(
            "a: 1 # kubectl-hpa: ignore HPA301 (why)\n",
            "a",
            Some("a: 1 # kubectl-hpa: ignore HPA301, HPA102 (why)\n"),
        );
        check(
            "a: 1 # kubectl-hpa: ignore HPA301\n",
            "a",
            Some("a: 1 # kubectl-hpa: ignore HPA301, HPA102\n"),
        );
    }

    #[test]
    fn where_a_comment_would_change_more_there_is_none() {
        check("{\"max\": 3}", "max", None);
        check("a: |\n  max\n  min\n", "min", None);
        check("a: 'x\n  y'\n", "a", None);
        check("max: 3 # three\n", "max", None);
        check("a: [\n", "a", None);
    }
}
