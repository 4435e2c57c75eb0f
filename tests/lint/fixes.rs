//! Fixes of generated manifests: only the intended part changes, however the text is written.

use hpa_engine::model::Input as Given;
use hpa_lint::{FixStep, LintInput, LintSettings, fix, run};
use hpa_testing::version;
use kubectl_hpa_yaml::parse;
use proptest::{prelude::*, sample::Index};
use serde_json::{Value, json};

/// How a manifest is written.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "styles differ in many ways")]
struct Style {
    kind: Kind,
    indent: usize,
    /// Whether the dashes of lists are directly below their keys.
    has_flat_lists: bool,
    has_comments: bool,
    has_crlf: bool,
    has_quotes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Block,
    /// Block style whose metrics and policies are in braces.
    Mixed,
    Json,
}

fn style() -> impl Strategy<Value = Style> {
    let kind = prop_oneof![Just(Kind::Block), Just(Kind::Mixed), Just(Kind::Json)];
    (
        kind,
        prop_oneof![Just(2_usize), Just(4)],
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(
            |(kind, indent, has_flat_lists, has_comments, has_crlf, has_quotes)| Style {
                kind,
                indent,
                has_flat_lists,
                has_comments,
                has_crlf,
                has_quotes,
            },
        )
}

fn hpa() -> Value {
    json!({
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web", "labels": {"team": "shop"}},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "maxReplicas": 9,
            "metrics": [
                {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}},
                {"type": "Pods", "pods": {"metric": {"name": "rps"}, "target": {"type": "AverageValue", "averageValue": "10"}}}
            ],
            "behavior": {
                "scaleUp": {"policies": [{"type": "Pods", "value": 4, "periodSeconds": 60}]},
                "scaleDown": {"stabilizationWindowSeconds": 60, "selectPolicy": "Min"}
            }
        }
    })
}

fn written(value: &Value, style: Style) -> String {
    let mut out = String::new();
    if style.kind == Kind::Json {
        out = serde_json::to_string_pretty(value).expect("it is JSON") + "\n";
    } else {
        block(value, 0, style, &mut out);
    }
    if style.has_crlf {
        out = out.replace('\n', "\r\n");
    }
    out
}

fn block(value: &Value, column: usize, style: Style, out: &mut String) {
    let pad = " ".repeat(column);
    match value {
        Value::Object(entries) => {
            for (index, (key, value)) in entries.iter().enumerate() {
                if style.has_comments && 0 < index {
                    out.push_str(&format!("{pad}# about {key}\n"));
                }
                if index > 0 || !out.ends_with("- ") {
                    out.push_str(&pad);
                }
                out.push_str(&format!("{key}:"));
                entry(value, column, style, out);
            }
        }
        Value::Array(items) => {
            for item in items {
                out.push_str(&format!("{pad}- "));
                block(item, column + 2, style, out);
            }
        }
        _ => unreachable!("scalars stand behind their keys"),
    }
}

fn entry(value: &Value, column: usize, style: Style, out: &mut String) {
    let is_flow = style.kind == Kind::Mixed && (value.is_array() || value.get("type").is_some());
    let comment = if style.has_comments { " # why" } else { "" };
    match value {
        Value::Object(_) | Value::Array(_) if is_flow => {
            out.push_str(&format!(" {}{comment}\n", flow(value)));
        }
        Value::Object(_) => {
            out.push_str(&format!("{comment}\n"));
            block(value, column + style.indent, style, out);
        }
        Value::Array(_) => {
            out.push_str(&format!("{comment}\n"));
            let step = if style.has_flat_lists {
                0
            } else {
                style.indent
            };
            block(value, column + step, style, out);
        }
        Value::String(text) if style.has_quotes || text.parse::<f64>().is_ok() => {
            out.push_str(&format!(" '{text}'{comment}\n"));
        }
        Value::String(text) => out.push_str(&format!(" {text}{comment}\n")),
        other => out.push_str(&format!(" {other}{comment}\n")),
    }
}

fn flow(value: &Value) -> String {
    let list = |items: Vec<String>| items.join(", ");
    match value {
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{key}: {}", flow(value)));
            format!("{{{}}}", list(entries.collect()))
        }
        Value::Array(items) => format!("[{}]", list(items.iter().map(flow).collect())),
        other => other.to_string(),
    }
}

/// Every path below `spec.metrics` and `spec.behavior`, with its JSON pointer.
fn paths(value: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for key in ["metrics", "behavior"] {
        let path = format!("spec.{key}");
        let pointer = format!("/spec/{key}");
        collect(&value["spec"][key], &path, &pointer, &mut found);
    }
    found
}

