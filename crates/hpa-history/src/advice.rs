//! How to make the past better known.

use hpa_words::clock::span;

use crate::{
    names::{Exporter, first_version},
    series::Millis,
};

/// How to make the past better known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// kube-state-metrics is scraped less often than the controller syncs.
    ScrapeStateMoreOften {
        /// The current scrape interval.
        interval: Millis,
        /// The sync period.
        period: Millis,
    },
    /// Series are missing: their exporter, and their names.
    Export(Exporter, Vec<&'static str>),
    /// The times of the kubelet's own samples are lost.
    HonorTimestamps {
        /// From scrape to scrape.
        interval: Millis,
    },
    /// Scrapes of cAdvisor miss samples that metrics-server can have used.
    ScrapeUsageMoreOften {
        /// From sample to sample.
        interval: Millis,
    },
    /// A query can show the values of these metrics between the scrapes.
    GiveQueries(Vec<String>),
    /// The server has more data to read.
    ReadDeeper,
}

/// A longer interval does not occur: Prometheus treats a series as gone after 5 min.
const SPARSE: Millis = 180_000;

impl Advice {
    /// A stable key.
    pub fn key(&self) -> &'static str {
        match self {
            Self::ScrapeStateMoreOften { .. } => "scrapeStateMoreOften",
            Self::Export(..) => "export",
            Self::HonorTimestamps { .. } => "honorTimestamps",
            Self::ScrapeUsageMoreOften { .. } => "scrapeUsageMoreOften",
            Self::GiveQueries(_) => "giveQueries",
            Self::ReadDeeper => "readDeeper",
        }
    }

    /// The advice in one or two sentences.
    pub fn sentence(&self) -> String {
        let seconds = |millis: Millis| span(millis as f64 / 1000.0);
        match self {
            Self::ScrapeStateMoreOften { interval, period } if SPARSE <= *interval => format!(
                "The server has a sample of the HPA series every {}, but the controller syncs every {}: about {}% of the syncs are not seen. If samples are thinned out (deduplication, downsampling), read the server that still has all of them, else scrape kube-state-metrics every {}.",
                seconds(*interval),
                seconds(*period),
                100 - 100 * period / interval.max(period),
                seconds(*period),
            ),
            Self::ScrapeStateMoreOften { interval, period } => format!(
                "kube-state-metrics is scraped every {}, but the controller syncs every {}: about {}% of the syncs are not seen. Scrape its HPA series every {}.",
                seconds(*interval),
                seconds(*period),
                100 - 100 * period / interval.max(period),
                seconds(*period),
            ),
            Self::Export(Exporter::KubeStateMetrics, names) => format!(
                "The server has no samples of {}. Allow them in kube-state-metrics' --metric-allowlist and in the relabeling of the scrape.{}",
                names.join(", "),
                versions(names)
            ),
            Self::Export(Exporter::Cadvisor, names) => format!(
                "The server has no samples of {}. Keep them in the scrape of the kubelet's /metrics/cadvisor.",
                names.join(", ")
            ),
            Self::Export(Exporter::Keda, names) => format!(
                "The server has no samples of {} for this HPA. Scrape /metrics of KEDA's operator, port 8080. In KEDA's Helm chart, set prometheus.operator.enabled; for the Prometheus operator, set prometheus.operator.serviceMonitor.enabled as well.",
                names.join(", ")
            ),
            Self::HonorTimestamps { interval } => format!(
                "cAdvisor is scraped every {}, and its own timestamps are dropped: honorTimestamps: true and a scrape every 10 s show every value that metrics-server can have used.",
                seconds(*interval)
            ),
            Self::ScrapeUsageMoreOften { interval } => format!(
                "The server has a sample of each container about every {}, and metrics-server can have used others. Scrape the kubelet's /metrics/cadvisor every 10 s.",
                seconds(*interval)
            ),
            Self::GiveQueries(metrics) => {
                let flag = |metric: &String| format!("--metric-query '{metric}=QUERY'");
                let flags: Vec<String> = metrics.iter().map(flag).collect();
                format!(
                    "The values of {} between two scrapes are unknown. If a query of the monitoring server returns them, add {}.",
                    metrics.join(", "),
                    flags.join(" ")
                )
            }
            Self::ReadDeeper => {
                "Only the HPA was read: --depth usage also reads its pods and what they use."
                    .to_owned()
            }
        }
    }
}

/// Which of these series an old kube-state-metrics does not have.
fn versions(names: &[&str]) -> String {
    let needs = |name: &&str| Some(format!("{name} needs {} or newer", first_version(name)?));
    let needs: Vec<String> = names.iter().filter_map(needs).collect();
    if needs.is_empty() {
        String::new()
    } else {
        format!(
            " Check the version of kube-state-metrics: {}.",
            needs.join(", ")
        )
    }
}
