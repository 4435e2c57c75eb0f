//! Floats that differ from what the decimal numbers suggest: docs/dev/controller.md 3.1 and 7.4.

use std::collections::BTreeSet;

use crate::support::{limited, proposal};
use hpa_testing::{World, average, down, hpa, pod, quantity, up};

/// Whether one pod at this percentage of its request is scaled, with the distance form of the tolerance (1.32) and the
/// interval form (1.33).
fn scales(usage: i32, target: i32, tolerance: f64) -> (bool, bool) {
    let situation = hpa("web")
        .cpu(target)
        .with_replicas(1000)
        .tolerance(tolerance)
        .pods([pod("web").requesting("1").cpu(&format!("{}m", 10 * usage))]);
    let scales = |minor| proposal(&situation.clone().kube(minor).decide()) != Ok(1000);
    (scales(32), scales(33))
}

#[test]
fn ratio_of_exactly_1_1_scales_up_to_1_32_only_for_all_40_targets_up_to_400() {
    let pairs: Vec<i32> = (1..=400).filter(|target| target * 11 % 10 == 0).collect();
    assert_eq!(pairs.len(), 40);
    for target in pairs {
        assert_eq!(
            scales(target * 11 / 10, target, 0.1),
            (true, false),
            "{target}"
        );
        assert_eq!(
            scales(target * 9 / 10, target, 0.1),
            (false, false),
            "{target}"
        );
        assert_eq!(
            scales(target * 11 / 10 + 1, target, 0.1),
            (true, true),
            "{target}"
        );
        assert_eq!(
            scales(target * 9 / 10 - 1, target, 0.1),
            (true, true),
            "{target}"
        );
    }
}

/// The tolerance in percent, and whether the two forms differ at the upper and at the lower edge.
#[test]
fn other_tolerances_differ_at_the_edges_that_the_page_lists_and_never_the_other_way_round() {
    for (percent, tolerance, upper, lower) in [
        (1, 0.01, true, true),
        (2, 0.02, true, true),
        (5, 0.05, true, true),
        (8, 0.08, true, false),
        (10, 0.1, true, false),
        (15, 0.15, false, true),
        (20, 0.2, false, false),
        (25, 0.25, false, false),
        (30, 0.3, true, true),
        (50, 0.5, false, false),
    ] {
        for (edge, differs) in [(100 + percent, upper), (100 - percent, lower)] {
            let targets = (1..=400).filter(|target| target * edge % 100 == 0);
            let found: BTreeSet<(bool, bool)> = targets
                .map(|target| scales(target * edge / 100, target, tolerance))
                .collect();
            let expected = if differs {
                (true, false)
            } else {
                (false, false)
            };
            assert_eq!(
                found,
                BTreeSet::from([expected]),
                "tolerance {tolerance}, edge {edge} %"
            );
        }
    }
}

#[test]
fn tolerance_with_a_milli_suffix_may_miss_its_double_by_the_last_bit() {
    let missed = (1..1000)
        .filter(|&thousandths| {
            let tolerance = quantity(&format!("{thousandths}m")).approximate_f64();
            tolerance.to_bits() != (f64::from(thousandths) / 1000.0).to_bits()
        })
        .count();
    assert_eq!(missed, 144);
}

const PERCENTAGES: [i32; 18] = [
    5, 10, 15, 20, 25, 30, 33, 40, 50, 60, 70, 75, 80, 90, 100, 150, 200, 300,
];

/// The replicas up to 200 at which a percent policy's limit differs from exact arithmetic, with the difference.
fn misses(percent: i32, limit: impl Fn(i32) -> World, exact: impl Fn(i32) -> i32) -> Vec<i32> {
    let mut missed = Vec::new();
    for replicas in 1..=200 {
        let found = limited(&limit(replicas).decide()).desired;
        let off = found - exact(replicas);
        if off != 0 {
            assert_eq!(
                off,
                if percent == 10 { 1 } else { -1 },
                "{percent} % of {replicas}"
            );
            missed.push(replicas);
        }
    }
    missed
}

#[test]
fn percent_policies_up_to_200_replicas_are_exact_but_for_those_that_the_page_lists() {
    for percent in PERCENTAGES {
        let up = |replicas: i32| {
            hpa("web")
                .max(100_000)
                .behavior(up().percent(percent, 60))
                .external(average("1"))
                .with_replicas(replicas)
                .series(&["100000"])
        };
        let missed = misses(percent, up, |n| (n * (100 + percent) + 99) / 100);
        let expected: &[i32] = match percent {
            10 => &[50, 90, 100, 110, 170, 180, 190, 200],
            _ => &[],
        };
        assert_eq!(missed, expected, "up {percent} %");

        let down = |replicas: i32| {
            hpa("web")
                .min(0)
                .behavior(down().window(0).percent(percent, 60))
                .external(average("1"))
                .with_replicas(replicas)
                .series(&["0"])
        };
        let missed = misses(percent, down, |n| (n * (100 - percent) / 100).max(0));
        let expected: Vec<i32> = match percent {
            30 => vec![90, 170, 180],
            80 => (1..=40).map(|fives| 5 * fives).collect(),
            90 => (1..=20).map(|tens| 10 * tens).collect(),
            _ => vec![],
        };
        assert_eq!(missed, expected, "down {percent} %");
    }
}
