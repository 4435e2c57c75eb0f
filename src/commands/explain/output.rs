//! Writes explanations in the requested format.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{self, Write},
};

use hpa_explain::{ExplainContext, Overview, Page, Urgency};
use hpa_objects::recording::visible;
use hpa_render::{
    Style, html,
    json::{ExplainOutput, Explanation, Explanations, SCHEMA_VERSION},
    list::{ListRow, ListTable, TableColumns},
    markdown,
    terminal::{PageDetail, page},
};
use hpa_words::sanitize;
use jiff::tz::TimeZone;
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeSeq as _, SerializeStruct as _},
};

use super::{ExplainSubject, OutputFormat, found::FoundSubjects};
use crate::commands::template_document::TemplateItems;

/// How to write explanations.
#[derive(Clone, Debug)]
pub(in crate::commands) struct ExplanationOutput {
    /// The format.
    pub(in crate::commands) format: OutputFormat,
    /// How much a page shows.
    pub(in crate::commands) detail: PageDetail,
    /// The style of text.
    pub(in crate::commands) style: Style,
    /// Whether one HPA was requested, so that its JSON is not inside a list.
    pub(in crate::commands) is_one: bool,
}

impl ExplanationOutput {
    /// Writes the explanations of all subjects.
    pub(in crate::commands) fn write(
        &self,
        subjects: &[ExplainSubject],
        zone: &TimeZone,
    ) -> anyhow::Result<String> {
        match &self.format {
            OutputFormat::Text => {
                let each = subjects.iter().map(|one| Ok(Cow::Borrowed(one)));
                Ok(self.texts(each, subjects.len(), zone)?.join("\n"))
            }
            OutputFormat::Html => Ok(html::document(&pages(subjects, zone))),
            OutputFormat::Json => {
                let value = document(subjects, self.is_one, zone);
                Ok(visible::json_pretty(&value)?)
            }
            OutputFormat::Markdown => Ok(markdown::document(&pages(subjects, zone))),
            OutputFormat::Name => Ok(subjects.iter().map(name_line).collect()),
            OutputFormat::Template(template, options) => {
                let mut document = serde_json::to_value(document(subjects, self.is_one, zone))?;
                hpa_render::json::sanitize_document(&mut document);
                Ok(template.execute(&document, *options)?)
            }
            OutputFormat::Yaml => {
                let value = document(subjects, self.is_one, zone);
                visible::yaml(&value)
            }
        }
    }

    /// Writes the explanations of all subjects, one after another where the format allows it: those of many thousands
    /// would take gigabytes.
    pub(super) fn write_to(
        &self,
        out: &mut dyn Write,
        subjects: &FoundSubjects,
        zone: &TimeZone,
    ) -> anyhow::Result<()> {
        match &self.format {
            OutputFormat::Text => {
                let texts = self.texts(subjects.iter(), subjects.count(), zone)?;
                for (index, text) in texts.into_iter().enumerate() {
                    if 0 < index {
                        out.write_all(b"\n")?;
                    }
                    out.write_all(text.as_bytes())?;
                }
            }
            OutputFormat::Json if !self.is_one => {
                let document = ExplanationsOf { subjects, zone };
                visible::write_json_pretty(out, &document).map_err(io::Error::from)?;
            }
            OutputFormat::Yaml if !self.is_one => {
                visible::write_yaml(out, &ExplanationsOf { subjects, zone })?;
            }
            OutputFormat::Html => {
                html::write(out, subjects.count(), || subjects.pages(zone))?;
            }
            OutputFormat::Markdown => {
                markdown::write(out, subjects.count(), || subjects.pages(zone))?;
            }
            OutputFormat::Name => {
                for subject in subjects.iter() {
                    let subject = subject?;
                    out.write_all(name_line(&subject).as_bytes())?;
                }
            }
            OutputFormat::Template(template, options) if !self.is_one => {
                let mut items = TemplateItems::of(template);
                for subject in subjects.iter() {
                    items.add(&subject?.report(zone, Explanation::new))?;
                }
                let head = Explanations {
                    schema_version: SCHEMA_VERSION,
                    items: Vec::new(),
                };
                let text = template.execute(&items.document(&head)?, *options)?;
                out.write_all(text.as_bytes())?;
            }
            OutputFormat::Json | OutputFormat::Template(..) | OutputFormat::Yaml => {
                let owned = subjects.iter().map(|one| one.map(Cow::into_owned));
                let all = owned.collect::<Result<Vec<_>, _>>()?;
                out.write_all(self.write(&all, zone)?.as_bytes())?;
            }
        }
        Ok(())
    }

