//! The cross-check with what the controller wrote, in words.

use crate::{
    explain::{Story, clock::duration, facts::metric_name},
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
    /// Whether it is told only to those who ask for everything.
    pub is_detail: bool,
}

/// The cross-check in words.
pub(super) fn agreement(story: &Story<'_>) -> Vec<TrustView> {
    let check = &story.look.cross_check;
    let view = |title, text: String, is_warning| TrustView {
        title,
        text,
        is_warning,
        is_detail: false,
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
        Agreement::Agrees if check.compared.is_empty() => {}
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
        Agreement::SpecChanged => views.push(view(
            "status",
            "not compared: it is of the spec as it is today".to_owned(),
            false,
        )),
        Agreement::SpecEdited => views.push(view(
            "status",
            match check.hypotheses.first().map(|one| &one.cause) {
                Some(Cause::EditPending(..)) => "older than the spec, which was edited since",
                _ => "older than the spec, whose metrics or bounds were edited since",
            }
            .to_owned(),
            true,
        )),
    }
    if let Some(text) = because(story) {
        views.push(view("because", text, false));
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
    parts.join(", ")
}

/// `cpu was 83 %, is 85 %`.
fn moved(story: &Story<'_>) -> String {
    // Where a metric has moved, everything else follows from that.
    let is_metric = |one: &Comparison| matches!(one.what, Compared::Metric(_));
    let compared = &story.look.cross_check.compared;
    let has_metric = compared.iter().any(|one| is_metric(one) && !one.agrees());
    each_difference(
        story,
        |one| is_metric(one) || !has_metric,
        |what, one| format!("{what} was {}, is {}", one.written, one.recomputed),
    )
}

/// `desired 6 there, 7 here`.
fn different(story: &Story<'_>) -> String {
    each_difference(
        story,
        |_| true,
        |what, one| format!("{what} {} there, {} here", one.written, one.recomputed),
    )
}

fn each_difference(
    story: &Story<'_>,
    is_told: impl Fn(&Comparison) -> bool,
    tell: impl Fn(String, &Comparison) -> String,
) -> String {
    story
        .look
        .cross_check
        .compared
        .iter()
        .filter(|one| !one.agrees() && is_told(one))
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
    // Where the controller gave up before the metrics, the spec still has their names.
    let spec = story.facts.observation.hpa.spec.metrics.get(index);
    metric_name(spec, index)
}

/// The reasons for a disagreement: the first in full, of settings that would fit as well only the flags.
fn because(story: &Story<'_>) -> Option<String> {
    let told: Vec<&Hypothesis> = story
        .look
        .cross_check
        .hypotheses
        .iter()
        .filter(|one| !is_innocent(&one.cause))
        .collect();
    let (settings, others): (Vec<&Hypothesis>, Vec<&Hypothesis>) = told
        .into_iter()
        .partition(|one| setting(&one.cause).is_some());
    let mut parts: Vec<String> = others.iter().map(|one| hypothesis(story, one)).collect();
    let mut settings = settings.into_iter();
    // The answer begins with the first one where the replicas differ.
    let first = settings.next();
    if let Some(first) = first.filter(|_| story.written_instead().is_none()) {
        parts.insert(0, hypothesis(story, first));
    }
    let more: Vec<String> = settings
        .filter_map(|one| setting(&one.cause))
        .take(MOST_SETTINGS)
        .collect();
    if !more.is_empty() {
        parts.push(format!("these fit as well: {}", more.join(" ")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Whether a cause is told already: by what has moved, or by the answer.
fn is_innocent(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::EditPending(..)
            | Cause::EditUnanswered(..)
            | Cause::PodsMoved
            | Cause::SampleMoved
            | Cause::SpecEdited
            | Cause::TimePassed
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
            // kube-controller-manager writes for this HPA as well as for others, so its name tells nothing.
            let by = story
                .context
                .target
                .as_ref()
                .and_then(|target| target.replicas_written_by.first())
                .filter(|manager| manager.manager != "kube-controller-manager")
                .map_or_else(
                    || "something other than this HPA".to_owned(),
                    |manager| format!("{} (field manager)", manager.manager),
                );
            format!(
                "{by} set spec.replicas to {} after the HPA wrote {}",
                story.facts.current().unwrap_or_default(),
                story.facts.observation.hpa.status.desired_replicas
            )
        }
        Cause::SpecEdited => "the spec was edited since the last sync".to_owned(),
        Cause::EditPending(at, by) => format!(
            "the HPA was edited at {} ({by}), after the controller's last sync; it takes the edit in \
             at its next sync, within {}",
            story.clock.time(*at),
            duration(story.facts.observation.controller.sync_period.value)
        ),
        Cause::EditUnanswered(at, by) => format!(
            "the HPA was edited at {} ({by}), and the controller has written no status since: it may \
             not have taken the edit in yet",
            story.clock.time(*at)
        ),
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
    Some(format!(
        "kubectl hpa explain {} -n {} {}",
        hpa.name,
        hpa.namespace,
        setting(cause)?
    ))
}

/// The flag of this program that sets what a cause says of the controller.
fn setting(cause: &Cause) -> Option<String> {
    Some(match cause {
        Cause::Flag(flag, value) => {
            let short = flag
                .strip_prefix("horizontal-pod-autoscaler-")
                .unwrap_or(flag);
            format!("--assume-{short}={value}")
        }
        Cause::FeatureGate(gate, is_on) => format!("--feature-gate={gate}={is_on}"),
        Cause::Version(version) => format!("--kube-version={version}"),
        _ => return None,
    })
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

/// More settings than that help nobody.
const MOST_SETTINGS: usize = 3;
