//! Finding a server, and what kind of server is found.

use hpa_prometheus::{Kind, RequiredSeries, Selector};
use serde_json::{Value, json};

use super::fake::{Asked, Fake, NOON, Reply, SERVICE, timestamp};

/// A Service with labels.
fn service(name: &str, labels: Value) -> Value {
    json!({
        "metadata": {"namespace": "monitoring", "name": name, "labels": labels},
        "spec": {"clusterIP": "10.0.0.1", "ports": [{"name": "http-web", "port": 9090}]},
    })
}

/// Two Services that are found by their labels.
fn services() -> Value {
    json!({"kind": "ServiceList", "apiVersion": "v1", "metadata": {}, "items": [
        service("a", json!({"app": "kube-prometheus-stack-prometheus"})),
        service("b", json!({"app.kubernetes.io/name": "thanos-query"})),
    ]})
}

fn forbidden(resource: &str, verb: &str) -> Reply {
    let message = format!(
        "{resource} is forbidden: User \"eve\" cannot {verb} resource \"{resource}\" in API group \"\" at the cluster scope"
    );
    status(403, "Forbidden", &message)
}

fn status(code: u16, reason: &str, message: &str) -> Reply {
    let body = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "reason": reason, "code": code});
    Reply::json(code, &body)
}

fn build_info(data: &Value) -> Reply {
    Reply::json(200, &json!({"status": "success", "data": data}))
}

fn samples(asked: &Asked) -> Reply {
    if asked.query["query"] == "1" {
        return Reply::json(
            200,
            &json!({"status": "success", "data": {"resultType": "scalar", "result": [1, "1"]}}),
        );
    }
    let metric = json!({"__name__": "kube_horizontalpodautoscaler_status_desired_replicas", "namespace": "shop"});
    Reply::series(&json!([{"metric": metric, "values": [[NOON / 1000, "3"]]}]))
}

fn wanted() -> RequiredSeries {
    let name = "kube_horizontalpodautoscaler_status_desired_replicas";
    RequiredSeries {
        selector: Selector::new(name).is("namespace", "shop"),
        at: timestamp(NOON),
    }
}

/// The location that is found, and the notes for the user.
fn found(fake: &Fake) -> Result<(String, Vec<String>), String> {
    fake.with_server(&[], Some(&wanted()), "20s", async |server| {
        Ok((server.place().to_owned(), server.notes().to_vec()))
    })
    .map_err(|error| error.to_string())
}

fn is_listing(asked: &Asked) -> bool {
    asked.way.is_empty() && asked.path.ends_with("/services")
}

#[test]
fn server_that_has_the_hpa_is_preferred() {
    for (with, expected) in [("a", "monitoring/a:9090"), ("b", "monitoring/b:9090")] {
        let fake = Fake::prometheus(move |asked| {
            if is_listing(asked) {
                return Reply::json(200, &services());
            }
            if asked.way.ends_with(&format!(":{with}:9090")) {
                return samples(asked);
            }
            Reply::series(&json!([]))
        });
        assert_eq!(found(&fake).unwrap().0, expected);
    }
    let fake = Fake::prometheus(|asked| {
        if is_listing(asked) {
            return Reply::json(200, &services());
        }
        Reply::series(&json!([]))
    });
    let (place, notes) = found(&fake).unwrap();
    assert_eq!(place, "monitoring/a:9090");
    assert_eq!(
        notes,
        [
            "monitoring/a:9090 has no kube_horizontalpodautoscaler_status_desired_replicas for this HPA",
            "other servers answer as well: monitoring/b:9090"
        ]
    );
}

#[test]
fn server_that_speaks_tls_is_read_over_tls() {
    let fake = Fake::prometheus(|asked| {
        if is_listing(asked) {
            return Reply::json(200, &services());
        }
        samples(asked)
    });
    assert!(found(&fake).is_ok());
    let fake = Fake::new(|asked| {
        if is_listing(asked) {
            return Reply::json(200, &services());
        }
        if asked.way.contains("http:") {
            let text = "Client sent an HTTP request to an HTTPS server.\n";
            return Reply::new(400, "text/plain", text);
        }
        if asked.path.ends_with("buildinfo") {
            return build_info(&json!({"version": "3.1.0", "revision": "abc"}));
        }
        samples(asked)
    });
    assert_eq!(found(&fake).unwrap().0, "monitoring/a:9090");
    assert!(fake.seen().last().unwrap().way.contains("/https:"));
}

#[test]
fn missing_permissions_are_named_with_their_rules() {
    // Services may be listed in only one namespace.
    let fake = Fake::prometheus(|asked| match &*asked.path {
        "/api/v1/services" => forbidden("services", "list"),
        "/api/v1/namespaces/monitoring/services" => Reply::json(200, &services()),
        path if asked.way.is_empty() && path.ends_with("/services") => {
            forbidden("services", "list")
        }
        _ => samples(asked),
    });
    assert_eq!(found(&fake).unwrap().0, "monitoring/a:9090");
    // Services may not be listed anywhere.
    let fake = Fake::prometheus(|_| forbidden("services", "list"));
    let error = found(&fake).unwrap_err();
    for part in [
        "cannot look for a monitoring server: services is forbidden: User \"eve\"",
        "needs permission to list services in the core API group, all namespaces",
        "the namespaces monitoring, prometheus, ",
        "Give its address: --prometheus service:NAMESPACE/NAME:PORT or --prometheus https://HOST",
    ] {
        assert!(error.contains(part), "{error}");
    }
    // They may be listed but not reached.
    let fake = Fake::new(|asked| {
        if is_listing(asked) {
            return Reply::json(200, &services());
        }
        forbidden("services/proxy", "get")
    });
    let error = found(&fake).unwrap_err();
    let rule = "{apiGroups: [\"\"], resources: [\"services/proxy\"], verbs: [\"get\"]}";
    assert!(error.contains(rule), "{error}");
    assert!(error.contains("namespace monitoring"), "{error}");
    let error = fake
        .read(&[SERVICE], NOON, NOON, "20s")
        .unwrap_err()
        .to_string();
    assert!(error.contains(rule), "{error}");
}

