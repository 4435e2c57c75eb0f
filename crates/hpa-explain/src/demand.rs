//! What a metric asks for, with the numbers that lead to it: they can be recomputed from the sentence.

use hpa_engine::trace::ProposalRule;
use hpa_words::amount::replicas;

use crate::{
    Decider, ExplainContext, MetricFacts,
    ladder::calculation,
    rules::second_pass::{counted_back, is_at_with_them, with_them},
};

impl MetricFacts<'_> {
    /// `85 / 60 × 8 pods = 11.3`; none where there is nothing to calculate.
    pub(super) fn how(&self) -> Option<String> {
        calculation(self).filter(|how| self.replicas() != Some(0) || how.contains(" × 0 "))
    }

    /// Whether it keeps the replicas because it is within tolerance.
    pub(super) fn is_kept(&self) -> bool {
        let rule = self.proposal.map(|proposal| proposal.rule);
        matches!(
            rule,
            Some(ProposalRule::KeepCurrent | ProposalRule::KeepStatusReplicas)
        )
    }

    /// `CPU is at 85% (target 60%) and asks for 12 replicas (85 / 60 × 8 pods = 11.3)`; with pods that are added back
    /// `CPU is at 100% (target 50%), but 2 of 6 pods are not ready, which count as 0% for a scale-up: 66% on average, which
    /// asks for 8 replicas (66 / 50 × 6 pods = 7.9)`. None: it asks for nothing.
    pub(super) fn demand(&self) -> Option<String> {
        let asks = replicas(self.replicas()?);
        let how = self
            .how()
            .map_or_else(String::new, |how| format!(" ({how})"));
        Some(match counted_back(self) {
            Some(counted_back) => {
                let with_them = with_them(self);
                format!("{counted_back}: {with_them}, which asks for {asks}{how}")
            }
            None if self.is_kept() => {
                format!("{}, within tolerance, and asks for {asks}", self.is_at())
            }
            None => format!("{} and asks for {asks}{how}", self.is_at()),
        })
    }

    /// The same in a few words: `cpu asks for 32 (95 / 60 × 20 pods = 31.6)`.
    pub fn short_demand(&self) -> Option<String> {
        let how = calculation(self).map_or_else(String::new, |how| format!(" ({how})"));
        Some(format!(
            "{} asks for {}{how}",
            self.full_name(),
            self.replicas()?
        ))
    }
}

impl ExplainContext<'_> {
    /// What the metrics ask for, at the start of a sentence: the demand of the metric that wins.
    pub(super) fn demand(&self) -> String {
        let demand = self.facts.winner().and_then(MetricFacts::demand);
        let demand = demand.unwrap_or_else(|| {
            let proposal = replicas(self.facts.proposal().unwrap_or_default());
            format!("The metrics ask for {proposal}")
        });
        format!("{demand}{}", self.beyond_bounds())
    }

    /// The same of what the metrics ask for, where another rule than the bounds decides.
    pub(super) fn beyond_bounds(&self) -> String {
        let asks = self.facts.proposal();
        let asks = asks.filter(|_| !matches!(self.rule.decider(), Decider::Max | Decider::Min));
        asks.map_or_else(String::new, |asks| self.beyond(asks))
    }

    /// `, above maxReplicas 15`, where the HPA never goes to that many replicas.
    pub(super) fn beyond(&self, asks: i32) -> String {
        let (min, max) = (self.facts.min(), self.facts.max());
        match asks {
            _ if max < asks => format!(", above maxReplicas {max}"),
            // It never goes to 0.
            _ if asks.max(1) < min => format!(", below minReplicas {min}"),
            _ => String::new(),
        }
    }

    /// The same in fewer words, where an earlier recommendation decides.
    pub(super) fn present_demand(&self) -> String {
        let winner = self.facts.winner();
        // The value of some of the pods is not what asks for that.
        let with_them = winner.and_then(|winner| {
            let at = is_at_with_them(winner)?;
            let asks = replicas(winner.replicas()?);
            let how = winner
                .how()
                .map_or_else(String::new, |how| format!(" ({how})"));
            Some(format!(
                "{at} and asks for {asks}{how}{}",
                self.beyond_bounds()
            ))
        });
        with_them.unwrap_or_else(|| self.demand())
    }

    /// The same in a few words, within a sentence: `CPU asks for 4 replicas`.
    pub(super) fn asks(&self) -> String {
        let proposal = replicas(self.facts.proposal().unwrap_or_default());
        match self.facts.winner() {
            Some(winner) if winner.is_kept() => format!("{} keeps {proposal}", winner.in_prose()),
            Some(winner) => format!("{} asks for {proposal}", winner.in_prose()),
            None => format!("the metrics ask for {proposal}"),
        }
    }
}
