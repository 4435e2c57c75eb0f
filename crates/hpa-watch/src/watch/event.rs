//! What may be seen while watching.

use std::fmt;

use jiff::Timestamp;

use crate::{
    inference::Assessment,
    model::{HpaKey, Source},
};

/// Something that was seen. The time of the event itself is given to `reduce` beside it.
#[derive(Clone, Debug)]
pub enum Event {
    /// An HPA as it stands between two reconciles, with what the controller would decide now.
    Seen(Box<SeenHpa>),
    /// The controller has reconciled: what it found, recomputed.
    Reconciled(Box<SeenHpa>),
    /// What became known later of an earlier reconcile: whether the controller did what was recomputed.
    Compared {
        /// The HPA.
        hpa: HpaKey,
        /// Time of the reconcile, as its `Reconciled` had it.
        at: Timestamp,
        /// What came of the comparison.
        agreement: Agreement,
    },
    /// The HPA is there no more.
    Deleted {
        /// The HPA.
        hpa: HpaKey,
    },
    /// Something cannot be read at present.
    Failing {
        /// What.
        source: Source,
        /// Why, in one sentence fragment.
        why: String,
        /// Until when what was read of it was fresh, if it was read before and nothing reads it now.
        fresh_until: Option<Timestamp>,
    },
    /// It can be read again.
    Recovered {
        /// What.
        source: Source,
    },
    /// The user marks this moment.
    Marked {
        /// The user's words; may be empty.
        note: String,
    },
    /// Something was heard of the API server. Where this event comes at all, the time of alarms goes on only with it.
    Heard,
    /// Time has passed.
    Tick,
}

/// An HPA at one moment, recomputed.
#[derive(Clone, Debug)]
pub struct SeenHpa {
    /// The HPA.
    pub hpa: HpaKey,
    /// The reconcile, and what follows from it. It need not be compared with the status yet.
    pub assessment: Assessment,
    /// Whether what the controller remembers was seen over a whole window, and is not inferred.
    pub is_memory_observed: bool,
    /// Whether the controller has just started and remembers nothing.
    pub has_restarted: bool,
    /// What came of the comparison with what the controller did, as far as it is known by now.
    pub agreement: Agreement,
}

/// Whether the controller did what was recomputed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Agreement {
    /// Not known yet, or nothing to compare with.
    #[default]
    Open,
    /// It did.
    Agrees,
    /// It did, if it remembers something that is possible but was not most probable, or decided a moment later.
    AgreesOtherwise,
    /// It did something else, in these fields.
    Differs(Vec<FieldDifference>),
    /// It did something else, and saw something else, or remembers what nobody saw.
    Unclear(Vec<FieldDifference>),
}

/// A field that the controller wrote otherwise than was recomputed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// Where: `status.conditions[0].reason`.
    pub path: String,
    /// What was recomputed, as JSON; none: nothing.
    pub recomputed: Option<String>,
    /// What the controller wrote, as JSON; none: nothing.
    pub recorded: Option<String>,
}

/// What an HPA in which something makes no sense is called as a source that cannot be read.
pub fn source_of(hpa: &HpaKey) -> Source {
    Source::Watch {
        resource: format!("horizontalpodautoscaler {hpa}"),
    }
}

impl FieldDifference {
    /// All of them in one line.
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
