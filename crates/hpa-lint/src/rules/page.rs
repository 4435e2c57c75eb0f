//! The page of a rule, for `docs/rules`, `kubectl hpa rules NAME` and the help in SARIF.

use hpa_explain::learn::{self, topics_of_rule};
use hpa_words::program::as_installed;

use crate::{ConfigurableNumber, ForScaledObject, Needs, Rule, Severity, ThresholdUnit};

/// The page in Markdown.
pub fn page(rule: &Rule) -> String {
    let mut page = format!(
        "# {} {}\n\n{}.\n\n",
        rule.code,
        rule.name,
        sentence(rule.summary),
    );
    for (label, text) in facts(rule) {
        page.push_str(&format!("- {label}: {text}\n"));
    }
    page.push('\n');
    for line in rule.lines() {
        page.push_str(line);
        page.push('\n');
        if line == "## Fix" && !rule.thresholds.is_empty() {
            let at = page.len() - "## Fix\n".len();
            page.insert_str(at, &thresholds(rule));
        }
    }
    while page.ends_with("\n\n") {
        page.pop();
    }
    as_installed(&page).into_owned()
}

/// The file name of the page in `docs/rules`.
pub fn page_name(rule: &Rule) -> String {
    format!("{}-{}.md", rule.code, rule.name)
}

/// The text under a level 2 heading, as Markdown with one line for each paragraph. Empty if there is no such heading.
pub fn section(rule: &Rule, heading: &str) -> String {
    let lines = rule.lines().into_iter();
    let mut lines = lines.skip_while(|line| line.strip_prefix("## ") != Some(heading));
    lines.next();
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    as_installed(lines.join("\n").trim()).into_owned()
}

/// The index of all pages in Markdown.
pub fn index() -> String {
    let mut index = String::from(
        "# Rules\n\n\
         What `kubectl hpa lint` checks. `kubectl hpa rules NAME` prints a page in the terminal.\n\
         Each rule has a code and a name. You can use either one wherever you name a rule. Codes and names are never \
         used for another rule.\n\n\
         An error is something that the API server rejects, that provably has no effect, or a conflict between two \
         writers. A warning is probably not intended. An info is worth knowing.\n\
         *Needs* says what a rule reads: the *manifest* alone, *related manifests* (other documents of the files, \
         `--with`, or a cluster), a *comparison* of a manifest with a cluster, a *cluster*, or a *recording*. A rule \
         that lacks what it needs is listed as not checked.\n",
    );
    for (family, title, rules) in families() {
        if rules.is_empty() {
            continue;
        }
        index.push_str(&format!(
            "\n## {title} (`{family}`)\n\n| rule | severity | needs | flags |\n| --- | --- | --- | --- |\n"
        ));
        for rule in rules {
            let marks = [
                (rule.is_opt_in, "only if selected"),
                (rule.is_fixable, "`--fix`"),
            ];
            let marks: Vec<&str> = (marks.into_iter())
                .filter_map(|(is_so, text)| is_so.then_some(text))
                .collect();
            let marks = if marks.is_empty() {
                String::new()
            } else {
                format!(" ({})", marks.join(", "))
            };
            index.push_str(&format!(
                "| [{} {}]({}) | {} | {} | {}{marks} |\n",
                rule.code,
                rule.name,
                page_name(rule),
                rule.severity,
                needs(rule.needs),
                rule.summary.replace('|', "\\|"),
            ));
        }
    }
    index
}

/// The families: name, title, rules.
pub fn families() -> impl Iterator<Item = (&'static str, &'static str, Vec<&'static Rule>)> {
    FAMILIES.iter().map(|(family, title)| {
        let rules = super::catalogue().filter(|rule| super::family(rule) == *family);
        (*family, *title, rules.collect())
    })
}

