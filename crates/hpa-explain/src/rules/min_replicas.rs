//! `minReplicas` limits the replicas.

use hpa_words::amount::replicas;

use super::{
    RuleWords, are_all_counted,
    max_replicas::{self, not_counted},
};
use crate::{
    Action, ExplainContext,
    not_counted::{of_uncounted, shortage, show_at},
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("minReplicas"),
    label: |_| "at_min",
    reason: |numbers| numbers.with("min is", Some(numbers.min)),
    short: |_, action| match action {
        Action::Hold => Some("at min".into()),
        Action::ScaleDown => Some("down to min".into()),
        Action::ScaleUp => Some("up to min".into()),
        _ => None,
    },
    sentences: |cx, _| sentences(cx),
    recovers: are_all_counted,
    command: of_uncounted,
    what_ifs: &[],
    ..max_replicas::WORDS
};

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let facts = &cx.facts;
    let (min, current) = (facts.min(), facts.current().unwrap_or_default());
    let proposal = facts.winner().map_or_else(
        || cx.proposal_text(),
        |winner| {
            format!(
                "{} and asks for {}",
                winner.is_at(),
                replicas(facts.proposal().unwrap_or_default())
            )
        },
    );
    if min < current {
        return vec![format!(
            "{proposal}, but minReplicas stops the scale-down at {min}."
        )];
    }
    let pods = not_counted(cx).map(|groups| {
        // An average over the remaining pods says little about the load.
        let shortage = vec![format!("{}.", shortage(cx, groups))];
        [shortage, show_at(facts, groups, cx.clock)].concat()
    });
    let is_pinned = min == facts.max();
    if is_pinned && let Some(mut sentences) = pods {
        sentences.push(format!(
            "The HPA stays at {min} whatever the load is: minReplicas and maxReplicas are both {min}."
        ));
        return sentences;
    }
    let mut sentences = vec![if is_pinned {
        format!("minReplicas and maxReplicas are both {min}, so the HPA never scales: {proposal}.")
    } else {
        format!("At minReplicas {min}: {proposal}.")
    }];
    if let Some(pods) = pods {
        sentences.extend(pods);
    } else if !is_pinned {
        sentences.push(
            "Normal for an idle workload: ScalingLimited=True (TooFewReplicas) is not an error here."
                .to_owned(),
        );
    }
    sentences
}
