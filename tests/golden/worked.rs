//! The worked examples of `examples/worked`: the engine agrees with the real controller, and the numbers match the
//! table there.

use std::path::Path;

use hpa_engine::{
    engine::decide,
    model::Memory,
    trace::{
        Adjustment, LimitPath, LimitReason, MetricOutcome, MetricStep, ProposalRule,
        StabilizeReason, Trace,
    },
};
use hpa_objects::recording::{Outcome, RecordingReader, differences};

use crate::support::{grouped, limited, metric, proposal, stabilized, status_of_metric};

/// The traces of a recording; each agrees with the real controller.
fn replay(name: &str) -> Vec<Trace> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/worked/{name}.jsonl"));
    let mut memory = Memory::default();
    let mut traces = Vec::new();
    for line in RecordingReader::open(&path).unwrap() {
        let snapshot = line.unwrap().snapshot;
        let observation = snapshot.observation().unwrap();
        let trace = decide(&observation, &mut memory, snapshot.time());
        let predicted = Outcome::from(trace.outcome.as_ref().unwrap());
        assert_eq!(differences(&predicted, &snapshot.outcome.unwrap()), []);
        traces.push(trace);
    }
    traces
}

/// Desired replicas of each reconcile.
fn desired(traces: &[Trace]) -> Vec<i32> {
    let outcomes = traces.iter().map(|trace| trace.outcome.as_ref().unwrap());
    outcomes
        .map(|outcome| outcome.status.desired_replicas)
        .collect()
}

#[test]
fn ratio_of_70_to_60_percent_takes_8_pods_to_10() {
    let traces = replay("ratio");
    assert_eq!(desired(&traces), [10, 10]);
    assert_eq!(status_of_metric(&traces[0]).average_utilization, Some(70));
    assert_eq!(
        proposal_rule(&traces[0]),
        ProposalRule::CeilRatioTimesReady {
            usage_ratio: 70.0 / 60.0,
            ready: 8
        }
    );
    assert_eq!(status_of_metric(&traces[1]).average_utilization, Some(56));
    assert_eq!(proposal_rule(&traces[1]), ProposalRule::KeepCurrent);
}

#[test]
#[expect(clippy::float_cmp, reason = "ratios are exact")]
fn failed_pods_are_ignored_and_missing_ones_idle_so_14_pods_stay() {
    let traces = replay("failed-and-missing-pods");
    assert_eq!(desired(&traces), [14]);
    let group = grouped(&traces[0]);
    assert_eq!(
        (group.ready, group.unready, group.missing, group.ignored),
        (10, 0, 2, 2)
    );
    assert_eq!(status_of_metric(&traces[0]).average_utilization, Some(85));
    let adjustment = adjustment(&traces[0]);
    assert_eq!(adjustment.usage_ratio, 85.0 / 60.0);
    assert_eq!(adjustment.adjusted_usage_ratio, 70.0 / 60.0);
    assert_eq!((adjustment.pods, adjustment.replicas), (12, Some(14)));
    assert_eq!(limited(&traces[0]).reason, LimitReason::DesiredWithinRange);
}

#[test]
fn larger_of_30_percent_and_7_pods_a_minute_takes_18_pods_to_25_and_33() {
    let traces = replay("percent-and-pods-policies");
    assert_eq!(desired(&traces), [25, 25, 25, 25, 33]);
    let bounds = |trace: &Trace| -> Vec<i32> {
        match &limited(trace).path {
            LimitPath::Behavior { policies, .. } => {
                policies.iter().map(|policy| policy.bound).collect()
            }
            LimitPath::NoBehavior { .. } => panic!("the HPA has behavior"),
        }
    };
    let bounds: Vec<Vec<i32>> = traces.iter().map(bounds).collect();
    assert_eq!(bounds, [[24, 25], [24, 25], [24, 25], [24, 25], [33, 32]]);
    for trace in &traces {
        assert_eq!(proposal(trace), Ok(43));
        assert_eq!(limited(trace).reason, LimitReason::ScaleUpLimit);
    }
}

#[test]
fn recommendation_of_258_drives_idle_pods_up_to_the_maximum_for_five_minutes() {
    let traces = replay("old-recommendation");
    let mut expected = vec![4, 8];
    expected.extend([10; 19]);
    expected.push(2);
    assert_eq!(desired(&traces), expected);
    assert_eq!(status_of_metric(&traces[0]).average_utilization, Some(2575));
    assert_eq!(proposal(&traces[0]), Ok(258));
    for trace in &traces[1..21] {
        assert_eq!(status_of_metric(trace).average_utilization, Some(0));
        let stabilized = stabilized(trace);
        assert_eq!((stabilized.recommendation, stabilized.stabilized), (0, 258));
        assert_eq!(stabilized.reason, StabilizeReason::ScaleDownStabilized);
    }
    assert_eq!(limited(&traces[1]).reason, LimitReason::ScaleUpLimit);
    assert_eq!(limited(&traces[2]).reason, LimitReason::TooManyReplicas);
    let second = &traces[1].outcome.as_ref().unwrap().events[0].message;
    assert_eq!(second, "New size: 8; reason: All metrics below target");
}

fn proposal_rule(trace: &Trace) -> ProposalRule {
    let evaluation = metric(trace);
    assert!(matches!(evaluation.outcome, MetricOutcome::Proposal { .. }));
    let rule = evaluation.steps.iter().find_map(|step| match step {
        MetricStep::Proposal(proposal) => Some(proposal.rule),
        _ => None,
    });
    rule.unwrap()
}

fn adjustment(trace: &Trace) -> Adjustment {
    let found = metric(trace).steps.iter().find_map(|step| match step {
        MetricStep::Adjustment(adjustment) => Some(*adjustment),
        _ => None,
    });
    found.unwrap()
}
