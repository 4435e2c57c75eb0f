//! The parts of a page of `explain`, for each format to draw.

use hpa_engine::trace::PodClass;
use hpa_explain::{Action, InputView, NoteWeight, Page, PodView, WhatIfView};

use crate::{
    blocks::{ColumnKind, Headline, TableBlock},
    style::{FAILED, Role},
};

/// Lines below one heading.
pub(super) struct Section<'p> {
    pub(super) heading: &'static str,
    /// Whether a title stands once for all of its lines, where that takes less room.
    pub(super) has_titles_once: bool,
    pub(super) lines: Vec<TitledLine<'p>>,
}

/// How important a sentence is (dim: a detail), what it is about, and the sentence.
pub(super) type TitledLine<'p> = (Role, &'p str, &'p str);

/// `STAYS AT 8`.
pub(super) fn headline(page: &Page) -> Headline {
    let (role, mark) = match page.verdict.action {
        Action::Disabled => (Role::Error, "■"),
        Action::Failed => (Role::Error, FAILED),
        Action::Hold => (Role::Strong, "="),
        Action::ScaleDown => (Role::Warning, "▼"),
        Action::ScaleUp => (Role::Good, "▲"),
        Action::Unknown => (Role::Error, "?"),
    };
    Headline {
        text: page.verdict.full_headline(),
        role,
        mark,
    }
}

/// What would change the decision.
pub(super) fn next(page: &Page) -> Section<'_> {
    let lines = page.next.iter();
    Section {
        heading: "What would change it",
        has_titles_once: false,
        lines: lines
            .map(|next| (Role::Text, next.title, next.text.as_str()))
            .collect(),
    }
}

/// The notes on the context of the decision.
pub(super) fn around(page: &Page) -> Section<'_> {
    let lines = page.around.iter();
    Section {
        heading: "Around it",
        has_titles_once: true,
        lines: lines
            .map(|note| (role(note.weight), note.title, note.text.as_str()))
            .collect(),
    }
}

fn role(weight: NoteWeight) -> Role {
    match weight {
        NoteWeight::Warning => Role::Warning,
        NoteWeight::Normal => Role::Text,
        NoteWeight::Detail => Role::Dim,
    }
}

/// How reliable the page is.
pub(super) fn trust(page: &Page) -> Section<'_> {
    let lines = page.trust.iter();
    Section {
        heading: "How far to trust this",
        has_titles_once: false,
        lines: lines
            .map(|trust| (role(trust.weight), trust.title, trust.text.as_str()))
            .collect(),
    }
}

/// Every pod. Those that are not counted are marked.
pub(super) fn pods(page: &Page) -> TableBlock {
    let row = |pod: &PodView| {
        let role = match pod.class {
            PodClass::Ready => Role::Text,
            _ => Role::Warning,
        };
        let cells = vec![
            pod.name.clone(),
            pod.class.as_str().to_owned(),
            pod.usage.clone().unwrap_or_default(),
            pod.request.clone().unwrap_or_default(),
            pod.why.clone(),
            pod.owner.clone().unwrap_or_default(),
        ];
        (role, cells)
    };
    TableBlock {
        columns: vec![
            ("pod", ColumnKind::Name),
            ("class", ColumnKind::Text),
            ("usage", ColumnKind::Number),
            ("request", ColumnKind::Number),
            ("why", ColumnKind::Text),
            ("owner", ColumnKind::Text),
        ],
        rows: page.pods.iter().map(row).collect(),
    }
}

/// Inputs: first those that decide, then the others, dim. `remedy` is the heading of what makes it sure.
pub(super) fn inputs<'p>(
    inputs: impl Iterator<Item = &'p InputView>,
    remedy: &'static str,
) -> TableBlock {
    let row = |input: &InputView| {
        let cells = vec![
            input.name.clone(),
            input.value.clone(),
            input.provenance.as_str().to_owned(),
            input.remedy.clone().unwrap_or_default(),
        ];
        (dim_unless(input.matters), cells)
    };
    let (deciding, others): (Vec<_>, Vec<_>) = inputs.partition(|input| input.matters);
    TableBlock {
        columns: vec![
            ("input", ColumnKind::Text),
            ("value", ColumnKind::Text),
            ("source", ColumnKind::Text),
            (remedy, ColumnKind::Text),
        ],
        rows: deciding.into_iter().chain(others).map(row).collect(),
    }
}

/// What would be decided if one thing were different: first what changes the decision, then the others, dim.
pub(super) fn what_ifs(page: &Page) -> TableBlock {
    let row = |view: &WhatIfView| (dim_unless(view.differs), what_if(view).into());
    let all = page.what_if.iter();
    let (differing, others): (Vec<_>, Vec<_>) = all.partition(|view| view.differs);
    TableBlock {
        columns: vec![
            ("what comes of it", ColumnKind::Text),
            ("what is different", ColumnKind::Text),
        ],
        rows: differing.into_iter().chain(others).map(row).collect(),
    }
}

/// The outcome, and `if cpu is at 48% or less (held by the window)`.
pub(super) fn what_if(view: &WhatIfView) -> [String; 2] {
    let (outcome, more) = view.in_list();
    let more = more.map_or_else(String::new, |more| format!(" ({more})"));
    [outcome, format!("{} {}{more}", view.title, view.change)]
}

fn dim_unless(matters: bool) -> Role {
    if matters { Role::Text } else { Role::Dim }
}
