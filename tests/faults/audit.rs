//! Checks the requests to a fake server: only reads, and only those that `deploy/rbac.yaml` grants.

use std::{collections::BTreeSet, sync::LazyLock};

use serde_json::Value;

/// Fails if any request (method, path and query) exceeds the reads that the manifest grants. Called at the end of a
/// server's life.
#[track_caller]
pub(crate) fn check<'a>(requests: impl Iterator<Item = (&'a str, &'a str)>) {
    if std::thread::panicking() {
        return; // the test fails already, and says why
    }
    let wrong: BTreeSet<String> = requests
        .filter_map(|(method, path)| problem(method, path))
        .collect();
    assert!(wrong.is_empty(), "requests that must not be: {wrong:#?}");
}

/// What is wrong with a request, if anything.
fn problem(method: &str, path: &str) -> Option<String> {
    if method != "GET" {
        return Some(format!("{method} {path}"));
    }
    let proposal = Requested::of(path)?;
    let is_granted = GRANTED.iter().any(|rule| rule.grants(&proposal));
    (!is_granted).then(|| format!("{proposal:?}: {path}"))
}

/// The resource of a request.
#[derive(Debug)]
struct Requested {
    verb: &'static str,
    group: String,
    /// With its subresource.
    resource: String,
    name: String,
}

impl Requested {
    /// `None` for the version and for discovery, which are allowed to everyone.
    fn of(path: &str) -> Option<Self> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
        let (group, rest) = match segments.as_slice() {
            ["version" | "apis"] | ["api" | "apis", _] | ["apis", _, _] => return None,
            ["api", _, rest @ ..] => ("", rest),
            ["apis", group, _, rest @ ..] => (*group, rest),
            other => panic!("what is {other:?}?"),
        };
        let rest = match rest {
            ["namespaces", _, rest @ ..] if !rest.is_empty() => rest,
            rest => rest,
        };
        let (resource, name) = match rest {
            [resource] => ((*resource).to_owned(), ""),
            [resource, name] => ((*resource).to_owned(), *name),
            [resource, name, below @ ..] => (format!("{resource}/{}", below.join("/")), *name),
            [] => panic!("what is {path}?"),
        };
        let verb = match name {
            "" if query
                .split('&')
                .any(|part| part == "watch=true" || part == "watch=1") =>
            {
                "watch"
            }
            "" => "list",
            _ => "get",
        };
        Some(Self {
            verb,
            group: group.to_owned(),
            resource,
            name: name.to_owned(),
        })
    }
}

/// An RBAC rule.
struct Rule {
    groups: Vec<String>,
    resources: Vec<String>,
    verbs: Vec<String>,
    names: Vec<String>,
}

impl Rule {
    fn grants(&self, proposal: &Requested) -> bool {
        let subresource = proposal
            .resource
            .split_once('/')
            .map(|(_, below)| format!("*/{below}"));
        let has = |of: &[String], what: &str| of.iter().any(|one| one == what || one == "*");
        has(&self.groups, &proposal.group)
            && (has(&self.resources, &proposal.resource)
                || subresource.is_some_and(|below| self.resources.contains(&below)))
            && self.verbs.iter().any(|verb| verb == proposal.verb)
            && (self.names.is_empty() || self.names.contains(&proposal.name))
    }
}

static GRANTED: LazyLock<Vec<Rule>> = LazyLock::new(granted);

/// The rules of the manifest, and what it leaves to the user who binds it.
fn granted() -> Vec<Rule> {
    let roles: Vec<Value> = include_str!("../../deploy/rbac.yaml")
        .split("\n---\n")
        .map(|role| serde_saphyr::from_str(role).unwrap())
        .collect();
    let mut rules: Vec<Rule> = roles
        .iter()
        .flat_map(|role| role["rules"].as_array().unwrap())
        .map(|rule| Rule {
            groups: texts(&rule["apiGroups"]),
            resources: texts(&rule["resources"]),
            verbs: texts(&rule["verbs"]),
            names: texts(&rule["resourceNames"]),
        })
        .collect();
    assert!(20 < rules.len(), "{} rules", rules.len());
    let mut more = |group: &str, resource: &str, verbs: &[&str]| {
        rules.push(Rule {
            groups: vec![group.to_owned()],
            resources: vec![resource.to_owned()],
            verbs: verbs.iter().map(|&verb| verb.to_owned()).collect(),
            names: Vec::new(),
        });
    };
    // Names for completion; without the permission there are none.
    more("", "namespaces", &["list"]);
    // Kinds that only tests use as targets.
    more("example.com", "*", &["get", "list", "watch"]);
    rules
}

fn texts(list: &Value) -> Vec<String> {
    let texts = list.as_array().into_iter().flatten();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn anything_but_a_granted_read_is_noticed() {
    for (method, path) in [
        ("POST", "/api/v1/namespaces/shop/pods"),
        ("DELETE", "/api/v1/namespaces/shop/pods/web-a"),
        (
            "PATCH",
            "/apis/apps/v1/namespaces/shop/deployments/web/scale",
        ),
        ("GET", "/api/v1/namespaces/shop/secrets"),
        ("GET", "/api/v1/namespaces/shop/configmaps/settings"),
        ("GET", "/api/v1/namespaces/shop/pods/web-a/log"),
        ("GET", "/api/v1/namespaces/shop/pods/web-a/exec"),
        (
            "GET",
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/other",
        ),
    ] {
        assert!(problem(method, path).is_some(), "{method} {path}");
    }
    for path in [
        "/version",
        "/apis",
        "/api/v1",
        "/apis/example.com",
        "/apis/custom.metrics.k8s.io/v1beta1",
        "/api/v1/namespaces/shop/pods?limit=500",
        "/api/v1/pods?watch=true",
        "/apis/apps/v1/namespaces/shop/deployments/web/scale",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/shop/pods/*/requests",
    ] {
        assert_eq!(problem("GET", path), None, "{path}");
    }
}
