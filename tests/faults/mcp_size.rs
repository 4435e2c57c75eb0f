//! `mcp`: the sizes of answers, and lists in portions.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    agent::{Agent, ToolAnswer},
    mcp::server,
    plugin::Plugin,
    prometheus::history::{FROM, TO, World},
    world::{self, HPAS, list},
};

/// Clients refuse more, at four characters a token.
const MOST_TOKENS: usize = 25_000;

/// What the documentation promises.
const PROMISED: usize = 15_000;

const MANY: usize = 500;

/// The size of an answer, which is below the bound.
#[track_caller]
fn tokens(answer: &ToolAnswer) -> usize {
    let characters: usize = answer.texts.iter().map(|text| text.chars().count()).sum();
    let tokens = characters / 4;
    assert!(tokens < PROMISED && PROMISED < MOST_TOKENS, "{tokens}");
    tokens
}

/// All rows of a list, portion by portion.
#[track_caller]
fn follow(agent: &Agent, tool: &str, input: &Value, rows: &str) -> Vec<Value> {
    let mut all = Vec::new();
    let mut answer = agent.call(tool, input.clone());
    loop {
        tokens(&answer);
        let json = answer.json();
        let more = json[rows].as_array().unwrap();
        assert!(!more.is_empty(), "{json}");
        all.extend_from_slice(more);
        let remaining = json["remaining"].as_u64().unwrap();
        assert_eq!(json["total"], json!(all.len() as u64 + remaining));
        let Some(cursor) = json.get("nextCursor") else {
            assert_eq!(remaining, 0);
            return all;
        };
        answer = agent.call(tool, json!({"cursor": cursor}));
    }
}

/// HPAs with long labels and names; the target of the first ones exists.
fn many() -> Vec<Value> {
    let hpa = |index: usize| {
        let mut hpa = world::hpa(&format!("web-{index:03}"));
        hpa["metadata"]["labels"] = json!({"team": "x".repeat(60), "note": "y".repeat(60)});
        if !index.is_multiple_of(3) {
            hpa["spec"]["scaleTargetRef"]["name"] = json!("web");
        }
        hpa
    };
    (0..MANY).map(hpa).collect()
}

#[test]
fn every_portion_of_500_hpas_is_below_the_bound_and_the_cursor_gives_each_once() {
    let server = server();
    server.set_json(HPAS, &list(many()));
    let plugin = Plugin::of(&server);
    let agent = Agent::start(plugin.command(&["mcp"]));
    for input in [
        json!({}),
        json!({"detail": "full"}),
        json!({"limit": 500}),
        json!({"limit": 500, "detail": "full"}),
        json!({"limit": 7}),
        json!({"fields": ["name", "verdict.sentence"], "limit": 500}),
    ] {
        let reads = server.count(HPAS);
        let rows = follow(&agent, "hpa_list", &input, "items");
        assert_eq!(server.count(HPAS), reads + 1, "later portions read nothing");
        let names: BTreeSet<&str> = rows
            .iter()
            .map(|row| row["name"].as_str().unwrap())
            .collect();
        assert_eq!((rows.len(), names.len()), (MANY, MANY), "{input}");
    }
    let first = agent.call("hpa_list", json!({}));
    assert_eq!(first.json()["items"].as_array().unwrap().len(), 50);
    assert_eq!(first.json()["summary"]["hpas"], MANY);
    assert!(first.sentences().starts_with("500 HPAs: "), "{first:?}");
    assert!(first.sentences().contains("450 remain: "), "{first:?}");
    for input in [json!({}), json!({"detail": "full", "limit": 500})] {
        let findings = follow(&agent, "hpa_lint", &input, "findings");
        let rank = |one: &Value| {
            let known = ["error", "warning", "info"];
            known.iter().position(|word| one["severity"] == **word)
        };
        assert!(findings.is_sorted_by_key(rank), "errors come first");
        let names: BTreeSet<&str> = findings
            .iter()
            .map(|one| one.get("object.name").unwrap_or(&one["object"]["name"]))
            .filter_map(Value::as_str)
            .filter(|name| name.starts_with("web-"))
            .collect();
        assert_eq!(names.len(), MANY, "{input}");
    }
    for (tool, input) in [
        ("hpa_explain", json!({"name": "web-*"})),
        ("hpa_explain", json!({"name": "web-*", "detail": "full"})),
        ("hpa_explain", json!({"name": "web-001", "detail": "full"})),
    ] {
        let answer = agent.call(tool, input);
        assert!(!answer.is_error, "{answer:?}");
        tokens(&answer);
    }
    assert!(agent.end().success());
}

