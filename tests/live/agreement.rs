//! The predictions for each sync of the controller, compared with the audit log.

use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::audit::{Sync, matched};

/// One line of `replay -o jsonl`.
pub(crate) struct Replayed {
    /// Name of the HPA.
    pub(crate) hpa: String,
    /// The assumed time of the controller's sync.
    pub(crate) time: Timestamp,
    /// The whole line.
    pub(crate) line: Value,
}

/// One line of `watch -o jsonl` of type `reconcile`.
pub(crate) struct Reported {
    /// Name of the HPA.
    pub(crate) hpa: String,
    /// The assumed time of the controller's sync.
    pub(crate) time: Timestamp,
    /// The replicas after the decision.
    pub(crate) desired: Option<i64>,
}

/// The comparison of a whole run.
#[derive(Default)]
pub(crate) struct Agreement {
    /// Syncs of the controller while it was watched.
    pub(crate) syncs: usize,
    /// Reconciles in the recording in that time.
    pub(crate) recorded: usize,
    /// Reconciles whose replicas, conditions and metric values the recording predicts exactly.
    pub(crate) predicted: usize,
    /// Reconciles with a difference that the recording can explain.
    pub(crate) explained: Vec<String>,
    /// Reconciles with an unexplained difference, and syncs that were missed.
    pub(crate) unexplained: Vec<String>,
    /// Reconciles whose resulting replicas were reported live.
    pub(crate) reported: usize,
    /// Reconciles reported live with other replicas.
    pub(crate) predicted_otherwise: Vec<String>,
}

impl Agreement {
    /// Adds the syncs of one HPA while it was watched.
    pub(crate) fn add(
        &mut self,
        hpa: &str,
        syncs: &[Sync],
        replayed: &[Replayed],
        reported: &[Reported],
        period: SignedDuration,
    ) {
        let replayed: Vec<&Replayed> = replayed.iter().filter(|one| one.hpa == hpa).collect();
        let reported: Vec<&Reported> = reported.iter().filter(|one| one.hpa == hpa).collect();
        // With two programs: the time in which both watched.
        let since = replayed[0].time.max(reported[0].time) - period / 2;
        let until = replayed[replayed.len() - 1]
            .time
            .min(reported[reported.len() - 1].time);
        let is_watched = |sync: &Sync| since <= sync.at && sync.at <= until;
        let is_recorded = |one: &&&Replayed| since <= one.time && one.time <= until;
        self.recorded += replayed.iter().filter(is_recorded).count();
        for (sync, line) in matched(syncs, &replayed, period, |one| one.time) {
            if is_watched(sync) {
                self.syncs += 1;
                self.compare(hpa, sync, line.map(|one| &one.line));
            }
        }
        for (sync, line) in matched(syncs, &reported, period, |one| one.time) {
            if !is_watched(sync) {
                continue;
            }
            let desired = line.and_then(|one| one.desired);
            if desired == Some(sync.decided()) {
                self.reported += 1;
            } else {
                let what = match line {
                    Some(_) => format!("predicted {desired:?}, became {}", sync.decided()),
                    None => "not predicted".to_owned(),
                };
                self.predicted_otherwise
                    .push(format!("{} {hpa}: {what}", sync.at));
            }
        }
    }

    fn compare(&mut self, hpa: &str, sync: &Sync, line: Option<&Value>) {
        let Some(line) = line else {
            self.unexplained
                .push(format!("{} {hpa}: not noticed", sync.at));
            return;
        };
        let predicted = &line["predicted"];
        let expected = decision(sync.scaled_to.into(), &sync.status);
        let found = decision(predicted["scaleTo"].clone(), &predicted["status"]);
        if expected == found {
            self.predicted += 1;
            return;
        }
        let text = format!(
            "{} {hpa}: predicted {found}\n    became {expected}\n    replay: agrees {}, {}",
            sync.at, line["agrees"], line["differs"]
        );
        // The recording explains it if `replay` leaves it open, because pods, samples, spec or scale were others when the
        // controller read them; or if it agrees with something else that the controller may remember at the edge of a
        // window.
        let is_open = line["agrees"].is_null() && line["differs"] != json!([]);
        if sync.is_refused || is_open || line["agrees"] == true {
            self.explained.push(text);
        } else {
            self.unexplained.push(text);
        }
    }

    /// Prints the figures, and each sync that was not predicted.
    pub(crate) fn report(&self) -> String {
        let share = |part: usize| {
            let hundredths = 10_000 * part / self.syncs;
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        };
        let mut text = format!(
            "{} syncs of the controller (audit log of the API server), {} recorded\n\
             {} predicted ({}%): replicas, conditions and metric values\n\
             {} went otherwise, explained\n\
             {} went otherwise or were not noticed, unexplained\n\
             {} predicted live with the replicas that they came to ({}%)\n",
            self.syncs,
            self.recorded,
            self.predicted,
            share(self.predicted),
            self.explained.len(),
            self.unexplained.len(),
            self.reported,
            share(self.reported),
        );
        for (title, list) in [
            ("explained", &self.explained),
            ("unexplained", &self.unexplained),
            ("predicted otherwise", &self.predicted_otherwise),
        ] {
            for one in list {
                writeln!(text, "{title}: {one}").unwrap();
            }
        }
        text
    }
}

/// The result of a sync, without the times.
fn decision(scaled_to: Value, status: &Value) -> Value {
    let conditions: Vec<Value> = status["conditions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| json!([one["type"], one["status"], one["reason"], one["message"]]))
        .collect();
    let metrics = match &status["currentMetrics"] {
        Value::Null => json!([]),
        metrics => metrics.clone(),
    };
    json!({
        "scaledTo": scaled_to,
        "currentReplicas": status["currentReplicas"].as_i64().unwrap_or(0),
        "desiredReplicas": status["desiredReplicas"].as_i64().unwrap_or(0),
        "conditions": conditions,
        "currentMetrics": metrics,
    })
}
