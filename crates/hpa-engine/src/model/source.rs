//! The sources read from a cluster.

/// A source whose reads can fail for a while.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The API server does not answer at all.
    Server,
    /// A watch on objects: `pods`, `horizontalpodautoscalers`.
    Watch {
        /// Resource, in the plural.
        resource: String,
    },
    /// One of the metrics APIs, for a namespace.
    Metrics {
        /// `metrics.k8s.io`, `custom.metrics.k8s.io` or `external.metrics.k8s.io`.
        api: String,
        /// The namespace.
        namespace: String,
    },
    /// The API server as a whole answers, but slowly.
    Answers,
}
