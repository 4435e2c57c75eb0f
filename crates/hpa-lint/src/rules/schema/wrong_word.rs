//! Values that are nearly one that the API server accepts: another case, or a few wrong letters.

use hpa_objects::recording::wire::MetricType;

use crate::{Finding, FixStep, Manifest, wrong_letters};

/// The accepted value that is meant by the one at `path`.
pub(super) fn intended(manifest: &Manifest, path: &str) -> Option<&'static str> {
    let written = manifest.at(path)?.as_str()?.trim();
    let accepted = accepted(path)?;
    let is_same = |one: &&&str| one.eq_ignore_ascii_case(written);
    if let Some(same) = accepted.iter().find(is_same) {
        return Some(same);
    }
    let distance = |one: &str| wrong_letters(&one.to_lowercase(), &written.to_lowercase());
    let mut near = accepted.iter().filter(|one| distance(one) <= one.len() / 4);
    let nearest = near.next()?;
    near.next().is_none().then_some(nearest)
}

/// Advises the accepted value that is meant, and writes it.
pub(super) fn corrected(manifest: &Manifest, path: &str, finding: Finding) -> Option<Finding> {
    let intended = intended(manifest, path)?;
    let finding = finding.help(format!("write {intended}"));
    // In the annotations of v1 it is a part of a text.
    if manifest.source.node.at(path).is_none() {
        return Some(finding);
    }
    Some(finding.fix(FixStep::SetScalar {
        path: path.to_owned(),
        text: intended.to_owned(),
    }))
}

/// All values that a field may have.
fn accepted(path: &str) -> Option<Vec<&'static str>> {
    let (parent, field) = path.rsplit_once('.')?;
    Some(match field {
        "selectPolicy" => vec!["Max", "Min", "Disabled"],
        "type" if parent.contains(".policies[") => vec!["Pods", "Percent"],
        "type" if parent.ends_with(".target") => vec!["Utilization", "Value", "AverageValue"],
        "type" => MetricType::ALL.iter().map(|one| one.name()).collect(),
        "name" if parent.to_ascii_lowercase().ends_with("resource") => vec!["cpu", "memory"],
        _ => return None,
    })
}
