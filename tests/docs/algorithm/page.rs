//! Inserts the computed parts of a page between the existing prose.

use hpa_engine::{
    model::{FeatureGates, KubeVersion, Switches},
    trace::Upstream,
};
use hpa_explain::{
    StepView,
    learn::{Chapter, Topic, page_name, topic_of_step, topics},
};
use hpa_lint::rules;
use hpa_testing::{World, version};

use super::{
    computed::{Computed, Difference, Displayed, Since},
    example::{by_version, ladder_of, lines, range, table, wrapped},
    picture,
    topics::all,
};

/// The existing page with an updated head and updated computed parts; prose is kept.
pub(crate) fn page(found: &str, topic: &Topic) -> String {
    let computed = all().find(|computed| computed.id == topic.id);
    let computed = computed.unwrap_or_else(|| panic!("nothing is computed for {}", topic.id));
    let mut page = format!("# {}\n\n{}\n\n", topic.title, topic.answers);
    page.push_str(&facts(topic));
    for (heading, text) in sections(found) {
        let text = match heading {
            "Picture" => code(&(computed.picture)()),
            "Examples" => (computed.worked)(),
            "Kubernetes versions" => versions(text, computed),
            "Output of explain" => displayed(computed).unwrap_or_else(|| text.to_owned()),
            "Lint rules" => rules_of(topic),
            _ => text.to_owned(),
        };
        page.push_str(&format!("\n## {heading}\n\n{}\n", text.trim()));
    }
    page
}

/// The existing index page with updated picture and tables; prose is kept.
pub(crate) fn index(found: &str) -> String {
    let (intro, _) = found.split_once("\n## ").unwrap_or((found, ""));
    let mut index = format!("{}\n", intro.trim_end());
    for (heading, text) in sections(found) {
        let text = match heading {
            "The whole sync" => {
                let (_, prose) = text.split_once("\n```\n").unwrap_or_default();
                format!("{}{prose}", code(&whole_sync()))
            }
            "The pages in order" => pages_in_order(),
            _ => text.to_owned(),
        };
        index.push_str(&format!("\n## {heading}\n\n{}\n", text.trim()));
    }
    index
}

/// Headings, each with the text below it.
fn sections(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let sections = page.split("\n## ").skip(1);
    sections.map(|section| section.split_once('\n').unwrap_or((section, "")))
}

fn pages_in_order() -> String {
    let mut out = String::new();
    for chapter in Chapter::ALL {
        let rows = topics()
            .filter(|topic| topic.chapter == chapter)
            .map(|topic| {
                let functions = topic.functions.iter().chain(topic.part_of);
                let names: Vec<String> = functions
                    .map(|function| format!("`{}`", function.function))
                    .collect();
                [
                    format!("[{}]({})", topic.id, page_name(topic)),
                    topic.answers.to_owned(),
                    names.join(", "),
                ]
            });
        let table = table(["page", "question", "functions"], rows);
        out.push_str(&format!("\n### {}\n\n{table}", chapter.title()));
    }
    out
}

fn whole_sync() -> String {
    let boxes: Vec<Vec<String>> = Chapter::ALL
        .iter()
        .zip(1..)
        .map(|(chapter, number)| {
            let ids: Vec<&str> = topics()
                .filter(|topic| topic.chapter == *chapter)
                .map(|topic| topic.id)
                .collect();
            let mut lines = vec![format!("{number}  {}", chapter.title())];
            let wrapped = wrapped(&ids.join(", "), 66);
            lines.extend(wrapped.into_iter().map(|line| format!("   {line}")));
            lines
        })
        .collect();
    picture::flow(&boxes)
}

fn facts(topic: &Topic) -> String {
    let all: Vec<&Topic> = topics().collect();
    let place = all.iter().position(|one| one.id == topic.id);
    let place = place.unwrap_or_default();
    let link = |neighbor: Option<&&Topic>| {
        neighbor.map(|neighbor| format!("[{}]({})", neighbor.id, page_name(neighbor)))
    };
    let mut order = vec![format!(
        "page {} of {}, \"{}\" in [the whole sync](README.md)",
        place + 1,
        all.len(),
        topic.chapter.title()
    )];
    let before = link(place.checked_sub(1).and_then(|before| all.get(before)));
    order.extend(before.map(|before| format!("previous: {before}")));
    order.extend(link(all.get(place + 1)).map(|after| format!("next: {after}")));
    let mut facts = format!(
        "- Id: `{}` (`kubectl hpa explain --learn {}`)\n- Order: {}\n",
        topic.id,
        topic.id,
        order.join("; ")
    );
    let (own, rest) = topic.functions.split_at(topic.functions.len().min(1));
    for (name, some) in [
        ("Function", own),
        ("Also covered here", rest),
        ("Part of", topic.part_of),
    ] {
        if !some.is_empty() {
            facts.push_str(&format!("- {name}: {}\n", functions(some)));
        }
    }
    facts
}

