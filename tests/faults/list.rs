//! `list` of a namespace: its lines, what it could not read and for which HPAs, and the number of requests.

use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    informers,
    living::Living,
    plugin::{Plugin, SpawnLimited as _},
    server::{Answer, Server},
    world::{self, API_SERVICES, EXTERNAL_METRICS, HPAS, POD_METRICS, PODS, forbidden, list},
};

const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/shop/deployments";

/// A workload with its HPA.
#[derive(Clone)]
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) replicas: usize,
    pub(crate) ready: usize,
    pub(crate) max: i32,
    /// Usage of each pod; the request is 100m.
    pub(crate) cpu: &'static str,
    /// Changes of the HPA.
    pub(crate) change: fn(&mut Value),
}

impl Workload {
    /// A workload with as many pods as it wants.
    pub(crate) fn new(name: &'static str, replicas: usize, cpu: &'static str) -> Self {
        Self {
            name,
            replicas,
            ready: replicas,
            max: 10,
            cpu,
            change: |_| {},
        }
    }

    pub(crate) fn hpa(&self) -> Value {
        let mut hpa = world::hpa(self.name);
        hpa["metadata"]["labels"] = json!({"app": self.name, "tier": "front"});
        hpa["spec"]["scaleTargetRef"]["name"] = json!(self.name);
        hpa["spec"]["maxReplicas"] = json!(self.max);
        let condition = |kind: &str, reason: &str| json!({"type": kind, "status": "True", "reason": reason, "lastTransitionTime": "2026-01-01T00:00:00Z"});
        hpa["status"] = json!({
            "lastScaleTime": "2026-01-01T23:45:40Z",
            "currentReplicas": self.replicas, "desiredReplicas": self.replicas,
            // The controller saw it within its tolerance; the current load is another.
            "currentMetrics": [{"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": 50, "averageValue": "50m"}}}],
            "conditions": [condition("AbleToScale", "ReadyForNewScale"), condition("ScalingActive", "ValidMetricFound")],
        });
        (self.change)(&mut hpa);
        hpa
    }

    fn deployment(&self) -> Value {
        json!({
            "metadata": {"name": self.name, "namespace": "shop"},
            "spec": {
                "replicas": self.replicas, "selector": {"matchLabels": {"app": self.name}},
                "template": {"metadata": {"labels": {"app": self.name}}, "spec": {"containers": [
                    {"name": "main", "resources": {"requests": {"cpu": "100m"}}, "readinessProbe": {}},
                ]}},
            },
            "status": {"replicas": self.replicas, "readyReplicas": self.ready, "updatedReplicas": self.replicas},
        })
    }

    fn pods(&self) -> impl Iterator<Item = Value> {
        let Self { name, ready, .. } = *self;
        (0..self.replicas).map(move |number| {
            let mut pod = world::pod(&format!("{name}-{number}"));
            pod["metadata"]["labels"] = json!({"app": name});
            if ready <= number {
                pod["status"]["conditions"][0]["status"] = json!("False");
            }
            pod
        })
    }

    fn usages(&self) -> impl Iterator<Item = Value> {
        let Self { name, cpu, .. } = *self;
        (0..self.replicas).map(move |number| {
            let mut usage = world::usage(&format!("{name}-{number}"), cpu);
            usage["metadata"]["labels"] = json!({"app": name});
            usage
        })
    }
}

/// Gives the namespace these workloads.
pub(crate) fn populate(server: &Server, workloads: &[Workload]) {
    let service = json!({
        "metadata": {"name": "v1beta1.metrics.k8s.io"},
        "spec": {"group": "metrics.k8s.io", "version": "v1beta1", "service": {"namespace": "kube-system", "name": "metrics-server"}},
        "status": {"conditions": [{"type": "Available", "status": "True", "reason": "Passed"}]},
    });
    let all = |items: fn(&Workload) -> Vec<Value>| list(workloads.iter().flat_map(items).collect());
    server
        .set_json(API_SERVICES, &list(vec![service]))
        .set_json(HPAS, &all(|one| vec![one.hpa()]))
        .set_json(DEPLOYMENTS, &all(|one| vec![one.deployment()]))
        .set_json(PODS, &all(|one| one.pods().collect()))
        .set_json(POD_METRICS, &all(|one| one.usages().collect()))
        .set_date("Fri, 02 Jan 2026 00:00:10 GMT");
}

