//! The past of many HPAs: which of them to look at first.

use jiff::tz::TimeZone;

use super::span::Span;
use crate::{
    cli::{ColorChoice, HistoryArgs, HistoryFormat},
    cluster,
    commands::{
        pager,
        runtime::{connect_for, noting_slowness, runtime, with_others},
        terminal,
    },
    exit_code::ExitStatus,
    history::{CONDITION, CURRENT, DESIRED, MAX, OVERVIEW_CONDITIONS, Series, SeriesSet, overview},
    model::HpaKey,
    monitoring::{self, RequiredSeries, Selector, Server, Settings, with_progress},
    recording::{visible, wire},
    render::history::{self as render, OverviewReport, OverviewRow},
};

/// Prints it.
pub(super) fn run(
    args: &HistoryArgs,
    span: Span,
    zone: &TimeZone,
    color: ColorChoice,
) -> anyhow::Result<ExitStatus> {
    let report = read(args, span, zone)?;
    let text = match args.output {
        HistoryFormat::Text | HistoryFormat::Wide => {
            render::overview_text(&report, terminal::style(color))
        }
        HistoryFormat::Json => visible::json_pretty(&render::overview_json(&report))?,
        HistoryFormat::Csv => render::overview_csv(&report),
        HistoryFormat::Html => anyhow::bail!("-o html is for one HPA: name it"),
    };
    let is_page = matches!(args.output, HistoryFormat::Text | HistoryFormat::Wide);
    pager::print(&text, !is_page)?;
    Ok(ExitStatus::Success)
}

/// Reads it.
pub(super) fn read(
    args: &HistoryArgs,
    span: Span,
    zone: &TimeZone,
) -> anyhow::Result<OverviewReport> {
    let settings = Settings::of(&args.prometheus)?;
    runtime()?.block_on(async {
        let (client, selection) = connect_for(&args.selection, &args.connection).await?;
        let hpas = noting_slowness(cluster::hpas(&client, &selection)).await;
        let hpas = with_others(&client, &selection, hpas).await?;
        let decisions = of_hpas(Selector::any_of(&[DESIRED, CURRENT, MAX]), &hpas);
        let required = RequiredSeries {
            selector: decisions.clone(),
            at: span.to,
        };
        let server = noting_slowness(Box::pin(monitoring::connect(
            &client,
            &settings,
            Some(&required),
        )))
        .await?;
        let progress = server.progress();
        let series = with_progress(&progress, all(&server, decisions, &hpas, span)).await?;
        let mut courses = overview(&SeriesSet::new(series));
        let mut rows: Vec<OverviewRow> = hpas
            .iter()
            .map(|hpa| {
                let key = HpaKey {
                    namespace: hpa.metadata.namespace.clone().unwrap_or_default(),
                    name: hpa.metadata.name.clone(),
                };
                let target = &hpa.spec.scale_target_ref;
                OverviewRow {
                    target: format!("{}/{}", target.kind, target.name),
                    max: hpa.spec.max_replicas,
                    course: courses.remove(&(key.namespace.clone(), key.name.clone())),
                    key,
                }
            })
            .collect();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.urgency()), row.key.clone()));
        let mut warnings = server.notes().to_vec();
        warnings.extend(server.take_warnings());
        Ok(OverviewReport {
            from: span.from,
            to: span.to,
            zone: zone.clone(),
            server: format!("{} {}", server.kind(), server.place()),
            rows,
            warnings,
        })
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
    let mut series = Vec::new();
    for selector in selectors {
        let found = server.raw(&selector, span.from, span.to).await?;
        series.extend(found.into_iter().map(|one| Series {
            labels: one.labels,
            samples: one.samples,
        }));
    }
    Ok(series)
}

/// With more names than this, all HPAs of the namespaces are read.
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
