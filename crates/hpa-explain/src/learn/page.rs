//! A page in Markdown, and the page of all pages.

use crate::{
    DOCS,
    explain::StepView,
    model::{FeatureGates, KubeVersion, Switches},
    trace::Upstream,
};

use super::{
    case::version,
    catalogue::{plumbing, topic_of_step, topics},
    example::{by_version, ladder_of, lines, range, table},
    picture,
    topic::{Chapter, Difference, Shown, Since, Topic},
};

/// The page in Markdown.
pub fn page(topic: &Topic) -> String {
    let mut page = format!("# {}\n\n{}\n\n", topic.title, topic.answers);
    page.push_str(&facts(topic));
    section("What it works on", &inputs(topic), &mut page);
    section("Formula", &formula(topic), &mut page);
    section("Picture", &code(&(topic.picture)()), &mut page);
    section("Worked numbers", (topic.worked)().trim_end(), &mut page);
    section("Versions of Kubernetes", &versions(topic), &mut page);
    section("Often believed", &beliefs(topic), &mut page);
    section("In explain", &shown(topic), &mut page);
    section("Rules of lint", &rules(topic), &mut page);
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// Name of the page's file in `docs/algorithm`.
pub fn page_name(topic: &Topic) -> String {
    format!("{}.md", topic.id)
}

/// Where the page stands in the repository.
pub fn address(topic: &Topic) -> String {
    format!("{DOCS}algorithm/{}", page_name(topic))
}

/// The page of the whole pass, in Markdown.
pub fn index() -> String {
    let mut index = String::from(
        "# How the HPA decides\n\n\
         Every 15 seconds the controller takes one pass over each HPA: it reads the scale of the target, asks the \
         metrics, proposes a number of replicas, holds it against the past, limits the step and writes the result.\n\
         Each box below is a chapter of such a pass, each line in it a page: what that step answers, its formula, \
         numbers that the engine of this project worked out, and how versions of Kubernetes differ.\n\n\
         `kubectl hpa explain -v` names the page behind each line it prints, and `kubectl hpa explain --learn ID` shows \
         the page in the terminal, without a cluster.\n\
         Versions 1.23 to 1.37 are told from their source, 1.38 from its alpha and release notes.\n\n\
         ## The whole pass\n\n",
    );
    index.push_str(&code(&whole_pass()));
    index.push_str(SHORT_CUTS);
    index.push_str("\n## The pages in order\n");
    for chapter in Chapter::ALL {
        index.push_str(&format!("\n### {}\n\n", chapter.title()));
        let rows = topics()
            .filter(|topic| topic.chapter == chapter)
            .map(|topic| {
                [
                    format!("[{}]({})", topic.id, page_name(topic)),
                    topic.answers.to_owned(),
                    told(topic)
                        .map(|function| format!("`{}`", function.function))
                        .collect::<Vec<_>>()
                        .join(", "),
                ]
            });
        index.push_str(&table(["page", "what it answers", "functions"], rows));
    }
    index.push_str(
        "\n## What is not told\n\n\
         These functions of the same files decide nothing about replicas:\n\n",
    );
    for (function, what) in plumbing() {
        index.push_str(&format!(
            "- `{}` in `{}`: {what}\n",
            function.function, function.file
        ));
    }
    index.push_str(
        "\nThe exact specification, with every message and every rounding, is [controller.md](../controller.md).\n",
    );
    index
}

/// Where a pass ends early.
const SHORT_CUTS: &str = "\n\
    A pass can end early, and each time the replicas stay or jump without the rest:\n\n\
    - The scale can't be read: nothing is decided ([read-scale](read-scale.md)).\n\
    - The replicas are above the maximum or below the minimum: they are set to it at once, and no metric is asked \
    ([bounds](bounds.md)).\n\
    - The replicas are 0 and nobody allows to leave it: scaling is off ([zero-replicas](zero-replicas.md)).\n\
    - The selector is missing or shared with another HPA: nothing is decided ([selector](selector.md), \
    [ambiguous-selector](ambiguous-selector.md)).\n\
    - All metrics fail, or one fails and the others would scale down: nothing is decided \
    ([choose-proposal](choose-proposal.md)).\n";

fn whole_pass() -> String {
    let boxes: Vec<Vec<String>> = Chapter::ALL
        .iter()
        .zip(1..)
        .map(|(chapter, number)| {
            let ids: Vec<&str> = topics()
                .filter(|topic| topic.chapter == *chapter)
                .map(|topic| topic.id)
                .collect();
            let mut lines = vec![format!("{number}  {}", chapter.title())];
            let wrapped = super::example::wrapped(&ids.join(", "), 66);
            lines.extend(wrapped.into_iter().map(|line| format!("   {line}")));
            lines
        })
        .collect();
    picture::flow(&boxes)
}

fn section(heading: &str, text: &str, page: &mut String) {
    if !text.is_empty() {
        page.push_str(&format!("## {heading}\n\n{}\n\n", text.trim_end()));
    }
}

fn facts(topic: &Topic) -> String {
    let all: Vec<&Topic> = topics().collect();
    let place = all.iter().position(|one| one.id == topic.id);
    let place = place.unwrap_or_default();
    let link = |neighbor: Option<&&Topic>| {
        neighbor.map(|neighbor| format!("[{}]({})", neighbor.id, page_name(neighbor)))
    };
    let mut order = vec![format!(
        "page {} of {}, \"{}\" in [the whole pass](README.md)",
        place + 1,
        all.len(),
        topic.chapter.title()
    )];
    let before = link(place.checked_sub(1).and_then(|before| all.get(before)));
    order.extend(before.map(|before| format!("before it {before}")));
    order.extend(link(all.get(place + 1)).map(|after| format!("after it {after}")));
    let mut facts = format!(
        "- Id: `{}`, for `kubectl hpa explain --learn {}`\n- Order: {}\n",
        topic.id,
        topic.id,
        order.join("; ")
    );
    match topic.functions {
        [] => facts.push_str(&format!(
            "- Part of: {}\n",
            functions(topic.part_of.iter().copied())
        )),
        [own, rest @ ..] => {
            facts.push_str(&format!("- Function: {}\n", functions([*own])));
            if !rest.is_empty() {
                facts.push_str(&format!(
                    "- Told here as well: {}\n",
                    functions(rest.iter().copied())
                ));
            }
            if !topic.part_of.is_empty() {
                facts.push_str(&format!(
                    "- Part of: {}\n",
                    functions(topic.part_of.iter().copied())
                ));
            }
        }
    }
    facts.push('\n');
    facts
}

fn told(topic: &Topic) -> impl Iterator<Item = Upstream> {
    topic.functions.iter().chain(topic.part_of).copied()
}

/// `` `groupPods` in `pkg/controller/podautoscaler/replica_calculator.go` ``, those of one file together.
fn functions(functions: impl IntoIterator<Item = Upstream>) -> String {
    let mut files: Vec<(&str, Vec<String>)> = Vec::new();
    for function in functions {
        let name = format!("`{}`", function.function);
        match files.iter_mut().find(|(file, _)| *file == function.file) {
            Some((_, names)) => names.push(name),
            None => files.push((function.file, vec![name])),
        }
    }
    let parts: Vec<String> = files
        .into_iter()
        .map(|(file, names)| {
            format!(
                "{} in `pkg/controller/podautoscaler/{file}`",
                names.join(", ")
            )
        })
        .collect();
    parts.join("; ")
}

fn inputs(topic: &Topic) -> String {
    if topic.inputs.is_empty() {
        return String::new();
    }
    table(
        ["input", "unit", "from"],
        topic
            .inputs
            .iter()
            .map(|input| [input.name, input.unit, input.from].map(str::to_owned)),
    )
}

fn formula(topic: &Topic) -> String {
    let mut text = code(topic.formula);
    if !topic.remarks.is_empty() {
        text.push('\n');
    }
    for remark in topic.remarks {
        text.push_str(&format!("- {remark}\n"));
    }
    text
}

fn versions(topic: &Topic) -> String {
    let (oldest, newest) = (KubeVersion::OLDEST.minor, KubeVersion::NEWEST.minor);
    if topic.differences.is_empty() {
        return format!(
            "The same in all versions that are known, {}.",
            range(oldest, newest)
        );
    }
    let mut text = String::new();
    for difference in topic.differences {
        text.push_str(&format!(
            "- **{}** {}\n",
            since(difference),
            difference.text
        ));
        if let Some(numbers) = difference.numbers {
            text.push_str(&format!("  The same input: {}.\n", by_version(numbers)));
        }
    }
    text
}

/// `since 1.33`, or `up to 1.22` where the oldest known version has it already.
fn since(difference: &Difference) -> String {
    let first = match difference.since {
        Since::Minor(minor) => minor,
        Since::Switch(switch) => first_change(switch),
    };
    format!("Since 1.{first}:")
}

/// The first minor version whose switch is not as in the oldest known one.
pub(super) fn first_change(switch: fn(&Switches) -> bool) -> u32 {
    let state = |minor: u32| {
        let version = version(minor);
        switch(&Switches::of(version, &FeatureGates::defaults(version)))
    };
    let oldest = KubeVersion::OLDEST.minor;
    let mut later = oldest..=KubeVersion::NEWEST.minor;
    later
        .find(|minor| state(*minor) != state(oldest))
        .unwrap_or(oldest)
}

fn beliefs(topic: &Topic) -> String {
    let mut text = String::new();
    for (belief, truth) in topic.beliefs {
        text.push_str(&format!("- *{belief}*\n  {truth}\n"));
    }
    text
}

fn shown(topic: &Topic) -> String {
    let (id, case) = match topic.shown {
        Shown::Elsewhere(text) => return text.to_owned(),
        Shown::Own(case) => (topic.id, case()),
        Shown::Of(id, case) => (id, case()),
    };
    code(&own_lines(id, &ladder_of(&case)))
}

/// The lines of a ladder that belong to a page.
fn own_lines(id: &str, ladder: &[StepView]) -> String {
    let own: Vec<&StepView> = ladder
        .iter()
        .filter(|step| topic_of_step(step).is_some_and(|topic| topic.id == id))
        .collect();
    lines(&own)
}

fn rules(topic: &Topic) -> String {
    let mut text = String::new();
    for (code, name) in topic.rules {
        text.push_str(&format!("- [{code} {name}](../rules/{code}-{name}.md)\n"));
    }
    text
}

fn code(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The case with which a page shows its step in `explain`, and whose step that is.
    fn shown_case(topic: &Topic) -> Option<(&'static str, super::super::case::Case)> {
        match topic.shown {
            Shown::Elsewhere(_) => None,
            Shown::Own(case) => Some((topic.id, case())),
            Shown::Of(id, case) => Some((id, case())),
        }
    }

    #[test]
    fn numbers_change_with_the_version_that_the_page_names() {
        for topic in topics() {
            for difference in topic.differences {
                let first = match difference.since {
                    Since::Minor(minor) => minor,
                    Since::Switch(switch) => first_change(switch),
                };
                let (id, text) = (topic.id, difference.text);
                assert!(
                    KubeVersion::OLDEST.minor < first,
                    "{id}: {text} never changes"
                );
                if let Some(numbers) = difference.numbers {
                    assert_ne!(
                        numbers(first - 1),
                        numbers(first),
                        "{id}: 1.{first}: {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn pages_that_know_no_difference_show_the_same_in_every_version() {
        let minors = KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor;
        for topic in topics().filter(|topic| topic.differences.is_empty()) {
            let Some((id, case)) = shown_case(topic) else {
                continue;
            };
            for minor in minors.clone() {
                let of = |case| own_lines(id, &ladder_of(&case));
                let (there, here) = (of(case.clone().under(minor)), of(case.clone()));
                assert_eq!(there, here, "{}: 1.{minor}", topic.id);
            }
        }
    }

    #[test]
    fn every_line_of_explain_has_a_page_and_every_page_its_line() {
        for topic in topics() {
            let Some((id, case)) = shown_case(topic) else {
                continue;
            };
            let ladder = ladder_of(&case);
            for step in &ladder {
                assert!(
                    topic_of_step(step).is_some(),
                    "{}: {:?}",
                    topic.id,
                    step.kind
                );
            }
            assert!(
                !own_lines(id, &ladder).is_empty(),
                "{} is not shown",
                topic.id
            );
        }
    }
}
