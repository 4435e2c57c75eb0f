//! The page of a simulation for a browser, read as a browser reads it.

use hpa_engine::model::{HpaKey, Provenance};
use hpa_explain::{Problem, RescaleReason};
use hpa_render::simulate::document;
use hpa_simulation::{
    Assumption, Event, ExpectationReport, LoadUnit, Millis, NotModeled, Parameter, PerPodUnit,
    Point, RescaleReport, Run, RunSummary, SimulatedRescale, SimulationReport, Summary, TimedEvent,
    VariantReport,
};
use jiff::Timestamp;
use proptest::prelude::*;

use crate::{html::Parsed, markup::markup};

/// A simulation whose every text is this one.
fn report(text: &str, variants: usize, runs: u64, length: Millis) -> SimulationReport {
    let count = 60;
    let point = |seed: u64, index: i32| {
        let ready = 3 + index / 10 + i32::from(seed % 2 == 1);
        Point {
            at: Millis::from(index) * length / Millis::from(count),
            load: f64::from(index),
            needed: Some(3 + index),
            desired: ready,
            replicas: ready + 1,
            ready,
            without_node: 0,
            per_pod: 50.0 + f64::from(index),
            lost: if 30 < index { 0.25 } else { 0.0 },
        }
    };
    let run = |seed| Run {
        seed,
        points: (0..count).map(|index| point(seed, index)).collect(),
        rescales: vec![SimulatedRescale {
            at: 1000,
            from: 3,
            to: 4,
        }],
        summary: RunSummary {
            met_after: Some(90_000),
            not_served: Some(0.1),
            ..RunSummary::default()
        },
        expectations: Vec::new(),
        end: length,
    };
    let runs: Vec<Run> = (0..runs).map(run).collect();
    let variant = |index| VariantReport {
        name: if index == 0 { "today" } else { text }.to_owned(),
        bounds: (2, 20),
        unit: PerPodUnit::PercentOfRequest,
        metric: text.to_owned(),
        load_unit: LoadUnit::Number,
        goal: Some(60.0),
        tolerated: Some((54.0, 66.0)),
        most_per_pod: Some(200.0),
        above: 66.0,
        failure: Some(text.to_owned()),
        summary: Summary::of(&runs),
        rescales: vec![RescaleReport {
            at: 1000,
            from: 3,
            to: 4,
            reason: RescaleReason {
                rule: "metric",
                sentences: vec![text.to_owned()],
            },
        }],
        runs: runs.clone(),
    };
    SimulationReport {
        hpa: HpaKey {
            namespace: text.to_owned(),
            name: text.to_owned(),
        },
        target: text.to_owned(),
        version: text.to_owned(),
        start: Timestamp::UNIX_EPOCH,
        length,
        cut_load: Some(2 * length),
        runs: runs.len(),
        interrupted_of: None,
        events: vec![TimedEvent {
            at: length / 2,
            event: Event::Kill(3),
        }],
        variants: (0..variants).map(variant).collect(),
        assumptions: vec![Assumption {
            parameter: Parameter::Version(text.to_owned()),
            provenance: Provenance::Assumed,
        }],
        not_modeled: vec![NotModeled::OtherAutoscaler(text.to_owned())],
        problem: Some(Problem {
            words: text.to_owned(),
            sentence: text.to_owned(),
        }),
        expectations: vec![ExpectationReport {
            text: text.to_owned(),
            variant: text.to_owned(),
            holds_in: 1,
            of: 2,
            holds: false,
        }],
    }
}

#[test]
fn page_is_sound_with_few_and_many_variants_runs_and_days() {
    for (variants, runs, length) in [
        (1, 1, 1000),
        (1, 32, 1_200_000),
        (3, 2, 7 * 86_400_000),
        (9, 1, 366 * 86_400_000),
    ] {
        let report = report("web", variants, runs, length);
        let html = document(&report);
        assert_eq!(html, document(&report));
        let parsed = Parsed::of(&html);
        parsed.assert_sound();
        let mut charts = 3;
        charts += if 1 < runs { 2 } else { 0 };
        charts += if 1 < variants { 2 } else { 0 };
        assert_eq!(parsed.number("figure"), charts);
        for text in ["MET AFTER 1 min 30 s", "not served", "3 pods are deleted"] {
            assert!(parsed.text.contains(text), "{text}");
        }
        assert!(!drawn(&html).contains("NaN") && !drawn(&html).contains("inf"));
    }
}

#[test]
fn without_a_point_or_a_variant_there_is_still_a_page() {
    let mut empty = report("web", 1, 1, 1000);
    empty.variants[0].runs.clear();
    empty.variants[0].rescales.clear();
    Parsed::of(&document(&empty)).assert_sound();
    empty.variants.clear();
    Parsed::of(&document(&empty)).assert_sound();
}

#[test]
fn values_that_are_no_numbers_are_drawn_at_the_edge() {
    let mut strange = report("web", 2, 2, 60_000);
    for variant in &mut strange.variants {
        variant.goal = Some(f64::INFINITY);
        for run in &mut variant.runs {
            run.points[3].load = f64::NAN;
            run.points[4].per_pod = f64::INFINITY;
            run.points[5].needed = Some(i32::MAX);
        }
    }
    let html = document(&strange);
    Parsed::of(&html).assert_sound();
    assert!(!drawn(&html).contains("NaN"));
}

/// The charts alone.
fn drawn(html: &str) -> String {
    let charts = html.split("<svg").skip(1);
    charts
        .filter_map(|rest| rest.split("</svg>").next())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Elements and their attributes are the same as on a page with ordinary texts.
    #[test]
    fn no_text_of_a_simulation_becomes_an_element(text in markup()) {
        let [found, expected] = [text.as_str(), "x"].map(|text| {
            let parsed = Parsed::of(&document(&report(text, 2, 2, 60_000)));
            parsed.assert_sound();
            parsed.shape()
        });
        prop_assert_eq!(found, expected);
    }
}
