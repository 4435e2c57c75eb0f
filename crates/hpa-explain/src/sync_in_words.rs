//! A sync in a few words, without its page, where nothing shows what the controller did: of a simulation, or of the past.

use hpa_analysis::{Analysis, CrossCheck};
use hpa_engine::model::SyncInput;
use hpa_words::clock::Clock;

use crate::{cx::ExplainContext, full_answer::FullAnswer, verdict::Verdict};

/// Why a sync changes the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RescaleReason {
    /// The rule that decides, as in `explain`.
    pub rule: &'static str,
    /// Why, in sentences.
    pub sentences: Vec<String>,
}

impl RescaleReason {
    /// The reason of a sync that changes the replicas.
    pub fn of(cx: &ExplainContext<'_>) -> Self {
        Self {
            rule: Verdict::of(cx).rule.as_str(),
            sentences: FullAnswer::of_rescale(cx),
        }
    }
}

/// Recomputes a sync and puts it into words. `past` are the flags with which `history` reads it again; none: it is
/// simulated.
pub fn sync_in_words<T>(
    input: &SyncInput,
    clock: &Clock,
    past: Option<&[String]>,
    words: impl FnOnce(&ExplainContext<'_>) -> T,
) -> T {
    let mut analysis = Analysis::new(input);
    analysis.cross_check = CrossCheck::not_needed();
    let mut cx = ExplainContext::new(&input.observation, &input.context, &analysis, clock);
    cx.past = past;
    words(&cx)
}
