//! The definition of a rule.

use super::{Cx, Finding, HpaSubject, Manifest, Missing, ScaledObjectSubject, Severity};

/// A rule. The static next to its check defines everything about it; the pages in `docs/rules` are generated from it.
#[derive(Debug)]
pub struct Rule {
    /// Such as `HPA102`; never reused.
    pub code: &'static str,
    /// Such as `min-equals-max`; never reused.
    pub name: &'static str,
    /// What it flags, as a short phrase.
    pub summary: &'static str,
    /// Severity of its findings, unless one says otherwise.
    pub severity: Severity,
    /// The highest severity of its findings, if that is another one.
    pub worst: Option<Severity>,
    /// Its minimum input.
    pub needs: Needs,
    /// Whether it runs only if selected.
    pub is_opt_in: bool,
    /// Whether `--fix` can fix at least some of its findings.
    pub is_fixable: bool,
    /// Whether it reports what the API server rejects. All other rules are silent about a rejected field.
    pub reports_rejections: bool,
    /// Codes of more specific rules. If one of them reports the same field of the same object, this rule is silent.
    pub yields_to: &'static [&'static str],
    /// Its configurable thresholds.
    pub thresholds: &'static [ConfigurableNumber],
    /// The first version with this rule.
    pub since: &'static str,
    /// The check.
    pub check: Check,
    /// What it checks of a ScaledObject, if its subject is an HPA.
    pub for_scaled_object: ForScaledObject,
    /// Markdown: what it does, why that is bad, examples, references. An example can be a change to the first one
    /// ([`Rule::lines`]).
    pub docs: &'static str,
    /// The source file that declares it.
    pub file: &'static str,
}

/// The minimum input of a rule. If part of a rule needs more, that part returns [`Missing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// The HPA's manifest.
    Manifest,
    /// Other manifests, or a cluster.
    Related,
    /// The manifest, and the HPA in the cluster.
    Comparison,
    /// A cluster.
    Live,
    /// A recording.
    History,
}

/// A configurable number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfigurableNumber {
    /// Its name in the configuration, in kebab case.
    pub name: &'static str,
    /// Its default.
    pub default: f64,
    /// Its unit.
    pub unit: ThresholdUnit,
    /// What it decides, as a short phrase.
    pub summary: &'static str,
}

/// The unit of a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdUnit {
    /// Pods, or other countable things.
    Count,
    /// A factor, or a share where 1 means everything.
    Ratio,
    /// Percent.
    Percent,
    /// Seconds; durations such as `10m` are also valid.
    Seconds,
    /// Milli-units of a resource.
    Milli,
}

/// The subject of a rule, and its check.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// The manifest of an HPA as written, valid or not.
    Manifest(fn(&Cx<'_, Manifest>) -> RuleOutcome),
    /// An HPA.
    Hpa(fn(&Cx<'_, HpaSubject>) -> RuleOutcome),
    /// A ScaledObject.
    ScaledObject(fn(&Cx<'_, ScaledObjectSubject>) -> RuleOutcome),
    /// Reported by the machinery itself.
    Machinery,
}

/// What a rule for HPAs checks of a ScaledObject.
#[derive(Clone, Copy, Debug)]
pub enum ForScaledObject {
    /// Nothing.
    Nothing,
    /// The HPA that KEDA makes of it.
    ItsHpa,
    /// The ScaledObject itself.
    Itself(fn(&Cx<'_, ScaledObjectSubject>) -> RuleOutcome),
}

/// The findings, or why the rule could not run.
pub type RuleOutcome = Result<Vec<Finding>, Missing>;

impl Rule {
    /// Defaults that most rules share.
    pub const BASE: Self = Self {
        code: "",
        name: "",
        summary: "",
        severity: Severity::Warning,
        worst: None,
        needs: Needs::Manifest,
        is_opt_in: false,
        is_fixable: false,
        reports_rejections: false,
        yields_to: &[],
        thresholds: &[],
        since: "0.1.0",
        check: Check::Machinery,
        for_scaled_object: ForScaledObject::Nothing,
        docs: "",
        file: "",
    };

    /// The lines of [`Self::docs`] with each example in full ([`in_full`]).
    pub fn lines(&self) -> Vec<&'static str> {
        in_full(self.docs.lines())
    }

    /// The highest severity of its findings.
    pub fn worst(&self) -> Severity {
        self.worst.unwrap_or(self.severity)
    }

    /// Whether `text` is its code (in any case) or its name.
    pub fn is_called(&self, text: &str) -> bool {
        self.code.eq_ignore_ascii_case(text) || self.name == text
    }
}

/// Lines of Markdown with each example in full. A block that starts with `@@` has hunks against the first block. Each
/// hunk follows an `@@` line and starts with lines of the first block, which locate it.
pub fn in_full<'a>(mut lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut full = Vec::new();
    let mut first: Option<Vec<&str>> = None;
    while let Some(line) = lines.next() {
        full.push(line);
        if !line.starts_with("```") {
            continue;
        }
        let block = lines.by_ref().take_while(|line| *line != "```");
        let block: Vec<&str> = block.collect();
        let block = match (block.split_first(), &first) {
            (Some((&"@@", change)), Some(first)) => changed(first, change),
            _ => block,
        };
        full.extend(&block);
        full.push("```");
        first.get_or_insert(block);
    }
    full
}

/// Applies a change to an example. A test ensures that the start of each hunk occurs in the example.
fn changed<'a>(example: &[&'a str], change: &[&'a str]) -> Vec<&'a str> {
    let mut changed = Vec::new();
    let mut rest = example;
    // Without a hunk, the example is unchanged, for another version.
    let hunks = change.split(|line| *line == "@@");
    for hunk in hunks.filter(|hunk| !hunk.is_empty()) {
        let kept =
            |sign| move |line: &&'a str| line.strip_prefix(|first| first == ' ' || first == sign);
        let before: Vec<&str> = hunk.iter().filter_map(kept('-')).collect();
        let start = rest
            .windows(before.len())
            .position(|lines| lines == before)
            .unwrap_or_else(|| panic!("no part of the example: {hunk:?}"));
        changed.extend(&rest[..start]);
        changed.extend(hunk.iter().filter_map(kept('+')));
        rest = &rest[start + before.len()..];
    }
    changed.extend(rest);
    changed
}
