//! The same HPA in the clusters of several contexts.

use std::collections::BTreeMap;

use hpa_explain::{ExplainContext, Urgency};
use hpa_words::clock::Clock;
use jiff::tz::TimeZone;

use super::{HpaInContext, KeptHpa, LintInput};

/// Attaches the HPAs of the same name in the other clusters to the one in the first cluster.
pub fn compare_contexts(clusters: &mut [(String, LintInput)]) {
    let mut places: BTreeMap<(String, String), Vec<(usize, usize)>> = BTreeMap::new();
    for (cluster, (_, input)) in clusters.iter().enumerate() {
        for (index, subject) in input.hpas.iter().enumerate() {
            if subject.live.is_some() {
                let name = (subject.namespace().to_owned(), subject.name().to_owned());
                places.entry(name).or_default().push((cluster, index));
            }
        }
    }
    for places in places.into_values().filter(|places| 1 < places.len()) {
        let contexts = places.iter().filter_map(|(cluster, index)| {
            let (context, input) = clusters.get(*cluster)?;
            in_context(context, input, input.hpas.get(*index)?)
        });
        let contexts: Vec<HpaInContext> = contexts.collect();
        if let Some((cluster, index)) = places.first()
            && let Some((_, input)) = clusters.get_mut(*cluster)
            && let Some(subject) = input.hpas.get_mut(*index)
        {
            subject.in_contexts = contexts;
        }
    }
}

fn in_context(context: &str, input: &LintInput, subject: &KeptHpa) -> Option<HpaInContext> {
    let live = subject.live.as_deref()?;
    let clock = Clock::new(TimeZone::UTC, live.now);
    let (urgency, answer) = Urgency::with_words(&ExplainContext::of(live, &clock));
    let (written, _) = subject.spec(&input.sources)?;
    Some(HpaInContext {
        context: context.to_owned(),
        spec: written,
        urgency,
        words: answer.words().to_owned(),
    })
}
