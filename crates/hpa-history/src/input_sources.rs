//! The source of each input: of the whole past, or of one sync.

use hpa_engine::model::{Observation, Provenance};
use hpa_explain::{Known, SourceReport};

use crate::{
    metric_values::{MetricValues, ValueSource},
    names::{About, DESIRED, Depth, MAX, names_of},
    pods::selects_by_name,
    sampled::{had_other_scale_target, is_known, is_sampled, scale_target_at},
    scrape::Scrape,
    series::{Millis, SeriesSet},
    sources::has_times_of_kubelet,
};

/// What the past is reconstructed from.
pub struct Inputs<'a> {
    /// The series.
    pub set: &'a SeriesSet,
    /// The current HPA.
    pub today: &'a Observation,
    /// The values between the scrapes that are used.
    pub metric_values: &'a [&'a MetricValues],
    /// Whether pods of the scale target were read.
    pub has_pods: bool,
}

impl Inputs<'_> {
    /// The sources of the whole past; of the sync that a scrape shows, what was sampled then.
    pub fn sources(&self, scrape: Option<&Scrape>) -> Vec<SourceReport> {
        let time = scrape.map(|scrape| scrape.time);
        let mut sources = vec![
            self.decisions(scrape),
            self.scale_target(time),
            self.bounds(time),
            self.targets(scrape),
            self.values(scrape),
            source(
                "conditions",
                observed(self.knows(About::Conditions, time), Known::Unknown),
                "status of the conditions",
            ),
        ];
        sources.extend(self.pods(time));
        sources.extend(self.usage(time));
        sources.extend(self.metric_values.iter().map(|one| {
            let known = match one.source {
                ValueSource::Exported => Known::Bounded,
                ValueSource::Flag | ValueSource::Trigger { .. } => Known::Inferred,
            };
            let words = format!("{} between two scrapes ({})", one.metric, one.source);
            source("metricValues", known, &words)
        }));
        sources.push(source(
            "syncTimes",
            Known::Bounded,
            "times of the syncs, between two scrapes",
        ));
        sources.push(source("behavior", Known::Inferred, "behavior (as today)"));
        let mut metrics = self.today.hpa.spec.metrics.iter();
        if metrics.any(|metric| metric.identifier().is_some()) {
            sources.push(source(
                "metricSelectors",
                Known::Inferred,
                "selectors of the metrics (as today)",
            ));
        }
        sources.push(source(
            "labels",
            Known::Inferred,
            "labels of the pods (as the selector wants them)",
        ));
        sources.push(source(
            "memory",
            Known::Inferred,
            "the controller's history",
        ));
        let controller = &self.today.controller;
        let flags = [
            controller.tolerance.provenance,
            controller.downscale_stabilization.provenance,
            controller.cpu_initialization_period.provenance,
            controller.initial_readiness_delay.provenance,
        ];
        if flags.contains(&Provenance::Assumed) {
            sources.push(source(
                "flags",
                Known::Assumed,
                "flags of the controller (by default)",
            ));
        }
        sources.push(source(
            "reasons",
            Known::Unknown,
            "Events, reasons of conditions, restarts of the controller, pods of others that the selector matches",
        ));
        sources
    }

    fn knows(&self, about: About, time: Option<Millis>) -> bool {
        is_known(self.set, about, time)
    }

    fn decisions(&self, scrape: Option<&Scrape>) -> SourceReport {
        let words = "current and desired replicas";
        let time = scrape.map(|scrape| scrape.time);
        if !self.knows(About::Decisions, time) {
            return source("decisions", Known::Unknown, words);
        }
        // Where the controller could not decide, the replicas stay.
        let is_exported = scrape.is_none_or(|scrape| {
            let desired = self.set.value(DESIRED, scrape.time);
            desired.map(|desired| desired as i32) == Some(scrape.desired)
        });
        source("decisions", observed(is_exported, Known::Inferred), words)
    }

    fn scale_target(&self, time: Option<Millis>) -> SourceReport {
        let key = "scaleTarget";
        let scaled = time.and_then(|time| scale_target_at(self.set, time));
        match scaled {
            Some((kind, name)) => {
                source(key, Known::Observed, &format!("scale target {kind}/{name}"))
            }
            None if time.is_none() && self.knows(About::ScaleTarget, None) => {
                source(key, Known::Observed, "scale target")
            }
            None => source(key, Known::Inferred, "scale target (as today)"),
        }
    }

    fn bounds(&self, time: Option<Millis>) -> SourceReport {
        let both = "minReplicas and maxReplicas";
        let (known, words) = if self.knows(About::Bounds, time) {
            (Known::Observed, both)
        } else if is_sampled(self.set, MAX, time) {
            (Known::Inferred, "minReplicas (as today)")
        } else {
            (Known::Unknown, both)
        };
        source("bounds", known, words)
    }

    fn targets(&self, scrape: Option<&Scrape>) -> SourceReport {
        let is_exported = match scrape {
            Some(scrape) => scrape.has_targets(self.set, &self.today.hpa),
            None => self.knows(About::Targets, None),
        };
        if is_exported {
            source("targets", Known::Observed, "targets of the metrics")
        } else {
            let words = "targets of the metrics (as today)";
            source("targets", Known::Inferred, words)
        }
    }

    fn values(&self, scrape: Option<&Scrape>) -> SourceReport {
        let words = "values of the metrics";
        let (all, some) = match scrape {
            Some(Scrape { values, .. }) => {
                let some = values.iter().any(Option::is_some);
                (values.iter().all(Option::is_some), some)
            }
            None => (self.knows(About::Values, None), false),
        };
        if all {
            source("values", Known::Observed, words)
        } else if some {
            // The status omits a metric that fails.
            let words = "values of the metrics (one without a value counts as failed)";
            source("values", Known::Inferred, words)
        } else if self
            .usage(None)
            .is_some_and(|usage| usage.known == Known::Bounded)
            || !self.metric_values.is_empty()
        {
            source("values", Known::Bounded, words)
        } else {
            source("values", Known::Unknown, words)
        }
    }

    fn pods(&self, time: Option<Millis>) -> Vec<SourceReport> {
        let target = &self.today.hpa.spec.scale_target;
        let is_other = |time: Millis| had_other_scale_target(self.set, target, time);
        if time.is_some_and(is_other) || self.has_pods && !self.knows(About::Pods, time) {
            return vec![source("pods", Known::Unknown, "pods")];
        }
        if !self.has_pods {
            let words = "as many ready pods as replicas";
            return vec![source("pods", Known::Assumed, words)];
        }
        let pods = if selects_by_name(self.set, &target.kind) {
            let words = "pods by the names of their ReplicaSets";
            source("pods", Known::Inferred, words)
        } else {
            source("pods", Known::Observed, "pods by their owners")
        };
        let readiness = observed(self.knows(About::Readiness, time), Known::Unknown);
        // A pod keeps its requests, so each sample shows them.
        let requests = observed(self.knows(About::Requests, None), Known::Unknown);
        vec![
            pods,
            source("readiness", readiness, "readiness of the pods"),
            source("requests", requests, "requests"),
        ]
    }

    /// None: it was not read.
    fn usage(&self, time: Option<Millis>) -> Option<SourceReport> {
        let names = names_of(Depth::Usage, &[About::Usage]);
        let sampled = |time: Option<Millis>| -> Vec<&'static str> {
            let names = names.iter().copied();
            let sampled = names.filter(|name| is_sampled(self.set, name, time));
            let is_memory = |name: &str| name.contains("memory");
            sampled
                .map(|name| if is_memory(name) { "memory" } else { "CPU" })
                .collect()
        };
        let ever = sampled(None);
        let has_times = has_times_of_kubelet(self.set);
        let known = if has_times && sampled(time) == ever {
            Known::Bounded
        } else {
            Known::Unknown
        };
        let lack = if has_times {
            ""
        } else {
            " (without the kubelet's times)"
        };
        let words = format!("{} of each pod{lack}", ever.join(" and "));
        (!ever.is_empty()).then(|| source("usage", known, &words))
    }
}

