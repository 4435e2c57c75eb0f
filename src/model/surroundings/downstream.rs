//! What becomes of the replicas that an HPA asks for.

/// What limits the pods that the target asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Downstream {}
