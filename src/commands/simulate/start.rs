//! The initial state: from a cluster, a recording, or manifests.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail};
use hpa_analysis::{Analysis, Assessment, MemoryBasis};
use hpa_engine::model::{Input, Memory, SnapshotField};
use hpa_explain::{ExplainContext, Problem};
use hpa_objects::{
    manifest::Objects,
    recording::{Converted, Snapshot, name_of, wire},
};
use hpa_playback::ExplainSubject;
use hpa_simulation::{Load, Millis, history};
use hpa_words::{clock::Clock, program::typed};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use crate::{
    cli::SimulateArgs,
    commands::{
        explain::{FileSelection, HpaOfFile, HpasOfFile, of_file},
        history::past_loads,
        named_file,
    },
    process::runtime::{finish, only_hpa},
};

/// The initial state.
pub(super) struct Start {
    /// The HPA and its context.
    pub(super) snapshot: Snapshot,
    /// The controller's recommendation history.
    pub(super) memory: Input<Memory>,
    /// A pod from the target's template, if there are only manifests: all pods are like it.
    pub(super) template: Option<wire::Pod>,
    /// Whether it is running, and not just manifests.
    pub(super) is_running: bool,
    /// The past load of each metric.
    pub(super) past: BTreeMap<String, Load>,
    /// How long pods of the past took from creation to ready.
    pub(super) past_startups: Vec<Millis>,
    /// What `explain` says is wrong.
    pub(super) problem: Option<Problem>,
}

impl Start {
    /// Reads the initial state.
    pub(super) fn read(args: &SimulateArgs, zone: &TimeZone) -> anyhow::Result<Self> {
        if let Some(path) = &args.file {
            if history(&args.loads)?.is_some() {
                bail!(
                    "--load history:… reads the past of a running HPA: name it without -f, or give a recording with --load recording:FILE"
                );
            }
            let selection = FileSelection {
                path,
                selection: &args.selection,
                namespace: args.connection.namespace.as_deref(),
                at: None,
                controller: &args.controller,
            };
            let HpasOfFile { hpas, objects, .. } = of_file(selection, true, zone, Box::new)?;
            let count = hpas.len();
            let mut hpas = hpas.into_iter();
            let only = hpas.next().filter(|_| count == 1).map(|hpa| *hpa);
            let Some(HpaOfFile {
                subject,
                snapshot: Some(snapshot),
                ..
            }) = only
            else {
                bail!(
                    "{}: {count} HPAs in it: name one, such as `{}`",
                    name_of(path),
                    typed("simulate NAME -f FILE")
                );
            };
            Self::of(&subject, *snapshot, objects.as_deref())
                .map_err(|error| anyhow!("{}: {error:#}", name_of(path)))
        } else {
            named_file::refuse(&args.selection.names, true)?;
            Self::live(args)
        }
    }

    fn live(args: &SimulateArgs) -> anyhow::Result<Self> {
        let since = history(&args.loads)?;
        let (mut snapshot, past) = finish(async {
            let advice = format!("name one, such as `{}`", typed("simulate web"));
            let (client, snapshot) =
                Box::pin(only_hpa(&args.selection, &args.connection, &advice)).await?;
            let past = match since {
                Some(since) => {
                    Box::pin(past_loads(&client, &args.prometheus, &snapshot, since)).await?
                }
                None => BTreeMap::new(),
            };
            anyhow::Ok((snapshot, past))
        })?;
        args.controller.apply(&mut snapshot)?;
        let subject = ExplainSubject::of_snapshot(&snapshot, &mut Converted::default())?;
        let mut subjects = [subject];
        ExplainSubject::infer_settings(&mut subjects);
        let [subject] = subjects;
        let mut start = Self::of(&subject, snapshot, None)?;
        start.past = past;
        Ok(start)
    }

    /// The initial state from an assessment during a watch.
    pub(super) fn of_assessment(assessment: Assessment, mut snapshot: Snapshot) -> Self {
        snapshot.kubernetes_events.clear();
        let (memory, problem) = memory_and_problem(assessment);
        Self {
            snapshot,
            memory,
            template: None,
            is_running: true,
            past: BTreeMap::new(),
            past_startups: Vec::new(),
            problem,
        }
    }

