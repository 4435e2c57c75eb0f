//! Anchors, and limits for their aliases.

use std::collections::BTreeMap;

use super::{
    YamlNode, YamlValue,
    room::{self, Full, Room},
};

/// Why an anchor is not stored, or an alias not expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TooMuch {
    /// There is no room for its copy.
    Full(Full),
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
}

#[derive(Debug)]
struct Anchored {
    node: YamlNode,
    size: Size,
}

/// The size of a tree.
#[derive(Clone, Copy, Debug)]
struct Size {
    /// Nodes.
    parts: usize,
    /// Levels below its root.
    depth: usize,
    /// Memory.
    bytes: usize,
}

/// How many nodes aliases may add to a document. kubectl allows about as many in documents of this size.
const MAX_PARTS: usize = 400_000;

impl Anchors {
    /// Marks an anchor's node as being read; 0: no anchor.
    pub(super) fn begin(&mut self, anchor: usize) {
        if anchor != 0 {
            self.nodes.insert(anchor, None);
        }
    }

    /// Stores an anchor's node; 0: no anchor.
    pub(super) fn define(
        &mut self,
        anchor: usize,
        node: &YamlNode,
        room: &mut Room,
    ) -> Result<(), TooMuch> {
        if anchor != 0 {
            let size = size(node);
            // An anchor within another stores its nodes twice. A place in the map takes about as much as a part.
            room.take(size.bytes + 2 * room::NODE)
                .map_err(TooMuch::Full)?;
            let node = node.clone();
            self.nodes.insert(anchor, Some(Anchored { node, size }));
        }
        Ok(())
    }

    /// An anchor's node, if it is complete.
    pub(super) fn get(&self, anchor: usize) -> Option<&YamlNode> {
        Some(&self.nodes.get(&anchor)?.as_ref()?.node)
    }

    /// A copy of an anchor's node. `levels` is the number of levels that may still be nested.
    pub(super) fn expand(
        &mut self,
        anchor: usize,
        levels: usize,
        room: &mut Room,
    ) -> Result<YamlNode, TooMuch> {
        let Some(Some(anchored)) = self.nodes.get(&anchor) else {
            return Err(TooMuch::Itself);
        };
        if anchored.size.depth > levels {
            return Err(TooMuch::Nested);
        }
        self.expanded += anchored.size.parts;
        if self.expanded > MAX_PARTS {
            return Err(TooMuch::Parts);
        }
        room.take(anchored.size.bytes).map_err(TooMuch::Full)?;
        Ok(anchored.node.clone())
    }
}

fn size(node: &YamlNode) -> Size {
    let mut whole = Size {
        parts: 1,
        depth: 0,
        bytes: room::NODE,
    };
    let mut add = |child: &YamlNode, key: usize| {
        let of_child = size(child);
        whole.parts += of_child.parts;
        whole.depth = whole.depth.max(of_child.depth + 1);
        whole.bytes += of_child.bytes + key;
    };
    match &node.value {
        YamlValue::Mapping(entries) => entries
            .iter()
            .for_each(|entry| add(&entry.node, room::of_key(&entry.key, 0))),
        YamlValue::Sequence(items) => items.iter().for_each(|item| add(item, 0)),
        YamlValue::Text(text) => whole.bytes += room::of_text(text),
        _ => {}
    }
    whole
}
