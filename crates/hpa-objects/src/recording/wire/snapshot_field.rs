//! The path of a field of a snapshot, as text.

use serde::{Deserialize as _, Deserializer, Serializer};

use crate::model::SnapshotField;

pub(super) fn serialize<S: Serializer>(
    field: &SnapshotField,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(field)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<SnapshotField, D::Error> {
    String::deserialize(deserializer).map(SnapshotField::from)
}
