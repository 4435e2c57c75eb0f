//! Which settings make the past better known, the most helpful first.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use hpa_engine::model::MetricSpec;
use hpa_simulation::Millis;

use crate::{
    advice::Advice,
    certainty::Doubt,
    metric_values::scaled_object,
    names::{About, DESIRED, Depth, Exporter, POD_DELETED, names_of},
    past_sync::PastSync,
    report::SeriesReport,
    series::SeriesSet,
    sources::has_times_of_kubelet,
};

/// The number of syncs with these doubts; with none, they are certain.
pub(crate) type Doubts = BTreeMap<Vec<Doubt>, usize>;

/// The kubelet reads a container every 10 to 20 s, and an idle one every 15 to 30 s. If the median is longer, the
/// scrape is too slow.
const SLOW_USAGE: Millis = 25_000;

/// Why a sync is not certain. None: no setting of the monitoring would change it.
pub(crate) fn doubts(sync: &PastSync<'_>) -> Option<Vec<Doubt>> {
    let scrape = sync.scrape;
    match sync.recomputed {
        Some(recomputed) => Some(recomputed.doubts.clone()),
        None => (!scrape.has_failed() && scrape.values.iter().all(Option::is_none))
            .then(|| vec![Doubt::NoValues]),
    }
}

/// What helps, by what the series show. `not_shown`: metrics of which nothing shows the values between the scrapes.
pub(crate) fn advice(
    set: &SeriesSet,
    (series, depth): (&[SeriesReport], Depth),
    (period, doubts): (Millis, &Doubts),
    not_shown: &[&MetricSpec],
) -> Vec<Advice> {
    let is_of_keda = |metric: &&MetricSpec| scaled_object(metric).is_some();
    let mut advice = Vec::new();
    let interval = set.interval(DESIRED);
    if let Some(interval) = interval
        && period * 11 < interval * 10
    {
        advice.push(Advice::ScrapeStateMoreOften { interval, period });
    }
    for exporter in [
        Exporter::KubeStateMetrics,
        Exporter::Cadvisor,
        Exporter::Keda,
    ] {
        let missing: Vec<&'static str> = series
            .iter()
            .filter(|one| one.found == 0 && one.name.exporter == exporter)
            // Without a limit there is no throttling, and a pod that is not deleted has no such time.
            .filter(|one| !matches!(one.name.about, About::Throttling | About::Limits))
            // Queries of triggers can show the same.
            .filter(|one| one.name.about != About::Triggers || not_shown.iter().any(is_of_keda))
            .map(|one| one.name.name)
            .filter(|name| *name != POD_DELETED)
            .collect();
        if !missing.is_empty() {
            advice.push(Advice::Export(exporter, missing));
        }
    }
    let usage = series.iter().find(|one| one.name.about == About::Usage);
    if let Some(usage) = usage
        && let Some(interval) = usage.interval
    {
        if !has_times_of_kubelet(set) {
            advice.push(Advice::HonorTimestamps { interval });
        } else if SLOW_USAGE < interval {
            advice.push(Advice::ScrapeUsageMoreOften { interval });
        }
    }
    let exports_keda = advice
        .iter()
        .any(|one| matches!(one, Advice::Export(Exporter::Keda, _)));
    let queried = not_shown
        .iter()
        .filter(|metric| !(exports_keda && is_of_keda(metric)));
    let queried: BTreeSet<String> = queried.map(|one| one.short_name().to_owned()).collect();
    if depth == Depth::Usage && !queried.is_empty() {
        let queries = Advice::GiveQueries(queried.into_iter().collect());
        if 0 < helped(&queries, doubts) {
            advice.push(queries);
        }
    }
    if depth == Depth::Hpa {
        advice.push(Advice::ReadDeeper);
    }
    advice.sort_by_key(|one| Reverse(helped(one, doubts)));
    advice
}

/// The number of syncs that it makes certain: those that it shows, and those whose doubts it all removes.
fn helped(advice: &Advice, doubts: &Doubts) -> usize {
    let removed = removed(advice);
    let is_helped =
        |found: &[Doubt]| !found.is_empty() && found.iter().all(|one| removed.contains(one));
    let helped = doubts.iter().filter(|(found, _)| is_helped(found));
    let helped: usize = helped.map(|(_, count)| *count).sum();
    let Advice::ScrapeStateMoreOften { interval, period } = advice else {
        return helped;
    };
    // The syncs that no scrape shows become like those that a scrape shows.
    let certain = helped + doubts.get::<[Doubt]>(&[]).copied().unwrap_or(0);
    let unseen = usize::try_from((interval - period) / period).unwrap_or(0);
    helped + certain * unseen
}

