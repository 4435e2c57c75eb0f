//! The view that all formats of `list` share.

use std::collections::BTreeMap;

use hpa_engine::model::NotRead;
use hpa_explain::{Overview, OverviewState, Urgency};
use hpa_lint::HpaDrift;
use schemars::JsonSchema;
use serde::Serialize;

use super::json::ListSummary;

/// The content of the list.
#[derive(Clone, Debug, Default)]
pub struct ListView {
    /// A row for each HPA, in display order.
    pub rows: Vec<ListRow>,
    /// What could not be read; what decides comes first.
    pub not_read: Vec<NotReadOf>,
    /// Kinds of objects that `lint` rules need and that could not be read, and why.
    pub kinds_not_read: BTreeMap<String, String>,
    /// Codes of the `lint` rules that could not run on at least one HPA.
    pub not_checked: Vec<&'static str>,
    /// The server's version string.
    pub server_version: Option<String>,
    /// The clusters of several contexts, in the order of the flags, each with its own view; empty: the rows are from
    /// one cluster.
    pub contexts: Vec<ListContext>,
    /// Fields in which HPAs of one name differ between the contexts.
    pub drift: Vec<HpaDrift>,
}

/// The cluster of one of several contexts.
#[derive(Clone, Debug)]
pub struct ListContext {
    /// Name of the context.
    pub name: String,
    /// The number of its HPAs in the list.
    pub hpas: usize,
    /// Why it could not be read; none: it was read.
    pub error: Option<String>,
    /// Its view, without rows.
    pub view: ListView,
}

/// One HPA.
#[derive(Clone, Debug)]
pub struct ListRow {
    /// The context of its cluster; none: the list covers one cluster.
    pub context: Option<String>,
    /// The verdict and its inputs.
    pub overview: Overview,
    /// `metadata.labels`.
    pub labels: BTreeMap<String, String>,
    /// `lint` findings of severity error, by code.
    pub errors: Vec<ErrorFinding>,
}

/// A `lint` finding of severity error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename = "ListError")]
pub struct ErrorFinding {
    /// Code of the rule, such as `HPA401`.
    pub code: &'static str,
    /// Its name.
    // Such as `target-not-found`.
    pub name: &'static str,
    /// The field of the HPA.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

/// Something that could not be read, and for which HPAs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReadOf {
    /// What, why, and what would help.
    pub cause: NotRead,
    /// Whether it decides.
    pub decides: bool,
    /// `namespace/name` of the HPAs concerned.
    pub hpas: Vec<String>,
}

impl ListView {
    /// The view of each cluster without its rows, with its context if there are several.
    pub(super) fn clusters(&self) -> Vec<(Option<&ListContext>, &Self)> {
        if self.contexts.is_empty() {
            return vec![(None, self)];
        }
        let contexts = self.contexts.iter();
        contexts.map(|one| (Some(one), &one.view)).collect()
    }

    /// The number of HPAs by state.
    pub fn counts(&self) -> ListSummary {
        let mut counts = ListSummary {
            hpas: self.rows.len(),
            ..ListSummary::default()
        };
        for row in &self.rows {
            *match row.overview.state {
                OverviewState::Scaling => &mut counts.scaling,
                OverviewState::Held => &mut counts.held,
                OverviewState::Failed => &mut counts.failed,
                OverviewState::Off => &mut counts.off,
                OverviewState::Unknown => &mut counts.unknown,
            } += 1;
            counts.limited_at_max += usize::from(row.overview.is_limited_at_max());
            counts.problems += usize::from(row.overview.urgency == Urgency::Problem);
            counts.differing += usize::from(row.overview.written.is_some());
            counts.errors += row.errors.len();
            counts.hpas_with_errors += usize::from(!row.errors.is_empty());
        }
        counts
    }
}
