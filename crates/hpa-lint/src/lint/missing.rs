//! Why a rule could not run on an HPA.

/// Why a rule could not run on an HPA: what would be needed and is not there. It becomes HPA013, never a pass.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// An object that the given files don't have.
    NotGiven {
        /// `kind/name`.
        object: String,
    },
    /// Something that a cluster did not give, or did not let us read.
    NotRead {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// Evidence of a cluster: the run has files only.
    Cluster,
    /// A recording, or what one long enough would show.
    Recording,
    /// The object as the cluster has it, to compare with the manifest.
    Comparison,
    /// Anything else, in words that go behind "not checked:".
    Because(String),
}

impl Missing {
    /// Something that nothing tells.
    pub fn unknown(what: &str) -> Self {
        Self::Because(format!("{what} is not known"))
    }

    /// The reason, as it is printed behind "not checked:".
    pub fn reason(&self) -> String {
        match self {
            Self::NotGiven { object } => format!("{object} is not in the given files"),
            Self::NotRead { what, why } => format!("{what} could not be read: {why}"),
            Self::Cluster => "they need a cluster".to_owned(),
            Self::Recording => "they need a recording".to_owned(),
            Self::Comparison => "they compare a manifest with a cluster".to_owned(),
            Self::Because(reason) => reason.clone(),
        }
    }

    /// Whether it holds for the whole run, whatever the HPA.
    pub fn is_of_run(&self) -> bool {
        matches!(self, Self::Cluster | Self::Recording | Self::Comparison)
    }
}
