//! `list -f`: HPAs of files instead of a cluster.

use serde_json::Value;

use crate::several::said_of;

#[test]
fn every_hpa_of_a_file_is_listed_at_its_last_sync() {
    assert_eq!(
        list(&["--sort-by", "urgency"]),
        "\
NAMESPACE  NAME  VERDICT                      REPLICAS  MIN-MAX  METRIC        UNMET  SCALED  LINT
api        api   at max, 12 short             20        4-20     cpu 106%/60%  12+2   115s    0
beta       web   shares pods with web-canary  4         2-10     -             ?      never   1
shop       web   2 pods not ready             8         2-20     cpu 85%/60%   2      never   0
news       web   window until 11:35:30        9         2-20     cpu 24%/60%   0      never   0

4 HPAs: 3 held, 1 cannot scale · 1 limited at max · 1 lint error
",
    );
}

#[test]
fn custom_columns_and_columns_of_labels_are_those_of_kubectl() {
    let columns = "-ocustom-columns=NAME:.name,TO:.verdict.to,X:.missing";
    let table = "NAME   TO   X\napi    20   <none>\n";
    assert_eq!(list(&["api", columns]), table);
    assert_eq!(
        list(&["api", columns, "--no-headers"]),
        "api   20   <none>\n"
    );
    let labels = list(&["api", "-L", "team,x/tier"]);
    let header = labels.lines().next().unwrap();
    assert!(header.ends_with("LINT  TEAM  TIER"), "{labels}");
}

#[test]
fn flags_select_hpas_and_the_sync_as_in_explain() {
    let json = |flags: &[&str]| -> Value {
        serde_json::from_str(&list(&[&["-o", "json"], flags].concat())).unwrap()
    };
    let names = |document: &Value| -> Vec<String> {
        let items = document["items"].as_array().unwrap().iter();
        items
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(names(&json(&["-n", "shop"])), ["web"]);
    assert_eq!(names(&json(&["deploy/api"])), ["api"]);
    let before = json(&["api", "--at", "2026-11-21T11:30:19Z"]);
    assert_eq!(before["items"][0]["current"], 8);
    assert_eq!(before["items"][0]["desired"], 16);
}

/// `explain` begins with the situation where that changes what to do next; the decision would mislead.
#[test]
fn verdict_names_what_explain_says_first() {
    for (question, words, urgency, first) in [
        (
            "05-replicas-jump-back",
            "Argo CD set 2 replicas",
            "problem",
            "Argo CD set 2 replicas after the HPA had set 4.",
        ),
        (
            "06-pods-use-less",
            "2 pods of other owners",
            "problem",
            "2 of 6 pods do not belong",
        ),
        (
            "09-deploy-scales-to-max",
            "at max, 57 short",
            "beyondMax",
            "At maxReplicas 10: CPU is at 400%",
        ),
        (
            "14-vertical-autoscaler",
            "VPA changes requests",
            "problem",
            "VerticalPodAutoscaler web",
        ),
        (
            "19-up-and-down",
            "flapping",
            "problem",
            "The HPA is flapping: 4 direction changes",
        ),
        (
            "21-percent-of-what",
            "target out of reach",
            "problem",
            "This HPA can never scale up",
        ),
        (
            "22-stateful-set",
            "waits for db-1",
            "problem",
            "The HPA has done its part",
        ),
        // Nothing is wrong around these.
        (
            "07-keda-cooldown",
            "window",
            "none",
            "External metric s0-rabbitmq-mail is at 3.334",
        ),
        (
            "13-more-during-a-rollout",
            "up by cpu",
            "scaling",
            "CPU is at 80%",
        ),
        (
            "17-argo-rollout",
            "within tolerance",
            "none",
            "CPU is at 57%",
        ),
    ] {
        let recording = format!("questions/{question}");
        let list = said_of(&[&recording], "list", &["-o", "json"]);
        let list: Value = serde_json::from_str(&list).unwrap();
        let item = &list["items"][0];
        assert_eq!(item["words"], words, "{question}");
        assert_eq!(item["urgency"], urgency, "{question}");
        let sentence = item["verdict"]["sentence"].as_str().unwrap();
        assert!(sentence.starts_with(first), "{question}: {sentence}");
        let explained = said_of(&[&recording], "explain", &["-o", "json"]);
        let explained: Value = serde_json::from_str(&explained).unwrap();
        assert_eq!(explained["verdict"]["sentence"], sentence, "{question}");
        let problems = u32::from(urgency == "problem");
        assert_eq!(list["summary"]["problems"], problems, "{question}");
    }
}

/// A metric that fails may ask for any number, and two HPAs that share pods ask for none. One that is off asks for nothing.
#[test]
fn unmet_demand_is_unknown_where_a_metric_fails_or_is_not_asked() {
    let recordings = [
        "held-by-window",
        "more-than-max",
        "two-hpas",
        "broken-metric",
        "questions/15-stays-at-zero",
    ];
    let list = said_of(&recordings, "list", &["-o", "json", "--sort-by", "unmet"]);
    let list: Value = serde_json::from_str(&list).unwrap();
    let items = list["items"].as_array().unwrap().iter();
    let unmet: Vec<String> = items
        .map(|item| format!("{} {}", item["verdict"]["rule"], item["unmet"]))
        .collect();
    assert_eq!(
        unmet,
        [
            r#""max-replicas" {"aboveMax":12,"complete":true,"notReady":2,"total":14}"#,
            r#""selector-ambiguous" {"aboveMax":null,"complete":false,"notReady":0,"total":0}"#,
            r#""invalid-metric-blocks-scale-down" {"aboveMax":null,"complete":false,"notReady":0,"total":0}"#,
            r#""stabilization-window" {"aboveMax":0,"complete":true,"notReady":0,"total":0}"#,
            r#""scaling-disabled-at-zero" {"aboveMax":0,"complete":true,"notReady":0,"total":0}"#,
        ]
    );
}

/// What is said of the HPAs of some examples.
fn list(flags: &[&str]) -> String {
    let examples = [
        "not-ready-pods",
        "held-by-window",
        "more-than-max",
        "two-hpas",
    ];
    said_of(&examples, "list", flags)
}
