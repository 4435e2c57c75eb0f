//! The ladder: every step of a sync in the controller's order, one file per family of steps.

mod bounds;
mod choice;
mod formula_values;
mod limits;
mod metric;
mod pods;
mod result;
mod scale;
mod second_pass;
mod stabilize;

use hpa_engine::trace::Step;
use hpa_words::clock::Clock;

use crate::{Facts, Rule, StepView};

pub(super) use bounds::disabled;
pub(super) use limits::{deciding_policy, deciding_policy_of};
pub(super) use metric::{by_pods, calculation, quotient};
pub(super) use result::mark_recomputed;
pub(super) use stabilize::{holder, number};

/// Puts every step into words and marks the one that decides.
pub fn ladder(facts: &Facts<'_>, rule: Rule, clock: &Clock) -> Vec<StepView> {
    let mut views = Vec::new();
    for step in &facts.trace.steps {
        match step {
            Step::ReadScale(step) => views.push(scale::read_scale(facts, step)),
            Step::FirstRecommendation(step) => views.push(stabilize::first_recommendation(*step)),
            Step::CompareBounds(step) => views.push(bounds::compare_bounds(step)),
            Step::SelectorCheck(step) => views.push(pods::selector(facts, step)),
            Step::Metric(step) => {
                let metric = facts
                    .metrics
                    .iter()
                    .find(|metric| metric.evaluation.index == step.index);
                if let Some(metric) = metric {
                    views.extend(metric::metric(facts, metric));
                }
            }
            Step::ChooseProposal(step) => views.push(choice::choose_proposal(facts, step)),
            Step::Stabilize(step) => views.push(stabilize::stabilize(step, clock)),
            Step::LimitRate(step) => views.push(limits::limit_rate(facts, step, clock)),
            Step::RaiseFromZero(step) => views.push(bounds::raise_from_zero(*step)),
            Step::Rescale(_) => {}
        }
    }
    views.push(result::result(facts));
    mark_deciding(&mut views, facts, rule);
    views
}

fn mark_deciding(views: &mut [StepView], facts: &Facts<'_>, rule: Rule) {
    let winner = facts.choice.and_then(|choice| choice.winner);
    let is_single = facts.metrics.len() == 1;
    let deciding = (rule.words().steps)(is_single)
        .iter()
        .find_map(|(kind, is_of_winner)| {
            views
                .iter()
                .rposition(|view| view.kind == *kind && (!is_of_winner || view.metric == winner))
        });
    if let Some(view) = deciding.and_then(|index| views.get_mut(index)) {
        view.is_deciding = true;
        view.weight = match view.weight {
            super::Weight::Quiet => super::Weight::Normal,
            weight => weight,
        };
    }
}
