//! How certain the recomputed result of a sync is, and why it is not. `Follower::recomputed` in `follow.rs` finds the
//! doubts.

use hpa_explain::{Afterwards, SourceReport};

use crate::scrape::Scrape;

/// How certain a recomputed sync is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Unknown: the metrics failed, or series that the decision needs were not kept.
    Unknown,
    /// An unseen change may have affected it.
    Likely,
    /// Everything that the controller may have read and remembered leads to it.
    Certain,
}

impl Certainty {
    /// A result is certain if nothing is in doubt.
    pub(crate) fn with(doubts: &[Doubt]) -> Self {
        if doubts.is_empty() {
            Self::Certain
        } else {
            Self::Likely
        }
    }
}

/// Why a sync is not certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// The sync itself was not seen: the next one came before the scrape.
    Unseen,
    /// The decision depends on unseen syncs, or on when they were.
    OtherSyncs,
    /// It depends on pods whose state changed around that time, or on samples of new pods.
    Pods,
    /// The pods were not read.
    NoPods,
    /// The controller's own values do not fit the pods: they need pods with another mean request.
    OtherPods,
    /// The controller's own values are not exported.
    NoValues,
    /// The series start shortly before.
    Begin,
    /// The spec was edited since; `behavior` is today's.
    Edited,
}

/// The recomputed result of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recomputed {
    /// The most probable replicas.
    pub likely: i32,
    /// The fewest and the most replicas.
    pub range: (i32, i32),
    /// The recommendation, before any limit.
    pub recommendation: Option<i32>,
    /// How certain it is.
    pub certainty: Certainty,
    /// Why it is not certain.
    pub doubts: Vec<Doubt>,
}

/// A certainty in one word.
pub fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "certain",
        Certainty::Likely => "likely",
        Certainty::Unknown => "unknown",
    }
}

/// Why a sync is not certain, as the end of a sentence.
pub fn doubt(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Unseen => "the sync was between two scrapes",
        Doubt::OtherSyncs => "it depends on syncs between two scrapes",
        Doubt::Pods => "it depends on pods that changed at the same time",
        Doubt::NoPods => "the pods were not read",
        Doubt::OtherPods => {
            "the controller's values do not fit the pods and requests that were read"
        }
        Doubt::NoValues => "the controller's own value is not exported",
        Doubt::Begin => "it depends on the time before",
        Doubt::Edited => "the HPA was edited since, and behavior is that of today",
    }
}

/// A stable key of a doubt.
pub fn doubt_key(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Unseen => "unseen",
        Doubt::OtherSyncs => "otherSyncs",
        Doubt::Pods => "pods",
        Doubt::NoPods => "noPods",
        Doubt::OtherPods => "otherPods",
        Doubt::NoValues => "noValues",
        Doubt::Begin => "begin",
        Doubt::Edited => "edited",
    }
}

/// How certain one sync is, and how its inputs are known.
pub fn how_sure(
    recomputed: &Recomputed,
    scrape: &Scrape,
    sources: Vec<SourceReport>,
) -> Afterwards {
    let mut text = if recomputed.certainty == Certainty::Certain {
        "certain: all that the controller may have found and remembered leads to this.".to_owned()
    } else {
        let why: Vec<&str> = recomputed.doubts.iter().map(|one| doubt(*one)).collect();
        let (least, most) = recomputed.range;
        let range = if least == most {
            String::new()
        } else {
            format!(" ({least} to {most})")
        };
        format!("likely{range}: {}.", why.join("; "))
    };
    text.push_str(&if recomputed.likely == scrape.desired {
        format!(" The controller decided the same: {}.", scrape.desired)
    } else {
        format!(
            " The controller decided {}, so something here was different.",
            scrape.desired
        )
    });
    let doubts = recomputed.doubts.iter();
    Afterwards {
        certainty: certainty(recomputed.certainty).to_owned(),
        text,
        range: Some(recomputed.range),
        decided: Some(scrape.desired),
        doubts: Some(doubts.map(|one| doubt_key(*one).to_owned()).collect()),
        sources: Some(sources),
    }
}