fn collect(value: &Value, path: &str, pointer: &str, found: &mut Vec<(String, String)>) {
    found.push((path.to_owned(), pointer.to_owned()));
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                collect(
                    value,
                    &format!("{path}.{key}"),
                    &format!("{pointer}/{key}"),
                    found,
                );
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                collect(
                    value,
                    &format!("{path}[{index}]"),
                    &format!("{pointer}/{index}"),
                    found,
                );
            }
        }
        _ => {}
    }
}

/// A step at a path, and the intended value; `None` if there is no such step.
fn step(which: usize, value: &Value, path: &str, pointer: &str) -> Option<(FixStep, Value)> {
    let mut changed = value.clone();
    let (parent, key) = pointer.rsplit_once('/').expect("it has a parent");
    let path = path.to_owned();
    let step = match which {
        0 => {
            match changed.pointer_mut(parent)? {
                Value::Object(entries) => {
                    entries.remove(key)?;
                }
                Value::Array(items) => {
                    items.remove(key.parse().ok()?);
                }
                _ => return None,
            }
            FixStep::Remove { path }
        }
        1 => {
            let entries = changed.pointer_mut(parent)?.as_object_mut()?;
            let value = entries.remove(key)?;
            entries.insert("zzz".to_owned(), value);
            FixStep::RenameKey {
                path,
                key: "zzz".to_owned(),
            }
        }
        2 => {
            let target = changed.pointer_mut(pointer)?;
            if target.is_object() || target.is_array() {
                return None;
            }
            *target = json!(7);
            FixStep::SetScalar {
                path,
                text: "7".to_owned(),
            }
        }
        _ => {
            let entries = changed.pointer_mut(pointer)?.as_object_mut()?;
            entries.insert("zzz".to_owned(), json!({"a": "x", "b": {"c": 1}}));
            FixStep::Insert {
                path,
                key: "zzz".to_owned(),
                text: "{a: x, b: {c: 1}}".to_owned(),
            }
        }
    };
    Some((step, changed))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_step_changes_what_it_says_and_leaves_every_other_line(
        style in style(),
        which in 0..4_usize,
        index in any::<Index>(),
    ) {
        let value = hpa();
        let text = written(&value, style);
        let paths = paths(&value);
        let (path, pointer) = &paths[index.index(paths.len())];
        let Some((step, intended)) = step(which, &value, path, pointer) else {
            return Ok(());
        };

        let mut input = LintInput::default();
        input.add_text("hpa.yaml", &text, true);
        let version = version(36);
        let mut settings = LintSettings::new(Given::given(version));
        settings.enabled = ["HPA103"].into();
        let mut report = run(&input, &settings);
        prop_assert_eq!(report.findings.len(), 1);
        report.findings[0].finding.fix = [step.clone()].into();
        let round = fix::round(&input, &report);
        prop_assert_eq!(&round.refused, &[], "{:?}\n{}", &step, &text);
        let changed = round.texts.into_values().next().expect("one file changes");

        let documents = parse(&changed);
        let document = documents[0].as_ref().expect("it can be read");
        prop_assert_eq!(document.root.to_json(), intended, "{:?}\n{}", &step, &changed);
        if style.has_crlf {
            prop_assert_eq!(changed.matches('\n').count(), changed.matches("\r\n").count());
        }
        // Lines before the place are unchanged, and so are the remaining lines after it.
        let same_before = text.lines().zip(changed.lines()).take_while(|(one, other)| one == other);
        let same_before = same_before.count();
        let same_behind = text.lines().rev().zip(changed.lines().rev());
        let same_behind = same_behind.take_while(|(one, other)| one == other).count();
        let old = text.lines().count().saturating_sub(same_before + same_behind);
        let new = changed.lines().count().saturating_sub(same_before + same_behind);
        let size = text.lines().filter(|line| line.contains(':')).count();
        prop_assert!(old <= size && new <= 6, "{:?}: {} lines became {}\n{}", &step, old, new, &changed);
        if which != 0 {
            prop_assert!(old <= 2, "{:?}: {} lines changed\n{}", &step, old, &changed);
        }
    }
}

/// An HPA with four findings that have a fix: HPA001, HPA003, HPA310 and HPA402.
fn fixable(name: &str) -> Value {
    json!({
        "apiVersion": "autoscaling/v2beta2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {
            "name": name,
            "annotations": {"autoscaling.alpha.kubernetes.io/conditions": "[]", "team": "shop"}
        },
        "spec": {
            "scaleTargetRef": {"apiVersion": "batch/v1", "kind": "Deployment", "name": name},
            "minReplicas": 4,
            "maxReplicas": 9,
            "metrics": [
                {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}
            ],
            "behavior": {
                "scaleDown": {"policies": [
                    {"type": "Pods", "value": 1, "periodSeconds": 60},
                    {"type": "Percent", "value": 50, "periodSeconds": 60}
                ]}
            }
        }
    })
}

