//! The page for programs.

use hpa_render::json::{ExplainOutput, Explanation, Explanations, SCHEMA_VERSION};
use serde_json::{Value, json};

use crate::{
    rules::first_of_every_rule,
    schema::Schema,
    world::{AsPage, web},
};

#[test]
fn json_reads_back_as_it_was_written() {
    for (rule, (_, world)) in first_of_every_rule() {
        let written = serde_json::to_value(world.json()).unwrap();
        assert_eq!(written["verdict"]["rule"], rule.as_str());
        let read: ExplainOutput = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(
            serde_json::to_value(read).unwrap(),
            written,
            "{}",
            rule.as_str()
        );
    }
}

fn schema() -> Schema {
    Schema::parse(include_str!("../../docs/schema/explain.json"))
}

/// One explanation for each rule, and all of them as a list.
fn every_output() -> Vec<(String, Value)> {
    let mut outputs = Vec::new();
    let mut items = Vec::new();
    for (rule, (_, world)) in first_of_every_rule() {
        let explanation = world.json();
        items.push(explanation.clone());
        let one = ExplainOutput::One(Box::new(explanation));
        outputs.push((rule.as_str().to_owned(), serde_json::to_value(one).unwrap()));
    }
    let several = ExplainOutput::Several(Explanations {
        schema_version: SCHEMA_VERSION,
        items,
    });
    outputs.push(("all".to_owned(), serde_json::to_value(several).unwrap()));
    outputs
}

#[test]
fn every_json_output_is_valid_by_the_schema() {
    let schema = schema();
    for (name, output) in every_output() {
        assert_eq!(schema.errors(&output), [""; 0], "{name}");
        // Each item is also checked with its own part of the schema, which reports errors in full.
        for one in output["items"].as_array().into_iter().flatten() {
            assert_eq!(schema.errors(one), [""; 0], "{name}");
        }
    }
}

#[test]
fn wrong_json_is_not_valid_by_the_schema() {
    let schema = schema();
    let (_, good) = every_output().remove(0);
    let required = &schema.definition("Explanation")["required"];
    for field in required.as_array().unwrap() {
        let mut wrong = good.clone();
        wrong
            .as_object_mut()
            .unwrap()
            .remove(field.as_str().unwrap());
        assert!(!schema.errors(&wrong).is_empty(), "without {field}");
    }
    for (path, value) in [
        ("/verdict/action", json!("explode")),
        ("/verdict/to", json!("five")),
        ("/schemaVersion", json!(-1)),
        ("/at", json!("yesterday")),
        ("/steps/0/deciding", json!(null)),
        ("/steps", json!({})),
        ("/next/up", json!([{}])),
    ] {
        let mut wrong = good.clone();
        *wrong.pointer_mut(path).unwrap() = value;
        assert!(!schema.errors(&wrong).is_empty(), "{path}");
    }
}

#[test]
fn schema_names_every_field_of_the_json() {
    let schema = schema();
    let known = &schema.definition("Explanation")["properties"];
    for (name, output) in every_output() {
        for field in output.as_object().unwrap().keys() {
            assert!(known.get(field).is_some() || name == "all", "{field}");
        }
    }
}

#[test]
fn json_carries_verdict_prediction_and_thresholds() {
    let Explanation {
        verdict,
        predicted,
        next,
        cross_check,
        ..
    } = web(5)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "58m")
        .status(5, 5, 58, "ReadyForNewScale", "DesiredWithinRange")
        .json();
    assert_eq!((verdict.from, verdict.to), (Some(5), Some(5)));
    assert_eq!(verdict.rule, "within-tolerance");
    assert_eq!(predicted.unwrap().status.desired_replicas, 5);
    // 67% of 500m is 335m; 48%, with everything that is reduced to it, ends at 244m.
    assert_eq!((next.up[0].total_milli, next.up[0].replicas), (335, 6));
    assert_eq!((next.down[0].total_milli, next.down[0].replicas), (244, 4));
    assert_eq!(cross_check.agrees, Some(true));
}
