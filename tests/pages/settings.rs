//! Controller settings inferred from its writes.

use hpa_analysis::{Analysis, Cause, ComparisonOutcome, apply_inferred, infer_settings};
use hpa_engine::model::{Context, ControllerConfig, Input, KubeEvent, Memory, SyncInput};
use hpa_render::{Style, terminal::PageDetail};
use hpa_testing::{World, at, down, up};

use crate::{
    inference::{add_events, recordings},
    world::{AsPage, web},
};

#[test]
fn controller_whose_settings_are_known_is_rarely_reported_to_have_others() {
    let (mut all, mut blamed) = (0, Vec::new());
    for family in ["cpu", "edge", "memory", "container", "multi"] {
        let mut name = String::new();
        let mut context = Context::default();
        for snapshot in recordings(family) {
            if snapshot.metadata.name != name {
                name.clone_from(&snapshot.metadata.name);
                context = Context::default();
            }
            let observation = snapshot.observation().unwrap();
            let analysis = Analysis::new(&SyncInput {
                observation,
                context: context.clone(),
                memory: snapshot.controller_started.then(Memory::default),
                now: snapshot.time,
            });
            add_events(&mut context, &snapshot);
            all += 1;
            let check = analysis.cross_check;
            let fitting = check.hypotheses.iter().find(|one| one.fits);
            if let (ComparisonOutcome::Differs, Some(one)) = (check.agreement, fitting) {
                blamed.push(format!("{name} {} {:?}", snapshot.time, one.cause));
            }
        }
    }
    // In one snapshot, a window that ended since then and changed metrics can look like a setting.
    assert!(
        2000 < all && 200 * blamed.len() <= all,
        "{} of {all}\n{}",
        blamed.len(),
        blamed.join("\n")
    );
}

/// The controller held 6 replicas at 68 percent.
fn held() -> World {
    web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "68m")
        .status(6, 6, 68, "ReadyForNewScale", "DesiredWithinRange")
}

fn hypotheses(world: &World) -> Vec<String> {
    let check = world.json().cross_check;
    let fitting = check.hypotheses.into_iter().filter(|one| one.fits);
    fitting.map(|one| one.text).collect()
}

#[test]
fn names_of_hpas_in_another_order_need_no_other_version() {
    let mut world = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "60m")
        .other_hpa("a", "app=web")
        .other_hpa("z", "app=web");
    let outcome = world.analysis().trace.outcome.unwrap();
    world.observation.hpa.status = outcome.status;
    let printed = |world: &mut World, names: &str| {
        let conditions = &mut world.observation.hpa.status.conditions;
        let active = conditions
            .iter_mut()
            .find(|one| one.reason == "AmbiguousSelector");
        active.unwrap().message = format!(
            "the HPA was unable to compute the replica count: pods by selector app=web are controlled by multiple \
             HPAs: [{names}]"
        );
        world.analysis().cross_check
    };
    let written = world.observation.hpa.status.conditions.clone();
    assert!(
        written
            .iter()
            .any(|one| one.message.contains("[shop/a shop/web shop/z]"))
    );
    for names in ["shop/a shop/web shop/z", "shop/z shop/a shop/web"] {
        let check = printed(&mut world, names);
        assert_eq!(check.agreement, ComparisonOutcome::Agrees, "{names}");
        assert_eq!(check.hypotheses, []);
    }
    // Other names belong to other HPAs, and no version would write others either.
    let check = printed(&mut world, "shop/b shop/web");
    assert_eq!(check.hypotheses, []);
}

#[test]
fn any_two_of_the_hpas_that_select_the_pods_may_be_named() {
    let mut world = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "60m")
        .other_hpa("a", "app=web")
        .other_hpa("z", "app=web");
    let version = Input::observed("1.37.2".parse().unwrap());
    world.observation.controller = ControllerConfig::defaults(version);
    world.observation.hpa.status = world.analysis().trace.outcome.unwrap().status;
    let printed = |world: &mut World, names: &str| {
        for condition in &mut world.observation.hpa.status.conditions {
            condition.message = condition
                .message
                .replace("two of [shop/a shop/web shop/z]", &format!("[{names}]"));
        }
        let check = world.analysis().cross_check;
        for condition in &mut world.observation.hpa.status.conditions {
            let named = format!("[{names}]");
            condition.message = condition
                .message
                .replace(&named, "two of [shop/a shop/web shop/z]");
        }
        (check.agreement, check.hypotheses)
    };
    for names in ["shop/a shop/web", "shop/z shop/a", "shop/z shop/web"] {
        assert_eq!(
            printed(&mut world, names),
            (ComparisonOutcome::Agrees, Vec::new())
        );
    }
    // Only without the gate are all of them named.
    let (agreement, hypotheses) = printed(&mut world, "shop/z shop/a shop/web");
    assert_eq!(agreement, ComparisonOutcome::Differs);
    assert_eq!(
        hypotheses[0].cause,
        Cause::FeatureGate("HPAOptimizedSelectorStore", false)
    );
}

