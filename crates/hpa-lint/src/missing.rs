//! Why a rule could not run on an HPA.

/// Why a rule could not run on an HPA: an input that it needs is missing. It is reported as HPA013, never as a pass.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// An object that the given files do not contain.
    NotGiven {
        /// `kind/name`.
        object: String,
    },
    /// Something that could not be read from a cluster.
    NotRead {
        /// The object.
        what: String,
        /// The reason.
        why: String,
    },
    /// A cluster: the run has only files.
    Cluster,
    /// A recording, or a longer one.
    Recording,
    /// The HPA in a cluster, to compare with the manifest.
    Comparison,
    /// Anything else, as text that follows "not checked:".
    Because(String),
}

impl Missing {
    /// An input that is unknown.
    pub fn unknown(what: &str) -> Self {
        Self::Because(format!("{what} is not known"))
    }

    /// The reason, as printed after "not checked:", for one rule or several.
    pub fn reason(&self) -> String {
        match self {
            Self::NotGiven { object } => format!("{object} is not in the given files"),
            Self::NotRead { what, why } => format!("cannot read {what}: {why}"),
            Self::Cluster => "no cluster to read".to_owned(),
            Self::Recording => "no recording, or one that is too short".to_owned(),
            Self::Comparison => "no cluster to compare with".to_owned(),
            Self::Because(reason) => reason.clone(),
        }
    }

    /// Whether it applies to the whole run, not to a single HPA.
    pub fn is_of_run(&self) -> bool {
        matches!(self, Self::Cluster | Self::Recording | Self::Comparison)
    }
}
