//! What a configuration file takes away from a run.

use super::{Config, FailOn};
use crate::{RuleSelection, Severity, rules};

/// What a configuration file takes away from a run: without a word about it, a run of few rules would look like one
/// without findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigEffect {
    /// The file, for people.
    pub file: String,
    /// Codes of the rules that would run without it.
    pub rules_off: Vec<&'static str>,
    /// Codes of the rules with a lower severity than their own, for some file at least.
    pub lowered: Vec<&'static str>,
    /// Which findings fail, if the file decides that and differs from the default.
    pub fail_on: Option<FailOn>,
}

impl ConfigEffect {
    /// The effect of a file next to the selection of the flags. `is_fail_on_given`: a flag decides which findings fail.
    /// None: the file takes nothing away.
    pub fn of(
        file: String,
        config: &Config,
        flags: &RuleSelection,
        is_fail_on_given: bool,
    ) -> Option<Self> {
        let defaults = rules::catalogue().filter(|rule| !rule.is_opt_in);
        let defaults = defaults.map(|rule| rule.code).collect();
        let with = flags.apply(&config.selection.apply(&defaults));
        let without = flags.apply(&defaults);
        let mut rules_off: Vec<&str> = without.difference(&with).copied().collect();
        rules_off.extend(config.selection.silenced());
        rules_off.sort_unstable();
        rules_off.dedup();
        let all = [&config.rules].into_iter();
        let all = all.chain(config.paths.iter().map(|path| &path.rules));
        let severities = all.flat_map(|rules| &rules.severities);
        let is_lower = |code: &str, severity: Severity| {
            with.contains(code) && rules::find(code).is_some_and(|rule| severity < rule.severity)
        };
        let mut lowered: Vec<&str> = severities
            .filter(|(code, severity)| is_lower(code, **severity))
            .map(|(code, _)| *code)
            .collect();
        lowered.sort_unstable();
        lowered.dedup();
        let fail_on = config.fail_on.filter(|_| !is_fail_on_given);
        let fail_on = fail_on.filter(|fail_on| *fail_on != FailOn::Warning);
        let is_something = !rules_off.is_empty() || !lowered.is_empty() || fail_on.is_some();
        is_something.then_some(Self {
            file,
            rules_off,
            lowered,
            fail_on,
        })
    }

    /// The file and its effect, such as `.kubectl-hpa.yaml turns off HPA104 and sets failOn: never`.
    pub fn in_words(&self) -> String {
        let mut parts = Vec::new();
        if !self.rules_off.is_empty() {
            parts.push(format!("turns off {}", named(&self.rules_off)));
        }
        if !self.lowered.is_empty() {
            parts.push(format!("lowers the severity of {}", named(&self.lowered)));
        }
        if let Some(fail_on) = self.fail_on {
            parts.push(format!("sets failOn: {}", fail_on.as_str()));
        }
        let last = parts.pop().unwrap_or_default();
        let first = match parts.len() {
            0 => String::new(),
            _ => format!("{} and ", parts.join(", ")),
        };
        format!("{} {first}{last}", self.file)
    }
}

/// A few codes, or how many.
fn named(codes: &[&str]) -> String {
    if codes.len() <= MOST_CODES {
        codes.join(", ")
    } else {
        format!("{} rules", codes.len())
    }
}

/// Up to this many codes are listed.
const MOST_CODES: usize = 3;
