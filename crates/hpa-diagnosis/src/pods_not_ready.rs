//! Pods of the target that are not ready: what counts as many, and as long.

use jiff::SignedDuration;

/// This percentage of the pods is an alarm.
pub const ALARM_PERCENT: usize = 25;

/// Pods may take this long to get ready before the alarm is raised.
pub const START_TAKES: SignedDuration = SignedDuration::from_secs(60);

/// More than this percentage of the pods is a finding.
pub const FINDING_PERCENT: f64 = 20.0;

/// In seconds: pods that are not ready for so long are a finding.
pub const FINDING_DURATION: f64 = 300.0;
