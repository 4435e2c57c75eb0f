//! Writes explanations in the requested format.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use super::{ExplainSubject, OutputFormat};
use crate::{
    explain::{ExplainContext, Overview, Page, Urgency},
    recording::visible,
    render::{
        Style, html,
        json::{ExplainOutput, Explanation, Explanations, SCHEMA_VERSION},
        list::{ListRow, ListTable, TableColumns},
        markdown, sanitize,
        terminal::{PageDetail, page},
    },
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
}

impl ExplanationOutput {
    /// Writes the explanations of all subjects.
    pub(in crate::commands) fn write(
        &self,
        subjects: &[ExplainSubject],
        zone: &TimeZone,
    ) -> anyhow::Result<String> {
        match &self.format {
            OutputFormat::Text => Ok(self.text(subjects, zone)),
            OutputFormat::Html => Ok(html::document(&pages(subjects, zone))),
            OutputFormat::Json => {
                let value = document(subjects, self.is_one, zone);
                Ok(visible::json_pretty(&value)?)
            }
            OutputFormat::Markdown => Ok(markdown::document(&pages(subjects, zone))),
            OutputFormat::Name => {
                let name = |subject: &ExplainSubject| {
                    let name = sanitize::one_line(&subject.input.observation.hpa.name).into_owned();
                    format!("horizontalpodautoscaler.autoscaling/{name}\n")
                };
                Ok(subjects.iter().map(name).collect())
            }
            OutputFormat::Template(template, options) => {
                let mut document = serde_json::to_value(document(subjects, self.is_one, zone))?;
                sanitize::document(&mut document);
                Ok(template.execute(&document, *options)?)
            }
            OutputFormat::Yaml => {
                let value = document(subjects, self.is_one, zone);
                visible::yaml(&value)
            }
        }
    }

    /// The reports of all HPAs, the most urgent first. With several HPAs, those where all is well get one line each,
    /// unless details are requested.
    fn text(&self, subjects: &[ExplainSubject], zone: &TimeZone) -> String {
        let is_brief = 1 < subjects.len()
            && !(self.detail.is_verbose || self.detail.is_wide || self.detail.with_what_ifs);
        let mut reports: Vec<(Overview, Option<String>)> = subjects
            .iter()
            .map(|subject| {
                subject.report(zone, |reported, cx| {
                    let overview = Overview::new(cx, false);
                    let is_well = overview.urgency == Urgency::None && reported.changed.is_none();
                    let text = if is_brief && is_well {
                        None
                    } else if self.detail.with_what_ifs {
                        let reported = reported.clone().with_all_what_ifs(cx);
                        Some(page(&reported, self.detail, self.style))
                    } else {
                        Some(page(reported, self.detail, self.style))
                    };
                    (overview, text)
                })
            })
            .collect();
        // By name within the same urgency: the sort is stable.
        reports.sort_by_key(|(overview, _)| overview.by_urgency());
        let well: Vec<ListRow> = reports
            .iter()
            .filter(|(_, text)| text.is_none())
            .map(|(overview, _)| ListRow {
                context: None,
                overview: overview.clone(),
                labels: BTreeMap::new(),
                errors: Vec::new(),
            })
            .collect();
        let mut texts: Vec<String> = reports.into_iter().filter_map(|(_, text)| text).collect();
        if !well.is_empty() {
            texts.push(self.well(&well, subjects.len()));
        }
        texts.join("\n")
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

/// The pages of all HPAs, with all counterfactuals: a file that can be folded has room for them.
fn pages(subjects: &[ExplainSubject], zone: &TimeZone) -> Vec<Page> {
    let report = |page: &Page, cx: &ExplainContext<'_>| page.clone().with_all_what_ifs(cx);
    subjects
        .iter()
        .map(|subject| subject.report(zone, report))
        .collect()
}
