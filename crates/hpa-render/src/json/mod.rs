//! JSON for programs. Types differ from the views where the JSON has another shape, so that views can change.

mod changed;
mod convert;
mod decided_replicas;
mod delay;
mod explanation;
mod pod;
mod sanitized;
mod what_if;

pub use changed::{Changed, ChangedStep, Today};
pub use decided_replicas::{BlockedDirection, Range, Verdict};
pub use delay::Delay;
pub use explanation::{
    Afterwards, Compared, CrossCheck, ExplainOutput, Explanation, Explanations, Hypothesis, Input,
    Line, Next, NotRead, ObjectName, ProvenanceItem, SCHEMA_VERSION, ScaleTarget, Step, Threshold,
    UpstreamFunction,
};
pub use pod::{Pod, Startup};
pub use sanitized::sanitize_document;
pub use what_if::{Usage, WhatIf};
