//! How a sync is known that was recomputed afterwards, from what a monitoring server has.

/// How a sync is known that was recomputed afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Afterwards {
    /// `certain`, `likely` or `unknown`.
    pub certainty: String,
    /// The same in sentences, with the reasons.
    pub text: String,
    /// The fewest and the most replicas that the recomputation allows; none: a recording does not have them.
    pub range: Option<(i32, i32)>,
    /// The replicas that the controller decided; none: a recording has its outcome.
    pub decided: Option<i32>,
    /// Stable keys of the reasons why it is not certain; none: a recording does not have them.
    pub doubts: Option<Vec<String>>,
    /// How each input is known; none: a recording has it by key only.
    pub sources: Option<Vec<SourceReport>>,
}

/// How an input is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// Read at each scrape.
    Observed,
    /// Known between two bounds.
    Bounded,
    /// From other inputs, or as it is today.
    Inferred,
    /// The default.
    Assumed,
    /// Not known.
    Unknown,
}

impl Known {
    /// All kinds, the best known first.
    pub const ALL: [Self; 5] = [
        Self::Observed,
        Self::Bounded,
        Self::Inferred,
        Self::Assumed,
        Self::Unknown,
    ];

    /// The kind in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::Bounded => "bounded",
            Self::Inferred => "inferred",
            Self::Assumed => "assumed",
            Self::Unknown => "unknown",
        }
    }
}

/// The source of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceReport {
    /// A stable key.
    pub key: &'static str,
    /// How it is known.
    pub known: Known,
    /// Its name, with details if needed.
    pub words: String,
}

/// The names of the inputs by how they are known, the best known first.
pub fn by_known(sources: &[SourceReport]) -> Vec<(Known, String)> {
    let words = |known| {
        let of = sources.iter().filter(|one| one.known == known);
        of.map(|one| one.words.as_str()).collect::<Vec<_>>()
    };
    let all = Known::ALL.into_iter().map(|known| (known, words(known)));
    all.filter(|(_, words)| !words.is_empty())
        .map(|(known, words)| (known, words.join(", ")))
        .collect()
}
