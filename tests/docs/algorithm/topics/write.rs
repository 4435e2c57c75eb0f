//! What the controller writes and records.

use hpa_testing::{NOW, World, down, up};

use crate::algorithm::{
    case::case,
    computed::{Computed, Difference, Displayed, Since},
    example::{reason, replicas, table},
    picture,
};

pub(super) static TOPICS: &[Computed] = &[RESCALE, SCALE_EVENTS, STATUS];

const RESCALE: Computed = Computed {
    id: "rescale",
    picture: || {
        let mut rows = vec![["desired", "written", "Event"].map(str::to_owned).to_vec()];
        let cases: [(&str, World); 4] = [
            ("8", case(8).proposing(8)),
            ("12", case(8).proposing(12)),
            ("5", case(8).proposing(5)),
            (
                "12, rejected",
                case(8)
                    .proposing(12)
                    .refused_write("ServiceUnavailable", "admission webhook denied the request"),
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
        out.push_str("\ncurrent replicas: 8\n");
        out
    },
    worked: || {
        let cases: [(&str, World); 4] = [
            ("8 replicas, the metric asks for 12", case(8).proposing(12)),
            ("8 replicas, the metric asks for 5", case(8).proposing(5)),
            (
                "4 replicas, the metric asks for 4 now and asked for 9 a minute ago",
                case(4).proposing(4).remembering(&[(9, "60s")]),
            ),
            ("30 replicas, maxReplicas 20", case(30).proposing(5)),
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
        table(["situation", "message of the Event"], rows)
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.scale_conflict_retries),
        numbers: None,
    }],
    displayed: Displayed::Own(|| case(8).proposing(12)),
};

const SCALE_EVENTS: Computed = Computed {
    id: "scale-events",
    picture: || {
        let mut case = case(1)
            .max(40)
            .proposing(40)
            .behavior(up().pods(4, 30).percent(50, 60));
        let mut rows = vec![
            ["second", "replicas", "recorded changes (seconds old)"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for pass in 0..7 {
            let trace = case.sync_and_wait(15);
            let now = case.now - jiff::SignedDuration::from_secs(15);
            let remembered: Vec<String> = case
                .memory()
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
        let remembered = |case: World| {
            let mut case = case;
            case.sync_and_wait(0);
            let memory = case.memory();
            memory.scale_up_events.len() + memory.scale_down_events.len()
        };
        let rows = [
            ("no behavior, 8 → 12", case(8).proposing(12)),
            (
                "behavior: {}, 8 → 12",
                case(8).proposing(12).behavior(down()),
            ),
            (
                "behavior: {}, the replicas stay",
                case(8).proposing(8).behavior(down()),
            ),
            (
                "behavior: {}, the API server rejects the write",
                case(8)
                    .proposing(12)
                    .behavior(down())
                    .refused_write("ServiceUnavailable", "denied"),
            ),
        ]
        .map(|(what, case)| [what.to_owned(), remembered(case).to_string()]);
        table(["sync", "recorded changes"], rows)
    },
    differences: &[],
    displayed: Displayed::Elsewhere,
};

const STATUS: Computed = Computed {
    id: "status",
    picture: || {
        let mut rows = vec![
            ["sync", "AbleToScale", "ScalingActive", "ScalingLimited"]
                .map(str::to_owned)
                .to_vec(),
        ];
        let cases: [(&str, World); 6] = [
            ("no change", case(8).proposing(8)),
            ("scale up", case(8).proposing(12)),
            ("held", case(8).proposing(3).remembering(&[(8, "60s")])),
            ("at max", case(20).proposing(50)),
            ("above max", case(30).proposing(5)),
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
        let cases: [(&str, World); 3] = [
            ("8 → 12", case(8).proposing(12)),
            (
                "8, held by the window",
                case(8).proposing(3).remembering(&[(8, "60s")]),
            ),
            (
                "8, the API server rejects the write",
                case(8)
                    .proposing(12)
                    .refused_write("ServiceUnavailable", "denied"),
            ),
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
                if status.last_scale_time == Some(NOW) {
                    "now"
                } else {
                    "as before"
                }
                .to_owned(),
            ]
        });
        table(
            [
                "sync",
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
            numbers: None,
        },
        Difference {
            since: Since::Minor(32),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.memory_in_binary),
            numbers: None,
        },
        Difference {
            since: Since::Switch(|switches| switches.observed_generation),
            numbers: None,
        },
    ],
    displayed: Displayed::Elsewhere,
};
