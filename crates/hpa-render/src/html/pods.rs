//! Pods by class: one symbol per pod, or per group of pods if there are too many.

use hpa_engine::trace::PodClass;
use hpa_explain::PodView;
use maud::{Markup, html};

use super::round::round_numbers;

/// The classes and their meaning, in display order.
const CLASSES: [(PodClass, &str); 4] = [
    (PodClass::Ready, "counted with their usage"),
    (
        PodClass::Unready,
        "Pending, or their CPU sample is not trusted",
    ),
    (PodClass::Missing, "no sample"),
    (PodClass::Ignored, "being deleted, or failed"),
];

/// Pods by class: symbols, and a legend with counts.
pub(super) fn pods(pods: &[PodView]) -> Markup {
    let counts = CLASSES.map(|(class, meaning)| {
        let count = pods.iter().filter(|pod| pod.class == class).count();
        (class, meaning, count)
    });
    let each = each(pods.len());
    html! {
        div.pods aria-hidden="true" {
            @for (class, _, count) in counts {
                @for _ in 0..count.div_ceil(each) { (symbol(class)) }
            }
        }
        @if 1 < each { p.dim { "each symbol means up to " (each) " pods" } }
        ul.legend {
            @for (class, meaning, count) in counts {
                @if 0 < count {
                    li {
                        (symbol(class))
                        b { (count) " " (in_words(class)) }
                        span.dim { (meaning) }
                    }
                }
            }
        }
    }
}

fn in_words(class: PodClass) -> &'static str {
    match class {
        PodClass::Ready => "ready",
        PodClass::Unready => "not ready",
        PodClass::Missing => "without metrics",
        PodClass::Ignored => "ignored",
    }
}

fn symbol(class: PodClass) -> Markup {
    let name = format!("pod-{}", class.as_str());
    html! {
        svg class=(name) width="16" height="16" aria-hidden="true" {
            use href=(format!("#{name}")) {}
        }
    }
}

/// How many pods a symbol represents: 1, 2, 5, 10, 20, …, so that there are few enough symbols.
fn each(pods: usize) -> usize {
    round_numbers()
        .filter_map(|each| usize::try_from(each).ok())
        .find(|each| pods <= each.saturating_mul(MOST_SYMBOLS))
        .unwrap_or(usize::MAX)
}

const MOST_SYMBOLS: usize = 120;
