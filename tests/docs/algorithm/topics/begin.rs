//! When a sync happens, and what it starts with.

use hpa_engine::model::{ControllerConfig, Input};
use hpa_testing::{average, up, version};
use hpa_words::clock::duration;

use crate::algorithm::{
    case::case,
    computed::{Computed, Difference, Displayed, Since},
    example::{condition, outcomes, replicas, stabilized, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[SYNC, READ_SCALE, FIRST_RECOMMENDATION];

const SYNC: Computed = Computed {
    id: "sync",
    picture: || {
        let period = sync_seconds();
        let mut syncs = vec!["sync".to_owned()];
        let mut times = vec!["second".to_owned()];
        let mut seen = vec!["sees edits of".to_owned()];
        for number in 0..5 {
            let at = number * period;
            times.push(at.to_string());
            syncs.push("▲".to_owned());
            seen.push(if number == 0 {
                String::new()
            } else {
                format!("{}–{}", at - period, at - 1)
            });
        }
        picture::grid(&[times, syncs, seen])
    },
    worked: || {
        let period = sync_seconds();
        let rows = [1, 7, 14].map(|after| [format!("{after} s"), format!("{} s", period - after)]);
        format!(
            "With the default period of {}:\n\n{}",
            duration(jiff::SignedDuration::from_secs(period)),
            table(
                [
                    "a change comes this long after a sync",
                    "the next sync comes in"
                ],
                rows
            )
        )
    },
    differences: &[
        Difference {
            since: Since::Minor(26),
            numbers: None,
        },
        Difference {
            since: Since::Minor(37),
            numbers: None,
        },
    ],
    displayed: Displayed::Elsewhere,
};

const READ_SCALE: Computed = Computed {
    id: "read-scale",
    picture: || {
        picture::flow(&[
            vec!["scaleTargetRef  apps/v1 Deployment web".to_owned()],
            vec!["group apps, kind Deployment  ▶  resource deployments".to_owned()],
            vec!["GET /apis/apps/v1/namespaces/shop/deployments/web/scale".to_owned()],
            vec!["spec.replicas 8   status.replicas 9   selector app=web".to_owned()],
        ])
    },
    worked: || {
        let base = || case(8).external(average("10")).series(&["85"]);
        let failing = base()
            .without_scale("deployments.apps \"web\" not found")
            .decide();
        format!(
            "External metric at 85, averageValue 10:\n\n{}\n\
             If the controller cannot read the scale, AbleToScale is {}. The replicas stay.\n",
            outcomes(
                "scale",
                [
                    ("spec 8, status 8", base()),
                    (
                        "spec 8, status 9 (one more pod during a rollout)",
                        base().status_replicas(9)
                    ),
                    ("spec 8, status 5", base().status_replicas(5)),
                ]
            ),
            condition(&failing, "AbleToScale"),
        )
    },
    differences: &[],
    displayed: Displayed::Own(|| case(8).status_replicas(9).proposing(8)),
};

const FIRST_RECOMMENDATION: Computed = Computed {
    id: "first-recommendation",
    picture: || {
        let mut case = case(9).max(10).proposing(3).forgotten();
        let mut points = Vec::new();
        let mut columns = Vec::new();
        for minute in 0..=7 {
            let trace = case.sync_and_wait(60);
            let proposal = stabilized(&trace).map_or(0, |step| step.recommendation);
            points.push((proposal, replicas(&trace)));
            columns.push(minute.to_string());
        }
        let mut out = picture::chart(&points, &columns);
        out.push_str("\nminutes since the restart   ○ recommendation   ● replicas\n");
        out
    },
    worked: || {
        outcomes(
            "9 replicas, the metric asks for 3; recommendation history",
            [
                ("empty", case(9).proposing(3).forgotten()),
                (
                    "3 a minute ago",
                    case(9).proposing(3).remembering(&[(3, "60s")]),
                ),
                (
                    "empty; the metric asks for 12",
                    case(9).proposing(12).forgotten(),
                ),
                (
                    "empty; the metric asks for 12, `scaleUp` has a window of 120 s",
                    case(9).proposing(12).behavior(up().window(120)).forgotten(),
                ),
            ],
        )
    },
    differences: &[],
    displayed: Displayed::Own(|| case(9).proposing(3).forgotten()),
};

fn sync_seconds() -> i64 {
    let controller = ControllerConfig::defaults(Input::given(version(36)));
    controller.sync_period.value.as_secs()
}
