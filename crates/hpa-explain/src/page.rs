//! The whole page about one HPA, in words.

use std::collections::BTreeSet;

use hpa_analysis::MemoryBasis;
use hpa_engine::model::{NotRead, Provenance, Setting, SnapshotField};
use hpa_words::{amount::names, clock::duration};

use crate::{
    Afterwards, ChangedView, DelayView, ExplainContext, FullAnswer, Gauge, InputView, NextView,
    NoteView, NoteWeight, Picture, PodView, SpecEdit, StepView, TrustView, Verdict, WhatIfView,
    afterwards::by_known,
    agreement::agreement,
    changed,
    field_name::name_of,
    gauge::gauges,
    inputs::{inferred, inputs, seen_since},
    ladder,
    next::next,
    picture::picture,
    pods::pods,
    reaction::reaction,
    setting,
    what_if::{all_what_ifs, deciding_what_ifs, page_line},
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
    /// What happens, and by which rule.
    pub verdict: Verdict,
    /// The verdict in full sentences.
    pub answer: FullAnswer,
    /// The decision as positions on a line of replicas; `None` if the replicas could not be read.
    pub picture: Option<Picture>,
    /// How far each metric is from its target.
    pub gauges: Vec<Gauge>,
    /// The ladder.
    pub steps: Vec<StepView>,
    /// The pods that the selector matches.
    pub pods: Vec<PodView>,
    /// What would change the replicas.
    pub next: Vec<NextView>,
    /// What would be decided if one thing were different: the entries that matter to the verdict, or all of them.
    pub what_if: Vec<WhatIfView>,
    /// The notes on the context of the decision.
    pub around: Vec<NoteView>,
    /// How long it takes from a load to ready pods, cause by cause.
    pub reaction: Vec<DelayView>,
    /// The cross-check, what was assumed, and what could not be read.
    pub trust: Vec<TrustView>,
    /// Every input.
    pub inputs: Vec<InputView>,
    /// The instant that the page describes, in the reader's time, and the version.
    pub at: String,
    /// Today's decision, if the page is about a changed spec.
    pub changed: Option<ChangedView>,
    /// How the sync is known, if it was recomputed afterwards.
    pub afterwards: Option<Afterwards>,
}

impl Page {
    /// The page of `cx`.
    pub fn new(cx: &ExplainContext<'_>) -> Self {
        let hpa = &cx.facts.observation.hpa;
        let target = &hpa.spec.scale_target;
        let inputs = inputs(cx);
        let mut trust = agreement(cx);
        trust.extend(inferred(&inputs));
        trust.extend(assumed(cx, &inputs));
        trust.extend(not_read(cx));
        let what_if = deciding_what_ifs(cx);
        let mut next = next(cx);
        next.extend(what_if.iter().map(page_line));
        let mut steps = ladder(&cx.facts, cx.rule, cx.clock);
        if let Some(written) = cx.kept_instead() {
            ladder::mark_recomputed(&mut steps, &cx.facts, written);
        }
        Self {
            hpa: hpa.key().to_string(),
            scale_target: target.to_string(),
            bounds: format!(
                "min {} · max {}",
                hpa.spec.min_replicas(),
                hpa.spec.max_replicas
            ),
            verdict: Verdict::of(cx),
            answer: FullAnswer::of(cx),
            picture: picture(cx, &steps),
            gauges: gauges(cx),
            steps,
            pods: pods(cx),
            next,
            what_if,
            around: cx.notes().to_vec(),
            reaction: reaction(cx),
            trust,
            inputs,
            at: format!(
                "{}, Kubernetes {}",
                cx.clock.full(cx.clock.now),
                cx.facts.observation.controller.version.value
            ),
            changed: None,
            afterwards: None,
        }
    }

    /// The same page with all counterfactuals.
    #[must_use]
    pub fn with_all_what_ifs(mut self, cx: &ExplainContext<'_>) -> Self {
        // The controller would also decide otherwise with other inputs.
        if cx.kept_instead().is_some() {
            let text = "not known while the recomputation differs from what the controller wrote";
            self.next.push(NextView {
                title: "what if",
                text: text.to_owned(),
            });
            return self;
        }
        let deciding: Vec<WhatIfView> =
            self.what_if.into_iter().filter(|one| one.matters).collect();
        self.what_if = all_what_ifs(cx, &deciding);
        self
    }

    /// The same page, of a sync that was recomputed afterwards. It begins with what the controller decided.
    #[must_use]
    pub fn with_afterwards(mut self, afterwards: Afterwards) -> Self {
        let view = |title, text| TrustView {
            title,
            text,
            weight: NoteWeight::Normal,
        };
        if let (Some(decided), Some(to)) = (afterwards.decided, self.verdict.to)
            && decided != to
        {
            let sentence = format!(
                "The controller decided {decided} and not {to}, so something here was different."
            );
            self.answer.sentences.insert(0, sentence);
            self.verdict.headline = match self.verdict.from {
                Some(from) if from != decided => {
                    format!("SCALES {from} → {decided} (recomputed: {to})")
                }
                _ => format!("STAYS AT {decided} (recomputed: {to})"),
            };
        }
        self.trust.push(view("how sure", afterwards.text.clone()));
        let sources = afterwards.sources.iter().flat_map(|all| by_known(all));
        self.trust
            .extend(sources.map(|(known, words)| view(known.as_str(), words)));
        self.afterwards = Some(afterwards);
        self
    }
}

