//! Notes on what could not be checked: one for each reason, however many objects it affects.

use std::collections::BTreeMap;

use hpa_words::{amount, program::typed, shell_path};

use super::{
    LeftOut, LintInput, Missing, NotChecked, ObjectRef, ReportNote,
    kustomize::folder_of,
    patch::is_patch_of_another,
    unit::{CheckedObject, Codes, Diagnostics},
    world::ChartTemplate,
};

const CODE: &str = "HPA013";

/// Number of examples in a note.
const EXAMPLES: usize = 3;

/// The notes of a run; those on the whole run come first.
pub(super) fn of(
    input: &LintInput,
    units: &[CheckedObject<'_>],
    diagnostics: &[Diagnostics],
) -> Vec<ReportNote> {
    let mut notes = not_evaluated(units, diagnostics);
    notes.extend(refused(units));
    notes.extend(left_out(input));
    notes.extend(patched(input));
    notes.extend(nothing_found(input));
    notes
}

/// Reasons that differ only in the missing object count as one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Reason<'a> {
    codes: Codes,
    missing: Option<&'a Missing>,
}

struct NoteGroup<'a> {
    codes: Codes,
    /// The objects affected, with the reasons.
    cases: Vec<(Option<&'a ObjectRef>, &'a Missing)>,
}

fn not_evaluated(units: &[CheckedObject<'_>], diagnostics: &[Diagnostics]) -> Vec<ReportNote> {
    let mut groups: Vec<NoteGroup<'_>> = Vec::new();
    let mut known: BTreeMap<Reason<'_>, usize> = BTreeMap::new();
    // Which rules need a cluster depends on the set of rules, hardly on the object.
    let mut of_run: BTreeMap<&Missing, std::collections::BTreeSet<&'static str>> = BTreeMap::new();
    let mut of_last: BTreeMap<&Missing, &Codes> = BTreeMap::new();
    let mut not_read: BTreeMap<&Missing, usize> = BTreeMap::new();
    for (missing, _) in diagnostics.iter().flat_map(Diagnostics::missing) {
        if matches!(missing, Missing::NotRead { .. }) {
            *not_read.entry(missing).or_default() += 1;
        }
    }
    for (unit, diagnostics) in units.iter().zip(diagnostics) {
        for (missing, codes) in diagnostics.missing() {
            // What could not be read from a cluster affects all of them alike.
            let is_alike = not_read.get(missing).is_some_and(|objects| *objects > 1);
            if missing.is_of_run() || is_alike {
                // Nearly always the same as for the previous object.
                if of_last.insert(missing, codes) != Some(codes) {
                    of_run.entry(missing).or_default().extend(codes.iter());
                }
                continue;
            }
            let is_named = matches!(missing, Missing::NotGiven { .. });
            let reason = Reason {
                codes: Codes::clone(codes),
                missing: (!is_named).then_some(missing),
            };
            let index = *known.entry(reason).or_insert_with(|| {
                groups.push(NoteGroup {
                    codes: Codes::clone(codes),
                    cases: Vec::new(),
                });
                groups.len() - 1
            });
            let object = unit.object().map(|object| &**object);
            groups[index].cases.push((object, missing));
        }
    }
    let of_run = of_run.into_iter().map(|(missing, codes)| NoteGroup {
        codes: codes.into_iter().collect(),
        cases: vec![(None, missing)],
    });
    of_run.chain(groups).map(NoteGroup::note).collect()
}

impl NoteGroup<'_> {
    fn note(self) -> ReportNote {
        let codes = self.codes.join(", ");
        let (object, message) = match self.cases.as_slice() {
            [(object, missing)] => (
                object.cloned(),
                format!("{codes} not checked: {}", missing.reason()),
            ),
            cases => (
                None,
                format!("{codes} not checked for {}: {}", count(cases), why(cases)),
            ),
        };
        ReportNote {
            code: CODE,
            rules: self.codes.to_vec(),
            object,
            context: None,
            message,
        }
    }
}

