//! One line of a recording of the real controller, as if it were the only one: what is inferred from it must be what
//! the controller did next, or a range that contains it. That holds above all right after an edit, when the status is
//! still that of the spec before.
//!
//! `EDITED_RECORDINGS` names a folder with other recordings than those of the repository.

#![expect(clippy::unwrap_used, reason = "test code")]
#![expect(clippy::cast_precision_loss, reason = "shares of some thousand lines")]

mod recordings;

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use hpa_analysis::{
    Analysis, OutsideMemory, SpecDifference, StatusSpec, memory_before_change, memory_from_outside,
};
use hpa_engine::{
    engine,
    model::{Context, FieldManager, HpaSpec, Memory, MetricStatus, Observation, SyncInput},
};
use hpa_objects::recording::{RecordingReader, Snapshot, wire::HpaStatus};
use recordings::cluster::Cluster;

/// What was edited since the sync before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edited {
    Nothing,
    Bounds,
    Metrics,
    Behavior,
    Target,
    Several,
}

impl Edited {
    fn between(before: &HpaSpec, after: &HpaSpec) -> Self {
        let bounds = |spec: &HpaSpec| (spec.min_replicas(), spec.max_replicas);
        let edits = [
            (bounds(before) != bounds(after), Self::Bounds),
            (before.metrics != after.metrics, Self::Metrics),
            (before.behavior != after.behavior, Self::Behavior),
            (before.scale_target != after.scale_target, Self::Target),
        ];
        let mut edits = edits.into_iter().filter(|(is_edited, _)| *is_edited);
        match (edits.next(), edits.next()) {
            (None, _) => Self::Nothing,
            (Some((_, only)), None) => only,
            _ => Self::Several,
        }
    }
}

/// What one line shows of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// It has not happened: `--set` asks what would follow.
    Asked,
    /// Nothing.
    Unnoticed,
    /// That there was one.
    Noticed,
    /// The bound before, and that no older recommendation was higher than the newest: without behavior, nothing else
    /// is remembered.
    Determined,
}

impl Shown {
    fn of(observation: &Observation, spec: &StatusSpec) -> Self {
        let status = &observation.hpa.status;
        let able = status.condition("AbleToScale");
        let is_ready = able.is_some_and(|able| able.reason == "ReadyForNewScale");
        let is_bound = |one: &SpecDifference| {
            matches!(
                one,
                SpecDifference::MaxReplicas(_) | SpecDifference::MinReplicas(_)
            )
        };
        let is_of_bounds = !spec.differences.is_empty() && spec.differences.iter().all(is_bound);
        let is_whole = !status.current_metrics.contains(&MetricStatus::Failed);
        if !spec.is_other {
            Self::Unnoticed
        } else if is_ready && is_of_bounds && is_whole && observation.hpa.spec.behavior.is_none() {
            Self::Determined
        } else {
            Self::Noticed
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    all: usize,
    exact: usize,
    ranges: usize,
    /// The lines that are held for as long as nobody knows, and change right away: a page says that they may.
    announced: usize,
    /// The lines whose next decision is another.
    wrong: Vec<String>,
}

/// What one line shows of the next decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Inferred {
    /// The fewest and the most replicas with the possible histories.
    range: (i32, i32),
    /// The replicas if what is known without its time has just expired: the first change may then come right away.
    expired: i32,
}

impl Tally {
    fn add(
        &mut self,
        snapshot: &Snapshot,
        observation: &Observation,
        inferred: Inferred,
        real: i32,
    ) {
        let (low, high) = inferred.range;
        let expired = inferred.expired;
        self.all += 1;
        self.exact += usize::from(low == high && low == real);
        self.ranges += usize::from(low != high);
        if (low..=high).contains(&real) {
            return;
        }
        if (low.min(expired)..=high.max(expired)).contains(&real) {
            self.announced += 1;
            return;
        }
        let (spec, status) = (&observation.hpa.spec, &observation.hpa.status);
        let reason = |kind| status.condition(kind).map_or("", |one| one.reason.as_str());
        self.wrong.push(format!(
            "{} {}: to {real}, inferred {low} to {high}; {} {}, {} to {}, bounds {} to {}, behavior {}",
            snapshot.metadata.name,
            snapshot.time,
            reason("AbleToScale"),
            reason("ScalingLimited"),
            status.current_replicas,
            status.desired_replicas,
            spec.min_replicas(),
            spec.max_replicas,
            spec.behavior.is_some(),
        ));
    }

