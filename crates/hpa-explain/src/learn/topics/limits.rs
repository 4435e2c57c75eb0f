//! How far one step may go.

use crate::{
    learn::{
        case::{Case, case, rules},
        example::{condition, limits, replicas, table},
        picture,
        topic::{Chapter, Shown, Topic, input},
    },
    model::PolicyType,
    trace::{LimitPath, Trace, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[LIMIT_WITHOUT_BEHAVIOR, LIMIT_WITH_BEHAVIOR];

const LIMIT_WITHOUT_BEHAVIOR: Topic = Topic {
    id: "limit-without-behavior",
    title: "Limits of a step without behavior",
    answers: "How many replicas may one pass lead to, if the HPA has no behavior?",
    chapter: Chapter::Limit,
    functions: &[
        Upstream::horizontal("convertDesiredReplicasWithRules"),
        Upstream::horizontal("calculateScaleUpLimit"),
        Upstream::horizontal("normalizeDesiredReplicas"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "stabilized",
            "replicas",
            "[stabilize-recommendation](stabilize-recommendation.md)",
        ),
        input("current", "replicas", "[read-scale](read-scale.md)"),
        input(
            "minReplicas, maxReplicas",
            "replicas",
            "the spec of the HPA",
        ),
    ],
    formula: "\
scaleUpLimit = max(2 × current, 4)
stabilized < minReplicas    minReplicas     TooFewReplicas
stabilized > scaleUpLimit   scaleUpLimit    ScaleUpLimit
stabilized > maxReplicas    maxReplicas     TooManyReplicas
otherwise                   stabilized      DesiredWithinRange",
    remarks: &[
        "Of scaleUpLimit and maxReplicas the smaller one counts.",
        "The last column is the reason of the condition ScalingLimited, which is True wherever the number was changed.",
        "The limit is one for each pass: 15 seconds later the next doubling may follow.",
        "Down there is no limit but the minimum: after the window all goes at once.",
    ],
    picture: || {
        let mut case = case(1).max(100).asking(100);
        let rows: Vec<(String, i64, String)> = (0..8)
            .map(|pass| {
                let trace = case.pass(15);
                let replicas = replicas(&trace);
                let reason = limits(&trace).map_or("", |limit| limit.reason.as_str());
                (
                    format!("{} s", pass * 15),
                    replicas.into(),
                    format!("{replicas}  {reason}"),
                )
            })
            .collect();
        let mut out = picture::bars(&rows);
        out.push_str("\nfrom 1 replica, the metric asks for 100, maxReplicas 100\n");
        out
    },
    worked: || {
        rows_of(
            &[
                (3, 50, 20),
                (1, 50, 20),
                (8, 50, 20),
                (12, 50, 20),
                (8, 3, 20),
                (8, 0, 20),
            ],
            &|case| case,
        )
    },
    differences: &[],
    beliefs: &[
        (
            "Without behavior an HPA may go to its maximum at once.",
            "It at most doubles in a pass, or goes to 4.",
        ),
        (
            "ScalingLimited True is an error.",
            "It says that min, max or the limit of a step changed the number; `TooFewReplicas` is the normal state of an idle \
             workload.",
        ),
    ],
    shown: Shown::Own(|| case(3).asking(50)),
    rules: &[
        ("HPA325", "no-behavior"),
        ("HPA109", "headroom-low"),
        ("HPA708", "maxed-alert-mismatch"),
    ],
};

const LIMIT_WITH_BEHAVIOR: Topic = Topic {
    id: "limit-with-behavior",
    title: "Limits of a step with behavior",
    answers: "How many replicas may one pass lead to, if the HPA has a behavior?",
    chapter: Chapter::Limit,
    functions: &[
        Upstream::horizontal("convertDesiredReplicasWithBehaviorRate"),
        Upstream::horizontal("normalizeDesiredReplicasWithBehaviors"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "stabilized",
            "replicas",
            "[stabilize-with-behavior](stabilize-with-behavior.md)",
        ),
        input("current", "replicas", "[read-scale](read-scale.md)"),
        input(
            "minReplicas, maxReplicas",
            "replicas",
            "the spec of the HPA",
        ),
        input(
            "policies, selectPolicy",
            "of scaleUp and scaleDown",
            "the spec of the HPA",
        ),
    ],
    formula: "\
stabilized > current:  at most min(scale-up-limit, maxReplicas)
stabilized < current:  at least max(scale-down-limit, minReplicas)
stabilized = current:  stays, no limit is asked",
    remarks: &[
        "Only the direction of the movement is limited.",
        "Policies that the spec leaves out are filled in by the API server: up `Percent 100` and `Pods 4` in 15 s, of which \
         the larger counts; down `Percent 100` in 15 s.",
        "The limits count from the replicas at the start of each policy's period ([replicas-in-period](replicas-in-period.md)).",
    ],
    picture: || {
        let mut without = case(1).max(100).asking(100);
        let mut with = without.clone().behavior();
        let mut rows = vec![
            vec!["second".to_owned()],
            vec!["without behavior".to_owned()],
            vec!["behavior: {}".to_owned()],
        ];
        for pass in 0..8 {
            rows[0].push((pass * 15).to_string());
            rows[1].push(replicas(&without.pass(15)).to_string());
            rows[2].push(replicas(&with.pass(15)).to_string());
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nfrom 1 replica, the metric asks for 100, maxReplicas 100\n");
        out
    },
    worked: || {
        rows_of(
            &[
                (10, 50, 100),
                (1, 50, 100),
                (100, 50, 120),
                (10, 2, 100),
                (10, 10, 100),
            ],
            &|case| {
                case.up(rules(&[(PolicyType::Percent, 50, 60)]))
                    .down(rules(&[(PolicyType::Pods, 2, 60)]))
            },
        )
    },
    differences: &[],
    beliefs: &[
        (
            "behavior: {} is the same as no behavior.",
            "It is not: 1 → 5 → 10 instead of 1 → 4 → 8, scale events are remembered, and windows are compared otherwise.",
        ),
        (
            "selectPolicy: Disabled for scaleDown keeps the replicas whatever happens.",
            "Above maxReplicas they are cut nevertheless ([bounds](bounds.md)).",
        ),
    ],
    shown: Shown::Own(|| {
        case(10).max(100).asking(50).up(rules(&[
            (PolicyType::Percent, 50, 60),
            (PolicyType::Pods, 3, 60),
        ]))
    }),
    rules: &[
        ("HPA306", "scaleup-disabled"),
        ("HPA307", "scaledown-disabled"),
        ("HPA308", "both-disabled"),
        ("HPA318", "one-sided-behavior"),
    ],
};

/// Current replicas, what is asked for and maxReplicas, with what the limits make of them.
fn rows_of(numbers: &[(i32, i32, i32)], with: &dyn Fn(Case) -> Case) -> String {
    let rows = numbers.iter().map(|&(current, asked, max)| {
        let trace = with(case(current).max(max).asking(asked)).decide();
        [
            current.to_string(),
            asked.to_string(),
            max.to_string(),
            limit(&trace),
            replicas(&trace).to_string(),
            condition(&trace, "ScalingLimited"),
        ]
    });
    table(
        [
            "current",
            "asked for",
            "maxReplicas",
            "limit of the step",
            "replicas afterwards",
            "ScalingLimited",
        ],
        rows,
    )
}

fn limit(trace: &Trace) -> String {
    match limits(trace).map(|limit| &limit.path) {
        Some(LimitPath::NoBehavior { scale_up_limit }) => scale_up_limit.to_string(),
        Some(LimitPath::Behavior {
            limit: Some(limit), ..
        }) => limit.to_string(),
        Some(LimitPath::Behavior { limit: None, .. }) | None => "not asked".to_owned(),
    }
}
