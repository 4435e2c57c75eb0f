//! The controller's memory stays small.

use hpa_analysis::memory_from_outside;
use hpa_engine::model::{
    Behavior, Context, Observation, PolicyType, Provenance, ScalingPolicy, ScalingRules,
};
use hpa_testing::{World, average, hpa};
use proptest::{collection::vec, option, prelude::*};

const SYNC_PERIOD: i32 = 15;

/// Reconciles in two hours.
const RECONCILES: i32 = 2 * 3600 / SYNC_PERIOD;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// One entry for each reconcile of the window, the current one, and the first recommendation from the current
    /// replicas.
    #[test]
    fn memory_never_outgrows_the_windows_and_periods(
        load in vec(0..60_i64, 1..50),
        behavior in option::of(behavior()),
        minor in 23..=38_u32,
    ) {
        let window = behavior.as_ref().map_or(300, longest_window);
        let periods = behavior.as_ref().map(longest_periods);
        let mut world = hpa("web").max(50).external(average("1")).kube(minor).with_replicas(3);
        world.observation.hpa.spec.behavior = behavior;
        for (_, load) in (0..RECONCILES).zip(load.iter().cycle()) {
            reconcile(&mut world, &load.to_string());
            let memory = world.memory();
            let recommendations = memory.recommendations.as_ref().unwrap().len();
            prop_assert!(recommendations <= entries(window) + 1, "{recommendations} in {window} s");
            let [up, down] = periods.map_or([0, 0], |periods| periods.map(entries));
            prop_assert!(memory.scale_up_events.len() <= up);
            prop_assert!(memory.scale_down_events.len() <= down);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The status has averages rounded to thousandths: the true proposal is within the inferred range.
    #[test]
    fn recommendation_inferred_from_a_rounded_status_contains_the_real_one(
        loads in vec(1..900_000_i64, 1..12),
        per_replica in 1..20_000_i64,
        replicas in 1..=20_i32,
    ) {
        let target = average(&format!("{per_replica}m"));
        let mut world = hpa("web").max(20).external(target).with_replicas(replicas);
        for load in loads {
            let proposal = reconcile(&mut world, &format!("{load}m"));
            let outside = memory_from_outside(&world.observation, &Context::default(), world.now);
            let real: Vec<i32> = world.memory().recommendations.iter().flatten().map(|one| one.replicas).collect();
            for one in outside.least.recommendations.iter().flatten() {
                let is_true = if one.provenance == Provenance::AtLeast {
                    real.iter().any(|real| one.replicas <= *real)
                } else {
                    real.contains(&one.replicas)
                };
                prop_assert!(is_true, "{one:?} of {real:?}: {:?}", world.observation.hpa.status);
            }
            let observation = &world.observation;
            if limited(observation) == "TooManyReplicas" && able(observation) != "ScaleDownStabilized" {
                let most = outside.most.recommendations.iter().flatten().map(|one| one.replicas).max();
                prop_assert!(Some(proposal) <= most, "{proposal} of at most {most:?}: {:?}", observation.hpa.status);
            }
        }
    }
}

fn reason(observation: &Observation, condition_type: &str) -> String {
    let mut conditions = observation.hpa.status.conditions.iter();
    let found = conditions.find(|one| one.condition_type == condition_type);
    found.unwrap().reason.clone()
}

fn limited(observation: &Observation) -> String {
    reason(observation, "ScalingLimited")
}

fn able(observation: &Observation) -> String {
    reason(observation, "AbleToScale")
}

/// Reconciles within a window, both ends included.
fn entries(seconds: i32) -> usize {
    usize::try_from(seconds / SYNC_PERIOD + 1).unwrap()
}

fn longest_window(behavior: &Behavior) -> i32 {
    let window = |rules: &Option<ScalingRules>, default| {
        let rules = rules.as_ref().unwrap();
        rules.stabilization_window_seconds.unwrap_or(default)
    };
    window(&behavior.scale_up, 0).max(window(&behavior.scale_down, 300))
}

fn longest_periods(behavior: &Behavior) -> [i32; 2] {
    let period = |rules: &Option<ScalingRules>| {
        let policies = rules.as_ref().unwrap().policies.as_ref().unwrap();
        let periods = policies.iter().map(|policy| policy.period_seconds);
        periods.max().unwrap()
    };
    [period(&behavior.scale_up), period(&behavior.scale_down)]
}

/// Both directions, with policies that allow many steps.
fn behavior() -> impl Strategy<Value = Behavior> {
    (rules(), rules()).prop_map(|(scale_up, scale_down)| Behavior {
        scale_up: Some(scale_up),
        scale_down: Some(scale_down),
    })
}

fn rules() -> impl Strategy<Value = ScalingRules> {
    let window = prop::sample::select(vec![0, 15, 50, 60, 300, 3600]);
    let period = prop::sample::select(vec![1, 15, 50, 60, 300, 1800]);
    let policy = (1..40_i32, period).prop_map(|(value, period_seconds)| ScalingPolicy {
        policy_type: PolicyType::Pods,
        value,
        period_seconds,
    });
    (option::of(window), vec(policy, 1..4)).prop_map(|(window, policies)| ScalingRules {
        stabilization_window_seconds: window,
        policies: Some(policies),
        ..ScalingRules::default()
    })
}

/// Decides under a load, and applies the decision. Returns what the metric asks for.
fn reconcile(world: &mut World, load: &str) -> i32 {
    world.observation.external_metrics.clear();
    *world = world.clone().series(&[load]);
    let trace = world.sync_and_wait(SYNC_PERIOD.into());
    let proposal = trace.stabilize().map_or(0, |step| step.recommendation);
    world.observation.hpa.status = trace.outcome.unwrap().status;
    proposal
}