/// The doubts that an advice removes.
fn removed(advice: &Advice) -> Vec<Doubt> {
    match advice {
        Advice::ScrapeStateMoreOften { .. } => vec![Doubt::Unseen, Doubt::OtherSyncs],
        Advice::Export(Exporter::KubeStateMetrics, missing) => {
            let lacks = |about: &[About]| {
                let names = names_of(Depth::Usage, about);
                names.iter().any(|name| missing.contains(name))
            };
            let of_pods = [About::Pods, About::Readiness, About::Requests];
            [
                (Doubt::NoValues, lacks(&[About::Values])),
                (Doubt::NoPods, lacks(&of_pods)),
            ]
            .into_iter()
            .filter_map(|(doubt, is_removed)| is_removed.then_some(doubt))
            .collect()
        }
        Advice::Export(Exporter::Keda, _) | Advice::GiveQueries(_) => vec![Doubt::OtherSyncs],
        Advice::Export(Exporter::Cadvisor, _)
        | Advice::HonorTimestamps { .. }
        | Advice::ScrapeUsageMoreOften { .. } => vec![Doubt::OtherSyncs, Doubt::Pods],
        Advice::ReadDeeper => vec![Doubt::OtherSyncs, Doubt::Pods, Doubt::NoPods],
    }
}

#[cfg(test)]
mod tests {
    use crate::{names::NAMES, series::Series};
    use hpa_engine::model::Quantity;

    use super::*;
    use crate::{reporting::series_of_use, tests::today};

    /// How often each exporter is read: the distances of its samples, in turns.
    struct Scrapes {
        state: Millis,
        usage: &'static [Millis],
    }

    /// kube-state-metrics at each sync, and every read of the kubelet with its own time.
    const ALL: Scrapes = Scrapes {
        state: 15_000,
        usage: &[10_700, 17_100, 12_900, 18_600, 11_400],
    };

    /// The advice for ten minutes of all series but some.
    fn advice_for(scrapes: &Scrapes, missing: &[&str], depth: Depth) -> Vec<Advice> {
        advice_with(scrapes, missing, depth, (&Doubts::new(), &[]))
    }

    fn advice_with(
        scrapes: &Scrapes,
        missing: &[&str],
        depth: Depth,
        (doubts, not_shown): (&Doubts, &[&MetricSpec]),
    ) -> Vec<Advice> {
        let read = NAMES.iter().filter(|one| one.depth <= depth);
        let read = read.filter(|one| !missing.contains(&one.name));
        let series = read.map(|one| {
            let distances = match one.exporter {
                Exporter::KubeStateMetrics | Exporter::Keda => std::slice::from_ref(&scrapes.state),
                Exporter::Cadvisor => scrapes.usage,
            };
            let times = distances.iter().cycle().scan(0, |time, distance| {
                *time += distance;
                Some(*time)
            });
            Series {
                labels: BTreeMap::from([("__name__".to_owned(), one.name.to_owned())]),
                samples: times
                    .take_while(|time| *time <= 600_000)
                    .map(|time| (time, 1.0))
                    .collect(),
            }
        });
        let set = SeriesSet::new(series.collect());
        let series = series_of_use(&set, depth, &today());
        advice(&set, (&series, depth), (15_000, doubts), not_shown)
    }

    #[test]
    fn past_that_is_known_as_well_as_possible_needs_no_advice() {
        let none = Vec::<Advice>::new();
        assert_eq!(advice_for(&ALL, &[], Depth::Usage), none);
        // Neither of these exists in every cluster.
        let missing = [
            POD_DELETED,
            "kube_pod_container_resource_limits",
            "container_cpu_cfs_throttled_periods_total",
            "kube_statefulset_replicas",
            "kube_horizontalpodautoscaler_spec_behavior_scale_up_tolerance",
        ];
        assert_eq!(advice_for(&ALL, &missing, Depth::Usage), none);
    }

    #[test]
    fn slow_scrape_of_the_state_is_named_with_its_interval_and_that_of_the_syncs() {
        let scrapes = Scrapes {
            state: 30_000,
            ..ALL
        };
        let advice = advice_for(&scrapes, &[], Depth::Usage);
        let [slow] = &advice[..] else {
            panic!("one advice");
        };
        let (interval, period) = (30_000, 15_000);
        assert_eq!(*slow, Advice::ScrapeStateMoreOften { interval, period });
        let sentence = slow.sentence();
        for words in ["every 30 s", "every 15 s", "50% of the syncs"] {
            assert!(sentence.contains(words), "{sentence}");
        }
    }