/// The text after all possible fixes.
fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..10 {
        let mut input = LintInput::default();
        input.add_text("hpa.yaml", &text, true);
        let version = version(36);
        let report = run(&input, &LintSettings::new(Given::given(version)));
        let round = fix::round(&input, &report);
        assert_eq!(round.refused, [], "{text}");
        match round.texts.into_values().next() {
            Some(changed) => text = changed,
            None => return text,
        }
    }
    panic!("it does not come to an end:\n{text}");
}

/// Each object is fixed in its own text, as a document or in a list.
#[test]
fn an_object_is_fixed_alike_alone_and_among_others() {
    let names = ["a", "b", "c", "d"];
    for kind in [Kind::Block, Kind::Mixed] {
        for has_comments in [false, true] {
            let style = Style {
                kind,
                indent: 2,
                has_flat_lists: true,
                has_comments,
                has_crlf: false,
                has_quotes: false,
            };
            let alone = names.map(|name| written(&fixable(name), style));
            let intended = alone.each_ref().map(|text| fixed(text));
            for (before, after) in alone.iter().zip(&intended) {
                assert!(
                    !after.contains("batch/v1") && !after.contains("v2beta2"),
                    "{after}"
                );
                assert!(
                    !after.contains("conditions") && !after.contains("type: Pods"),
                    "{after}"
                );
                assert!(after.len() < before.len());
            }
            assert_eq!(fixed(&alone.join("---\n")), intended.join("---\n"));

            let listed = |texts: &[String; 4]| {
                let items = texts.each_ref().map(|text| {
                    let text = text.trim_end().replace('\n', "\n  ");
                    format!("- {text}\n")
                });
                format!("apiVersion: v1\nitems:\n{}kind: List\n", items.concat())
            };
            assert_eq!(fixed(&listed(&alone)), listed(&intended));
        }
    }
    let list = |names: &[&str]| {
        let items: Vec<Value> = names.iter().map(|name| fixable(name)).collect();
        json!({"apiVersion": "v1", "kind": "List", "items": items})
    };
    let pretty = |value: &Value| serde_json::to_string_pretty(value).expect("it is JSON");
    for text in [pretty(&list(&names)), list(&names).to_string()] {
        let after: Value = serde_json::from_str(&fixed(&text)).expect("it is JSON");
        for (index, name) in names.into_iter().enumerate() {
            let alone: Value =
                serde_json::from_str(&fixed(&pretty(&fixable(name)))).expect("it is JSON");
            assert_eq!(after["items"][index], alone);
        }
    }
}

/// Aliases across objects cannot be fixed in the text of one object.
#[test]
fn an_object_with_an_alias_of_another_one_is_fixed_at_its_place() {
    let item = |name: &str, labels: &str| {
        format!(
            "- apiVersion: autoscaling/v2beta2\n  kind: HorizontalPodAutoscaler\n  metadata:\n    name: {name}\n    labels: {labels}\n  \
             spec:\n    scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: {name}}}\n    maxReplicas: 9\n    metrics:\n    \
             - type: Resource\n      resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 80}}}}\n"
        )
    };
    let text = format!(
        "apiVersion: v1\nkind: List\nitems:\n{}{}",
        item("a", "&labels {team: shop}"),
        item("b", "*labels")
    );
    assert_eq!(fixed(&text), text.replace("v2beta2", "v2"));
}

#[test]
fn the_difference_of_many_objects_is_that_of_each() {
    let style = Style {
        kind: Kind::Block,
        indent: 2,
        has_flat_lists: true,
        has_comments: false,
        has_crlf: false,
        has_quotes: false,
    };
    let alone: Vec<String> = (0..40)
        .map(|index| written(&fixable(&format!("web-{index}")), style))
        .collect();
    let before = alone.join("---\n");
    let after = fixed(&before);
    let difference = fix::TextDifference::of_objects(&before, &after);
    let mut lines: Vec<String> = before.split_inclusive('\n').map(str::to_owned).collect();
    let mut count = 0;
    for (range, text) in difference.changes().collect::<Vec<_>>().into_iter().rev() {
        count += range.len();
        lines.splice(range, [text]);
    }
    assert_eq!(lines.concat(), after);
    assert_eq!(count, 40 * 6, "no more lines than the fixes change");
}
