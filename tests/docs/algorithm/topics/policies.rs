//! What scaling policies allow.

use PolicyType::{Percent, Pods};
use hpa_engine::{
    model::{PolicyType, ScalingRules, SelectPolicy},
    trace::{LimitPath, PolicyBound, Trace},
};

use crate::algorithm::{
    case::{Case, case, rules, selecting},
    computed::{Computed, Difference, Displayed, Since},
    example::{limits, replicas, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[REPLICAS_IN_PERIOD, SCALE_UP_LIMIT, SCALE_DOWN_LIMIT];

const REPLICAS_IN_PERIOD: Computed = Computed {
    id: "replicas-in-period",
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
            ("empty", &[]),
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
            "12 replicas, the metric asks for 50, policy `Pods 4` in 60 s:\n\n{}",
            table(
                [
                    "scaling history",
                    "at the start of the period",
                    "the policy allows",
                    "new replicas"
                ],
                rows
            )
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.both_direction_events),
        numbers: Some(|minor| {
            let trace = timeline().under(minor).decide();
            let start = policies(&trace)
                .first()
                .map_or(0, |bound| bound.period_start_replicas);
            format!("the period in the picture starts with {start} replicas")
        }),
    }],
    displayed: Displayed::Of("limit-with-behavior", timeline),
};

const SCALE_UP_LIMIT: Computed = Computed {
    id: "scale-up-limit",
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
        numbers: Some(|minor| {
            let trace = up(rules(&[(Pods, 4, 60)]))
                .changed(&[(4, 45), (-2, 30)])
                .under(minor)
                .decide();
            format!(
                "after +4 and −2 in the period, the limit for 12 replicas is {}",
                replicas(&trace)
            )
        }),
    }],
    displayed: Displayed::Of("limit-with-behavior", || {
        up(rules(&[(Percent, 50, 60), (Pods, 4, 60)]))
    }),
};

const SCALE_DOWN_LIMIT: Computed = Computed {
    id: "scale-down-limit",
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
        numbers: Some(|minor| {
            let trace = down(rules(&[(Percent, 50, 60)]))
                .changed(&[(4, 45)])
                .under(minor)
                .decide();
            format!(
                "after +4 in the period, the limit for 10 replicas is {}",
                replicas(&trace)
            )
        }),
    }],
    displayed: Displayed::Of("limit-with-behavior", || {
        down(rules(&[(Percent, 50, 60), (Pods, 4, 60)]))
    }),
};

/// The changes in the picture: size, and age in seconds.
const CHANGES: [(i32, i64); 4] = [(3, 90), (4, 45), (-2, 30), (2, 10)];

fn timeline() -> Case {
    up(rules(&[(Pods, 4, 60)])).changed(&CHANGES)
}

/// 12 replicas; the metric asks for 50.
fn up(rules: ScalingRules) -> Case {
    case(12).max(100).proposing(50).up(rules)
}

/// 10 replicas; the metric asks for 1.
fn down(rules: ScalingRules) -> Case {
    case(10).proposing(1).down(rules)
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
        "result".to_owned(),
        replicas(trace).into(),
        replicas(trace).to_string(),
    ));
    picture::bars(&rows)
}

/// Rows for a percentage, a number and both, and for each of `more`.
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
            ["policies", "each allows", "rate limit", "new replicas"],
            rows
        )
    )
}
