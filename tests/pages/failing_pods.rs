//! Pods whose containers cannot run while the HPA wants more of them.

use hpa_explain::Overview;
use hpa_render::{Style, terminal::PageDetail};
use hpa_testing::World;

use crate::world::{AsPage, web};

/// 9 pods at 140% and 3 that crash: 105% of all 12, and 105 / 60 × 12 is 21.
fn crash_loop_at_max(max: i32) -> World {
    let mut world = web(12)
        .bounds(2, max)
        .utilization("cpu", 60)
        .ready_pods(9, "100m", "140m");
    for name in ["web-a", "web-b", "web-c"] {
        world = world.never_ready(name, "100m", "10:23:15", "CrashLoopBackOff");
    }
    world.status(12, 12, 140, "ReadyForNewScale", "TooManyReplicas")
}

#[test]
fn crash_loop_at_max_is_named_before_the_maximum_that_must_not_be_raised() {
    let world = crash_loop_at_max(12);
    insta::assert_snapshot!(world.answer(), @"
    shop/web → Deployment/web             STAYS AT 12 (maxReplicas)   min 2 · max 12
    3 of 12 pods are in CrashLoopBackOff (web-a, web-b and web-c). Fix these pods
    before you raise maxReplicas. At maxReplicas 12: CPU is at 140% (target 60%),
    but 3 of 12 pods are not ready, which count as 0% for a scale-up: 105% on
    average, which asks for 21 replicas (105 / 60 × 12 pods = 21).
      kubectl logs web-a -n shop --previous
    ");
    let everything = PageDetail {
        is_verbose: true,
        with_what_ifs: true,
        ..PageDetail::default()
    };
    let page = world.text(everything, Style::plain());
    assert!(!page.contains("maxReplicas 21"), "{page}");
    let json = serde_json::to_value(world.json()).unwrap();
    let sentence = json["verdict"]["sentence"].as_str().unwrap();
    assert!(
        sentence.starts_with("3 of 12 pods are in CrashLoopBackOff"),
        "{sentence}"
    );
    assert!(!json.to_string().contains("maxReplicas 21"), "{json:#}");
    let words = world.report(|_, cx| Overview::new(cx, false).answer);
    assert_eq!(words.words(), "3 pods failing");
}

#[test]
fn pods_that_cannot_run_come_first_wherever_more_pods_are_wanted_and_only_there() {
    let room = crash_loop_at_max(30).answer();
    assert!(
        room.contains("\n3 of 12 pods are in CrashLoopBackOff"),
        "{room}"
    );
    assert!(!room.contains("raise maxReplicas"), "{room}");
    // An init container that crashes leaves its pod Pending: said once.
    let mut world = web(3)
        .bounds(1, 3)
        .utilization("cpu", 60)
        .ready_pods(2, "100m", "140m");
    world = world.pending("web-a", "100m", "ImagePullBackOff");
    let answer = world.answer();
    assert!(
        answer.contains("1 of 3 pods is in ImagePullBackOff (web-a)."),
        "{answer}"
    );
    assert!(!answer.contains("Pending"), "{answer}");
    // Where the HPA wants no more replicas, it is a pod to check.
    let mut calm = web(12).utilization("cpu", 60).ready_pods(11, "100m", "58m");
    calm = calm.never_ready("web-a", "100m", "10:23:15", "CrashLoopBackOff");
    let calm = calm.answer().replace('\n', " ");
    assert!(
        calm.contains("CPU is at 58%") && calm.contains("Check web-a:"),
        "{calm}"
    );
    assert!(calm.find("CPU is at 58%") < calm.find("web-a"), "{calm}");
}
