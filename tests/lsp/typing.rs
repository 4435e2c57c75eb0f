//! Half-typed text.

use serde_json::json;

use crate::client::{Client, DEPLOYMENT, HPA, Workspace, of_code, places};

#[test]
fn what_is_before_and_after_a_mistake_stays_found() {
    let second = HPA.replace("name: web\nspec", "name: api\nspec");
    let third = HPA.replace("name: web\nspec", "name: queue\nspec");
    let text = format!("{HPA}---\n{second}---\n{third}");
    let workspace = Workspace::new(&[("hpas.yaml", &text)]);
    let mut client = Client::open(&workspace, "--select HPA102", &json!({}));
    let uri = workspace.uri("hpas.yaml");
    client.did_open(&uri, &text);
    let whole = places(&client.diagnostics(&uri, 1));
    assert_eq!(
        whole,
        [
            "HPA102 10:2-10:16",
            "HPA102 27:2-27:16",
            "HPA102 44:2-44:16"
        ]
    );

    // One more line within the second HPA, not yet YAML.
    let at = json!({"line": 22, "character": 0});
    client.notify(
        "textDocument/didChange",
        &json!({
            "textDocument": {"uri": uri, "version": 2},
            "contentChanges": [{"range": {"start": at, "end": at}, "text": "  behavior: {scaleDown\n"}],
        }),
    );
    let found = client.diagnostics(&uri, 2);
    let mistake = of_code(&found, "HPA012");
    assert_eq!(mistake["severity"], 1);
    let mut left = places(&found);
    left.retain(|place| place.starts_with("HPA102"));
    assert_eq!(
        left,
        [
            "HPA102 10:2-10:16",
            "HPA102 28:2-28:16",
            "HPA102 45:2-45:16"
        ]
    );

    client.did_change(&uri, 3, &text);
    assert_eq!(places(&client.diagnostics(&uri, 3)), whole);
    client.close();
}

#[test]
fn what_refers_to_a_half_typed_document_is_not_accused() {
    let workspace = Workspace::new(&[("hpa.yaml", HPA), ("deployment.yaml", DEPLOYMENT)]);
    let mut client = Client::open(&workspace, "--select HPA102,HPA406", &json!({}));
    let (hpa, deployment) = (workspace.uri("hpa.yaml"), workspace.uri("deployment.yaml"));
    client.did_open(&hpa, HPA);
    client.did_open(&deployment, DEPLOYMENT);
    let whole = places(&client.diagnostics(&hpa, 1));
    assert_eq!(whole, ["HPA406 5:2-5:16", "HPA102 10:2-10:16"]);
    client.did_change(
        &deployment,
        2,
        &DEPLOYMENT.replace("containers:", "containers: ["),
    );
    client.diagnostics(&deployment, 2);
    // The same text as another version, so that the server sends its diagnostics again.
    client.did_change(&hpa, 2, HPA);
    assert_eq!(places(&client.diagnostics(&hpa, 2)), whole);
    client.close();
}

#[test]
fn every_beginning_of_a_manifest_is_answered() {
    let workspace = Workspace::new(&[("deployment.yaml", DEPLOYMENT)]);
    let mut client = Client::open(&workspace, "", &json!({}));
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, "");
    let typed: Vec<usize> = (0..HPA.len()).step_by(7).collect();
    for (version, length) in (2..).zip(typed) {
        client.did_change(&uri, version, &HPA[..length]);
        let position = json!({"line": 3, "character": 1});
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        // An answer is about the current text.
        let answer = client.request("textDocument/hover", &params);
        assert!(answer.get("error").is_none(), "{answer}");
        client.diagnostics(&uri, version);
    }
    client.close();
}

#[test]
fn documents_that_are_opened_together_have_the_diagnostics_of_each_alone() {
    // The folder of the documents is not one of the workspace.
    let workspace = Workspace::new(&[("app/deployment.yaml", DEPLOYMENT)]);
    let elsewhere = Workspace::new(&[("hpa.yaml", HPA)]);
    let mut client = Client::open(&workspace, "--select HPA102", &json!({}));
    let uris: Vec<String> = (0..200)
        .map(|number| elsewhere.uri(&format!("{number}.yaml")))
        .collect();
    for (number, uri) in uris.iter().enumerate() {
        client.did_open(
            uri,
            &HPA.replace("name: web\nspec", &format!("name: web-{number}\nspec")),
        );
        client.send(&json!({
            "jsonrpc": "2.0", "id": format!("about {number}"), "method": "textDocument/hover",
            "params": {"textDocument": {"uri": uri}, "position": {"line": 10, "character": 3}},
        }));
    }
    for (number, uri) in uris.iter().enumerate() {
        let answer = client.wait(|message| message["id"] == format!("about {number}"));
        let page = answer["result"]["contents"]["value"].as_str();
        assert!(page.is_some_and(|page| page.contains("HPA102")), "{answer}");
        assert_eq!(places(&client.diagnostics(uri, 1)), ["HPA102 10:2-10:16"]);
    }
    client.close();
}
