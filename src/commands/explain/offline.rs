//! HPAs from files: snapshots, recordings and ordinary objects.

use std::{collections::BTreeMap, io::Write as _, path::Path, slice};

use anyhow::{Context as _, anyhow, bail};
use jiff::{Timestamp, tz::TimeZone};

use super::{Subject, changed};
use crate::{
    change::Change,
    cli::{ExplainArgs, Moment},
    cluster::{is_meant, namespace_hint, no_hpa},
    commands::{
        at_moment::{AtMoment, point},
        controller_flags,
    },
    explain::amount::names,
    inference::Follower,
    manifest::{self, Objects, Opened},
    model::{KubeVersion, Selector, label_selector::Wording},
    recording::{Line, ReadError, Snapshot, name_of, wire::Hpa},
};

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
    let mut meant = Meant::new(args);
    let mut objects = None;
    let mut followers: BTreeMap<(String, String, String), Follower> = BTreeMap::new();
    let mut chosen = AtMoment::new(args.at, zone);
    let lines: Box<dyn Iterator<Item = Result<Line, ReadError>>> =
        match manifest::open(path, Timestamp::now())? {
            Opened::Recording(reader) => Box::new(reader),
            Opened::Objects(found) => {
                let numbered = (1..).zip(found.snapshots());
                objects = Some(found);
                Box::new(numbered.map(|(number, mut snapshot)| {
                    if let Some(at) = args.at {
                        set_time(&mut snapshot, at, zone);
                    }
                    Ok(Line { number, snapshot })
                }))
            }
        };
    for line in lines {
        let line = match line {
            Ok(line) => line,
            Err(error @ ReadError::Interrupted { .. }) if !followers.is_empty() => {
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
        if !meant.takes(&snapshot.hpa) || !selector.matches(&snapshot.hpa.metadata.labels) {
            continue;
        }
        let hpa = &subject.observation.hpa;
        let key = (
            snapshot.metadata.name.clone(),
            hpa.namespace.clone(),
            hpa.name.clone(),
        );
        let step = followers.entry(key.clone()).or_default().follow(
            &subject.observation,
            &subject.context,
            snapshot.controller_started,
            subject.now,
        );
        subject.memory = step.before;
        let period = subject.observation.controller.sync_period.value;
        chosen.offer(key, subject.now, period, (subject, snapshot));
    }
    let in_file = |problem: String| anyhow!("{}: {problem}", name_of(path));
    meant.all_found().map_err(in_file)?;
    if followers.is_empty() {
        let what = match meant.all.len() {
            0 => "there is no HPA in it".to_owned(),
            _ => format!("no HPA in it has labels that match {text:?}"),
        };
        bail!("{}: {what}", name_of(path));
    }
    let mut subjects = Vec::new();
    for (subject, snapshot) in chosen.chosen().map_err(in_file)? {
        let mut subject = match &change {
            Some(change) => with_change(change, subject, &snapshot, objects.as_ref())?,
            None => subject,
        };
        // A file may have HPAs of several clusters.
        Subject::infer_settings(slice::from_mut(&mut subject));
        subjects.push(subject);
    }
    Ok(subjects)
}

/// Which HPAs of the file the names and the namespace mean.
struct Meant<'a> {
    namespace: Option<&'a str>,
    /// Each name, and whether there was one of that name.
    names: Vec<(&'a str, bool)>,
    /// All HPAs of the file, once each.
    all: BTreeMap<(String, String), Hpa>,
}

impl<'a> Meant<'a> {
    fn new(args: &'a ExplainArgs) -> Self {
        let names = args.selection.names.iter();
        Self {
            namespace: args.connection.namespace.as_deref(),
            names: names.map(|name| (name.as_str(), false)).collect(),
            all: BTreeMap::new(),
        }
    }

    /// Whether this one is meant.
    fn takes(&mut self, hpa: &Hpa) -> bool {
        let namespace = hpa.metadata.namespace.clone().unwrap_or_default();
        let is_in_namespace = self.namespace.is_none_or(|wanted| wanted == namespace);
        let place = (namespace, hpa.metadata.name.clone());
        self.all.entry(place).or_insert_with(|| hpa.clone());
        let mut is_named = self.names.is_empty();
        for (name, is_found) in &mut self.names {
            if is_in_namespace && is_meant(hpa, name) {
                *is_found = true;
                is_named = true;
            }
        }
        is_in_namespace && is_named
    }

    /// Whether every name was found, and the namespace.
    fn all_found(&self) -> Result<(), String> {
        let missing = self.names.iter().find(|(_, is_found)| !is_found);
        let is_there = |namespace| self.all.keys().any(|(there, _)| there == namespace);
        let (what, hint) = match (missing, self.namespace) {
            (Some((name, _)), _) => (no_hpa(name), namespace_hint(name, self.all.values())),
            (None, Some(namespace)) if self.names.is_empty() && !is_there(namespace) => {
                ("there is no HPA".to_owned(), None)
            }
            _ => return Ok(()),
        };
        let place = self.namespace.map_or_else(
            || "in it".to_owned(),
            |namespace| format!("in namespace {namespace} of it"),
        );
        let all: Vec<String> = self
            .all
            .keys()
            .map(|(namespace, name)| format!("{namespace}/{name}"))
            .collect();
        let hint = hint.unwrap_or_else(|| format!("; it has {}", names(&all, 5)));
        Err(format!("{what} {place}{hint}"))
    }
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
fn set_time(snapshot: &mut Snapshot, at: Moment, zone: &TimeZone) {
    let moment = point(Some(at), snapshot.time, zone);
    snapshot.time = moment.unwrap_or_else(Timestamp::now);
    snapshot.not_read.retain(|not_read| not_read.what != "time");
}
