//! When a pass happens, and what it begins with.

use crate::{
    explain::clock::duration,
    learn::{
        case::{case, version, window},
        example::{condition, outcomes, replicas, stabilized, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    model::{ControllerConfig, Input},
    trace::Upstream,
};

pub(super) static TOPICS: &[Topic] = &[SYNC, READ_SCALE, FIRST_RECOMMENDATION];

const SYNC: Topic = Topic {
    id: "sync",
    title: "When a pass happens",
    answers: "When does the controller look at this HPA next?",
    chapter: Chapter::Begin,
    functions: &[
        Upstream::horizontal("enqueueHPA"),
        Upstream::horizontal("enqueueRateLimited"),
        Upstream::horizontal("updateHPA"),
        Upstream::horizontal("deleteHPA"),
        Upstream::horizontal("worker"),
        Upstream::horizontal("processNextWorkItem"),
        Upstream::horizontal("reconcileKey"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "--horizontal-pod-autoscaler-sync-period",
            "duration, default 15 s",
            "a flag of kube-controller-manager",
        ),
        input(
            "--concurrent-horizontal-pod-autoscaler-syncs",
            "workers, default 5",
            "a flag of kube-controller-manager",
        ),
        input(
            "created, changed, deleted HPAs",
            "events",
            "a watch of the API server",
        ),
    ],
    formula: "\
next pass = this pass + sync period, whatever came of it
an event while a pass is due already changes nothing",
    remarks: &[
        "A pass that fails is not repeated sooner or later than others: there is no growing pause.",
        "What is remembered of an HPA is dropped when a pass finds it gone; one that is deleted and made anew under the \
         same name within one period keeps its memory.",
        "With more HPAs than the workers can serve within a period, passes come later than that.",
        "Nothing else triggers a pass: not a new sample, not a pod that gets ready, not a scaled Deployment.",
    ],
    picture: || {
        let period = sync_seconds();
        let mut passes = vec!["pass".to_owned()];
        let mut times = vec!["second".to_owned()];
        let mut seen = vec!["sees edits of".to_owned()];
        for number in 0..5 {
            let at = number * period;
            times.push(at.to_string());
            passes.push("▲".to_owned());
            seen.push(if number == 0 {
                String::new()
            } else {
                format!("{} … {}", at - period, at - 1)
            });
        }
        picture::grid(&[times, passes, seen])
    },
    worked: || {
        let period = sync_seconds();
        let rows = [1, 7, 14].map(|after| [format!("{after} s"), format!("{} s", period - after)]);
        format!(
            "With the default period of {}:\n\n{}",
            duration(jiff::SignedDuration::from_secs(period)),
            table(
                [
                    "something changes so long after a pass",
                    "the next pass is due in"
                ],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(26),
            text: "several workers serve the HPAs at once, 5 by default; before there was one.",
            numbers: None,
        },
        Difference {
            since: Since::Minor(37),
            text: "a new HPA, and with the gate `HPAGeneration` one whose spec changed, is synced at once; before it \
                   waited up to one period. The next pass comes when it was due anyway. With the gate \
                   `StaleControllerConsistencyHPA` a pass is skipped until the controller sees its own last status.",
            numbers: None,
        },
    ],
    beliefs: &[
        (
            "The HPA reacts when a metric crosses its target.",
            "It looks at intervals; nobody tells it that something crossed anything.",
        ),
        (
            "After a failure the controller backs off.",
            "The next pass comes one sync period later, always.",
        ),
    ],
    shown: Shown::Elsewhere(
        "It is no step of the ladder. The page's line `reaction` counts the period among the delays between a load and \
         ready pods, and `kubectl hpa watch` follows the passes as they happen.",
    ),
    rules: &[
        ("HPA316", "period-below-sync"),
        ("HPA317", "period-quantized"),
        ("HPA704", "many-hpas"),
    ],
};

const READ_SCALE: Topic = Topic {
    id: "read-scale",
    title: "The scale of the target is read",
    answers: "How many replicas does the target have, and which pods are its own?",
    chapter: Chapter::Begin,
    functions: &[Upstream::horizontal("scaleForResourceMappings")],
    part_of: &[Upstream::horizontal("reconcileAutoscaler")],
    inputs: &[
        input(
            "scaleTargetRef",
            "group, kind and name",
            "the spec of the HPA; of apiVersion only the group is used",
        ),
        input(
            "resources of that kind",
            "list",
            "discovery of the API server",
        ),
    ],
    formula: "\
for each resource of that group and kind, in order: GET …/NAME/scale
  the first answer counts; without any, the error of the first resource
current        = spec.replicas of the scale
statusReplicas = status.replicas of the scale
selector       = status.selector of the scale",
    remarks: &[
        "`spec.replicas` is what everything that follows starts from, also where fewer pods run or are ready.",
        "Averages of Object and External metrics divide by `status.replicas` instead \
         ([average-per-replica](average-per-replica.md)).",
        "If it can't be read, nothing else happens: an event and a condition `FailedGetScale`; the numbers in the status \
         stay as they were.",
    ],
    picture: || {
        picture::flow(&[
            vec!["scaleTargetRef  apps/v1 Deployment web".to_owned()],
            vec!["group apps, kind Deployment  ▶  resource deployments".to_owned()],
            vec!["GET /apis/apps/v1/namespaces/shop/deployments/web/scale".to_owned()],
            vec!["spec.replicas 8   status.replicas 9   selector app=web".to_owned()],
        ])
    },
    worked: || {
        let base = || case(8).external(crate::learn::case::average("10"), &["85"]);
        let failing = base()
            .without_scale("deployments.apps \"web\" not found")
            .decide();
        format!(
            "An External metric of 85 with an average of 10 for each replica:\n\n{}\n\
             If the scale can't be read the condition is AbleToScale {}, and the replicas stay.\n",
            outcomes(
                "scale",
                [
                    ("spec 8, status 8", base()),
                    (
                        "spec 8, status 9 (a pod more during a rollout)",
                        base().status_replicas(9)
                    ),
                    ("spec 8, status 5", base().status_replicas(5)),
                ]
            ),
            condition(&failing, "AbleToScale"),
        )
    },
    differences: &[],
    beliefs: &[
        (
            "currentReplicas in the status is the number of pods that run.",
            "It is `spec.replicas` of the scale as this pass found it.",
        ),
        (
            "apiVersion of scaleTargetRef has to be the one that is served.",
            "Only its group counts; the version is looked up.",
        ),
    ],
    shown: Shown::Own(|| case(8).status_replicas(9).asking(8)),
    rules: &[
        ("HPA401", "target-missing"),
        ("HPA402", "target-group"),
        ("HPA403", "target-kind-spelling"),
        ("HPA404", "target-unscalable"),
        ("HPA422", "cross-namespace-ref"),
        ("HPA801", "not-able-to-scale"),
    ],
};

const FIRST_RECOMMENDATION: Topic = Topic {
    id: "first-recommendation",
    title: "At first sight the current replicas count as asked for",
    answers: "What does a controller hold on to that knows nothing of this HPA yet?",
    chapter: Chapter::Begin,
    functions: &[Upstream::horizontal("recordInitialRecommendation")],
    part_of: &[],
    inputs: &[
        input("current", "replicas", "[read-scale](read-scale.md)"),
        input(
            "recommendations",
            "list, or none yet",
            "the memory of kube-controller-manager",
        ),
    ],
    formula: "\
if nothing was ever remembered of this HPA:
  recommendations = [(current, now)]",
    remarks: &[
        "So after a restart or a change of leader nothing scales down below the current replicas for one whole window.",
        "With a `stabilizationWindowSeconds` for scaling up, nothing scales up in that window either: the current \
         replicas are the lowest recommendation in it.",
        "Rate limits begin empty: a burst right after a restart is not slowed down by policies.",
        "An HPA that is deleted and made anew starts the same way.",
    ],
    picture: || {
        let mut case = case(9).max(10).asking(3).forgotten();
        let mut points = Vec::new();
        let mut columns = Vec::new();
        for minute in 0..=7 {
            let trace = case.pass(60);
            let asked = stabilized(&trace).map_or(0, |step| step.recommendation);
            points.push((asked, replicas(&trace)));
            columns.push(format!("{minute} m"));
        }
        let mut out = picture::chart(&points, &columns);
        out.push_str("\nrestart at 0 m   ○ what the metric asks for   ● the replicas\n");
        out
    },
    worked: || {
        outcomes(
            "9 replicas, the metric asks for 3, and the controller remembers",
            [
                ("nothing of this HPA", case(9).asking(3).forgotten()),
                (
                    "that 3 was asked for a minute ago",
                    case(9).asking(3).remembers(&[(3, 60)]),
                ),
                (
                    "nothing; the metric asks for 12",
                    case(9).asking(12).forgotten(),
                ),
                (
                    "nothing; the metric asks for 12, `scaleUp` has a window of 120 s",
                    case(9).asking(12).up(window(120)).forgotten(),
                ),
            ],
        )
    },
    differences: &[],
    beliefs: &[(
        "After an upgrade of the control plane the HPA hangs for 5 minutes.",
        "It holds scale-downs. It scales up immediately, unless `scaleUp` has a stabilization window.",
    )],
    shown: Shown::Own(|| case(9).asking(3).forgotten()),
    rules: &[("HPA303", "scaledown-window-long")],
};

fn sync_seconds() -> i64 {
    let controller = ControllerConfig::defaults(Input::given(version(36)));
    controller.sync_period.value.as_secs()
}
