//! `kubectl hpa export` without a cluster: what it prints, and its errors if it cannot serve.

use std::net::TcpListener;

use assert_cmd::Command;
use serde_json::Value;

fn export(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("kubectl-hpa")
        .unwrap()
        .arg("export")
        .args(arguments)
        .env("KUBECONFIG", "none.yaml")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn rules_and_dashboard_need_no_cluster() {
    let (code, rules, errors) = export(&["rules"]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(
        rules.contains("\n  - alert: HpaWantsMoreThanMax\n"),
        "{rules}"
    );
    let (code, object, _) = export(&["rules", "--output=operator"]);
    assert_eq!(code, Some(0));
    assert!(object.contains("\nkind: PrometheusRule\n"), "{object}");
    let (code, dashboard, _) = export(&["dashboard"]);
    assert_eq!(code, Some(0));
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    assert_eq!(dashboard["title"], "HorizontalPodAutoscalers");
}

#[test]
fn an_address_that_is_taken_or_wrong_is_named_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, _, errors) = export(&["--listen", &address]);
    assert_eq!(code, Some(2));
    let expected =
        format!("error: cannot listen at {address}: use --listen with another address or port: ");
    assert!(errors.starts_with(&expected), "{errors}");
    for wrong in ["9484", "localhost:9484", "127.0.0.1:99999"] {
        let (code, _, errors) = export(&["--listen", wrong]);
        assert_eq!(code, Some(2));
        assert!(
            errors.contains(&format!("invalid value '{wrong}' for '--listen")),
            "{errors}"
        );
        assert!(errors.contains("such as 127.0.0.1:9484"), "{errors}");
    }
}

#[test]
fn a_folder_for_recordings_must_exist_and_a_size_needs_one() {
    let (code, _, errors) = export(&["--record", "no-such-folder"]);
    assert_eq!(code, Some(2));
    assert_eq!(
        errors,
        "error: --record no-such-folder: not a folder; make it first\n"
    );
    let (code, _, errors) = export(&["--record-max-size=1Gi"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("--record <DIR>"), "{errors}");
}
