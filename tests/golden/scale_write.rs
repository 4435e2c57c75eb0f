//! Refused writes of the scale, with their retries, and of the status (docs/dev/controller.md 2.2, steps 8 and 9).

use jiff::Timestamp;

use crate::support::{all_versions, condition, outcome};
use hpa_testing::{at, hpa};

/// Since 1.34 a conflict is retried for 40 to 44 ms before the condition is set.
#[test]
fn condition_of_a_conflict_is_stamped_after_the_retries_from_1_34_on() {
    let stamps = |minor: u32, reason: &str| -> [Option<Timestamp>; 2] {
        let trace = hpa("web")
            .max(5)
            .condition("AbleToScale", "True", "ReadyForNewScale")
            .with_replicas(8)
            .kube(minor)
            .at("970ms")
            .refused_write(reason, "the object has been modified")
            .decide();
        let able = condition(&trace, "AbleToScale").unwrap();
        assert_eq!(
            (able.status.as_str(), able.reason.as_str()),
            ("False", "FailedUpdateScale")
        );
        assert_eq!(outcome(&trace).scale_to, Some(5));
        assert_eq!(outcome(&trace).status.last_scale_time, None);
        [able.last_transition_time, Some(trace.at)]
    };
    for minor in all_versions() {
        let expected = if minor < 34 { at("0s") } else { at("1s") };
        assert_eq!(
            stamps(minor, "Conflict"),
            [Some(expected), Some(at("970ms"))],
            "1.{minor}"
        );
        assert_eq!(stamps(minor, "Forbidden")[0], Some(at("0s")), "1.{minor}");
    }
}

/// A concurrent edit of the HPA makes the write of its status a conflict, after the scale has been written.
#[test]
fn refused_status_stays_as_it_was_and_is_reported_before_metrics_that_failed() {
    let conflict = "the object has been modified";
    let above_max = hpa("web").max(5).with_replicas(8);
    let without_samples = hpa("web").cpu(60).with_replicas(3);
    let expected: [(_, _, &[&str]); 2] = [
        (
            above_max,
            Some(5),
            &["SuccessfulRescale", "FailedUpdateStatus"],
        ),
        (
            without_samples,
            None,
            &[
                "FailedGetResourceMetric",
                "FailedUpdateStatus",
                "FailedComputeMetricsReplicas",
            ],
        ),
    ];
    for (situation, scale_to, reasons) in expected {
        let situation = situation.refused_status("Conflict", conflict);
        let before = situation.observation.hpa.status.clone();
        let trace = situation.decide();
        let outcome = outcome(&trace);
        let reported: Vec<&str> = outcome.events.iter().map(|event| event.reason).collect();
        assert_eq!(reported, reasons);
        assert_eq!(outcome.scale_to, scale_to);
        assert_eq!(outcome.status, before);
    }
}
