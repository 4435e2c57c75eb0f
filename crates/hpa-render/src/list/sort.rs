//! The order of the rows.

use std::cmp::{Ordering, Reverse};

use anyhow::bail;
use kubectl_jsonpath::Template;
use serde_json::Value;

use super::{ListRow, ListedHpa};

/// The keys of `--sort-by` that have a name.
pub const SORT_KEYS: [&str; 10] = [
    "age",
    "context",
    "current",
    "desired",
    "findings",
    "name",
    "namespace",
    "unmet",
    "urgency",
    "verdict",
];

/// The sort key of the rows.
#[derive(Clone, Debug, PartialEq)]
pub enum SortKey {
    /// The most recently scaled first; those that never scaled come last.
    Age,
    /// By context, then by namespace and name.
    Context,
    /// Most replicas first.
    Current,
    /// Most replicas first.
    Desired,
    /// Most findings of severity error first.
    Findings,
    /// A field of the item's JSON, the lowest first as in kubectl.
    Json(Template),
    /// By name.
    Name,
    /// By namespace, then by name.
    Namespace,
    /// The largest unmet demand first.
    Unmet,
    /// The most urgent first.
    Urgency,
    /// By the words of the verdict.
    Verdict,
}

impl SortKey {
    /// Parses the value of `--sort-by`.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        Ok(match text {
            "age" => Self::Age,
            "context" => Self::Context,
            "current" => Self::Current,
            "desired" => Self::Desired,
            "findings" => Self::Findings,
            "name" => Self::Name,
            "namespace" => Self::Namespace,
            "unmet" => Self::Unmet,
            "urgency" => Self::Urgency,
            "verdict" => Self::Verdict,
            _ if text.starts_with('{') => Self::Json(Template::parse(text)?),
            _ if text.contains('.') => Self::Json(Template::parse(&format!(
                "{{.{}}}",
                text.trim_start_matches('.')
            ))?),
            _ => bail!(
                "invalid --sort-by {text:?}: use {}, or a JSONPath such as .verdict.rule",
                SORT_KEYS.join(", ")
            ),
        })
    }

    /// Sorts the rows. The sort is stable.
    pub fn sort(&self, rows: &mut Vec<ListRow>) -> anyhow::Result<()> {
        let full = |row: &ListRow| (row.overview.namespace.clone(), row.overview.name.clone());
        match self {
            Self::Age => rows.sort_by_key(|row| Reverse(row.overview.last_scale_time)),
            Self::Context => rows.sort_by_key(|row| (row.context.clone(), full(row))),
            Self::Current => rows.sort_by_key(|row| Reverse(row.overview.verdict.from)),
            Self::Desired => rows.sort_by_key(|row| Reverse(row.overview.verdict.to)),
            Self::Findings => rows.sort_by_key(|row| Reverse(row.errors.len())),
            Self::Json(template) => return sort_by_json(template, rows),
            Self::Name => rows.sort_by_key(|row| (row.overview.name.clone(), full(row))),
            Self::Namespace => rows.sort_by_key(full),
            Self::Unmet => rows.sort_by_key(|row| row.overview.unmet.by_total()),
            Self::Urgency => {
                rows.sort_by_key(|row| (row.overview.by_urgency(), Reverse(row.errors.len())));
            }
            Self::Verdict => rows.sort_by_key(|row| row.overview.answer.words().to_owned()),
        }
        Ok(())
    }
}

/// As in kubectl, the lowest first, and rows without the field before all others; a field that no row has is an error.
fn sort_by_json(template: &Template, rows: &mut Vec<ListRow>) -> anyhow::Result<()> {
    let mut keyed = Vec::new();
    for row in rows.drain(..) {
        let document = serde_json::to_value(ListedHpa::from(&row))?;
        let found = template.first(&document)?;
        keyed.push((found, row));
    }
    if !keyed.is_empty() && keyed.iter().all(|(found, _)| found.is_none()) {
        bail!("no HPA has the field {:?}", template.text());
    }
    keyed.sort_by(|(one, _), (other, _)| compare(one.as_ref(), other.as_ref()));
    rows.extend(keyed.into_iter().map(|(_, row)| row));
    Ok(())
}

fn compare(one: Option<&Value>, other: Option<&Value>) -> Ordering {
    match (one, other) {
        (Some(Value::Number(one)), Some(Value::Number(other))) => {
            match (one.as_i64(), other.as_i64()) {
                (Some(one), Some(other)) => one.cmp(&other),
                _ => one
                    .as_f64()
                    .partial_cmp(&other.as_f64())
                    .unwrap_or(Ordering::Equal),
            }
        }
        (Some(Value::String(one)), Some(Value::String(other))) => one.cmp(other),
        (Some(Value::Bool(one)), Some(Value::Bool(other))) => one.cmp(other),
        (one, other) => rank(one).cmp(&rank(other)),
    }
}

/// The order of values of different types.
fn rank(value: Option<&Value>) -> u8 {
    match value {
        None => 0,
        Some(Value::Null) => 1,
        Some(Value::Bool(_)) => 2,
        Some(Value::Number(_)) => 3,
        Some(Value::String(_)) => 4,
        Some(Value::Array(_) | Value::Object(_)) => 5,
    }
}
