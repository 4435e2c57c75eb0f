//! How long images of pods took to come.

use jiff::SignedDuration;

/// Images pulled for one pod, as the kubelet's Events tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImagePull {
    /// Name of the pod.
    pub pod: String,
    /// How long it took for all its containers together, waiting included; zero: the images were there already.
    pub took: SignedDuration,
}
