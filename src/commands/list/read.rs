//! Reads everything once: what decides, and what the `lint` rules need.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::Path,
    slice,
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use hpa_analysis::{Assessment, apply_inferred, infer_settings};
use hpa_cluster::{Client, ClusterError, Selection};
use hpa_engine::model::{ControllerConfig, InferredSetting, NotRead, SyncInput};
use hpa_explain::{ExplainContext, Overview, PageFile};
use hpa_lint::{LintInput, LintSettings, Reported, Severity, parallel};
use hpa_objects::recording::{Converted, Outcome, Snapshot, wire};
use hpa_playback::{ExplainSubject, SubjectOrigin, compared, strictest};
use hpa_render::list::{Causes, ErrorFinding, ListRow, ListView, SORT_KEYS};
use hpa_words::{clock::Clock, sanitize::brief_message};
use jiff::tz::TimeZone;

use crate::{
    cli::{ExplainFormat, ListArgs},
    commands::{
        explain::{FileSelection, HpaOfFile, ObjectsOfFile, of_file},
        lint::Collected,
    },
};

/// The result of a read.
pub(super) enum ListRead {
    /// The selected HPAs.
    Hpas {
        /// The list.
        view: ListView,
        /// The specs of its rows; none: they are objects of a file.
        specs: Vec<wire::HpaSpec>,
        /// The sync period of the controller, as far as known.
        sync_period: Duration,
    },
    /// There are none, and none was named; the message.
    None(ClusterError),
}

/// Reads the selected HPAs, decides for each, and runs the rules on them.
pub(super) async fn read(
    args: &ListArgs,
    selection: &Selection,
    client: &Client,
) -> anyhow::Result<ListRead> {
    match gather(args, selection, client).await {
        Ok((input, mut subjects)) => {
            let inputs = subjects.iter().map(|one| &one.input);
            let settings = infer_settings(inputs.map(|one| (&one.observation, &one.context)));
            for ListSubject { input, .. } in &mut subjects {
                apply_inferred(&mut input.observation, &mut input.context, &settings);
            }
            evaluate(args, input, subjects.into())
        }
        Err(error) => match error.downcast() {
            Ok(nothing @ ClusterError::NoHpa(_)) => Ok(ListRead::None(nothing)),
            Ok(nothing @ ClusterError::NotFound(_)) if args.ignore_not_found => {
                Ok(ListRead::None(nothing))
            }
            Ok(error) => Err(error.into()),
            Err(error) => Err(error),
        },
    }
}

/// Reads the selected HPAs of a file, decides for each, and runs the rules on them.
pub(super) fn read_file(args: &ListArgs, path: &Path) -> anyhow::Result<ListView> {
    let selection = FileSelection {
        path,
        selection: &args.selection,
        namespace: args.connection.namespace.as_deref(),
        at: args.at,
        controller: &args.controller,
    };
    let zone = TimeZone::system();
    let keep = |hpa: HpaOfFile| {
        if let Some(index) = hpa.index {
            return Some(FoundHpa::OfObjects(index));
        }
        let subject = ListSubject::of(hpa.subject, hpa.snapshot?.hpa);
        Some(FoundHpa::Made(Box::new(subject)))
    };
    let (kept, objects) = of_file(selection, true, &zone, keep)?.split(selection, &zone);
    let all: Option<Vec<FoundHpa>> = kept.into_iter().collect();
    let found = FoundHpas {
        all: all.context("an HPA has no snapshot")?,
        objects,
    };
    match evaluate(args, LintInput::default(), found)? {
        ListRead::Hpas { view, .. } => Ok(view),
        ListRead::None(nothing) => Err(nothing.into()),
    }
}

/// A single HPA, as `--watch` evaluates it.
pub(super) struct EvaluatedHpa {
    /// Its row, without `lint` findings.
    pub(super) row: ListRow,
    /// Settings of the controller inferred from what it did to this HPA.
    pub(super) settings: Vec<InferredSetting>,
    /// What could not be read for it.
    pub(super) not_read: Vec<NotRead>,
    /// The sync period.
    pub(super) sync_period: Duration,
    spec: wire::HpaSpec,
    has_scale: bool,
}

impl EvaluatedHpa {
    /// The part of the HPA that the `lint` rules use.
    pub(super) fn linted(&self) -> (wire::HpaSpec, bool) {
        (self.spec.clone(), self.has_scale)
    }
}

