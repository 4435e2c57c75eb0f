//! The past of many HPAs: which of them need attention.

use std::cmp::Reverse;

use anyhow::bail;
use futures::future::try_join_all;
use hpa_engine::model::HpaKey;
use hpa_history::{
    Advice, CONDITION, CURRENT, DESIRED, Exporter, MAX, OVERVIEW_CONDITIONS, OverviewContext,
    OverviewReport, OverviewRow, Series, SeriesSet, overview,
};
use hpa_objects::recording::{visible, wire};
use hpa_prometheus::{Place, RequiredSeries, Selector, Server, Settings};
use hpa_render::history as render;
use hpa_words::program::typed;
use jiff::tz::TimeZone;

use super::{read::series_of, span::Span};
use crate::{
    cli::{ColorChoice, DepthArg, HistoryArgs, HistoryFormat},
    commands::clusters::{ClusterAccess, ClusterOutcome, Clusters, Reads, Unread},
    exit_code::ExitStatus,
    process::{
        pager,
        runtime::{with_others, with_progress},
        terminal,
    },
};

/// Prints the overview.
pub(super) fn run(
    args: &HistoryArgs,
    span: Span,
    zone: &TimeZone,
    color: ColorChoice,
) -> anyhow::Result<ExitStatus> {
    let settings = Settings::of(&args.prometheus)?;
    if args.contexts.is_given() {
        check(args, &settings)?;
    }
    refuse_flags_of_one_hpa(args)?;
    let clusters = Clusters::of(&args.contexts, &args.connection)?;
    let reads = clusters.read(async |access| read(args, &settings, span, zone, access).await)?;
    let (report, unread) = match reads {
        Reads::One(report) => (report, Unread::default()),
        Reads::Several(reads) => {
            let unread = Unread::of(&reads);
            (together(reads, span, zone), unread)
        }
    };
    let text = match args.output {
        HistoryFormat::Json => visible::json_pretty(&render::overview_json(&report))?,
        HistoryFormat::Csv => render::overview_csv(&report),
        _ => render::overview_text(&report, !args.no_headers, terminal::style(color)),
    };
    let is_page = matches!(args.output, HistoryFormat::Text | HistoryFormat::Wide);
    pager::print(&text, args.pager, is_page)?;
    Ok(unread.report())
}

/// Rejects options that make sense for one cluster only.
fn check(args: &HistoryArgs, settings: &Settings) -> anyhow::Result<()> {
    if matches!(args.depth, Some(DepthArg::Pods | DepthArg::Usage)) {
        bail!(
            "several clusters are read with --depth hpa only: leave --depth out, or name one context with --context"
        );
    }
    if matches!(settings.place, Place::Url(_)) {
        bail!(
            "--prometheus: a URL is one server, which cannot distinguish the clusters of several contexts: use service:NAMESPACE/NAME:PORT, \
             which each cluster has, or read one context after the other with --context and --cluster-label"
        );
    }
    Ok(())
}

/// Rejects flags that have an effect for one HPA only.
fn refuse_flags_of_one_hpa(args: &HistoryArgs) -> anyhow::Result<()> {
    let flags = [
        ("-o html", args.output == HistoryFormat::Html),
        ("--depth pods", args.depth == Some(DepthArg::Pods)),
        ("--depth usage", args.depth == Some(DepthArg::Usage)),
        ("--set", !args.assignments.is_empty()),
        ("--compare", !args.variants.is_empty()),
        ("--price", args.price.is_some()),
        ("--metric-query", !args.metric_queries.is_empty()),
        ("--record", args.record.is_some()),
    ];
    let mut given = flags.into_iter().filter(|(_, is_given)| *is_given);
    let given = given.next().map(|(flag, _)| flag);
    if let Some(flag) = given.or(args.controller.first_given()) {
        bail!(
            "{flag} is for one HPA: name it, such as `{}`",
            typed("history web")
        );
    }
    Ok(())
}

/// The past of the HPAs of several clusters.
fn together(
    reads: Vec<(String, ClusterOutcome<OverviewReport>)>,
    span: Span,
    zone: &TimeZone,
) -> OverviewReport {
    let mut report = OverviewReport {
        from: span.from,
        to: span.to,
        zone: zone.clone(),
        server: None,
        rows: Vec::new(),
        warnings: Vec::new(),
        contexts: Vec::new(),
    };
    for (name, read) in reads {
        let mut context = OverviewContext {
            name: name.clone(),
            server: None,
            hpas: 0,
            error: None,
        };
        match read {
            ClusterOutcome::Read(one) => {
                context.server = one.server;
                context.hpas = one.rows.len();
                let warnings = one.warnings.into_iter();
                report
                    .warnings
                    .extend(warnings.map(|warning| format!("context {name}: {warning}")));
                report
                    .rows
                    .extend(one.rows.into_iter().map(|row| OverviewRow {
                        context: Some(name.clone()),
                        ..row
                    }));
            }
            ClusterOutcome::Nothing(_) => {}
            ClusterOutcome::Failed(why) => context.error = Some(why),
        }
        report.contexts.push(context);
    }
    sort(&mut report.rows);
    report
}

