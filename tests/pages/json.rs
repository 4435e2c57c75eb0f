//! The same for programs.

use kubectl_hpa::render::json::{ExplainOutput, Explanation};
use serde_json::Value;

use crate::{rules::first_of_every_rule, world::web};

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

#[test]
fn json_has_every_field_of_the_schema() {
    let schema: Value =
        serde_json::from_str(include_str!("../../docs/schema/explain.json")).unwrap();
    let explanation = &schema["$defs"]["Explanation"];
    let required = explanation["required"].as_array().unwrap();
    for (_, world) in first_of_every_rule().values() {
        let written = serde_json::to_value(world.json()).unwrap();
        let written = written.as_object().unwrap();
        for name in required {
            assert!(written.contains_key(name.as_str().unwrap()), "{name}");
        }
        for name in written.keys() {
            assert!(explanation["properties"].get(name).is_some(), "{name}");
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
        .pods(5, "100m", "58m")
        .status(5, 5, 58, "ReadyForNewScale", "DesiredWithinRange")
        .json();
    assert_eq!((verdict.from, verdict.to), (Some(5), Some(5)));
    assert_eq!(verdict.rule, "within-tolerance");
    assert_eq!(predicted.unwrap().status.desired_replicas, 5);
    // 67 % of 500m is 335m, 48 % of it and all that is cut to it ends at 244m.
    assert_eq!((next.up[0].total_milli, next.up[0].replicas), (335, 6));
    assert_eq!((next.down[0].total_milli, next.down[0].replicas), (244, 4));
    assert_eq!(cross_check.agrees, Some(true));
}