/// Decides for one HPA. `known` are settings of the controller inferred from all HPAs.
pub(super) fn evaluate_one(
    args: &ListArgs,
    snapshot: Snapshot,
    known: &[InferredSetting],
) -> anyhow::Result<EvaluatedHpa> {
    let has_scale = snapshot.scale.is_some();
    let mut one = subject(args, snapshot, &mut Converted::default())?;
    let input = &mut one.input;
    let settings = infer_settings([(&input.observation, &input.context)]);
    let all = strictest(settings.iter().chain(known));
    apply_inferred(&mut input.observation, &mut input.context, &all);
    let live = Assessment::new(*one.input);
    Ok(EvaluatedHpa {
        row: ListRow {
            context: None,
            overview: overview(args, &live, None, TimeZone::system()),
            labels: Arc::unwrap_or_clone(one.hpa.metadata.labels),
            errors: Vec::new(),
        },
        settings,
        not_read: live.context.not_read,
        sync_period: live.observation.sync_period().value.unsigned_abs(),
        spec: one.hpa.spec,
        has_scale,
    })
}

fn overview(
    args: &ListArgs,
    live: &Assessment,
    file: Option<&PageFile>,
    zone: TimeZone,
) -> Overview {
    let clock = Clock::new(zone, live.now);
    let mut cx = ExplainContext::of(live, &clock);
    cx.file = file;
    Overview::new(&cx, has_sentences(args))
}

/// Whether the full sentences of a verdict are printed, or the order may depend on them.
fn has_sentences(args: &ListArgs) -> bool {
    let is_short = matches!(args.output, ExplainFormat::Text | ExplainFormat::Name);
    !is_short
        || args
            .sort_by
            .as_deref()
            .is_some_and(|key| !SORT_KEYS.contains(&key))
}

/// The HPAs of a list.
struct FoundHpas {
    all: Vec<FoundHpa>,
    /// The objects of the file, if it has any.
    objects: Option<ObjectsOfFile>,
}

/// An HPA of a list.
enum FoundHpa {
    /// As it was read.
    Made(Box<ListSubject>),
    /// Its index in the snapshots of the objects: many thousands of HPAs are made a few at a time.
    OfObjects(usize),
}

impl FoundHpas {
    /// Calls `take` with each.
    fn for_each(
        &self,
        mut take: impl FnMut(&ListSubject) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for one in &self.all {
            match one {
                FoundHpa::Made(subject) => take(subject)?,
                FoundHpa::OfObjects(index) => take(&of_objects(self.objects.as_ref(), *index)?)?,
            }
        }
        Ok(())
    }

    /// Each of them, in order.
    fn into_iter(self) -> impl Iterator<Item = anyhow::Result<ListSubject>> {
        let Self { all, objects } = self;
        all.into_iter().map(move |one| match one {
            FoundHpa::Made(subject) => Ok(*subject),
            FoundHpa::OfObjects(index) => of_objects(objects.as_ref(), index),
        })
    }
}

impl From<Vec<ListSubject>> for FoundHpas {
    fn from(subjects: Vec<ListSubject>) -> Self {
        let made = |subject| FoundHpa::Made(Box::new(subject));
        Self {
            all: subjects.into_iter().map(made).collect(),
            objects: None,
        }
    }
}

fn of_objects(objects: Option<&ObjectsOfFile>, index: usize) -> anyhow::Result<ListSubject> {
    let objects = objects.context("the file has no objects")?;
    let (subject, hpa) = objects.hpa(index)?;
    Ok(ListSubject::of(subject, hpa))
}

impl ListSubject {
    fn of(mut subject: ExplainSubject, hpa: wire::Hpa) -> Self {
        // A file may have HPAs of several clusters.
        ExplainSubject::infer_settings(slice::from_mut(&mut subject));
        Self {
            input: Box::new(subject.input),
            hpa: Box::new(hpa),
            outcome: subject.outcome,
            origin: subject.origin,
        }
    }
}

/// One HPA as it was read.
struct ListSubject {
    hpa: Box<wire::Hpa>,
    input: Box<SyncInput>,
    /// What the controller did in this very sync, if recorded.
    outcome: Option<Outcome>,
    origin: SubjectOrigin,
}

async fn gather(
    args: &ListArgs,
    selection: &Selection,
    client: &Client,
) -> anyhow::Result<(LintInput, Vec<ListSubject>)> {
    let collected = RefCell::new(Collected::new(false));
    let snapshots = hpa_cluster::gather_bulk(
        client,
        selection,
        LintSettings::errors_need,
        &mut |listed| {
            collected.borrow_mut().take(listed);
        },
    )
    .await?;
    let collected = collected.into_inner();
    let input = collected.finish(&snapshots, args.selection.all_namespaces);
    let mut converted = Converted::default();
    let subjects = snapshots
        .into_iter()
        .map(|snapshot| subject(args, snapshot, &mut converted))
        .collect::<Result<_, _>>()?;
    Ok((input, subjects))
}

fn subject(
    args: &ListArgs,
    mut snapshot: Snapshot,
    converted: &mut Converted,
) -> anyhow::Result<ListSubject> {
    let mut read = |snapshot: &mut Snapshot| {
        args.controller.apply(snapshot)?;
        snapshot.sync_input(converted)
    };
    let input = read(&mut snapshot).with_context(|| snapshot.metadata.name.clone())?;
    Ok(ListSubject {
        input: Box::new(input),
        hpa: Box::new(snapshot.hpa),
        outcome: None,
        origin: SubjectOrigin::Seen,
    })
}

