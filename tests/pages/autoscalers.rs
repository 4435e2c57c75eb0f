//! Other autoscalers: what the page says about each, where no real one is available.

use std::collections::BTreeMap;

use hpa_engine::model::{
    Autoscaler, Condition, ContainerPolicy, Fallback, Origin, Owner, Relation, ScaledObject,
    Target, VerticalAutoscaler,
};
use hpa_render::{Style, terminal::PageDetail};
use hpa_testing::{World, at};

use crate::world::{AsPage, web};

/// The page in all detail, as one line.
fn reported(world: &World) -> String {
    let detail = PageDetail {
        is_verbose: true,
        ..PageDetail::default()
    };
    words(&world.text(detail, Style::plain()))
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "no {text:?} in\n{page}");
    }
}

fn with(mut world: World, autoscaler: Autoscaler) -> World {
    world
        .context
        .surroundings
        .autoscalers
        .push(autoscaler.into());
    world
}

fn autoscaler(api_version: &str, kind: &str, name: &str) -> Autoscaler {
    Autoscaler {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        name: name.to_owned(),
        scale_target: Some("Deployment/web".to_owned()),
        ..Autoscaler::default()
    }
}

/// Six replicas, a target of 20 per replica, and this total.
fn keda(min: i32, value: &str, object: ScaledObject) -> World {
    let world = web(6)
        .at("10:31:15")
        .queue("s0-rabbitmq-mail", value, "20")
        .ready_pods(6, "100m", "0");
    with(
        world,
        Autoscaler {
            relation: Relation::Owner,
            min_replicas: Some(min),
            scaled_object: Some(object),
            ..autoscaler("keda.sh/v1alpha1", "ScaledObject", "mail")
        },
    )
}

fn condition(condition_type: &str, status: &str, reason: &str, message: &str) -> Condition {
    Condition {
        condition_type: condition_type.to_owned(),
        status: status.to_owned(),
        reason: reason.to_owned(),
        message: message.to_owned(),
        ..Condition::default()
    }
}

#[test]
fn keda_that_falls_back_says_what_it_makes_up() {
    let fallback = |behavior: Option<&str>, is_active| {
        let page = keda(
            0,
            "120",
            ScaledObject {
                fallback: Some(Fallback {
                    failure_threshold: 3,
                    replicas: 6,
                    behavior: behavior.map(str::to_owned),
                }),
                failing: [("s0-rabbitmq-mail".to_owned(), 4)].into(),
                conditions: vec![
                    condition("Fallback", is_active, "", ""),
                    condition("Ready", "False", "TriggerError", "no answer"),
                ],
                ..ScaledObject::default()
            },
        );
        words(&page.page())
    };
    says(
        &fallback(None, "True"),
        &[
            "! fallback is active: KEDA answers with a value that asks for 6 replicas, whatever the load is. \
             s0-rabbitmq-mail failed 4 times in a row.",
            "! ScaledObject mail is not ready (TriggerError): no answer",
        ],
    );
    says(
        &fallback(Some("currentReplicasIfHigher"), "False"),
        &[
            "! s0-rabbitmq-mail failed 4 times in a row: after more than 3 KEDA answers with a value that asks for 6 \
             replicas, or the current ones if they are more.",
        ],
    );
}

#[test]
fn settings_of_keda_that_have_no_effect_are_reported() {
    let object = ScaledObject {
        cooldown_period: Some(600),
        polling_interval: Some(5),
        ..ScaledObject::default()
    };
    says(
        &reported(&keda(2, "120", object.clone())),
        &[
            "The HPA decides; KEDA only answers for its metrics, as minReplicaCount 2 leaves it no step to 0.",
            "cooldownPeriod 600 has no effect without a step to 0. What delays scaling down is \
             behavior.scaleDown.stabilizationWindowSeconds, in advanced.horizontalPodAutoscalerConfig.",
            "pollingInterval 5 does not change scaling",
            "s0-rabbitmq-mail is trigger 0, which ScaledObject mail no longer has",
        ],
    );
    // Users who wait for the window believe that they wait for KEDA.
    let waiting = keda(0, "60", object).remembering(&[(6, "10:28:00")]);
    says(
        &words(&waiting.page()),
        &["cooldownPeriod 600 only delays the step to 0."],
    );
}

