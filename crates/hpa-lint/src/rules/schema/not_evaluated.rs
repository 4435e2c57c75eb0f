//! HPA013 `not-evaluated`.

use crate::{Rule, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA013",
    name: "not-evaluated",
    summary: "a rule could not run",
    severity: Severity::Note,
    docs: include_str!("not_evaluated.md"),
    file: file!(),
    ..Rule::BASE
};