/// What all HPAs of a list have together.
#[derive(Default)]
struct Survey {
    causes: Causes,
    /// The server's version string and the controller of the first HPA.
    first: Option<(Option<String>, ControllerConfig)>,
    period: Option<jiff::SignedDuration>,
}

impl Survey {
    fn add(&mut self, subject: &ListSubject) {
        let SyncInput {
            observation,
            context,
            ..
        } = &*subject.input;
        let hpa = &observation.hpa;
        self.causes
            .add((&hpa.namespace, &hpa.name), &context.not_read);
        self.first.get_or_insert_with(|| {
            let version = context.server_version.clone();
            (version, observation.controller.clone())
        });
        let period = observation.sync_period().value;
        self.period = Some(self.period.map_or(period, |known| known.min(period)));
    }
}

fn evaluate(args: &ListArgs, mut input: LintInput, found: FoundHpas) -> anyhow::Result<ListRead> {
    let mut survey = Survey::default();
    // A file can have several recordings of one HPA.
    let mut known = BTreeSet::new();
    found.for_each(|subject| {
        survey.add(subject);
        let metadata = &subject.hpa.metadata;
        if known.insert((metadata.namespace.clone(), metadata.name.clone())) {
            input.know(&subject.hpa)?;
        }
        Ok(())
    })?;
    drop(known);
    let (server_version, config) = survey.first.context("no HPA was read")?;
    let mut view = ListView {
        not_read: survey.causes.into_not_read(),
        kinds_not_read: input.world.kinds_not_read().clone(),
        server_version,
        ..ListView::default()
    };
    let sync_period = survey.period.unwrap_or_default().unsigned_abs();
    // Only HPAs of a cluster are compared with others, or followed.
    let keeps_specs = found.objects.is_none();
    let zone = TimeZone::system();
    let (mut rows, mut specs) = (Vec::new(), Vec::new());
    let mut settings = LintSettings::new(config.version);
    settings.configs = vec![config];
    settings.keep_errors();
    let mut errors = Errors::new();
    let mut subjects = found.into_iter().peekable();
    while subjects.peek().is_some() {
        let some = subjects.by_ref().take(AT_A_TIME);
        let some = some.collect::<anyhow::Result<_>>()?;
        for (hpa, live, overview) in decided(args, some, &zone) {
            let name = || format!("{}/{}", overview.namespace, overview.name);
            input.add_live(live, &hpa).with_context(name)?;
            rows.push(ListRow {
                context: None,
                overview: *overview,
                labels: Arc::unwrap_or_clone(hpa.metadata.labels),
                errors: Vec::new(),
            });
            if keeps_specs {
                specs.push(hpa.spec);
            }
        }
        let report = hpa_lint::run(&input, &settings);
        view.not_checked.extend(report.not_checked());
        note_errors(report, &mut errors);
        input.forget_linted();
    }
    for row in &mut rows {
        let as_reported = |text: &str| brief_message(text).into_owned();
        let overview = &row.overview;
        let key = (
            as_reported(&overview.namespace),
            as_reported(&overview.name),
        );
        row.errors = errors.remove(&key).unwrap_or_default();
    }
    view.rows = rows;
    Ok(ListRead::Hpas {
        view,
        specs,
        sync_period,
    })
}

/// How many HPAs are assessed and linted at a time.
const AT_A_TIME: usize = 250;

/// Decides for some HPAs.
fn decided(
    args: &ListArgs,
    subjects: Vec<ListSubject>,
    zone: &TimeZone,
) -> Vec<(Box<wire::Hpa>, Box<Assessment>, Box<Overview>)> {
    parallel::map_owned(subjects, |one| {
        let mut live = Box::new(Assessment::new(*one.input));
        if let (Some(recorded), Some(predicted)) = (&one.outcome, &live.analysis.trace.outcome) {
            live.analysis.cross_check = compared(&predicted.into(), recorded);
        }
        let overview = overview(args, &live, one.origin.file(), zone.clone());
        live.drop_outcome();
        (one.hpa, live, Box::new(overview))
    })
}

/// Errors of `lint`, by namespace and name.
type Errors = BTreeMap<(String, String), Vec<ErrorFinding>>;

/// Adds those of a report.
fn note_errors(report: hpa_lint::Report, errors: &mut Errors) {
    let is_error = |one: &Reported| one.finding.severity == Severity::Error;
    for reported in report.findings.into_iter().filter(is_error) {
        let object = &reported.object;
        errors
            .entry((object.namespace.clone(), object.name.clone()))
            .or_default()
            .push(ErrorFinding {
                code: reported.rule.code,
                name: reported.rule.name,
                path: reported.finding.path.into_owned(),
                message: reported.finding.message.into_owned(),
            });
    }
}
