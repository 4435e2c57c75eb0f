//! Checks the selector of the scale, and whether other HPAs select the same pods. Upstream: `validateAndParseSelector`
//! in `horizontal.go`; `hpasControllingPodsUnderSelector` there up to 1.36, `HPAsMatchingPods` in
//! `hpa_selector_store.go` from 1.37 on.

use std::borrow::Cow;

use crate::{
    engine::{
        context::{ReconcileContext, SelectedPods},
        outcome::{Draft, garble},
    },
    model::{NotRead, OtherHpa, Reading, Selector, Shared, SnapshotField},
    trace::{EventType, SelectorCheck, SelectorVerdict, Step, two_of},
};

/// A valid selector, with the pods that it matches or why they are not known here.
pub(crate) struct MatchedPods<'a> {
    pub(crate) selector: Selector,
    pub(crate) pods: Result<SelectedPods<'a>, NotRead>,
}

/// Parses the selector and compares it with those of other HPAs. On error, the sync fails with the text.
pub(crate) fn validate_and_parse_selector<'a>(
    cx: &ReconcileContext<'a>,
    draft: &mut Draft<'_>,
    text: &str,
) -> Result<MatchedPods<'a>, String> {
    let note = |draft: &mut Draft<'_>, verdict| {
        draft.step(Step::SelectorCheck(SelectorCheck {
            selector: text.to_owned(),
            verdict,
        }));
    };
    if text.is_empty() {
        note(draft, SelectorVerdict::Missing);
        let error = "selector is required";
        draft.emit(EventType::Warning, "SelectorRequired", error.to_owned());
        let message = "the HPA target's scale is missing a selector";
        draft.set_condition(
            "ScalingActive",
            "False",
            "InvalidSelector",
            message.to_owned(),
        );
        return Err(error.to_owned());
    }
    let selector = match Selector::parse(text, cx.wording) {
        Ok(selector) => selector,
        Err(error) => {
            note(draft, SelectorVerdict::Unparsable(error.to_string()));
            let message = format!(
                "couldn't convert selector into a corresponding internal selector object: {error}"
            );
            return Err(fail(cx, draft, "InvalidSelector", message));
        }
    };
    let pods = match &cx.observation.pods {
        Reading::Read(all) => {
            let matches = |pod: &crate::model::Pod| selector.matches(&pod.labels);
            let indices = all
                .iter()
                .enumerate()
                .filter(|(_, pod)| matches(pod))
                .map(|(i, _)| i)
                .collect();
            Ok(SelectedPods { all, indices })
        }
        Reading::NotRead(not_read) => Err(not_read.clone()),
        // The controller reads pods from its cache, so only our read failed.
        Reading::Failed(error) => Err(NotRead {
            what: SnapshotField::Pods,
            why: error.message.clone(),
            remedy: None,
            is_forbidden: false,
        }),
    };
    if let Ok(pods) = &pods
        && cx.switches.ambiguous_selector
    {
        let (hpas, joined) = controlling_hpas(cx, text, pods);
        if hpas.len() > 1 {
            let message = ambiguous(cx, text, &hpas, joined);
            note(draft, SelectorVerdict::Ambiguous { hpas });
            return Err(fail(cx, draft, "AmbiguousSelector", message));
        }
    }
    let count = pods.as_ref().ok().map(|pods| pods.indices.len());
    note(draft, SelectorVerdict::Selects { pods: count });
    Ok(MatchedPods { selector, pods })
}

/// More than one HPA selects the pods.
fn ambiguous(
    cx: &ReconcileContext<'_>,
    text: &str,
    hpas: &[String],
    joined: Option<&str>,
) -> String {
    let all = || joined.map_or_else(|| hpas.join(" ").into(), Cow::Borrowed);
    let hpas = if cx.switches.ambiguous_selector_names_two && 2 < hpas.len() {
        two_of(hpas)
    } else if 37 <= cx.switches.texts.0 {
        format!("controlled by more than one HPA (e.g. [{}])", all())
    } else {
        format!("controlled by multiple HPAs: [{}]", all())
    };
    format!("pods by selector {text} are {hpas}")
}

fn fail(
    cx: &ReconcileContext<'_>,
    draft: &mut Draft<'_>,
    reason: &'static str,
    message: String,
) -> String {
    draft.emit(EventType::Warning, reason, message.clone());
    draft.set_formatted_condition("ScalingActive", "False", reason, message.clone());
    garble(cx, message)
}

/// `namespace/name` of every HPA that selects at least one of the pods, sorted; upstream has the order of a Go map.
/// Empty if there are no pods. All of them as one text too, if it is known.
fn controlling_hpas<'a>(
    cx: &ReconcileContext<'a>,
    text: &str,
    pods: &SelectedPods<'_>,
) -> (Shared<String>, Option<&'a str>) {
    let others = &cx.observation.other_hpas;
    if pods.indices.is_empty() || others.is_empty() {
        return (Shared::default(), None);
    }
    let hpa = cx.hpa();
    if let Some(all) = others.names_if_alike(&hpa.namespace, &hpa.name, text) {
        return (all.names.clone(), Some(&all.joined));
    }
    let mut names = vec![hpa.name.as_str()];
    for other in others.iter() {
        if other.name != hpa.name && (other.selector == text || selects_one(cx, other, pods)) {
            names.push(&other.name);
        }
    }
    names.sort_unstable();
    let names = names.iter();
    let names = names.map(|name| format!("{}/{name}", hpa.namespace));
    (names.collect(), None)
}

/// Whether the other HPA selects one of the pods. The controller stores a selector only after it has parsed.
fn selects_one(cx: &ReconcileContext<'_>, other: &OtherHpa, pods: &SelectedPods<'_>) -> bool {
    Selector::parse(&other.selector, cx.wording)
        .is_ok_and(|selector| pods.iter().any(|(_, pod)| selector.matches(&pod.labels)))
}
