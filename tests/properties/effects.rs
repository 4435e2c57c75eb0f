//! What leads is what changes most: in every sync of the examples and of the recorded situations, and in generated ones.

use std::{
    fs,
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
use hpa_testing::NOW;
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
        found.flatten().collect::<Vec<Effect>>()
    });
    let is_found = |class: fn(&Effect) -> bool| found.iter().any(class);
    assert!(is_found(|one| matches!(one, Effect::Later(_))));
    assert!(is_found(|one| matches!(one, Effect::Replicas(_))));
    assert!(is_found(|one| matches!(one, Effect::Lacking(_))));
    assert!(is_found(|one| matches!(one, Effect::Blocked)));
}

/// The effects that lead in a recording.
fn of_recording(path: &Path) -> Vec<Effect> {
    let mut session = Session::of_recordings();
    let mut effects = Vec::new();
    for line in RecordingReader::open(path).unwrap() {
        let snapshot = line.unwrap().snapshot;
        if snapshot.hpa_deleted.is_none() {
            let seen = session.push(snapshot).unwrap().reconcile.seen();
            effects.extend(leads(&seen.assessment, &path.display().to_string()));
        }
    }
    effects
}

/// Checks what leads in a sync, and returns its effect.
fn leads(assessment: &Assessment, name: &str) -> Option<Effect> {
    let clock = Clock::new(TimeZone::UTC, assessment.now);
    let cx = ExplainContext::of(assessment, &clock);
    let name = format!("{name} at {}", assessment.now);
    let all = Problem::all(&cx);
    let found = Problem::of(&cx);
    let is_short = short_at_max(cx.facts.trace, cx.facts.max()).is_some();
    let Some(found) = found else {
        let is_outranked = |effect: Effect| is_short && !effect.is_felt_now();
        let is_doubtful = cx.contradiction().is_some();
        let most = all.first().map(|(effect, _)| *effect);
        assert!(
            is_doubtful || most.is_none_or(is_outranked),
            "{name}: {all:?}"
        );
        return None;
    };
    let (effect, first) = all.first().unwrap();
    assert_eq!(*first, found, "{name}");
    assert!(all.iter().all(|(other, _)| other <= effect), "{name}");
    let answer = Overview::new(&cx, false).answer;
    assert_eq!(answer.words(), found.words, "{name}");
    for (effect, problem) in &all {
        if problem.words.contains(" of other owners") || problem.words.contains(" of another owner")
        {
            same_as_counterfactual(&cx, *effect, &name);
        }
    }
    Some(*effect)
}

/// The decision without pods of others, by the list of `--what-if`.
fn same_as_counterfactual(cx: &ExplainContext<'_>, effect: Effect, name: &str) {
    let is_foreign = |kind| kind == AlterationKind::ForeignPods;
    let without = counterfactuals(cx.today(), is_foreign).next().unwrap();
    let now = cx.facts.trace.decision.replicas();
    let then = without.replicas().or(cx.facts.current());
    let (now, then) = (now.unwrap(), then.unwrap());
    match effect {
        Effect::Replicas(fewer) => assert_eq!(now - then, fewer, "{name}"),
        Effect::Lacking(lacking) if now < then => assert_eq!(then - now, lacking, "{name}"),
        Effect::Lacking(lacking) => {
            let max = cx.facts.max();
            let short = |trace| short_at_max(trace, max).map_or(0, ShortAtMax::replicas);
            let fewer = short(cx.facts.trace) - short(&without.trace);
            assert_eq!(fewer, lacking, "{name}");
        }
        _ => panic!("{name}: {effect:?}"),
    }
}

fn recordings() -> Vec<PathBuf> {
    let folders = [
        "examples",
        "examples/questions",
        "examples/worked",
        "tests/situations",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let is_recording = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".jsonl") || name.ends_with(".jsonl.zst")
    };
    files
        .map(|file| file.unwrap().path())
        .filter(is_recording)
        .collect()
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
