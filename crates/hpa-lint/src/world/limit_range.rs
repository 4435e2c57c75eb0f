//! LimitRanges: default requests and limits of containers.

use hpa_engine::model::ResourceList;
use kubectl_hpa_yaml::YamlNode;

use super::read;
use crate::{Object, ObjectRef};

/// A LimitRange, with its defaults for containers.
#[derive(Clone, Debug)]
pub struct LimitRange {
    /// Its identity.
    pub object: ObjectRef,
    /// `defaultRequest` for containers; if only a limit is given, that limit.
    pub default_requests: ResourceList,
    /// `default` for containers: limits.
    pub default_limits: ResourceList,
}

impl LimitRange {
    /// Reads a LimitRange.
    pub fn of(object: &Object) -> Self {
        let limits = object.node.at("spec.limits").map(YamlNode::items);
        let mut range = Self {
            object: object.reference(),
            default_requests: ResourceList::new(),
            default_limits: ResourceList::new(),
        };
        for limit in limits.unwrap_or_default() {
            if read::text(limit, "type") != "Container" {
                continue;
            }
            let list = |key: &str| read::resources(limit.get(key)).unwrap_or_default();
            range.default_limits.extend(list("default"));
            // Upstream uses a maximum without a default as the default: SetDefaults_LimitRangeItem.
            for (name, quantity) in list("max") {
                add(&mut range.default_limits, name, quantity);
            }
            range.default_requests.extend(list("defaultRequest"));
            for (name, quantity) in range.default_limits.clone() {
                add(&mut range.default_requests, name, quantity);
            }
            for (name, quantity) in list("min") {
                add(&mut range.default_requests, name, quantity);
            }
        }
        range
    }
}

/// Adds an entry unless the name exists.
fn add(list: &mut ResourceList, name: String, quantity: hpa_engine::model::Quantity) {
    if list.iter().all(|(one, _)| *one != name) {
        list.push((name, quantity));
    }
}
