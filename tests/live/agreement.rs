//! What was predicted of each sync of the controller, beside what the audit log says that it did.

use std::fmt::Write as _;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::audit::{Sync, matched};

/// One line of `replay -o jsonl`.
pub(crate) struct Replayed {
    /// Name of the HPA.
    pub(crate) hpa: String,
    /// When the controller was taken to have synced.
    pub(crate) time: Timestamp,
    /// The line.
    pub(crate) line: Value,
}

/// One line of `watch -o jsonl` of type `reconcile`.
pub(crate) struct Reported {
    /// Name of the HPA.
    pub(crate) hpa: String,
    /// When the controller was taken to have synced.
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
    /// Those of which the recording predicts replicas, conditions and metric values as they became.
    pub(crate) predicted: usize,
    /// Those that went otherwise, and of which the recording says why this can be.
    pub(crate) explained: Vec<String>,
    /// Those that went otherwise, and nobody knows why; and those that were not noticed.
    pub(crate) unexplained: Vec<String>,
    /// Those of which the replicas were told as they became while it happened.
    pub(crate) reported: usize,
    /// Those that were told otherwise.
    pub(crate) told_otherwise: Vec<String>,
}

impl Agreement {
    /// Adds the syncs of one HPA that were while it was watched.
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
        // Two programs watched: the time in which both did.
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
                    Some(_) => format!("told {desired:?}, became {}", sync.decided()),
                    None => "not told".to_owned(),
                };
                self.told_otherwise
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

    /// The figures, and whatever was not predicted.
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
             {} told live with the replicas that they came to ({}%)\n",
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
            ("told otherwise", &self.told_otherwise),
        ] {
            for one in list {
                writeln!(text, "{title}: {one}").unwrap();
            }
        }
        text
    }
}

/// What a sync came to, without the times.
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
