//! The page of `history` for a browser, read as a browser reads it.

use hpa_engine::model::HpaKey;
use hpa_explain::{Known, RescaleReason, SourceReport};
use hpa_history::{
    Advice, Censored, Certainty, Course, Doubt, HistoryReport, Interval, IntervalKind,
    MetricReport, NAMES, PastRescale, PodCpu, Point, SeriesReport, Trust, WhatIfReport, WhatIfRow,
    WhatIfStartup,
};
use hpa_render::{
    Style,
    history::{document, text as plain_text},
};
use hpa_simulation::{Band, Millis, PerPodUnit};
use jiff::{Timestamp, tz::TimeZone};
use proptest::prelude::*;

use crate::{html::Parsed, markup::markup};

/// 2026-11-20T22:30:00Z.
const START: Millis = 1_795_213_800_000;

const MINUTE: Millis = 60_000;

/// A report of `count` syncs with some of everything, whose every text is this one.
fn report(text: &str, count: i32, spacing: Millis) -> HistoryReport {
    let at = |index: i32| START + Millis::from(index) * spacing;
    let point = |index: i32| Point {
        time: at(index),
        replicas: 3 + index % 5,
        bounds: (2, if index < count / 2 { 5 } else { 20 }),
        recommendation: (index % 7 != 0).then_some(4 + index % 9),
        recomputed: Some(3),
        certainty: Certainty::Likely,
        ready: (index % 11 != 0).then_some(3),
        value: (index % 13 != 0).then_some(50.0 + f64::from(index % 40)),
        target: Some(60.0),
    };
    let rescale = |index: i32, from: i32, to: i32| PastRescale {
        time: at(index),
        from,
        to,
        recomputed: Some((to, to + 1, to + 2)),
        recommendation: Some(to + 3),
        certainty: Certainty::Likely,
        doubts: vec![Doubt::OtherSyncs],
    };
    let interval = |kind, from: i32, to: i32| Interval {
        kind,
        from: at(from),
        to: at(to),
        recommendation: Some((6, 9)),
        replicas: 5,
    };
    let mut course = Course::new(spacing);
    // No scrape from the 20th to the 30th.
    course.points = (0..count)
        .filter(|index| !(21..30).contains(index))
        .map(point)
        .collect();
    course.rescales = vec![
        rescale(2, 3, 4),
        rescale(3, 4, 7),
        rescale(9, 7, 3),
        rescale(15, 3, 5),
    ];
    course.intervals = [
        (IntervalKind::Flapping, 2, 15),
        (IntervalKind::AtMax, 4, 8),
        (IntervalKind::MetricsFailed, 10, 12),
        (IntervalKind::NotAbleToScale, 16, 17),
        (IntervalKind::Disabled, 18, 19),
        (IntervalKind::NoData, 20, 30),
    ]
    .map(|(kind, from, to)| interval(kind, from, to))
    .to_vec();
    let reason = || RescaleReason {
        rule: "metric",
        sentences: vec![text.to_owned(), "More.".to_owned()],
    };
    let row = |name: &str, replicas: f64| WhatIfRow {
        name: name.to_owned(),
        replicas: (0..count).map(|index| (at(index), replicas)).collect(),
        pod_hours: Band::of([1.0, 2.0, 3.0]),
        hours_at_max: Band::of([0.5]),
        unmet_pod_hours: Band::of([0.0]),
        rescales: Band::of([7.0]),
        summary: None,
    };
    HistoryReport {
        hpa: HpaKey {
            namespace: text.to_owned(),
            name: text.to_owned(),
        },
        target: text.to_owned(),
        version: text.to_owned(),
        from: Timestamp::from_millisecond(START).unwrap(),
        to: Timestamp::from_millisecond(at(count)).unwrap(),
        zone: TimeZone::get("Europe/Berlin").unwrap(),
        server: text.to_owned(),
        metric: Some(MetricReport {
            name: text.to_owned(),
            unit: PerPodUnit::PercentOfRequest,
            is_per_pod: true,
            target: Some(60.0),
            tolerated: Some((54.0, 66.0)),
            others: 1,
        }),
        course,
        trust: Trust {
            rescales: 4,
            exact: 3,
            missed: 1,
            ..Trust::default()
        },
        reasons: vec![Some(reason()), Some(reason()), None, Some(reason())],
        advice: vec![Advice::ReadDeeper],
        impossible: Vec::new(),
        series: NAMES
            .iter()
            .enumerate()
            .map(|(found, name)| SeriesReport {
                name: *name,
                found,
                interval: (found % 2 == 1).then_some(spacing),
            })
            .collect(),
        sources: vec![SourceReport {
            key: "bounds",
            known: Known::Observed,
            words: text.to_owned(),
        }],
        censored: vec![
            Censored::AtMax(MINUTE),
            Censored::Throttled(0.25),
            Censored::AtLimits(MINUTE),
        ],
        what_if: Some(WhatIfReport {
            control: 0.97,
            is_trusted: true,
            actual: WhatIfRow {
                replicas: Vec::new(),
                ..row("as it was", 0.0)
            },
            variants: vec![row("today", 4.0), row(text, 8.0)],
            price: Some(0.1),
            pod_cpu: Some(PodCpu {
                cores: 0.25,
                is_of_today: true,
            }),
            hidden: 2 * MINUTE,
            startup: WhatIfStartup {
                seconds: Band::of([6.0, 7.0]),
                pods: 2,
            },
        }),
        warnings: vec![text.to_owned()],
    }
}

