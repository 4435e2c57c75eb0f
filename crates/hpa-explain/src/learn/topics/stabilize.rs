//! What the past allows.

use crate::{
    learn::{
        case::{Case, case, window},
        example::{condition, replicas, stabilized, table},
        picture,
        topic::{Chapter, Shown, Topic, input},
    },
    trace::Upstream,
};

pub(super) static TOPICS: &[Topic] = &[STABILIZE_RECOMMENDATION, STABILIZE_WITH_BEHAVIOR];

const STABILIZE_RECOMMENDATION: Topic = Topic {
    id: "stabilize-recommendation",
    title: "The stabilization window without behavior",
    answers: "What is the highest number that the metrics asked for within the last 5 minutes?",
    chapter: Chapter::Stabilize,
    functions: &[Upstream::horizontal("stabilizeRecommendation")],
    part_of: &[],
    inputs: &[
        input(
            "recommendation",
            "replicas",
            "the winning metric, now ([choose-proposal](choose-proposal.md))",
        ),
        input(
            "remembered recommendations",
            "replicas with the time of their pass",
            "the memory of kube-controller-manager",
        ),
        input(
            "--horizontal-pod-autoscaler-downscale-stabilization",
            "duration, default 5 m",
            "a flag of kube-controller-manager",
        ),
    ],
    formula: "\
stabilized = max(recommendation,
                 every remembered one that is not older than the window)",
    remarks: &[
        "What is remembered is the number that the metrics asked for, before any limit: 500 with a maximum of 10 is \
         remembered as 500, and holds the maximum for the whole window.",
        "The memory is that of the process: after a restart or a change of leader it begins anew with the current \
         replicas ([first-recommendation](first-recommendation.md)).",
        "A recommendation is remembered in every pass that asks the metrics, also while nothing changes; not in a pass \
         that fails, and not where the bounds decide.",
        "The condition AbleToScale says `ScaleDownStabilized` where the result is higher than what is asked for, and \
         `ReadyForNewScale` where it is not.",
    ],
    picture: || {
        let mut case = spike();
        let mut points = Vec::new();
        let mut columns = Vec::new();
        for minute in 0..=8 {
            case.set_asking(if minute == 1 { 9 } else { 3 });
            let trace = case.pass(60);
            let asked = stabilized(&trace).map_or(0, |step| step.recommendation);
            points.push((asked, replicas(&trace)));
            columns.push(format!("{minute} m"));
        }
        let mut out = picture::chart(&points, &columns);
        out.push_str("\n○ what the metric asks for   ● the replicas (over ○ where both are one)\n");
        out
    },
    worked: || {
        let remembered: [(&str, &[(i32, i64)]); 5] = [
            ("nothing", &[]),
            ("5 asked 60 s ago", &[(5, 60)]),
            ("9 asked 299 s ago", &[(9, 299)]),
            ("9 asked 300 s ago", &[(9, 300)]),
            ("9 asked 301 s ago", &[(9, 301)]),
        ];
        let rows = remembered.map(|(what, memory)| {
            let trace = case(9).asking(3).remembers(memory).decide();
            let step = stabilized(&trace);
            [
                what.to_owned(),
                step.map_or_else(String::new, |step| step.stabilized.to_string()),
                step.map_or_else(String::new, |step| step.reason.as_str().to_owned()),
                replicas(&trace).to_string(),
            ]
        });
        let raised = case(4).max(10).asking(4).remembers(&[(9, 60)]).decide();
        format!(
            "9 replicas, the metric asks for 3:\n\n{}\n\
             The window holds a number up, and it can raise one, too: 4 replicas, the metric asks for 4, and 9 was asked \
             for a minute ago. The result is {}, condition ScalingLimited {}.\n",
            table(
                [
                    "remembered",
                    "stabilized",
                    "AbleToScale",
                    "replicas afterwards"
                ],
                rows
            ),
            replicas(&raised),
            condition(&raised, "ScalingLimited"),
        )
    },
    differences: &[],
    beliefs: &[
        (
            "The window waits 5 minutes after the last scaling.",
            "It looks at what the metrics asked for, not at what was done: a single pass that asked for more starts it anew.",
        ),
        (
            "Scaling up is stabilized as well.",
            "Without `behavior` only scaling down is; one high sample is enough to go up.",
        ),
        (
            "The window averages.",
            "It takes the highest number within it, and at the end of the window the replicas fall to what is asked for in \
             one step.",
        ),
    ],
    shown: Shown::Own(|| case(9).asking(3).remembers(&[(9, 200), (5, 100)])),
    rules: &[
        ("HPA325", "no-behavior"),
        ("HPA301", "scaledown-instant"),
        ("HPA303", "scaledown-window-long"),
        ("HPA707", "flags-assumed"),
    ],
};

