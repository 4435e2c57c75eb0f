//! The rows of the table and their order.

use std::cmp::Reverse;

use hpa_watch::HpaUrgency;

use super::cx::{DrawContext, HpaRow};

/// The sort column of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SortColumn {
    /// The most urgent first.
    #[default]
    Urgency,
    /// Namespace and name.
    Name,
    /// The most replicas first.
    Replicas,
    /// The highest value ÷ target first.
    Ratio,
    /// The latest change first.
    Changed,
}

impl SortColumn {
    /// The next one, wrapping around.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Urgency => Self::Name,
            Self::Name => Self::Replicas,
            Self::Replicas => Self::Ratio,
            Self::Ratio => Self::Changed,
            Self::Changed => Self::Urgency,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Urgency => "urgency",
            Self::Name => "name",
            Self::Replicas => "replicas",
            Self::Ratio => "metric against target",
            Self::Changed => "last change",
        }
    }
}

/// The sort order of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sorting {
    pub(super) column: SortColumn,
    pub(super) is_reversed: bool,
    /// Whether the HPAs of a namespace stay together.
    pub(super) is_grouped: bool,
}

impl Sorting {
    /// In words: `by name, reversed`.
    pub(super) fn in_words(self) -> String {
        let reversed = if self.is_reversed { ", reversed" } else { "" };
        let grouped = if self.is_grouped {
            ", in groups by namespace"
        } else {
            ""
        };
        format!("by {}{reversed}{grouped}", self.column.as_str())
    }
}

/// The rows of the table: HPAs that match `filter`, sorted.
pub(super) fn rows<'a>(cx: &DrawContext<'a>, sorting: Sorting, filter: &str) -> Vec<HpaRow<'a>> {
    let filter = filter.to_lowercase();
    let words: Vec<&str> = filter.split_whitespace().collect();
    let mut rows: Vec<HpaRow<'a>> = cx
        .state
        .hpas
        .iter()
        .map(|(key, hpa)| cx.row(key, hpa))
        .filter(|row| words.iter().all(|word| is_match(row, word)))
        .collect();
    // They are in the order of their names, and that is kept where nothing else differs, also in reverse.
    if sorting.is_reversed {
        rows.reverse();
    }
    match sorting.column {
        // Of thousands of HPAs it is computed once each, not for each comparison.
        SortColumn::Urgency => rows.sort_by_cached_key(urgency),
        SortColumn::Name => rows.sort_by_key(|row| row.key),
        SortColumn::Replicas => rows.sort_by_key(|row| Reverse(replicas(row))),
        SortColumn::Ratio => rows.sort_by(|one, other| ratio(other).total_cmp(&ratio(one))),
        SortColumn::Changed => rows.sort_by_key(|row| Reverse(row.changed_at())),
    }
    if sorting.is_reversed {
        rows.reverse();
    }
    if sorting.is_grouped {
        group(&mut rows);
    }
    rows
}

/// Groups the HPAs by namespace: the namespace of the first HPA comes first.
fn group(rows: &mut [HpaRow<'_>]) {
    let mut namespaces: Vec<&str> = Vec::new();
    for row in &*rows {
        if !namespaces.contains(&row.key.namespace.as_str()) {
            namespaces.push(&row.key.namespace);
        }
    }
    // The sort is stable: within a namespace the order stays.
    rows.sort_by_key(|row| {
        let of = |namespace: &&str| *namespace == row.key.namespace;
        namespaces.iter().position(of)
    });
}

/// Whether an HPA needs attention.
pub(super) fn is_urgent(row: &HpaRow<'_>) -> bool {
    urgency(row).0.is_urgent()
}

/// Whether a row has a word of the filter in its name, its answer, its rule or its alarms; `!` matches any alarm.
fn is_match(row: &HpaRow<'_>, word: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(word);
    if word == "!" {
        return !row.alarms().is_empty();
    }
    has(&row.key.to_string())
        || row.entry.is_some_and(|entry| {
            has(entry.rule.as_str()) || has(&entry.headline) || has(entry.answer.words())
        })
        || row.alarm_kinds().any(|kind| has(kind.as_str()))
}

fn replicas(row: &HpaRow<'_>) -> Option<i32> {
    let (current, desired) = row.replicas();
    current.max(desired)
}

fn ratio(row: &HpaRow<'_>) -> f64 {
    row.winner()
        .and_then(|metric| metric.ratio)
        .unwrap_or(f64::NEG_INFINITY)
}

/// The urgency, and the number of active alarms.
fn urgency(row: &HpaRow<'_>) -> (HpaUrgency, Reverse<usize>) {
    let alarms = Reverse(row.alarms().len());
    if row.is_latest && row.deleted_at == row.hpa.deleted_at {
        return (row.hpa.urgency(), alarms);
    }
    let is_deleted = row.deleted_at.is_some() || row.entry.is_none();
    let urgency = HpaUrgency::of(is_deleted, row.entry, row.alarm_kinds());
    (urgency, alarms)
}
