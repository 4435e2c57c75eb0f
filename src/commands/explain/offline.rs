//! HPAs from files: snapshots, recordings and ordinary objects.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    path::Path,
    slice,
};

use anyhow::{Context as _, bail};
use jiff::{Timestamp, civil::Time, tz::TimeZone};

use super::{Subject, changed};
use crate::{
    change::Change,
    cli::{ExplainArgs, Moment},
    commands::controller_flags,
    explain::amount::names,
    inference::Follower,
    manifest::{self, Objects, Opened},
    model::{KubeVersion, Selector, label_selector::Wording},
    recording::{Line, ReadError, Snapshot, name_of},
};

/// One HPA of a recording: the memory so far, and the reconcile that is to be explained.
#[derive(Default)]
struct Followed {
    follower: Follower,
    chosen: Option<(Subject, Snapshot)>,
}

/// The HPAs of the file: of a recording the last reconcile of each, or the last up to `--at`.
pub(super) fn subjects(
    path: &Path,
    args: &ExplainArgs,
    zone: &TimeZone,
) -> anyhow::Result<Vec<Subject>> {
    let text = args.selection.selector.as_deref().unwrap_or_default();
    let selector = Selector::parse(text, Wording::of(KubeVersion::NEWEST))
        .with_context(|| format!("--selector {text:?}"))?;
    let change = changed::wanted(args)?;
    let mut others = BTreeSet::new();
    let mut objects = None;
    let mut followed: BTreeMap<(String, String, String), Followed> = BTreeMap::new();
    let lines: Box<dyn Iterator<Item = Result<Line, ReadError>>> =
        match manifest::open(path, Timestamp::now())? {
            Opened::Recording(reader) => Box::new(reader),
            Opened::Objects(found) => {
                let numbered = (1..).zip(found.snapshots());
                objects = Some(found);
                Box::new(numbered.map(|(number, mut snapshot)| {
                    set_time(&mut snapshot, args.at, zone);
                    Ok(Line { number, snapshot })
                }))
            }
        };
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err(error @ ReadError::Interrupted { .. }) if !followed.is_empty() => {
                // All whole lines are good, so nothing is lost if this can't be written.
                let _ = writeln!(anstream::stderr(), "note: {}: {error}", name_of(path));
                break;
            }
            Err(error) => return Err(error).with_context(|| name_of(path)),
        };
        let mut snapshot = line.snapshot;
        let place = || format!("{}, line {}", name_of(path), line.number);
        controller_flags::apply(&args.controller, &mut snapshot).with_context(place)?;
        let mut subject = Subject::of_snapshot(&snapshot).with_context(place)?;
        let labels = &snapshot.hpa.metadata.labels;
        if !is_meant(&subject, args) || !selector.matches(labels) {
            others.insert(format!(
                "{}/{}",
                subject.observation.hpa.namespace, subject.observation.hpa.name
            ));
            continue;
        }
        let hpa = &subject.observation.hpa;
        let key = (
            snapshot.metadata.name.clone(),
            hpa.namespace.clone(),
            hpa.name.clone(),
        );
        let entry = followed.entry(key).or_default();
        let step = entry.follower.follow(
            &subject.observation,
            &subject.context,
            snapshot.controller_started,
            subject.now,
        );
        subject.memory = step.before;
        let chosen = entry.chosen.as_ref().map(|(chosen, _)| chosen.now);
        if is_later(args.at, chosen, subject.now, zone) {
            entry.chosen = Some((subject, snapshot));
        }
    }
    if followed.is_empty() && !others.is_empty() {
        let others: Vec<String> = others.into_iter().collect();
        bail!(
            "{}: none of its HPAs is meant; it has {}",
            name_of(path),
            names(&others, 5)
        );
    }
    let mut subjects = Vec::new();
    for (mut subject, snapshot) in followed.into_values().filter_map(|it| it.chosen) {
        if args.at == Some(Moment::Now) {
            subject.now = Timestamp::now();
            subject.outcome = None;
        }
        let mut subject = match &change {
            Some(change) => with_change(change, subject, &snapshot, objects.as_ref())?,
            None => subject,
        };
        // A file may have HPAs of several clusters.
        Subject::infer_settings(slice::from_mut(&mut subject));
        subjects.push(subject);
    }
    if subjects.is_empty() {
        bail!("{}: it has no HPA at that time", name_of(path));
    }
    Ok(subjects)
}

/// The subject with a changed spec, from what the file has.
fn with_change(
    change: &Change,
    today: Subject,
    snapshot: &Snapshot,
    objects: Option<&Objects>,
) -> anyhow::Result<Subject> {
    let changed = changed::changed(change, snapshot)?;
    let assembled = objects.and_then(|objects| objects.with_spec(snapshot, &changed.spec));
    let snapshot = assembled.unwrap_or_else(|| {
        let (mut snapshot, missing) = snapshot.with_spec(changed.spec);
        let why = "the recording has nothing about it: the HPA did not ask for it then";
        snapshot.note_missing(&missing, why);
        snapshot
    });
    Ok(today.with_change(&snapshot, changed.edit)?)
}

/// Objects do not tell when they were read, so the moment is what the user says.
fn set_time(snapshot: &mut Snapshot, at: Option<Moment>, zone: &TimeZone) {
    let read = snapshot.time;
    let time = match at {
        None => return,
        Some(Moment::Now) => Some(Timestamp::now()),
        Some(Moment::At(at)) => Some(at),
        Some(Moment::TimeOfDay(time)) => {
            let date = read.to_zoned(zone.clone()).date();
            let zoned = date.to_datetime(time).to_zoned(zone.clone());
            zoned.ok().map(|zoned| zoned.timestamp())
        }
    };
    snapshot.time = time.unwrap_or(read);
    snapshot.not_read.retain(|not_read| not_read.what != "time");
}

fn is_meant(subject: &Subject, args: &ExplainArgs) -> bool {
    let hpa = &subject.observation.hpa;
    let target = &hpa.spec.scale_target;
    let is_named = |name: &String| match name.split_once('/') {
        Some((kind, name)) if !kind.starts_with("hpa") && !kind.starts_with("horizontal") => {
            target.name == name
        }
        Some((_, name)) => hpa.name == name,
        None => hpa.name == *name,
    };
    let names = &args.selection.names;
    let is_in_namespace = args
        .connection
        .namespace
        .as_ref()
        .is_none_or(|namespace| hpa.namespace == *namespace);
    is_in_namespace && (names.is_empty() || names.iter().any(is_named))
}

/// Whether the reconcile at `now` fits `wanted` better than the one chosen before.
fn is_later(
    wanted: Option<Moment>,
    chosen: Option<Timestamp>,
    now: Timestamp,
    zone: &TimeZone,
) -> bool {
    match wanted {
        None | Some(Moment::Now) => true,
        Some(Moment::At(at)) => {
            now <= at || (at.subsec_nanosecond() == 0 && now.as_second() <= at.as_second())
        }
        Some(Moment::TimeOfDay(time)) => {
            let before = |at| seconds_before(time, at, zone);
            chosen.is_none_or(|chosen| before(now) <= before(chosen))
        }
    }
}

/// How long before the time of day `time` a moment is, going round the clock.
fn seconds_before(time: Time, at: Timestamp, zone: &TimeZone) -> i64 {
    let there = at.to_zoned(zone.clone()).time();
    let seconds = time.duration_since(there).as_secs();
    seconds.rem_euclid(86_400)
}
