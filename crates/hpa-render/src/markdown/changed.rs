//! Today's decision compared with the one under a changed spec.

use hpa_explain::{ChangedView, Page};

use super::{escape::escape, table::write_block};
use crate::comparison::comparison;

/// Writes the edits of the spec, and the differences in the decision.
pub(super) fn write_changed(view: &ChangedView, page: &Page, out: &mut String) {
    let comparison = comparison(view, page);
    out.push_str("\n### With a changed spec\n\n");
    for change in &comparison.changes {
        out.push_str(&format!("- {}\n", escape(change)));
    }
    if let Some(filled_in) = &comparison.filled_in {
        out.push_str(&format!("- filled in: {}\n", escape(filled_in)));
    }
    for note in &view.edit.notes {
        out.push_str(&format!("- ⚠ {}\n", escape(note)));
    }
    out.push('\n');
    write_block(&comparison.table, out);
    out.push_str(&format!("\n<sub>{}</sub>\n", escape(&view.when)));
}
