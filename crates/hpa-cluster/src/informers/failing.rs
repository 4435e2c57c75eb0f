//! The metrics APIs that currently fail.

use std::{collections::BTreeSet, mem};

use hpa_engine::model::Source;

use super::InformerChange;

/// The sources that failed in the last poll.
#[derive(Debug, Default)]
pub(super) struct FailingSources {
    sources: BTreeSet<Source>,
}

impl FailingSources {
    /// Records the results of polling a namespace. If `is_whole`, sources that were not polled are not needed any
    /// more, and their failure ends.
    pub(super) fn note(
        &mut self,
        namespace: &str,
        health: Vec<(Source, Option<String>)>,
        is_whole: bool,
    ) -> Vec<InformerChange> {
        let sources: BTreeSet<&Source> = health.iter().map(|(source, _)| source).collect();
        let mut changes = if is_whole {
            self.recover(namespace, |source| !sources.contains(source))
        } else {
            Vec::new()
        };
        for (source, why) in health {
            match why {
                Some(why) if self.sources.insert(source.clone()) => {
                    changes.push(InformerChange::Failing { source, why });
                }
                None if self.sources.remove(&source) => {
                    changes.push(InformerChange::Recovered { source });
                }
                _ => {}
            }
        }
        changes
    }

    /// Ends all failures of a namespace without HPAs.
    pub(super) fn forget(&mut self, namespace: &str) -> Vec<InformerChange> {
        self.recover(namespace, |_| true)
    }

    fn recover(
        &mut self,
        namespace: &str,
        is_over: impl Fn(&Source) -> bool,
    ) -> Vec<InformerChange> {
        let is_of = |source: &Source| matches!(source, Source::Metrics { namespace: of, .. } if of == namespace);
        let (over, rest): (BTreeSet<Source>, _) = mem::take(&mut self.sources)
            .into_iter()
            .partition(|source| is_of(source) && is_over(source));
        self.sources = rest;
        over.into_iter()
            .map(|source| InformerChange::Recovered { source })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(namespace: &str) -> Source {
        Source::Metrics {
            api: "external.metrics.k8s.io".to_owned(),
            namespace: namespace.to_owned(),
        }
    }

    fn failing() -> FailingSources {
        let mut failing = FailingSources::default();
        for namespace in ["shop", "till"] {
            let health = vec![(source(namespace), Some("no endpoints".to_owned()))];
            let event = failing.note(namespace, health, true);
            assert!(
                matches!(&event[..], [InformerChange::Failing { .. }]),
                "{event:?}"
            );
        }
        failing
    }

    #[test]
    fn failure_of_reads_that_are_no_longer_needed_is_over() {
        let recovered = [InformerChange::Recovered {
            source: source("shop"),
        }];
        let mut one = failing();
        assert_eq!(one.note("shop", Vec::new(), true), recovered);
        assert_eq!(one.note("shop", Vec::new(), true), []);
        assert_eq!(failing().forget("shop"), recovered);
    }

    #[test]
    fn failure_of_what_could_not_be_read_yet_goes_on() {
        assert_eq!(failing().note("shop", Vec::new(), false), []);
    }
}
