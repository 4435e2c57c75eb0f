//! Fields that are not written.

use crate::Manifest;

/// The outermost field around `field` that is not written. None if the field itself is written.
pub(super) fn absent(manifest: &Manifest, field: &str) -> Option<String> {
    let mut absent = None;
    let mut path = field;
    while manifest.at(path).is_none() {
        absent = Some(path.to_owned());
        match path.rsplit_once('.') {
            Some((parent, _)) => path = parent,
            None => break,
        }
    }
    absent
}

/// Such as `a, b and c`.
pub(super) fn listed(fields: &[&str]) -> String {
    match fields.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => fields.concat(),
    }
}