#[test]
fn nothing_found_and_nothing_that_answers_say_what_to_give() {
    let list = json!({"kind": "ServiceList", "metadata": {}, "items": []});
    let fake = Fake::new(move |_| Reply::json(200, &list));
    let error = found(&fake).unwrap_err();
    assert!(
        error.starts_with("found no Prometheus, Thanos, VictoriaMetrics or Mimir in this cluster"),
        "{error}"
    );
    let fake = Fake::new(|asked| {
        if is_listing(asked) {
            return Reply::json(200, &services());
        }
        status(
            503,
            "ServiceUnavailable",
            "no endpoints available for service \"a\"",
        )
    });
    let error = found(&fake).unwrap_err();
    for part in [
        "no monitoring server of this cluster answers: cannot read monitoring/a:9090 through the API server: no endpoints available for service \"a\". Check the pods of the Service and its port; ",
        "Give its address: ",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn server_with_tenants_is_read_with_the_header_that_names_one() {
    let fake = Fake::prometheus(|asked| {
        if is_listing(asked) {
            return Reply::json(200, &services());
        }
        match asked.headers.get("x-scope-orgid") {
            Some(tenant) if tenant == "team-a" => samples(asked),
            _ => Reply::new(401, "text/plain; charset=utf-8", "no org id\n"),
        }
    });
    let error = found(&fake).unwrap_err();
    let name_one = "Name one with --prometheus-header 'X-Scope-OrgID: TENANT'";
    assert!(error.starts_with("monitoring/a:9090 "), "{error}");
    assert!(error.ends_with(name_one), "{error}");
    for place in [&[][..], &[SERVICE]] {
        let words = [place, &["--prometheus-header=X-Scope-OrgID: team-a"]].concat();
        let notes = fake.with_server(&words, Some(&wanted()), "20s", async |server| {
            Ok(server.notes().to_vec())
        });
        assert!(notes.is_ok(), "{notes:?}");
    }
}

#[test]
fn services_that_are_not_there_say_how_to_list_them() {
    let fake = Fake::new(|_| status(404, "NotFound", "services \"prometheus\" not found"));
    let error = fake.read(&[SERVICE], NOON, NOON, "20s").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read monitoring/prometheus:9090 through the API server: services \"prometheus\" not found. List the Services: kubectl get services --all-namespaces"
    );
}

#[test]
fn each_kind_of_server_is_queried_for_all_that_it_has() {
    for (data, expected, parameters) in [
        (
            json!({"version": "3.1.0", "revision": "abc"}),
            Kind::Prometheus,
            vec![],
        ),
        (
            json!({"version": "0.37.2", "revision": "abc"}),
            Kind::Thanos,
            vec![
                ("dedup", "true"),
                ("partial_response", "false"),
                ("max_source_resolution", "0s"),
            ],
        ),
        (
            json!({"version": "2.24.0"}),
            Kind::VictoriaMetrics,
            vec![("nocache", "1"), ("deny_partial_response", "1")],
        ),
        (
            json!({"application": "Grafana Mimir", "version": "2.14.0"}),
            Kind::Mimir,
            vec![],
        ),
    ] {
        let fake = Fake::new(move |asked| {
            if asked.path.ends_with("buildinfo") {
                return build_info(&data);
            }
            Reply::series(&json!([]))
        });
        for words in [
            vec![SERVICE],
            vec![&*format!("--prometheus={}", fake.url())],
        ] {
            let kind = fake.with_server(&words, None, "20s", async |server| {
                server
                    .raw(&wanted().selector, timestamp(NOON), timestamp(NOON + 1000))
                    .await?;
                Ok(server.kind())
            });
            assert_eq!(kind.unwrap(), expected);
        }
        for asked in fake.queries() {
            let mut query = asked.query.clone();
            query.remove("query");
            query.remove("time");
            let parameters = parameters
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            assert_eq!(query, parameters.collect());
        }
    }
}

#[test]
fn server_that_does_not_say_what_it_is_is_read_with_what_it_takes() {
    for is_strict in [false, true] {
        let fake = Fake::new(move |asked| {
            if asked.path.ends_with("buildinfo") {
                return Reply::new(404, "text/plain", "404 page not found");
            }
            if is_strict && asked.query.contains_key("dedup") {
                return Reply::error(400, "bad_data", "unknown parameter dedup");
            }
            samples(asked)
        });
        let kind = fake.with_server(&[SERVICE], None, "20s", async |server| Ok(server.kind()));
        let expected = if is_strict {
            Kind::Strict
        } else {
            Kind::Unknown
        };
        assert_eq!(kind.unwrap(), expected);
    }
}

#[test]
fn path_of_the_api_is_part_of_every_request() {
    let fake = Fake::prometheus(|_| Reply::series(&json!([])));
    let url = format!("--prometheus={}/prometheus/", fake.url());
    let service = "--prometheus=service:mimir/gateway:80/prometheus";
    for word in [&url, service] {
        fake.read(&[word], NOON, NOON, "20s").unwrap();
    }
    for asked in fake.seen() {
        assert!(asked.path.starts_with("/prometheus/api/v1/"), "{asked:?}");
    }
}
