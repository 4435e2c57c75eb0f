//! The document that a template reads.

use std::collections::BTreeSet;

use anyhow::bail;
use hpa_objects::recording::decoded_size;
use kubectl_jsonpath::Template;
use serde::Serialize;
use serde_json::{Map, Value};

/// The items of a document, for a template. Of many thousands only the fields are kept that the template can read.
pub(super) struct TemplateItems<'t> {
    fields: Option<BTreeSet<&'t str>>,
    items: Vec<Value>,
    /// How many bytes they take, about.
    size: usize,
}

impl<'t> TemplateItems<'t> {
    /// No items yet.
    pub(super) fn of(template: &'t Template) -> Self {
        Self {
            fields: template.fields(ITEMS),
            items: Vec::new(),
            size: 0,
        }
    }

    /// Adds an item. Fails if the items take too much memory together.
    pub(super) fn add(&mut self, item: &impl Serialize) -> anyhow::Result<()> {
        let mut item = serde_json::to_value(item)?;
        if let (Some(fields), Value::Object(all)) = (&self.fields, &mut item) {
            let all = std::mem::take(all).into_iter();
            let kept: Map<String, Value> = all.filter(|(key, _)| fields.contains(&**key)).collect();
            item = Value::Object(kept);
        }
        hpa_render::json::sanitize_document(&mut item);
        self.size += decoded_size(item.to_string().as_bytes());
        if MOST < self.size {
            bail!(
                "what this template reads of the first {} HPAs takes more than {} MiB: select fewer HPAs, or use -o json with another program",
                self.items.len() + 1,
                MOST >> 20
            );
        }
        self.items.push(item);
        Ok(())
    }

    /// The document with these items.
    pub(super) fn document(self, head: &impl Serialize) -> anyhow::Result<Value> {
        let mut document = serde_json::to_value(head)?;
        hpa_render::json::sanitize_document(&mut document);
        document[ITEMS] = Value::Array(self.items);
        Ok(document)
    }
}

const ITEMS: &str = "items";

/// How many bytes the items may take.
const MOST: usize = 40 << 20;