fn sort(rows: &mut [OverviewRow]) {
    rows.sort_by_key(|row| (Reverse(row.urgency()), row.key.clone()));
}

/// Reads the overview of one cluster.
pub(super) async fn read(
    args: &HistoryArgs,
    settings: &Settings,
    span: Span,
    zone: &TimeZone,
    access: &ClusterAccess,
) -> anyhow::Result<OverviewReport> {
    let (client, selection) = access.connect(&args.selection).await?;
    let hpas = access
        .noting_slowness(hpa_cluster::hpas(&client, &selection))
        .await;
    let hpas = with_others(&client, &selection, hpas).await?;
    let decisions = of_hpas(Selector::any_of(&[DESIRED, CURRENT, MAX]), &hpas);
    let required = RequiredSeries {
        selector: decisions.clone(),
        at: span.to,
    };
    let connecting = Box::pin(hpa_prometheus::connect(&client, settings, Some(&required)));
    let server = access.noting_slowness(connecting).await?;
    let progress = server.progress();
    let reading = all(&server, decisions, &hpas, span);
    let series = if access.is_alone() {
        with_progress(&progress, reading).await?
    } else {
        reading.await?
    };
    if series.is_empty() {
        let checking = server.check_cluster_labels("these HPAs", &required);
        checking.await?;
    }
    let set = SeriesSet::new(series);
    let mut courses = overview(&set);
    let mut rows: Vec<OverviewRow> = hpas
        .iter()
        .map(|hpa| {
            let key = HpaKey {
                namespace: hpa.metadata.namespace.clone().unwrap_or_default(),
                name: hpa.metadata.name.clone(),
            };
            let target = &hpa.spec.scale_target_ref;
            OverviewRow {
                context: None,
                target: format!("{}/{}", target.kind, target.name),
                max: hpa.spec.max_replicas,
                course: courses.remove(&(key.namespace.clone(), key.name.clone())),
                impossible: set
                    .impossible()
                    .iter()
                    .filter(|one| {
                        one.hpa.as_ref().is_some_and(|(namespace, name)| {
                            (namespace, name) == (&key.namespace, &key.name)
                        })
                    })
                    .cloned()
                    .collect(),
                key,
            }
        })
        .collect();
    sort(&mut rows);
    let mut warnings = server.notes().to_vec();
    warnings.extend(server.take_warnings());
    warnings.extend(missing(&set).map(|advice| advice.sentence()));
    Ok(OverviewReport {
        from: span.from,
        to: span.to,
        zone: zone.clone(),
        server: Some(format!("{} {}", server.kind(), server.place())),
        rows,
        warnings,
        contexts: Vec::new(),
    })
}

async fn all(
    server: &Server<'_>,
    decisions: Selector,
    hpas: &[wire::Hpa],
    span: Span,
) -> anyhow::Result<Vec<Series>> {
    let mut selectors = vec![decisions];
    for (condition, status) in OVERVIEW_CONDITIONS {
        let selector = of_hpas(Selector::new(CONDITION), hpas);
        selectors.push(selector.is("condition", condition).is("status", status));
    }
    let reads = selectors
        .iter()
        .map(|selector| server.raw(selector, span.from, span.to));
    Ok(series_of(try_join_all(reads).await?))
}

/// How to export the series that no HPA has. None: none is missing, or all are, because nothing was kept of that time.
fn missing(set: &SeriesSet) -> Option<Advice> {
    let (found, missing): (Vec<_>, Vec<_>) = [DESIRED, CURRENT, MAX, CONDITION]
        .into_iter()
        .partition(|name| !set.of(name).is_empty());
    let is_some = !found.is_empty() && !missing.is_empty();
    is_some.then_some(Advice::Export(Exporter::KubeStateMetrics, missing))
}

/// With more names, all HPAs of the namespaces are read.
const MOST_NAMES: usize = 50;

fn of_hpas(selector: Selector, hpas: &[wire::Hpa]) -> Selector {
    let mut namespaces: Vec<&str> = hpas
        .iter()
        .filter_map(|hpa| hpa.metadata.namespace.as_deref())
        .collect();
    namespaces.sort_unstable();
    namespaces.dedup();
    let selector = if namespaces.len() <= MOST_NAMES {
        selector.is_one_of("namespace", &namespaces)
    } else {
        selector
    };
    if hpas.len() <= MOST_NAMES {
        let names: Vec<&str> = hpas.iter().map(|hpa| hpa.metadata.name.as_str()).collect();
        selector.is_one_of("horizontalpodautoscaler", &names)
    } else {
        selector
    }
}
