//! PersistentVolumeClaims.

use kubectl_hpa_yaml::YamlNode;

use super::read;
use crate::{Object, ObjectRef};

/// A PersistentVolumeClaim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its identity.
    pub object: ObjectRef,
    /// `spec.accessModes`.
    pub access_modes: Vec<String>,
}

impl Claim {
    /// Reads a PersistentVolumeClaim.
    pub fn of(object: &Object) -> Self {
        let modes = object.node.at("spec.accessModes").map(YamlNode::items);
        Self {
            object: object.reference(),
            access_modes: modes.unwrap_or_default().iter().map(read::scalar).collect(),
        }
    }

    /// The only access mode, if it does not let pods of several nodes mount the volume.
    pub fn exclusive_mode(&self) -> Option<&str> {
        match self.access_modes.as_slice() {
            [mode] if matches!(&**mode, "ReadWriteOnce" | "ReadWriteOncePod") => Some(mode),
            _ => None,
        }
    }
}
