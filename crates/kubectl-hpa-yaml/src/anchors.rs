//! Anchors and how often they may be repeated.

use std::collections::BTreeMap;

use super::{YamlNode, YamlValue};

/// Why an anchor is not kept, or an alias not replaced by what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// Anchors inside of others would have too many parts.
    Kept,
    /// It would be nested too deep.
    Nested,
    /// The document would have too many parts.
    Parts,
    /// It stands inside of what it stands for.
    Itself,
}

/// The anchors of one document.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// What each stands for; none: that is still being read.
    nodes: BTreeMap<usize, Option<Anchored>>,
    /// Parts that aliases have added so far.
    expanded: usize,
    /// Parts that are kept for aliases.
    kept: usize,
}

#[derive(Debug)]
struct Anchored {
    node: YamlNode,
    parts: usize,
    depth: usize,
}

/// Parts that aliases may add to a document. kubectl allows about as many in documents of this size.
const MAX_PARTS: usize = 400_000;

/// Parts that may be kept for aliases. One anchor inside of another keeps its parts once more.
const MAX_KEPT: usize = 1_000_000;

impl Anchors {
    /// Notes that what an anchor stands for is being read; 0: it has no anchor.
    pub(super) fn begin(&mut self, anchor: usize) {
        if anchor != 0 {
            self.nodes.insert(anchor, None);
        }
    }

    /// Notes what an anchor stands for; 0: it has no anchor.
    pub(super) fn define(&mut self, anchor: usize, node: &YamlNode) -> Result<(), TooMuch> {
        if anchor != 0 {
            let (parts, depth) = size(node);
            self.kept += parts;
            if self.kept > MAX_KEPT {
                return Err(TooMuch::Kept);
            }
            let node = node.clone();
            let anchored = Anchored { node, parts, depth };
            self.nodes.insert(anchor, Some(anchored));
        }
        Ok(())
    }

    /// What an anchor stands for, if it is read already.
    pub(super) fn get(&self, anchor: usize) -> Option<&YamlNode> {
        Some(&self.nodes.get(&anchor)?.as_ref()?.node)
    }

    /// A copy of what an anchor stands for, where `room` levels may still be nested.
    pub(super) fn expand(&mut self, anchor: usize, room: usize) -> Result<YamlNode, TooMuch> {
        let Some(Some(anchored)) = self.nodes.get(&anchor) else {
            return Err(TooMuch::Itself);
        };
        if anchored.depth > room {
            return Err(TooMuch::Nested);
        }
        self.expanded += anchored.parts;
        if self.expanded > MAX_PARTS {
            return Err(TooMuch::Parts);
        }
        Ok(anchored.node.clone())
    }
}

/// How many parts a tree has, and how many levels below its root.
fn size(node: &YamlNode) -> (usize, usize) {
    let children: Vec<&YamlNode> = match &node.value {
        YamlValue::Mapping(entries) => entries.iter().map(|entry| &entry.node).collect(),
        YamlValue::Sequence(items) => items.iter().collect(),
        _ => return (1, 0),
    };
    let mut whole = (1, 0);
    for child in children {
        let (parts, depth) = size(child);
        whole = (whole.0 + parts, whole.1.max(depth + 1));
    }
    whole
}
