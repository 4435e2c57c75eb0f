//! Lists and OpenShift Templates: the objects that they consist of.

use kubectl_hpa_yaml::{YamlNode, YamlText, YamlValue};

use super::{ObjectOrigin, kept::parsed, openshift::Parameters};

/// Calls `take` with the object, or with the items if it is a list or a Template. Items of a typed list may omit what the list
/// implies.
pub(super) fn unpack(
    mut node: YamlNode,
    implied: (&str, &str),
    take: &mut impl FnMut(YamlNode, YamlText, YamlText),
) {
    let text = |key: &str, implied: &str| {
        let text = node.get(key).and_then(YamlNode::as_str);
        YamlText::from(text.unwrap_or(implied))
    };
    let (api_version, kind) = (text("apiVersion", implied.0), text("kind", implied.1));
    if Parameters::of(&node).is_some() {
        for object in items(&mut node, "objects") {
            unpack(object, ("", ""), take);
        }
        return;
    }
    match kind.strip_suffix("List") {
        Some(item_kind) if node.get("items").is_some() => {
            let implied = if item_kind.is_empty() {
                ("", "")
            } else {
                (&*api_version, item_kind)
            };
            for item in items(&mut node, "items") {
                unpack(item, implied, take);
            }
        }
        _ => take(node, api_version, kind),
    }
}

fn items(list: &mut YamlNode, key: &str) -> Vec<YamlNode> {
    let YamlValue::Mapping(entries) = &mut list.value else {
        return Vec::new();
    };
    let items = entries.iter_mut().find(|entry| &*entry.key == key);
    match items.map(|entry| std::mem::take(&mut entry.node.value)) {
        Some(YamlValue::Sequence(items)) => items,
        _ => Vec::new(),
    }
}

/// Leaves an item of a long list to be parsed again if the same is parsed then: the list's whole tree is dropped before
/// anything is kept of its items.
pub(super) fn leave_item(text: &str, origin: ObjectOrigin, node: &mut YamlNode) {
    if parsed(text, origin).as_ref() == Some(node) {
        node.value = YamlValue::Null;
    }
}