fn source(key: &'static str, known: Known, words: &str) -> SourceReport {
    SourceReport {
        key,
        known,
        words: words.to_owned(),
    }
}

fn observed(is_observed: bool, otherwise: Known) -> Known {
    if is_observed {
        Known::Observed
    } else {
        otherwise
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::{
        certainty::Certainty,
        past_sync::{PastSync, follow},
        series::Series,
        sources::{Sources, has_pods},
    };

    use super::*;
    use crate::tests::{series, today};

    type KnownInputs = BTreeMap<&'static str, Known>;

    /// How each input is known: in the whole past, and in each sync, with its time and certainty.
    fn known(series: Vec<Series>) -> (KnownInputs, Vec<(Millis, Certainty, KnownInputs)>) {
        let (set, today) = (SeriesSet::new(series), today());
        let sources = Sources {
            set: &set,
            today: &today,
            courses: &[],
            edited: None,
        };
        let inputs = Inputs {
            set: &set,
            today: &today,
            metric_values: &[],
            has_pods: has_pods(&sources),
        };
        let by_key = |sources: Vec<SourceReport>| -> KnownInputs {
            sources.iter().map(|one| (one.key, one.known)).collect()
        };
        let mut syncs = Vec::new();
        follow(&sources, &mut |sync: &PastSync<'_>| {
            if let Some(recomputed) = sync.recomputed.filter(|_| sync.is_seen) {
                let known = by_key(inputs.sources(Some(sync.scrape)));
                syncs.push((sync.scrape.time, recomputed.certainty, known));
            }
        });
        (by_key(inputs.sources(None)), syncs)
    }

    fn without(name: &str) -> Vec<Series> {
        let mut all = series();
        all.retain(|one| one.name() != name);
        all
    }

    #[test]
    fn what_every_scrape_shows_is_observed() {
        let (all, syncs) = known(series());
        assert!(20 < syncs.len());
        let each = syncs.iter().map(|(.., known)| known).chain([&all]);
        for known in each {
            for key in [
                "decisions",
                "scaleTarget",
                "bounds",
                "targets",
                "values",
                "conditions",
                "pods",
                "readiness",
                "requests",
            ] {
                assert_eq!(known[key], Known::Observed, "{key}: {known:?}");
            }
            assert_eq!(known["usage"], Known::Bounded);
            assert_eq!(known["behavior"], Known::Inferred);
        }
    }

    /// Then which of them metrics-server had is not known, and the syncs are as those without any.
    #[test]
    fn samples_with_the_times_of_scrapes_say_nothing_of_what_containers_used() {
        let of_containers = |one: &Series| one.name().starts_with("container_");
        let mut scraped = series();
        for one in scraped.iter_mut().filter(|one| of_containers(one)) {
            for (time, _) in &mut one.samples {
                *time = (*time / 10_000 + 1) * 10_000;
            }
            one.samples.dedup_by_key(|(time, _)| *time);
        }
        // Each scrape has the newest value.
        let filled = scraped.into_iter().map(|one| {
            let Some((first, last)) = one.span().filter(|_| of_containers(&one)) else {
                return one;
            };
            let times = (first / 10_000..=last / 10_000).map(|number| number * 10_000);
            let samples = times.filter_map(|at| Some((at, one.up_to(at).last()?.1)));
            Series {
                samples: samples.collect(),
                ..one
            }
        });
        let (all, syncs) = known(filled.collect());
        assert_eq!(all["usage"], Known::Unknown);
        let mut none = series();
        none.retain(|one| !of_containers(one));
        let certainties = |syncs: &[(Millis, Certainty, KnownInputs)]| -> Vec<(Millis, Certainty)> {
            syncs
                .iter()
                .map(|(time, certainty, _)| (*time, *certainty))
                .collect()
        };
        assert_eq!(certainties(&syncs), certainties(&known(none).1));
        assert_ne!(certainties(&syncs), certainties(&known(series()).1));
    }

    #[test]
    fn default_and_what_is_as_today_is_never_observed() {
        for (name, key, expected) in [
            (
                "kube_horizontalpodautoscaler_spec_min_replicas",
                "bounds",
                Known::Inferred,
            ),
            (
                "kube_horizontalpodautoscaler_spec_target_metric",
                "targets",
                Known::Inferred,
            ),
            (
                "kube_horizontalpodautoscaler_info",
                "scaleTarget",
                Known::Inferred,
            ),
            (
                "kube_horizontalpodautoscaler_status_target_metric",
                "values",
                Known::Bounded,
            ),
            (
                "kube_horizontalpodautoscaler_status_condition",
                "conditions",
                Known::Unknown,
            ),
            ("kube_pod_owner", "pods", Known::Assumed),
            ("kube_replicaset_owner", "pods", Known::Inferred),
            ("kube_pod_status_ready", "readiness", Known::Unknown),
            // The containers of the pods are still known.
            (
                "kube_pod_container_resource_requests",
                "requests",
                Known::Unknown,
            ),
        ] {
            let (all, syncs) = known(without(name));
            for known in syncs.iter().map(|(.., known)| known).chain([&all]) {
                assert_eq!(known[key], expected, "{name}: {known:?}");
            }
        }
    }

    #[test]
    fn gap_in_a_series_matters_for_the_syncs_within_it() {
        let (_, whole) = known(series());
        let (then, ..) = whole[whole.len() / 2];
        for (prefix, key, expected) in [
            (
                "kube_horizontalpodautoscaler_status_condition",
                "conditions",
                Known::Unknown,
            ),
            (
                "kube_horizontalpodautoscaler_spec_target_metric",
                "targets",
                Known::Inferred,
            ),
            (
                "kube_horizontalpodautoscaler_spec_min_replicas",
                "bounds",
                Known::Inferred,
            ),
            ("kube_pod_owner", "pods", Known::Unknown),
            ("container_", "usage", Known::Unknown),
        ] {
            let mut series = series();
            let is_cut = |one: &&mut Series| one.name().starts_with(prefix);
            for one in series.iter_mut().filter(is_cut) {
                let gap = then - 70_000..=then;
                one.samples.retain(|(time, _)| !gap.contains(time));
            }
            let (_, syncs) = known(series);
            let is_within = |(time, ..): &&(Millis, Certainty, KnownInputs)| *time == then;
            let (.., within) = syncs.iter().find(is_within).unwrap();
            let (.., last) = &syncs[syncs.len() - 1];
            assert_eq!(within[key], expected, "{prefix}: {within:?}");
            assert!(last[key] < expected, "{prefix}: {last:?}");
        }
    }

    #[test]
    fn pods_of_another_scale_target_are_unknown_and_no_sync_of_it_is_certain() {
        let mut all = series();
        for one in &mut all {
            if let Some(name) = one.labels.get_mut("scaletargetref_name") {
                *name = "old".to_owned();
            }
        }
        let (_, syncs) = known(all);
        assert!(20 < syncs.len());
        for (_, certainty, known) in syncs {
            assert_eq!(known["scaleTarget"], Known::Observed);
            assert_eq!(known["pods"], Known::Unknown);
            assert_eq!(certainty, Certainty::Likely);
        }
    }
}
