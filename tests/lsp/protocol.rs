//! The protocol's rules for requests and for the end of the server.

use serde_json::{Value, json};

use crate::client::{Client, Workspace};

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap()
}

#[test]
fn requests_that_cannot_be_answered_get_the_error_of_the_protocol() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::start(&workspace, "--stdio");
    assert_eq!(
        code(&client.request("textDocument/hover", &json!({}))),
        -32002
    );
    let answer = client.request(
        "initialize",
        &json!({"processId": null, "rootUri": null, "capabilities": {}}),
    );
    assert_eq!(
        answer["result"]["capabilities"]["codeActionProvider"]["codeActionKinds"],
        json!(["quickfix", "source.fixAll.kubectl-hpa"])
    );
    client.notify("initialized", &json!({}));
    let unknown = client.request("textDocument/rename", &json!({}));
    assert_eq!(code(&unknown), -32601);
    assert_eq!(
        unknown["error"]["message"],
        "textDocument/rename is not supported"
    );
    assert_eq!(
        code(&client.request("textDocument/hover", &json!({"position": 1}))),
        -32602
    );
    assert_eq!(code(&client.request("initialize", &json!({}))), -32600);
    // Neither an unknown notification nor an unreadable one ends the server.
    client.notify("$/setTrace", &json!({"value": "off"}));
    client.notify("textDocument/didOpen", &json!({"textDocument": 1}));
    client.notify(
        "textDocument/didClose",
        &json!({"textDocument": {"uri": "file:///none"}}),
    );
    assert_eq!(
        client.request("shutdown", &Value::Null)["result"],
        Value::Null
    );
    assert_eq!(
        code(&client.request("textDocument/hover", &json!({}))),
        -32600
    );
    client.notify("exit", &Value::Null);
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn an_end_without_a_farewell_is_an_error() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::open(&workspace, "", &json!({}));
    client.notify("exit", &Value::Null);
    assert_eq!(client.end(), (Some(1), String::new()));

    let client = Client::open(&workspace, "", &json!({}));
    let (code, said) = client.end();
    assert_eq!(code, Some(2));
    assert!(
        said.contains("closed the connection without `shutdown`"),
        "{said}"
    );

    let mut client = Client::open(&workspace, "", &json!({}));
    client.send_raw("Content-Length: 3\r\n\r\n{,}");
    let (code, said) = client.end();
    assert_eq!(code, Some(2));
    assert!(said.contains("the client sent what is not LSP"), "{said}");

    let (code, said) = Client::start(&workspace, "").end();
    assert_eq!(code, Some(2));
    assert!(
        said.contains("--lsp: no language client started a session"),
        "{said}"
    );
}

#[test]
fn flags_that_an_editor_decides_are_refused() {
    let workspace = Workspace::new(&[]);
    for flags in [
        "-f hpa.yaml",
        "-o json",
        "--fix",
        "-n shop",
        "web",
        "--contexts a",
    ] {
        let output = workspace.run(&format!("lint --lsp {flags}"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("'--lsp' cannot be used with"), "{said}");
    }
}

#[test]
fn message_without_measure_is_refused_with_its_length() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::open(&workspace, "", &json!({}));
    client.send_raw("Content-Length: 1099511627776\r\n\r\n");
    let (code, said) = client.end();
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("Content-Length 1099511627776 is more than 64 MiB"),
        "{said}"
    );
}