/// `` `groupPods` in `pkg/controller/podautoscaler/replica_calculator.go` ``; functions of one file together.
fn functions(functions: &[Upstream]) -> String {
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

/// The existing list of differences, with updated versions and numbers.
fn versions(found: &str, computed: &Computed) -> String {
    let (oldest, newest) = (KubeVersion::OLDEST.minor, KubeVersion::NEWEST.minor);
    let differences = computed.differences;
    if differences.is_empty() {
        return format!("All versions from {} do the same.", range(oldest, newest));
    }
    let found = format!("\n{found}");
    let items: Vec<&str> = found.split("\n- ").skip(1).collect();
    let id = computed.id;
    assert_eq!(
        items.len(),
        differences.len(),
        "{id}: differences on the page (left), in the code (right)"
    );
    let mut text = String::new();
    for (item, difference) in items.into_iter().zip(differences) {
        let (item, _) = item.split_once(NUMBERS).unwrap_or((item, ""));
        let (_, prose) = item.split_once(":** ").unwrap_or_default();
        assert_ne!(prose, "", "{id}: no version in {item}");
        let first = first_version(difference);
        text.push_str(&format!("- **Since 1.{first}:** {prose}\n"));
        if let Some(numbers) = difference.numbers {
            text.truncate(text.trim_end().len());
            text.push_str(&format!("{NUMBERS}{}.\n", by_version(numbers)));
        }
    }
    text
}

/// What precedes the numbers of a difference.
const NUMBERS: &str = "\n  Example: ";

fn first_version(difference: &Difference) -> u32 {
    match difference.since {
        Since::Minor(minor) => minor,
        Since::Switch(switch) => first_change(switch),
    }
}

/// The first minor version whose switch differs from the oldest known one.
fn first_change(switch: fn(&Switches) -> bool) -> u32 {
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

/// The lines of `explain`; `None` if the page says in words where the step is visible.
fn displayed(computed: &Computed) -> Option<String> {
    let (id, case) = shown_case(computed)?;
    Some(code(&own_lines(id, &ladder_of(&case))))
}

/// The situation in which a page shows its step in `explain`, and the page that the step belongs to.
fn shown_case(computed: &Computed) -> Option<(&'static str, World)> {
    match computed.displayed {
        Displayed::Elsewhere => None,
        Displayed::Own(case) => Some((computed.id, case())),
        Displayed::Of(id, case) => Some((id, case())),
    }
}

/// The lines of a ladder that belong to a page.
fn own_lines(id: &str, ladder: &[StepView]) -> String {
    let own: Vec<&StepView> = ladder
        .iter()
        .filter(|step| topic_of_step(step).is_some_and(|topic| topic.id == id))
        .collect();
    lines(&own)
}

fn rules_of(topic: &Topic) -> String {
    let rules = topic.rules.iter().map(|code| {
        let rule = rules::find(code).unwrap_or_else(|| panic!("{}: {code}", topic.id));
        let page = rules::page_name(rule);
        format!("- [{code} {}](../rules/{page})\n", rule.name)
    });
    rules.collect()
}

fn code(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end_matches('\n'))
}

#[test]
fn numbers_change_with_the_version_that_the_page_names() {
    for computed in all() {
        for difference in computed.differences {
            let first = first_version(difference);
            let id = computed.id;
            assert!(
                KubeVersion::OLDEST.minor < first,
                "{id}: a difference never changes anything"
            );
            if let Some(numbers) = difference.numbers {
                assert_ne!(numbers(first - 1), numbers(first), "{id}: 1.{first}");
            }
        }
    }
}

#[test]
fn pages_that_know_no_difference_show_the_same_in_every_version() {
    let minors = KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor;
    for computed in all().filter(|computed| computed.differences.is_empty()) {
        let Some((id, case)) = shown_case(computed) else {
            continue;
        };
        for minor in minors.clone() {
            let of = |case| own_lines(id, &ladder_of(&case));
            let (there, here) = (of(case.clone().kube(minor)), of(case.clone()));
            assert_eq!(there, here, "{}: 1.{minor}", computed.id);
        }
    }
}

#[test]
fn every_line_of_explain_has_a_page_and_every_page_its_line() {
    for computed in all() {
        let Some((id, case)) = shown_case(computed) else {
            continue;
        };
        let ladder = ladder_of(&case);
        for step in &ladder {
            let kind = step.kind;
            assert!(topic_of_step(step).is_some(), "{}: {kind:?}", computed.id);
        }
        let own = own_lines(id, &ladder);
        assert!(!own.is_empty(), "{} is not shown", computed.id);
    }
}
