//! The whole page about one HPA, in words.

use crate::{
    explain::{
        InputView, NextView, PodView, StepView, Story, TrustView, Verdict, agreement::agreement,
        amount::names, inputs::inputs, ladder, next::next, pods::pods, verdict::verdict,
    },
    inference::MemoryBasis,
    model::{NotRead, Provenance},
};

/// The whole page about one HPA.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// `namespace/name` of the HPA.
    pub hpa: String,
    /// `kind/name` of its target.
    pub scale_target: String,
    /// `min 2 · max 20`.
    pub bounds: String,
    /// What happens, and why.
    pub verdict: Verdict,
    /// The ladder.
    pub steps: Vec<StepView>,
    /// The pods behind the selector.
    pub pods: Vec<PodView>,
    /// What would change it.
    pub next: Vec<NextView>,
    /// The cross-check, what was assumed, and what could not be read.
    pub trust: Vec<TrustView>,
    /// Every input.
    pub inputs: Vec<InputView>,
    /// The moment that the page is about, in the reader's time, and the version.
    pub at: String,
}

impl Page {
    /// Tells a story.
    pub fn new(story: &Story<'_>) -> Self {
        let hpa = &story.facts.observation.hpa;
        let target = &hpa.spec.scale_target;
        let inputs = inputs(story);
        let mut trust = agreement(story);
        trust.extend(assumed(story, &inputs));
        trust.extend(not_read(story));
        Self {
            hpa: format!("{}/{}", hpa.namespace, hpa.name),
            scale_target: format!("{}/{}", target.kind, target.name),
            bounds: format!(
                "min {} · max {}",
                hpa.spec.min_replicas(),
                hpa.spec.max_replicas
            ),
            verdict: verdict(story),
            steps: ladder(&story.facts, story.rule, story.clock),
            pods: pods(&story.facts, story.clock),
            next: next(story),
            trust,
            inputs,
            at: format!(
                "{}, Kubernetes {}",
                story.clock.full(story.clock.now),
                story.facts.observation.controller.version.value
            ),
        }
    }
}

/// One short paragraph about what was assumed or worked out and matters.
fn assumed(story: &Story<'_>, inputs: &[InputView]) -> Option<TrustView> {
    let flags: Vec<String> = inputs
        .iter()
        .filter(|input| input.matters && input.provenance == Provenance::Assumed)
        .filter(|input| {
            let remedy = input.remedy.as_deref().unwrap_or_default();
            remedy.starts_with("--")
        })
        .map(|input| format!("{} {}", input.name, input.value))
        .collect();
    let mut parts = Vec::new();
    if !flags.is_empty() {
        parts.push(format!(
            "{} (defaults, as the controller's flags can't be read; --assume-… sets them)",
            names(&flags, 9)
        ));
    }
    let is_inferred =
        story.look.memory_basis == MemoryBasis::Inferred && story.facts.stabilize.is_some();
    if is_inferred {
        parts.push("the controller's memory, inferred from its status and Events".to_owned());
    }
    (!parts.is_empty()).then(|| TrustView {
        title: "assumed",
        text: parts.join("; "),
        is_warning: false,
        is_detail: false,
    })
}

/// What could not be read, with what would help: first what decides. What only makes a page richer is told if something
/// can be done about it, and in full to those who ask for everything.
fn not_read(story: &Story<'_>) -> Vec<TrustView> {
    const DECIDING: [&str; 5] = [
        "scale",
        "pods",
        "podMetrics",
        "customMetrics",
        "externalMetrics",
    ];
    let decides = |one: &NotRead| {
        DECIDING
            .iter()
            .any(|what| one.what == *what || one.what.starts_with(&format!("{what}[")))
    };
    let mut notes: Vec<&NotRead> = story.context.not_read.iter().collect();
    notes.sort_by_key(|one| !decides(one));
    notes
        .into_iter()
        .map(|one| {
            let text = match (&one.remedy, decides(one)) {
                (Some(remedy), true) => format!("{}: {}; {remedy}", one.what, one.why),
                (Some(remedy), false) => format!("{}: {remedy}", one.what),
                (None, _) => format!("{}: {}", one.what, one.why),
            };
            TrustView {
                title: "not read",
                text,
                is_warning: decides(one),
                is_detail: !decides(one) && one.remedy.is_none(),
            }
        })
        .collect()
}
