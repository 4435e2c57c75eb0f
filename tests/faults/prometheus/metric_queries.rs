//! Queries of metrics that fail, that select nothing, or too much: an error, or a note and a past as without them.

use serde_json::{Value, json};

use super::{
    fake::Constant,
    history::{TO, World},
    queue::{EXPORTED, FROM, PODS, metric, past, report},
};
use crate::{autoscalers::groups, world::list};

/// [`FROM`] and half an hour, in seconds.
const HALF: i32 = 1_795_653_700;

/// What the queries of these tests select.
fn results(query: &str) -> Vec<Constant> {
    let always = i32::MAX;
    match query {
        "sum(queue)" => vec![(json!({}), 60.0, always)],
        "sum(early_queue)" => vec![(json!({}), 60.0, HALF)],
        "queue" => ["a", "b"]
            .map(|name| (json!({"queue": name}), 30.0, always))
            .into(),
        "sum by (pod) (queue)" => PODS.map(|pod| (json!({"pod": pod}), 15.0, always)).into(),
        "sum by (pod, port) (queue)" => ["1", "2"]
            .into_iter()
            .flat_map(|port| PODS.map(|pod| (json!({"pod": pod, "port": port}), 15.0, always)))
            .collect(),
        _ => Vec::new(),
    }
}

fn external() -> Value {
    metric("External", &json!({"name": "queue"}))
}

fn of_pods() -> Value {
    metric("Pods", &json!({"name": "queue"}))
}

/// The metric of the first trigger of the ScaledObject `web`.
fn of_keda() -> Value {
    of_trigger("s0-prometheus")
}

fn of_trigger(name: &str) -> Value {
    let selector = json!({"matchLabels": {"scaledobject.keda.sh/name": "web"}});
    metric("External", &json!({"name": name, "selector": selector}))
}

/// The past with this metric. `trigger`: the query of the ScaledObject.
fn world(metric: &Value, trigger: Option<&str>) -> World {
    let world = past(metric, results);
    if let Some(query) = trigger {
        let metadata =
            json!({"serverAddress": "http://prometheus", "query": query, "threshold": "10"});
        let scaled = json!({
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {
                "scaleTargetRef": {"name": "web"},
                "triggers": [{"type": "prometheus", "metadata": metadata}],
            },
        });
        world
            .server
            .set_json("/apis", &groups(&[("keda.sh", "v1alpha1")]))
            .set_json(
                "/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects",
                &list(vec![scaled]),
            );
    }
    world
}

/// The past, also under another spec, whose load the values of the metric are.
fn compared(world: &World, words: &[&str]) -> Value {
    report(world, &[&["--compare", "maxReplicas=10"], words].concat())
}

#[test]
fn query_with_the_values_that_the_controller_had_is_used() {
    let cases: [(Value, Option<&str>, &[&str], &str); 3] = [
        (
            external(),
            None,
            &["--metric-query", "queue=sum(queue)"],
            "queue between two scrapes (--metric-query)",
        ),
        (
            of_pods(),
            None,
            &["--metric-query", "queue=sum by (pod) (queue)"],
            "queue between two scrapes (--metric-query)",
        ),
        (
            of_keda(),
            Some("sum(queue)"),
            &[],
            "s0-prometheus between two scrapes (the query of trigger 0 of ScaledObject web)",
        ),
    ];
    for (metric, trigger, words, expected) in cases {
        let output = compared(&world(&metric, trigger), words);
        let provenance = output["provenance"].as_array().unwrap();
        let is_used = provenance.iter().any(|one| one["words"] == expected);
        assert!(is_used, "{words:?}: {provenance:?}");
    }
}

