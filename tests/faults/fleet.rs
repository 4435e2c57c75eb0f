//! Several clusters in one run of `list`, `lint` and `history`: a failure of one does not stop the others.

use std::{fs, net::TcpListener, time::Duration};

use kubectl_hpa::cli::LintFormat;
use serde_json::{Value, json};

use crate::{
    lint_live::plugin_of,
    list::{Workload, populate},
    plugin::{Plugin, Run, kubeconfig},
    server::{Answer, Server},
    world::{HPAS, PODS, forbidden, list},
};

/// A cluster with three HPAs, two of which can differ.
fn cluster(max: i32, change: fn(&mut Value)) -> Server {
    let server = Server::start();
    let workloads = [
        Workload::new("calm", 2, "51m"),
        Workload {
            max,
            ..Workload::new("full", 4, "90m")
        },
        Workload {
            change,
            ..Workload::new("lost", 2, "50m")
        },
    ];
    populate(&server, &workloads);
    server
}

fn prod_eu() -> Server {
    cluster(4, |_| {})
}

fn prod_us() -> Server {
    cluster(10, |hpa| {
        hpa["spec"]["scaleTargetRef"]["name"] = json!("nobody");
    })
}

/// The address of a server that is not running.
fn down() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[track_caller]
fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

#[test]
fn the_example_of_the_documentation_is_what_it_prints() {
    let (eu, us) = (prod_eu(), prod_us());
    let address = down();
    let contexts = [
        ("prod-eu", eu.url()),
        ("prod-us", us.url()),
        ("staging", address.clone()),
    ];
    let contexts = contexts.each_ref().map(|(name, url)| (*name, &**url));
    let run = plugin_of(&contexts).run(&["list", "--all-contexts"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let output = format!("{}{}", run.stdout, run.stderr);
    let output = output.replace(address.trim_start_matches("http://"), "10.0.0.1:6443");
    let page = include_str!("../../docs/fleet.md");
    let example = format!("```text\n$ kubectl hpa list --all-contexts\n{output}```\n");
    assert!(
        page.contains(&example),
        "docs/fleet.md has another example than\n{example}"
    );
}

#[test]
fn every_format_of_list_has_the_context_of_each_hpa() {
    let (eu, us) = (prod_eu(), prod_us());
    let plugin = plugin_of(&[("prod-eu", &eu.url()), ("prod-us", &us.url())]);
    let run = plugin.run(&["list", "--contexts", "prod-us,prod-eu", "-o", "json"]);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{run:?}");
    let output = json_of(&run);
    let of = |item: &Value| format!("{}/{}", item["context"], item["name"]).replace('"', "");
    let items: Vec<String> = output["items"].as_array().unwrap().iter().map(of).collect();
    // The most urgent ones, of all clusters.
    assert_eq!(
        items,
        [
            "prod-eu/full",
            "prod-us/lost",
            "prod-us/full",
            "prod-us/calm",
            "prod-eu/calm",
            "prod-eu/lost"
        ]
    );
    assert_eq!(
        output["contexts"],
        json!([
            {"name": "prod-us", "hpas": 3, "serverVersion": "v1.36.3", "error": null},
            {"name": "prod-eu", "hpas": 3, "serverVersion": "v1.36.3", "error": null},
        ])
    );
    let value = |context: &str, value: &str| json!({"context": context, "value": value});
    assert_eq!(
        output["drift"],
        json!([
            {
                "namespace": "shop", "name": "full",
                "fields": [{
                    "path": "spec.maxReplicas",
                    "values": [value("prod-us", "10"), value("prod-eu", "4")],
                }],
                "verdicts": [
                    value("prod-us", "up by cpu"),
                    value("prod-eu", "at max, 4 short"),
                ],
            },
            {
                "namespace": "shop", "name": "lost",
                "fields": [{
                    "path": "spec.scaleTargetRef.name",
                    "values": [value("prod-us", "nobody"), value("prod-eu", "lost")],
                }],
                "verdicts": [
                    value("prod-us", "target not found"),
                    value("prod-eu", "within tolerance"),
                ],
            },
        ])
    );

    let template = "jsonpath={range .items[*]}{.context} {.name}{\"\\n\"}{end}";
    let run = plugin.run(&[
        "list",
        "--all-contexts",
        "-o",
        template,
        "--sort-by",
        "context",
    ]);
    assert_eq!(
        run.stdout,
        "prod-eu calm\nprod-eu full\nprod-eu lost\nprod-us calm\nprod-us full\nprod-us lost\n"
    );
    let run = plugin.run(&["list", "--all-contexts", "-o", "name"]);
    run.fails_with(
        "-o name has no place for the context: use -o jsonpath='{range .items[*]}{.context} {.name}{\"\\n\"}{end}'",
    );
    // With a single cluster neither the column nor the fields exist.
    let run = plugin.run(&["list", "--context", "prod-eu", "-o", "json"]);
    let output = json_of(&run);
    assert_eq!(output.get("contexts"), None, "{output}");
    assert_eq!(output["items"][0].get("context"), None, "{output}");
}

#[test]
fn a_context_that_fails_is_a_line_with_the_cause() {
    let (eu, us, refused, silent) = (prod_eu(), prod_us(), prod_eu(), prod_eu());
    refused.set(HPAS, Answer::status(&forbidden("horizontalpodautoscalers")));
    let late = Answer::json(&list(Vec::new())).after(Duration::from_hours(1));
    silent.set(HPAS, late);
    let plugin = plugin_of(&[
        ("down", &down()),
        ("eu", &eu.url()),
        ("refused", &refused.url()),
        ("silent", &silent.url()),
        ("us", &us.url()),
    ]);
    let run = plugin.run(&[
        "list",
        "--contexts",
        "down,refused,unknown,silent",
        "--contexts=eu,us,eu",
        "--request-timeout=2s",
        "-ojson",
    ]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let output = json_of(&run);
    assert_eq!(output["summary"]["hpas"], 6, "{output}");
    let contexts = output["contexts"].as_array().unwrap();
    assert_eq!(contexts.len(), 6, "{contexts:#?}");
    let lines: Vec<&str> = run.stderr.lines().collect();
    for ((context, (name, cause)), line) in contexts
        .iter()
        .zip([
            ("down", "the connection to the server "),
            ("refused", "cannot read HPAs"),
            ("unknown", "context \"unknown\" does not exist in "),
            ("silent", " gave no answer within 2s (--request-timeout)"),
        ])
        .zip(&lines)
    {
        assert_eq!(context["name"], name);
        let error = context["error"].as_str().unwrap();
        assert!(error.contains(cause), "{error}");
        assert_eq!(*line, format!("error: context {name}: {error}"));
    }
    assert_eq!(lines.len(), 4, "{run:?}");
}

#[test]
fn a_context_without_hpas_is_no_failure() {
    let (eu, us) = (prod_eu(), prod_us());
    us.set_json(HPAS, &list(Vec::new()));
    let plugin = plugin_of(&[("eu", &eu.url()), ("us", &us.url())]);
    for words in [
        &["list", "--all-contexts"][..],
        &["list", "full", "--all-contexts"],
        &["lint", "full", "--all-contexts", "--exit-zero"],
    ] {
        let run = plugin.run(words);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(
            run.stderr.starts_with("context us: ") && run.stderr.contains(" no HPAs"),
            "{words:?}: {run:?}"
        );
    }
    // A name that none of them has is an error.
    let run = plugin.run(&["list", "nothing", "--all-contexts"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr
            .starts_with("error: context eu: HPA \"nothing\" not found"),
        "{run:?}"
    );
}

#[test]
fn namespace_is_that_of_each_context_unless_it_is_named() {
    let (eu, us) = (prod_eu(), prod_us());
    let of_web = HPAS.replace("shop", "web");
    us.set_json(&of_web, &list(Vec::new()));
    let plugin = Plugin::bare();
    let text = kubeconfig("us", &us.url()).replace("namespace: shop", "namespace: web");
    let files = [
        plugin.write("eu", &kubeconfig("eu", &eu.url())),
        plugin.write("us", &text),
    ];
    let files: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    let plugin = plugin.with("KUBECONFIG", &files.join(":"));
    let run = plugin.run(&["list", "--all-contexts"]);
    assert!(0 < us.count(&of_web), "{run:?}");
    assert_eq!(us.count(HPAS), 0, "{run:?}");
    assert!(0 < eu.count(HPAS), "{run:?}");
    assert!(
        run.stdout.starts_with("CONTEXT  NAMESPACE  NAME"),
        "{run:?}"
    );
    let run = plugin.run(&["list", "--all-contexts", "-n", "shop"]);
    assert!(0 < us.count(HPAS), "{run:?}");
    assert!(run.stdout.starts_with("CONTEXT  NAME  "), "{run:?}");
}

#[test]
fn kubeconfigs_of_a_folder_go_by_the_names_of_their_files() {
    let (eu, us) = (prod_eu(), prod_us());
    let plugin = Plugin::bare();
    fs::create_dir_all(plugin.path("configs/.git")).unwrap();
    // All kubeconfigs of k3s contain the same names.
    plugin.write("configs/prod-eu.yaml", &kubeconfig("default", &eu.url()));
    plugin.write("configs/prod-us.conf", &kubeconfig("default", &us.url()));
    let two = kubeconfig("a", &eu.url()).replace(
        "\nusers:",
        "\n- {name: b, context: {cluster: a, user: a, namespace: shop}}\nusers:",
    );
    plugin.write("configs/two", &two);
    plugin.write("configs/two.old", &kubeconfig("default", &us.url()));
    plugin.write(
        "configs/.prod-ap.yaml.swp",
        &kubeconfig("default", &us.url()),
    );
    plugin.write("configs/README.md", "# Our clusters\n");
    plugin.write("configs/broken.yaml", "contexts: 7\n");
    let run = plugin.run(&["list", "--contexts-from", "configs", "-o", "json"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    let output = json_of(&run);
    let contexts = output["contexts"].as_array().unwrap();
    let names: Vec<&str> = contexts
        .iter()
        .map(|context| context["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["broken", "prod-eu", "prod-us", "two/a", "two/b", "two.old"]
    );
    assert!(
        run.stderr
            .starts_with("error: context broken: cannot use kubeconfig configs/broken.yaml: "),
        "{run:?}"
    );
    assert_eq!(output["summary"]["hpas"], 15);

    fs::create_dir(plugin.path("empty")).unwrap();
    let run = plugin.run(&["list", "--contexts-from", "empty"]);
    run.fails_with("--contexts-from empty: no file there is a kubeconfig with a context");
    let run = plugin.run(&["list", "--contexts-from", "nowhere"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(
        run.stderr.starts_with("error: --contexts-from nowhere: "),
        "{run:?}"
    );
}

#[test]
fn drift_is_a_finding_of_lint_in_every_format() {
    let (eu, us) = (prod_eu(), prod_us());
    let plugin = plugin_of(&[("eu", &eu.url()), ("us", &us.url())]);
    let words = ["lint", "--all-contexts", "--select", "HPA709", "-o"];
    let lint = |format: &str| plugin.run(&[&words[..], &[format]].concat());
    let output = json_of(&lint("json"));
    let findings: Vec<[&str; 4]> = output["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            [
                &finding["object"]["context"],
                &finding["object"]["name"],
                &finding["path"],
                &finding["message"],
            ]
            .map(|value| value.as_str().unwrap())
        })
        .collect();
    assert_eq!(
        findings,
        [
            [
                "eu",
                "full",
                "spec.maxReplicas",
                "maxReplicas is 4 in eu, 10 in us"
            ],
            [
                "eu",
                "full",
                "",
                "the verdict is at max, 4 short in eu; up by cpu in us"
            ],
            [
                "eu",
                "lost",
                "spec.scaleTargetRef.name",
                "scaleTargetRef.name is lost in eu, nobody in us"
            ],
            [
                "eu",
                "lost",
                "",
                "the verdict is within tolerance in eu, target not found in us"
            ],
        ]
    );
    assert_eq!(
        output["findings"][0]["related"][0]["object"]["context"],
        "us"
    );
    for format in LintFormat::names() {
        let run = lint(&format);
        assert_eq!(run.code, Some(0), "{run:?}");
        let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("4 in eu, 10 in us"), "{format}: {text}");
    }
    // An annotation suppresses it, in the first cluster that has the HPA.
    let mut accepted: Value = serde_json::from_str(&eu.answer(HPAS)).unwrap();
    for item in accepted["items"].as_array_mut().unwrap() {
        item["metadata"]["annotations"] = json!({"kubectl-hpa/ignore": "context-drift"});
    }
    eu.set_json(HPAS, &accepted);
    let output = json_of(&lint("json"));
    assert_eq!(output["findings"], json!([]));
    assert_eq!(output["summary"]["suppressed"], 4);
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let plugin = plugin_of(&[("eu", "http://127.0.0.1:1")]);
    for words in [
        "list --contexts eu --context eu",
        "list --contexts eu --cluster eu",
        "list --contexts eu --all-contexts",
        "list --contexts-from . --contexts eu",
        "list --contexts-from . --kubeconfig eu",
        "list --all-contexts --server http://127.0.0.1:1",
        "list --contexts eu -f web.yaml",
        "list --contexts eu --at 10:00",
        "list --all-contexts --watch",
        "lint --contexts eu -f web.yaml",
        "lint --all-contexts -f web.yaml --compare",
        "history web --contexts eu --at 10:00",
        "history web --all-contexts --set maxReplicas=3",
        "history web --all-contexts --record past.jsonl",
    ] {
        let run = plugin.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{words}: {run:?}");
        assert!(
            run.stderr.contains("cannot be used with"),
            "{words}: {run:?}"
        );
    }
    for (words, problem) in [
        (
            "list --contexts=",
            "a value is required for '--contexts <NAMES>'",
        ),
        ("history --all-contexts --depth usage", "--depth hpa only"),
        (
            "history --all-contexts --prometheus https://example.com",
            "which cannot distinguish the clusters",
        ),
        ("history --all-contexts -o html", "-o html is for one HPA"),
    ] {
        let run = plugin.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{words}: {run:?}");
        assert!(run.stderr.contains(problem), "{words}: {run:?}");
    }
}

/// A user who interrupts the wait for the last cluster still gets the others.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_wait_for_what_is_missing() {
    let (eu, silent) = (prod_eu(), prod_eu());
    silent.set(
        HPAS,
        Answer::json(&list(Vec::new())).after(Duration::from_hours(1)),
    );
    let plugin = plugin_of(&[("eu", &eu.url()), ("silent", &silent.url())]);
    let files = format!(
        "export KUBECONFIG={}:{};",
        plugin.path("eu").display(),
        plugin.path("silent").display()
    );
    let words = ["list", "--all-contexts", "--request-timeout=1h"];
    let mut terminal = crate::watch_screen::screen(&plugin, &words, &files);
    terminal.shows("waiting for 1 of 2 contexts (Ctrl-C: without them): silent");
    terminal.press("\u{3}");
    let screen = terminal.shows("error: context silent: interrupted");
    assert!(!screen.contains("waiting for"), "{screen}");
    assert!(screen.contains("at max, 4 short"), "{screen}");
    assert_eq!(terminal.ends().exit_code(), 2);
}

#[test]
fn what_cannot_be_read_is_reported_once_for_all_contexts_that_lack_it() {
    let (eu, us) = (prod_eu(), prod_eu());
    for server in [&eu, &us] {
        server.set(PODS, Answer::status(&forbidden("pods")));
    }
    let plugin = plugin_of(&[("eu", &eu.url()), ("us", &us.url())]);
    let run = plugin.run(&["list", "--all-contexts"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    let of_both = lines
        .iter()
        .filter(|line| line.starts_with("contexts eu and us: not read for "));
    assert!(0 < of_both.count(), "{run:?}");
    let output = json_of(&plugin.run(&["list", "--all-contexts", "-o", "json"]));
    let not_read = output["notRead"].as_array().unwrap();
    assert!(!not_read.is_empty());
    for context in ["eu", "us"] {
        assert!(
            not_read.iter().any(|one| one["context"] == context),
            "{not_read:#?}"
        );
    }
}
