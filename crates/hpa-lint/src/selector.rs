//! How flags, configuration files, annotations and comments name rules.

use std::{collections::BTreeSet, fmt};

use hpa_words::program::typed;

use super::{Check, Rule, similarity};
use crate::rules;

/// A reference to rules.
#[derive(Clone, Debug)]
pub enum RuleSelector {
    /// `ALL`: every rule, including opt-in rules.
    All,
    /// A family or a part of one, such as `HPA3` or `HPA31`.
    Family(Box<str>),
    /// One rule, by code or name.
    Rule(&'static Rule),
}

/// A name that no rule has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The name as written.
    pub text: String,
    /// The rule that was probably meant.
    pub nearest: Option<&'static str>,
}

/// A selection of rules: selected, added and ignored ones.
#[derive(Clone, Debug, Default)]
pub struct RuleSelection {
    /// The rules that run instead of the default ones. None: the default ones.
    pub select: Option<Vec<RuleSelector>>,
    /// Rules that run in addition.
    pub extend_select: Vec<RuleSelector>,
    /// Rules that do not run.
    pub ignore: Vec<RuleSelector>,
}

impl RuleSelector {
    /// Parses a code in any case, a name, the prefix of codes (`HPA3`), or `ALL`.
    pub fn parse(text: &str) -> Result<Self, UnknownRule> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        if let Some(rule) = rules::find(text) {
            return Ok(Self::Rule(rule));
        }
        let family = text.to_ascii_uppercase();
        let is_family = family.starts_with("HPA")
            && family.len() < "HPA000".len()
            && rules::catalogue().any(|rule| rule.code.starts_with(&family));
        if is_family {
            return Ok(Self::Family(family.into()));
        }
        Err(UnknownRule {
            nearest: nearest(text),
            text: text.to_owned(),
        })
    }

    /// Whether it includes a rule.
    pub fn covers(&self, rule: &Rule) -> bool {
        match self {
            Self::All => true,
            Self::Family(prefix) => rule.code.starts_with(&**prefix),
            Self::Rule(one) => one.code == rule.code,
        }
    }

    /// The more characters of a code it determines, the more specific it is.
    fn specificity(&self) -> usize {
        match self {
            Self::All => 0,
            Self::Family(prefix) => prefix.len(),
            Self::Rule(rule) => rule.code.len(),
        }
    }
}

impl fmt::Display for RuleSelector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => formatter.write_str("ALL"),
            Self::Family(prefix) => formatter.write_str(prefix),
            Self::Rule(rule) => write!(formatter, "{} {}", rule.code, rule.name),
        }
    }
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text.char_indices().nth(LONGEST_NAME) {
            Some((end, _)) => write!(formatter, "unknown rule {:?}…", &self.text[..end])?,
            None => write!(formatter, "unknown rule {:?}", self.text)?,
        }
        match self.nearest.and_then(rules::find) {
            Some(rule) => write!(formatter, ": did you mean {} {}?", rule.code, rule.name),
            None => write!(formatter, ": `{}` lists all rules", typed("rules")),
        }
    }
}

impl RuleSelection {
    /// The codes of the enabled rules after applying this to `enabled`. A more specific selector wins over a less
    /// specific one; among equals, `ignore` wins.
    pub fn apply(&self, enabled: &BTreeSet<&'static str>) -> BTreeSet<&'static str> {
        let expected = |rule: &Rule| {
            let most = |selectors: &[RuleSelector]| {
                selectors
                    .iter()
                    .filter(|selector| selector.covers(rule))
                    .map(RuleSelector::specificity)
                    .max()
            };
            let most_selected = most(self.select.as_deref().unwrap_or_default());
            let most_selected = most_selected.max(most(&self.extend_select));
            match (most_selected, most(&self.ignore)) {
                (Some(most_selected), Some(ignored)) => ignored < most_selected,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => self.select.is_none() && enabled.contains(rule.code),
            }
        };
        rules::catalogue()
            .filter(|rule| expected(rule))
            .map(|rule| rule.code)
            .collect()
    }

    /// Codes of machinery rules that are ignored by name. They report what could not be read or checked, so only naming
    /// them turns them off.
    pub fn silenced(&self) -> impl Iterator<Item = &'static str> {
        self.ignore.iter().filter_map(|selector| match selector {
            RuleSelector::Rule(rule) if matches!(rule.check, Check::Machinery) => Some(rule.code),
            _ => None,
        })
    }
}

/// The code or name most similar to `text`, if any is similar enough.
fn nearest(text: &str) -> Option<&'static str> {
    if LONGEST_NAME < text.len() {
        return None;
    }
    let text = text.to_ascii_lowercase();
    rules::catalogue()
        .flat_map(|rule| [rule.code, rule.name])
        .map(|name| {
            let likeness = similarity(&name.to_ascii_lowercase(), &text);
            (likeness, name)
        })
        .filter(|(likeness, _)| *likeness >= LEAST_LIKENESS)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

/// Longer texts are not compared: they match no name and take long.
const LONGEST_NAME: usize = 64;

/// Below this Jaro-Winkler similarity, a match is coincidence.
const LEAST_LIKENESS: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    fn selectors(texts: &[&str]) -> Vec<RuleSelector> {
        let parse = |text: &&str| RuleSelector::parse(text).unwrap();
        texts.iter().map(parse).collect()
    }

    fn default() -> BTreeSet<&'static str> {
        ["HPA012", "HPA102"].into()
    }

    #[test]
    fn a_rule_has_a_code_in_any_case_a_name_and_a_family() {
        for text in ["HPA102", "hpa102", "min-equals-max", "HPA1", "hpa10", "ALL"] {
            let selector = RuleSelector::parse(text).unwrap();
            assert!(selector.covers(rules::find("HPA102").unwrap()), "{text}");
            assert!(
                matches!(selector, RuleSelector::All)
                    || !selector.covers(rules::find("HPA012").unwrap())
            );
        }
    }

    #[test]
    fn an_unknown_name_is_reported_with_the_nearest() {
        let reported = |text: &str| RuleSelector::parse(text).unwrap_err().to_string();
        assert_eq!(
            reported("min-equal-max"),
            "unknown rule \"min-equal-max\": did you mean HPA102 min-equals-max?"
        );
        assert_eq!(
            reported("xyz"),
            "unknown rule \"xyz\": `kubectl hpa rules` lists all rules"
        );
        let endless = format!("min-equal-max{}", "ä".repeat(1_000));
        let shortened = format!("min-equal-max{}", "ä".repeat(51));
        assert_eq!(
            reported(&endless),
            format!("unknown rule \"{shortened}\"…: `kubectl hpa rules` lists all rules")
        );
    }

    #[test]
    fn the_more_exact_selector_wins_and_of_equals_ignore() {
        let selection = RuleSelection {
            select: Some(selectors(&["HPA102"])),
            ignore: selectors(&["HPA1"]),
            ..RuleSelection::default()
        };
        assert!(selection.apply(&default()).contains("HPA102"));
        let selection = RuleSelection {
            extend_select: selectors(&["HPA102"]),
            ignore: selectors(&["HPA102"]),
            ..RuleSelection::default()
        };
        assert!(!selection.apply(&default()).contains("HPA102"));
        let selection = RuleSelection {
            ignore: selectors(&["ALL"]),
            extend_select: selectors(&["HPA1"]),
            ..RuleSelection::default()
        };
        assert!(selection.apply(&default()).contains("HPA102"));
        assert!(!selection.apply(&default()).contains("HPA012"));
    }
}
