//! The permissions that `history` needs: those of `deploy/rbac.yaml`, which list Services, and the one rule of its page.

use std::process::Output;

use serde_json::{Value, json};

use super::{
    compared::assert_reports,
    monitoring::{PROMETHEUS, VICTORIA},
    run,
    run::{Run, json_of, text},
};
use crate::{cluster::eventually, limited_users::user, permissions::roles};

#[test]
fn each_rule_that_history_needs_is_named_where_it_is_missing() {
    let Some(run) = run() else {
        return;
    };
    let [role, _] = &roles(include_str!("../../../deploy/rbac.yaml"))[..] else {
        panic!("a role for the cluster and one for kube-system")
    };
    let proxy = rule_of_page();
    let list = json!({"apiGroups": [""], "resources": ["services"], "verbs": ["list"]});
    let mut manifest = role["rules"].as_array().unwrap().clone();
    for rule in &mut manifest {
        let resources = rule["resources"].as_array_mut().unwrap();
        resources.retain(|resource| *resource != "services");
    }
    let with = |rules: &[&Value]| {
        let mut all = manifest.clone();
        all.extend(rules.iter().map(|rule| (*rule).clone()));
        json!(all)
    };
    let users = [
        user("of-manifest", &with(&[])),
        user("who-lists", &with(&[&list])),
        user("who-knows", &with(&[&proxy])),
        user("of-page", &with(&[&list, &proxy])),
    ];
    run.cluster.apply(users.as_flattened());
    eventually("the API server knows the roles", || {
        let ask = [
            "auth",
            "can-i",
            "get",
            "services",
            "--subresource=proxy",
            "--as=of-page",
        ];
        run.cluster
            .kubectl(ask)
            .output()
            .unwrap()
            .status
            .success()
            .then_some(())
    });

    let [list, proxy] = [
        "services\"], verbs: [\"list",
        "services/proxy\"], verbs: [\"get",
    ]
    .map(|right| format!(r#"{{apiGroups: [""], resources: ["{right}"]}}"#));
    for (name, way, missing) in [
        ("of-manifest", "auto", &list),
        ("of-manifest", PROMETHEUS, &proxy),
        ("who-lists", "auto", &proxy),
        ("who-knows", "auto", &list),
    ] {
        let output = ask(run, name, way);
        assert_eq!(
            output.status.code(),
            Some(2),
            "{name}, {way}: {}",
            text(&output)
        );
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(missing.as_str()), "{name}, {way}: {error}");
    }
    for (name, way) in [
        ("who-knows", VICTORIA),
        ("of-page", "auto"),
        ("of-page", PROMETHEUS),
    ] {
        let output = ask(run, name, way);
        assert_reports(run, &json_of(&output), &run.truth("web"));
    }
}

/// Reads the past as somebody.
fn ask(run: &Run, user: &str, way: &str) -> Output {
    let (from, to) = (run.from.to_string(), run.to.to_string());
    run.ask(&[
        "history",
        "web",
        "-n",
        "shop",
        "--from",
        &from,
        "--to",
        &to,
        "-o",
        "json",
        "--prometheus",
        way,
        "--as",
        user,
        "--as-group",
        "system:authenticated",
    ])
}

/// The rule that `docs/history.md` has: to send requests to Services.
fn rule_of_page() -> Value {
    let page = include_str!("../../../docs/history.md");
    let (_, rest) = page.split_once("```yaml\napiVersion: rbac").unwrap();
    let (role, _) = rest.split_once("```").unwrap();
    let role = roles(&format!("apiVersion: rbac{role}")).remove(0);
    let [rule] = serde_json::from_value(role["rules"].clone()).unwrap();
    rule
}
