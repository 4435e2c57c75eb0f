//! Finds a part of the tree by its field path, such as `spec.metrics[0].resource.target`.

use super::{Entry, Span, YamlNode};

impl YamlNode {
    /// The node at `path`, unless it is null or missing. Keys with dots go in brackets:
    /// `metadata.annotations[example.com/owner]`.
    pub fn at(&self, path: &str) -> Option<&Self> {
        let mut node = self;
        for step in steps(path) {
            node = node.step(step)?;
        }
        Some(node)
    }

    /// The span of the entry at `path`, including its key. If it is missing, the span of the nearest parent.
    pub fn locate(&self, path: &str) -> Span {
        let mut node = self;
        let mut span = None;
        for step in steps(path) {
            if let Some(entry) = node.entry(step) {
                span = Some(whole(entry));
                node = &entry.node;
            } else if let Some(item) = node.item(step) {
                span = Some(item.span);
                node = item;
            } else {
                break;
            }
        }
        span.unwrap_or(self.span)
    }

    /// The path of the entry whose key has this span.
    pub fn path_of_key(&self, key: Span) -> Option<String> {
        let entries = self.entries().iter().map(|entry| {
            let is_plain = !entry.key.contains(['.', '[', '/']);
            let step = if is_plain {
                entry.key.to_string()
            } else {
                format!("[{}]", entry.key)
            };
            (step, Some(entry.key_span), &entry.node)
        });
        let items = self.items().iter().enumerate();
        let items = items.map(|(index, item)| (format!("[{index}]"), None, item));
        for (step, key_span, child) in entries.chain(items) {
            if key_span == Some(key) {
                return Some(step);
            }
            if let Some(rest) = child.path_of_key(key) {
                let dot = if rest.starts_with('[') { "" } else { "." };
                return Some(format!("{step}{dot}{rest}"));
            }
        }
        None
    }

    fn step(&self, step: &str) -> Option<&Self> {
        self.get(step).or_else(|| self.item(step))
    }

    fn item(&self, step: &str) -> Option<&Self> {
        let items = self.items();
        // Most steps are names.
        if items.is_empty() {
            return None;
        }
        items.get(step.parse::<usize>().ok()?)
    }
}

/// The span of an entry: from its key to the end of a scalar value, otherwise only the key.
fn whole(entry: &Entry) -> Span {
    let is_scalar = entry.node.entries().is_empty() && entry.node.items().is_empty();
    Span {
        start: entry.key_span.start,
        end: if is_scalar && entry.key_span.end < entry.node.span.end {
            entry.node.span.end
        } else {
            entry.key_span.end
        },
    }
}

/// The keys and indices of a path.
pub fn steps(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = path;
    std::iter::from_fn(move || {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if rest.is_empty() {
            return None;
        }
        let (step, after) = if let Some(inside) = rest.strip_prefix('[') {
            inside.split_once(']').unwrap_or((inside, ""))
        } else {
            let end = rest.bytes().position(|one| matches!(one, b'.' | b'['));
            rest.split_at(end.unwrap_or(rest.len()))
        };
        rest = after;
        Some(step)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_keys_indices_and_keys_with_dots() {
        let path = "metadata.annotations[example.com/a.b].x[0][1].y";
        let found: Vec<&str> = steps(path).collect();
        assert_eq!(
            found,
            [
                "metadata",
                "annotations",
                "example.com/a.b",
                "x",
                "0",
                "1",
                "y"
            ]
        );
    }
}