    fn line(&self, name: &str) -> String {
        let share = |number: usize| 100.0 * number as f64 / self.all.max(1) as f64;
        format!(
            "{name}: {} lines, {:.2}% exact, {:.2}% ranges, {} held and released ({:.3}%), {} wrong ({:.3}%)",
            self.all,
            share(self.exact),
            share(self.ranges),
            self.announced,
            share(self.announced),
            self.wrong.len(),
            share(self.wrong.len())
        )
    }
}

type Tallies = BTreeMap<(Edited, Shown), Tally>;

/// The line before, of the same HPA.
struct Before {
    name: String,
    spec: HpaSpec,
    edited_by: Option<FieldManager>,
    /// The status that its sync left, and that belongs to its spec.
    status: Option<HpaStatus>,
}

/// Infers from each line of a file alone, and compares with what the controller did.
fn tally(file: &Path, tallies: &mut Tallies) {
    let mut cluster = Cluster::default();
    let mut before: Option<Before> = None;
    for line in RecordingReader::open(file).unwrap() {
        let snapshot = line.unwrap().snapshot;
        let Ok(observation) = snapshot.observation() else {
            continue;
        };
        if before
            .as_ref()
            .is_none_or(|one| one.name != snapshot.metadata.name)
        {
            cluster = Cluster::default();
        }
        let context = cluster.before(&snapshot).context();
        cluster.after(&snapshot);
        let (name, spec) = (&snapshot.metadata.name, &observation.hpa.spec);
        let outcome = snapshot.outcome.as_ref();
        let last = before.replace(Before {
            name: name.clone(),
            spec: spec.clone(),
            edited_by: context.hpa_edited_by.clone(),
            status: outcome.map(|outcome| outcome.status.clone()),
        });
        let last = last.filter(|last| last.name == *name);
        let edited = last
            .as_ref()
            .map_or(Edited::Nothing, |last| Edited::between(&last.spec, spec));
        let Some((inferred, real)) = compared(&snapshot, &observation, &context) else {
            continue;
        };
        let of_status = StatusSpec::of(&observation, &context, snapshot.time);
        let shown = Shown::of(&observation, &of_status);
        let tally = tallies.entry((edited, shown)).or_default();
        tally.add(&snapshot, &observation, inferred, real);
        let is_asked = |last: &Before| {
            edited != Edited::Nothing && last.status.as_ref() == Some(&snapshot.hpa.status)
        };
        if let Some(last) = last.filter(is_asked)
            && let Some(asked) = asked(&snapshot, &observation, &last, &context)
        {
            let tally = tallies.entry((edited, Shown::Asked)).or_default();
            tally.add(&snapshot, &observation, asked, real);
        }
    }
}

fn decide(snapshot: &Snapshot, observation: &Observation, memory: &Memory) -> Option<i32> {
    let trace = engine::decide(observation, &mut memory.clone(), snapshot.time);
    trace.decision.replicas()
}

/// What is inferred, and what the controller did. None if it decided nothing, or its write was refused.
fn compared(
    snapshot: &Snapshot,
    observation: &Observation,
    context: &Context,
) -> Option<(Inferred, i32)> {
    let outside = memory_from_outside(observation, context, snapshot.time);
    let decide = |memory: &Memory| decide(snapshot, observation, memory);
    let ends = outside.ends().chain([&outside.likely]);
    let ends = ends.map(decide).collect::<Option<Vec<i32>>>()?;
    let inferred = Inferred {
        range: (*ends.iter().min()?, *ends.iter().max()?),
        expired: decide(&outside.dated)?,
    };
    let current = observation.scale.read()?.spec_replicas;
    let outcome = snapshot.outcome.as_ref()?;
    let is_refused = snapshot.scale_write_error.is_some();
    (!is_refused).then(|| (inferred, outcome.scale_to.unwrap_or(current)))
}

fn report(tallies: &Tallies) -> String {
    let mut text = String::new();
    for ((edited, shown), tally) in tallies {
        let name = format!("{edited:?}, {shown:?}");
        writeln!(text, "{}", tally.line(&name)).unwrap();
        for wrong in tally.wrong.iter().take(MOST_PRINTED) {
            writeln!(text, "    {wrong}").unwrap();
        }
    }
    text
}

/// The lines of some cells together.
fn sum(tallies: &Tallies, is_wanted: impl Fn(Edited, Shown) -> bool) -> Tally {
    let mut all = Tally::default();
    for ((edited, shown), tally) in tallies {
        if is_wanted(*edited, *shown) {
            all.all += tally.all;
            all.exact += tally.exact;
            all.ranges += tally.ranges;
            all.announced += tally.announced;
            all.wrong.extend(tally.wrong.iter().cloned());
        }
    }
    all
}

const MOST_PRINTED: usize = 12;

#[test]
fn what_one_line_shows_contains_what_the_controller_does_next() {
    let mut tallies = Tallies::new();
    for file in recordings::files(|_| true) {
        tally(&file, &mut tallies);
    }
    let report = report(&tallies);
    println!("{report}");
    let every = sum(&tallies, |_, shown| shown != Shown::Asked);
    let edits = sum(&tallies, |edited, shown| {
        edited != Edited::Nothing && shown != Shown::Asked
    });
    let noticed = sum(&tallies, |edited, shown| {
        edited != Edited::Nothing && !matches!(shown, Shown::Asked | Shown::Unnoticed)
    });
    let asked = sum(&tallies, |_, shown| shown == Shown::Asked);
    let determined = sum(&tallies, |edited, shown| {
        edited == Edited::Bounds && shown == Shown::Determined
    });
    for (name, tally) in [
        ("every line", &every),
        ("after an edit", &edits),
        ("after an edit that shows", &noticed),
        ("bounds, determined", &determined),
        ("before an edit, asked with --set", &asked),
    ] {
        println!("{}", tally.line(name));
    }
    // Windows and periods that end right now cannot be seen from outside, nor can an edit without a time.
    assert!(every.announced * 50 <= every.all, "{report}");
    assert!(every.wrong.len() * 1000 <= every.all, "{report}");
    assert!(edits.wrong.len() * 500 <= edits.all, "{report}");
    assert!(asked.wrong.len() * 500 <= asked.all, "{report}");
    assert!(noticed.wrong.len() * 1000 <= noticed.all, "{report}");
    assert!(determined.wrong.is_empty(), "{report}");
    // A range that holds whatever can happen says nothing.
    assert!(noticed.all <= noticed.exact * 2, "{report}");
    assert!(determined.all * 3 <= determined.exact * 4, "{report}");
}

/// The replicas that are possible if the spec of `before` becomes that of `after`, asked before anybody edits it.
fn asked(
    snapshot: &Snapshot,
    after: &Observation,
    before: &Before,
    context: &Context,
) -> Option<Inferred> {
    let mut today = after.clone();
    today.hpa.spec = before.spec.clone();
    today.hpa.generation = today.hpa.status.observed_generation;
    let context = Context {
        hpa_edited_by: before.edited_by.clone(),
        ..context.clone()
    };
    let outside: OutsideMemory = memory_before_change(after, &today, &context, snapshot.time);
    let input = SyncInput {
        observation: after.clone(),
        context,
        memory: None,
        now: snapshot.time,
    };
    let analysis = Analysis::of_changed_spec(&input, &today);
    let decided = analysis.trace.decision.replicas()?;
    Some(Inferred {
        range: analysis.range.unwrap_or((decided, decided)),
        expired: decide(snapshot, after, &outside.dated)?,
    })
}
