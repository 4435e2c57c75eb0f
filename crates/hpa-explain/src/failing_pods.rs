//! Pods of the target whose containers cannot run: the first thing to report if an HPA needs more pods.

use std::cmp::Reverse;

use hpa_diagnosis::{effect::Effect, pods_not_running::existing_pods};
use hpa_engine::model::{Direction, Pod};
use hpa_words::amount::{count, names};

use crate::{
    Decider, ExplainContext, Unmet,
    command::{ShellCommand, describe_pod},
};

/// Pods of the target whose containers cannot run.
pub(super) struct FailingPods<'a> {
    /// Their names by the reason in their status, the most frequent first.
    by_reason: Vec<(&'a str, Vec<&'a str>)>,
    /// All pods of the target, without those that are finished or terminating.
    all: usize,
    /// Whether `maxReplicas` alone keeps the HPA from what the metrics ask for.
    is_max_short: bool,
}

impl<'a> FailingPods<'a> {
    /// The failing pods, if the HPA wants more pods than exist or is at `maxReplicas`: neither more pods nor a higher
    /// `maxReplicas` would help.
    pub(super) fn in_the_way(cx: &ExplainContext<'a>) -> Option<Self> {
        let facts = &cx.facts;
        let (current, max) = (facts.current()?, facts.max());
        let proposal = facts.proposal().unwrap_or(current);
        if max < current || proposal <= current && current < max {
            return None;
        }
        let mut found = Self {
            by_reason: Vec::new(),
            all: 0,
            is_max_short: (Unmet::of(cx).is_at_max || cx.rule.decider() == Decider::Max)
                && !facts.is_off(Direction::Up),
        };
        for pod in existing_pods(facts.observation, cx.context) {
            found.all += 1;
            let Some(reason) = failure(pod) else {
                continue;
            };
            match found.by_reason.iter_mut().find(|(one, _)| *one == reason) {
                Some((_, names)) => names.push(&pod.name),
                None => found.by_reason.push((reason, vec![&pod.name])),
            }
        }
        found
            .by_reason
            .sort_by_key(|(_, names)| Reverse(names.len()));
        (!found.by_reason.is_empty()).then_some(found)
    }

    /// They are lacking.
    pub(super) fn effect(&self) -> Effect {
        Effect::Lacking(i32::try_from(self.number()).unwrap_or(i32::MAX))
    }

    fn number(&self) -> usize {
        self.by_reason.iter().map(|(_, names)| names.len()).sum()
    }

    /// `3 pods failing`.
    pub(super) fn words(&self) -> String {
        format!("{} failing", count(self.number(), "pod"))
    }

    /// `3 of 12 pods are in CrashLoopBackOff (web-1, web-2 and 1 more).`, and what comes first.
    pub(super) fn sentences(&self) -> Vec<String> {
        let groups: Vec<String> = self
            .by_reason
            .iter()
            .enumerate()
            .map(|(index, (reason, pods))| {
                let number = pods.len();
                let of = if index > 0 {
                    number.to_string()
                } else if self.all == 1 {
                    "1 of 1 pod".to_owned()
                } else {
                    format!("{number} of {} pods", self.all)
                };
                let be = if number == 1 { "is" } else { "are" };
                format!("{of} {be} in {reason} ({})", names(pods, 2))
            })
            .collect();
        let mut sentences = vec![format!("{}.", groups.join(", "))];
        if self.is_max_short {
            let number: usize = self.by_reason.iter().map(|(_, pods)| pods.len()).sum();
            let these = if number == 1 {
                "this pod"
            } else {
                "these pods"
            };
            sentences.push(format!("Fix {these} before you raise maxReplicas."));
        }
        sentences
    }

    /// The command that shows why the first of these pods fails: its last log after a crash, otherwise its Events.
    pub(super) fn command(&self, cx: &ExplainContext<'_>) -> Option<ShellCommand> {
        let (reason, names) = self.by_reason.first()?;
        Some(look_at(cx, names.first()?, Some(reason)))
    }
}

/// The command that shows why a pod fails or waits, by the reason in its status: its last log after a crash, otherwise its
/// Events.
pub(super) fn look_at(cx: &ExplainContext<'_>, pod: &str, reason: Option<&str>) -> ShellCommand {
    if reason == Some("CrashLoopBackOff") {
        let logs = ShellCommand::new("kubectl logs").arg(pod);
        return logs.in_namespace(cx).arg("--previous");
    }
    describe_pod(cx, pod)
}

/// Why the containers of a pod cannot run; `None` if they can, or nothing is known against it.
pub(super) fn failure(pod: &Pod) -> Option<&str> {
    pod.waiting
        .as_deref()
        .filter(|reason| FAILURES.contains(reason))
}

/// The kubelet's reasons for a waiting container that waiting does not fix.
const FAILURES: [&str; 9] = [
    "CrashLoopBackOff",
    "CreateContainerConfigError",
    "CreateContainerError",
    "ErrImageNeverPull",
    "ErrImagePull",
    "ImageInspectError",
    "ImagePullBackOff",
    "InvalidImageName",
    "RunContainerError",
];
