//! Every rule, from the first recorded reconcile that it decides, or a built one if no recording has it.

use hpa_testing::{Rules, World, at, down, up};
use std::{collections::BTreeMap, sync::LazyLock};

use hpa_engine::{
    engine,
    model::{
        Context, ControllerConfig, Input, Memory, NotRead, Reading, Scale, SelectPolicy,
        SnapshotField,
    },
};
use hpa_explain::{Facts, Rule};
use hpa_render::{Style, terminal::PageDetail};

use crate::{
    inference::recordings,
    world::{AsPage, web},
};

/// The first reconcile of the recordings for every rule, with the memory before it.
pub(crate) fn first_of_every_rule() -> &'static BTreeMap<Rule, (String, World)> {
    static FOUND: LazyLock<BTreeMap<Rule, (String, World)>> = LazyLock::new(find_every_rule);
    &FOUND
}

fn find_every_rule() -> BTreeMap<Rule, (String, World)> {
    let mut found: BTreeMap<Rule, (String, World)> = BTreeMap::new();
    for family in ["cpu", "multi", "selector", "zero", "errors"] {
        let mut memory = Memory::default();
        for snapshot in recordings(family) {
            if snapshot.controller_started {
                memory = Memory::default();
            }
            let observation = snapshot.observation().unwrap();
            let before = memory.clone();
            let trace = engine::decide(&observation, &mut memory, snapshot.time);
            let rule = Rule::binding(&Facts::new(&observation, &trace));
            found.entry(rule).or_insert_with(|| {
                let name = format!("{} at {:.0}", snapshot.metadata.name, snapshot.time);
                let world = World {
                    observation,
                    context: Context::default(),
                    memory: Some(before),
                    now: snapshot.time,
                };
                (name, world)
            });
        }
    }
    found
}

#[test]
fn every_rule_has_its_answer() {
    let found = first_of_every_rule();
    let mut text = String::new();
    for (rule, (name, world)) in found {
        text += &format!("# {} ({name})\n{}\n\n", rule.as_str(), world.answer());
    }
    insta::assert_snapshot!(text);
    let missing: Vec<&str> = Rule::ALL
        .iter()
        .filter(|rule| !found.contains_key(rule))
        .map(|rule| rule.as_str())
        .collect();
    // Tests below cover these.
    assert_eq!(missing, ["inputs-not-readable", "raised-from-zero"]);
}

#[test]
fn every_rule_has_its_page() {
    for (rule, (name, world)) in first_of_every_rule() {
        let rule = rule.as_str();
        let page = format!("# {rule} ({name})\n{}", world.page());
        insta::assert_snapshot!(format!("page_of_{}", rule.replace('-', "_")), page);
    }
}

#[test]
fn page_without_permissions_says_what_the_status_says_and_which_rule_is_missing() {
    let not_read = |what, remedy: &str| NotRead {
        what,
        why: "forbidden: user \"jane\" cannot list it in namespace shop".to_owned(),
        remedy: Some(format!("needs permission to {remedy}")),
        is_forbidden: true,
    };
    let mut world =
        web(6)
            .utilization("cpu", 60)
            .status(6, 6, 58, "ReadyForNewScale", "DesiredWithinRange");
    let pods = not_read(SnapshotField::Pods, "list pods");
    let metrics = not_read(SnapshotField::PodMetrics, "list pods.metrics.k8s.io");
    world.observation.pods = Reading::NotRead(pods.clone());
    world.observation.pod_metrics = Reading::NotRead(metrics.clone());
    world.context.not_read = vec![pods, metrics];
    insta::assert_snapshot!(world.page());
}

/// Without the scale, the pods' selector is unknown, so missing permissions to read the pods would only show
/// afterwards.
#[test]
fn missing_right_to_the_scale_comes_with_those_that_would_be_missed_next() {
    let scale = |remedy: &str, is_forbidden| {
        let not_read = NotRead {
            what: SnapshotField::Scale,
            why: "it was not given".to_owned(),
            remedy: Some(remedy.to_owned()),
            is_forbidden,
        };
        let mut world = web(6).utilization("cpu", 60).average("memory", "1Gi");
        world.observation.scale = Reading::NotRead(not_read.clone());
        world.context.not_read = vec![not_read];
        world.answer().replace('\n', " ")
    };
    let rights = scale(
        "needs permission to get deployments/scale in API group apps",
        true,
    );
    assert!(
        rights.contains(
            "The missing RBAC rules are listed below. Also needed: list pods, list pods.metrics.k8s.io."
        ),
        "{rights}"
    );
    let file = scale(
        "add the output of: kubectl get deployment web -n shop -o json",
        false,
    );
    assert!(file.contains("What is missing is listed below."), "{file}");
    assert!(!file.contains("right"), "{file}");
}

/// Fields that files call by another name have their real name on the page.
#[test]
fn no_name_of_a_field_is_on_a_page() {
    let fields = [
        "controller",
        "controller.version",
        "kubernetesEvents",
        "leaderSince",
        "otherHpas",
        "podDisruptionBudgets",
        "podMetrics",
        "resourceQuotas",
        "serverVersion",
        "target.intermediateOwners",
        "time",
    ];
    let not_read = |what: &str| NotRead {
        what: what.to_owned().into(),
        why: "it was not given".to_owned(),
        remedy: None,
        is_forbidden: false,
    };
    let mut world = web(6).utilization("cpu", 60);
    world.observation.pod_metrics = Reading::NotRead(not_read("podMetrics"));
    world.context.not_read = fields.map(not_read).to_vec();
    let detail = PageDetail {
        is_wide: true,
        is_verbose: true,
        ..PageDetail::default()
    };
    let page = world.text(detail, Style::plain());
    assert!(!page.contains("podMetrics"), "{page}");
    let texts = world.report(|page, _| page.trust.clone());
    assert_eq!(texts.len(), fields.len());
    for trust in texts {
        let is_field = |field: &&str| trust.text.starts_with(&format!("{field}:"));
        assert!(!fields.iter().any(is_field), "{trust:?}");
    }
    assert!(page.contains("other HPAs: it was not given"), "{page}");
}

