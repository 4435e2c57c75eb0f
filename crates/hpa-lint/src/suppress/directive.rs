//! Parses suppressing annotations and comments.

use super::marks::PREFIX;
use crate::{RuleSelector, UnknownRule};

/// The rules to ignore, and the reason.
#[derive(Debug, Default)]
pub(super) struct Directive {
    pub(super) selectors: Vec<RuleSelector>,
    pub(super) unknown: Vec<UnknownRule>,
    pub(super) reason: Option<String>,
}

/// Parses the value of the annotation, such as `HPA104,memory-only`.
pub(super) fn of_annotation(value: &str, reason: Option<&str>) -> Result<Directive, String> {
    let mut directive = names(value)?;
    directive.reason = reason
        .map(str::trim)
        .filter(|reason| !reason.is_empty())
        .map(str::to_owned);
    Ok(directive)
}

/// Parses a comment without its `#`: `kubectl-hpa: ignore HPA104, memory-only (reason)`. None: it is not for this
/// program.
pub(super) fn of_comment(text: &str) -> Option<Result<Directive, String>> {
    let diagnostics = text.trim().strip_prefix(PREFIX)?.trim();
    let Some(rest) = diagnostics
        .strip_prefix("ignore")
        .filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '(', ',']))
    else {
        let verb = diagnostics.split_whitespace().next().unwrap_or_default();
        return Some(Err(format!(
            "unknown word {verb:?}: use {PREFIX} ignore HPA104 (reason)"
        )));
    };
    let (listed, reason) = match rest.split_once('(') {
        Some((listed, reason)) => {
            let reason = reason.trim_end();
            (listed, Some(reason.strip_suffix(')').unwrap_or(reason)))
        }
        None => (rest, None),
    };
    Some(names(listed).map(|mut directive| {
        directive.reason = reason
            .map(str::trim)
            .filter(|reason| !reason.is_empty())
            .map(str::to_owned);
        directive
    }))
}

fn names(text: &str) -> Result<Directive, String> {
    let mut directive = Directive::default();
    for name in text.split([',', ' ', '\t', '\n', '\r']) {
        if name.is_empty() {
            continue;
        }
        match RuleSelector::parse(name) {
            Ok(selector) => directive.selectors.push(selector),
            Err(unknown) => directive.unknown.push(unknown),
        }
    }
    if directive.selectors.is_empty() && directive.unknown.is_empty() {
        return Err("no rule given: use rules such as HPA104, or ALL".to_owned());
    }
    Ok(directive)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(comment: &str) -> (Vec<String>, Option<String>) {
        let directive = of_comment(comment).unwrap().unwrap();
        let selectors = directive.selectors.iter().map(ToString::to_string);
        (selectors.collect(), directive.reason)
    }

    #[test]
    fn a_comment_has_names_and_a_reason() {
        let rule = "HPA102 min-equals-max".to_owned();
        assert_eq!(
            parse("kubectl-hpa: ignore HPA102 (frozen (for) now)"),
            (vec![rule.clone()], Some("frozen (for) now".to_owned()))
        );
        assert_eq!(
            parse("  kubectl-hpa:ignore min-equals-max,HPA1"),
            (vec![rule, "HPA1".to_owned()], None)
        );
        assert_eq!(
            parse("kubectl-hpa: ignore ALL"),
            (vec!["ALL".to_owned()], None)
        );
    }

    #[test]
    fn what_is_not_understood_is_reported_and_what_is_not_for_us_is_left() {
        assert!(of_comment("the maximum is 3").is_none());
        assert!(of_comment("see kubectl-hpa: ignore").is_none());
        let problem = of_comment("kubectl-hpa: ingore HPA102")
            .unwrap()
            .unwrap_err();
        assert!(problem.contains("\"ingore\""), "{problem}");
        let problem = of_comment("kubectl-hpa: ignore (why)")
            .unwrap()
            .unwrap_err();
        assert!(problem.contains("no rule given: use rules"), "{problem}");
        let directive = of_comment("kubectl-hpa: ignore HPA999").unwrap().unwrap();
        assert_eq!(directive.unknown.len(), 1);
    }
}
