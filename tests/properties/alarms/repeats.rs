//! An alarm that is on is reported again only if there is something new to say.

use hpa_watch::{AlarmKind, Update};
use proptest::{collection::vec, prelude::*};

use super::world::{OnePod, Step, World, updates};

/// The texts of an alarm as it was reported, from its start on.
fn reported(kind: AlarmKind, steps: &[(i64, Step)]) -> Vec<String> {
    let updates = updates(steps).into_iter();
    updates
        .filter_map(|update| match update {
            Update::AlarmOn { alarm, .. } if alarm.kind == kind => Some(alarm.text),
            _ => None,
        })
        .collect()
}

fn pending(number: usize) -> World {
    let pod = OnePod {
        is_ready: false,
        has_node: false,
        created: -600,
        usage: None,
    };
    World {
        pods: vec![pod; number],
        ..World::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn shortage_that_goes_up_and_down_is_reported_when_it_doubles(
        beyond in vec(1..40_i32, 1..30),
    ) {
        let steps: Vec<(i64, Step)> = (0..)
            .zip(&beyond)
            .map(|(sync, beyond)| {
                let world = World { replicas: 10, written: 10, proposal: Some(10 + beyond), ..World::default() };
                (sync * 15, Step::Reconciled(world))
            })
            .collect();
        let mut most = 0;
        let mut model = 0;
        for beyond in beyond {
            let level = beyond.ilog2() + 1;
            model += usize::from(most < level);
            most = most.max(level);
        }
        prop_assert_eq!(reported(AlarmKind::UnmetDemand, &steps).len(), model);
    }

    /// The last report has the largest number, so that what was reported is never less than what was so.
    #[test]
    fn more_pods_without_a_node_are_reported(numbers in vec(1..9_usize, 1..20)) {
        let steps: Vec<(i64, Step)> = (0..)
            .zip(&numbers)
            .map(|(sync, number)| (sync * 15, Step::Seen(pending(*number))))
            .collect();
        let reported = reported(AlarmKind::PodsNotRunning, &steps);
        let most = numbers.iter().max().unwrap();
        let last = reported.last().unwrap();
        prop_assert!(last.starts_with(&format!("{most} of ")), "{reported:?}");
        let mut distinct = reported.clone();
        distinct.dedup();
        prop_assert_eq!(distinct, reported);
    }
}