#[test]
fn keda_says_when_its_step_to_zero_comes() {
    let object = ScaledObject {
        conditions: vec![condition("Active", "False", "", "")],
        last_active: Some(at("10:29:00")),
        ..ScaledObject::default()
    };
    says(
        &words(&keda(0, "120", object).page()),
        &[
            "the step to 0 is KEDA's: no trigger has been active since 10:29:00, so at 10:34:00 at the earliest (5 min \
             cooldownPeriod).",
        ],
    );
}

/// One target has one selector, so its HPAs cannot have selectors that do not overlap.
#[test]
fn two_hpas_of_one_target_are_distinguished_from_two_targets_with_the_same_pods() {
    let world = || {
        let world = web(4).utilization("cpu", 60).ready_pods(4, "100m", "50m");
        world.other_hpa("web-canary", "app=web")
    };
    let rival = autoscaler("autoscaling/v2", "HorizontalPodAutoscaler", "web-canary");
    says(
        &words(&with(world(), rival).answer()),
        &[
            "HPAs web and web-canary both target Deployment/web, so the controller scales by neither (AmbiguousSelector). \
             Keep one, and move the metrics of the rest into it.",
        ],
    );
    // A recording has no other targets; with the permission to list the namespace's HPAs, those with this target are
    // known.
    says(
        &words(&world().answer()),
        &[
            "The target of web-canary is not known here. If it is Deployment/web, keep one HPA. If not, give the targets \
             selectors that do not overlap.",
            "kubectl get hpa web web-canary -n shop",
        ],
    );
    let mut listed = world();
    listed.context.surroundings.hpas_of_namespace = Some(2);
    says(
        &words(&listed.answer()),
        &["Their targets differ: give the targets selectors that do not overlap."],
    );
}

