//! Findings as text: the lines with carets, related objects, and the help.

use std::io;

use hpa_lint::{ObjectRef, Reported, parallel};

use super::{
    snippet::Snippets,
    summary::{notes, statistics, summary},
    view::{Index, LintView, named},
};
use crate::style::Role;

/// Writes the findings for people, object by object; notes and counts at the end. Each part that is written has whole
/// lines.
pub fn text(
    view: &LintView<'_>,
    write: &mut dyn FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    let mut end = String::new();
    if view.has_statistics {
        end.push_str(&statistics(view));
    } else {
        findings(view, write)?;
    }
    if !view.is_quiet {
        if !end.is_empty() && !view.report.notes.is_empty() {
            end.push('\n');
        }
        end.push_str(&notes(view));
        if !end.is_empty() {
            end.push('\n');
        }
        end.push_str(&summary(view));
    }
    write(end)
}

fn findings(
    view: &LintView<'_>,
    write: &mut dyn FnMut(String) -> io::Result<()>,
) -> io::Result<()> {
    let all = worst_first(view);
    let index = Index::new(view);
    let mut before: Option<&ObjectRef> = None;
    for part in all.chunks(AT_ONCE) {
        let texts = parallel::shares(part, |first, share| {
            let snippets = Snippets::new(view, &index);
            let mut out = String::new();
            let mut last = first
                .checked_sub(1)
                .map_or(before, |last| Some(&part[last].object));
            for reported in share {
                if last != Some(&reported.object) {
                    out.push_str(&heading(view, &index, reported));
                    last = Some(&reported.object);
                }
                out.push_str(&snippets.finding(reported));
                out.push_str("\n\n");
            }
            out
        });
        texts.into_iter().try_for_each(&mut *write)?;
        before = part.last().map(|last| &*last.object);
    }
    Ok(())
}

/// The number of findings written at a time: enough for all cores, and small next to the output.
const AT_ONCE: usize = 1_000;

/// The findings by object, the worst of each first.
fn worst_first<'a>(view: &LintView<'a>) -> Vec<&'a Reported> {
    let mut all: Vec<&Reported> = view.report.findings.iter().collect();
    for of_object in all.chunk_by_mut(|one, other| one.object == other.object) {
        of_object.sort_by_key(|one| std::cmp::Reverse(one.finding.severity));
    }
    all
}

/// The object, and the file that it is in.
fn heading(view: &LintView<'_>, index: &Index<'_>, reported: &Reported) -> String {
    let object = view.style.clean(&named(&reported.object));
    let object = view.style.paint(Role::Strong, &object);
    let file = index.place_of(reported).map_or_else(String::new, |place| {
        format!(" ({})", view.style.clean(&place.name()))
    });
    format!("{object}{file}\n\n")
}
