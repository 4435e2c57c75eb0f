//! What scaling policies allow.

use crate::{
    learn::{
        case::{Case, case, rules, selecting},
        example::{limits, replicas, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    model::{PolicyType, ScalingRules, SelectPolicy},
    trace::{LimitPath, PolicyBound, Trace, Upstream},
};

use PolicyType::{Percent, Pods};

pub(super) static TOPICS: &[Topic] = &[REPLICAS_IN_PERIOD, SCALE_UP_LIMIT, SCALE_DOWN_LIMIT];

const REPLICAS_IN_PERIOD: Topic = Topic {
    id: "replicas-in-period",
    title: "Replicas at the start of a policy's period",
    answers: "How many replicas were there when the period of this policy began?",
    chapter: Chapter::Limit,
    functions: &[Upstream::horizontal("getReplicasChangePerPeriod")],
    part_of: &[],
    inputs: &[
        input(
            "scale events",
            "replicas added or removed, with their times",
            "the memory ([scale-events](scale-events.md))",
        ),
        input("periodSeconds", "seconds", "the policy in the spec"),
        input("current", "replicas", "[read-scale](read-scale.md)"),
    ],
    formula: "\
added   = sum of scale-ups younger than periodSeconds
removed = sum of scale-downs younger than periodSeconds
replicas at the start = current − added + removed",
    remarks: &[
        "Only changes by the controller itself are known; `kubectl scale` and a restart of the controller leave no event.",
        "An event that is exactly as old as the period no longer counts.",
        "Pods that died and came back are no change of replicas.",
    ],
    picture: || {
        let case = timeline();
        let trace = case.decide();
        let mut rows = vec![
            vec!["seconds ago".to_owned()],
            vec!["changed by".to_owned()],
            vec!["in the last 60 s".to_owned()],
        ];
        for (change, age) in CHANGES {
            rows[0].push(age.to_string());
            rows[1].push(format!("{change:+}"));
            rows[2].push(if age < 60 { "yes" } else { "no" }.to_owned());
        }
        let mut out = picture::grid(&rows);
        if let Some(bound) = policies(&trace).first() {
            out.push_str(&format!(
                "\n12 now − {} added + {} removed = {} at the start of the period\n",
                bound.added, bound.removed, bound.period_start_replicas
            ));
        }
        out
    },
    worked: || {
        let histories: [(&str, &[(i32, i64)]); 5] = [
            ("nothing", &[]),
            ("+4 45 s ago", &[(4, 45)]),
            ("+4 60 s ago", &[(4, 60)]),
            ("+4 45 s ago, −2 30 s ago", &[(4, 45), (-2, 30)]),
            ("−6 30 s ago", &[(-6, 30)]),
        ];
        let rows = histories.map(|(what, changes)| {
            let trace = up(rules(&[(Pods, 4, 60)])).changed(changes).decide();
            let bound = policies(&trace).first().copied();
            [
                what.to_owned(),
                bound.map_or_else(String::new, |bound| bound.period_start_replicas.to_string()),
                bound.map_or_else(String::new, |bound| bound.bound.to_string()),
                replicas(&trace).to_string(),
            ]
        });
        format!(
            "12 replicas, the metric asks for 50, `Pods 4` in 60 s; remembered:\n\n{}",
            table(
                [
                    "changes",
                    "at the start",
                    "the policy allows",
                    "replicas afterwards"
                ],
                rows
            )
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.both_direction_events),
        text: "both kinds of changes count for both directions; before, scale-ups alone counted for scaling up and \
               scale-downs alone for scaling down.",
        numbers: Some(|minor| {
            let trace = timeline().under(minor).decide();
            let start = policies(&trace)
                .first()
                .map_or(0, |bound| bound.period_start_replicas);
            format!("the replicas at the start of the picture are {start}")
        }),
    }],
    beliefs: &[(
        "periodSeconds is how often the policy applies.",
        "It is how far the policy looks back; it applies in every pass.",
    )],
    shown: Shown::Of("limit-with-behavior", timeline),
    rules: &[
        ("HPA316", "period-below-sync"),
        ("HPA317", "period-quantized"),
        ("HPA326", "policy-longer-than-window"),
    ],
};

const SCALE_UP_LIMIT: Topic = Topic {
    id: "scale-up-limit",
    title: "How far up the policies allow to go",
    answers: "To which number may one pass scale up, as the policies of scaleUp have it?",
    chapter: Chapter::Limit,
    functions: &[Upstream::horizontal(
        "calculateScaleUpLimitWithScalingRules",
    )],
    part_of: &[],
    inputs: &[
        input(
            "replicas at the start of each period",
            "replicas",
            "[replicas-in-period](replicas-in-period.md)",
        ),
        input(
            "policies",
            "Pods or Percent, value, periodSeconds",
            "scaleUp in the spec",
        ),
        input(
            "selectPolicy",
            "Max, Min or Disabled; default Max",
            "scaleUp in the spec",
        ),
    ],
    formula: "\
Pods      start + value
Percent   ceil(start × (1 + value ÷ 100))
Max       the largest of them
Min       the smallest of them
Disabled  the current replicas
limit     never less than the current replicas",
    remarks: &[
        "It is computed in doubles: 10 % on top of 100 is 110.00000000000001, rounded up to 111.",
        "From 0 replicas a percentage allows 0: with percent policies alone an HPA never leaves 0.",
        "If policies have used up what they allow, the limit is the current number, and the pass waits.",
    ],
    picture: || {
        let trace = up(rules(&[
            (Percent, 50, 60),
            (Pods, 4, 60),
            (Percent, 100, 300),
        ]))
        .decide();
        policy_bars(&trace)
    },
    worked: || limit_rows(Vec::new(), &up, "12 replicas, the metric asks for 50:"),
    differences: &[Difference {
        since: Since::Switch(|switches| switches.both_direction_events),
        text: "scale-downs within the period raise the start, too ([replicas-in-period](replicas-in-period.md)).",
        numbers: Some(|minor| {
            let trace = up(rules(&[(Pods, 4, 60)]))
                .changed(&[(4, 45), (-2, 30)])
                .under(minor)
                .decide();
            format!("12 replicas after +4 and −2 may go to {}", replicas(&trace))
        }),
    }],
    beliefs: &[
        (
            "Several policies are all obeyed.",
            "One of them is taken: by default the one that allows most.",
        ),
        (
            "selectPolicy: Min is the policy for scaling down.",
            "It takes the policy that changes least, for either direction.",
        ),
    ],
    shown: Shown::Of("limit-with-behavior", || {
        up(rules(&[(Percent, 50, 60), (Pods, 4, 60)]))
    }),
    rules: &[
        ("HPA306", "scaleup-disabled"),
        ("HPA309", "policies-under-disabled"),
        ("HPA310", "dominated-policy"),
        ("HPA312", "selectpolicy-single"),
        ("HPA313", "selectpolicy-min-surprise"),
        ("HPA314", "scaleup-too-slow"),
        ("HPA320", "percent-float-edge"),
    ],
};

const SCALE_DOWN_LIMIT: Topic = Topic {
    id: "scale-down-limit",
    title: "How far down the policies allow to go",
    answers: "To which number may one pass scale down, as the policies of scaleDown have it?",
    chapter: Chapter::Limit,
    functions: &[Upstream::horizontal("calculateScaleDownLimitWithBehaviors")],
    part_of: &[],
    inputs: &[
        input(
            "replicas at the start of each period",
            "replicas",
            "[replicas-in-period](replicas-in-period.md)",
        ),
        input(
            "policies",
            "Pods or Percent, value, periodSeconds",
            "scaleDown in the spec",
        ),
        input(
            "selectPolicy",
            "Max, Min or Disabled; default Max",
            "scaleDown in the spec",
        ),
    ],
    formula: "\
Pods      start − value
Percent   start × (1 − value ÷ 100), cut to a whole number
Max       the smallest of them
Min       the largest of them
Disabled  the current replicas
limit     never more than the current replicas",
    remarks: &[
        "Max means the largest *change*, so the smallest number.",
        "What remains is cut, not rounded: 80 % down from 10 leaves 1.9999999999999996, which is 1.",
        "The minimum holds besides ([limit-with-behavior](limit-with-behavior.md)).",
    ],
    picture: || {
        let trace = down(rules(&[
            (Percent, 50, 60),
            (Pods, 4, 60),
            (Percent, 10, 60),
        ]))
        .decide();
        policy_bars(&trace)
    },
    worked: || {
        limit_rows(
            vec![("Percent 80 in 60 s", rules(&[(Percent, 80, 60)]))],
            &down,
            "10 replicas, the metric asks for 1:",
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.both_direction_events),
        text: "scale-ups within the period lower the start, too ([replicas-in-period](replicas-in-period.md)).",
        numbers: Some(|minor| {
            let trace = down(rules(&[(Percent, 50, 60)]))
                .changed(&[(4, 45)])
                .under(minor)
                .decide();
            format!("10 replicas after +4 may go to {}", replicas(&trace))
        }),
    }],
    beliefs: &[
        (
            "Percent 10 removes 10 % of the current replicas in each pass.",
            "10 % of those at the start of the period, in the whole period.",
        ),
        (
            "A policy makes scaling down safe.",
            "It limits the speed only; the window decides whether to go down at all.",
        ),
    ],
    shown: Shown::Of("limit-with-behavior", || {
        down(rules(&[(Percent, 50, 60), (Pods, 4, 60)]))
    }),
    rules: &[
        ("HPA301", "scaledown-instant"),
        ("HPA307", "scaledown-disabled"),
        ("HPA311", "policy-without-effect"),
        ("HPA315", "scaledown-too-slow"),
        ("HPA319", "percent-over-100-down"),
        ("HPA320", "percent-float-edge"),
    ],
};

