//! Rules about the target, at every edge: shares rounded as the controllers of Deployments and PodDisruptionBudgets
//! round them, and writes that count only while they are recent.

use proptest::{option, prelude::*};
use serde_json::{Value, json};

use crate::linted::{ago, deployment, files, hpa, merge, object, observed, resource, utilization};

/// A number of pods, or a share of them in percent.
#[derive(Clone, Copy, Debug)]
enum Share {
    Pods(i32),
    Percent(i32),
}

impl Share {
    fn json(self) -> Value {
        match self {
            Self::Pods(pods) => json!(pods),
            Self::Percent(percent) => json!(format!("{percent}%")),
        }
    }

    /// The pods, in hundredths of a pod. Upstream: `GetScaledValueFromIntOrPercent`.
    fn of(self, replicas: i32, is_up: bool) -> i32 {
        match self {
            Self::Pods(pods) => pods,
            Self::Percent(percent) => (percent * replicas + if is_up { 99 } else { 0 }) / 100,
        }
    }
}

fn share() -> impl Strategy<Value = Share> {
    prop_oneof![
        (0..9_i32).prop_map(Share::Pods),
        (0..=100_i32).prop_map(Share::Percent),
        prop::sample::select(&[0, 10, 25, 33, 34, 49, 50, 51, 67, 75, 99, 100][..])
            .prop_map(Share::Percent),
    ]
}

/// A Deployment with this update strategy.
fn rolling(surge: Option<Share>, unavailable: Option<Share>, strategy: &str) -> Value {
    let mut rolling = json!({});
    let fields = [("maxSurge", surge), ("maxUnavailable", unavailable)];
    for (field, share) in fields {
        if let Some(share) = share {
            merge(&mut rolling, json!({ field: share.json() }));
        }
    }
    let strategy = json!({"strategy": {"type": strategy, "rollingUpdate": rolling}});
    deployment(2, strategy, json!({"containers": [{"name": "main"}]}))
}

proptest! {
    #[test]
    fn surge_and_loss_of_a_rollout_are_those_of_the_deployment_controller(
        (min, more) in (0..8_i32, 1..12_i32),
        (surge, unavailable) in (option::weighted(0.8, share()), option::weighted(0.8, share())),
        share in prop_oneof![Just(50), 1..130_i32],
        strategy in prop::sample::select(&["RollingUpdate", "RollingUpdate", "Recreate"][..]),
        has_cpu in prop::bool::weighted(0.9),
    ) {
        let max = min + more;
        let metric = if has_cpu {
            resource("cpu", utilization(60))
        } else {
            json!({"type": "External", "external": {
                "metric": {"name": "queue"},
                "target": {"type": "AverageValue", "averageValue": "1"},
            }})
        };
        let objects = [
            hpa(min, max, json!({"metrics": [metric]})),
            rolling(surge, unavailable, strategy),
        ];
        let linted = files(&objects).threshold("HPA416", "share", f64::from(share));
        let is_rolling = strategy == "RollingUpdate";
        let is_much = surge.is_some_and(|surge| match surge {
            Share::Percent(percent) => share <= percent,
            Share::Pods(pods) => share * max <= pods * 100,
        });
        let added = surge.map_or(0, |surge| surge.of(max, true));
        let printed = linted.says("HPA416");
        let is_requested = is_rolling && is_much && 2 <= added;
        prop_assert_eq!(!printed.is_empty(), is_requested, "{:?}", printed);
        if is_requested {
            let words = format!("adds up to {added} pods during a rollout");
            prop_assert!(printed[0].contains(&words), "{:?}", printed);
        }
        // Upstream: `ResolveFenceposts`, which lets one pod go if both round to zero.
        let default = Share::Percent(25);
        let up = surge.unwrap_or(default).of(min, true);
        let down = match unavailable.unwrap_or(default).of(min, false) {
            0 if up == 0 => 1,
            down => down,
        };
        let is_written = surge.is_some() || unavailable.is_some();
        let is_outage = is_rolling && is_written && 0 < min && min <= down;
        prop_assert_eq!(linted.fires("HPA417"), is_outage);
    }

    #[test]
    fn a_budget_blocks_at_the_minimum_if_no_pod_of_it_may_go(
        min in 0..30_i32,
        share in share(),
        is_least in any::<bool>(),
    ) {
        let field = if is_least { "minAvailable" } else { "maxUnavailable" };
        let mut budget = json!({"spec": {"selector": {"matchLabels": {"app": "web"}}}});
        budget["spec"][field] = share.json();
        let objects = [
            hpa(min, 40, json!({})),
            rolling(None, None, "RollingUpdate"),
            object("policy/v1", "PodDisruptionBudget", budget),
        ];
        // Upstream: `getExpectedPodCount`, which rounds both up.
        let healthy = if is_least { share.of(min, true) } else { min - share.of(min, true) };
        let is_blocked = 0 < min && min <= healthy;
        prop_assert_eq!(files(&objects).fires("HPA418"), is_blocked);
    }

    #[test]
    fn numbers_that_the_hpa_had_to_set_again_count_as_long_as_they_are_recent(
        count in 1..6_i32,
        (window, age) in (2..4000_i64, 0..4000_i64, option::of(-2..3_i64))
            .prop_map(|(window, age, near)| (window, near.map_or(age, |near| window + near))),
        gap in prop_oneof![1..4000_i64, Just(600_i64)],
        times in 1..5_i32,
    ) {
        let reason = "cpu resource utilization (percentage of request) above target";
        let event = object("v1", "Event", json!({
            "involvedObject": {
                "apiVersion": "autoscaling/v2",
                "kind": "HorizontalPodAutoscaler",
                "name": "web",
                "namespace": "shop",
            },
            "type": "Normal",
            "reason": "SuccessfulRescale",
            "message": format!("New size: 2; reason: {reason}"),
            "count": count,
            "firstTimestamp": ago(age + gap),
            "lastTimestamp": ago(age),
        }));
        let mut web = hpa(1, 9, json!({"metrics": [resource("cpu", utilization(60))]}));
        web["status"] = json!({"currentReplicas": 2, "desiredReplicas": 2});
        let objects = [web, rolling(None, None, "RollingUpdate"), event];
        #[expect(clippy::cast_precision_loss, reason = "seconds of a window")]
        let linted = observed(&objects)
            .threshold("HPA409", "times", f64::from(times))
            .threshold("HPA409", "window", window as f64);
        // A server keeps Events for an hour: some of those before the last one may be gone.
        let is_whole = age + gap <= 3600;
        let is_fight = age <= window && times < count && is_whole;
        prop_assert_eq!(linted.fires("HPA409"), is_fight);
    }
}
