//! What scaling policies allow.

use hpa_engine::{
    model::SelectPolicy,
    trace::{LimitPath, PolicyBound, Trace},
};
use hpa_testing::{Rules, World, down, duration, up};

use crate::algorithm::{
    case::case,
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
            let age = duration(age).as_secs();
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
        let histories: [(&str, &[(i32, &str)]); 5] = [
            ("empty", &[]),
            ("+4 45 s ago", &[(4, "45s")]),
            ("+4 60 s ago", &[(4, "60s")]),
            ("+4 45 s ago, −2 30 s ago", &[(4, "45s"), (-2, "30s")]),
            ("−6 30 s ago", &[(-6, "30s")]),
        ];
        let rows = histories.map(|(what, changes)| {
            let trace = rising(up().pods(4, 60)).changed(changes).decide();
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
            let trace = timeline().kube(minor).decide();
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
        let trace = rising(up().percent(50, 60).pods(4, 60).percent(100, 300)).decide();
        policy_bars(&trace)
    },
    worked: || limit_rows(up, None, rising, "12 replicas, the metric asks for 50:"),
    differences: &[Difference {
        since: Since::Switch(|switches| switches.both_direction_events),
        numbers: Some(|minor| {
            let trace = rising(up().pods(4, 60))
                .changed(&[(4, "45s"), (-2, "30s")])
                .kube(minor)
                .decide();
            format!(
                "after +4 and −2 in the period, the limit for 12 replicas is {}",
                replicas(&trace)
            )
        }),
    }],
    displayed: Displayed::Of("limit-with-behavior", || {
        rising(up().percent(50, 60).pods(4, 60))
    }),
};

const SCALE_DOWN_LIMIT: Computed = Computed {
    id: "scale-down-limit",
    picture: || {
        let trace = falling(down().percent(50, 60).pods(4, 60).percent(10, 60)).decide();
        policy_bars(&trace)
    },
    worked: || {
        limit_rows(
            down,
            Some(("Percent 80 in 60 s", down().percent(80, 60))),
            falling,
            "10 replicas, the metric asks for 1:",
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.both_direction_events),
        numbers: Some(|minor| {
            let trace = falling(down().percent(50, 60))
                .changed(&[(4, "45s")])
                .kube(minor)
                .decide();
            format!(
                "after +4 in the period, the limit for 10 replicas is {}",
                replicas(&trace)
            )
        }),
    }],
    displayed: Displayed::Of("limit-with-behavior", || {
        falling(down().percent(50, 60).pods(4, 60))
    }),
};

/// The changes in the picture: size and age.
const CHANGES: [(i32, &str); 4] = [(3, "90s"), (4, "45s"), (-2, "30s"), (2, "10s")];

fn timeline() -> World {
    rising(up().pods(4, 60)).changed(&CHANGES)
}

/// 12 replicas; the metric asks for 50.
fn rising(rules: Rules) -> World {
    case(12).max(100).proposing(50).behavior(rules)
}

/// 10 replicas; the metric asks for 1.
fn falling(rules: Rules) -> World {
    case(10).proposing(1).behavior(rules)
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

/// Rows for a percentage, a number and both, and for `more`.
fn limit_rows(
    direction: fn() -> Rules,
    more: Option<(&str, Rules)>,
    with: fn(Rules) -> World,
    what: &str,
) -> String {
    let both = || direction().percent(50, 60).pods(4, 60);
    let variants = [
        ("Percent 50 in 60 s", direction().percent(50, 60)),
        ("Pods 4 in 60 s", direction().pods(4, 60)),
        ("both, Max", both()),
        ("both, Min", both().select(SelectPolicy::Min)),
        ("both, Disabled", both().select(SelectPolicy::Disabled)),
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
