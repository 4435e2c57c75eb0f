//! How far one sync can scale.

use hpa_engine::trace::{LimitPath, Trace};
use hpa_testing::{World, down, up};

use crate::algorithm::{
    case::case,
    computed::{Computed, Displayed},
    example::{condition, limits, replicas, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[LIMIT_WITHOUT_BEHAVIOR, LIMIT_WITH_BEHAVIOR];

const LIMIT_WITHOUT_BEHAVIOR: Computed = Computed {
    id: "limit-without-behavior",
    picture: || {
        let mut case = case(1).max(100).proposing(100);
        let rows: Vec<(String, i64, String)> = (0..8)
            .map(|pass| {
                let trace = case.sync_and_wait(15);
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
    displayed: Displayed::Own(|| case(3).proposing(50)),
};

const LIMIT_WITH_BEHAVIOR: Computed = Computed {
    id: "limit-with-behavior",
    picture: || {
        let mut without = case(1).max(100).proposing(100);
        let mut with = without.clone().behavior(down());
        let mut rows = vec![
            vec!["second".to_owned()],
            vec!["without behavior".to_owned()],
            vec!["behavior: {}".to_owned()],
        ];
        for pass in 0..8 {
            rows[0].push((pass * 15).to_string());
            rows[1].push(replicas(&without.sync_and_wait(15)).to_string());
            rows[2].push(replicas(&with.sync_and_wait(15)).to_string());
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nfrom 1 replica, the metric asks for 100, maxReplicas 100\n");
        out
    },
    worked: || {
        let rows = rows_of(
            &[
                (10, 50, 100),
                (1, 50, 100),
                (100, 50, 120),
                (10, 2, 100),
                (10, 10, 100),
            ],
            &|case| {
                case.behavior(up().percent(50, 60))
                    .behavior(down().pods(2, 60))
            },
        );
        format!("scaleUp: Percent 50 in 60 s; scaleDown: Pods 2 in 60 s:\n\n{rows}")
    },
    differences: &[],
    displayed: Displayed::Own(|| {
        case(10)
            .max(100)
            .proposing(50)
            .behavior(up().percent(50, 60).pods(3, 60))
    }),
};

/// Current replicas, recommendation and maxReplicas, with what the rate limit makes of them.
fn rows_of(numbers: &[(i32, i32, i32)], with: &dyn Fn(World) -> World) -> String {
    let rows = numbers.iter().map(|&(current, proposal, max)| {
        let trace = with(case(current).max(max).proposing(proposal)).decide();
        [
            current.to_string(),
            proposal.to_string(),
            max.to_string(),
            limit(&trace),
            replicas(&trace).to_string(),
            condition(&trace, "ScalingLimited"),
        ]
    });
    table(
        [
            "current",
            "asks for",
            "maxReplicas",
            "rate limit",
            "new replicas",
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
        Some(LimitPath::Behavior { limit: None, .. }) | None => "not applied".to_owned(),
    }
}
