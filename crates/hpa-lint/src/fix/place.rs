//! Where an edit is made: places of values in a text.

use kubectl_hpa_yaml::{Entry, Span, YamlNode, steps};

/// A byte range and its replacement.
pub(super) struct TextEdit {
    pub(super) range: std::ops::Range<usize>,
    pub(super) text: String,
}

/// An entry of a mapping or an item of a list, with its parent.
pub(super) enum EditPlace<'a> {
    Entry {
        parent: &'a YamlNode,
        /// Key of the parent, if the parent is an entry.
        parent_key: Option<&'a Entry>,
        index: usize,
        entry: &'a Entry,
    },
    Item {
        parent: &'a YamlNode,
        parent_key: Option<&'a Entry>,
        index: usize,
        node: &'a YamlNode,
    },
}

impl<'a> EditPlace<'a> {
    pub(super) fn node(&self) -> &'a YamlNode {
        match self {
            Self::Entry { entry, .. } => &entry.node,
            Self::Item { node, .. } => node,
        }
    }

    pub(super) fn parent(&self) -> &'a YamlNode {
        match self {
            Self::Entry { parent, .. } | Self::Item { parent, .. } => parent,
        }
    }

    pub(super) fn parent_key(&self) -> Option<&'a Entry> {
        match self {
            Self::Entry { parent_key, .. } | Self::Item { parent_key, .. } => *parent_key,
        }
    }

    pub(super) fn index(&self) -> usize {
        match self {
            Self::Entry { index, .. } | Self::Item { index, .. } => *index,
        }
    }

    /// First byte of the key or the item.
    pub(super) fn start(&self) -> usize {
        match self {
            Self::Entry { entry, .. } => entry.key_span.start as usize,
            Self::Item { node, .. } => node.span.start as usize,
        }
    }
}

pub(super) fn find<'a>(object: &'a YamlNode, path: &str) -> Result<EditPlace<'a>, String> {
    let mut node = object;
    let mut key = None;
    let mut place = None;
    for step in steps(path) {
        let found =
            if let Some(index) = node.entries().iter().rposition(|entry| &*entry.key == step) {
                let entry = &node.entries()[index];
                let found = EditPlace::Entry {
                    parent: node,
                    parent_key: key,
                    index,
                    entry,
                };
                key = Some(entry);
                found
            } else {
                let index: Option<usize> = step.parse().ok();
                let item = index.and_then(|index| Some((index, node.items().get(index)?)));
                let (index, item) = item.ok_or_else(|| format!("{path} is missing"))?;
                let found = EditPlace::Item {
                    parent: node,
                    parent_key: key,
                    index,
                    node: item,
                };
                key = None;
                found
            };
        node = found.node();
        place = Some(found);
    }
    place.ok_or_else(|| "the whole object cannot be removed".to_owned())
}

pub(super) fn range(text: &str, span: Span) -> std::ops::Range<usize> {
    let end = (span.end as usize).min(text.len());
    (span.start as usize).min(end)..end
}

/// The real end of a value: the parser reports that a block ends where the next node starts.
pub(super) fn end_of(text: &str, node: &YamlNode) -> usize {
    let range = range(text, node.span);
    let is_flow = text[range.clone()].starts_with(['{', '[']);
    let last = node.entries().last().map(|entry| {
        let key_end = text[entry.key_span.end as usize..]
            .find(':')
            .map_or(entry.key_span.end as usize, |colon| {
                entry.key_span.end as usize + colon + 1
            });
        end_of(text, &entry.node).max(key_end)
    });
    let last = last.or_else(|| node.items().last().map(|item| end_of(text, item)));
    match last {
        // The children of an alias are elsewhere.
        Some(last) if !is_flow && range.contains(&(last.saturating_sub(1))) => last,
        _ => range.start + text[range.clone()].trim_end().len(),
    }
}
