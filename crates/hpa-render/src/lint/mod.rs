//! Findings of `lint`, one file per format.

mod checkstyle;
mod concise;
mod editor;
mod github;
mod gitlab;
mod json;
mod junit;
mod sarif;
mod snippet;
mod summary;
mod text;
mod view;
mod xml;

pub use checkstyle::checkstyle;
pub use concise::concise;
pub use editor::{
    EditorFinding, editor, editor_fix, editor_fix_all, editor_page, editor_suppression,
    page_address,
};
pub use github::github;
pub use gitlab::{GitlabIssue, gitlab};
pub use json::{
    LintConfiguration, LintEdit, LintFinding, LintNote, LintOutput, LintRemark, LintSummary,
    SCHEMA_VERSION, json,
};
pub use junit::junit;
pub use sarif::sarif;
pub use snippet::visible;
pub use text::text;
pub use view::LintView;
pub use view::display_name;
