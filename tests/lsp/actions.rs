//! Code actions for a finding.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Client, DEPLOYMENT, HPA, Workspace, places};

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

/// A text after the edits of one document, whose positions are ASCII.
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
fn all_fixes_of_a_document_are_what_fix_writes_whatever_other_files_have() {
    // Fixes of one object take several rounds, some need the Deployment of the other file, and line ends are kept.
    let text = format!(
        "# Größe: 😀\r\n{}---\n{}",
        HPA.replace("  minReplicas: 3\n", "")
            .replace(
                "    kind: Deployment\n",
                "    kind: deployment # of the shop\n"
            )
            .replace('\n', "\r\n"),
        "{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: api}, spec: {scaleTargetRef: \
         {apiVersion: apps/v1, kind: Deployment, name: api}, maxReplicas: 3, targetCPUUtilizationPercentage: 60}}\n"
    );
    let other = HPA
        .replace("  minReplicas: 3\n", "")
        .replace("name: web\nspec", "name: queue\nspec");
    let files = [
        ("shop/hpa.yaml", text.as_str()),
        ("shop/other.yaml", &other),
        ("deployment.yaml", DEPLOYMENT),
    ];
    let workspace = Workspace::new(&files);
    let flags = "--select min-unset,v1-api,target-kind-spelling";
    let versions = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    let mut client = Client::open(&workspace, flags, &versions);
    let uri = workspace.uri("shop/hpa.yaml");
    client.did_open(&uri, &text);
    for only in ["source", "source.fixAll", "source.fixAll.kubectl-hpa", ""] {
        let found = actions(&mut client, &uri, 1, &json!(["refactor", only]));
        let kinds: Vec<&Value> = found.iter().map(|one| &one["kind"]).collect();
        assert_eq!(kinds, ["source.fixAll.kubectl-hpa"], "{only}: {found:#?}");
    }
    for other in [
        "source.fixAll.kubectl",
        "source.organizeImports",
        "quickfix",
    ] {
        assert_eq!(
            actions(&mut client, &uri, 1, &json!([other])),
            [] as [Value; 0]
        );
    }
    // Only at a finding, and not in the menu at the cursor.
    let at_finding = actions(&mut client, &uri, 9, &Value::Null);
    assert!(
        at_finding.iter().all(|one| one["kind"] == "quickfix"),
        "{at_finding:#?}"
    );

    let found = actions(&mut client, &uri, 0, &json!(["source.fixAll"]));
    assert_eq!(found[0]["title"], "kubectl-hpa: fix 4 findings");
    let changes = found[0]["edit"]["documentChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{changes:#?}");
    assert_eq!(
        changes[0]["textDocument"],
        json!({"uri": uri, "version": 1})
    );
    let fixed = applied(&text, &changes[0]["edits"]);
    workspace.run(&format!("lint -R -f . --fix {flags}"));
    let written = fs::read_to_string(workspace.path("shop/hpa.yaml")).unwrap();
    assert_eq!(fixed, written);
    let written = fs::read_to_string(workspace.path("shop/other.yaml")).unwrap();
    assert_ne!(written, other);

    client.did_change(&uri, 2, &fixed);
    assert_eq!(
        actions(&mut client, &uri, 0, &json!(["source.fixAll"])),
        [] as [Value; 0]
    );
    client.did_change(&uri, 3, &format!("{text}---\nkind: [\n"));
    assert_eq!(
        actions(&mut client, &uri, 0, &json!(["source.fixAll"])),
        [] as [Value; 0]
    );
    client.close();
}

#[test]
fn what_cannot_be_fixed_is_in_the_log_with_its_reason() {
    // kubectl's YAML 1.1 ends the comment at U+2028.
    let text = HPA
        .replace("  minReplicas: 3\n", "")
        .replace("  metrics:", "  # jobs\u{2028}  of web\n  metrics:");
    let workspace = Workspace::new(&[("hpa.yaml", &text)]);
    let mut client = Client::open(&workspace, "--select min-unset", &json!({}));
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, &text);
    assert_eq!(
        actions(&mut client, &uri, 0, &json!(["source.fixAll"])),
        [] as [Value; 0]
    );
    let logged = client.wait(|message| message["method"] == "window/logMessage");
    let (kind, message) = (&logged["params"]["type"], &logged["params"]["message"]);
    assert_eq!(kind, 2, "{logged}");
    assert!(
        message.as_str().unwrap().starts_with("HPA103 of "),
        "{logged}"
    );
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
fn where_nothing_is_found_or_something_else_is_requested_there_is_nothing_to_do() {
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
    // JSON has no comments, so no action offers one.
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

/// Each of them is related to five others, and they are checked together however they arrive.
#[test]
fn many_documents_and_many_hpas_of_one_target_are_answered() {
    let workspace = Workspace::new(&[]);
    let mut client = Client::open(&workspace, "", &json!({}));
    let named = |number: usize| HPA.replacen("name: web", &format!("name: w{number}"), 1);
    for number in 0..200 {
        client.did_open(&workspace.uri(&format!("n{number}.yaml")), &named(number));
    }
    let all: Vec<String> = (0..600).map(named).collect();
    let uri = workspace.uri("all.yaml");
    client.did_open(&uri, &all.join("---\n"));
    let found = client.request(
        "textDocument/codeAction",
        &json!({
            "textDocument": {"uri": uri},
            "range": {
                "start": {"line": 0, "character": 0},
                "end": {"line": 9, "character": 9},
            },
            "context": {"diagnostics": [], "only": ["quickfix"]},
        }),
    );
    assert!(found["result"].is_array(), "{found}");
    let found = client.diagnostics(&uri, 1);
    let duplicates = found.iter().filter(|one| one["code"] == "HPA410");
    assert_eq!(duplicates.count(), 600);
    client.close();
}
