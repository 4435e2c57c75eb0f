//! Which pods count, and what they request.

use hpa_engine::{
    model::{ConditionStatus, PodPhase},
    trace::{PodClass, PodReason},
};
use hpa_testing::{NOW, PodFixture, World};

use crate::algorithm::{
    case::{case, pod, ready},
    computed::{Computed, Difference, Displayed, Since},
    example::{groups, percent, proposal, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[GROUP_PODS];

const GROUP_PODS: Computed = Computed {
    id: "group-pods",
    picture: || {
        let mut rows = vec![vec![
            "pod".to_owned(),
            "started".to_owned(),
            "Ready".to_owned(),
            "class".to_owned(),
            "reason".to_owned(),
        ]];
        rows.extend(pods_of_the_picture().into_iter().map(|(name, one)| {
            let started = one.pod().started.map_or_else(
                || "no".to_owned(),
                |started| seconds((NOW - started).get_seconds()),
            );
            let ready = one.pod().ready.map_or_else(
                || "no condition".to_owned(),
                |ready| {
                    let is_ready = match ready.status {
                        ConditionStatus::True => "yes",
                        ConditionStatus::False => "no",
                        ConditionStatus::Unknown => "unknown",
                    };
                    let since = ready.last_transition.unwrap_or(NOW);
                    format!("{is_ready} for {}", seconds((NOW - since).get_seconds()))
                },
            );
            let trace = case(3).cpu(50).pods([one, pod().cpu("50m")]).decide();
            let first = groups(&trace).and_then(|groups| groups.pods.first().copied());
            let (class, reason) = first.map_or(("", ""), |first| {
                (name_of(first.class), reason(first.reason))
            });
            vec![
                name.to_owned(),
                started,
                ready,
                class.to_owned(),
                reason.to_owned(),
            ]
        }));
        picture::grid(&rows)
    },
    worked: || {
        let base = || case(3).cpu(50).pods(ready(2, "80m"));
        let variants: [(&str, World); 6] = [
            ("ready, 20m", base().pods([pod().cpu("20m")])),
            ("Pending", base().pods([pod().pending()])),
            (
                "not ready since its start 60 s ago, 90m",
                base().pods([pod().unready().cpu("90m")]),
            ),
            ("no metrics", base().pods([pod()])),
            (
                "terminating, 20m",
                base().pods([pod().terminating().cpu("20m")]),
            ),
            (
                "Succeeded, no metrics",
                base().pods([pod().phase(PodPhase::Succeeded)]),
            ),
        ];
        let rows = variants.into_iter().map(|(what, case)| {
            let trace = case.decide();
            let groups = groups(&trace);
            let counts = groups.map_or_else(String::new, |groups| {
                format!(
                    "{} · {} · {} · {}",
                    groups.ready, groups.unready, groups.missing, groups.ignored
                )
            });
            [
                what.to_owned(),
                counts,
                format!("{}%", percent(&trace)),
                proposal(&trace),
            ]
        });
        format!(
            "Target 50%, 3 replicas. Two ready pods use 80m each and request 100m each. The third pod varies:\n\n{}\n\
             The status shows the first utilization. The [adjusted average](adjusted-average.md) can add pods that are \
             not ready or have no metrics.\n",
            table(
                [
                    "third pod",
                    "ready · not ready · no metrics · ignored",
                    "first utilization",
                    "asks for"
                ],
                rows
            )
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.finished_pods_ignored),
        numbers: Some(|minor| {
            let finished = pod().phase(PodPhase::Succeeded);
            let trace = case(3)
                .kube(minor)
                .cpu(50)
                .pods(ready(2, "80m"))
                .pods([finished])
                .decide();
            format!(
                "two pods at 80% (target 50%) and a finished one ask for {}",
                proposal(&trace)
            )
        }),
    }],
    displayed: Displayed::Own(|| {
        case(4)
            .cpu(50)
            .pods(ready(2, "80m"))
            .pods([pod().unready().cpu("90m"), pod()])
    }),
};

/// The boundary cases of the rules, with their names.
fn pods_of_the_picture() -> Vec<(&'static str, PodFixture)> {
    vec![
        ("terminating", pod().terminating().cpu("50m")),
        ("Failed", pod().phase(PodPhase::Failed).cpu("50m")),
        ("Pending", pod().pending()),
        ("no usage", pod()),
        (
            "starting",
            pod()
                .started("-60s")
                .ready(ConditionStatus::False, "-60s")
                .cpu("50m"),
        ),
        (
            "old sample",
            pod()
                .started("-60s")
                .ready(ConditionStatus::True, "-10s")
                .sampled("-12s", "15s")
                .cpu("50m"),
        ),
        (
            "new sample",
            pod()
                .started("-60s")
                .ready(ConditionStatus::True, "-40s")
                .sampled("-12s", "15s")
                .cpu("50m"),
        ),
        (
            "never ready",
            pod()
                .started("-600s")
                .ready(ConditionStatus::False, "-590s")
                .cpu("50m"),
        ),
        (
            "was ready",
            pod()
                .started("-600s")
                .ready(ConditionStatus::False, "-300s")
                .cpu("50m"),
        ),
        ("ready", pod().cpu("50m")),
    ]
}

fn seconds(seconds: i64) -> String {
    hpa_words::clock::duration(jiff::SignedDuration::from_secs(seconds))
}

/// The class as the reports call it.
pub(super) fn name_of(class: PodClass) -> &'static str {
    match class {
        PodClass::Ready => "ready",
        PodClass::Unready => "not ready",
        PodClass::Missing => "no metrics",
        PodClass::Ignored => "ignored",
    }
}

fn reason(reason: PodReason) -> &'static str {
    match reason {
        PodReason::Deleted => "deletionTimestamp",
        PodReason::Failed => "phase Failed",
        PodReason::Succeeded => "phase Succeeded",
        PodReason::Pending => "phase Pending",
        PodReason::NoSample => "no usage reported",
        PodReason::NoReadyConditionOrStart => "no condition or start",
        PodReason::NotReadyInInitialization => "in its first 5 min",
        PodReason::SampleBeforeReady => "sample before ready",
        PodReason::NeverReady => "not since start",
        PodReason::Counted => "counted",
        PodReason::CountedThoughNotReady => "has been ready",
    }
}