/// One HPA for each kind of problem.
fn failures() -> Vec<Workload> {
    vec![
        Workload::new("calm", 2, "51m"),
        Workload {
            max: 4,
            ready: 3,
            ..Workload::new("full", 4, "90m")
        },
        Workload::new("rising", 2, "75m"),
        Workload::new("idle", 4, "10m"),
        Workload {
            change: |hpa| hpa["spec"]["scaleTargetRef"]["name"] = json!("nobody"),
            ..Workload::new("lost", 2, "50m")
        },
        Workload {
            change: |hpa| {
                hpa["metadata"]["annotations"] = json!({"kubectl-hpa/ignore": "HPA401"});
                hpa["spec"]["scaleTargetRef"]["name"] = json!("nobody-either");
            },
            ..Workload::new("accepted", 2, "50m")
        },
        Workload {
            change: |hpa| hpa["spec"]["scaleTargetRef"]["name"] = json!("calm"),
            ..Workload::new("rival", 2, "50m")
        },
    ]
}

fn troubled() -> Server {
    let server = Server::start();
    populate(&server, &failures());
    server
}

#[test]
fn each_hpa_is_a_line_with_its_verdict_and_the_sums_are_below() {
    let server = troubled();
    let plugin = Plugin::of(&server);
    let run = plugin.run(&["list"]);
    insta::assert_snapshot!(run.stdout, @r"
    NAME      VERDICT                 REPLICAS  MIN-MAX  METRIC       UNMET  SCALED  LINT
    calm      shares pods with rival  2         1-10     -            ?      14m     1
    full      at max, 2 short         4         1-4      cpu 90%/50%  2+1    14m     0
    rising    up by cpu               2 → 3     1-10     cpu 75%/50%  0      14m     0
    idle      down by cpu             4 → 1     1-10     cpu 10%/50%  0      14m     0
    lost      target not found        ?         1-10     -            ?      14m     1
    accepted  target not found        ?         1-10     -            ?      14m     0
    rival     shares pods with calm   2         1-10     -            ?      14m     1

    7 HPAs: 2 scaling, 1 held, 4 cannot scale · 1 limited at max · 3 lint errors
    ");
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));

    // JSON contains exactly the same lines.
    let words = |text: &str| -> Vec<Vec<String>> {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        text.lines().map(words).collect()
    };
    let lines = words(&run.stdout);
    let bare = plugin.run(&["list", "--no-headers"]);
    assert_eq!(words(&bare.stdout), lines[1..lines.len() - 2]);

    let sorted = |key: &str| {
        let run = plugin.run(&["list", "--no-headers", "--sort-by", key]);
        assert_eq!(run.code, Some(0), "{run:?}");
        let first = |line: &str| line.split(' ').next().unwrap().to_owned();
        run.stdout.lines().map(first).collect::<Vec<_>>().join(" ")
    };
    insta::assert_snapshot!(
        ["name", "urgency", "unmet", "findings", ".verdict.rule", "{.recommendation}", "scaleTarget.name"]
            .map(|key| format!("{key}: {}", sorted(key)))
            .join("\n"),
        @r"
    name: accepted calm full idle lost rising rival
    urgency: full calm lost rival accepted rising idle
    unmet: full calm lost accepted rival rising idle
    findings: calm lost rival full rising idle accepted
    .verdict.rule: full rising idle lost accepted calm rival
    {.recommendation}: calm lost accepted rival idle rising full
    scaleTarget.name: calm rival full idle lost accepted rising
    "
    );
    let run = plugin.run(&["list", "--sort-by", "load"]);
    assert_eq!(run.code, Some(2));
    insta::assert_snapshot!(run.stderr, @r#"error: invalid --sort-by "load": use age, context, current, desired, findings, name, namespace, unmet, urgency, verdict, or a JSONPath such as .verdict.rule"#);
    let run = plugin.run(&["list", "--sort-by", ".load"]);
    assert_eq!(run.code, Some(2));
    insta::assert_snapshot!(run.stderr, @r#"error: no HPA has the field "{.load}""#);
}

#[test]
fn the_example_of_the_documentation_is_what_it_prints() {
    let server = Server::start();
    populate(&server, &failures()[..5]);
    let run = Plugin::of(&server).run(&["list"]);
    let page = include_str!("../../docs/list.md");
    let example = format!("```text\n$ kubectl hpa list\n{}```\n", run.stdout);
    assert!(
        page.contains(&example),
        "docs/list.md has another example than\n{example}"
    );
}

#[test]
fn wide_lines_say_why_and_other_formats_have_the_same() {
    let server = troubled();
    let plugin = Plugin::of(&server);
    let run = plugin.run(&[
        "list",
        "full",
        "deploy/nobody",
        "-o",
        "wide",
        "--show-labels",
    ]);
    insta::assert_snapshot!(run.stdout, @r#"
    NAME  REFERENCE          VERDICT           REPLICAS  MIN-MAX  METRIC       UNMET  SCALED  LINT-ERRORS  READY  ASKED  RULE                SELECTOR  BECAUSE                                                                                                                                                                             LABELS
    full  Deployment/full    at max, 2 short   4         1-4      cpu 90%/50%  2+1    14m     -            3/4    6      max-replicas        app=full  At maxReplicas 4: CPU is at 90% (target 50%), but 1 of 4 pods is not ready, which counts as 0% for a scale-up: 67% on average, which asks for 6 replicas (67 / 50 × 4 pods = 5.4).  app=full,tier=front
    lost  Deployment/nobody  target not found  ?         1-10     -            ?      14m     HPA401       ?      -      scale-not-readable  -         Deployment/nobody does not exist in namespace shop, so there is nothing to scale (FailedGetScale: deployments.apps "nobody" not found).                                             app=lost,tier=front

    2 HPAs: 1 held, 1 cannot scale · 1 limited at max · 1 lint error · Kubernetes 1.36.3
    "#);
    let run = plugin.run(&["list", "-o", "name", "-l", "app in (idle, calm)"]);
    assert_eq!(
        run.stdout,
        "horizontalpodautoscaler.autoscaling/calm\nhorizontalpodautoscaler.autoscaling/idle\n"
    );
    let template = "jsonpath={range .items[?(@.unmet.total>0)]}{.name} {.unmet}{end}";
    let run = plugin.run(&["list", "-o", template]);
    assert_eq!(
        run.stdout,
        r#"full {"aboveMax":2,"complete":true,"notReady":1,"total":3}"#
    );
    let json = plugin.run(&["list", "-o", "json"]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["items"][4]["errors"][0]["code"], "HPA401");
    assert_eq!(
        json["items"][5]["errors"],
        json!([]),
        "accepted by its annotation"
    );
    assert_eq!(json["summary"]["hpas"], 7);
    let yaml = plugin.run(&["list", "-o", "yaml"]);
    assert!(yaml.stdout.contains("\n  limitedAtMax: 1\n"), "{yaml:?}");
    let run = plugin.run(&["list", "-o", "html"]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr
            .contains("[possible values: text, wide, json, yaml, name, custom-columns=HEADER:PATH,…, custom-columns-file=FILE, jsonpath=TEMPLATE"),
        "{run:?}"
    );
}

#[test]
fn what_may_not_be_read_is_one_line_for_all_whom_it_concerns() {
    let server = Server::start();
    let queue = |hpa: &mut Value| {
        hpa["spec"]["metrics"][0] = json!({"type": "External", "external": {
            "metric": {"name": "queue_depth"}, "target": {"type": "AverageValue", "averageValue": "30"},
        }});
    };
    let mut workloads = vec![
        Workload::new("calm", 2, "50m"),
        Workload::new("queue", 2, "50m"),
    ];
    workloads[1].change = queue;
    populate(&server, &workloads);
    server.set(EXTERNAL_METRICS, Answer::status(&forbidden("queue_depth")));
    let run = Plugin::of(&server).run(&["list"]);
    insta::assert_snapshot!(format!("{}\n{}", run.stdout, run.stderr), @r#"
    NAME   VERDICT           REPLICAS  MIN-MAX  METRIC            UNMET  SCALED  LINT
    calm   within tolerance  2         1-10     cpu 50%/50%       0      14m     0
    queue  unknown           2         1-10     queue_depth ?/30  ?      14m     1

    2 HPAs: 1 held, 1 unknown · 1 lint error

    not read for shop/queue: external metric: queue_depth is forbidden: User "eve" cannot do that; needs permission to list queue_depth in API group external.metrics.k8s.io, namespace shop: {apiGroups: ["external.metrics.k8s.io"], resources: ["queue_depth"], verbs: ["list"]}
    "#);

    server.set(PODS, Answer::status(&forbidden("pods")));
    let run = Plugin::of(&server).run(&["list"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let causes: Vec<&str> = run
        .stderr
        .lines()
        .filter(|line| line.contains(": pods: "))
        .collect();
    let [cause] = causes[..] else {
        panic!("{run:?}");
    };
    assert!(
        cause.starts_with("not read for all 2 HPAs: pods: "),
        "{cause}"
    );
    assert!(cause.contains("needs permission to list pods"), "{cause}");
}

#[test]
fn no_hpa_is_no_error_and_a_missing_one_is() {
    let server = Server::start();
    server.set_json(HPAS, &list(Vec::new()));
    let plugin = Plugin::of(&server);
    let run = plugin.run(&["list"]);
    assert_eq!((run.code, &*run.stdout), (Some(0), ""));
    assert_eq!(run.stderr, "No HPAs in namespace shop\n");
    let run = plugin.run(&["list", "-l", "app=web"]);
    assert_eq!((run.code, &*run.stdout), (Some(0), ""));
    assert_eq!(
        run.stderr,
        "No HPA in namespace shop has labels that match \"app=web\"\n"
    );
    let run = plugin.run(&["list", "-o", "json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &json["items"]), (Some(0), &json!([])));
    plugin
        .run(&["list", "web"])
        .fails_with("HPA \"web\" not found in namespace shop, which has no HPAs");
}

#[test]
fn missing_names_can_be_ignored_as_in_kubectl() {
    let server = living(&[Workload::new("calm", 2, "50m")]);
    let plugin = Plugin::at(&server.url());
    for (words, out) in [
        ("list nope -o name --ignore-not-found", ""),
        ("list nope --ignore-not-found", ""),
        ("explain nope --ignore-not-found", ""),
        (
            "explain calm nope -o name --ignore-not-found",
            "horizontalpodautoscaler.autoscaling/calm\n",
        ),
        (
            "list calm nope -o name --ignore-not-found",
            "horizontalpodautoscaler.autoscaling/calm\n",
        ),
    ] {
        let run = plugin.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!((run.code, &*run.stdout), (Some(0), out), "{words}: {run:?}");
    }
}

#[test]
fn flags_of_kubectl_that_do_not_exist_lead_to_what_does() {
    let plugin = Plugin::at("http://127.0.0.1:1");
    for (words, tip) in [
        ("list --field-selector metadata.name=web", "name the HPAs"),
        ("list --chunk-size=100", "leave it out"),
        (
            "explain -k deploy",
            "kubectl kustomize DIR | kubectl hpa explain -f -",
        ),
        ("explain web -L team", "commands with '-L': list"),
        ("explain web,api", "separate names by blanks"),
        (
            "list -L team -o json",
            "--show-labels and -L are for tables",
        ),
        (
            "list -o go-template={{.items}}",
            "Go templates are not supported",
        ),
        (
            "list --contexts nope-*",
            "no context of the kubeconfig matches \"nope-*\"",
        ),
    ] {
        let run = plugin.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{words}: {run:?}");
        assert!(run.stderr.contains(tip), "{words}: {run:?}");
    }
}

#[test]
fn a_watch_prints_the_table_and_then_the_lines_that_change() {
    let mut server = living(&[
        Workload::new("calm", 2, "50m"),
        Workload::new("busy", 2, "50m"),
    ]);
    let plugin = Plugin::at(&server.url());
    let mut child = plugin
        .command(&["list", "-w", "--assume-sync-period", "200ms"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn_limited();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut remarks = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut line = |what: &str| {
        // A poll of the metrics may fail before the watches do.
        let mut lines = lines.by_ref().map(Result::unwrap);
        let line = lines.find(|line| !line.contains("  unknown  ")).unwrap();
        let (time, line) = line.split_once("  ").unwrap();
        assert!(time == "TIME" || time.split(':').count() == 3, "{time:?}");
        let line = line.trim_start();
        assert!(line.starts_with(what), "{line:?}, not {what:?}");
    };
    // All of these, in any order.
    let mut remarks = |mut expected: Vec<&str>| {
        while !expected.is_empty() {
            let remark = remarks.next().expect("a remark is missing").unwrap();
            expected.retain(|start| !remark.starts_with(start));
        }
    };
    line("NAME  VERDICT                 REPLICAS  MIN-MAX  METRIC        UNMET");
    line("busy  within tolerance        2         1-10     cpu 50%/50%   0");
    line("calm  within tolerance        2         1-10     cpu 50%/50%   0");
    // The metrics rise, and no one writes the HPA; unchanged HPAs are not shown.
    let (busy, hot) = (
        Workload::new("busy", 2, "75m"),
        Workload::new("calm", 2, "50m"),
    );
    let usages = |both: [&Workload; 2]| list(both.into_iter().flat_map(Workload::usages).collect());
    server.answer(POD_METRICS, usages([&busy, &hot]));
    line("busy  up by cpu               2 → 3     1-10     cpu 75%/50%   0");
    // An edit is shown, and causes one read of the lists, however often the metrics are read.
    server.edit(informers::HPAS, "calm", |hpa| {
        hpa["status"]["conditions"][0]["message"] = json!("nothing of interest");
    });
    let pods = ["/namespaces/shop/pods?", "limit="];
    let deadline = Instant::now() + Duration::from_mins(1);
    while server.count(&[POD_METRICS]) < 12 {
        assert!(Instant::now() < deadline, "the metrics are polled no more");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(server.count(&pods) <= 6, "{:?}", server.seen());
    server.edit(informers::HPAS, "calm", |hpa| {
        hpa["spec"]["maxReplicas"] = json!(12);
    });
    line("calm  within tolerance        2         1-12     cpu 50%/50%   0");
    // The server is down for a while; its later data is compared with the earlier data.
    server.down();
    remarks(vec!["NOT CONNECTED since "]);
    server.delete(informers::HPAS, "calm");
    server.answer(
        POD_METRICS,
        usages([&Workload::new("busy", 2, "51m"), &hot]),
    );
    server.up();
    // A watch may be answered before the connection is known to be back.
    remarks(vec!["CONNECTED again, after ", "shop/calm is gone"]);
    line("busy  within tolerance        2         1-10     cpu 51%/50%   0");
    child.kill().unwrap();
    child.wait().unwrap();

    let run = plugin.run(&["list", "-w", "-o", "yaml"]);
    run.fails_with("--watch goes with -o text, wide and json");
}

#[test]
fn a_watch_prints_a_new_hpa_once_its_target_and_its_metrics_are_read() {
    let server = Server::start();
    let (calm, late) = (
        Workload::new("calm", 2, "50m"),
        Workload::new("late", 2, "90m"),
    );
    populate(&server, &[calm.clone(), late.clone()]);
    server
        .allow_watches()
        .set_json(HPAS, &list(vec![calm.hpa()]));
    let plugin = Plugin::of(&server);
    // The next regular poll does not come.
    let mut child = plugin
        .command(&["list", "-w", "--assume-sync-period=1h"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn_limited();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    assert!(line().starts_with("TIME      NAME"));
    assert!(line().contains("  calm  within tolerance"));
    let deadline = Instant::now() + Duration::from_mins(1);
    while server.count(POD_METRICS) < 2 {
        assert!(Instant::now() < deadline, "the metrics are not polled");
        std::thread::sleep(Duration::from_millis(10));
    }
    let target = Answer::json(&late.deployment()).after(Duration::from_millis(500));
    let scale = json!({"spec": {"replicas": 2}, "status": {"replicas": 2, "selector": "app=late"}});
    server
        .set_json(&format!("{DEPLOYMENTS}/late/scale"), &scale)
        .set(&format!("{DEPLOYMENTS}/late"), target)
        .set_json(HPAS, &list(vec![calm.hpa(), late.hpa()]))
        .report(HPAS, "ADDED", &late.hpa());
    let new = line();
    assert!(
        new.contains("  late  up by cpu               2 → 4"),
        "{new}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The controller scales by metrics that have changed since the last poll. The next regular poll does not come.
#[test]
fn a_row_never_has_new_replicas_with_the_metrics_from_before_them() {
    for is_poll_under_way in [false, true] {
        let server = living(&[Workload::new("calm", 2, "50m")]);
        let plugin = Plugin::at(&server.url());
        let mut child = plugin
            .command(&["list", "-w", "-o", "json", "--assume-sync-period=1h"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn_limited();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut item = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(item()["metric"]["current"], "50%");
        let polls = |number: usize| {
            let deadline = Instant::now() + Duration::from_mins(1);
            while server.count(&[POD_METRICS]) < number {
                assert!(Instant::now() < deadline, "the metrics are not polled");
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        let scale_to = |replicas: i32| {
            server.edit(informers::DEPLOYMENTS, "calm", |deployment| {
                deployment["spec"]["replicas"] = json!(replicas);
            });
            server.edit(informers::HPAS, "calm", |hpa| {
                hpa["status"]["desiredReplicas"] = json!(replicas);
            });
        };
        polls(2);
        // A row would be displayed before this answer.
        server.delay(Duration::from_secs(3));
        if is_poll_under_way {
            // What it answers is from before the metrics changed.
            scale_to(3);
            polls(3);
        }
        let busy = Workload::new("calm", 2, "150m");
        server.answer(POD_METRICS, list(busy.usages().collect()));
        scale_to(6);
        let mut rows = std::iter::repeat_with(item);
        let scaled = rows.find(|row| row["current"] == 6).unwrap();
        assert_eq!(scaled["metric"]["current"], "150%", "{scaled:#}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// A server with these workloads that supports watches.
pub(crate) fn living(workloads: &[Workload]) -> Living {
    let server = Living::start();
    for (path, body) in world::answers() {
        if path == "/version" || path == "/apis" {
            server.answer(path, body);
        }
    }
    for collection in [informers::PODS, informers::SETS, informers::EVENTS] {
        server.collection(collection);
    }
    for one in workloads {
        server.put(informers::HPAS, one.hpa());
        server.put(informers::DEPLOYMENTS, one.deployment());
        for pod in one.pods() {
            server.put(informers::PODS, pod);
        }
    }
    let usages = workloads.iter().flat_map(Workload::usages).collect();
    server.answer(POD_METRICS, list(usages));
    server
}

#[test]
fn requests_do_not_grow_with_the_number_of_hpas() {
    let counts = [2, 60].map(|number| {
        let server = Server::start();
        let names: Vec<String> = (0..number).map(|index| format!("web-{index}")).collect();
        let workloads: Vec<Workload> = names
            .iter()
            .map(|name| Workload::new(name.clone().leak(), 1, "50m"))
            .collect();
        populate(&server, &workloads);
        let run = Plugin::of(&server).run(&["list", "--no-headers"]);
        assert_eq!(
            (run.code, run.stdout.lines().count()),
            (Some(0), number),
            "{run:?}"
        );
        server.seen().len()
    });
    assert_eq!(counts[0], counts[1]);
}
