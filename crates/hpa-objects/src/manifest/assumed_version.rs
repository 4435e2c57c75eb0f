//! The version of a controller that a file does not show.

use hpa_engine::model::KubeVersion;

/// The assumed version of the controller, because objects do not show it: the newest one with recordings.
pub const ASSUMED_VERSION: KubeVersion = KubeVersion {
    minor: 37,
    patch: None,
};
