//! What an editor can do about a finding.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Client, HPA, Workspace, places};

/// The actions at a line.
fn actions(client: &mut Client, uri: &str, line: u32, only: &Value) -> Vec<Value> {
    let position = json!({"line": line, "character": 4});
    let mut context = json!({"diagnostics": []});
    if !only.is_null() {
        context["only"] = only.clone();
    }
    let params = json!({
        "textDocument": {"uri": uri},
        "range": {"start": position, "end": position},
        "context": context,
    });
    let answer = client.request("textDocument/codeAction", &params);
    answer["result"].as_array().unwrap().clone()
}

/// A text with edits of one document, whose places are in ASCII.
fn applied(text: &str, edits: &Value) -> String {
    let count = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let at = |position: &Value| {
        let lines = text.split_inclusive('\n').take(count(&position["line"]));
        lines.map(str::len).sum::<usize>() + count(&position["character"])
    };
    let mut edits: Vec<&Value> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(at(&edit["range"]["start"])));
    let mut changed = text.to_owned();
    for edit in edits {
        let range = at(&edit["range"]["start"])..at(&edit["range"]["end"]);
        changed.replace_range(range, edit["newText"].as_str().unwrap());
    }
    changed
}

#[test]
fn a_fix_is_what_fix_writes() {
    let text = HPA.replace("  minReplicas: 3\n", "");
    let workspace = Workspace::new(&[("hpa.yaml", &text)]);
    let versions = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut client = Client::open(&workspace, "--select min-unset", &versions);
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, &text);
    let found = client.diagnostics(&uri, 1);
    assert_eq!(found.len(), 1, "{found:#?}");
    let line = found[0]["range"]["start"]["line"].as_u64().unwrap();
    let found = actions(
        &mut client,
        &uri,
        u32::try_from(line).unwrap(),
        &Value::Null,
    );
    let fix = &found[0];
    assert_eq!(
        (&fix["kind"], &fix["isPreferred"]),
        (&json!("quickfix"), &json!(true))
    );
    assert_eq!(fix["diagnostics"][0]["code"], "HPA103");
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": uri, "version": 1}));
    let fixed = applied(&text, &change["edits"]);
    workspace.run("lint -f hpa.yaml --select min-unset --fix");
    assert_eq!(
        fixed,
        fs::read_to_string(workspace.path("hpa.yaml")).unwrap()
    );
    assert_ne!(fixed, text);
    client.close();
}

#[test]
fn a_comment_accepts_the_finding() {
    let workspace = Workspace::new(&[("hpa.yaml", HPA)]);
    let mut client = Client::open(&workspace, "--select HPA102", &json!({}));
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, HPA);
    let found = actions(&mut client, &uri, 10, &json!(["quickfix"]));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(
        found[0]["title"],
        "HPA102: ignore min-equals-max here, by a comment"
    );
    let text = applied(HPA, &found[0]["edit"]["changes"][&uri]);
    assert_eq!(
        text,
        HPA.replace(
            "maxReplicas: 3",
            "maxReplicas: 3 # kubectl-hpa: ignore HPA102"
        )
    );
    client.did_change(&uri, 2, &text);
    assert_eq!(client.diagnostics(&uri, 2), Vec::<Value>::new());
    client.close();
}

#[test]
fn where_nothing_is_found_or_something_else_is_asked_for_there_is_nothing_to_do() {
    let workspace = Workspace::new(&[("hpa.yaml", HPA)]);
    let mut client = Client::open(&workspace, "--select HPA102", &json!({}));
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, HPA);
    assert_eq!(
        actions(&mut client, &uri, 1, &Value::Null),
        Vec::<Value>::new()
    );
    assert_eq!(
        actions(&mut client, &uri, 10, &json!(["refactor"])),
        Vec::<Value>::new()
    );
    let unknown = workspace.uri("other.yaml");
    assert_eq!(
        actions(&mut client, &unknown, 10, &Value::Null),
        Vec::<Value>::new()
    );
    // JSON has no comments, and no action asks for one.
    let text = "{\"apiVersion\": \"autoscaling/v2\", \"kind\": \"HorizontalPodAutoscaler\", \"metadata\": \
                {\"name\": \"web\"}, \"spec\": {\"minReplicas\": 3, \"maxReplicas\": 3, \"scaleTargetRef\": \
                {\"apiVersion\": \"apps/v1\", \"kind\": \"Deployment\", \"name\": \"web\"}}}\n";
    let json = workspace.uri("hpa.json");
    client.did_open(&json, text);
    let found = client.diagnostics(&json, 1);
    assert_eq!(places(&found).len(), 1, "{found:#?}");
    let start = &found[0]["range"]["start"];
    let params = json!({
        "textDocument": {"uri": json},
        "range": {"start": start, "end": start},
        "context": {"diagnostics": []},
    });
    let answer = client.request("textDocument/codeAction", &params);
    assert_eq!(answer["result"], json!([]));
    client.close();
}
