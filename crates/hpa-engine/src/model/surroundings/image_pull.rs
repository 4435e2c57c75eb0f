//! How long it took to pull images of pods.

use jiff::SignedDuration;

/// The image pulls of one pod, from the kubelet's Events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImagePull {
    /// Name of the pod.
    pub pod: String,
    /// Total time for all its containers, including waiting. Zero if the images were present already.
    pub took: SignedDuration,
}
