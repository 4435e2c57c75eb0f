//! Explanations in the format that is asked for.

use jiff::tz::TimeZone;

use super::{ExplainSubject, OutputFormat};
use crate::{
    explain::{ExplainContext, Page},
    recording::visible,
    render::{
        Style, html,
        json::{ExplainOutput, Explanation, Explanations, SCHEMA_VERSION},
        markdown, sanitize,
        terminal::{PageDetail, page},
    },
};

/// How explanations are written.
#[derive(Clone, Debug)]
pub(in crate::commands) struct ExplanationOutput {
    /// The format.
    pub(in crate::commands) format: OutputFormat,
    /// How much a page tells.
    pub(in crate::commands) detail: PageDetail,
    /// How a page is written.
    pub(in crate::commands) style: Style,
    /// Whether one HPA was asked for, so that programs get it without a list around it.
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
                let pages: Vec<String> = subjects
                    .iter()
                    .map(|subject| {
                        subject.report(zone, |reported, cx| {
                            if self.detail.with_what_ifs {
                                let reported = reported.clone().with_all_what_ifs(cx);
                                page(&reported, self.detail, self.style)
                            } else {
                                page(reported, self.detail, self.style)
                            }
                        })
                    })
                    .collect();
                Ok(pages.join("\n"))
            }
            OutputFormat::Html => Ok(html::document(&pages(subjects, zone))),
            OutputFormat::Json => {
                let value = self.value(subjects, zone);
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
                let mut document = serde_json::to_value(self.value(subjects, zone))?;
                sanitize::document(&mut document);
                Ok(template.execute(&document, *options)?)
            }
            OutputFormat::Yaml => {
                let value = self.value(subjects, zone);
                visible::yaml(&value)
            }
        }
    }

    fn value(&self, subjects: &[ExplainSubject], zone: &TimeZone) -> ExplainOutput {
        let mut items: Vec<Explanation> = subjects
            .iter()
            .map(|subject| subject.report(zone, Explanation::new))
            .collect();
        match items.pop() {
            Some(only) if self.is_one && items.is_empty() => ExplainOutput::One(Box::new(only)),
            last => {
                items.extend(last);
                ExplainOutput::Several(Explanations {
                    schema_version: SCHEMA_VERSION,
                    items,
                })
            }
        }
    }
}

/// The pages of all subjects, with what would be decided if one thing were different: in a file that can be folded, all of
/// that has room.
fn pages(subjects: &[ExplainSubject], zone: &TimeZone) -> Vec<Page> {
    let report = |page: &Page, cx: &ExplainContext<'_>| page.clone().with_all_what_ifs(cx);
    subjects
        .iter()
        .map(|subject| subject.report(zone, report))
        .collect()
}
