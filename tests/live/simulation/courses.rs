//! The courses. A pod requests 100m CPU, of which half is the target: 50m each.

use serde_json::json;

use super::{
    course::{Course, Happening},
    pace::seconds,
};
use crate::manifest::Hpa;

/// All of them.
pub(super) fn courses() -> Vec<Course> {
    let mut courses = plain();
    courses.extend(limited());
    courses.extend(disturbed());
    courses
}

/// A load and an HPA.
fn plain() -> Vec<Course> {
    let cpu = |hpa: Hpa| hpa.bounds(2, 20).cpu(50);
    let night = [(0, 0.48), (20, 0.48), (90, 0.06)];
    vec![
        Course::new("spike", "spike", 2, cpu).load(
            "cpu",
            &[(0, 0.09), (20, 0.09), (21, 0.52), (70, 0.52), (71, 0.12)],
        ),
        Course::new("ramp", "ramp", 2, cpu).load("cpu", &[(0, 0.09), (10, 0.09), (110, 0.82)]),
        Course::new("night", "night: a falling load", 10, cpu).load("cpu", &night),
        Course::new("night-quick", "the same with short windows", 10, |hpa| {
            cpu(hpa).behavior(json!({
                "scaleUp": {"stabilizationWindowSeconds": seconds(6)},
                "scaleDown": {"stabilizationWindowSeconds": seconds(6)},
            }))
        })
        .load(
            "cpu",
            &[(0, 0.48), (20, 0.48), (60, 0.06), (90, 0.06), (110, 0.3)],
        ),
        Course::new("pods-metric", "Pods metric", 3, |hpa| {
            let target = json!({"type": "AverageValue", "averageValue": "10"});
            hpa.bounds(2, 20).metric(
                "Pods",
                "pods",
                json!({"metric": {"name": "requests"}, "target": target}),
            )
        })
        .load(
            "requests",
            &[(0, 28.0), (15, 28.0), (16, 77.0), (75, 77.0), (90, 28.0)],
        ),
        Course::new("two-metrics", "CPU and External", 4, |hpa| {
            cpu(hpa).external(
                "queue",
                json!({"type": "AverageValue", "averageValue": "10"}),
            )
        })
        .load("cpu", &[(0, 0.19), (20, 0.19), (40, 0.42), (70, 0.1)])
        .load("queue", &[(0, 18.0), (50, 18.0), (70, 118.0), (100, 32.0)]),
        Course::new("zero", "to zero and back, External", 3, |hpa| {
            hpa.bounds(0, 20).external(
                "queue",
                json!({"type": "AverageValue", "averageValue": "10"}),
            )
        })
        .load(
            "queue",
            &[(0, 28.0), (20, 28.0), (21, 0.0), (80, 0.0), (81, 66.0)],
        ),
        Course::new("stateful", "StatefulSet, pod by pod", 2, cpu)
            .stateful()
            .ready(4)
            .load(
                "cpu",
                &[(0, 0.09), (20, 0.09), (21, 0.28), (80, 0.28), (81, 0.09)],
            ),
    ]
}

/// The HPA or the pods are slowed down.
fn limited() -> Vec<Course> {
    let cpu = |hpa: Hpa| hpa.bounds(2, 20).cpu(50);
    let spike = [(0, 0.09), (20, 0.09), (21, 0.62), (85, 0.62), (86, 0.12)];
    let policy = |kind: &str, value: i32, period: i32| json!({"type": kind, "value": value, "periodSeconds": seconds(period)});
    vec![
        Course::new("policies-pods", "policies in pods", 2, |hpa| {
            cpu(hpa).behavior(json!({
                "scaleUp": {"policies": [policy("Pods", 3, 10)]},
                "scaleDown": {"stabilizationWindowSeconds": seconds(5), "policies": [policy("Pods", 2, 8)]},
            }))
        })
        .load("cpu", &spike),
        Course::new("policies-percent", "policies in percent", 3, |hpa| {
            cpu(hpa).behavior(json!({
                "scaleUp": {"policies": [policy("Percent", 60, 12)]},
                "scaleDown": {"stabilizationWindowSeconds": 0, "policies": [policy("Percent", 30, 10)]},
            }))
        })
        .load("cpu", &[(0, 0.14), (20, 0.14), (21, 0.62), (85, 0.62), (86, 0.16)]),
        Course::new("slow-start", "pods that start slowly", 2, cpu).ready(24).load("cpu", &spike),
        Course::new("room", "room for 6 pods", 2, |hpa| hpa.bounds(2, 10).cpu(50)).room(6).load("cpu", &spike),
    ]
}

/// A user makes a change.
fn disturbed() -> Vec<Course> {
    let cpu = |hpa: Hpa| hpa.bounds(2, 20).cpu(50);
    vec![
        Course::new("failing", "metrics that fail", 2, cpu)
            .load("cpu", &[(0, 0.09), (35, 0.09), (36, 0.38)])
            .happens(30, Happening::Fails(30)),
        Course::new("rollout", "rollout", 4, cpu)
            .load("cpu", &[(0, 0.19)])
            .happens(40, Happening::Rollout),
        Course::new("writer", "another writer", 4, cpu)
            .load("cpu", &[(0, 0.19)])
            .happens(30, Happening::Scale(9))
            .happens(90, Happening::Scale(1)),
    ]
}
