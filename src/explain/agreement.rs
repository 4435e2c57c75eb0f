//! The cross-check with what the controller wrote, in words.

use crate::{
    explain::{MetricFacts, Story},
    inference::{Agreement, Basis, Cause, Compared, Comparison, Hypothesis},
    model::{MetricSpec, MetricStatus},
};

/// One line of the part that says how far the page can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustView {
    /// `agrees`, `differs`, `assumed`, `missing`.
    pub title: &'static str,
    /// The text.
    pub text: String,
    /// Whether the reader should be warned.
    pub is_warning: bool,
}

/// The cross-check in words.
pub(super) fn agreement(story: &Story<'_>) -> Vec<TrustView> {
    let check = &story.look.cross_check;
    let view = |title, text: String, is_warning| TrustView {
        title,
        text,
        is_warning,
    };
    let what = match check.basis {
        Basis::Outcome => "the recorded outcome",
        Basis::Status => "the status",
    };
    let mut views = Vec::new();
    match check.agreement {
        Agreement::Agrees if check.basis == Basis::Outcome => {
            let text = "in every field with what the controller did (recorded)".to_owned();
            views.push(view("agrees", text, false));
        }
        Agreement::Agrees => {
            let text = format!("with {what}: {}", same(story));
            views.push(view("agrees", text, false));
        }
        Agreement::Moved => {
            let text = format!("since the last sync: {}", moved(story));
            views.push(view("moved", text, false));
        }
        Agreement::Differs => {
            let text = format!("from {what}: {}", different(story));
            views.push(view("differs", text, true));
        }
        Agreement::NothingWritten => views.push(view(
            "status",
            "empty: the controller has not looked at this HPA yet".to_owned(),
            false,
        )),
        Agreement::NotRecomputed => {}
        Agreement::SpecEdited => views.push(view(
            "status",
            "older than the spec: its metrics are not those of the spec".to_owned(),
            true,
        )),
    }
    let hypotheses = hypotheses(story);
    if !hypotheses.is_empty() {
        views.push(view("because", hypotheses.join("; or "), false));
    }
    views
}

/// `desired 8, cpu 85 %, ReadyForNewScale, ValidMetricFound`.
fn same(story: &Story<'_>) -> String {
    let parts: Vec<String> = story
        .look
        .cross_check
        .compared
        .iter()
        .map(|one| match &one.what {
            Compared::Condition(_) => one.written.clone(),
            Compared::DesiredReplicas => format!("desired {}", one.written),
            Compared::Metric(index) => format!("{} {}", name(story, *index), one.written),
            Compared::Field(field) => format!("{field} {}", one.written),
        })
        .collect();
    if parts.is_empty() {
        "nothing in it can be compared".to_owned()
    } else {
        parts.join(", ")
    }
}

/// `cpu was 83 %, is 85 %`.
fn moved(story: &Story<'_>) -> String {
    each_difference(story, |what, one| {
        format!("{what} was {}, is {}", one.written, one.recomputed)
    })
}

/// `desired 6 there, 7 here`.
fn different(story: &Story<'_>) -> String {
    each_difference(story, |what, one| {
        format!("{what} {} there, {} here", one.written, one.recomputed)
    })
}

fn each_difference(story: &Story<'_>, tell: impl Fn(String, &Comparison) -> String) -> String {
    story
        .look
        .cross_check
        .compared
        .iter()
        .filter(|one| !one.agrees())
        .map(|one| {
            let what = match &one.what {
                Compared::Condition(condition) => (*condition).to_owned(),
                Compared::DesiredReplicas => "desired".to_owned(),
                Compared::Metric(index) => name(story, *index),
                Compared::Field(field) => field.clone(),
            };
            tell(what, one)
        })
        .collect::<Vec<_>>()
        .join(", ")
}

fn name(story: &Story<'_>, index: usize) -> String {
    story
        .facts
        .metrics
        .iter()
        .find(|metric| metric.evaluation.index == index)
        .map_or_else(|| format!("metric {}", index + 1), MetricFacts::name)
}