/// An HPA at 3 replicas whose metric asks for 3.
fn spike() -> Case {
    case(3).max(10).asking(3)
}

const STABILIZE_WITH_BEHAVIOR: Topic = Topic {
    id: "stabilize-with-behavior",
    title: "The stabilization windows with behavior",
    answers: "Between which numbers did the metrics ask within each window, and do the current replicas lie there?",
    chapter: Chapter::Stabilize,
    functions: &[
        Upstream::horizontal("stabilizeRecommendationWithBehaviors"),
        Upstream::horizontal("maybeInitScaleDownStabilizationWindow"),
    ],
    part_of: &[],
    inputs: &[
        input("recommendation", "replicas", "the winning metric, now"),
        input(
            "remembered recommendations",
            "replicas with their times",
            "the memory of kube-controller-manager",
        ),
        input(
            "scaleUp.stabilizationWindowSeconds",
            "seconds, default 0",
            "the spec of the HPA",
        ),
        input(
            "scaleDown.stabilizationWindowSeconds",
            "seconds, default the flag",
            "the spec of the HPA",
        ),
        input(
            "--horizontal-pod-autoscaler-downscale-stabilization",
            "duration, default 5 m",
            "a flag of kube-controller-manager",
        ),
    ],
    formula: "\
lowest     = min(recommendation, remembered ones within the up window)
highest    = max(recommendation, remembered ones within the down window)
stabilized = current, raised to lowest, then cut to highest",
    remarks: &[
        "The replicas move as little as the windows demand: as long as they lie between lowest and highest they stay.",
        "One that is exactly as old as the window no longer counts here; without `behavior` it does.",
        "A window of 0 looks at nothing but the recommendation of now.",
        "Any `behavior`, also an empty one, switches from the rules without behavior to these.",
    ],
    picture: || {
        let mut case = case(5).max(12).asking(5).up(window(120)).down(window(300));
        let asked = [5, 9, 9, 9, 9, 3, 3, 3, 3, 3, 3, 3];
        let mut points = Vec::new();
        let mut columns = Vec::new();
        for (minute, asked) in asked.into_iter().enumerate() {
            case.set_asking(asked);
            let trace = case.pass(60);
            let asked = stabilized(&trace).map_or(0, |step| step.recommendation);
            points.push((asked, replicas(&trace)));
            columns.push(format!("{minute} m"));
        }
        let mut out = picture::chart(&points, &columns);
        out.push_str("\nup window 120 s, down window 300 s   ○ asked for   ● the replicas\n");
        out
    },
    worked: || {
        let cases: [(&str, Case); 5] = [
            (
                "8 now; 3 two minutes ago",
                case(5).asking(8).remembers(&[(3, 120)]),
            ),
            (
                "8 now; 7 two minutes ago",
                case(5).asking(8).remembers(&[(7, 120)]),
            ),
            (
                "3 now; 6 two minutes ago",
                case(5).asking(3).remembers(&[(6, 120)]),
            ),
            (
                "3 now; 4 two minutes ago",
                case(5).asking(3).remembers(&[(4, 120)]),
            ),
            ("3 now; nothing", case(5).asking(3)),
        ];
        let rows = cases.map(|(what, case)| {
            let trace = case.up(window(300)).down(window(300)).decide();
            let step = stabilized(&trace);
            [
                what.to_owned(),
                step.map_or_else(String::new, |step| step.stabilized.to_string()),
                step.map_or_else(String::new, |step| step.reason.as_str().to_owned()),
            ]
        });
        format!(
            "5 replicas, both windows 300 s; the metrics ask for:\n\n{}",
            table(["recommendations", "stabilized", "AbleToScale"], rows)
        )
    },
    differences: &[],
    beliefs: &[
        (
            "stabilizationWindowSeconds: 300 for scaling up waits 5 minutes.",
            "It takes the lowest number asked for within 5 minutes: one dip starts the wait anew.",
        ),
        (
            "An empty behavior changes nothing.",
            "It brings the API's default policies, keeps scale events and compares with both windows.",
        ),
    ],
    shown: Shown::Own(|| {
        case(5)
            .asking(8)
            .remembers(&[(3, 120), (9, 60)])
            .up(window(300))
            .down(window(300))
    }),
    rules: &[
        ("HPA301", "scaledown-instant"),
        ("HPA302", "scaledown-window-short"),
        ("HPA303", "scaledown-window-long"),
        ("HPA304", "scaleup-window-long"),
        ("HPA305", "up-window-exceeds-down"),
        ("HPA318", "one-sided-behavior"),
    ],
};
