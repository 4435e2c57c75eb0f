//! The command that leads further: what the answer says to check or to do, ready to copy.

use std::fmt::Display;

use crate::{
    explain::{
        ExplainContext, Rule, around::pipeline, failing_pods::FailingPods,
        pods::uncounted_of_winner, reasons::confirm, short_answer::is_target_missing, situation,
    },
    inference::ComparisonOutcome,
    model::Relation,
};

/// A command with its arguments quoted for a shell: names are the cluster's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellCommand(String);

impl ShellCommand {
    /// `kubectl describe pod`, before its arguments.
    pub(super) fn new(words: &str) -> Self {
        Self(words.to_owned())
    }

    /// The command with one more argument.
    pub(super) fn arg(mut self, argument: impl Display) -> Self {
        let argument = argument.to_string();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,".contains(letter);
        self.0.push(' ');
        // shell-words quotes `=`, which no shell needs in an argument.
        if !argument.is_empty() && argument.chars().all(is_plain) {
            self.0.push_str(&argument);
        } else {
            self.0.push_str(&shell_words::quote(&argument));
        }
        self
    }

    /// The command in the namespace of the HPA.
    pub(super) fn in_namespace(self, cx: &ExplainContext<'_>) -> Self {
        self.arg("-n").arg(&cx.facts.observation.hpa.namespace)
    }

    /// The command itself.
    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// `kubectl describe pod web-1 -n shop`.
pub(super) fn describe_pod(cx: &ExplainContext<'_>, pod: &str) -> ShellCommand {
    ShellCommand::new("kubectl describe pod")
        .arg(pod)
        .in_namespace(cx)
}

/// `kubectl hpa explain web -n shop --set maxReplicas=13`.
pub(super) fn with_setting(cx: &ExplainContext<'_>, setting: impl Display) -> ShellCommand {
    ShellCommand::new("kubectl hpa explain")
        .arg(&cx.facts.observation.hpa.name)
        .in_namespace(cx)
        .arg("--set")
        .arg(setting)
}

/// The pods that the selector matches: `kubectl get pods -n shop -l app=web`.
pub(super) fn get_pods(cx: &ExplainContext<'_>) -> Option<ShellCommand> {
    let selector = &cx.facts.observation.scale.read()?.selector;
    let command = ShellCommand::new("kubectl get pods").in_namespace(cx);
    Some(command.arg("-l").arg(selector))
}

/// What the pods that the selector matches use: `kubectl top pods -n shop -l app=web`.
pub(super) fn top_pods(cx: &ExplainContext<'_>) -> Option<ShellCommand> {
    let selector = &cx.facts.observation.scale.read()?.selector;
    let command = ShellCommand::new("kubectl top pods").in_namespace(cx);
    Some(command.arg("-l").arg(selector))
}

/// What the answer says to check or to do; none where nothing is to be done, or no command does it.
pub(super) fn command(cx: &ExplainContext<'_>) -> Option<String> {
    if let Some(pods) = FailingPods::in_the_way(cx) {
        return pods.command(cx);
    }
    if cx.cross_check.agreement == ComparisonOutcome::Differs && cx.written_instead().is_some() {
        let mut fitting = cx.cross_check.hypotheses.iter().filter(|one| one.fits);
        return fitting.find_map(|one| confirm(cx, &one.cause));
    }
    if let Some(situation) = situation::leading(cx) {
        return situation.command.map(ShellCommand::into_text);
    }
    of_rule(cx).map(ShellCommand::into_text)
}

/// What the rule that decides leads to.
fn of_rule(cx: &ExplainContext<'_>) -> Option<ShellCommand> {
    let hpa = &cx.facts.observation.hpa;
    let target = &hpa.spec.scale_target;
    match cx.rule {
        Rule::ScaleNotReadable if is_target_missing(&cx.facts) => {
            let list = ShellCommand::new("kubectl get").arg(target.kind.to_lowercase());
            Some(list.in_namespace(cx))
        }
        Rule::ScalingDisabledAtZero if !is_owned_by_keda(cx) => Some(
            ShellCommand::new("kubectl scale")
                .arg(format!("{}/{}", target.kind.to_lowercase(), target.name))
                .in_namespace(cx)
                .arg(format!("--replicas={}", cx.facts.min().max(1))),
        ),
        Rule::SelectorAmbiguous => Some(ShellCommand::new("kubectl get hpa").in_namespace(cx)),
        Rule::AllMetricsInvalid | Rule::InvalidMetricBlocksScaleDown => {
            let failed = cx.facts.failed();
            let first = failed.first()?;
            pipeline::command(cx, first).or_else(|| {
                let no_pod_counts = first.groups.is_some_and(|groups| groups.ready == 0);
                if no_pod_counts { get_pods(cx) } else { None }
            })
        }
        Rule::SecondPass | Rule::DirectionGuard => {
            Some(describe_pod(cx, uncounted_of_winner(&cx.facts)?))
        }
        Rule::MaxReplicas => {
            let pending = crate::explain::pods::pending_pods(&cx.facts);
            Some(describe_pod(cx, &pending.first()?.name))
        }
        Rule::ScaleUpPolicy => Some(
            ShellCommand::new("kubectl hpa explain")
                .arg(&hpa.name)
                .in_namespace(cx)
                .arg("--what-if"),
        ),
        _ => None,
    }
}

/// Whether KEDA made the HPA: it scales up from 0 itself.
pub(super) fn is_owned_by_keda(cx: &ExplainContext<'_>) -> bool {
    let mut others = cx.context.surroundings.autoscalers.iter();
    others.any(|other| other.scaled_object.is_some() && other.relation == Relation::Owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_cluster_cannot_add_words_to_a_command() {
        let command = ShellCommand::new("kubectl describe pod").arg("web'; rm -rf ~; '");
        let words = shell_words::split(&command.into_text()).unwrap();
        assert_eq!(words, ["kubectl", "describe", "pod", "web'; rm -rf ~; '"]);
    }
}