/// The changes of the picture: by how much, and how many seconds ago.
const CHANGES: [(i32, i64); 4] = [(3, 90), (4, 45), (-2, 30), (2, 10)];

fn timeline() -> Case {
    up(rules(&[(Pods, 4, 60)])).changed(&CHANGES)
}

/// 12 replicas that are to become 50.
fn up(rules: ScalingRules) -> Case {
    case(12).max(100).asking(50).up(rules)
}

/// 10 replicas that are to become 1.
fn down(rules: ScalingRules) -> Case {
    case(10).asking(1).down(rules)
}

fn policies(trace: &Trace) -> &[PolicyBound] {
    match limits(trace).map(|limit| &limit.path) {
        Some(LimitPath::Behavior { policies, .. }) => policies,
        _ => &[],
    }
}

fn policy_bars(trace: &Trace) -> String {
    let current = limits(trace).map_or(0, |limit| limit.current);
    let mut rows = vec![("now".to_owned(), i64::from(current), current.to_string())];
    for bound in policies(trace) {
        rows.push((
            format!(
                "{} {} in {} s",
                bound.policy_type.as_str(),
                bound.value,
                bound.period_seconds
            ),
            bound.bound.into(),
            bound.bound.to_string(),
        ));
    }
    rows.push((
        "taken".to_owned(),
        replicas(trace).into(),
        replicas(trace).to_string(),
    ));
    picture::bars(&rows)
}

