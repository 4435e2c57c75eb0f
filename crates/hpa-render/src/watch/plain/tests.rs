//! Line output of `watch`.

use hpa_explain::{Rule, Urgency};
use hpa_watch::{MetricPoint, PodCounts};

use super::*;

fn lines(wrap: Option<usize>) -> PlainLines {
    PlainLines::new(Style::plain(), TimeZone::UTC, wrap)
}

fn entry() -> HistoryEntry {
    HistoryEntry {
        id: 1,
        at: "2026-01-01T14:02:15.3Z".parse().unwrap(),
        is_reconcile: true,
        action: Action::ScaleUp,
        rule: Rule::ScaleUpPolicy,
        urgency: Urgency::Scaling,
        answer: "+1 per min".into(),
        headline: "SCALES 6 → 9".to_owned(),
        current: Some(6),
        desired: Some(9),
        range: None,
        written: None,
        proposal: Some(12),
        stabilized: Some(12),
        limits: Some((1, 9)),
        min: 2,
        max: 20,
        pods: PodCounts::default(),
        metrics: vec![MetricPoint {
            name: "cpu".to_owned(),
            ratio: Some(1.53),
            tolerance: None,
            value: Some("92%".to_owned()),
            target: Some("60%".to_owned()),
            proposal: Some(12),
            failure: None,
            is_winner: true,
        }],
        agreement: Agreement::Open,
        alarms: std::sync::Arc::default(),
    }
}

fn report_lines(entry: &HistoryEntry, one: &Change) -> ReportLine {
    let hpa = HpaKey {
        namespace: "shop".to_owned(),
        name: "web".to_owned(),
    };
    let line = lines(None).change(one, entry, Some(entry));
    let (role, text) = line.unwrap();
    ReportLine::new(role, entry.at, Some(&hpa), text)
}

#[test]
fn scaling_is_one_line_with_the_metric_and_the_rule() {
    let rescaled = report_lines(
        &entry(),
        &Change::Rescaled {
            from: 6,
            to: 9,
            edit: None,
        },
    );
    assert_eq!(
        lines(None).line(rescaled),
        "14:02:15 shop/web 6 → 9: +1 per min; cpu 92% (target 60%) asks for 12\n"
    );
    let written = Change::ReplicasWritten {
        from: 9,
        to: 3,
        by: Some("kubectl scale".to_owned()),
    };
    assert_eq!(
        lines(None).line(report_lines(&entry(), &written)),
        "14:02:15 shop/web replicas 9 → 3, written by kubectl scale\n"
    );
    let mut failed = entry();
    failed.action = Action::Failed;
    failed.rule = Rule::AllMetricsInvalid;
    failed.headline = "NOT SCALING, stays at 6".to_owned();
    failed.answer = "cpu cannot be read".into();
    failed.metrics[0].is_winner = false;
    failed.metrics[0].failure = Some("no metrics returned".to_owned());
    assert_eq!(
        lines(None).line(report_lines(&failed, &Change::Verdict)),
        "14:02:15 shop/web NOT SCALING, stays at 6: cpu cannot be read (no metrics returned)\n"
    );
}

#[test]
fn terminal_gets_lines_of_its_width_indented_and_in_color() {
    let mut lines = lines(Some(50));
    let rescaled = || {
        report_lines(
            &entry(),
            &Change::Rescaled {
                from: 6,
                to: 9,
                edit: None,
            },
        )
    };
    assert_eq!(
        lines.line(rescaled()),
        "14:02:15 shop/web 6 → 9: +1 per min; cpu 92%\n         (target 60%) asks for 12\n"
    );
    lines.style.has_color = true;
    let text = lines.line(rescaled());
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with('\u{1b}'))
            .count(),
        2
    );
}

#[test]
fn what_becomes_known_late_has_the_time_of_its_line_and_its_own() {
    let mut lines = lines(None);
    let at = |text: &str| format!("2026-01-01T14:02:{text}Z").parse().unwrap();
    let mut line = |second: &str| {
        lines.line(ReportLine::new(
            Role::Text,
            at(second),
            None,
            "up".to_owned(),
        ))
    };
    assert_eq!(line("15"), "14:02:15 up\n");
    assert_eq!(line("30"), "14:02:30 up\n");
    assert_eq!(line("15"), "14:02:30 up (at 14:02:15)\n");
    // Clocks differ slightly.
    assert_eq!(line("29"), "14:02:30 up\n");
}

#[test]
fn nothing_from_a_cluster_reaches_the_terminal_raw() {
    let text = "by \u{1b}[2Jx".to_owned();
    let written = ReportLine::new(Role::Text, entry().at, None, text);
    assert!(!lines(None).line(written).contains('\u{1b}'));
}

#[test]
fn failures_alarms_and_their_ends_are_reported_with_how_long_they_lasted() {
    let state = State::default();
    let at: Timestamp = "2026-01-01T14:02:15Z".parse().unwrap();
    let source = Source::Metrics {
        api: "metrics.k8s.io".to_owned(),
        namespace: "shop".to_owned(),
    };
    let failing = Update::Failing {
        source: source.clone(),
        why: "the server is currently unable to handle the request".to_owned(),
    };
    assert_eq!(
        lines(None).update(&failing, &state, at),
        "14:02:15 metrics.k8s.io of shop cannot be read: the server is currently unable to handle the request\n"
    );
    let recovered = Update::Recovered {
        source,
        lasted: SignedDuration::from_millis(61_400),
    };
    assert_eq!(
        lines(None).update(&recovered, &state, at),
        "14:02:15 metrics.k8s.io of shop can be read again, after 1 min 1 s\n"
    );
}