    #[test]
    fn each_missing_series_is_named_with_the_exporter_that_has_it() {
        let state = [
            "kube_horizontalpodautoscaler_status_target_metric",
            "kube_replicaset_owner",
        ];
        let usage = ["container_cpu_usage_seconds_total"];
        let missing = [&state[..], &usage].concat();
        let expected = [
            Advice::Export(Exporter::KubeStateMetrics, state.to_vec()),
            Advice::Export(Exporter::Cadvisor, usage.to_vec()),
        ];
        assert_eq!(advice_for(&ALL, &missing, Depth::Usage), expected);
        for (advice, setting) in expected
            .iter()
            .zip(["--metric-allowlist", "/metrics/cadvisor"])
        {
            let sentence = advice.sentence();
            assert!(sentence.contains(setting), "{sentence}");
        }
    }

    #[test]
    fn missing_series_that_not_every_version_has_is_named_with_the_first_one() {
        let missing = [
            "kube_horizontalpodautoscaler_status_target_metric",
            "kube_horizontalpodautoscaler_info",
            "kube_pod_owner",
        ];
        let sentence = advice_for(&ALL, &missing, Depth::Usage)[0].sentence();
        let expected = "Check the version of kube-state-metrics: kube_horizontalpodautoscaler_status_target_metric needs 2.6 or newer, kube_horizontalpodautoscaler_info needs 2.3 or newer.";
        assert!(sentence.ends_with(expected), "{sentence}");
        let sentence = advice_for(&ALL, &missing[2..], Depth::Usage)[0].sentence();
        assert!(!sentence.contains("version"), "{sentence}");
    }

    #[test]
    fn usage_at_even_times_has_lost_the_times_of_the_kubelet() {
        let scrapes = Scrapes {
            usage: &[30_000],
            ..ALL
        };
        let interval = 30_000;
        assert_eq!(
            advice_for(&scrapes, &[], Depth::Usage),
            [Advice::HonorTimestamps { interval }]
        );
    }

    #[test]
    fn slow_scrape_of_the_usage_is_named_even_if_its_times_are_those_of_the_kubelet() {
        // A scrape every 30 s finds the newest read of the kubelet.
        let usage = &[37_000, 25_000, 41_000, 22_000, 29_000];
        let scrapes = Scrapes { usage, ..ALL };
        let interval = 29_000;
        assert_eq!(
            advice_for(&scrapes, &[], Depth::Usage),
            [Advice::ScrapeUsageMoreOften { interval }]
        );
    }

    #[test]
    fn query_is_asked_for_where_the_values_between_two_scrapes_make_syncs_certain() {
        let queue = MetricSpec::external("queue", Quantity::parse("10").unwrap());
        let advice_with = |doubt| {
            let doubts = Doubts::from([(vec![doubt], 5)]);
            advice_with(&ALL, &[], Depth::Usage, (&doubts, &[&queue]))
        };
        let expected = Advice::GiveQueries(vec!["queue".to_owned()]);
        let flag = "--metric-query 'queue=QUERY'";
        assert!(expected.sentence().contains(flag));
        assert_eq!(advice_with(Doubt::OtherSyncs), [expected]);
        // No query shows the controller's own values.
        assert_eq!(advice_with(Doubt::NoValues), []);
    }

    #[test]
    fn past_of_the_hpa_alone_can_be_read_deeper() {
        let advice = advice_for(&ALL, &[], Depth::Hpa);
        assert_eq!(advice, [Advice::ReadDeeper]);
    }

    #[test]
    fn advice_that_makes_the_most_syncs_certain_comes_first() {
        let scrapes = Scrapes {
            state: 30_000,
            usage: &[30_000],
        };
        let values = "kube_horizontalpodautoscaler_status_target_metric";
        let first = |missing: &[&str], doubts: &[(&[Doubt], usize)]| {
            let doubts = doubts.iter();
            let doubts = doubts.map(|(doubts, count)| (doubts.to_vec(), *count));
            let doubts = doubts.collect();
            let all = advice_with(&scrapes, missing, Depth::Usage, (&doubts, &[]));
            assert_eq!(all.len(), 2 + missing.len(), "{all:?}");
            all[0].key()
        };
        // Half of the syncs are unseen, and a tenth of the others depends on them.
        let unseen: [(&[Doubt], usize); 2] = [(&[], 90), (&[Doubt::OtherSyncs], 10)];
        assert_eq!(first(&[], &unseen), "scrapeStateMoreOften");
        // Without the controller's values, none becomes certain by more scrapes.
        let no_values: [(&[Doubt], usize); 1] = [(&[Doubt::NoValues], 100)];
        assert_eq!(first(&[values], &no_values), "export");
        // Nearly all depend on the samples of new pods.
        let pods: [(&[Doubt], usize); 2] = [(&[], 2), (&[Doubt::Pods], 98)];
        assert_eq!(first(&[], &pods), "honorTimestamps");
    }
}
