//! What is written and remembered.

use crate::{
    learn::{
        case::{Case, ago, case, rules},
        example::{reason, replicas, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    model::PolicyType,
    trace::Upstream,
};

pub(super) static TOPICS: &[Topic] = &[RESCALE, SCALE_EVENTS, STATUS];

const RESCALE: Topic = Topic {
    id: "rescale",
    title: "The new number is written",
    answers: "Is the desired number another than the current one, and does the write of the scale succeed?",
    chapter: Chapter::Write,
    functions: &[],
    part_of: &[Upstream::horizontal("reconcileAutoscaler")],
    inputs: &[
        input("desired", "replicas", "the limits, or the bounds"),
        input("current", "replicas", "[read-scale](read-scale.md)"),
    ],
    formula: "\
desired = current:   nothing is written
otherwise:           spec.replicas of the scale = desired
  accepted:          event SuccessfulRescale, AbleToScale True
                     SucceededRescale, the change is remembered
  refused:           event FailedRescale, AbleToScale False
                     FailedUpdateScale, the replicas stay",
    remarks: &[
        "The reason in the event was fixed before window and limits: a scale-up that an old recommendation caused may say \
         `All metrics below target`, or nothing at all.",
        "SucceededRescale hides whether a window had changed the number.",
        "The write goes to the scale of the target, as `kubectl scale` does.",
    ],
    picture: || {
        let mut rows = vec![
            ["asked for", "written", "event"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let cases: [(&str, Case); 4] = [
            ("8", case(8).asking(8)),
            ("12", case(8).asking(12)),
            ("5", case(8).asking(5)),
            (
                "12, refused",
                case(8)
                    .asking(12)
                    .refused_write("admission webhook denied the request"),
            ),
        ];
        for (what, case) in cases {
            let trace = case.decide();
            let outcome = trace.outcome.as_ref();
            let written = outcome.and_then(|outcome| outcome.scale_to);
            let event = outcome.and_then(|outcome| outcome.events.first());
            rows.push(vec![
                what.to_owned(),
                written.map_or_else(|| "nothing".to_owned(), |to| to.to_string()),
                event.map_or_else(|| "none".to_owned(), |event| event.reason.to_owned()),
            ]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\n8 replicas\n");
        out
    },
    worked: || {
        let cases: [(&str, Case); 4] = [
            ("8 replicas, the metric asks for 12", case(8).asking(12)),
            ("8 replicas, the metric asks for 5", case(8).asking(5)),
            (
                "4 replicas, the metric asks for 4, 9 was asked for a minute ago",
                case(4).asking(4).remembers(&[(9, 60)]),
            ),
            ("30 replicas, maxReplicas 20", case(30).asking(5)),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            let events = trace.outcome.as_ref().map(|outcome| outcome.events.clone());
            let message = events
                .unwrap_or_default()
                .first()
                .map(|event| event.message.clone());
            [
                what.to_owned(),
                format!("`{}`", message.unwrap_or_default().trim()),
            ]
        });
        table(["what happens", "message of the event"], rows)
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.scale_conflict_retries),
        text: "a write that conflicts is tried up to five times; before, once.",
        numbers: None,
    }],
    beliefs: &[
        (
            "The event says why the number is what it is.",
            "It says what the metrics wanted; windows and limits may have made another number of it.",
        ),
        (
            "The controller waits until the new pods run.",
            "It writes a number and goes on; whether pods can start is up to others.",
        ),
    ],
    shown: Shown::Own(|| case(8).asking(12)),
    rules: &[
        ("HPA409", "competing-writer"),
        ("HPA705", "blocked-by-quota"),
        ("HPA706", "unschedulable"),
    ],
};

const SCALE_EVENTS: Topic = Topic {
    id: "scale-events",
    title: "Changes are remembered for the policies",
    answers: "Which of its own changes does the controller keep, and how long?",
    chapter: Chapter::Write,
    functions: &[
        Upstream::horizontal("storeScaleEvent"),
        Upstream::horizontal("markScaleEventsOutdated"),
        Upstream::horizontal("getLongestPolicyPeriod"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "change",
            "replicas, with its direction",
            "[rescale](rescale.md)",
        ),
        input(
            "periodSeconds of all policies of that direction",
            "seconds",
            "the spec of the HPA",
        ),
    ],
    formula: "\
only after a successful write, and only with behavior:
  mark events older than the longest period of that direction
  put the change in the place of a marked one, or at the end",
    remarks: &[
        "These are no Events of Kubernetes: they live in the memory of kube-controller-manager and are gone after a restart.",
        "Corrections to the minimum or maximum are remembered as well.",
        "Without `behavior` nothing is kept, so switching it on starts with an empty history.",
    ],
    picture: || {
        let mut case = case(1).max(40).asking(40).up(rules(&[
            (PolicyType::Pods, 4, 30),
            (PolicyType::Percent, 50, 60),
        ]));
        let mut rows = vec![
            ["second", "replicas", "remembered changes (seconds old)"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for pass in 0..7 {
            let trace = case.pass(15);
            let now = case.now - jiff::SignedDuration::from_secs(15);
            let remembered: Vec<String> = case
                .memory
                .scale_up_events
                .iter()
                .map(|event| {
                    format!(
                        "+{} ({})",
                        event.replica_change,
                        now.duration_since(event.at).as_secs()
                    )
                })
                .collect();
            rows.push(vec![
                (pass * 15).to_string(),
                replicas(&trace).to_string(),
                remembered.join("  "),
            ]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nPods 4 in 30 s and Percent 50 in 60 s, from 1 replica to 40\n");
        out
    },
    worked: || {
        let remembered = |case: Case| {
            let mut case = case;
            case.pass(0);
            case.memory.scale_up_events.len() + case.memory.scale_down_events.len()
        };
        let rows = [
            ("no behavior, 8 → 12", case(8).asking(12)),
            ("behavior: {}, 8 → 12", case(8).asking(12).behavior()),
            (
                "behavior: {}, the replicas stay",
                case(8).asking(8).behavior(),
            ),
            (
                "behavior: {}, the write is refused",
                case(8).asking(12).behavior().refused_write("denied"),
            ),
        ]
        .map(|(what, case)| [what.to_owned(), remembered(case).to_string()]);
        table(["pass", "events remembered afterwards"], rows)
    },
    differences: &[],
    beliefs: &[(
        "The history of kubectl describe is what the policies count.",
        "Those Events survive a restart of the controller; what the policies count doesn't.",
    )],
    shown: Shown::Elsewhere(
        "It is no step of the ladder; the lines of [limit-with-behavior](limit-with-behavior.md) say how many replicas were \
         added and removed within each period, and until when they count.",
    ),
    rules: &[
        ("HPA326", "policy-longer-than-window"),
        ("HPA707", "flags-assumed"),
    ],
};

const STATUS: Topic = Topic {
    id: "status",
    title: "The status is written back",
    answers: "What of this pass can be read in the status of the HPA afterwards?",
    chapter: Chapter::Write,
    functions: &[
        Upstream::horizontal("setStatus"),
        Upstream::horizontal("updateStatusIfNeeded"),
        Upstream::horizontal("updateStatus"),
        Upstream::horizontal("setCurrentReplicasAndMetricsInStatus"),
        Upstream::horizontal("setCondition"),
        Upstream::horizontal("setConditionInList"),
        Upstream::horizontal("removeCondition"),
        Upstream::horizontal("buildQuantity"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "what this pass came to",
            "numbers and conditions",
            "all steps before",
        ),
        input(
            "the status before",
            "the same",
            "the HPA as the controller has it in its cache",
        ),
    ],
    formula: "\
currentReplicas = spec.replicas before the write
desiredReplicas = what was decided; on a failure what it was before
lastScaleTime   = now if the replicas were changed
currentMetrics  = the first look at each metric
conditions      = AbleToScale, ScalingActive, ScalingLimited, ScaledToZero
equal to the status before: nothing is written",
    remarks: &[
        "lastTransitionTime of a condition moves only when its status changes; a new reason alone leaves it.",
        "`lastScaleTime` decides nothing: windows and policies have their own memory.",
        "After a pass that was decided by the bounds `currentMetrics` is empty.",
    ],
    picture: || {
        let mut rows = vec![
            ["pass", "AbleToScale", "ScalingActive", "ScalingLimited"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let cases: [(&str, Case); 6] = [
            ("stays", case(8).asking(8)),
            ("up", case(8).asking(12)),
            ("held", case(8).asking(3).remembers(&[(8, 60)])),
            ("at max", case(20).asking(50)),
            ("above max", case(30).asking(5)),
            ("fails", case(8).broken_external()),
        ];
        for (what, case) in cases {
            let trace = case.decide();
            rows.push(vec![
                what.to_owned(),
                reason(&trace, "AbleToScale"),
                reason(&trace, "ScalingActive"),
                reason(&trace, "ScalingLimited"),
            ]);
        }
        picture::grid(&rows)
    },
    worked: || {
        let cases: [(&str, Case); 3] = [
            ("8 → 12", case(8).asking(12)),
            (
                "8, held by the window",
                case(8).asking(3).remembers(&[(8, 60)]),
            ),
            ("8, refused", case(8).asking(12).refused_write("denied")),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.decide();
            let status = trace
                .outcome
                .map(|outcome| outcome.status)
                .unwrap_or_default();
            [
                what.to_owned(),
                status.current_replicas.to_string(),
                status.desired_replicas.to_string(),
                if status.last_scale_time == Some(ago(0)) {
                    "now"
                } else {
                    "as before"
                }
                .to_owned(),
            ]
        });
        table(
            [
                "pass",
                "currentReplicas",
                "desiredReplicas",
                "lastScaleTime",
            ],
            rows,
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.fresh_metrics_on_failure),
            text: "`currentMetrics` is written anew when metrics fail.",
            numbers: None,
        },
        Difference {
            since: Since::Minor(32),
            text: "messages with a `%` are written as they are, also in late patches of 1.29, 1.30 and 1.31; before, it was \
                   garbled.",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.memory_in_binary),
            text: "averages of memory are written in binary units.",
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.observed_generation),
            text: "`observedGeneration` is written (gate `HPAGeneration`).",
            numbers: None,
        },
    ],
    beliefs: &[
        (
            "desiredReplicas is what the metrics ask for.",
            "It is what is left of that after window and limits.",
        ),
        (
            "An old lastTransitionTime means that nothing has happened since.",
            "Reason and message may have changed many times; only the status has not.",
        ),
        (
            "currentReplicas and desiredReplicas disagree, so something hangs.",
            "Right after a rescale they do: the first is from before the write.",
        ),
    ],
    shown: Shown::Elsewhere(
        "The line `agrees` compares the status that the controller wrote with what was recomputed, number by number and \
         condition by condition; `differs` shows both.",
    ),
    rules: &[("HPA801", "not-able-to-scale"), ("HPA707", "flags-assumed")],
};
