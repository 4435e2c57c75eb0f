//! Alarms of several HPAs with a common cause.

use crossterm::event::KeyCode;
use hpa_analysis::Assessment;
use hpa_engine::model::{ApiError, Observation, Reading, SyncInput};
use hpa_watch::{AlarmKind, Event, SeenHpa, State, Update, reduce};
use jiff::Timestamp;

use super::support::{DrawnScreen, at, incidents, key};

/// The HPA at a later time, unchanged or altered.
fn later(state: &State, name: &str, now: Timestamp, alter: fn(&mut Observation)) -> Box<SeenHpa> {
    let mut seen = state.hpas[&key(name)].latest.clone();
    let mut input = SyncInput {
        observation: seen.assessment.observation.clone(),
        context: seen.assessment.context.clone(),
        memory: None,
        now,
    };
    alter(&mut input.observation);
    seen.assessment = Assessment::new(input);
    Box::new(seen)
}

fn outage(observation: &mut Observation) {
    observation.pod_metrics = Reading::Failed(ApiError {
        message: "the server is currently unable to handle the request (get pods.metrics.k8s.io)"
            .to_owned(),
        reason: "ServiceUnavailable".to_owned(),
        code: 503,
    });
}

fn alarms(updates: Vec<Update>) -> Vec<Update> {
    let mut updates = updates;
    updates.retain(|update| {
        let (Update::AlarmOn { alarm, .. } | Update::AlarmOff { alarm, .. }) = update else {
            return false;
        };
        alarm.kind == AlarmKind::InvalidMetric && alarm.cause.is_some()
    });
    updates
}

const NAMES: [&str; 3] = ["api", "cart", "web"];

#[test]
fn outage_of_a_metrics_api_is_one_alarm_of_all_its_hpas_until_the_last_of_them_is_well() {
    let healthy = incidents();
    let mut state = healthy.clone();
    for name in NAMES {
        let seen = later(&healthy, name, at(45), outage);
        assert_eq!(alarms(reduce(&mut state, Event::Seen(seen), at(45))), []);
    }
    let mut reported = Vec::new();
    for (name, seconds) in NAMES.into_iter().zip(50..) {
        let seen = later(&healthy, name, at(seconds), outage);
        let updates = reduce(&mut state, Event::Reconciled(seen), at(seconds));
        reported.extend(alarms(updates));
    }
    // The alarm waits for the others, but not for long.
    assert_eq!(reported, []);
    reported.extend(alarms(reduce(&mut state, Event::Tick, at(56))));
    let [Update::AlarmOn { hpas, alarm }] = reported.as_slice() else {
        panic!("{reported:?}");
    };
    assert_eq!(*hpas, NAMES.map(key));
    assert_eq!(alarm.text, "metrics.k8s.io of shop answers 503: 3 HPAs");

    let mut drawn = DrawnScreen::new(state.clone(), 120, 40);
    drawn.now = at(60);
    drawn.draw();
    let banner = "! metrics.k8s.io of shop answers 503: 3 HPAs since";
    assert_eq!(drawn.lines_with(banner).len(), 1, "{}", drawn.text());
    drawn.press(KeyCode::Char('e'));
    drawn.assert_has("alarms of several HPAs");
    assert_eq!(drawn.lines_with(banner).len(), 1, "{}", drawn.text());

    let mut ended = Vec::new();
    for seconds in [100, 160, 220] {
        for name in NAMES {
            // One of them stays as it is for longer.
            let is_well = name != "web" || 160 < seconds;
            let alter = if is_well { |_: &mut _| {} } else { outage };
            let seen = later(&healthy, name, at(seconds), alter);
            let updates = reduce(&mut state, Event::Reconciled(seen), at(seconds));
            ended.extend(alarms(updates));
        }
        let is_over = 220 <= seconds;
        assert_eq!(ended.len(), usize::from(is_over), "{seconds}: {ended:?}");
    }
    let [Update::AlarmOff { hpas, .. }] = ended.as_slice() else {
        panic!("{ended:?}");
    };
    assert_eq!(*hpas, NAMES.map(key));
}
