//! What a rule is, and how one is declared.

use super::{Cx, Finding, HpaSubject, Manifest, Missing, ScaledObjectSubject, Severity};

/// A rule. The static next to its check says everything about it: the pages in `docs/rules` are made from it.
#[derive(Debug)]
pub struct Rule {
    /// Such as `HPA102`; never reused.
    pub code: &'static str,
    /// Such as `min-equals-max`; never reused.
    pub name: &'static str,
    /// What it flags, in half a line.
    pub summary: &'static str,
    /// Severity of its findings, unless one says otherwise.
    pub severity: Severity,
    /// What it needs.
    pub needs: Needs,
    /// Whether it runs only if it is selected.
    pub is_opt_in: bool,
    /// Whether `--fix` can correct at least some of its findings.
    pub is_fixable: bool,
    /// Codes of more specific rules: where one of them reports the same field of the same object, this one is silent.
    pub yields_to: &'static [&'static str],
    /// Its thresholds, which can be configured.
    pub thresholds: &'static [ConfigurableNumber],
    /// The version that has it first.
    pub since: &'static str,
    /// The check.
    pub check: Check,
    /// Markdown: what it does, why that is bad, examples, references. An example may be a change of the first one ([`Rule::lines`]).
    pub docs: &'static str,
    /// The file that declares it.
    pub file: &'static str,
}

/// The inputs that a rule needs at least. A rule of which a part needs more returns [`Missing`] from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// The HPA's manifest.
    Manifest,
    /// Other manifests, or a cluster.
    Related,
    /// The manifest, and the HPA as the cluster has it.
    Comparison,
    /// A cluster.
    Live,
    /// A recording.
    History,
}

/// A number that can be configured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfigurableNumber {
    /// Its name in the configuration, in kebab case.
    pub name: &'static str,
    /// Its value unless configured.
    pub default: f64,
    /// What it counts.
    pub unit: ThresholdUnit,
    /// What it decides, in half a line.
    pub summary: &'static str,
}

/// What a threshold counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdUnit {
    /// Pods, or other things one can count.
    Count,
    /// A factor, or a share where 1 is all.
    Ratio,
    /// Percent.
    Percent,
    /// Seconds; durations such as `10m` are also understood.
    Seconds,
    /// Milli-units of a resource.
    Milli,
}

/// What a rule looks at, and how.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// The manifest of an HPA as written, readable as an HPA or not.
    Manifest(fn(&Cx<'_, Manifest>) -> RuleOutcome),
    /// An HPA.
    Hpa(fn(&Cx<'_, HpaSubject>) -> RuleOutcome),
    /// A ScaledObject.
    ScaledObject(fn(&Cx<'_, ScaledObjectSubject>) -> RuleOutcome),
    /// The machinery itself reports it.
    Machinery,
}

/// The findings, or why there can be none.
pub type RuleOutcome = Result<Vec<Finding>, Missing>;

impl Rule {
    /// What most rules have in common.
    pub const BASE: Self = Self {
        code: "",
        name: "",
        summary: "",
        severity: Severity::Warning,
        needs: Needs::Manifest,
        is_opt_in: false,
        is_fixable: false,
        yields_to: &[],
        thresholds: &[],
        since: "0.1.0",
        check: Check::Machinery,
        docs: "",
        file: "",
    };

    /// The lines of [`Self::docs`] with each example in full. A block whose first line is `@@` has the hunks by which it differs from the
    /// first block; each hunk follows such a line and has lines of the first block to find its place by.
    pub fn lines(&self) -> Vec<&'static str> {
        // The blank between `///` and the text is not part of it.
        let lines = self.docs.lines();
        let mut lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line));
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

    /// Whether `text` is its code (in any case) or its name.
    pub fn is_called(&self, text: &str) -> bool {
        self.code.eq_ignore_ascii_case(text) || self.name == text
    }
}

/// An example with a change. What a hunk begins with is in the example: a test goes through all of them.
fn changed<'a>(example: &[&'a str], change: &[&'a str]) -> Vec<&'a str> {
    let mut changed = Vec::new();
    let mut rest = example;
    // Without any hunk the example is the same, under another version.
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

/// Declares a rule: doc comment, then `pub static RULE = { field: value, … }`. Fields that are left out are
/// those of [`Rule::BASE`].
macro_rules! declare_rule {
    ($(#[doc = $doc:literal])+ $vis:vis static $id:ident = { $($field:ident: $value:expr,)+ }) => {
        $(#[doc = $doc])+
        $vis static $id: $crate::lint::Rule = $crate::lint::Rule {
            $($field: $value,)+
            docs: concat!($($doc, "\n"),+),
            file: file!(),
            ..$crate::lint::Rule::BASE
        };
    };
}
pub(crate) use declare_rule;
