//! Other writers of the replicas, and oscillating replicas.

use hpa_engine::model::{
    Condition, FieldManager, HpaStatus, Input, KubeEvent, Origin, Owner, Target,
};
use hpa_render::{Style, terminal::PageDetail};
use hpa_testing::{World, at};
use jiff::SignedDuration;

use crate::world::{AsPage, web};

const ABOVE: &str = "cpu resource utilization (percentage of request) above target";
const BELOW: &str = "All metrics below target";

/// Six replicas, the target of the metric, set by the HPA at 10:40:50.
fn six() -> World {
    let mut world = web(6)
        .utilization("cpu", 60)
        .ready_pods(6, "100m", "60m")
        .status(6, 6, 60, "ReadyForNewScale", "DesiredWithinRange");
    world.observation.hpa.status.last_scale_time = Some(at("10:40:50"));
    world.context.target = Some(Target {
        kind: "Deployment".to_owned(),
        name: "web".to_owned(),
        created: Some(at("01:00:00")),
        replicas_written_by: vec![manager("kube-controller-manager", "Update", None)],
        ..Target::default()
    });
    world
}

/// A manager of the scale, which has no time, or of the object.
fn manager(name: &str, operation: &str, time: Option<&str>) -> FieldManager {
    FieldManager {
        manager: name.to_owned(),
        operation: operation.to_owned(),
        subresource: time.is_none().then(|| "scale".to_owned()),
        time: time.map(at),
    }
}

fn page(world: &World) -> String {
    one_line(&world.page())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn target(world: &mut World) -> &mut Target {
    world.context.target.as_mut().unwrap()
}

fn marks(marks: &[(&str, &str)]) -> Origin {
    Origin {
        marks: marks
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect(),
        owner: None,
    }
}

#[track_caller]
fn says(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "no {text:?} in\n{page}");
    }
}

#[test]
fn own_writes_of_the_hpa_and_marks_alone_are_no_news() {
    let mut world = six().rescaled("10:40:50", 6, ABOVE);
    target(&mut world).origin = marks(&[("meta.helm.sh/release-name", "web")]);
    target(&mut world).applied_replicas = Some(6);
    assert!(!world.page().contains("\nset by "), "{}", world.page());
    // A controller that writes the scale under its own name; its number is the HPA's.
    target(&mut world).replicas_written_by = vec![manager("hpa-of-some-cloud", "Update", None)];
    assert!(!world.page().contains("\nset by "), "{}", world.page());
    // The manifest that created it, before the HPA's first scaling.
    world.observation.hpa.status.last_scale_time = None;
    target(&mut world).replicas_written_by = vec![manager(
        "kubectl-client-side-apply",
        "Update",
        Some("01:00:00"),
    )];
    assert!(!world.page().contains("\nset by "), "{}", world.page());
}

#[test]
fn helm_release_without_a_name_is_one_all_the_same() {
    let mut world = six();
    target(&mut world).origin = marks(&[("app.kubernetes.io/managed-by", "Helm")]);
    let everything = PageDetail {
        is_verbose: true,
        ..PageDetail::default()
    };
    let page = world.text(everything, Style::plain());
    says(&page, &["Deployment/web belongs to a Helm release."]);
}

#[test]
fn writer_is_reported_with_what_makes_it_stop() {
    for (by, operation, origin, texts) in [
        (
            "helm",
            "Update",
            marks(&[
                ("meta.helm.sh/release-name", "web"),
                ("meta.helm.sh/release-namespace", "shop"),
            ]),
            [
                "spec.replicas was set to 3 by helm at 10:41:02 at the latest, 12 s after the HPA had set 6.",
                "Remove spec.replicas from the chart of release shop/web",
            ],
        ),
        (
            "argocd-controller",
            "Update",
            marks(&[(
                "argocd.argoproj.io/tracking-id",
                "front:apps/Deployment:shop/web",
            )]),
            [
                "by Argo CD (argocd-controller)",
                "Have the application front ignore spec.replicas",
            ],
        ),
        (
            "kustomize-controller",
            "Apply",
            marks(&[
                ("kustomize.toolkit.fluxcd.io/name", "apps"),
                ("kustomize.toolkit.fluxcd.io/namespace", "flux-system"),
            ]),
            [
                "by Flux (kustomize-controller)",
                "belongs to Flux Kustomization flux-system/apps",
            ],
        ),
    ] {
        let mut world = six().rescaled("10:40:50", 6, ABOVE);
        let replicas = web(3).observation.scale;
        world.observation.scale = replicas;
        target(&mut world).origin = origin;
        target(&mut world).replicas_written_by = vec![manager(by, operation, Some("10:41:02"))];
        says(&page(&world), &texts);
    }
}