impl ChangedView {
    /// Compares today's page with the page of the changed spec, whose context is `cx`.
    pub fn new(today: &Page, changed: &Page, cx: &ExplainContext<'_>, edit: SpecEdit) -> Self {
        let observation = cx.facts.observation;
        let when = if observation.hpa.is_synced_at_once(&observation.controller) {
            "the controller syncs an edit immediately".to_owned()
        } else {
            let sync_period = duration(observation.sync_period().value);
            format!("at the controller's next sync, within {sync_period}")
        };
        Self {
            edit,
            today: today.verdict.clone(),
            today_answer: today.answer.clone(),
            steps: changed::steps(&today.steps, &changed.steps),
            when: format!("{when}; the recommendation history and the scaling history are kept"),
        }
    }
}

/// One short paragraph on what was assumed or inferred and matters.
fn assumed(cx: &ExplainContext<'_>, inputs: &[InputView]) -> Option<TrustView> {
    // Reported separately, with its reason.
    let is_version_reported = cx.context.not_read.iter().any(is_version);
    let assumed: Vec<(Setting, &InputView)> = inputs
        .iter()
        .filter(|input| input.matters && input.provenance == Provenance::Assumed)
        .filter_map(|input| Some((input.setting?, input)))
        .filter(|(setting, _)| !(*setting == Setting::Version && is_version_reported))
        .collect();
    let mut parts = Vec::new();
    if !assumed.is_empty() {
        let settings: Vec<String> = assumed
            .iter()
            .map(|(_, input)| format!("{} {}", input.name, input.value))
            .collect();
        let flags: BTreeSet<&str> = assumed
            .iter()
            .map(|(setting, _)| setting::family(*setting))
            .collect();
        let flags: Vec<&str> = flags.into_iter().collect();
        parts.push(format!(
            "{} (by default, as the controller's flags cannot be read; to set: {})",
            names(&settings, 9),
            flags.join(", ")
        ));
    }
    let inferred = match cx.analysis.memory_basis {
        MemoryBasis::Inferred => Some("inferred from its status and Events".to_owned()),
        MemoryBasis::WatchedSince(since) | MemoryBasis::WatchedWithGaps(since) => Some(format!(
            "{}, the rest inferred from its status and Events",
            seen_since(cx, since)
        )),
        MemoryBasis::Recorded | MemoryBasis::Watched => None,
    };
    if let Some(inferred) = inferred.filter(|_| cx.facts.stabilize.is_some()) {
        parts.push(format!("the controller's history, {inferred}"));
    }
    (!parts.is_empty()).then(|| TrustView {
        title: "assumed",
        text: parts.join("; "),
        weight: NoteWeight::Normal,
    })
}

/// What could not be read, and what would help; reads that decide come first. Reads that only add detail share one
/// line if a permission would help, and are listed in full with `--verbose`.
fn not_read(cx: &ExplainContext<'_>) -> Vec<TrustView> {
    let (deciding, optional): (Vec<&NotRead>, Vec<&NotRead>) = cx
        .context
        .not_read
        .iter()
        .partition(|one| one.what.decides() || one.what == SnapshotField::ControllerVersion);
    let view = |text: String, weight| TrustView {
        title: "not read",
        text,
        weight,
    };
    let mut views: Vec<TrustView> = deciding
        .into_iter()
        .map(|one| {
            let what = name_of(&one.what);
            let text = match &one.remedy {
                Some(remedy) => format!("{what}: {}; {remedy}", one.why),
                None => format!("{what}: {}", one.why),
            };
            TrustView {
                title: if one.what == SnapshotField::ControllerVersion {
                    "assumed"
                } else {
                    "not read"
                },
                ..view(text, NoteWeight::Warning)
            }
        })
        .collect();
    let mut refused: Vec<String> = optional
        .iter()
        .filter(|one| one.remedy.is_some() && !is_instant(one))
        .map(|one| name_of(&one.what))
        .collect();
    refused.dedup();
    if !refused.is_empty() {
        let text = format!(
            "{} (optional; -v names the permissions)",
            names(&refused, refused.len())
        );
        views.push(view(text, NoteWeight::Normal));
    }
    views.extend(optional.into_iter().map(|one| {
        let what = name_of(&one.what);
        let why = one.remedy.as_ref().unwrap_or(&one.why);
        let weight = if is_instant(one) {
            NoteWeight::Normal
        } else {
            NoteWeight::Detail
        };
        view(format!("{what}: {why}"), weight)
    }));
    views
}

/// Whether it is the controller's version, or the server's, from which it would follow.
fn is_version(one: &NotRead) -> bool {
    one.what == SnapshotField::ServerVersion || one.what == SnapshotField::ControllerVersion
}

/// The instant of objects from a file is not a permission that can be granted, and many numbers depend on it.
fn is_instant(one: &NotRead) -> bool {
    one.what == SnapshotField::Time
}
