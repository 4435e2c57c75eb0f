//! Sessions whose client has sent everything beforehand.

use clap::{Args as _, FromArgMatches as _};
use serde_json::json;

use crate::lsp::session::*;

/// The messages that the server sends to a client that sends these, and ends.
fn session(messages: Vec<Message>) -> Vec<Value> {
    let command = LintArgs::augment_args(clap::Command::new("lint"));
    let matches = command.get_matches_from(["lint", "--lsp"]);
    let args = LintArgs::from_arg_matches(&matches).unwrap();
    let (server, client) = Connection::memory();
    let end = [
        request(0, "shutdown", Value::Null),
        note("exit", Value::Null),
    ];
    for message in messages.into_iter().chain(end) {
        client.sender.send(message).unwrap();
    }
    let params = InitializeParams::default();
    let session = Session::new(&args, &server, Client::of(&params), &params);
    assert!(matches!(session.serve(), Ok(Ended::AfterShutdown)));
    let sent = client.receiver.try_iter();
    sent.map(|sent| serde_json::to_value(sent).unwrap())
        .collect()
}

fn request(id: i32, method: &str, params: Value) -> Message {
    let method = method.to_owned();
    let id = id.into();
    Request { id, method, params }.into()
}

fn note(method: &str, params: Value) -> Message {
    let method = method.to_owned();
    Notification { method, params }.into()
}

#[test]
fn a_request_that_is_canceled_before_its_turn_gets_the_error_of_the_protocol() {
    let answers = session(vec![
        request(1, "textDocument/hover", Value::Null),
        note("$/cancelRequest", json!({"id": 2})),
        note("$/cancelRequest", json!({"id": 1})),
    ]);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(
        (&answers[0]["id"], &answers[0]["error"]["code"]),
        (&json!(1), &json!(-32800))
    );
    assert_eq!(
        (&answers[1]["id"], &answers[1]["result"]),
        (&json!(0), &Value::Null)
    );
}

#[test]
fn requests_of_a_burst_are_answered_after_one_run_on_the_newest_texts() {
    let mut messages = Vec::new();
    let hover = |id: i32, uri: &str| {
        let at = json!({"line": 6, "character": 3});
        let params = json!({"textDocument": {"uri": uri}, "position": at});
        request(id, "textDocument/hover", params)
    };
    for number in 1..=30 {
        let uri = format!("untitled:{number}");
        let item = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": HPA});
        messages.push(note("textDocument/didOpen", json!({"textDocument": item})));
        messages.push(hover(number, &uri));
    }
    let uri = "untitled:30";
    for version in [2, 3] {
        let change = json!({
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": HPA}],
        });
        messages.push(note("textDocument/didChange", change));
        messages.push(hover(29 + version, uri));
    }
    let sent = session(messages);
    let answer = |id: i32| sent.iter().find(|one| one["id"] == id).unwrap();
    let published = |sent: &[Value]| -> Vec<Value> {
        let sent = sent.iter();
        let published = sent.filter(|one| one["method"] == "textDocument/publishDiagnostics");
        published
            .map(|one| one["params"]["version"].clone())
            .collect()
    };
    // Everything that was opened is checked before the first answer.
    let first = sent.iter().position(|one| one.get("id").is_some()).unwrap();
    assert_eq!(published(&sent[..first]), [1; 30]);
    for id in (1..=30).chain([32]) {
        let contents = &answer(id)["result"]["contents"]["value"];
        assert!(contents.as_str().unwrap().contains("HPA102"), "{contents}");
    }
    // The text that it is about has changed before its turn.
    assert_eq!(answer(31)["error"]["code"], -32801);
    assert_eq!(published(&sent[first..]), [3]);
}

const HPA: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 3
  maxReplicas: 3
";
