//! Lint rules for HPAs, and the machinery that runs them. It serves the program `kubectl hpa` and changes without
//! notice.
//!
//! The machinery that runs [`crate::rules`].
//!
//! ```text
//! files / cluster / recording ─▶ Input (subjects and the world around them) ─▶ run ─▶ Report ─▶ render
//! ```
//!
//! Pure: `commands` reads files, and `cluster` queries clusters. Rules never repeat the controller's arithmetic; they
//! call the engine.

mod accepted;
mod baseline;
mod comparison;
pub mod config;
mod contexts;
mod cx;
#[cfg(test)]
mod drawn;
mod drift;
mod finding;
mod fingerprint;
pub mod fix;
mod history;
mod input;
mod items;
mod keda_hpa;
mod keda_trigger;
mod kept;
mod kustomize;
mod likeness;
mod live;
mod manifest;
mod missing;
mod notes;
mod object;
mod of_versions;
mod openshift;
pub mod parallel;
mod patch;
mod placeholder;
mod prepare;
mod refused;
mod report;
mod rule;
mod run;
mod selector;
mod settings;
mod source;
mod specific;
mod subject;
pub mod suppress;
#[cfg(test)]
pub mod testing;
mod text_fields;
mod undecodable;
mod unit;
mod versions;
pub mod world;
mod written_path;

pub use baseline::Baseline;
pub use contexts::compare_contexts;
pub use cx::Cx;
pub use drift::{ContextValue, FieldDrift, HpaDrift, HpaInContext, in_words};
pub use finding::{Basis, Finding, FindingText, FixStep, RelatedObject, Severity, is_within};
pub use fingerprint::Fingerprint;
pub use history::{History, HistoryBuilder, HistorySample};
pub use input::{File, LintInput};
pub use keda_hpa::{KedaHpa, ScaledObjectSubject};
pub use keda_trigger::TriggerTarget;
pub use kept::KeptObject;
pub use kustomize::{
    Applied, KUSTOMIZATIONS, Kustomization, Kustomize, Patch, PatchFit, is_kustomization,
};
pub use likeness::{similarity, wrong_letters};
pub use live::{api_services, explain_command, leave_zero, namespace_flag};
pub use manifest::Manifest;
pub use missing::Missing;
pub use object::{Object, ObjectOrigin, ObjectRef, same_namespace};
pub use placeholder::is_placeholder;
pub use prepare::{LeftOut, NotChecked};
pub use report::{Remark, Report, ReportNote, Reported, Suppressed, SuppressedBy};
pub use rule::{
    Check, ConfigurableNumber, ForScaledObject, Needs, Rule, RuleOutcome, ThresholdUnit, in_full,
};
pub use run::run;
pub use selector::{RuleSelection, RuleSelector, UnknownRule};
pub use settings::LintSettings;
pub use source::{FileId, Location, SourceText, Sources};
pub use subject::{HpaSubject, KeptHpa};
pub use undecodable::Undecodable;
pub use versions::Versions;

#[allow(
    rustdoc::invalid_codeblock_attributes,
    reason = "`kube=1.34` on an example of a rule is for its test"
)]
pub mod rules;
