//! How things are at the start: from a cluster, a recording, or manifests.

use anyhow::{anyhow, bail};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use crate::{
    cli::SimulateArgs,
    cluster::{self, GatherScope, SnapshotDetail},
    commands::{
        controller_flags,
        explain::{Chosen, ExplainSubject, Wanted, choose},
        named_file,
        runtime::{connect_for, noting_slowness, runtime, with_others},
    },
    inference::{Analysis, MemoryBasis},
    manifest::Objects,
    model::{Input, Memory, SnapshotField},
    recording::{Converted, Snapshot, name_of, wire},
};

/// How things are at the start.
pub(super) struct Start {
    /// The HPA and everything around it.
    pub(super) snapshot: Snapshot,
    /// What the controller remembers.
    pub(super) memory: Input<Memory>,
    /// A pod as the target's template has it, where there are no pods.
    pub(super) template: Option<wire::Pod>,
    /// Whether anything of it runs, as opposed to manifests.
    pub(super) is_running: bool,
}

impl Start {
    /// Reads it.
    pub(super) fn read(args: &SimulateArgs, zone: &TimeZone) -> anyhow::Result<Self> {
        match &args.file {
            Some(path) => {
                let wanted = Wanted {
                    selection: &args.selection,
                    namespace: args.connection.namespace.as_deref(),
                    at: None,
                    controller: &args.controller,
                    has_snapshots: true,
                };
                let Chosen { subjects, objects } = choose(path, &wanted, zone)?;
                let count = subjects.len();
                let mut subjects = subjects.into_iter();
                let (Some((subject, Some(snapshot))), None) = (subjects.next(), subjects.next())
                else {
                    bail!(
                        "{}: {count} HPAs in it: name one, such as `kubectl hpa simulate NAME -f FILE`",
                        name_of(path)
                    );
                };
                Self::of(subject, *snapshot, objects.as_deref())
                    .map_err(|error| anyhow!("{}: {error:#}", name_of(path)))
            }
            None => {
                named_file::refuse(&args.selection.names)?;
                Self::live(args)
            }
        }
    }

    fn live(args: &SimulateArgs) -> anyhow::Result<Self> {
        let snapshots = runtime()?.block_on(async {
            let (client, selection) = connect_for(&args.selection, &args.connection).await?;
            let gathered = cluster::gather(
                &client,
                &selection,
                SnapshotDetail::Redacted,
                GatherScope::Surroundings,
            );
            let gathered = noting_slowness(Box::pin(gathered)).await;
            anyhow::Ok(with_others(&client, &selection, gathered).await?)
        })?;
        let count = snapshots.len();
        let mut snapshots = snapshots.into_iter();
        let (Some(mut snapshot), None) = (snapshots.next(), snapshots.next()) else {
            bail!("{count} HPAs are selected: name one, such as `kubectl hpa simulate web`");
        };
        controller_flags::apply(&args.controller, &mut snapshot)?;
        let subject = ExplainSubject::of_snapshot(&snapshot, &mut Converted::default())?;
        let mut subjects = [subject];
        ExplainSubject::infer_settings(&mut subjects);
        let [subject] = subjects;
        Self::of(subject, snapshot, None)
    }

    fn of(
        subject: ExplainSubject,
        mut snapshot: Snapshot,
        objects: Option<&Objects>,
    ) -> anyhow::Result<Self> {
        snapshot.controller = (&subject.input.observation.controller).into();
        let planned = objects.and_then(|objects| objects.planned(&snapshot));
        let (template, scale) = planned.map_or((None, None), |(pod, scale)| (Some(pod), scale));
        let is_running = snapshot.scale.is_some();
        if !is_running {
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
        let memory = if is_running {
            let analysis = Analysis::new(&subject.input);
            match analysis.memory_basis {
                MemoryBasis::Inferred => Input::inferred(analysis.memory),
                _ => Input::given(analysis.memory),
            }
        } else {
            Input::assumed(Memory::default())
        };
        if !is_running {
            plan_pods(&mut snapshot, template.as_ref());
            // As the API server numbers the spec of a new HPA.
            snapshot.hpa.metadata.generation.get_or_insert(1);
        }
        // What the pages would say of the time before the start.
        snapshot.kubernetes_events.clear();
        snapshot.requests.clear();
        Ok(Self {
            snapshot,
            memory,
            template,
            is_running,
        })
    }
}

/// Pods of the template, as many as the target wants, ready for an hour.
fn plan_pods(snapshot: &mut Snapshot, template: Option<&wire::Pod>) {
    let (Some(template), Some(scale)) = (template, &snapshot.scale) else {
        return;
    };
    let since = snapshot.time - SignedDuration::from_hours(1);
    // A time of the API: whole seconds.
    let since = Timestamp::from_second(since.as_second()).unwrap_or(since);
    let pods = (0..scale.spec.replicas.max(0)).map(|index| {
        let mut pod = template.clone();
        pod.metadata.name = format!("{}-{index}", template.metadata.name);
        pod.metadata.creation_timestamp = Some(since);
        pod.status.phase = "Running".to_owned();
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
    });
    snapshot.pods = pods.collect();
    snapshot
        .not_read
        .retain(|not_read| not_read.what != SnapshotField::Pods);
}