#[test]
fn past_of_500_hpas_is_given_in_portions_below_the_bound() {
    let world = World::of_many(MANY);
    let agent = Agent::start(world.plugin.command(&["mcp", "--prometheus", &world.url()]));
    for limit in [50, 500] {
        let input = json!({"from": FROM, "to": TO, "limit": limit});
        let rows = follow(&agent, "hpa_history", &input, "hpas");
        let names: BTreeSet<&str> = rows
            .iter()
            .map(|row| row["name"].as_str().unwrap())
            .collect();
        assert_eq!((rows.len(), names.len()), (MANY, MANY), "{limit}");
        assert!(rows.iter().all(|row| 0 < row["changes"].as_u64().unwrap()));
    }
    assert!(agent.end().success());
}

#[test]
fn simulation_of_two_variants_and_history_are_below_the_bound() {
    let world = World::whole();
    let agent = Agent::start(world.plugin.command(&["mcp", "--prometheus", &world.url()]));
    let past = |more: Value| {
        let mut input = json!({"name": "web", "from": FROM, "to": TO});
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        agent.call("hpa_history", input)
    };
    let short = past(json!({}));
    assert!(tokens(&short) < 600, "{short:?}");
    assert_eq!(short.texts.len(), 1, "sentences alone");
    tokens(&past(json!({"detail": "full"})));
    assert!(agent.end().success());

    let server = server();
    server.set_json(HPAS, &list(vec![world::hpa("web")]));
    let plugin = Plugin::of(&server);
    let agent = Agent::start(plugin.command(&["mcp"]));
    let simulate = |more: Value| {
        let mut input = json!({"name": "web", "load": "x1..x9/50m", "for": "6h", "compare": ["maxReplicas=40", "maxReplicas=90"], "seeds": 2});
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        agent.call("hpa_simulate", input)
    };
    let short = simulate(json!({}));
    assert!(tokens(&short) < 1_500, "{short:?}");
    assert!(short.sentences().contains("variants"), "{short:?}");
    let full = simulate(json!({"detail": "full"}));
    tokens(&full);
    assert_eq!(full.json()["variants"].as_array().unwrap().len(), 3);
    assert!(full.sentences().contains("Lists are shortened"), "{full:?}");
    let much = simulate(
        json!({"for": "24h", "seeds": 32, "compare": ["minReplicas=15000,maxReplicas=15000"]}),
    );
    let less = "Use a shorter for, fewer seeds or fewer compare";
    assert!(much.error().contains(less), "{much:?}");
    // As the note says.
    let points = json!({"name": "web", "load": "x1..x9/50m", "for": "6h", "compare": ["maxReplicas=40", "maxReplicas=90"], "seeds": 2, "fields": ["variants.2.points"]});
    let points = follow(&agent, "hpa_simulate", &points, "variants.2.points");
    let seconds: Vec<f64> = points
        .iter()
        .map(|one| one["seconds"].as_f64().unwrap())
        .collect();
    assert!(seconds.is_sorted(), "{seconds:?}");
    assert_eq!(seconds.last(), Some(&21_540.0));
    let summaries = simulate(json!({"fields": ["variants.name", "variants.summary"]}));
    assert_eq!(
        summaries.json()["variants.name"].as_array().unwrap().len(),
        3
    );
    assert!(agent.end().success());
}

#[test]
fn wrong_portions_are_refused_with_what_to_write() {
    let server = server();
    server.set_json(HPAS, &list(many()));
    let plugin = Plugin::of(&server);
    let agent = Agent::start(plugin.command(&["mcp"]));
    let cursor = agent.call("hpa_list", json!({"selector": ""})).json()["nextCursor"].clone();
    for (tool, input, expected) in [
        ("hpa_list", json!({"detail": "long"}), "use short or full"),
        ("hpa_list", json!({"limit": 0}), "use 1 to 500"),
        ("hpa_list", json!({"limit": "x"}), "invalid input"),
        (
            "hpa_list",
            json!({"fields": ["nome"]}),
            "no field \"nome\": use agreement, at, ",
        ),
        (
            "hpa_explain",
            json!({"name": "web-001", "fields": ["x", "y"]}),
            "no field \"x\"",
        ),
        ("hpa_list", json!({"cursor": "x"}), "is not known"),
        (
            "hpa_list",
            json!({"cursor": cursor, "selector": "a=b"}),
            "other inputs",
        ),
        (
            "hpa_list",
            json!({"cursor": cursor, "detail": "full"}),
            "leave them out",
        ),
        ("hpa_lint", json!({"cursor": cursor}), "a call of hpa_list"),
    ] {
        let answer = agent.call(tool, input.clone());
        assert!(answer.error().contains(expected), "{input}: {answer:?}");
    }
    assert!(agent.end().success());
}