/// What KEDA's operator exports is listed, found or missing. Where the query of the trigger is used, no advice asks for it.
#[test]
fn missing_values_of_keda_are_named_with_the_setting_that_adds_them() {
    let advises = |output: &Value| {
        let advice = output["advice"].as_array().unwrap();
        advice.iter().any(|one| {
            let sentence = one["sentence"].as_str().unwrap();
            sentence.contains("no samples of keda_scaler_metrics_value")
                && sentence.contains("prometheus.operator.enabled")
        })
    };
    for (metric, trigger, found, is_advised) in [
        (external(), None, None, false),
        (of_trigger(EXPORTED), None, Some(1), false),
        (of_keda(), None, Some(0), true),
        (of_keda(), Some("sum(queue)"), Some(0), false),
    ] {
        let output = report(&world(&metric, trigger), &[]);
        let mut series = output["series"].as_array().unwrap().iter();
        let listed = series.find(|one| one["exporter"] == "keda-operator");
        let count = listed.map(|one| one["found"].as_u64().unwrap());
        assert_eq!((count, advises(&output)), (found, is_advised), "{metric}");
    }
    let run = world(&of_keda(), None).history(&["--from", FROM, "--to", TO, "-o", "wide"]);
    let is_listed =
        |line: &str| line.contains("keda_scaler_metrics_value") && line.contains("missing");
    assert!(run.stdout.lines().any(is_listed), "{run:?}");
}

#[test]
fn query_with_a_mistake_is_an_error() {
    let words = [
        "--from",
        FROM,
        "--to",
        TO,
        "--metric-query",
        "queue=sum(queue",
    ];
    let run = world(&external(), None).history(&words);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    for part in [
        "error: --metric-query queue: ",
        " refuses the query (400 bad_data): invalid parameter \"query\": ",
    ] {
        assert!(run.stderr.contains(part), "{run:?}");
    }
}

/// Also the load of a what-if is as without the query: no missing value counts as 0.
#[test]
fn query_without_the_values_that_the_controller_had_changes_nothing_but_the_notes() {
    // The metric, the query of its trigger, the flags, and how the note begins and ends.
    type Case = (
        Value,
        Option<&'static str>,
        &'static [&'static str],
        [&'static str; 2],
    );
    let of_trigger = "the query of trigger 0 of ScaledObject web is not used: ";
    let other_value = "the controller had another value";
    let cases: [Case; 6] = [
        (
            external(),
            None,
            &["--metric-query", "queue=sum(nothing)"],
            ["--metric-query is not used: ", "has no result in this time"],
        ),
        (
            of_pods(),
            None,
            &["--metric-query", "queue=sum by (pod, port) (queue)"],
            ["--metric-query is not used: ", other_value],
        ),
        (
            of_keda(),
            Some("sum(queue"),
            &[],
            [of_trigger, "parse error: unclosed left parenthesis"],
        ),
        (
            of_keda(),
            Some("queue"),
            &[],
            [of_trigger, "its result has 2 series, and KEDA takes one"],
        ),
        // KEDA takes no result as 0, but the controller's own values show that it had one.
        (
            of_keda(),
            Some("sum(early_queue)"),
            &[],
            [of_trigger, other_value],
        ),
        (
            of_keda(),
            Some("sum(nothing)"),
            &[],
            [of_trigger, other_value],
        ),
    ];
    for (metric, trigger, words, note) in cases {
        let case = trigger.unwrap_or_else(|| words[1]);
        let mut output = compared(&world(&metric, trigger), words);
        let mut plain = compared(&world(&metric, None), &[]);
        let [notes, others] = [&mut output, &mut plain].map(|of| of["warnings"].take());
        let notes = notes.as_array().unwrap().iter().filter_map(Value::as_str);
        let is_other = |note: &str| others.as_array().unwrap().iter().any(|one| one == note);
        let notes: Vec<&str> = notes.filter(|note| !is_other(note)).collect();
        assert_eq!(notes.len(), 1, "{case}: {notes:?}");
        let (found, [begin, end]) = (notes[0], note);
        let is_expected = found.starts_with(begin) && found.ends_with(end);
        assert!(is_expected, "{case}: {found}");
        assert_eq!(output, plain, "{case}");
    }
}
