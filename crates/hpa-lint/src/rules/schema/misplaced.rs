//! Unknown fields that explain why others are missing: one mistake, and not two.

use super::{
    absent::listed,
    fields,
    old_form::new_form,
    other_names::MOVED,
    removed_api_version,
    unknown_field::{Intended, Unknown, unknown_fields},
};
use crate::{FixStep, Manifest, is_within};

/// An unknown field that explains why another one is missing.
pub(super) struct Misplaced {
    /// Its path, as written; or that of the metric's source, if several of its fields are unknown.
    pub(super) path: String,
    /// The unknown fields, below the metric.
    pub(super) fields: String,
    /// The missing field, in the shape of `autoscaling/v2`.
    pub(super) missing: String,
    /// The advice.
    pub(super) help: String,
    /// The fix, if known.
    pub(super) fix: Vec<FixStep>,
}

impl Misplaced {
    /// Whether a missing field is the one that is meant, or a part of it.
    pub(super) fn explains_lack_of(&self, field: &str) -> bool {
        is_within(field, &self.missing) || is_within(&self.missing, field)
    }
}

/// The unknown fields that explain why others are missing. Those of one metric in the form of `v2beta1` are one.
pub(super) fn misplaced(manifest: &Manifest) -> Vec<Misplaced> {
    let version = manifest.version();
    let Some(fields) = fields::of_version(version) else {
        return Vec::new();
    };
    let is_v2 = fields::of_version("v2")
        .is_some_and(|fields| unknown_fields(&manifest.source.node, fields).is_empty());
    let unknown = unknown_fields(&manifest.source.node, fields);
    let mut found: Vec<Misplaced> = Vec::new();
    for one in &unknown {
        if let Some(source) = one.old_source(version) {
            if found.iter().all(|known| known.missing != source) {
                let of_source = unknown
                    .iter()
                    .filter(|one| one.old_source(version) == Some(source));
                found.push(old_metric(manifest, source, &of_source.collect::<Vec<_>>()));
            }
            continue;
        }
        let intended = one.intended(fields, version);
        let Some(missing) = one.missing(&intended, version) else {
            continue;
        };
        let (help, fix) = match intended {
            _ if is_v2 => (
                "write apiVersion: autoscaling/v2, which has it".to_owned(),
                vec![removed_api_version::write_v2()],
            ),
            Intended::Renamed(key) => (
                format!("write {key}"),
                vec![FixStep::RenameKey {
                    path: one.path.clone(),
                    key: key.to_owned(),
                }],
            ),
            Intended::Words(help) => (help, Vec::new()),
        };
        found.push(Misplaced {
            path: one.path.clone(),
            fields: below_metric(&one.path).to_owned(),
            missing,
            help,
            fix,
        });
    }
    found
}

/// A metric whose source has fields of `v2beta1`.
fn old_metric(manifest: &Manifest, source: &str, unknown: &[&Unknown<'_>]) -> Misplaced {
    let metric = &source[..source.rfind('.').unwrap_or_default()];
    let node = manifest.source.node.at(metric);
    let form = node.and_then(|node| new_form(node, metric));
    let names: Vec<&str> = unknown.iter().map(|one| below_metric(&one.path)).collect();
    let path = match unknown {
        [only] => &only.path,
        _ => source,
    };
    let (help, fix) = if let Some(form) = form {
        (format!("write {}", form.text), form.steps)
    } else {
        let is_here = |old: &str| unknown.iter().any(|one| one.key == old);
        let moved = MOVED.iter().filter(|(old, _)| is_here(old));
        let new: Vec<&str> = moved.map(|(_, new)| *new).collect();
        let version = manifest.version();
        let new = new.join(" and ");
        (
            format!("use {new} instead, as autoscaling/{version} calls it"),
            Vec::new(),
        )
    };
    Misplaced {
        path: path.to_owned(),
        fields: listed(&names),
        missing: source.to_owned(),
        help,
        fix,
    }
}

/// The path of a field below its metric.
pub(super) fn below_metric(path: &str) -> &str {
    path.split_once("].").map_or(path, |(_, field)| field)
}

impl Unknown<'_> {
    /// The source of the metric, if this is a field of `v2beta1` in a version that has targets.
    fn old_source(&self, version: &str) -> Option<&str> {
        let source = self.path.strip_suffix(self.key)?.strip_suffix('.')?;
        let (_, name) = source.strip_prefix("spec.metrics[")?.split_once("].")?;
        let is_old = |old: &str| MOVED.iter().any(|(one, _)| *one == old);
        let is_source = !name.contains('.') && matches!(version, "v2" | "v2beta2");
        (is_source && is_old(self.key)).then_some(source)
    }

    /// The field that is missing because this one is not the intended one.
    fn missing(&self, intended: &Intended, version: &str) -> Option<String> {
        let parent = self.path.strip_suffix(self.key)?.strip_suffix('.')?;
        let metric = parent.strip_prefix("spec.metrics[");
        let source = metric
            .and_then(|rest| rest.split_once(']'))
            .map(|(_, source)| source);
        match (intended, source) {
            // In that version, targets are fields of the source.
            (_, Some(source)) if version == "v2beta1" && !source.is_empty() => {
                Some(parent.to_owned())
            }
            (Intended::Renamed(key), _) => Some(format!("{parent}.{key}")),
            (Intended::Words(_), Some(source)) => {
                source.ends_with(".target").then(|| parent.to_owned())
            }
            (Intended::Words(_), None) => None,
        }
    }
}
