//! The ladder: each step opens to show its formula, its numbers and the controller's function.

use hpa_explain::{
    Page, StepValue, StepView, Weight,
    learn::{address, topic_of_step},
};
use maud::{Markup, html};

use super::text::text;
use crate::steps::{StepRow, StepTitle, decides, is_displayed, steps};

/// The ladder of a page; the step that decides is open.
pub(super) fn ladder(page: &Page) -> Markup {
    html! {
        div.ladder { @for one in steps(page, |_| true) { (row(&one, page)) } }
    }
}

fn row(row: &StepRow<'_>, page: &Page) -> Markup {
    let step = row.step;
    let mut class = "step".to_owned();
    if step.is_deciding {
        class += " deciding";
    }
    match step.weight {
        Weight::Error => class += " error",
        Weight::Quiet => class += " quiet",
        Weight::Normal if !is_displayed(step, page) => class += " quiet",
        Weight::Normal => {}
    }
    html! {
        details class=(class) open[step.is_deciding] {
            summary {
                span.title {
                    span hidden[row.title == StepTitle::Repeated] { (text(&step.title)) }
                }
                span.outcome { (text(&row.outcome)) }
                span.how { (text(&step.how)) }
                @if step.is_deciding { span.decides { (decides(page)) } }
            }
            div.inside { (inside(step)) }
        }
    }
}

fn inside(step: &StepView) -> Markup {
    html! {
        @for note in &step.notes {
            p { (text(note)) }
        }
        dl.facts {
            dt.value { "step" }
            dd.value { code { (text(step.kind.as_str())) } }
            @if let Some(formula) = step.formula {
                dt { "formula" }
                dd { code.formula { (text(formula)) } }
            }
            @if let Some(upstream) = step.upstream {
                dt { "function" }
                dd { code { (text(upstream.file)) ": " (upstream.function) } }
            }
            @if let Some(topic) = topic_of_step(step) {
                dt { "read more" }
                dd { a href=(address(topic)) { (text(topic.id)) } }
            }
            @for (name, value) in &step.values {
                @if *value != StepValue::Null {
                    dt.value { (name) }
                    dd.value { code { (text(&displayed(value))) } }
                }
            }
        }
    }
}

fn displayed(value: &StepValue) -> String {
    match value {
        StepValue::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        StepValue::Float(value) => value.to_string(),
        StepValue::Integer(value) => value.to_string(),
        StepValue::List(values) if values.is_empty() => "none".to_owned(),
        StepValue::List(values) => {
            let displayed: Vec<String> = values.iter().map(displayed).collect();
            displayed.join(", ")
        }
        StepValue::Null => "none".to_owned(),
        StepValue::Text(value) => value.clone(),
    }
}
