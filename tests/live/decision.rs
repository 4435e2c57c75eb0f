//! One decision: what the plugin says before a pass, and what the controller writes in it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::{cluster::eventually, namespace::Namespace};

/// A decision that was predicted and then made.
pub(crate) struct Decision {
    hpa: String,
    proposal_at: Timestamp,
    /// What `explain -o json` printed before the pass.
    pub(crate) page: Value,
    /// What `explain` printed before the pass.
    pub(crate) text: String,
    replicas_before: Option<i64>,
    replicas_after: Option<i64>,
    /// The HPA after the pass.
    pub(crate) after: Value,
}

impl Decision {
    /// Gets the plugin's prediction of the pending decision.
    pub(super) fn ask(namespace: &Namespace, hpa: &str) -> Self {
        let before = namespace.get("hpa", hpa);
        let proposal_at = Timestamp::now();
        Self {
            hpa: hpa.to_owned(),
            proposal_at,
            page: namespace.page(hpa),
            text: namespace.explain(hpa, []),
            replicas_before: replicas(namespace, &before),
            replicas_after: None,
            after: Value::Null,
        }
    }

    /// Compares it with what the controller has written.
    #[track_caller]
    pub(super) fn answer(self, namespace: &Namespace) -> Self {
        let (decision, differences) = self.compared(namespace);
        assert!(
            differences.is_empty(),
            "the controller decided otherwise:\n  {}\n\n{}\n{:#}\n\nthe controller wrote {:#}",
            differences.join("\n  "),
            decision.text,
            decision.page,
            decision.after["status"]
        );
        decision
    }

    /// The same, and returns what differs.
    pub(crate) fn compared(mut self, namespace: &Namespace) -> (Self, Vec<String>) {
        self.after = namespace.get("hpa", &self.hpa);
        self.replicas_after = replicas(namespace, &self.after);
        let differences = self.differences(namespace);
        (self, differences)
    }

    /// Says what the controller has done: replicas before and after, and the reasons of the conditions. From Kubernetes 1.37 on
    /// each rescale says that it did not go to zero; that is compared with what was predicted, and part of no situation.
    pub(crate) fn made(&self) -> String {
        let replicas = |number: Option<i64>| {
            number.map_or("no target".to_owned(), |number| number.to_string())
        };
        let conditions = self.after["status"]["conditions"].as_array().cloned();
        let conditions = conditions.unwrap_or_default().into_iter();
        let conditions = conditions.filter(|condition| condition["reason"] != "NotScaledToZero");
        let reasons = conditions.map(|condition| {
            let sign = if condition["status"] == "False" {
                "!"
            } else {
                ""
            };
            format!(" {sign}{}", condition["reason"].as_str().unwrap())
        });
        format!(
            "{} → {}:{}",
            replicas(self.replicas_before),
            replicas(self.replicas_after),
            reasons.collect::<String>()
        )
    }

    /// Returns a field of the status that the controller wrote.
    pub(crate) fn status(&self, pointer: &str) -> &Value {
        self.after["status"]
            .pointer(pointer)
            .unwrap_or(&Value::Null)
    }

    /// Checks that no line of the page is wider than a terminal of 80 columns, and that it says each of the texts.
    #[track_caller]
    pub(crate) fn page_says<const N: usize>(&self, texts: [&str; N]) {
        for line in self.text.lines() {
            // A word or a command that is longer stays in one piece.
            let is_one_piece = !line.trim().contains(' ') || line.contains("kubectl ");
            assert!(
                line.chars().count() <= 80 || is_one_piece,
                "wider than 80 columns: {line}\n{}",
                self.text
            );
        }
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in texts {
            assert!(
                words(&self.text).contains(&words(text)),
                "no {text:?} in\n{}",
                self.text
            );
        }
    }