/// The reasons for a disagreement, with the command that confirms each.
fn hypotheses(story: &Story<'_>) -> Vec<String> {
    story
        .look
        .cross_check
        .hypotheses
        .iter()
        .filter(|one| !(one.fits && is_innocent(&one.cause)))
        .take(MOST_HYPOTHESES)
        .map(|one| hypothesis(story, one))
        .collect()
}

/// Whether a cause is told by what has moved already.
fn is_innocent(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::SampleMoved | Cause::PodsMoved | Cause::TimePassed | Cause::SpecEdited
    )
}

/// A reason for a disagreement in words.
pub fn hypothesis(story: &Story<'_>, hypothesis: &Hypothesis) -> String {
    let confirm = confirm(story, &hypothesis.cause)
        .map_or_else(String::new, |command| format!(" (confirm: {command})"));
    let text = match &hypothesis.cause {
        Cause::Flag(flag, value) => {
            format!("all numbers fit if the controller runs with --{flag}={value}")
        }
        Cause::FeatureGate(gate, is_on) => {
            let on = if *is_on { "on" } else { "off" };
            format!("all numbers fit if the feature gate {gate} is {on}")
        }
        Cause::Version(version) => {
            format!("all numbers fit if the controller is of version {version}")
        }
        Cause::Forgot => {
            "all numbers fit if the controller restarted and remembers nothing".to_owned()
        }
        Cause::SampleMoved if hypothesis.fits => "the metrics have moved since".to_owned(),
        Cause::SampleMoved => {
            "the metrics have moved since; what the controller saw can't be recomputed".to_owned()
        }
        Cause::PodsMoved => "pods came, went or changed their readiness since".to_owned(),
        Cause::TimePassed => "what the controller remembers has expired since".to_owned(),
        Cause::ScaledByOther => {
            let by = story
                .context
                .target
                .as_ref()
                .and_then(|target| target.replicas_written_by.first())
                .map_or_else(
                    || "something other than the HPA".to_owned(),
                    |manager| format!("{} (field manager)", manager.manager),
                );
            format!(
                "{by} set spec.replicas to {} after the HPA wrote {}",
                story.facts.current().unwrap_or_default(),
                story.facts.observation.hpa.status.desired_replicas
            )
        }
        Cause::SpecEdited => "the spec was edited since the last sync".to_owned(),
        Cause::Unexplained => {
            "no single flag, gate or version explains it; kubectl hpa capture records what is \
             needed to find out"
                .to_owned()
        }
    };
    text + &confirm
}

/// The command that confirms a reason.
pub fn confirm(story: &Story<'_>, cause: &Cause) -> Option<String> {
    let hpa = &story.facts.observation.hpa;
    let flag = match cause {
        Cause::Flag(flag, value) => {
            let short = flag
                .strip_prefix("horizontal-pod-autoscaler-")
                .unwrap_or(flag);
            format!("--assume-{short}={value}")
        }
        Cause::FeatureGate(gate, is_on) => format!("--feature-gate={gate}={is_on}"),
        Cause::Version(version) => format!("--kube-version={version}"),
        _ => return None,
    };
    Some(format!(
        "kubectl hpa explain {} -n {} {flag}",
        hpa.name, hpa.namespace
    ))
}

/// The metric of a status with its value: `cpu 85 %`.
pub(super) fn status_text(metric: &MetricSpec, status: &MetricStatus) -> String {
    let name = match metric {
        MetricSpec::ContainerResource(source) => &source.name,
        MetricSpec::Resource(source) => &source.name,
        MetricSpec::External(source) | MetricSpec::Pods(source) => &source.metric.name,
        MetricSpec::Object(source) => &source.metric.name,
        MetricSpec::Unknown { metric_type } => metric_type,
    };
    format!("{name} {}", crate::inference::value_text(status))
}

/// More reasons than that help nobody.
const MOST_HYPOTHESES: usize = 3;
