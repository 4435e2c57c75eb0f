//! HPA012 `undecodable`.

use crate::{Rule, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA012",
    name: "undecodable",
    summary: "a document that cannot be read as an HPA",
    severity: Severity::Error,
    reports_rejections: true,
    yields_to: &["HPA009"],
    docs: include_str!("undecodable.md"),
    file: file!(),
    ..Rule::BASE
};
