//! The recipes of `docs/behavior.md`: the engine's result for each, sync by sync.
//!
//! `UPDATE_GENERATED=1 cargo test --test docs` writes the tables again.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{env, fmt::Write as _, fs, path::Path};

use hpa_engine::model::HpaSpec;
use hpa_explain::{Facts, Rule};
use hpa_objects::manifest::{
    self,
    validation::{Rules, validate},
};

use hpa_testing::{NOW, World};

use super::case::case;

/// One recipe of the page and the load that it is tried with.
struct Recipe {
    /// Its heading.
    heading: &'static str,
    /// Replicas at the start.
    replicas: i32,
    /// What the metrics ask for: the second from which on, and the replicas.
    asks: &'static [(i64, i32)],
    /// Seconds at which the table ends.
    end: i64,
}

const RECIPES: [Recipe; 8] = [
    Recipe {
        heading: "## Fast up, slow down",
        replicas: 4,
        asks: &[(0, 4), (30, 20), (120, 14)],
        end: 1200,
    },
    Recipe {
        heading: "## Freeze scale-down",
        replicas: 10,
        asks: &[(0, 10), (60, 3), (900, 14), (960, 3)],
        end: 1800,
    },
    Recipe {
        heading: "## One pod at a time",
        replicas: 4,
        asks: &[(0, 4), (30, 7), (240, 5)],
        end: 900,
    },
    Recipe {
        heading: "## A big fleet",
        replicas: 200,
        asks: &[(0, 200), (60, 206), (300, 260)],
        end: 600,
    },
    Recipe {
        heading: "### By day",
        replicas: 2,
        asks: &[(0, 2)],
        end: 60,
    },
    Recipe {
        heading: "### By night",
        replicas: 10,
        asks: &[(0, 2)],
        end: 600,
    },
    Recipe {
        heading: "### Down to zero",
        replicas: 2,
        asks: &[(0, 2), (60, 0), (600, 3)],
        end: 700,
    },
    Recipe {
        heading: "## After an incident",
        replicas: 12,
        asks: &[(0, 12), (60, 8)],
        end: 4800,
    },
];

/// The minor version that the page names.
const MINOR: u32 = 37;

#[test]
fn recipes_show_what_the_engine_makes_of_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/behavior.md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let mut now = page.clone();
    for recipe in RECIPES {
        let (before, rest) = now
            .split_once(&format!("\n{}\n", recipe.heading))
            .unwrap_or_else(|| panic!("no recipe {:?}", recipe.heading));
        let (yaml, rest) = rest
            .split_once("\n```yaml\n")
            .unwrap()
            .1
            .split_once("\n```\n")
            .unwrap();
        let (_, after) = rest
            .split_once("\n```text\n")
            .unwrap()
            .1
            .split_once("```\n")
            .unwrap();
        let head = &now[..now.len() - after.len()];
        let (head, _) = head.rsplit_once("\n```text\n").unwrap();
        assert!(head.starts_with(before), "{}", recipe.heading);
        now = format!(
            "{head}\n```text\n{}```\n{after}",
            table(&recipe, &spec(yaml))
        );
    }
    let recipes = page.matches("\n```yaml\n").count();
    assert_eq!(recipes, RECIPES.len(), "a recipe that is not tried");
    if env::var_os("UPDATE_GENERATED").is_some() {
        fs::write(path, now).unwrap();
    } else {
        assert!(
            page == now,
            "docs/behavior.md is out of date: run UPDATE_GENERATED=1 cargo test --test docs\n{now}"
        );
    }
}

/// The spec of an HPA with this fragment, as the API server stores it.
fn spec(fragment: &str) -> HpaSpec {
    let manifest = format!(
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: web, namespace: shop}}\n\
         {fragment}\n  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}\n  \
         metrics: [{{type: External, external: {{metric: {{name: queue}}, target: {{type: AverageValue, averageValue: 1}}}}}}]\n"
    );
    let snapshots = manifest::read(manifest.as_bytes(), "docs/behavior.md", NOW)
        .unwrap_or_else(|error| panic!("{error}\n{manifest}"));
    let hpa = &snapshots[0].hpa;
    let rules = Rules {
        config: &case(1).kube(MINOR).observation.controller,
        old: None,
    };
    let violations = validate(&hpa.spec, rules);
    assert!(violations.is_empty(), "{violations:?}\n{manifest}");
    hpa.to_model().unwrap().spec
}

/// A line for each change of the load or of the replicas.
fn table(recipe: &Recipe, spec: &HpaSpec) -> String {
    // The load before the table is that of its first line.
    let ages: Vec<String> = (1..20).map(|sync| format!("{}s", sync * 15)).collect();
    let before = ages.iter().map(|age| (recipe.asks[0].1, age.as_str()));
    let before: Vec<(i32, &str)> = before.collect();
    let mut case: World = case(recipe.replicas)
        .kube(MINOR)
        .proposing(recipe.replicas)
        .remembering(&before);
    let metrics = case.observation.hpa.spec.metrics.clone();
    case.observation.hpa.spec = HpaSpec {
        metrics,
        ..spec.clone()
    };
    let mut out = String::from(" time  metrics ask for  replicas    decided by\n");
    let mut last = None;
    for second in (0..=recipe.end).step_by(15) {
        let asks = recipe
            .asks
            .iter()
            .rfind(|(from, _)| *from <= second)
            .unwrap()
            .1;
        case.set_proposal(asks);
        let before = case.observation.clone();
        let trace = case.sync_and_wait(15);
        let rule = Rule::binding(&Facts::new(&before, &trace));
        case.observation.hpa.status = trace.outcome.clone().unwrap().status;
        let from = trace.current().unwrap();
        let to = trace.decision.replicas().unwrap_or(from);
        let is_news = from != to || last != Some(asks);
        last = Some(asks);
        if is_news {
            let time = format!("{:>2}:{:02}", second / 60, second % 60);
            let replicas = if from == to {
                to.to_string()
            } else {
                format!("{from} → {to}")
            };
            let rule = rule.as_str().replace('-', " ");
            writeln!(out, "{time}  {asks:<15}  {replicas:<10}  {rule}").unwrap();
        }
    }
    out
}