    /// The reports of all HPAs, the most urgent first. With several HPAs, those where all is well get one line each,
    /// unless details are requested.
    fn texts<'s>(
        &self,
        subjects: impl Iterator<Item = anyhow::Result<Cow<'s, ExplainSubject>>>,
        count: usize,
        zone: &TimeZone,
    ) -> anyhow::Result<Vec<String>> {
        let is_brief = 1 < count
            && !(self.detail.is_verbose || self.detail.is_wide || self.detail.with_what_ifs);
        let mut reports = Vec::new();
        for subject in subjects {
            reports.push(subject?.report(zone, |reported, cx| {
                let overview = Overview::new(cx, false);
                let by_urgency = overview.by_urgency();
                let is_well = overview.urgency == Urgency::None && reported.changed.is_none();
                let report = if is_brief && is_well {
                    Report::Well(Box::new(overview))
                } else if self.detail.with_what_ifs {
                    let reported = reported.clone().with_all_what_ifs(cx);
                    Report::of_page(&page(&reported, self.detail, self.style))
                } else {
                    Report::of_page(&page(reported, self.detail, self.style))
                };
                (by_urgency, report)
            }));
        }
        // By name within the same urgency: the sort is stable.
        reports.sort_by_key(|(by_urgency, _)| *by_urgency);
        let (mut texts, mut well) = (Vec::new(), Vec::new());
        for (_, report) in reports {
            match report {
                Report::Page(text) => texts.push(text),
                Report::Well(overview) => well.push(ListRow {
                    context: None,
                    overview: *overview,
                    labels: BTreeMap::new(),
                    errors: Vec::new(),
                }),
            }
        }
        if !well.is_empty() {
            texts.push(self.well(&well, count));
        }
        Ok(texts)
    }

    /// A line for each HPA where all is well.
    fn well(&self, rows: &[ListRow], all: usize) -> String {
        let columns = TableColumns {
            has_namespace: true,
            has_header: true,
            width: Some(self.style.width),
            ..TableColumns::default()
        };
        let lines = ListTable::new(columns, self.style).lines(&rows.iter().collect::<Vec<_>>());
        let which = match rows.len() {
            well if well == all => format!("any of {all} HPAs"),
            well => format!("{well} of {all} HPAs"),
        };
        format!("No problems found in {which} (-v shows full reports):\n{lines}")
    }
}

/// What a text has of one HPA.
enum Report {
    /// Its page.
    Page(String),
    /// All is well.
    Well(Box<Overview>),
}

impl Report {
    /// A page, in exactly as much memory as it has bytes.
    fn of_page(text: &str) -> Self {
        Self::Page(text.to_owned())
    }
}

/// [`Explanations`] that are made while they are written.
struct ExplanationsOf<'a> {
    subjects: &'a FoundSubjects,
    zone: &'a TimeZone,
}

impl Serialize for ExplanationsOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("Explanations", 2)?;
        document.serialize_field("schemaVersion", &SCHEMA_VERSION)?;
        document.serialize_field("items", &ItemsOf(self))?;
        document.end()
    }
}

/// The items of [`Explanations`].
struct ItemsOf<'a>(&'a ExplanationsOf<'a>);

impl Serialize for ItemsOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ExplanationsOf { subjects, zone } = self.0;
        let mut items = serializer.serialize_seq(Some(subjects.count()))?;
        for subject in subjects.iter() {
            let subject = subject.map_err(S::Error::custom)?;
            items.serialize_element(&subject.report(zone, Explanation::new))?;
        }
        items.end()
    }
}

/// The document of all HPAs. A single named HPA is not inside a list.
pub(super) fn document(
    subjects: &[ExplainSubject],
    is_one: bool,
    zone: &TimeZone,
) -> ExplainOutput {
    let mut items: Vec<Explanation> = subjects
        .iter()
        .map(|subject| subject.report(zone, Explanation::new))
        .collect();
    match items.pop() {
        Some(only) if is_one && items.is_empty() => ExplainOutput::One(Box::new(only)),
        last => {
            items.extend(last);
            ExplainOutput::Several(Explanations {
                schema_version: SCHEMA_VERSION,
                items,
            })
        }
    }
}

fn name_line(subject: &ExplainSubject) -> String {
    let name = sanitize::one_line(&subject.input.observation.hpa.name);
    format!("horizontalpodautoscaler.autoscaling/{name}\n")
}

/// The pages of all HPAs, with all counterfactuals: a file that can be folded has room for them.
fn pages(subjects: &[ExplainSubject], zone: &TimeZone) -> Vec<Page> {
    let whole = |subject: &ExplainSubject| whole_page(subject, zone);
    subjects.iter().map(whole).collect()
}

fn whole_page(subject: &ExplainSubject, zone: &TimeZone) -> Page {
    let report = |page: &Page, cx: &ExplainContext<'_>| page.clone().with_all_what_ifs(cx);
    subject.report(zone, report)
}

impl FoundSubjects {
    /// Their pages, made one after another.
    fn pages<'a>(&'a self, zone: &'a TimeZone) -> impl Iterator<Item = io::Result<Page>> + 'a {
        self.iter().map(move |subject| {
            let subject = subject.map_err(io::Error::other)?;
            Ok(whole_page(&subject, zone))
        })
    }
}
