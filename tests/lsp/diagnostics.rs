//! What an editor shows: ranges, severities, related locations, pages, and the configuration.

use serde_json::{Value, json};

use crate::client::{Client, DEPLOYMENT, HPA, Workspace, of_code, places};

#[test]
fn open_text_is_checked_with_the_other_files_of_the_workspace() {
    let workspace = Workspace::new(&[("hpa.yaml", "a: b\n"), ("app/deployment.yaml", DEPLOYMENT)]);
    let related = json!({"textDocument": {"publishDiagnostics": {"relatedInformation": true}}});
    let mut client = Client::open(&workspace, "--select HPA102,HPA406", &related);
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, HPA);
    let found = client.diagnostics(&uri, 1);
    assert_eq!(places(&found), ["HPA406 5:2-5:16", "HPA102 10:2-10:16"]);

    let writer = of_code(&found, "HPA406");
    assert_eq!(
        (&writer["severity"], &writer["source"]),
        (&json!(2), &json!("kubectl-hpa"))
    );
    let href = writer["codeDescription"]["href"].as_str().unwrap();
    assert!(
        href.ends_with("/docs/rules/HPA406-replicas-in-manifest.md"),
        "{href}"
    );
    let message = writer["message"].as_str().unwrap();
    assert!(
        message.starts_with("Deployment/web sets spec.replicas 2, "),
        "{message}"
    );
    assert!(
        message.contains("\nhelp: remove spec.replicas "),
        "{message}"
    );
    let other = &writer["relatedInformation"][0];
    assert_eq!(
        other["location"]["uri"],
        workspace.uri("app/deployment.yaml")
    );
    assert_eq!(
        other["location"]["range"]["start"],
        json!({"line": 5, "character": 2})
    );
    let bounds = of_code(&found, "HPA102");
    assert_eq!(bounds["severity"], 3);
    assert_eq!(bounds["relatedInformation"][0]["location"]["uri"], uri);

    // The unsaved text of the other file counts.
    let other = workspace.uri("app/deployment.yaml");
    client.did_open(&other, &DEPLOYMENT.replace("  replicas: 2\n", ""));
    assert_eq!(places(&client.diagnostics(&uri, 1)), ["HPA102 10:2-10:16"]);
    // The file counts again once the editor closes it.
    client.notify(
        "textDocument/didClose",
        &json!({"textDocument": {"uri": other}}),
    );
    assert_eq!(places(&client.diagnostics(&uri, 1)), places(&found));
    // A file changed on disk, as the client reports.
    workspace.write(
        "app/deployment.yaml",
        &DEPLOYMENT.replace("  replicas: 2\n", ""),
    );
    client.notify("workspace/didChangeWatchedFiles", &json!({"changes": []}));
    assert_eq!(places(&client.diagnostics(&uri, 1)), ["HPA102 10:2-10:16"]);
    client.close();
}

#[test]
fn columns_count_what_was_negotiated() {
    let text = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, \
                annotations: {a: \"ä😀\"}}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: \
                Deployment, name: web}, minReplicas: 3, maxReplicas: 3}}\n";
    let at = text.find("maxReplicas").unwrap();
    let workspace = Workspace::new(&[]);
    let uri = workspace.uri("hpa.yaml");
    for (offered, chosen, column) in [
        (json!(["utf-16", "utf-8"]), "utf-8", at),
        (
            json!(["utf-32"]),
            "utf-16",
            text[..at].encode_utf16().count(),
        ),
        (Value::Null, "utf-16", text[..at].encode_utf16().count()),
    ] {
        let mut client = Client::start(&workspace, "--select HPA102");
        let general = json!({"general": {"positionEncodings": offered}});
        let params = json!({"processId": null, "rootUri": null, "capabilities": general});
        let answer = client.request("initialize", &params);
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], chosen);
        client.notify("initialized", &json!({}));
        client.did_open(&uri, text);
        let found = client.diagnostics(&uri, 1);
        let start = &of_code(&found, "HPA102")["range"]["start"];
        assert_eq!(start, &json!({"line": 0, "character": column}), "{chosen}");
        client.close();
    }
}

#[test]
fn a_page_is_shown_at_its_finding_and_nowhere_else() {
    let workspace = Workspace::new(&[("hpa.yaml", HPA)]);
    let mut client = Client::open(&workspace, "--select HPA102", &json!({}));
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, HPA);
    let mut hover = |line: u32| {
        let position = json!({"line": line, "character": 5});
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        client.request("textDocument/hover", &params)["result"].clone()
    };
    let shown = hover(10);
    let page = workspace.run("rules HPA102 -o markdown").stdout;
    assert_eq!(shown["contents"]["kind"], "markdown");
    // In an editor, links need the full address.
    let page = String::from_utf8(page).unwrap();
    let docs = concat!("](", env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");
    let page = page.replace("](../", docs);
    assert_eq!(shown["contents"]["value"], page);
    assert_eq!(shown["range"]["start"], json!({"line": 10, "character": 2}));
    assert_eq!(hover(2), Value::Null);
    client.close();
}

