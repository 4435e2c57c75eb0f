//! Where a value comes from.

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provenance {
    /// The default of that Kubernetes version; not confirmed.
    Assumed,
    /// A lower bound, inferred from other reads.
    AtLeast,
    /// Set by the user or the recording.
    Given,
    /// Inferred from other reads.
    Inferred,
    /// Read from the cluster.
    Observed,
}

impl Provenance {
    /// The provenance in one lower-case word, as reports and JSON print it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Assumed => "assumed",
            Self::AtLeast => "atLeast",
            Self::Given => "given",
            Self::Inferred => "inferred",
            Self::Observed => "observed",
        }
    }

    /// Whether it was inferred from other reads, as a value or as a bound.
    pub fn is_inferred(self) -> bool {
        matches!(self, Self::AtLeast | Self::Inferred)
    }
}

/// A value with its provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl<T> Input<T> {
    /// An unconfirmed default.
    pub fn assumed(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Assumed,
        }
    }

    /// Set by the user or the recording.
    pub fn given(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Given,
        }
    }

    /// Inferred from other reads.
    pub fn inferred(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Inferred,
        }
    }

    /// Read from the cluster.
    pub fn observed(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Observed,
        }
    }
}