#[test]
fn recomputing_that_does_worse_than_no_change_is_reported_as_worse() {
    let mut report = report("web", 60, 15_000);
    report.trust = Trust {
        rescales: 3,
        missed: 3,
        early: 1,
        invented: 1,
        syncs: 10,
        agreeing: 5,
        changing: 3,
        ..Trust::default()
    };
    let on_page = Parsed::of(&document(&report)).text;
    for text in [on_page, plain_text(&report, Style::plain(), false)] {
        let words: Vec<&str> = text.split_whitespace().collect();
        let words = words.join(" ");
        assert!(words.contains("3 missed, 1 early, 1 invented."), "{words}");
        assert!(
            words.contains("worse than the guess \"the replicas stay\": 5 syncs are wrong, 3 by"),
            "{words}"
        );
    }
}

/// The charts alone.
fn drawn(html: &str) -> Vec<&str> {
    let charts = html.split("<svg").skip(1);
    charts
        .filter_map(|rest| rest.split("</svg>").next())
        .collect()
}

/// How many pieces the line with this class has in the first chart.
fn pieces(html: &str, class: &str) -> usize {
    let path = drawn(html)[0]
        .split(&format!("<path class=\"{class}\" d=\""))
        .nth(1)
        .unwrap();
    path.split('"').next().unwrap().matches('M').count()
}

#[test]
fn page_is_sound_and_says_everything_of_few_and_many_syncs_of_any_distance() {
    for (count, spacing) in [
        (31, 1000),
        (60, 15_000),
        (300, 60_000),
        (5000, 120_000),
        (400, 86_400_000),
    ] {
        let report = report("web", count, spacing);
        let html = document(&report);
        assert_eq!(html, document(&report));
        let parsed = Parsed::of(&html);
        parsed.assert_sound();
        assert_eq!(parsed.number("figure"), 3);
        for text in [
            "3 of 4 rescales recomputed exactly",
            "4 → 7",
            "web More.",
            "at max",
            "no metrics",
            "no data",
            "flapping",
            "Control run: today's spec in the same model gives 97.0%",
            "unmet pod hours",
            "250m of CPU for a pod, the mean of today's pods",
            "kube_horizontalpodautoscaler_status_desired_replicas",
            "--depth usage also reads its pods",
        ] {
            assert!(parsed.text.contains(text), "{count}: {text}");
        }
        for chart in drawn(&html) {
            assert!(!chart.contains("NaN") && !chart.contains("inf"));
        }
    }
}

