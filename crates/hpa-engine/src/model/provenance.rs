//! How a value came to be known.

/// How an input came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provenance {
    /// Nobody said otherwise: the default of that Kubernetes version.
    Assumed,
    /// Worked out from other things that were read, as the least that it can be.
    AtLeast,
    /// The user or the recording says so.
    Given,
    /// Worked out from other things that were read.
    Inferred,
    /// Read from the cluster.
    Observed,
}

impl Provenance {
    /// Names the provenance in one lower-case word, as pages and JSON print it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Assumed => "assumed",
            Self::AtLeast => "atLeast",
            Self::Given => "given",
            Self::Inferred => "inferred",
            Self::Observed => "observed",
        }
    }

    /// Whether it was worked out from other things that were read, as a value or as a bound.
    pub fn is_inferred(self) -> bool {
        matches!(self, Self::AtLeast | Self::Inferred)
    }
}

/// A value and how it came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input<T> {
    /// The value.
    pub value: T,
    /// How it came to be known.
    pub provenance: Provenance,
}

impl<T> Input<T> {
    /// A default that nobody confirmed.
    pub fn assumed(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Assumed,
        }
    }

    /// What the user or the recording says.
    pub fn given(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Given,
        }
    }

    /// What follows from other things that were read.
    pub fn inferred(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Inferred,
        }
    }

    /// What was read from the cluster.
    pub fn observed(value: T) -> Self {
        Self {
            value,
            provenance: Provenance::Observed,
        }
    }
}
