//! Names as users type them, through the real kubectl.

use std::process::Command;

use crate::{
    cluster::{cluster, succeed},
    manifest::{deployment, hpa},
    namespace::{Namespace, namespace},
};

#[test]
fn hpas_are_named_by_namespace_kind_target_and_pattern() {
    let namespace = storefront("names");
    for words in [
        &["hpa", "names/web"][..],
        &["hpa", "explain", "names/hpa/web"],
        &["hpa", "explain", "names/deploy/front"],
        &[
            "hpa",
            "explain",
            "names/horizontalpodautoscalers.autoscaling/web",
        ],
        &["hpa", "explain", "names/we?"],
        &["hpa", "explain", "hpa", "names/web"],
    ] {
        let report = succeed(&mut everywhere(words));
        assert!(report.starts_with("names/web → "), "{words:?}: {report}");
    }
    let report = succeed(&mut namespace.kubectl(["hpa", "explain", "deploy", "front"]));
    assert!(report.starts_with("names/web → "), "{report}");
    let listed = succeed(&mut everywhere(&["hpa", "list", "names/*b*", "-o", "name"]));
    assert_eq!(
        listed,
        "horizontalpodautoscaler.autoscaling/batch\nhorizontalpodautoscaler.autoscaling/web\n"
    );
    let captured = succeed(&mut everywhere(&["hpa", "capture", "names/deploy/front"]));
    assert!(captured.contains("names/web"), "{captured}");
    assert_eq!(
        refused(&mut everywhere(&["hpa", "watch", "names/wbe"])),
        "error: HPA \"wbe\" not found in namespace names. Did you mean web?\n"
    );
    assert_eq!(
        refused(&mut namespace.kubectl(["hpa", "explain", "shop/web"])),
        "error: \"shop/web\" is in namespace shop, but -n says names: use only one of them\n"
    );
}

#[test]
fn empty_namespace_says_where_hpas_are_to_those_who_can_list_them() {
    let (_others, empty) = (storefront("names-others"), namespace("names-empty"));
    let message = refused(&mut empty.kubectl(["hpa", "explain"]));
    assert!(
        message.starts_with("error: no HPAs in namespace names-empty. "),
        "{message}"
    );
    assert!(message.ends_with(": use -n NAME or -A\n"), "{message}");
    let rules = serde_json::json!([
        {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["list"]},
    ]);
    empty.explain_as_reader(&rules);
    let mut command = empty.kubectl(["hpa", "explain"]);
    command.env("KUBECONFIG", empty.reader().unwrap());
    assert_eq!(
        refused(&mut command),
        "error: no HPAs in namespace names-empty\n"
    );
}

/// A namespace with the HPAs `web`, of the Deployment `front`, and `batch`.
fn storefront(name: &'static str) -> Namespace {
    let namespace = namespace(name);
    namespace.apply([
        deployment("front", 2).pods("cpu", "60m").object(),
        hpa("web")
            .target("apps/v1", "Deployment", "front")
            .cpu(60)
            .object(),
        deployment("batch", 2).pods("cpu", "60m").object(),
        hpa("batch").cpu(60).object(),
    ]);
    namespace
}

/// kubectl without a namespace of its own.
fn everywhere(words: &[&str]) -> Command {
    let mut command = cluster().kubectl([]);
    command.args(words);
    command
}

/// What a command says that must fail.
fn refused(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}