    fn of(
        subject: &ExplainSubject,
        mut snapshot: Snapshot,
        objects: Option<&Objects>,
    ) -> anyhow::Result<Self> {
        snapshot.controller = (&subject.input.observation.controller).into();
        let planned = objects.and_then(|objects| objects.planned(&snapshot));
        let (mut template, scale) = planned.map_or((None, None), |(pod, scale)| (Some(pod), scale));
        let is_running = snapshot.scale.is_some();
        if !is_running {
            let target = &snapshot.hpa.spec.scale_target_ref;
            if objects.is_none() {
                let (kind, name) = (&target.kind, &target.name);
                bail!(
                    "the scale of {kind}/{name} cannot be read: `{}` says why",
                    typed("explain")
                );
            }
            let Some(scale) = scale else {
                let kind = &snapshot.hpa.spec.scale_target_ref.kind;
                let name = &snapshot.hpa.spec.scale_target_ref.name;
                bail!(
                    "{kind} {name}, the scale target, is not in it: add its manifest, or the output of kubectl get {} {name} -o yaml",
                    kind.to_lowercase()
                );
            };
            snapshot.scale = Some(scale);
            snapshot
                .not_read
                .retain(|not_read| not_read.what != SnapshotField::Scale);
        }
        let (memory, problem) = if is_running {
            memory_and_problem(Assessment::new(subject.input.clone()))
        } else {
            (Input::assumed(Memory::default()), None)
        };
        if !is_running {
            // The API's times are whole seconds: with fractions, the same manifests would give different courses.
            let second = snapshot.time.as_second();
            snapshot.time = Timestamp::from_second(second).unwrap_or(snapshot.time);
            template = template.map(|pod| running(pod, snapshot.time));
            snapshot
                .not_read
                .retain(|not_read| not_read.what != SnapshotField::Pods);
            // As the API server numbers the spec of a new HPA.
            snapshot.hpa.metadata.generation.get_or_insert(1);
        }
        // Pages would mention it as the time before the start.
        snapshot.kubernetes_events.clear();
        snapshot.requests.clear();
        Ok(Self {
            snapshot,
            memory,
            template,
            is_running,
            past: BTreeMap::new(),
            past_startups: Vec::new(),
            problem,
        })
    }
}

/// What the controller remembers, and what `explain` says is wrong.
fn memory_and_problem(assessment: Assessment) -> (Input<Memory>, Option<Problem>) {
    let clock = Clock::new(TimeZone::system(), assessment.now);
    let problem = Problem::of(&ExplainContext::of(&assessment, &clock));
    let Analysis {
        memory,
        memory_basis,
        ..
    } = assessment.analysis;
    (of_basis(memory, memory_basis), problem)
}

fn of_basis(memory: Memory, basis: MemoryBasis) -> Input<Memory> {
    match basis {
        MemoryBasis::Inferred => Input::inferred(memory),
        MemoryBasis::Recorded => Input::given(memory),
        MemoryBasis::Watched | MemoryBasis::WatchedSince(_) | MemoryBasis::WatchedWithGaps(_) => {
            Input::observed(memory)
        }
    }
}

/// A pod of the template that has been ready for an hour.
fn running(mut pod: wire::Pod, now: Timestamp) -> wire::Pod {
    let since = now - SignedDuration::from_hours(1);
    // API times are whole seconds.
    let since = Timestamp::from_second(since.as_second()).unwrap_or(since);
    pod.metadata.creation_timestamp = Some(since);
    "Running".clone_into(&mut pod.status.phase);
    pod.status.start_time = Some(since);
    pod.status.conditions = ["PodScheduled", "Initialized", "Ready"]
        .map(|condition_type| wire::PodCondition {
            condition_type: condition_type.to_owned(),
            status: "True".to_owned(),
            last_transition_time: Some(since),
            ..wire::PodCondition::default()
        })
        .into();
    pod
}
