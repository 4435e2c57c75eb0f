//! The document that a template or custom columns read.

use std::collections::BTreeSet;

use anyhow::bail;
use hpa_objects::recording::decoded_size;
use hpa_render::{Style, style::Role, styled::StyledText, table::Table};
use kubectl_jsonpath::CustomColumns;
use serde::Serialize;
use serde_json::Value;

/// A whole document.
pub(super) fn whole(document: &impl Serialize) -> anyhow::Result<Value> {
    let mut document = serde_json::to_value(document)?;
    hpa_render::json::sanitize_document(&mut document);
    Ok(document)
}

/// A document with items. Of many thousands only these fields are kept; none: all. Fails if the items
/// take too much memory together.
pub(super) fn with_items<T: Serialize>(
    fields: Option<&BTreeSet<&str>>,
    head: &impl Serialize,
    items: impl Iterator<Item = anyhow::Result<T>>,
) -> anyhow::Result<Value> {
    let mut document = whole(head)?;
    let (mut kept, mut size) = (Vec::new(), 0);
    for item in items {
        let mut item = serde_json::to_value(item?)?;
        if let (Some(fields), Value::Object(all)) = (fields, &mut item) {
            all.retain(|key, _| fields.contains(&**key));
        }
        hpa_render::json::sanitize_document(&mut item);
        size += decoded_size(item.to_string().as_bytes());
        kept.push(item);
        if MOST < size {
            bail!(
                "what this template reads of the first {} HPAs takes more than {} MiB: select fewer HPAs, or use -o json with another program",
                kept.len(),
                MOST >> 20
            );
        }
    }
    document[ITEMS] = Value::Array(kept);
    Ok(document)
}

/// The table of `-o custom-columns`: a row for each item of the document, or one for the document.
pub(super) fn table(
    columns: &CustomColumns,
    document: &Value,
    has_header: bool,
    style: Style,
) -> anyhow::Result<String> {
    let items = document.get(ITEMS).and_then(Value::as_array);
    let items = items.map_or(std::slice::from_ref(document), Vec::as_slice);
    let mut table = Table::new(style).with_gap(GAP);
    if has_header && !items.is_empty() {
        table.push(Role::Text, columns.headers());
    }
    for item in items {
        table.push(Role::Text, columns.cells(item)?);
    }
    let mut text = StyledText::default();
    table.write(&mut text);
    Ok(text.paint(style))
}

/// Columns between two cells, as in kubectl.
const GAP: u16 = 3;

/// The field with the items.
pub(super) const ITEMS: &str = "items";

/// How many bytes the items may take.
const MOST: usize = 40 << 20;
