//! Why a rule could not run on an HPA.

/// Why a rule could not run on an HPA: what it needs and does not have. It becomes HPA013, never a pass.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// An object that the given files do not have.
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
    /// Anything else, in words that follow "not checked:".
    Because(String),
}

impl Missing {
    /// Something that no input says.
    pub fn unknown(what: &str) -> Self {
        Self::Because(format!("{what} is not known"))
    }

    /// The reason, as it is printed after "not checked:", for one rule or several.
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

    /// Whether it holds for the whole run, whatever the HPA.
    pub fn is_of_run(&self) -> bool {
        matches!(self, Self::Cluster | Self::Recording | Self::Comparison)
    }
}