/// Name of the rule's family, which is also the folder of its file.
pub fn family(rule: &Rule) -> &'static str {
    let digit = rule.code.as_bytes().get(3).map(|digit| digit - b'0');
    digit
        .and_then(|digit| FAMILIES.get(usize::from(digit)))
        .map_or("", |(family, _)| family)
}

/// The input that a rule needs, as printed.
pub fn needs(needs: Needs) -> &'static str {
    match needs {
        Needs::Manifest => "manifest",
        Needs::Related => "related manifests",
        Needs::Comparison => "comparison",
        Needs::Live => "cluster",
        Needs::History => "recording",
    }
}

/// Folders and titles of the families, in the order of their digits.
const FAMILIES: [(&str, &str); 10] = [
    ("schema", "API version, schema, decoding"),
    ("bounds", "Bounds"),
    ("metrics", "Metrics and targets"),
    ("behavior", "Behavior and tolerance"),
    ("target", "Target, writers, disruption"),
    ("pods", "Pods of the target"),
    ("autoscalers", "Other autoscalers"),
    ("cluster", "Cluster"),
    ("status", "Live status"),
    ("history", "History"),
];

/// Facts about the rule besides its text, as (label, value).
fn facts(rule: &Rule) -> Vec<(&'static str, String)> {
    let severity = match rule.severity {
        Severity::Note => "note: not a finding, and never changes the exit code".to_owned(),
        severity => severity.to_string(),
    };
    let runs = if rule.is_opt_in {
        format!("only if it is selected: `--extend-select {}`", rule.code)
    } else {
        "always".to_owned()
    };
    let mut facts = vec![
        ("Severity", severity),
        ("Needs", needs(rule.needs).to_owned()),
        ("Runs", runs),
    ];
    if !matches!(rule.for_scaled_object, ForScaledObject::Nothing) {
        facts.push((
            "Also checks",
            "ScaledObjects of KEDA, by the HPA that KEDA makes of them".to_owned(),
        ));
    }
    if rule.is_fixable {
        facts.push((
            "Fix",
            "`--fix` corrects it where that is unambiguous".to_owned(),
        ));
    }
    if !rule.yields_to.is_empty() {
        let names: Vec<String> = (rule.yields_to.iter())
            .map(|code| {
                super::find(code).map_or_else(
                    || (*code).to_owned(),
                    |rule| format!("[{} {}]({})", rule.code, rule.name, page_name(rule)),
                )
            })
            .collect();
        facts.push(("Not reported together with", names.join(", ")));
    }
    let topics: Vec<String> = topics_of_rule(rule.code)
        .map(|topic| format!("[{}](../algorithm/{})", topic.id, learn::page_name(topic)))
        .collect();
    if !topics.is_empty() {
        facts.push(("How the controller does it", topics.join(", ")));
    }
    if let Some(title) = runbook(rule.code) {
        let is_kept = |letter: &char| letter.is_ascii_alphanumeric() || *letter == ' ';
        let anchor: String = title.chars().filter(is_kept).collect();
        let anchor = anchor.to_ascii_lowercase().replace(' ', "-");
        facts.push(("Runbook", format!("[{title}](../runbook.md#{anchor})")));
    }
    facts.push(("Since", rule.since.to_owned()));
    facts
}

/// The section of the runbook for incidents with this rule.
fn runbook(code: &str) -> Option<&'static str> {
    let row = RUNBOOK.iter().find(|(_, codes)| codes.contains(&code))?;
    Some(row.0)
}

