//! The events of watching.

use std::fmt;

use hpa_analysis::Assessment;
use hpa_engine::model::{HpaKey, Source};
use jiff::Timestamp;

/// An observed event. Its time is passed to `reduce` separately.
#[derive(Clone, Debug)]
pub enum Event {
    /// An HPA between two syncs, with what the controller would decide now.
    Seen(Box<SeenHpa>),
    /// The controller has synced: what it found, recomputed.
    Reconciled(Box<SeenHpa>),
    /// Whether the controller did what was recomputed for an earlier sync is known now.
    Compared {
        /// The HPA.
        hpa: HpaKey,
        /// Time of the sync, as in its `Reconciled`.
        at: Timestamp,
        /// The result of the comparison.
        agreement: Agreement,
    },
    /// The HPA was deleted, or is no longer selected.
    Deleted {
        /// The HPA.
        hpa: HpaKey,
    },
    /// A source cannot be read now.
    Failing {
        /// The source.
        source: Source,
        /// The reason, as a sentence fragment.
        why: String,
        /// Until when its data was fresh, if it was read before and nothing reads it now.
        fresh_until: Option<Timestamp>,
    },
    /// A source can be read again.
    Recovered {
        /// The source.
        source: Source,
    },
    /// The user sets a mark.
    Marked {
        /// The user's text; may be empty.
        note: String,
    },
    /// The API server answered. If this event is used at all, the time of alarms advances only with it.
    InformerInput,
    /// Time has passed.
    Tick,
}

/// An HPA at one instant, recomputed.
#[derive(Clone, Debug)]
pub struct SeenHpa {
    /// The HPA.
    pub hpa: HpaKey,
    /// The sync, and what follows from it. It may not have been compared with the status yet.
    pub assessment: Assessment,
    /// Whether the recommendation history was observed over a whole window, and is not inferred.
    pub is_memory_observed: bool,
    /// Whether the controller has just started, with an empty history.
    pub has_restarted: bool,
    /// The result of the comparison with what the controller did, as far as known.
    pub agreement: Agreement,
}

/// Whether the controller did what was recomputed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Agreement {
    /// Not known yet, or there is nothing to compare.
    #[default]
    Open,
    /// It did what was recomputed.
    Agrees,
    /// It did, given a possible but not the most probable recommendation history, or a slightly later decision.
    AgreesOtherwise,
    /// It did something else; these fields differ.
    Differs(Vec<FieldDifference>),
    /// These fields differ, but the controller saw other data, or has a history that was not observed.
    Unclear(Vec<FieldDifference>),
}

/// A field that the controller wrote differently from the recomputation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// Its path: `status.conditions[0].reason`.
    pub path: String,
    /// What was recomputed, as JSON; none: nothing.
    pub recomputed: Option<String>,
    /// What the controller wrote, as JSON; none: nothing.
    pub recorded: Option<String>,
}

/// The source name of an HPA with contents that make no sense.
pub fn source_of(hpa: &HpaKey) -> Source {
    Source::Watch {
        resource: format!("horizontalpodautoscaler {hpa}"),
    }
}

impl FieldDifference {
    /// All differences in one line.
    pub fn join(fields: &[Self], separator: &str) -> String {
        let texts: Vec<String> = fields.iter().map(Self::to_string).collect();
        texts.join(separator)
    }
}

impl fmt::Display for FieldDifference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        let (recomputed, recorded) = (value(&self.recomputed), value(&self.recorded));
        write!(
            formatter,
            "{}: recomputed {recomputed}, recorded {recorded}",
            self.path
        )
    }
}
