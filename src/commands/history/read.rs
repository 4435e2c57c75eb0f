//! Reads the current HPA from the cluster and its past from the monitoring server.

use futures::future::{try_join, try_join_all};
use hpa_cluster::Client;
use hpa_history::{
    About, Depth, ReadPast, Series, SeriesSet, can_own_replica_sets, names_of, replicas,
};
use hpa_objects::recording::Snapshot;
use hpa_prometheus::{RequiredSeries, Selector, Settings};
use hpa_words::program::typed;
use jiff::SignedDuration;

use super::{metric_values, span::Span};
use crate::{
    cli::{HistoryArgs, MetricQuery},
    process::runtime::{finish, noting_slowness, only_hpa, with_progress},
};

/// The data that was read.
pub(super) struct Read {
    /// The current HPA and its context.
    pub(super) snapshot: Snapshot,
    /// Its past.
    pub(super) past: ReadPast,
}

/// Reads one HPA.
pub(super) fn one(args: &HistoryArgs, depth: Depth, span: Span) -> anyhow::Result<Read> {
    let settings = Settings::of(&args.prometheus)?;
    finish(async {
        let advice = format!("name one of them, such as `{}`", typed("history web"));
        let (client, mut snapshot) =
            Box::pin(only_hpa(&args.selection, &args.connection, &advice)).await?;
        args.controller.apply(&mut snapshot)?;
        let queries = &args.metric_queries;
        Box::pin(past_of(&client, &settings, snapshot, depth, span, queries)).await
    })
}

/// Reads the past of an HPA that was already read.
pub(super) async fn past_of(
    client: &Client,
    settings: &Settings,
    snapshot: Snapshot,
    depth: Depth,
    span: Span,
    queries: &[MetricQuery],
) -> anyhow::Result<Read> {
    let (hpa, _) = snapshot.hpa_and_controller()?;
    let target = &hpa.spec.scale_target;
    let selectors = selectors(
        depth,
        &hpa.namespace,
        &hpa.name,
        (&target.kind, &target.name),
    );
    let required = RequiredSeries {
        selector: selectors[0].0.clone(),
        at: span.to,
    };
    let connecting = Box::pin(hpa_prometheus::connect(client, settings, Some(&required)));
    let server = noting_slowness(connecting).await?;
    let progress = server.progress();
    let reading = async {
        let reads = selectors
            .iter()
            .map(|(selector, before)| server.raw(selector, span.from - *before, span.to));
        let metric_values = async {
            if depth < Depth::Usage {
                return Ok((Vec::new(), Vec::new()));
            }
            metric_values::read(&server, (&snapshot, &hpa), queries, span).await
        };
        let series = async { Ok(try_join_all(reads).await?) };
        let (series, metric_values) = try_join(series, metric_values).await?;
        anyhow::Ok((series_of(series), metric_values))
    };
    let (mut series, (metric_values, of_keda)) = with_progress(&progress, reading).await?;
    if series.is_empty() {
        let of = hpa.key().to_string();
        server.check_cluster_labels(&of, &required).await?;
    }
    series.extend(of_keda);
    let mut warnings = server.notes().to_vec();
    warnings.extend(server.take_warnings());
    Ok(Read {
        snapshot,
        past: ReadPast {
            set: SeriesSet::new(series),
            metric_values,
            server: format!("{} {}", server.kind(), server.place()),
            warnings,
        },
    })
}

/// Converts what was read.
pub(super) fn series_of(found: Vec<Vec<hpa_prometheus::Series>>) -> Vec<Series> {
    let found = found.into_iter().flatten();
    found
        .map(|one| Series {
            labels: one.labels,
            samples: one.samples,
        })
        .collect()
}

/// The series of one HPA, and how long before the start each is needed.
fn selectors(
    depth: Depth,
    namespace: &str,
    hpa: &str,
    (kind, target): (&str, &str),
) -> Vec<(Selector, SignedDuration)> {
    let names =
        |about: &[About]| Selector::any_of(&names_of(depth, about)).is("namespace", namespace);
    let mut selectors = vec![
        names(&[
            About::Decisions,
            About::Values,
            About::Conditions,
            About::Bounds,
            About::Targets,
            About::ScaleTarget,
            About::Edits,
            About::Tolerances,
        ])
        .is("horizontalpodautoscaler", hpa),
    ];
    if let Some((spec, status)) = replicas(kind) {
        selectors.push(
            Selector::any_of(&[spec, status])
                .is("namespace", namespace)
                .is(&kind.to_lowercase(), target),
        );
    }
    // The API server shortens the names of objects before it appends a number.
    let prefix = match target.char_indices().nth(LONGEST_PREFIX) {
        Some((end, _)) => target[..end].to_owned(),
        None => format!("{target}-"),
    };
    if Depth::Pods <= depth {
        if can_own_replica_sets(kind) {
            selectors.push(
                Selector::new("kube_replicaset_owner")
                    .is("namespace", namespace)
                    .starts_with("replicaset", &prefix),
            );
        }
        selectors.push(
            names(&[
                About::Pods,
                About::Readiness,
                About::Requests,
                About::Sidecars,
                About::Limits,
            ])
            .starts_with("pod", &prefix),
        );
    }
    let mut selectors: Vec<(Selector, SignedDuration)> = selectors
        .into_iter()
        .map(|selector| (selector, SignedDuration::ZERO))
        .collect();
    if Depth::Usage <= depth {
        let usage = names(&[About::Usage, About::Starts, About::Throttling])
            .starts_with("pod", &prefix)
            .is_not("container", "")
            .is_not("container", "POD");
        selectors.push((usage, OLDEST_SAMPLE));
    }
    selectors
}

/// A sample of metrics-server comes from the last two readings of the kubelet, which may be this old.
const OLDEST_SAMPLE: SignedDuration = SignedDuration::from_mins(2);

/// Names of pods and ReplicaSets start with at least this much of the name of their target.
const LONGEST_PREFIX: usize = 45;
