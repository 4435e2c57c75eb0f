//! The document that a template reads.

use anyhow::bail;
use hpa_objects::recording::decoded_size;
use kubectl_jsonpath::Template;
use serde::Serialize;
use serde_json::Value;

/// A whole document.
pub(super) fn whole(document: &impl Serialize) -> anyhow::Result<Value> {
    let mut document = serde_json::to_value(document)?;
    hpa_render::json::sanitize_document(&mut document);
    Ok(document)
}

/// A document with items. Of many thousands only the fields are kept that the template can read. Fails if the items
/// take too much memory together.
pub(super) fn with_items<T: Serialize>(
    template: &Template,
    head: &impl Serialize,
    items: impl Iterator<Item = anyhow::Result<T>>,
) -> anyhow::Result<Value> {
    let mut document = whole(head)?;
    let fields = template.fields(ITEMS);
    let (mut kept, mut size) = (Vec::new(), 0);
    for item in items {
        let mut item = serde_json::to_value(item?)?;
        if let (Some(fields), Value::Object(all)) = (&fields, &mut item) {
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

const ITEMS: &str = "items";

/// How many bytes the items may take.
const MOST: usize = 40 << 20;