/// Headings of `docs/runbook.md`, and the rules that link to them.
const RUNBOOK: [(&str, &[&str]); 16] = [
    ("Load is high, replicas stay", &["HPA209", "HPA506"]),
    ("At maxReplicas", &["HPA708", "HPA804", "HPA902"]),
    (
        "A metric cannot be read",
        &[
            "HPA202", "HPA205", "HPA219", "HPA701", "HPA702", "HPA703", "HPA802",
        ],
    ),
    (
        "Another writer sets the replicas",
        &["HPA406", "HPA407", "HPA408", "HPA409", "HPA908"],
    ),
    ("Replicas go up and down", &["HPA301", "HPA302", "HPA901"]),
    (
        "Load is low, replicas stay",
        &["HPA303", "HPA307", "HPA502", "HPA904"],
    ),
    ("Stays at 0", &["HPA108"]),
    ("The target does not exist", &["HPA401", "HPA403", "HPA801"]),
    ("Two HPAs share pods", &["HPA410", "HPA411", "HPA803"]),
    (
        "Each deploy scales up",
        &["HPA503", "HPA504", "HPA505", "HPA905"],
    ),
    ("More replicas during a rollout", &["HPA416"]),
    ("Scales late", &["HPA304", "HPA314", "HPA907"]),
    (
        "Pods do not start",
        &["HPA111", "HPA112", "HPA414", "HPA705", "HPA706"],
    ),
    ("All HPAs frozen", &["HPA704"]),
    ("The controller does something else", &["HPA707", "HPA807"]),
    ("One pod skews the average", &["HPA510", "HPA511"]),
];

fn thresholds(rule: &Rule) -> String {
    let written: Vec<String> = (rule.thresholds.iter())
        .map(|threshold| format!("{}: {}", threshold.name, written(threshold)))
        .collect();
    let mut section = format!(
        "## Thresholds\n\nChosen by this project. The configuration file changes them; these are the defaults:\n\
         `rules: {{{}: {{{}}}}}`\n\n",
        rule.code,
        written.join(", ")
    );
    for threshold in rule.thresholds {
        section.push_str(&format!(
            "- `{}` (default {}): {}\n",
            threshold.name,
            value(threshold.default, threshold.unit),
            threshold.summary
        ));
    }
    section.push('\n');
    section
}

/// The default of a threshold, as in the configuration file.
fn written(threshold: &ConfigurableNumber) -> String {
    let (value, unit) = match threshold.unit {
        ThresholdUnit::Count | ThresholdUnit::Ratio => (threshold.default, ""),
        ThresholdUnit::Percent => (threshold.default, "%"),
        ThresholdUnit::Seconds => match in_largest_unit(threshold.default) {
            (value, "min") => (value, "m"),
            other => other,
        },
        ThresholdUnit::Milli => (threshold.default, "m"),
    };
    format!("{value}{unit}")
}

/// Seconds in the largest unit in which they are a whole number: `30 d` reads faster than `2592000 s`.
fn in_largest_unit(seconds: f64) -> (f64, &'static str) {
    let units = [(86_400.0, "d"), (3600.0, "h"), (60.0, "min")];
    let whole = units
        .into_iter()
        .find(|(unit, _)| *unit <= seconds && seconds % unit == 0.0);
    whole.map_or((seconds, "s"), |(unit, name)| (seconds / unit, name))
}

/// A threshold with its unit.
pub fn value(value: f64, unit: ThresholdUnit) -> String {
    match unit {
        ThresholdUnit::Count | ThresholdUnit::Ratio => value.to_string(),
        ThresholdUnit::Percent => format!("{value}%"),
        ThresholdUnit::Seconds => {
            let (value, unit) = in_largest_unit(value);
            format!("{value} {unit}")
        }
        ThresholdUnit::Milli => format!("{value}m"),
    }
}

/// A text as the start of a sentence: capitalized, unless it starts with an identifier.
fn sentence(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let is_plain = word
        .chars()
        .all(|letter| letter.is_ascii_lowercase() || letter == '-');
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if is_plain => format!("{}{}", first.to_ascii_uppercase(), letters.as_str()),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runbook_is_for_rules_that_exist_each_in_one_section() {
        let mut codes: Vec<&str> = RUNBOOK
            .iter()
            .flat_map(|(_, codes)| *codes)
            .copied()
            .collect();
        assert!(codes.iter().all(|code| super::super::find(code).is_some()));
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all);
    }
}
