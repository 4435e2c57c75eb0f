//! The pods that the selector matches as tables: classes, startup, containers.

use hpa_analysis::Belonging;
use hpa_explain::{ContainerView, Page, PodView};
use hpa_words::clock::rough;

use crate::{
    sections,
    style::{Role, Style},
    styled::StyledText,
    table::Table,
};

/// Writes every pod: class, sample, request and reason; startup and owner; containers.
pub(super) fn write_pods(page: &Page, style: Style, out: &mut StyledText) {
    let pods = &page.pods;
    // Below, with the whole chain.
    let classes = sections::pods(page).without("owner");
    let header = classes.columns.iter().map(|(name, _)| name.to_uppercase());
    let rows = classes.rows.into_iter().map(|(role, cells)| {
        let cells: Vec<_> = cells.iter().map(|cell| or_dash(Some(cell))).collect();
        (role, cells)
    });
    write_table(header, rows, style, out);
    out.push_blank();
    write_starts(pods, style, out);
    if pods.iter().any(|pod| !pod.containers.is_empty()) {
        out.push_blank();
        write_containers(pods, style, out);
    }
}

fn write_starts(pods: &[PodView], style: Style, out: &mut StyledText) {
    let rows = pods.iter().map(|pod| {
        let startup = &pod.startup;
        let owner = pod.owner_chain.last();
        let is_foreign = pod.belonging == Belonging::Other;
        let cells = [
            pod.name.clone(),
            or_dash(startup.age.map(rough).as_ref()),
            or_dash(startup.time_to_ready.map(rough).as_ref()),
            or_dash(startup.ready_since_time.as_ref()),
            or_dash(startup.sample_from_time.as_ref()),
            match owner {
                Some(owner) if is_foreign => format!("{owner} (not the target)"),
                None if is_foreign => "none (not the target)".to_owned(),
                owner => or_dash(owner),
            },
        ];
        let role = if is_foreign {
            Role::Warning
        } else {
            Role::Text
        };
        (role, cells)
    });
    let header = ["POD", "AGE", "TO READY", "READY AT", "SAMPLED", "OWNER"];
    write_table(header, rows, style, out);
}

fn write_containers(pods: &[PodView], style: Style, out: &mut StyledText) {
    let mut containers: Vec<(&PodView, &ContainerView)> = pods
        .iter()
        .flat_map(|pod| pod.containers.iter().map(move |container| (pod, container)))
        .collect();
    containers.sort_by_key(|(_, container)| !container.lacks_request);
    let mut previous = "";
    let rows: Vec<_> = containers
        .into_iter()
        .map(|(pod, container)| {
            // Further containers of one pod are listed below the first.
            let name = if previous == pod.name { "" } else { &pod.name };
            previous = &pod.name;
            let role = if container.lacks_request {
                Role::Error
            } else {
                Role::Text
            };
            let cells = [
                name.to_owned(),
                container.name.clone(),
                or_dash(container.request.as_ref()),
                or_dash(container.limit.as_ref()),
                or_dash(container.usage.as_ref()),
                remark(container),
            ];
            (role, cells)
        })
        .collect();
    let header = ["POD", "CONTAINER", "REQUEST", "LIMIT", "USAGE", ""];
    write_table(header, rows.into_iter(), style, out);
}

fn remark(container: &ContainerView) -> String {
    let mut parts = Vec::new();
    if container.lacks_request {
        parts.push("no request");
    }
    if container.is_injected {
        parts.push("injected: not in the template");
    }
    parts.join(", ")
}

fn or_dash(text: Option<&String>) -> String {
    let text = text.filter(|text| !text.is_empty());
    text.cloned().unwrap_or_else(|| "-".to_owned())
}

/// Writes a table; its last column goes below each row if there is no room next to it.
fn write_table<H: Into<String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl Iterator<Item = (Role, impl IntoIterator<Item = String>)>,
    style: Style,
    out: &mut StyledText,
) {
    let mut table = Table::new(style);
    table.push(Role::Text, header);
    for (role, cells) in rows {
        table.push(role, cells);
    }
    table.write_rows(LAST_COLUMN, 2, out);
}

/// Columns that the last column needs to be readable.
const LAST_COLUMN: usize = 16;
