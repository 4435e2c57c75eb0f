//! The parts of `export` agree: series, rules, dashboard, their page, the runbook and the manifests.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use hpa_render::export::{Holder, SERIES, VERDICTS, dashboard, operator_rules, rules};
use regex::Regex;
use serde_json::Value;

use super::book::permissions::roles;

#[test]
fn queries_of_rules_and_dashboard_use_only_series_and_labels_that_are_served() {
    let mut queries: Vec<String> = all_rules(&rules())
        .iter()
        .map(|rule| text(&rule["expr"]))
        .collect();
    let board: Value = serde_json::from_str(&dashboard()).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .filter_map(|panel| panel["targets"].as_array());
    queries.extend(targets.flatten().map(|target| text(&target["expr"])));
    let variables = board["templating"]["list"].as_array().unwrap();
    queries.extend(variables.iter().map(|one| {
        one["query"]["query"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }));
    assert!(35 < queries.len(), "{queries:#?}");

    let labels: BTreeMap<&str, BTreeSet<&str>> = SERIES
        .iter()
        .map(|series| (series.name, series.labels.iter().copied().collect()))
        .collect();
    let named = Regex::new(r"kubectl_hpa_\w+(\{[^}]*\})?").unwrap();
    let matcher = Regex::new(r#"(\w+)=~?"([^"]*)""#).unwrap();
    let grouped = Regex::new(r"by \(([^)]*)\)").unwrap();
    let mut used = BTreeSet::new();
    for query in &queries {
        let mut known = BTreeSet::from(["cluster"]);
        for found in named.find_iter(query) {
            let (name, matchers) = found
                .as_str()
                .split_once('{')
                .unwrap_or((found.as_str(), ""));
            let of_series = labels
                .get(name)
                .unwrap_or_else(|| panic!("{name} in {query}"));
            used.insert(name.to_owned());
            known.extend(of_series);
            for matcher in matcher.captures_iter(matchers) {
                let (label, value) = (&matcher[1], &matcher[2]);
                // A store of several clusters adds that one.
                let is_served = label == "cluster" || of_series.contains(label);
                assert!(is_served, "{label} in {query}");
                let is_known = |value: &str| match label {
                    "verdict" => VERDICTS.contains(&value),
                    "by" => Holder::ALL.iter().any(|one| one.as_str() == value),
                    "direction" => ["up", "down"].contains(&value),
                    _ => value.starts_with('$'),
                };
                assert!(value.split('|').all(is_known), "{label}={value} in {query}");
            }
        }
        for by in grouped.captures_iter(query) {
            for label in by[1].split(", ") {
                assert!(known.contains(label), "{label} in {query}");
            }
        }
    }
    let idle = [
        "kubectl_hpa_build_info",
        "kubectl_hpa_last_heard_timestamp_seconds",
        "kubectl_hpa_source_failing",
        "kubectl_hpa_scrapes_total",
        "kubectl_hpa_scrape_seconds_total",
    ];
    for series in SERIES
        .iter()
        .filter(|one| !one.name.starts_with("process_"))
    {
        assert!(
            used.contains(series.name) || idle.contains(&series.name),
            "nothing uses {}",
            series.name
        );
    }
}

#[test]
fn every_alert_has_words_a_section_of_the_runbook_a_row_of_the_page_and_a_test() {
    let page = text_of("docs/export.md");
    let tests = text_of("deploy/monitoring/rules-test.yaml");
    let runbook = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/runbook.md#");
    let mut alerts = BTreeSet::new();
    for rule in all_rules(&rules()) {
        let Some(alert) = rule["alert"].as_str() else {
            assert!(tests.contains(&text(&rule["record"])), "no test: {rule}");
            continue;
        };
        alerts.insert(alert.to_owned());
        let severity = text(&rule["labels"]["severity"]);
        assert!(
            ["warning", "info"].contains(&severity.as_str()),
            "{alert}: {severity}"
        );
        for words in ["summary", "description"] {
            let words = text(&rule["annotations"][words]);
            assert!(words.ends_with('.'), "{alert}: {words}");
        }
        let url = text(&rule["annotations"]["runbook_url"]);
        let section = url
            .strip_prefix(runbook)
            .unwrap_or_else(|| panic!("{alert}: {url}"));
        // Another test checks that the link leads to a heading.
        let row = format!("\n| `{alert}` | {severity} | ");
        let row = page
            .split(&row)
            .nth(1)
            .unwrap_or_else(|| panic!("docs/export.md has no row of {alert}"));
        let row = row.lines().next().unwrap();
        assert!(
            row.ends_with(&format!("](runbook.md#{section}) |")),
            "{alert}: {row}"
        );
        assert!(
            tests.contains(&format!("alertname=\"{alert}\"")),
            "no test of {alert}"
        );
    }
    let row = Regex::new(r"(?m)^\| `(Hpa\w+)` \|").unwrap();
    let rows: BTreeSet<String> = row
        .captures_iter(&page)
        .map(|row| row[1].to_owned())
        .collect();
    assert_eq!(rows, alerts);
    assert!(10 < alerts.len());
}

#[test]
fn page_lists_every_series_with_its_labels_and_every_verdict() {
    let page = text_of("docs/export.md");
    let row = Regex::new(r"(?m)^\| `((?:kubectl_hpa|process)_\w+)` \| ([^|]*)\|").unwrap();
    let code = Regex::new("`(\\w+)`").unwrap();
    let mut rows = BTreeMap::new();
    for row in row.captures_iter(&page) {
        let mut labels: BTreeSet<String> = code
            .captures_iter(&row[2])
            .map(|label| label[1].to_owned())
            .collect();
        if !row[2].contains("no label") && !row[2].contains("alone") {
            labels.extend(["namespace", "horizontalpodautoscaler"].map(str::to_owned));
        }
        rows.insert(row[1].to_owned(), labels);
    }
    let served: BTreeMap<String, BTreeSet<String>> = SERIES
        .iter()
        .map(|series| {
            (
                series.name.to_owned(),
                series
                    .labels
                    .iter()
                    .map(|&label| label.to_owned())
                    .collect(),
            )
        })
        .collect();
    assert_eq!(rows, served);
    let verdicts = page.split("| verdict | the HPA |").nth(1).unwrap();
    let verdicts = verdicts.split("\n\n").next().unwrap();
    let cells = verdicts.lines().filter_map(|row| row.split(" | ").next());
    let cells: String = cells.collect();
    let named: BTreeSet<String> = code
        .captures_iter(&cells)
        .map(|one| one[1].to_owned())
        .collect();
    assert_eq!(named, VERDICTS.iter().map(|&one| one.to_owned()).collect());
    for holder in Holder::ALL {
        assert!(
            page.contains(&format!("`{}`", holder.as_str())),
            "{holder:?}"
        );
    }
}

/// The operator's object contains the same rules.
#[test]
fn rules_are_the_same_for_the_operator() {
    let object: Value = serde_saphyr::from_str(&operator_rules()).unwrap();
    assert_eq!(object["kind"], "PrometheusRule");
    let file: Value = serde_saphyr::from_str(&rules()).unwrap();
    assert_eq!(object["spec"]["groups"], file["groups"]);
}

#[test]
fn dashboard_has_its_rows_and_variables() {
    let board: Value = serde_json::from_str(&dashboard()).unwrap();
    let panels = board["panels"].as_array().unwrap();
    let rows: Vec<&str> = panels
        .iter()
        .filter(|panel| panel["type"] == "row")
        .map(|panel| panel["title"].as_str().unwrap())
        .collect();
    assert_eq!(rows, ["Fleet", "One HPA", "What held it"]);
    let variables = board["templating"]["list"].as_array().unwrap().iter();
    let variables: Vec<&str> = variables.map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(variables, ["datasource", "cluster", "namespace", "hpa"]);
    let ids: BTreeSet<i64> = panels
        .iter()
        .map(|panel| panel["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids.len(), panels.len());
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        assert_eq!(panel["datasource"]["uid"], "${datasource}", "{panel}");
    }
}

/// It may only read, and has no permission beyond the role for people. It does not run as root, and writes no file.
#[test]
fn manifest_of_the_exporter_only_reads_and_has_no_privileges_on_its_node() {
    let documents = roles(&text_of("deploy/exporter.yaml"));
    let [of_people, of_controller] = &roles(&text_of("deploy/rbac.yaml"))[..] else {
        panic!("two roles")
    };
    let granted = |role: &Value| -> BTreeSet<(String, String, String)> {
        let mut granted = BTreeSet::new();
        for rule in role["rules"].as_array().unwrap() {
            for group in rule["apiGroups"].as_array().unwrap() {
                for resource in rule["resources"].as_array().unwrap() {
                    for verb in rule["verbs"].as_array().unwrap() {
                        granted.insert((text(group), text(resource), text(verb)));
                    }
                }
            }
        }
        granted
    };
    let of_kind = |kind: &str| documents.iter().find(|one| one["kind"] == kind).unwrap();
    assert!(granted(of_kind("ClusterRole")).is_subset(&granted(of_people)));
    assert_eq!(granted(of_kind("Role")), granted(of_controller));
    let reads = ["get", "list", "watch"];
    let verbs = granted(of_kind("ClusterRole"))
        .into_iter()
        .map(|(_, _, verb)| verb);
    assert!(verbs.into_iter().all(|verb| reads.contains(&verb.as_str())));
    let pod = &of_kind("Deployment")["spec"]["template"]["spec"];
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    let container = &pod["containers"][0];
    let security = &container["securityContext"];
    assert_eq!(security["readOnlyRootFilesystem"], true);
    assert_eq!(security["allowPrivilegeEscalation"], false);
    assert_eq!(security["capabilities"]["drop"][0], "ALL");
    assert!(container["resources"]["limits"]["memory"].is_string());
    let monitor = &roles(&text_of("deploy/monitoring/pod-monitor.yaml"))[0];
    let labels = &of_kind("Deployment")["spec"]["template"]["metadata"]["labels"];
    let selected = monitor["spec"]["selector"]["matchLabels"].as_object();
    let mut selected = selected.unwrap().iter();
    assert!(selected.all(|(key, value)| labels[key] == *value));
    assert_eq!(
        monitor["spec"]["podMetricsEndpoints"][0]["honorLabels"],
        true
    );
    assert_eq!(
        monitor["spec"]["podMetricsEndpoints"][0]["port"],
        container["ports"][0]["name"]
    );
}

fn all_rules(file: &str) -> Vec<Value> {
    let file: Value = serde_saphyr::from_str(file).unwrap();
    let groups = file["groups"].as_array().unwrap().iter();
    groups
        .flat_map(|group| group["rules"].as_array().unwrap().clone())
        .collect()
}

#[track_caller]
fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value}"))
        .to_owned()
}

fn text_of(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}