#[test]
fn vertical_autoscaler_warns_only_where_it_changes_what_is_measured() {
    let vertical_with = |mode: &str, policies, recommendations| {
        let world = web(6).utilization("cpu", 60).ready_pods(6, "100m", "50m");
        with(
            world,
            Autoscaler {
                mode: Some(mode.to_owned()),
                vertical: Some(VerticalAutoscaler {
                    policies,
                    recommendations,
                }),
                ..autoscaler("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "web")
            },
        )
    };
    let vertical = |mode: &str, policies| vertical_with(mode, policies, BTreeMap::new());
    let recommends = |cpu: &str| {
        let cpu = BTreeMap::from([("cpu".to_owned(), cpu.to_owned())]);
        let world = vertical_with(
            "Auto",
            Vec::new(),
            BTreeMap::from([("app".to_owned(), cpu)]),
        );
        words(&world.answer())
    };
    let memory_only = vec![ContainerPolicy {
        container: "*".to_owned(),
        mode: None,
        controlled_resources: Some(vec!["memory".to_owned()]),
    }];
    says(
        &recommends("200m"),
        &[
            "VerticalPodAutoscaler web (Auto) changes the CPU requests that this HPA divides by. With its recommendation the \
             same load is 25%, and the HPA scales down.",
            "Fix: leave cpu out of its controlledResources, or set its updateMode to Off.",
        ],
    );
    // Neither at the minimum, whatever the metrics ask for below it.
    let at_min = with(
        web(5)
            .bounds(5, 20)
            .utilization("cpu", 80)
            .ready_pods(5, "100m", "10m"),
        Autoscaler {
            mode: Some("Auto".to_owned()),
            vertical: Some(VerticalAutoscaler {
                policies: Vec::new(),
                recommendations: BTreeMap::from([(
                    "app".to_owned(),
                    BTreeMap::from([("cpu".to_owned(), "50m".to_owned())]),
                )]),
            }),
            ..autoscaler("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "web")
        },
    );
    assert!(
        !at_min.answer().contains("VerticalPodAutoscaler"),
        "{}",
        at_min.answer()
    );
    // What changes no decision does not lead.
    let without_effect = [
        recommends("101m"),
        words(&vertical("Auto", Vec::new()).answer()),
    ];
    for answer in without_effect {
        assert!(!answer.contains("VerticalPodAutoscaler"), "{answer}");
    }
    says(
        &words(&vertical("Auto", Vec::new()).page()),
        &[
            "! VerticalPodAutoscaler web (updateMode Auto) changes the cpu requests that this HPA divides by and has no \
             recommendation yet.",
        ],
    );
    for quiet in [
        vertical("Off", Vec::new()),
        vertical("Auto", memory_only.clone()),
    ] {
        assert!(!quiet.page().contains("VerticalPodAutoscaler"));
    }
    says(
        &reported(&vertical("Auto", memory_only)),
        &["none of which this HPA measures against"],
    );
}

#[test]
fn autoscalers_are_named_with_what_they_do_to_this_hpa() {
    let world = || web(6).utilization("cpu", 60).ready_pods(6, "100m", "60m");
    let told_of = |relation, mode: Option<&str>, api_version: &str, kind: &str| {
        reported(&with(
            world(),
            Autoscaler {
                relation,
                mode: mode.map(str::to_owned),
                max_replicas: Some(9),
                ..autoscaler(api_version, kind, "x")
            },
        ))
    };
    let crane = (
        "autoscaling.crane.io/v1alpha1",
        "EffectiveHorizontalPodAutoscaler",
    );
    says(
        &told_of(Relation::Owner, None, crane.0, crane.1),
        &[
            "EffectiveHorizontalPodAutoscaler x (Crane) made this HPA and writes its spec: change it there.",
        ],
    );
    says(
        &told_of(Relation::SameTarget, Some("Preview"), crane.0, crane.1),
        &["only recommends (mode Preview)"],
    );
    let cron = (
        "autoscaling.alibabacloud.com/v1beta1",
        "CronHorizontalPodAutoscaler",
    );
    says(
        &told_of(Relation::ScalesHpa, None, cron.0, cron.1),
        &["moves the bounds of this HPA at the times it is set to"],
    );
    says(
        &told_of(
            Relation::SameTarget,
            None,
            "datadoghq.com/v1alpha2",
            "DatadogPodAutoscaler",
        ),
        &["! DatadogPodAutoscaler x (Datadog) also scales Deployment/web, up to 9 replicas"],
    );
    says(
        &told_of(
            Relation::SameTarget,
            Some("onsuccess"),
            "argoproj.io/v1alpha1",
            "Rollout",
        ),
        &[
            "! Deployment/web only lends its pod template to Rollout/x (workloadRef), which scales it to 0. Point \
             scaleTargetRef at Rollout/x (argoproj.io/v1alpha1).",
        ],
    );
    // An owner that was not read is still named.
    let mut owned = world();
    owned.context.hpa_origin.owner = Some(Owner {
        kind: "PodAutoscaler".to_owned(),
        name: "web-00001".to_owned(),
    });
    says(
        &reported(&owned),
        &["PodAutoscaler web-00001 (Knative) made this HPA"],
    );
    let mut knative = world();
    knative.context.target = Some(Target {
        origin: Origin {
            marks: [(
                "serving.knative.dev/revision".to_owned(),
                "web-00001".to_owned(),
            )]
            .into(),
            owner: None,
        },
        ..Target::default()
    });
    says(
        &reported(&knative),
        &["! Deployment/web belongs to revision web-00001 of Knative, which scales it itself"],
    );
}