#[test]
fn axis_has_round_times_of_the_zone_with_dates() {
    let html = document(&report("web", 480, 15_000));
    for text in [">00:00<", ">01:00<", ">Nov 21<"] {
        assert!(html.contains(text), "{text}");
    }
}

/// A line across a gap, from the last sync before it to the first one after it or to zero, would be invented.
#[test]
fn where_nothing_is_known_lines_have_gaps() {
    let whole = |point: &mut Point| {
        point.recommendation = Some(5);
        point.ready = Some(3);
        point.value = Some(70.0);
    };
    let mut report = report("web", 60, 15_000);
    report.course.points.iter_mut().for_each(whole);
    let html = document(&report);
    for class in ["line replicas", "line wanted", "area ready"] {
        assert_eq!(pieces(&html, class), 2, "{class}");
    }
    report.course.points[3].recommendation = None;
    report.course.points[5].ready = None;
    let html = document(&report);
    assert_eq!(pieces(&html, "line replicas"), 2);
    assert_eq!(pieces(&html, "line wanted"), 3);
    assert_eq!(pieces(&html, "area ready"), 3);
}

#[test]
fn bounds_are_levels_and_steps_where_they_change() {
    let mut report = report("web", 60, 15_000);
    let html = document(&report);
    assert!(html.contains(">minReplicas 2<") && !html.contains(">maxReplicas 5</text>"));
    assert!(html.contains("<path class=\"line bound\""));
    for point in &mut report.course.points {
        point.bounds = (2, 8);
    }
    let html = document(&report);
    assert!(html.contains(">maxReplicas 8<"));
    assert!(!html.contains("<path class=\"line bound\""));
}

#[test]
fn marks_lead_to_the_rows_of_their_changes() {
    let html = document(&report("web", 60, 15_000));
    let parsed = Parsed::of(&html);
    parsed.assert_sound();
    // Two steps in one direction count as one change.
    let broad = drawn(&html)[0];
    assert_eq!(broad.matches("<a href=\"#row-").count(), 3);
    assert!(broad.contains("3 → 7, likely. web In 2 steps."));
}

#[test]
fn without_samples_values_or_trust_in_the_model_there_is_still_a_page() {
    let mut report = report("web", 60, 15_000);
    report.metric = None;
    report.what_if.as_mut().unwrap().is_trusted = false;
    report.what_if.as_mut().unwrap().variants.clear();
    let parsed = Parsed::of(&document(&report));
    parsed.assert_sound();
    assert_eq!(parsed.number("figure"), 1);
    assert!(
        parsed
            .text
            .contains("The model does not reproduce this past")
    );
    report.course.points.truncate(1);
    Parsed::of(&document(&report)).assert_sound();
    report.course = Course::new(15_000);
    report.reasons.clear();
    report.what_if = None;
    let parsed = Parsed::of(&document(&report));
    parsed.assert_sound();
    assert_eq!(parsed.number("figure"), 0);
    assert!(parsed.text.contains("NO HISTORY"));
}

#[test]
fn values_that_are_no_numbers_are_drawn_at_the_edge() {
    let mut report = report("web", 60, 15_000);
    report.course.points[3].value = Some(f64::NAN);
    report.course.points[4].value = Some(f64::INFINITY);
    report.course.points[5].replicas = i32::MAX;
    report.course.points[6].recommendation = Some(i32::MAX);
    report.course.points[7].bounds = (0, i32::MAX);
    report.metric.as_mut().unwrap().target = Some(f64::INFINITY);
    let html = document(&report);
    Parsed::of(&html).assert_sound();
    assert!(drawn(&html).iter().all(|chart| !chart.contains("NaN")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Elements and their attributes are the same as on a page with ordinary texts.
    #[test]
    fn no_text_of_a_past_becomes_an_element(text in markup()) {
        let [found, expected] = [text.as_str(), "x"].map(|text| {
            let parsed = Parsed::of(&document(&report(text, 60, 15_000)));
            parsed.assert_sound();
            parsed.shape()
        });
        prop_assert_eq!(found, expected);
    }
}