#[test]
fn fight_that_is_over_for_now_is_read_from_events() {
    let mut world = six();
    world.context.events.push(KubeEvent {
        event_type: "Normal".to_owned(),
        reason: "SuccessfulRescale".to_owned(),
        message: format!("New size: 6; reason: {ABOVE}"),
        count: 7,
        first: Some(at("10:22:50")),
        last: Some(at("10:40:50")),
    });
    target(&mut world).origin = marks(&[(
        "argocd.argoproj.io/tracking-id",
        "front:apps/Deployment:shop/web",
    )]);
    target(&mut world).applied_replicas = Some(3);
    says(
        &page(&world),
        &[
            "! the HPA set 6 at 10:22:50 and, with nothing of its own between, again at 10:40:50: something else \
             (belongs to Argo CD application front) changed the replicas in between, 6 times since 10:22:50",
            "the last applied manifest of Deployment/web has replicas: 3: each apply sets that again.",
        ],
    );
}

#[test]
fn downscalers_and_operators_are_named() {
    let mut world = six();
    target(&mut world).origin = marks(&[("downscaler/original-replicas", "6")]);
    target(&mut world).origin.owner = Some(Owner {
        kind: "Superset".to_owned(),
        name: "bi".to_owned(),
    });
    says(
        &page(&world),
        &[
            "! a downscaler has scaled Deployment/web down by its schedule and will restore 6 replicas",
            "Deployment/web is controlled by Superset/bi",
        ],
    );
}

#[test]
fn replicas_that_go_back_and_forth_are_reported_with_interval_and_metric() {
    let world = six()
        .rescaled("10:10:00", 6, ABOVE)
        .rescaled("10:16:00", 3, BELOW)
        .rescaled("10:18:00", 6, ABOVE)
        .rescaled("10:24:00", 3, BELOW)
        .rescaled("10:26:00", 7, ABOVE)
        .rescaled("10:32:00", 4, BELOW)
        .rescaled("10:40:50", 6, ABOVE);
    says(
        &page(&world),
        &[
            "flapping ! 5 direction changes from 10:18:00 to 10:40:50, every 5 min on average: 6 → 3 → 6 → 3 → 7 → 4 → 6.",
            "Because of 3 × cpu resource utilization (percentage of request) above target, 2 × All metrics below target \
             (from the HPA's Events).",
            "stabilizationWindowSeconds longer than one swing dampens it (now 5 min)",
        ],
    );
    let leads = "The HPA is flapping: 5 direction changes, every 5 min on average. Set \
                 scaleDown.stabilizationWindowSeconds longer than a swing, such as 720 (now 300). CPU is at";
    let answer = |world: &World| one_line(&world.answer());
    assert!(answer(&world).contains(leads), "{}", answer(&world));
    // Once the other writer has stopped, it belongs to the past.
    let later = world.at("11:00:00");
    assert!(page(&later).contains("flapping"), "{}", page(&later));
    assert!(!answer(&later).contains("flapping"), "{}", answer(&later));
    let calm = six()
        .rescaled("10:10:00", 6, ABOVE)
        .rescaled("10:16:00", 3, BELOW)
        .rescaled("10:40:50", 6, ABOVE);
    assert!(!calm.page().contains("flapping"), "{}", calm.page());
}

/// The replicas were set hours ago, and the status has others.
#[test]
fn controller_is_called_late_only_if_the_hpa_waits_for_several_syncs() {
    let is_late = |change: &dyn Fn(&mut World)| {
        let mut world = six();
        world.observation.hpa.status = HpaStatus::default();
        let by = manager("kubectl", "Update", Some("02:00:00"));
        target(&mut world).replicas_written_by = vec![by];
        change(&mut world);
        page(&world).contains("The controller has not synced this HPA for ")
    };
    let created = |time: &'static str| {
        move |world: &mut World| world.observation.hpa.created = Some(at(time))
    };
    // An HPA that waits for its first sync; it is 10:41:30.
    assert!(is_late(&created("10:40:00")));
    assert!(!is_late(&created("10:40:40")));
    assert!(!is_late(&|world| world.observation.hpa.created = None));
    let each_second = |time: &'static str| {
        move |world: &mut World| {
            created(time)(world);
            let period = SignedDuration::from_secs(1);
            world.observation.controller.sync_period = Input::given(period);
        }
    };
    assert!(is_late(&each_second("10:41:10")));
    assert!(!is_late(&each_second("10:41:26")));
    // A sync that could not read the scale did not write the replicas.
    assert!(!is_late(&|world| {
        world.observation.hpa.status.conditions.push(Condition {
            condition_type: "AbleToScale".to_owned(),
            status: "False".to_owned(),
            reason: "FailedGetScale".to_owned(),
            ..Condition::default()
        });
    }));
}
