//! Writes explanations in the requested format.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
};

use hpa_explain::{ExplainContext, Overview, Page, Urgency};
use hpa_objects::recording::visible;
use hpa_playback::ExplainSubject;
use hpa_render::{
    Style, html,
    json::{Explanation, Explanations, SCHEMA_VERSION},
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
use serde_json::Value;

use super::{OutputFormat, found::FoundSubjects};
use crate::{
    cli::{ExplainFormat, PagerArgs, TemplateArgs},
    commands::template_document::{ITEMS, table, whole, with_items},
    exit_code::ExitStatus,
    process::pager,
};

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
    /// Whether tables have a header.
    pub(in crate::commands) has_header: bool,
}

impl ExplanationOutput {
    /// The explanations of all subjects.
    pub(in crate::commands) fn text(
        &self,
        subjects: Vec<ExplainSubject>,
        zone: &TimeZone,
    ) -> anyhow::Result<String> {
        let mut text = Vec::new();
        self.write_to(&mut text, &subjects.into(), zone)?;
        Ok(String::from_utf8(text)?)
    }

    /// Writes the explanations of all subjects, one after another where the format allows it: those of many thousands
    /// would take gigabytes.
    pub(super) fn write_to(
        &self,
        out: &mut dyn Write,
        subjects: &FoundSubjects,
        zone: &TimeZone,
    ) -> anyhow::Result<()> {
        let document = Document {
            subjects,
            is_one: self.is_one,
            zone,
        };
        match &self.format {
            OutputFormat::Text => {
                let text = self.texts(subjects, zone)?.join("\n");
                out.write_all(text.as_bytes())?;
            }
            OutputFormat::Json => {
                visible::write_json_pretty(out, &document).map_err(io::Error::from)?;
            }
            OutputFormat::Yaml => visible::write_yaml(out, &document)?,
            OutputFormat::Html => {
                html::write(out, subjects.count(), || subjects.pages(zone))?;
            }
            OutputFormat::Markdown => {
                markdown::write(out, subjects.count(), || subjects.pages(zone))?;
            }
            OutputFormat::Name => {
                for subject in subjects.iter() {
                    out.write_all(name_line(&*subject?).as_bytes())?;
                }
            }
            OutputFormat::Template(template, options) => {
                let read = document.with_fields(template.fields(ITEMS).as_ref())?;
                out.write_all(template.execute(&read, *options)?.as_bytes())?;
            }
            OutputFormat::Columns(columns) => {
                let read = document.with_fields(columns.fields(ITEMS).as_ref())?;
                let table = table(columns, &read, self.has_header, self.style)?;
                out.write_all(table.as_bytes())?;
            }
        }
        Ok(())
    }

    /// The reports of all HPAs, the most urgent first. With several HPAs, those where all is well get one line each,
    /// unless details are requested.
    fn texts(&self, subjects: &FoundSubjects, zone: &TimeZone) -> anyhow::Result<Vec<String>> {
        let count = subjects.count();
        let is_brief = 1 < count
            && !(self.detail.is_verbose || self.detail.is_wide || self.detail.with_what_ifs);
        let mut reports = Vec::new();
        for subject in subjects.iter() {
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
            has_header: self.has_header,
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

/// Prints the page of one sync.
pub(in crate::commands) fn print_page(
    subject: ExplainSubject,
    format: &ExplainFormat,
    pager: PagerArgs,
    style: Style,
    zone: &TimeZone,
) -> anyhow::Result<ExitStatus> {
    let output = ExplanationOutput {
        format: OutputFormat::of(format, &TemplateArgs::default())?,
        detail: PageDetail {
            is_wide: *format == ExplainFormat::Wide,
            ..PageDetail::default()
        },
        style,
        is_one: true,
        has_header: true,
    };
    let text = output.text(vec![subject], zone)?;
    pager::print(&text, pager, matches!(output.format, OutputFormat::Text))?;
    Ok(ExitStatus::Success)
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

/// An [`ExplainOutput`](hpa_render::json::ExplainOutput) that is made while it is written: those of many thousands would
/// take gigabytes.
pub(super) struct Document<'a> {
    /// The HPAs.
    pub(super) subjects: &'a FoundSubjects,
    /// Whether a single one was named, which is not inside a list.
    pub(super) is_one: bool,
    /// The zone of the reader.
    pub(super) zone: &'a TimeZone,
}

impl Document<'_> {
    /// The document for a template that reads only these fields of several HPAs; none: all.
    fn with_fields(&self, fields: Option<&BTreeSet<&str>>) -> anyhow::Result<Value> {
        if self.is_one {
            return whole(self);
        }
        let head = Explanations {
            schema_version: SCHEMA_VERSION,
            items: Vec::new(),
        };
        let items = self.subjects.iter();
        let items = items.map(|one| Ok(one?.report(self.zone, Explanation::new)));
        with_items(fields, &head, items)
    }
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_one
            && let Some(only) = self.subjects.iter().next()
        {
            let only = only.map_err(S::Error::custom)?;
            return only
                .report(self.zone, Explanation::new)
                .serialize(serializer);
        }
        let mut document = serializer.serialize_struct("Explanations", 2)?;
        document.serialize_field("schemaVersion", &SCHEMA_VERSION)?;
        document.serialize_field("items", &ItemsOf(self))?;
        document.end()
    }
}

/// The items of [`Explanations`].
struct ItemsOf<'a>(&'a Document<'a>);

impl Serialize for ItemsOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Document { subjects, zone, .. } = self.0;
        let mut items = serializer.serialize_seq(Some(subjects.count()))?;
        for subject in subjects.iter() {
            let subject = subject.map_err(S::Error::custom)?;
            items.serialize_element(&subject.report(zone, Explanation::new))?;
        }
        items.end()
    }
}

fn name_line(subject: &ExplainSubject) -> String {
    let name = sanitize::one_line(&subject.input.observation.hpa.name);
    format!("horizontalpodautoscaler.autoscaling/{name}\n")
}

impl FoundSubjects {
    /// Their pages, made one after another, with all counterfactuals: a file that can be folded has room for them.
    fn pages<'a>(&'a self, zone: &'a TimeZone) -> impl Iterator<Item = io::Result<Page>> + 'a {
        let page = |page: &Page, cx: &ExplainContext<'_>| page.clone().with_all_what_ifs(cx);
        let subjects = self.iter();
        subjects.map(move |one| Ok(one.map_err(io::Error::other)?.report(zone, page)))
    }
}
