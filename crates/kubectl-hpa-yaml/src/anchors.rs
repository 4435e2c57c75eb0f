//! Anchors, and limits for their aliases.

use std::collections::BTreeMap;

use super::{YamlNode, YamlValue};

/// Why an anchor is not stored, or an alias not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// Anchors within anchors would have too many nodes.
    Kept,
    /// It would be nested too deep.
    Nested,
    /// The document would have too many nodes.
    Parts,
    /// The alias is inside its own anchor.
    Itself,
}

/// The anchors of one document.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    /// The node of each anchor. None: still being read.
    nodes: BTreeMap<usize, Option<Anchored>>,
    /// Nodes that aliases have added so far.
    expanded: usize,
    /// Nodes stored for aliases.
    kept: usize,
}

#[derive(Debug)]
struct Anchored {
    node: YamlNode,
    parts: usize,
    depth: usize,
}

/// How many nodes aliases may add to a document. kubectl allows about as many in documents of this size.
const MAX_PARTS: usize = 400_000;

/// How many nodes may be stored for aliases. An anchor within another stores its nodes twice.
const MAX_KEPT: usize = 1_000_000;

impl Anchors {
    /// Marks an anchor's node as being read; 0: no anchor.
    pub(super) fn begin(&mut self, anchor: usize) {
        if anchor != 0 {
            self.nodes.insert(anchor, None);
        }
    }

    /// Stores an anchor's node; 0: no anchor.
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

    /// An anchor's node, if it is complete.
    pub(super) fn get(&self, anchor: usize) -> Option<&YamlNode> {
        Some(&self.nodes.get(&anchor)?.as_ref()?.node)
    }

    /// A copy of an anchor's node. `room` is the number of levels that may still be nested.
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

/// The number of nodes in a tree, and of levels below its root.
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
