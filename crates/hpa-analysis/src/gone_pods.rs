//! Pods that the last sync may have counted and that are gone since. A deleted pod leaves nothing to read, so all that
//! can be known is whether some number of further pods would explain what the controller wrote.

use hpa_engine::{
    engine,
    model::{ControllerConfig, Memory, Observation, Pod, PodMetrics, PodPhase, Reading},
    trace::{PodClass, Trace},
};

use super::{
    earlier_proposals::RoundingEnd,
    probe::groups,
    replay::{Replay, with_metric_values},
};

/// How the controller counted the pods that are gone.
#[derive(Clone, Copy, Debug)]
enum GoneAs {
    /// They were ready, with samples.
    Ready,
    /// They were not ready.
    Unready,
    /// They had no samples.
    Missing,
}

/// Whether everything that the controller wrote follows if pods are gone since. `variants` are the syncs that come into
/// question without them; `trace` is the sync with the pods that are left.
pub(super) fn explain_it(
    variants: &[Replay<'_>],
    controller: &ControllerConfig,
    trace: &Trace,
) -> bool {
    [GoneAs::Unready, GoneAs::Missing, GoneAs::Ready]
        .into_iter()
        .any(|class| {
            let template = variants.first().and_then(|replay| {
                let template = template(&replay.observation, trace)?;
                Some((template.clone(), sample(&replay.observation, template)))
            });
            let Some((pod, sample)) = template else {
                return false;
            };
            let present = trace.metrics().filter_map(groups);
            let present = present.map(|groups| groups.pods.len()).max().unwrap_or(0);
            numbers(present).any(|number| {
                variants.iter().any(|replay| {
                    let observation = &replay.observation;
                    let with = with_pods(observation, class, number, (&pod, sample.as_ref()));
                    let with = of_status(with, class, trace);
                    with.is_some_and(|observation| {
                        let mut replay = replay.clone();
                        replay.observation = observation;
                        replay.fits(controller)
                    })
                })
            })
        })
}

/// A pod to make the others from: one whose samples count, if there is any.
fn template<'a>(observation: &'a Observation, trace: &Trace) -> Option<&'a Pod> {
    let pods = observation.pods.read()?;
    let classified = || {
        trace
            .metrics()
            .filter_map(groups)
            .flat_map(|groups| &groups.pods)
    };
    let counted = classified().find(|pod| pod.class == PodClass::Ready);
    pods.get(counted.or_else(|| classified().next())?.pod)
}

fn sample(observation: &Observation, pod: &Pod) -> Option<PodMetrics> {
    let mut samples = observation.pod_metrics.read()?.iter();
    samples.find(|sample| sample.name == pod.name).cloned()
}

/// Numbers of pods to try: each small one, then every fourth part more. Incredibly many would explain anything.
fn numbers(present: usize) -> impl Iterator<Item = usize> {
    let most = present.saturating_mul(2).max(FEW);
    let next = |number: &usize| Some(number.saturating_add((number / 4).max(1)));
    std::iter::successors(Some(1), next).take_while(move |number| *number <= most)
}

fn with_pods(
    observation: &Observation,
    class: GoneAs,
    number: usize,
    (pod, sample): (&Pod, Option<&PodMetrics>),
) -> Observation {
    let mut then = observation.clone();
    for index in 0..number {
        let mut gone = pod.clone();
        gone.name = format!("{} {index}", pod.name);
        if matches!(class, GoneAs::Unready) {
            gone.phase = PodPhase::Pending;
            (gone.started, gone.ready) = (None, None);
        }
        if matches!(class, GoneAs::Ready) {
            add_values(&mut then, &pod.name, &gone.name, sample);
        }
        if let Reading::Read(pods) = &mut then.pods {
            pods.push(gone);
        }
    }
    then
}

/// Adds the values of another pod.
fn add_values(then: &mut Observation, from: &str, to: &str, sample: Option<&PodMetrics>) {
    if let (Reading::Read(samples), Some(sample)) = (&mut then.pod_metrics, sample) {
        samples.push(PodMetrics {
            name: to.to_owned(),
            ..sample.clone()
        });
    }
    for answer in &mut then.custom_metrics {
        let Reading::Read(values) = &mut answer.answer else {
            continue;
        };
        let value = values.iter().find(|value| value.object == from).cloned();
        if let Some(mut value) = value {
            to.clone_into(&mut value.object);
            values.push(value);
        }
    }
}

/// With the values of the status, where further pods would change them.
fn of_status(observation: Observation, class: GoneAs, trace: &Trace) -> Option<Observation> {
    if !matches!(class, GoneAs::Ready) {
        return Some(observation);
    }
    let then = engine::decide(&observation, &mut Memory::default(), trace.at);
    let values = observation.hpa.status.current_metrics.clone();
    with_metric_values(&observation, &then, &values, RoundingEnd::Middle)
}

/// As many pods may be gone next to any number.
const FEW: usize = 10;