#[test]
fn one_setting_that_fits_is_named_with_its_other_values() {
    let world = held();
    assert_eq!(
        hypotheses(&world),
        [
            "tolerance 0.15 instead of 0.1 (any value from 0.134 up) would explain this \
             (confirm: kubectl hpa explain web -n shop --assume-tolerance=0.15)"
        ]
    );
    let inputs = world.json().inputs;
    let tolerance = inputs.iter().find(|input| input.name == "tolerance");
    let tolerance = tolerance.unwrap();
    assert_eq!(
        (tolerance.source.as_str(), tolerance.evidence.as_deref()),
        (
            "assumed",
            Some("the status would fit 0.15 (any value from 0.134 up)")
        )
    );
}

#[test]
fn gate_that_is_off_is_named_where_the_hpa_has_a_tolerance() {
    // At 64%, the HPA's tolerance of 5% does not hold the replicas; the controller's 10% does.
    let world = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "64m")
        .behavior(up().tolerance("50m").percent(100, 15))
        .behavior(down().percent(100, 15))
        .status(6, 6, 64, "ReadyForNewScale", "DesiredWithinRange");
    assert_eq!(
        hypotheses(&world),
        [
            "feature gate HPAConfigurableTolerance off would explain this (confirm: kubectl hpa explain web \
             -n shop --feature-gate=HPAConfigurableTolerance=false)"
        ]
    );
    // What the controller's pod shows is taken as certain.
    let mut world = world;
    let gates = &mut world.observation.controller.feature_gates;
    gates.hpa_configurable_tolerance = Input::observed(true);
    assert_eq!(hypotheses(&world), [""; 0]);
}

#[test]
fn several_settings_that_fit_come_with_what_distinguishes_them() {
    // The pod was ready until one minute after its start: both CPU flags can exclude it.
    let world = web(4)
        .utilization("cpu", 60)
        .ready_pods(3, "100m", "88m")
        .not_ready("web-slow", "100m", "10:30:00", "10:31:00", "10m")
        .status(4, 4, 88, "ReadyForNewScale", "DesiredWithinRange");
    insta::assert_snapshot!(world.page());
}

#[test]
fn disagreement_that_no_setting_explains_says_so() {
    let mut world = held().status(6, 6, 68, "ReadyForNewScale", "TooFewReplicas");
    world.observation.hpa.spec.min_replicas = Some(6);
    insta::assert_snapshot!(world.page());
}

#[test]
fn window_and_sync_period_follow_from_events() {
    let above = "cpu resource utilization (percentage of request) above target";
    let mut world = web(3)
        .utilization("cpu", 60)
        .ready_pods(3, "100m", "60m")
        .rescaled("10:35:00", 6, above)
        .rescaled("10:36:30", 3, "All metrics below target")
        .status(3, 3, 60, "ReadyForNewScale", "DesiredWithinRange");
    world.context.events.push(KubeEvent {
        event_type: "Warning".to_owned(),
        reason: "FailedGetResourceMetric".to_owned(),
        message: "failed to get cpu utilization".to_owned(),
        count: 7,
        first: Some(at("10:30:00")),
        last: Some(at("10:31:01")),
    });
    let settings = infer_settings([(&world.observation, &world.context)]);
    // Another HPA of the cluster takes the setting from this one.
    let mut other = web(3)
        .named("shop", "cart")
        .utilization("cpu", 60)
        .ready_pods(3, "100m", "60m")
        .status(3, 3, 60, "ReadyForNewScale", "DesiredWithinRange");
    for world in [&mut world, &mut other] {
        apply_inferred(&mut world.observation, &mut world.context, &settings);
    }
    assert_eq!(world.json().cross_check.agreement, "agrees");
    let inferred = |world: &World| {
        let page = world.text(
            PageDetail {
                is_verbose: true,
                ..PageDetail::default()
            },
            Style::plain(),
        );
        let (_, inferred) = page.split_once("\ninferred").unwrap();
        let (inferred, _) = inferred.split_once("\nassumed").unwrap();
        inferred.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        inferred(&world),
        "downscale stabilization 1 min 30 s (1 min 31 s at most: Events show 6 at 10:35:00 and 3 at 10:36:30); \
         sync period 10 s (FailedGetResourceMetric came 7 times in 1 min 1 s)"
    );
    assert_eq!(
        inferred(&other),
        "downscale stabilization 1 min 30 s (1 min 31 s at most: Events of shop/web show 6 at 10:35:00 and 3 at \
         10:36:30); sync period 10 s (FailedGetResourceMetric of shop/web came 7 times in 1 min 1 s)"
    );
}

#[test]
fn message_of_an_older_release_shows_the_version() {
    let mut world =
        web(3)
            .utilization("cpu", 60)
            .never_ready("web-00", "100m", "10:40:00", "CrashLoopBackOff");
    world.observation.controller.version = Input::inferred("1.26".parse().unwrap());
    world = world.failing_since("10:00:00");
    let outcome = world.analysis().trace.outcome.unwrap();
    world.observation.hpa.status = outcome.status;
    assert_eq!(world.json().cross_check.agreement, "agrees");
    world.observation.controller.version = Input::inferred("1.36".parse().unwrap());
    let page = world.page();
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("a controller of version 1.26 would explain this"),
        "{page}"
    );
}
