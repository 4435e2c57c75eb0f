//! The next command: what the answer says to check or to do, ready to copy.

use std::fmt::Display;

use hpa_engine::model::MetricSpec;
use hpa_words::{program::typed, shell_word};

use crate::{ExplainContext, PageFile};

/// A command with its arguments quoted for a shell, because names come from the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShellCommand(String);

impl ShellCommand {
    /// The command without its arguments: `kubectl describe pod`.
    pub(super) fn new(words: &str) -> Self {
        Self(words.to_owned())
    }

    /// Adds an argument.
    pub(super) fn arg(mut self, argument: impl Display) -> Self {
        self.0.push(' ');
        self.0.push_str(&shell_word(&argument.to_string()));
        self
    }

    /// Adds the namespace of the HPA.
    pub(super) fn in_namespace(self, cx: &ExplainContext<'_>) -> Self {
        self.arg("-n").arg(&cx.facts.observation.hpa.namespace)
    }

    /// The command as text.
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

/// `kubectl hpa explain web -n shop`, before its flags.
pub(super) fn explain_live(cx: &ExplainContext<'_>) -> ShellCommand {
    ShellCommand::new(&typed("explain"))
        .arg(&cx.facts.observation.hpa.name)
        .in_namespace(cx)
}

/// The same; of a page of a file with `-f FILE`.
pub(super) fn explain_again(cx: &ExplainContext<'_>) -> ShellCommand {
    let command = explain_live(cx);
    let Some(PageFile { path, at }) = cx.file else {
        return command;
    };
    let command = command.arg("-f").arg(path);
    at.iter()
        .fold(command, |command, at| command.arg("--at").arg(at))
}

/// What shows the effect of a change: `simulate`, with `flag` before the change, or the same sync of a recording with the change,
/// where `simulate` would start at the last one.
pub(super) fn with_change(
    cx: &ExplainContext<'_>,
    flag: &str,
    change: &str,
) -> Option<ShellCommand> {
    if cx.file.is_some_and(|file| file.at.is_some()) {
        return Some(explain_again(cx).arg("--set").arg(change));
    }
    Some(simulate(cx)?.arg(flag).arg(change))
}

/// `kubectl hpa simulate web -n shop`, without further flags, or `kubectl hpa history`, which replays the past. `None`
/// if it is not known how a metric reacts to the replicas.
fn simulate(cx: &ExplainContext<'_>) -> Option<ShellCommand> {
    let hpa = &cx.facts.observation.hpa;
    let has_model = |metric: &MetricSpec| {
        let target = metric.target().filter(|_| metric.is_total());
        ["cpu", "memory"].iter().any(|one| metric.is_resource(one))
            || metric.is_pods()
            || target.is_some_and(|target| target.average_value.is_some())
    };
    hpa.spec.metrics.iter().all(has_model).then(|| {
        let words = match cx.past {
            Some(_) => "history",
            None => "simulate",
        };
        let command = ShellCommand::new(&typed(words))
            .arg(&hpa.name)
            .in_namespace(cx);
        let flags = cx.past.unwrap_or_default().iter();
        let command = flags.fold(command, ShellCommand::arg);
        match cx.file {
            Some(file) => command.arg("-f").arg(&file.path),
            None => command,
        }
    })
}

/// A command about the target: `kubectl get deployment/web -n shop`.
pub(super) fn of_target(cx: &ExplainContext<'_>, words: &str) -> ShellCommand {
    let target = &cx.facts.observation.hpa.spec.scale_target;
    ShellCommand::new(words)
        .arg(format!("{}/{}", target.kind.to_lowercase(), target.name))
        .in_namespace(cx)
}

/// A command about the pods that the selector matches: `kubectl get pods -n shop -l app=web`.
pub(super) fn of_pods(cx: &ExplainContext<'_>, words: &str) -> Option<ShellCommand> {
    let selector = &cx.facts.observation.scale.read()?.selector;
    let command = ShellCommand::new(words).in_namespace(cx);
    Some(command.arg("-l").arg(selector))
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
