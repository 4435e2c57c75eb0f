//! The ScaledObject that created the HPA.

use hpa_engine::model::{Autoscaler, Relation, ScaledObject};

use crate::{
    ExplainContext,
    note::{NoteTopic, NoteView, NoteWeight},
};

/// The ScaledObject that created the HPA and scales it up from 0.
pub(crate) fn owner<'a>(cx: &ExplainContext<'a>) -> Option<&'a Autoscaler> {
    let others = cx.context.surroundings.autoscalers.besides_hpas();
    let mut others = others.map(|other| &**other);
    others.find(|other| other.scaled_object.is_some() && other.relation == Relation::Owner)
}

/// A ScaledObject that created the HPA.
pub(super) struct Keda<'a> {
    pub(super) cx: &'a ExplainContext<'a>,
    pub(super) name: &'a str,
    /// `minReplicaCount`.
    pub(super) min: i32,
    pub(super) object: &'a ScaledObject,
}

impl Keda<'_> {
    pub(super) fn note(weight: NoteWeight, text: String) -> NoteView {
        NoteTopic::Autoscalers.note("KEDA", weight, text)
    }
}
