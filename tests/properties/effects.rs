//! What leads is what changes most: in every sync of the examples and of the recorded situations, and in generated ones.

use std::{
    path::{Path, PathBuf},
    thread,
};

use hpa_analysis::{AlterationKind, Assessment, counterfactuals};
use hpa_diagnosis::{
    effect::Effect,
    short_at_max::{ShortAtMax, short_at_max},
};
use hpa_engine::model::{Context, Owner, Reading, ScaleTargetRef, SyncInput};
use hpa_explain::{ExplainContext, Overview, Problem};
use hpa_objects::recording::RecordingReader;
use hpa_playback::Session;
use hpa_testing::{NOW, recordings};
use hpa_words::clock::Clock;
use jiff::tz::TimeZone;
use proptest::{collection::vec, prelude::*};

use crate::generate::{memory, observation};

#[test]
fn in_recorded_syncs_the_largest_effect_leads_and_its_number_is_the_engines() {
    let found = thread::scope(|scope| {
        let file = |path: PathBuf| scope.spawn(move || of_recording(&path));
        let files: Vec<_> = recordings().into_iter().map(file).collect();
        let found = files.into_iter().map(|one| one.join().unwrap());
        found.flatten().collect::<Vec<Seen>>()
    });
    assert!(
        found.iter().any(|one| 0 < one.compared),
        "no effect was compared"
    );
    let is_found = |class: fn(Effect) -> bool| found.iter().filter_map(|one| one.effect).any(class);
    assert!(is_found(|one| matches!(one, Effect::Later(_))));
    assert!(is_found(|one| matches!(one, Effect::Replicas(_))));
    assert!(is_found(|one| matches!(one, Effect::Lacking(_))));
    assert!(is_found(|one| matches!(one, Effect::Blocked)));
}

/// What was seen of each sync of a recording.
fn of_recording(path: &Path) -> Vec<Seen> {
    let mut session = Session::of_recordings();
    let mut all = Vec::new();
    for line in RecordingReader::open(path).unwrap() {
        let snapshot = line.unwrap().snapshot;
        if snapshot.hpa_deleted.is_none() {
            let seen = session.push(snapshot).unwrap().reconcile.seen();
            all.push(leads(&seen.assessment, &path.display().to_string()));
        }
    }
    all
}

/// What was seen of a sync.
#[derive(Default)]
struct Seen {
    /// The effect of what leads.
    effect: Option<Effect>,
    /// How many effects were compared with a counterfactual.
    compared: usize,
}

/// Checks what leads in a sync.
fn leads(assessment: &Assessment, name: &str) -> Seen {
    let clock = Clock::new(TimeZone::UTC, assessment.now);
    let cx = ExplainContext::of(assessment, &clock);
    let name = format!("{name} at {}", assessment.now);
    let all = Problem::all(&cx);
    let named = || {
        let named =
            |(effect, problem): &(Effect, Option<Problem>)| Some((*effect, problem.clone()?));
        all.iter().filter_map(named)
    };
    let mut seen = Seen::default();
    for (effect, problem) in named() {
        if problem.words.contains(" of other owners") || problem.words.contains(" of another owner")
        {
            same_as_counterfactual(&cx, effect, &name);
            seen.compared += 1;
        }
    }
    let largest = named().map(|(effect, _)| effect).max();
    let answer = Overview::new(&cx, false).answer;
    let Some((effect, _)) = named().find(|(_, problem)| problem.words == answer.words()) else {
        // What maxReplicas refuses changes more, or what has no words of its own.
        let short = short_at_max(cx.facts.trace, cx.facts.max()).and_then(ShortAtMax::effect);
        let is_outranked = largest < short || largest < all.iter().map(|(effect, _)| *effect).max();
        let is_doubtful = cx.contradiction().is_some();
        assert!(
            largest.is_none() || is_doubtful || is_outranked,
            "{name}: {all:?}"
        );
        return seen;
    };
    assert_eq!(Some(effect), largest, "{name}: {all:?}");
    seen.effect = Some(effect);
    seen
}

/// The decision without pods of others, by the list of `--what-if`.
fn same_as_counterfactual(cx: &ExplainContext<'_>, effect: Effect, name: &str) {
    let is_foreign = |kind| kind == AlterationKind::ForeignPods;
    let without = counterfactuals(cx.today(), is_foreign).next().unwrap();
    let now = cx.facts.trace.decision.replicas().unwrap();
    let then = without.replicas();
    let max = cx.facts.max();
    let short = |trace| short_at_max(trace, max).map_or(0, ShortAtMax::replicas);
    match (effect, then) {
        (Effect::Replicas(fewer), None) => assert_eq!(fewer, 0, "{name}"),
        (Effect::Replicas(fewer), Some(then)) => assert_eq!(now - then, fewer, "{name}"),
        (Effect::Lacking(lacking), Some(then)) if now < then => {
            assert_eq!(then - now, lacking, "{name}");
        }
        (Effect::Lacking(lacking), Some(_)) => {
            let fewer = short(cx.facts.trace) - short(&without.trace);
            assert_eq!(fewer, lacking, "{name}");
        }
        (Effect::Later(_), Some(then)) => assert_eq!(now, then, "{name}"),
        _ => panic!("{name}: {effect:?} {then:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn in_generated_syncs_the_largest_effect_leads(
        mut observation in observation(false),
        memory in memory(),
        is_foreign in vec(any::<bool>(), 8),
    ) {
        observation.hpa.spec.scale_target = ScaleTargetRef {
            api_version: Some("apps/v1".to_owned()),
            kind: "Deployment".to_owned(),
            name: "web".to_owned(),
        };
        if let Reading::Read(pods) = &mut observation.pods {
            for (pod, is_foreign) in pods.iter_mut().zip(is_foreign) {
                let (kind, name) = if is_foreign { ("Job", "hook") } else { ("ReplicaSet", "web-1a") };
                pod.owner = Some(Owner { kind: kind.to_owned(), name: name.to_owned() });
            }
        }
        let assessment = Assessment::new(SyncInput {
            observation,
            context: Context::default(),
            memory: Some(memory),
            now: NOW,
        });
        leads(&assessment, "generated");
    }
}
