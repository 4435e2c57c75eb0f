//! Each scaling is reported once, whether it was seen when it came or only after a gap.

use hpa_engine::model::Source;
use hpa_watch::{Change, Update};
use proptest::{collection::vec, prelude::*};

use super::world::{Step, World, updates};

/// The cluster at a second: each scaling adds a replica, and the status follows the scale by a second.
fn world(scalings: &[i64], second: i64) -> World {
    let until = |second: i64| scalings.iter().filter(|at| **at <= second).count();
    let replicas = |second| 4 + i32::try_from(until(second)).unwrap();
    let scaled_at = scalings.iter().filter(|at| **at < second).max();
    World {
        replicas: replicas(second),
        created: replicas(second),
        written: replicas(second - 1),
        proposal: Some(replicas(second)),
        max: 100,
        scaled_at: scaled_at.copied().unwrap_or(-3600),
        ..World::default()
    }
}

/// The replicas of each reported scaling.
fn reported(updates: &[Update]) -> Vec<i32> {
    let changes = updates.iter().flat_map(|update| match update {
        Update::Reconciled { changes, .. } | Update::Changed { changes, .. } => changes.as_slice(),
        _ => &[],
    });
    let mut reported = Vec::new();
    for change in changes {
        match change {
            Change::Rescaled { to, .. } => reported.push(*to),
            Change::RescaledUnseen { from, to, steps } => {
                assert_ne!(from, to, "{change:?}");
                assert!(!steps.is_empty(), "{change:?}");
                reported.push(*to);
            }
            Change::ReplicasWritten { .. } => panic!("another writer: {change:?}"),
            _ => {}
        }
    }
    reported
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_scaling_is_reported_again_after_a_gap(
        pauses in vec(15..60_i64, 1..8),
        gaps in vec((20..90_i64, 5..60_i64), 0..4),
        between in 1..6_i64,
    ) {
        let mut second = 0;
        let scalings: Vec<i64> = pauses.iter().map(|pause| { second += pause; second }).collect();
        let end = second + 60;
        let mut lost = Vec::new();
        let mut second = 0;
        for (pause, length) in &gaps {
            second += pause;
            lost.push(second..second + length);
            second += length + 5;
        }
        let mut steps = vec![(0, Step::Reconciled(world(&scalings, 0)))];
        for second in 1..end.max(second + 30) {
            for gap in &lost {
                if gap.start == second {
                    steps.push((second, Step::Contact(Source::Server, false)));
                }
                if gap.end == second {
                    steps.push((second, Step::Contact(Source::Server, true)));
                    steps.push((second, Step::InformerInput));
                }
            }
            let is_lost = lost.iter().any(|gap| gap.contains(&second));
            if !is_lost && second % between == 0 {
                steps.push((second, Step::Seen(world(&scalings, second))));
            }
        }
        let reported = reported(&updates(&steps));
        let mut distinct = reported.clone();
        distinct.dedup();
        prop_assert_eq!(&distinct, &reported, "{:?} {:?}", scalings, lost);
        prop_assert!(reported.is_sorted(), "{:?}", reported);
        let last = 4 + i32::try_from(scalings.len()).unwrap();
        prop_assert_eq!(reported.last(), Some(&last), "{:?} {:?} {:?}", reported, scalings, lost);
    }
}
