//! The line below the table, and the lines about what could not be read.

use hpa_engine::model::SnapshotField;
use hpa_explain::name_of;
use hpa_words::amount::{count, names};

use super::ListView;
use crate::Style;

/// The number of HPAs by state: `12 HPAs: 3 scaling, 7 held, 2 cannot scale · 1 limited at max · 3 lint errors`.
pub fn summary(view: &ListView, is_wide: bool, style: Style) -> String {
    let counts = view.counts();
    let sorts = [
        (counts.scaling, "scaling"),
        (counts.held, "held"),
        (counts.failed, "cannot scale"),
        (counts.off, "off at zero"),
        (counts.unknown, "unknown"),
    ];
    let sorts: Vec<String> = sorts
        .into_iter()
        .filter(|(number, _)| *number != 0)
        .map(|(number, sort)| format!("{number} {sort}"))
        .collect();
    let are_read = view.contexts.iter().map(|context| context.error.is_none());
    let place = of_contexts(are_read);
    let mut parts = vec![format!(
        "{}{place}: {}",
        count(counts.hpas, "HPA"),
        sorts.join(", ")
    )];
    if counts.limited_at_max != 0 {
        parts.push(format!("{} limited at max", counts.limited_at_max));
    }
    if counts.differing != 0 {
        let verb = if counts.differing == 1 {
            "differs"
        } else {
            "differ"
        };
        parts.push(format!("{} {verb} from the controller", counts.differing));
    }
    if counts.problems != 0 {
        parts.push(format!("{} with a problem", counts.problems));
    }
    parts.push(match counts.errors {
        0 => "no lint errors".to_owned(),
        errors if errors == counts.hpas_with_errors => count(errors, "lint error"),
        errors => format!(
            "{} on {}",
            count(errors, "lint error"),
            count(counts.hpas_with_errors, "HPA")
        ),
    });
    if is_wide && let Some(version) = &view.server_version {
        parts.push(format!("Kubernetes {}", version.trim_start_matches('v')));
    }
    style.clean(&parts.join(" · ")) + "\n"
}

/// ` of 3 contexts`, or ` of 2 of 3 contexts` if one was not read; empty for a single cluster.
pub(crate) fn of_contexts(are_read: impl ExactSizeIterator<Item = bool>) -> String {
    let all = are_read.len();
    match are_read.filter(|is_read| *is_read).count() {
        _ if all == 0 => String::new(),
        read if read == all => format!(" of {}", count(all, "context")),
        read => format!(" of {read} of {}", count(all, "context")),
    }
}

/// What could not be read and for which HPAs: a line for each cause that decides. Causes that only affect rules and
/// pages share one line, or have one each with `is_wide`.
pub fn not_read(view: &ListView, is_wide: bool, style: Style) -> Vec<String> {
    if view.contexts.is_empty() {
        return not_read_of(view, view.rows.len(), is_wide, style);
    }
    // The same cause in several contexts is one line.
    let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
    for context in &view.contexts {
        for line in not_read_of(&context.view, context.hpas, is_wide, style) {
            match lines.iter_mut().find(|(known, _)| *known == line) {
                Some((_, contexts)) => contexts.push(&context.name),
                None => lines.push((line, vec![&context.name])),
            }
        }
    }
    let lines = lines.into_iter().map(|(line, contexts)| {
        let noun = if contexts.len() == 1 {
            "context"
        } else {
            "contexts"
        };
        style.clean(&format!("{noun} {}: {line}", names(&contexts, MOST_NAMES)))
    });
    lines.collect()
}

/// At most this many contexts are named.
const MOST_NAMES: usize = 3;

/// The same for `hpas` HPAs, whose rows `view` may lack.
pub fn not_read_of(view: &ListView, hpas: usize, is_wide: bool, style: Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut optional = Vec::new();
    for one in &view.not_read {
        let what = name_of(&one.cause.what);
        // Which controller is recomputed is a matter of every row.
        let is_version = one.cause.what == SnapshotField::ControllerVersion;
        if !one.decides && !is_wide && !is_version {
            optional.push(what);
            continue;
        }
        let whom = if one.hpas.len() == hpas && 1 < hpas {
            format!("all {hpas} HPAs")
        } else {
            names(&one.hpas, 3)
        };
        let remedy = match &one.cause.remedy {
            Some(remedy) => format!("; {remedy}"),
            None => String::new(),
        };
        let why = &one.cause.why;
        lines.push(if is_version {
            format!("{why}{remedy}")
        } else {
            format!("not read for {whom}: {what}: {why}{remedy}")
        });
    }
    let rules = count(view.not_checked.len(), "rule");
    if is_wide {
        let kinds = view.kinds_not_read.iter();
        lines.extend(kinds.map(|(kind, why)| format!("not read: {kind}: {why}")));
        if !view.not_checked.is_empty() && !lines.is_empty() {
            lines.push(format!("{rules} of lint could not run"));
        }
    } else {
        optional.extend(view.kinds_not_read.keys().cloned());
        if !optional.is_empty() {
            let rules = match view.not_checked.len() {
                0 => String::new(),
                _ => format!("; {rules} of lint could not run"),
            };
            lines.push(format!(
                "not read: {}{rules} (-o wide says why)",
                names(&optional, optional.len())
            ));
        }
    }
    lines.iter().map(|line| style.clean(line)).collect()
}