/// What a percentage, a number and both allow, and then each of `more`.
fn limit_rows(
    more: Vec<(&str, ScalingRules)>,
    with: &dyn Fn(ScalingRules) -> Case,
    what: &str,
) -> String {
    let (percent, pods) = ((Percent, 50, 60), (Pods, 4, 60));
    let both = [percent, pods];
    let variants = [
        ("Percent 50 in 60 s", rules(&[percent])),
        ("Pods 4 in 60 s", rules(&[pods])),
        ("both, Max", rules(&both)),
        ("both, Min", selecting(SelectPolicy::Min, &both)),
        ("both, Disabled", selecting(SelectPolicy::Disabled, &both)),
    ];
    let rows = variants.into_iter().chain(more).map(|(name, rules)| {
        let trace = with(rules).decide();
        let limit = match limits(&trace).map(|limit| &limit.path) {
            Some(LimitPath::Behavior { limit, .. }) => *limit,
            _ => None,
        };
        let bounds: Vec<String> = policies(&trace)
            .iter()
            .map(|bound| bound.bound.to_string())
            .collect();
        [
            name.to_owned(),
            bounds.join(", "),
            limit.map_or_else(String::new, |limit| limit.to_string()),
            replicas(&trace).to_string(),
        ]
    });
    format!(
        "{what}\n\n{}",
        table(
            ["policies", "each allows", "limit", "replicas afterwards"],
            rows
        )
    )
}
