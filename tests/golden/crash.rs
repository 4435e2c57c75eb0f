//! An Object metric whose type names a field that is not set (docs/dev/controller.md 3.8).

use hpa_engine::{
    model::{Memory, MetricTarget},
    trace::Outcome,
};

use crate::support::{outcome, proposal};
use hpa_testing::{World, hpa, quantity};

/// Type Value, with only an average.
fn mismatched() -> World {
    let target = MetricTarget {
        target_type: "Value".to_owned(),
        average_value: Some(quantity("5")),
        ..MetricTarget::default()
    };
    hpa("web")
        .condition("AbleToScale", "True", "ReadyForNewScale")
        .object(target)
        .with_replicas(2)
        .hits("20")
        .remembering(&[(2, "1m")])
}

#[test]
fn controller_crashes_writes_nothing_and_forgets_all_up_to_1_28_2() {
    for (minor, patch) in [(23, 0), (25, 16), (26, 0), (27, 6), (28, 2)] {
        let mut situation = mismatched().kube(minor).patch(patch);
        let nothing = Outcome {
            status: situation.observation.hpa.status.clone(),
            ..Outcome::default()
        };
        let trace = situation.sync();
        assert_eq!(outcome(&trace), &nothing, "1.{minor}.{patch}");
        assert_eq!(situation.memory, Some(Memory::default()));
    }
}

#[test]
fn metric_is_invalid_where_the_controller_was_fixed() {
    let error =
        "invalid object metric source: neither a value target nor an average value target was set";
    for (minor, patch) in [(27, 7), (28, 3), (29, 0), (36, 3)] {
        let trace = mismatched().kube(minor).patch(patch).decide();
        assert_eq!(proposal(&trace), Err(error), "1.{minor}.{patch}");
    }
}
