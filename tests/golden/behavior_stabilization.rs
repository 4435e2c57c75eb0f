//! docs/dev/controller.md 12.4: stabilization with `behavior`. Upstream: `TestNormalizeDesiredReplicasWithBehavior`.

use crate::support::{all_versions, stabilized};
use hpa_testing::{average, down, hpa, up};

struct Row<'a> {
    current: i32,
    desired: i32,
    remembered: &'a [(i32, &'a str)],
    up: i32,
    down: i32,
    result: i32,
    /// The numbers remembered afterwards, slot by slot.
    kept: &'a [i32],
}

#[test]
fn current_replicas_move_as_little_as_the_windows_demand() {
    let old_and_new = &[(10, "10m"), (4, "1m"), (5, "2m"), (9, "9m")];
    let outdated = &[(10, "10m"), (9, "9m")];
    let row = |current, desired, remembered, (up, down), result, kept| Row {
        current,
        desired,
        remembered,
        up,
        down,
        result,
        kept,
    };
    for row in [
        row(100, 5, &[], (0, 0), 5, &[5]),
        row(100, 3, &[(4, "2m"), (5, "1m")], (0, 180), 5, &[4, 5, 3]),
        row(1, 7, &[(4, "2m"), (5, "1m")], (300, 0), 4, &[4, 5, 7]),
        row(100, 3, &[(1, "2m"), (2, "1m")], (300, 0), 3, &[1, 2, 3]),
        row(1, 3, &[(4, "2m"), (5, "1m")], (0, 300), 3, &[4, 5, 3]),
        row(100, 3, outdated, (0, 0), 3, &[10, 3]),
        row(1, 100, outdated, (0, 0), 100, &[10, 100]),
        row(100, 3, old_and_new, (0, 180), 5, &[10, 4, 5, 3]),
        row(
            1,
            100,
            &[(10, "100m"), (6, "1m"), (5, "2m"), (9, "3m")],
            (300, 0),
            5,
            &[100, 6, 5, 9],
        ),
        row(2, 1, &[(2, "100m"), (3, "3m")], (300, 300), 2, &[1, 3]),
        row(2, 3, &[(2, "100m"), (1, "3m")], (300, 300), 2, &[3, 1]),
    ] {
        check(&row);
    }
}

#[track_caller]
fn check(row: &Row<'_>) {
    let situation = hpa("web")
        .external(average("1"))
        .behavior(up().window(row.up))
        .behavior(down().window(row.down))
        .with_replicas(row.current)
        .tolerance(0.0)
        .series(&[&row.desired.to_string()])
        .remembering(row.remembered);
    for minor in all_versions() {
        let mut situation = situation.clone().kube(minor);
        let trace = situation.sync();
        let context = format!("1.{minor}: {} → {}", row.current, row.desired);
        assert_eq!(stabilized(&trace).stabilized, row.result, "{context}");
        let kept = situation.memory.unwrap().recommendations.unwrap();
        let kept: Vec<i32> = kept.iter().map(|seen| seen.replicas).collect();
        assert_eq!(kept, row.kept, "{context}");
    }
}

#[test]
fn recommendation_at_the_edge_of_a_window_does_not_count() {
    for (age, result) in [("3m", 3), ("2m 59s 999ms", 7)] {
        let trace = hpa("web")
            .external(average("1"))
            .behavior(down().window(180))
            .with_replicas(10)
            .series(&["3"])
            .remembering(&[(7, age)])
            .decide();
        assert_eq!(stabilized(&trace).stabilized, result, "{age}");
    }
}