#[test]
fn deleted_target_is_reported_with_the_servers_words() {
    let mut world = web(6).utilization("cpu", 60);
    world.observation.scale = Reading::Failed(hpa_engine::model::ApiError {
        message: "deployments.apps \"web\" not found".to_owned(),
        reason: "NotFound".to_owned(),
        code: 404,
    });
    insta::assert_snapshot!(world.answer());
}

/// If the controller gives up before its metrics, it leaves old values, which prove nothing.
#[test]
fn old_values_beside_a_deleted_target_are_not_reported_to_agree() {
    let mut world =
        web(6)
            .utilization("cpu", 60)
            .status(6, 6, 50, "ReadyForNewScale", "DesiredWithinRange");
    world.observation.scale = Reading::Failed(hpa_engine::model::ApiError {
        message: "deployments.apps \"web\" not found".to_owned(),
        reason: "NotFound".to_owned(),
        code: 404,
    });
    let page = world.page();
    assert!(!page.contains("agrees") && !page.contains("50%"), "{page}");
}

#[test]
fn refused_write_is_reported_with_the_servers_words() {
    let answer = web(5)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "90m")
        .remembering(&[(5, "10:41:15")])
        .refused_write("Forbidden", "exceeded quota: pods")
        .answer();
    insta::assert_snapshot!(answer);
}

/// With 2 replicas, the metric asks for 1 only at half the target.
#[test]
fn two_replicas_go_to_one_at_half_the_target() {
    let answer = web(2)
        .bounds(1, 10)
        .utilization("cpu", 80)
        .ready_pods(2, "100m", "45m")
        .remembering(&[(2, "10:41:15")])
        .answer();
    insta::assert_snapshot!(answer);
}

#[test]
fn scale_down_that_is_disabled_is_not_blamed_on_the_window() {
    let answer = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "20m")
        .behavior(down().select(SelectPolicy::Disabled))
        .remembering(&[(6, "10:41:15")])
        .answer();
    insta::assert_snapshot!(answer);
}

/// What the answer says of the other direction is what the engine decides with much more load, or with none.
#[test]
fn direction_that_is_off_is_not_said_to_turn_off_the_other() {
    let mut checked = 0;
    let off = |rules: Rules| rules.select(SelectPolicy::Disabled).window(0);
    for (is_up_off, is_down_off) in [(true, false), (false, true), (true, true)] {
        for replicas in [2, 6, 20] {
            for usage in ["5m", "90m"] {
                let number = usize::try_from(replicas).unwrap();
                let with = |usage: &str| {
                    let up = if is_up_off { off(up()) } else { up().window(0) };
                    let down = if is_down_off {
                        off(down())
                    } else {
                        down().window(0)
                    };
                    let world = web(replicas)
                        .utilization("cpu", 60)
                        .behavior(up)
                        .behavior(down);
                    world.ready_pods(number, "100m", usage).remembering(&[])
                };
                let world = with(usage);
                let answer = world
                    .answer()
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                if !answer.contains("is Disabled, so no metric scales it") {
                    continue;
                }
                checked += 1;
                let decided = |usage| with(usage).decide().decision.replicas().unwrap();
                for (way, happens) in [
                    ("up", replicas < decided("900m")),
                    ("down", decided("0") < replicas),
                ] {
                    let says = answer.contains(&format!("It still scales {way}."));
                    assert_eq!(says, happens, "{replicas} {usage} {way}: {answer}");
                }
            }
        }
    }
    assert!(6 < checked, "{checked} worlds have a direction that is off");
}

#[test]
fn spike_that_is_over_still_scales_up_without_behavior() {
    let answer = web(2)
        .bounds(2, 10)
        .utilization("cpu", 20)
        .ready_pods(2, "20m", "0")
        .remembering(&[(2, "10:40:00"), (258, "10:41:15")])
        .answer();
    insta::assert_snapshot!(answer);
}

#[test]
fn surge_of_a_rollout_is_named() {
    let mut world = web(4)
        .queue("queue_depth", "41", "10")
        .remembering(&[(4, "10:41:15")]);
    world.observation.scale = Reading::Read(Scale {
        spec_replicas: 4,
        status_replicas: 5,
        selector: "app=web".to_owned(),
    });
    world.now = at("10:41:30");
    insta::assert_snapshot!(world.answer());
}

/// 66 / 60 is 1.1, which in binary fractions is not within 0.1 of 1; from 1.33 on the controller compares otherwise.
#[test]
fn exact_edge_of_the_tolerance_depends_on_the_version() {
    let mut world = web(5)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "66m")
        .remembering(&[(5, "10:41:15")]);
    assert_eq!(world.json().verdict.to, Some(5));
    world.observation.controller =
        ControllerConfig::defaults(Input::given("1.31".parse().unwrap()));
    assert_eq!(world.json().verdict.to, Some(6));
    insta::assert_snapshot!(world.page());
}

/// The limits end at 90%: whatever the load, the metric never asks for more.
#[test]
fn target_that_the_limits_never_let_it_reach_is_reported() {
    let answer = web(4)
        .utilization("cpu", 90)
        .ready_pods(4, "100m", "88m")
        .limits("90m")
        .remembering(&[(4, "10:41:15")])
        .answer();
    insta::assert_snapshot!(answer);
}