    fn differences(&self, namespace: &Namespace) -> Vec<String> {
        let mut differences = Vec::new();
        let mut compare = |what: &str, printed: &Value, done: &Value| {
            if printed != done {
                differences.push(format!("{what}: said {printed}, did {done}"));
            }
        };
        let verdict = &self.page["verdict"];
        let predicted = &self.page["predicted"];
        let rescaled = self.replicas_before != self.replicas_after;
        compare("verdict.action", &verdict["action"], &json!(self.action()));
        if matches!(self.action(), "hold" | "scaleUp" | "scaleDown") {
            compare(
                "verdict.from",
                &verdict["from"],
                &json!(self.replicas_before),
            );
            compare("verdict.to", &verdict["to"], &json!(self.replicas_after));
        }
        let scale_to = self.replicas_after.filter(|_| rescaled);
        // A write that was refused cannot be read anywhere.
        let refused = self.after["status"]["conditions"][0]["reason"] == "FailedUpdateScale";
        if !refused {
            compare("predicted.scaleTo", &predicted["scaleTo"], &json!(scale_to));
        }
        let printed = &predicted["status"];
        let done = &self.after["status"];
        for field in ["currentReplicas", "desiredReplicas", "observedGeneration"] {
            compare(field, &printed[field], &done[field]);
        }
        compare(
            "currentMetrics",
            &list(&printed["currentMetrics"]),
            &list(&done["currentMetrics"]),
        );
        let conditions = |status: &Value| list(&status["conditions"]).as_array().unwrap().clone();
        let (said_conditions, done_conditions) = (conditions(printed), conditions(done));
        compare(
            "conditions",
            &json!(said_conditions.len()),
            &json!(done_conditions.len()),
        );
        for (printed, done) in said_conditions.iter().zip(&done_conditions) {
            compare("condition", &without_time(printed), &without_time(done));
            self.compare_times(
                &mut compare,
                &printed["lastTransitionTime"],
                &done["lastTransitionTime"],
            );
        }
        self.compare_times(
            &mut compare,
            &printed["lastScaleTime"],
            &done["lastScaleTime"],
        );
        for event in list(&predicted["events"]).as_array().unwrap() {
            let printed = event_key(event);
            let is_there = || {
                let events = namespace.list("events");
                events
                    .iter()
                    .any(|event| {
                        event["involvedObject"]["name"] == self.hpa.as_str()
                            && event_key(event) == printed
                    })
                    .then_some(())
            };
            eventually(&format!("event {printed:?}"), is_there);
        }
        differences
    }

    /// What the controller did, in the words of `verdict.action`.
    fn action(&self) -> &'static str {
        let reason = |kind: &str| {
            let conditions = self.after["status"]["conditions"].as_array().unwrap();
            let condition = conditions
                .iter()
                .find(|condition| condition["type"] == kind);
            condition.map(|condition| (condition["status"] == "True", condition["reason"].clone()))
        };
        match (self.replicas_before, self.replicas_after) {
            (Some(before), Some(after)) if after > before => "scaleUp",
            (Some(before), Some(after)) if after < before => "scaleDown",
            _ => match (reason("AbleToScale"), reason("ScalingActive")) {
                (Some((false, _)), _) => "failed",
                (_, Some((false, why))) if why == "ScalingDisabled" => "disabled",
                (_, Some((false, _))) => "failed",
                _ => "hold",
            },
        }
    }

    /// Times are equal if they are the same second, or both are the time of the pass, which the plugin foretells
    /// a little too early.
    fn compare_times(
        &self,
        compare: &mut impl FnMut(&str, &Value, &Value),
        printed: &Value,
        done: &Value,
    ) {
        let second = self.proposal_at.as_second();
        let is_now = |time: &Value| {
            let time = time.as_str().map(|time| time.parse::<Timestamp>().unwrap());
            time.is_some_and(|time| time.as_second() >= second)
        };
        if !(is_now(printed) && is_now(done)) {
            compare("time", printed, done);
        }
    }
}

/// Returns `spec.replicas` of the HPA's target, read from the target itself.
fn replicas(namespace: &Namespace, hpa: &Value) -> Option<i64> {
    let target = &hpa["spec"]["scaleTargetRef"];
    let kind = target["kind"].as_str().unwrap();
    let group = target["apiVersion"]
        .as_str()
        .unwrap()
        .split_once('/')
        .map(|(group, _)| group);
    let kind = group.map_or(kind.to_owned(), |group| format!("{kind}.{group}"));
    namespace.get(&kind, target["name"].as_str().unwrap())["spec"]["replicas"].as_i64()
}

/// Returns the list; an absent one is empty.
fn list(value: &Value) -> Value {
    if value.is_null() {
        json!([])
    } else {
        value.clone()
    }
}

fn without_time(condition: &Value) -> Value {
    let mut condition = condition.clone();
    condition["lastTransitionTime"] = Value::Null;
    sort_names(&mut condition["message"]);
    condition
}

/// The identity of an event.
fn event_key(event: &Value) -> [Value; 3] {
    // The tenth of similar ones and those after it are combined.
    let message = event["message"].as_str().unwrap_or_default();
    let mut message = json!(message.trim_start_matches("(combined from similar events): "));
    sort_names(&mut message);
    [event["type"].clone(), event["reason"].clone(), message]
}

/// Go prints the HPAs of an ambiguous selector in random order, and the first pod without a request in one.
fn sort_names(message: &mut Value) {
    let Some(text) = message.as_str() else {
        return;
    };
    if let Some((text, _)) = text.split_once(" of Pod ") {
        *message = json!(format!("{text} of Pod …"));
        return;
    }
    // Up to Kubernetes 1.36, and since then.
    for before in ["multiple HPAs: [", "more than one HPA (e.g. ["] {
        if let Some((text, names)) = text.split_once(before) {
            let names: BTreeSet<&str> = names.trim_end_matches([']', ')']).split(' ').collect();
            *message = json!(format!("{text}{before}{names:?}"));
            return;
        }
    }
}
