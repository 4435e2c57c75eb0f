//! Credentials reach only the server that they are for.

use std::fs;

use serde_json::json;

use crate::tls;

use super::fake::{Fake, NOON, Reply, SERVICE};

fn nothing() -> Reply {
    Reply::series(&json!([]))
}

#[test]
fn credentials_of_the_cluster_are_not_sent_to_another_server() {
    let fake = Fake::prometheus(|_| nothing());
    let url = format!("--prometheus={}", fake.url());
    let words = [&*url, "--prometheus-header=X-Scope-OrgID: team-a"];
    fake.read(&words, NOON, NOON + 1000, "20s").unwrap();
    for asked in fake.seen() {
        assert!(!asked.headers.contains_key("authorization"), "{asked:?}");
        assert_eq!(asked.headers["x-scope-orgid"], "team-a");
    }
}

#[test]
fn headers_reach_a_service_besides_the_credentials_of_the_cluster() {
    let fake = Fake::prometheus(|_| nothing());
    let words = [SERVICE, "--prometheus-header=X-Scope-OrgID: team-a"];
    fake.read(&words, NOON, NOON + 1000, "20s").unwrap();
    for asked in fake.seen() {
        assert_eq!(
            asked.way,
            "/api/v1/namespaces/monitoring/services/http:prometheus:9090"
        );
        assert_eq!(asked.headers["authorization"], "Bearer secret-of-test");
        assert_eq!(asked.headers["x-scope-orgid"], "team-a");
    }
}

#[cfg(unix)]
#[test]
fn token_is_printed_once_and_again_when_it_is_refused() {
    let home = tempfile::TempDir::new().unwrap();
    let runs = home.path().join("runs");
    let fake = Fake::prometheus(|asked| {
        if asked.headers["authorization"] == "Bearer hunter2-1" {
            return Reply::new(401, "text/plain", "expired");
        }
        nothing()
    });
    let url = format!("--prometheus={}", fake.url());
    let command = format!(
        "--prometheus-token-command=echo >>{0}; echo hunter2-$(wc -l <{0} | tr -d ' ')",
        runs.display()
    );
    fake.read(&[&url, &command], NOON, NOON + 1000, "20s")
        .unwrap();
    assert_eq!(fs::read_to_string(&runs).unwrap().len(), 2);
    let seen = fake.seen();
    assert_eq!(
        seen.last().unwrap().headers["authorization"],
        "Bearer hunter2-2"
    );
}

#[cfg(unix)]
#[test]
fn no_error_has_a_secret() {
    let fake = Fake::prometheus(|_| Reply::new(401, "text/plain", "who are you?"));
    let url = format!("--prometheus={}", fake.url());
    for word in [
        "--prometheus-header=Authorization: Bearer hunter2",
        "--prometheus-token-command=echo hunter2",
        "--prometheus-token-command=echo hunter2; echo password=hunter2 >&2; false",
    ] {
        let error = fake
            .read(&[&url, word], NOON, NOON + 1000, "20s")
            .unwrap_err();
        let text = format!("{error} {error:?}").replace(word.split_once('=').unwrap().1, "");
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn certificate_of_a_url_is_checked_with_its_own_authority() {
    let url = tls::listen(|stream| tls::present("right.crt", stream));
    let url = format!("--prometheus={url}");
    let authority = format!(
        "--prometheus-certificate-authority={}",
        tls::file("authority.crt").display()
    );
    let fake = Fake::prometheus(|_| nothing());
    let error = |words: &[&str]| {
        let words: Vec<&str> = [&*url].into_iter().chain(words.iter().copied()).collect();
        let error = fake.read(&words, NOON, NOON + 1000, "20s").unwrap_err();
        error.to_string()
    };
    let unknown = error(&[]);
    assert!(
        unknown.contains("--prometheus-certificate-authority names the file of its authority"),
        "{unknown}"
    );
    // The server has no data, so it was reached.
    for words in [&*authority, "--prometheus-insecure-skip-tls-verify"] {
        let heard = error(&[words]);
        assert!(heard.contains("it answers 404"), "{heard}");
    }
    let missing = error(&["--prometheus-certificate-authority=nowhere.crt"]);
    assert!(missing.contains("nowhere.crt"), "{missing}");
    assert!(fake.seen().is_empty());
}