#[test]
fn what_could_not_be_checked_is_a_hint_or_in_the_log() {
    let workspace = Workspace::new(&[("charts/web/Chart.yaml", "name: web\n")]);
    workspace.write(
        "charts/web/templates/hpa.yaml",
        "{{ if .Values.hpa }}\nkind: HorizontalPodAutoscaler\n{{ end }}\n",
    );
    let lone = HPA.replace("name: web\nspec", "name: web\n  namespace: shop\nspec");
    let mut client = Client::open(&workspace, "", &json!({}));
    let uri = workspace.uri("hpa.yaml");
    client.did_open(&uri, &lone);
    let found = client.diagnostics(&uri, 1);
    for hint in found.iter().filter(|one| one["code"] == "HPA013") {
        assert_eq!(hint["severity"], 4, "{hint}");
    }
    let logged = client.wait(|message| {
        message["method"] == "window/logMessage"
            && message["params"]["message"]
                .as_str()
                .unwrap()
                .contains("charts/web")
    });
    assert_eq!(logged["params"]["type"], 3, "{logged}");
    client.close();
}

#[test]
fn the_configuration_is_read_again_when_it_changes() {
    let workspace = Workspace::new(&[("deploy/hpa.yaml", HPA)]);
    let watched = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let mut client = Client::open(&workspace, "--select HPA102", &watched);
    let asked = client.wait(|message| message["method"] == "client/registerCapability");
    let watchers = &asked["params"]["registrations"][0]["registerOptions"]["watchers"];
    assert!(
        watchers.to_string().contains("**/.kubectl-hpa.yaml"),
        "{asked}"
    );
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": null}));

    let uri = workspace.uri("deploy/hpa.yaml");
    client.did_open(&uri, HPA);
    assert_eq!(places(&client.diagnostics(&uri, 1)), ["HPA102 10:2-10:16"]);
    let changed = |client: &mut Client, text: &str| {
        workspace.write(".kubectl-hpa.yaml", text);
        client.notify("workspace/didChangeWatchedFiles", &json!({"changes": []}));
    };
    changed(
        &mut client,
        "paths:\n  - files: [deploy/]\n    ignore: [HPA102]\n",
    );
    assert_eq!(client.diagnostics(&uri, 1), Vec::<Value>::new());
    changed(&mut client, "rules:\n  HPA102: {severity: error}\n");
    assert_eq!(
        of_code(&client.diagnostics(&uri, 1), "HPA102")["severity"],
        1
    );

    // A mistake in the configuration is shown there, and the findings stay.
    changed(&mut client, "rules:\n  HPA102: {severity: fatal}\n");
    let config = workspace.uri(".kubectl-hpa.yaml");
    let is_config = |message: &Value| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == config
    };
    let wrong = client.wait(is_config)["params"]["diagnostics"][0].clone();
    assert_eq!(
        (&wrong["severity"], &wrong["range"]["start"]["line"]),
        (&json!(1), &json!(1))
    );
    client.did_change(&uri, 2, &format!("{HPA}\n"));
    assert_eq!(
        of_code(&client.diagnostics(&uri, 2), "HPA102")["severity"],
        1
    );
    changed(&mut client, "rules: {}\n");
    assert_eq!(client.wait(is_config)["params"]["diagnostics"], json!([]));
    assert_eq!(
        of_code(&client.diagnostics(&uri, 2), "HPA102")["severity"],
        3
    );
    client.close();
}

#[test]
fn documents_without_a_file_or_a_workspace_are_checked() {
    let workspace = Workspace::new(&[("a/deployment.yaml", DEPLOYMENT), ("b/x.yaml", "a: b\n")]);
    let mut client = Client::open(&workspace, "--select HPA102,HPA406", &json!({}));
    client.did_open("untitled:Untitled-1", HPA);
    let found = client.diagnostics("untitled:Untitled-1", 1);
    assert_eq!(places(&found), ["HPA406 5:2-5:16", "HPA102 10:2-10:16"]);
    client.close();

    // Without a folder from the client, the file's folder is used.
    let mut client = Client::start(&workspace, "--select HPA102,HPA406");
    client.request(
        "initialize",
        &json!({"processId": null, "rootUri": null, "capabilities": {}}),
    );
    client.notify("initialized", &json!({}));
    for (name, expected) in [("a/new.yaml", "HPA406"), ("b/new.yaml", "HPA013")] {
        let uri = workspace.uri(name);
        client.did_open(
            &uri,
            &HPA.replace("name: web\nspec", &format!("name: {}\nspec", &name[..1])),
        );
        let found = client.diagnostics(&uri, 1);
        assert_eq!(found.len(), 2, "{name}: {found:#?}");
        of_code(&found, expected);
        client.notify(
            "textDocument/didClose",
            &json!({"textDocument": {"uri": uri}}),
        );
    }
    client.close();
}