/// Such as `12 HPAs`.
fn count(cases: &[(Option<&ObjectRef>, &Missing)]) -> String {
    let is_scaled_object = |(object, _): &(Option<&ObjectRef>, &Missing)| {
        object.is_some_and(|object| object.kind == "ScaledObject")
    };
    let what = match cases.iter().filter(|case| is_scaled_object(case)).count() {
        0 => "HPAs",
        scaled if scaled == cases.len() => "ScaledObjects",
        _ => "objects",
    };
    format!("{} {what}", cases.len())
}

fn why(cases: &[(Option<&ObjectRef>, &Missing)]) -> String {
    let mut names: Vec<&str> = cases
        .iter()
        .filter_map(|(_, missing)| match missing {
            Missing::NotGiven { object } => Some(object.as_str()),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    match (names.as_slice(), cases.first()) {
        ([], Some((_, missing))) => missing.reason(),
        ([name], _) => format!("{name} is not in the given files"),
        (names, _) => format!(
            "{} are not in the given files",
            amount::names(names, EXAMPLES)
        ),
    }
}

/// HPAs with a value that the API server rejects and the engine does not support: most rules cannot check them.
fn refused(units: &[CheckedObject<'_>]) -> Option<ReportNote> {
    let refused: Vec<_> = units.iter().filter(|unit| unit.is_refused()).collect();
    let (object, message) = match refused.as_slice() {
        [] => return None,
        [unit] => (
            unit.object().map(|object| ObjectRef::clone(object)),
            "most rules not checked: the API server rejects a value of this HPA".to_owned(),
        ),
        units => (
            None,
            format!(
                "most rules not checked for {} HPAs: the API server rejects some of their values",
                units.len()
            ),
        ),
    };
    Some(ReportNote {
        object,
        ..of_run(message)
    })
}

/// Documents in directories that are not YAML and do not look like something to lint.
fn left_out(input: &LintInput) -> Vec<ReportNote> {
    let (templates, unreadable): (Vec<&LeftOut>, Vec<&LeftOut>) = input
        .left_out
        .iter()
        .partition(|one| one.why == NotChecked::HelmTemplate);
    let place = |one: &&LeftOut| {
        let file = one.origin.file;
        let (line, column) = input.sources.line_and_column(file, one.origin.start);
        format!("{}:{line}:{column}", input.sources.get(file).name)
    };
    let name = |one: &&LeftOut| &*input.sources.get(one.origin.file).name;
    let (of_charts, others): (Vec<&LeftOut>, Vec<&LeftOut>) = templates
        .into_iter()
        .partition(|one| ChartTemplate::is_in_chart(name(one)));
    let mut messages = charts(input, of_charts.iter().map(name));
    if !others.is_empty() {
        let mut names: Vec<&str> = others.iter().map(name).collect();
        names.dedup();
        messages.push(format!(
            "templates are not manifests and are not checked; lint what they render: {}",
            amount::names(&names, EXAMPLES)
        ));
    }
    let (mut broken, mut unfilled) = (Vec::new(), Vec::new());
    for one in &unreadable {
        match &one.why {
            NotChecked::HelmTemplate => {}
            NotChecked::Placeholder(text) => unfilled.push((place(one), text)),
            NotChecked::Parameter(parameter) => {
                let name = name(one);
                let message = format!(
                    "{name} is an OpenShift Template without a value for {parameter}, and its HPA is not checked; lint \
                     what it produces: oc process -f {name} --local -p {parameter}=VALUE | {}",
                    typed("lint -f -")
                );
                if !messages.contains(&message) {
                    messages.push(message);
                }
            }
            NotChecked::Broken(problem) => broken.push((one, problem)),
        }
    }
    if let Some((_, text)) = unfilled.first() {
        let places: Vec<&str> = unfilled.iter().map(|(place, _)| &**place).collect();
        messages.push(format!(
            "an HPA with placeholders such as {text} is not checked; lint the manifest that you apply: {}",
            amount::names(&places, EXAMPLES)
        ));
    }
    match broken.as_slice() {
        [] => {}
        [(one, problem)] => messages.push(format!(
            "{}: cannot be read, and is skipped because it is not an HPA: {problem}",
            place(one),
        )),
        several => {
            let places: Vec<String> = several.iter().map(|(one, _)| place(one)).collect();
            messages.push(format!(
                "{} documents cannot be read, and are skipped because they are not HPAs: {}",
                several.len(),
                amount::names(&places, EXAMPLES)
            ));
        }
    }
    messages.into_iter().map(of_run).collect()
}

/// The charts that are not rendered, each once. Subcharts count as part of their chart.
fn charts<'a>(input: &LintInput, templates: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut charts = input.charts.clone();
    charts.extend(templates.map(ChartTemplate::chart_of));
    let is_part = |chart: &String| {
        charts.iter().any(|other| {
            let rest = chart.strip_prefix(other.as_str());
            rest.is_some_and(|rest| rest.starts_with("/charts/"))
        })
    };
    let whole = charts.iter().filter(|chart| !is_part(chart));
    whole
        .map(|chart| {
            format!(
                "{chart} is a Helm chart, and its templates are not checked; lint what Helm renders: helm template \
                 {} | {}",
                shell_path(chart),
                typed("lint -f -")
            )
        })
        .collect()
}

/// The folders that Kustomize builds, and those with patches that no kustomization in the input lists.
fn patched(input: &LintInput) -> Vec<ReportNote> {
    let kustomize = &input.world.kustomize;
    let manifests = input.manifests.iter().map(|one| &one.object);
    let scaled_objects = input.scaled_objects.iter().map(|one| &one.object);
    let origins = manifests.chain(scaled_objects).filter_map(|one| one.origin);
    let linted = origins.map(|origin| origin.file).collect();
    let folders = kustomize.not_checked(&linted);
    let mut partial: BTreeMap<String, Vec<&ObjectRef>> = BTreeMap::new();
    let manifests = input.manifests.iter();
    let patches = manifests
        .filter(|manifest| is_patch_of_another(manifest, &input.world))
        .map(|manifest| &*manifest.object)
        .chain(kustomize.partial().iter().map(|patch| &patch.place));
    for place in patches {
        if let Some(origin) = place.origin {
            let name = &input.sources.get(origin.file).name;
            partial.entry(folder_of(name)).or_default().push(place);
        }
    }
    partial.retain(|folder, _| !folders.contains(&**folder));
    let built = folders.iter().map(|folder| {
        format!(
            "{folder} is built by Kustomize, and only the replicas in its patches are checked; lint the result: kubectl \
             kustomize {} | {}",
            shell_path(folder),
            typed("lint -f -")
        )
    });
    let partial = partial.iter().map(|(folder, patches)| {
        let mut names: Vec<String> = patches.iter().map(ToString::to_string).collect();
        names.dedup();
        format!(
            "{folder} has patches that are not checked: {} without spec.scaleTargetRef; lint what Kustomize builds with \
             them: kubectl kustomize DIR | {}",
            amount::names(&names, EXAMPLES),
            typed("lint -f -")
        )
    });
    built.chain(partial).map(of_run).collect()
}

/// The note for an input without anything to lint.
fn nothing_found(input: &LintInput) -> Option<ReportNote> {
    let is_empty = input.manifests.is_empty()
        && input.scaled_objects.is_empty()
        && input.undecodable.is_empty();
    let files = input.sources.iter().count();
    if !is_empty || files == 0 {
        return None;
    }
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    };
    Some(of_run(format!(
        "nothing to lint: no HorizontalPodAutoscaler or ScaledObject among {} in {}",
        plural(input.objects, "object"),
        plural(files, "file")
    )))
}

fn of_run(message: String) -> ReportNote {
    ReportNote {
        code: CODE,
        rules: Vec::new(),
        object: None,
        context: None,
        message,
    }
}
