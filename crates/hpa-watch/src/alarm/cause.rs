//! The cause of an alarm.

/// A cause that may affect several HPAs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlarmCause {
    /// Identifies the cause.
    pub(super) key: String,
    /// The cause in words: `metrics.k8s.io of shop answers 503`.
    pub(super) text: String,
}

impl AlarmCause {
    /// Identifies the cause.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The cause in words: `metrics.k8s.io of shop answers 503`.
    pub fn text(&self) -> &str {
        &self.text
    }
}
