//! Two replicas of Prometheus that scrape the same targets: one of them counts, and the other one fills its gaps.
//! Interleaved samples would mix the clocks of two machines, and let counters go backwards.

use std::collections::BTreeMap;

use super::{join::Series, selector::NAME};

/// Merges series that differ only in the replica that scraped them.
pub(super) fn merge(series: Vec<Series>) -> Vec<Series> {
    let mut groups: BTreeMap<BTreeMap<String, String>, Vec<(String, Series)>> = BTreeMap::new();
    for mut one in series {
        let replica = take_replica(&mut one.labels);
        groups
            .entry(one.labels.clone())
            .or_default()
            .push((replica, one));
    }
    groups.into_values().filter_map(merged).collect()
}

/// Removes the labels that name the scraping replica, and returns their values.
fn take_replica(labels: &mut BTreeMap<String, String>) -> String {
    let name = labels.get(NAME).map_or("", String::as_str);
    // Elsewhere `replica` may be a replica of the measured system.
    let is_scraped = SCRAPED.iter().any(|start| name.starts_with(start));
    let mut replica = String::new();
    for label in REPLICA_LABELS {
        if label == "replica" && !is_scraped {
            continue;
        }
        if let Some(value) = labels.remove(label) {
            replica.push_str(&value);
            replica.push('\n');
        }
    }
    replica
}

fn merged(mut replicas: Vec<(String, Series)>) -> Option<Series> {
    replicas.sort_by(|(name, one), (other_name, other)| {
        let most_first = other.samples.len().cmp(&one.samples.len());
        most_first.then_with(|| name.cmp(other_name))
    });
    let mut replicas = replicas.into_iter().map(|(_, series)| series);
    let mut whole = replicas.next()?;
    let others: Vec<Series> = replicas.collect();
    if others.is_empty() {
        return Some(whole);
    }
    let interval = interval(&whole.samples).unwrap_or(0);
    for other in others {
        fill(&mut whole.samples, &other.samples, interval);
    }
    // If another replica has continued, the series has not ended.
    let samples = &whole.samples;
    whole.absent.retain(|at| {
        let next = samples.partition_point(|(time, _)| time <= at);
        samples
            .get(next)
            .is_none_or(|(time, _)| interval * 2 < time - at)
    });
    Some(whole)
}

/// Adds samples of `other` where `samples` has a gap, with a distance to its edges.
fn fill(samples: &mut Vec<(i64, f64)>, other: &[(i64, f64)], interval: i64) {
    let distance = interval / 2;
    let is_missing = |at: i64| {
        let next = samples.partition_point(|(time, _)| *time < at);
        let before = next.checked_sub(1).and_then(|index| samples.get(index));
        let after = samples.get(next);
        let is_far = |sample: Option<&(i64, f64)>| {
            sample.is_none_or(|(time, _)| distance < (time - at).abs())
        };
        let is_gap = match (before, after) {
            (Some((before, _)), Some((after, _))) => interval * 2 < after - before,
            _ => true,
        };
        is_gap && is_far(before) && is_far(after)
    };
    let more: Vec<(i64, f64)> = other
        .iter()
        .copied()
        .filter(|(at, _)| is_missing(*at))
        .collect();
    if !more.is_empty() {
        samples.extend(more);
        samples.sort_by_key(|(at, _)| *at);
    }
}

/// The median interval between samples.
pub(super) fn interval(samples: &[(i64, f64)]) -> Option<i64> {
    let mut distances: Vec<i64> = samples
        .windows(2)
        .map(|pair| pair[1].0 - pair[0].0)
        .collect();
    median(&mut distances)
}

/// The median.
pub(super) fn median(values: &mut [i64]) -> Option<i64> {
    let middle = values.len().checked_sub(1)? / 2;
    let (_, median, _) = values.select_nth_unstable(middle);
    Some(*median)
}

/// Labels that name a replica of Prometheus: by its operator, and by the docs of Thanos, Mimir and Cortex.
const REPLICA_LABELS: [&str; 3] = ["prometheus_replica", "__replica__", "replica"];
/// Prefixes of what Prometheus scrapes about Kubernetes.
const SCRAPED: [&str; 3] = ["kube_", "container_", "keda_"];

#[cfg(test)]
mod tests {
    use super::*;

    fn series(labels: &[(&str, &str)], samples: Vec<(i64, f64)>) -> Series {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Series {
            labels: labels.iter().map(own).collect(),
            samples,
            absent: Vec::new(),
        }
    }

    #[test]
    fn another_replica_fills_gaps_and_nothing_else() {
        let name = (NAME, "kube_pod_info");
        let every = |from: i64, to: i64, value: f64| -> Vec<(i64, f64)> {
            (from..to).step_by(10).map(|at| (at, value)).collect()
        };
        let mut one = every(0, 100, 1.0);
        one.extend(every(200, 300, 1.0));
        let other = every(4, 250, 2.0);
        let merged = merge(vec![
            series(&[name, ("prometheus_replica", "b")], other),
            series(&[name, ("prometheus_replica", "a")], one),
        ]);
        assert_eq!(merged.len(), 1);
        assert_eq!(merged[0].labels.len(), 1);
        // The replica with more samples counts.
        let samples = &merged[0].samples;
        assert_eq!(samples.first(), Some(&(4, 2.0)));
        assert_eq!(samples.last(), Some(&(290, 1.0)));
        assert!(samples.is_sorted_by(|one, next| one.0 + 5 <= next.0));
        assert_eq!(samples.iter().filter(|(_, value)| *value < 1.5).count(), 5);
    }

    #[test]
    fn replicas_of_what_is_measured_stay_apart() {
        let lag = (NAME, "mysql_lag_seconds");
        let merged = merge(vec![
            series(&[lag, ("replica", "a")], vec![(0, 1.0)]),
            series(&[lag, ("replica", "b")], vec![(0, 2.0)]),
        ]);
        assert_eq!(merged.len(), 2);
        assert_eq!(merged[0].labels.len(), 2);
    }
}
