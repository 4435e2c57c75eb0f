//! How much memory the trees of a text may take.

use super::{Comment, Document, Entry, RepeatedKey, YamlNode};

/// The trees of a text of any length may take this many MiB.
const ENOUGH_MEBIBYTES: usize = 20;

/// Those of a longer one may take so many times its length. Manifests take about five times theirs.
const MOST_TIMES: usize = 7;

/// No text may take more MiB: the objects of about twenty thousand pods take this much.
const MOST_MEBIBYTES: usize = 1024;

/// The memory that is left for a text.
#[derive(Debug)]
pub(super) struct Room {
    most: usize,
    left: usize,
}

/// The trees of a text would take more than this many MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full(usize);

impl Room {
    /// For a text of so many bytes.
    pub(super) fn of(length: usize) -> Self {
        let most = (ENOUGH_MEBIBYTES << 20).saturating_add(length.saturating_mul(MOST_TIMES));
        let most = most.min(MOST_MEBIBYTES << 20);
        Self { most, left: most }
    }

    /// Takes so many bytes.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), Full> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Full(self.most >> 20)),
        }
    }
}

impl Full {
    /// The problem in words.
    pub(super) fn problem(self) -> String {
        format!(
            "the values of this text would take more than {} MiB, which is too much to read",
            self.0
        )
    }
}

/// What a text takes: a piece of memory of its own.
pub(super) fn of_text(text: &str) -> usize {
    text.len().next_multiple_of(16)
}

/// What a key takes besides its value. Many of them are sorted.
pub(super) fn of_key(key: &str, others: usize) -> usize {
    let sorted = if others < FEW {
        0
    } else {
        size_of::<(usize, usize, usize)>()
    };
    size_of::<Entry>() - NODE + of_text(key) + sorted
}

/// Mappings of up to so many keys are compared in pairs instead of sorted.
pub(super) const FEW: usize = 16;

/// What a value takes, apart from its text and what is in it.
pub(super) const NODE: usize = size_of::<YamlNode>();

/// What a comment takes, apart from its text.
pub(super) const COMMENT: usize = size_of::<Comment>();

/// What a document takes, apart from its root.
pub(super) const DOCUMENT: usize = size_of::<Document>();

/// What a repeated key takes, apart from its text.
pub(super) const REPEATED: usize = size_of::<RepeatedKey>();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{YamlValue, parse};

    fn of_node(node: &YamlNode) -> usize {
        let inside = match &node.value {
            YamlValue::Mapping(entries) => entries
                .iter()
                .map(|entry| of_key(&entry.key, 0) + of_node(&entry.node))
                .sum(),
            YamlValue::Sequence(items) => items.iter().map(of_node).sum(),
            YamlValue::Text(text) => of_text(text),
            _ => 0,
        };
        NODE + inside
    }

    #[test]
    fn manifests_of_any_length_have_room() {
        let pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-5d4f8c7b9-x2x9q\n  namespace: shop\n  labels:\n    app: web\n    pod-template-hash: 5d4f8c7b9\n  ownerReferences:\n  - apiVersion: apps/v1\n    kind: ReplicaSet\n    name: web-5d4f8c7b9\n    uid: 1c1c9a3e-6f0b-4c58-8a7a-0d8f5e2b7c11\n    controller: true\nspec:\n  nodeName: node-1\n  containers:\n  - name: web\n    image: registry.example.com/shop/web:1.2.3\n    resources:\n      requests: {cpu: 100m, memory: 128Mi}\n      limits: {memory: 256Mi}\n    ports:\n    - containerPort: 8080\nstatus:\n  phase: Running\n  podIP: 10.1.2.3\n  startTime: 2026-01-01T00:00:00Z\n  conditions:\n  - type: Ready\n    status: \"True\"\n    lastTransitionTime: 2026-01-01T00:00:10Z\n";
        let documents = parse(pod);
        let root = &documents[0].as_ref().unwrap().root;
        let percent = of_node(root) * 100 / pod.len();
        assert!(percent < 600, "{percent}");
    }

    #[test]
    fn room_grows_with_the_text_up_to_its_limit() {
        assert_eq!(Room::of(0).take(20 << 20), Ok(()));
        assert_eq!(Room::of(0).take((20 << 20) + 1), Err(Full(20)));
        assert_eq!(Room::of(1 << 20).take(27 << 20), Ok(()));
        assert_eq!(Room::of(1 << 30).take((1 << 30) + 1), Err(Full(1024)));
    }
}
