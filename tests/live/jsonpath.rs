//! `-o jsonpath` against the real kubectl: the same templates on the same document.

use std::{fs, path::Path, process::Command};

use kubectl_jsonpath::{Template, TemplateOptions};
use serde_json::{Value, json};

use crate::releases;

/// Templates whose results do not depend on the order of a map, which is random in kubectl.
const TEMPLATES: [&str; 66] = [
    "{.i}",
    ".i",
    "",
    "{}",
    "{.}",
    "{@.i} {$.f}",
    "i={.i}, f={.f}",
    "{.f} {.g} {.h} {.w} {.big} {.million} {@.list}",
    "{.n}|{.n.x}|{.n[0]}",
    "{.t} {.s} {.e}",
    "{.parts[0]}",
    "{.parts[0:2]}",
    "{.parts[*].name}",
    "{.parts[-1].name} {.parts[-1:].name} {.parts[:].name} {.parts[].name}",
    "{.parts[0:3:2].name} {.parts[1:].name} {.parts[:-1].name} {.parts[1:1]}",
    "{.parts[0,2].name}",
    "{['i','t']}",
    "{['i', 't']}",
    "{.parts[*]['name','v']}",
    "{.parts[?(@.v==1)].name}",
    "{.parts[?(@.v>=2)].name} {.parts[?(@.v<2)].name} {.parts[?(@.v!=2)].name}",
    "{.parts[?(@.name==\"two\")].v}",
    "{.parts[?(@.name=='two')].v}",
    "{.parts[?(@.name>'oo')].name}",
    "{.parts[?(@.ok==true)].name} {.parts[?(@.ok!=true)].name}",
    "{.parts[?(@.x)].name}",
    "{.parts[?(@.x.y==\"z\")].name}",
    "{.parts[?(@.tags[5])].name}",
    "{.parts[?(@.name==@.name)].name}",
    "{.parts[*]..y}",
    "{..y}",
    "{...y}",
    "{.parts[2].x.*}",
    "{.s.*}",
    "{.labels.a\\.b} {.labels['a\\.b']} {.labels['a.b']}",
    "{range .parts[*]}{.name}={.v}{\"\\n\"}{end}after {.i}",
    "{range .parts[*]}[{.name}]{range .tags[*]}({@}){end}{end}{.i}",
    "{range .parts[*]}{range .tags[*]}{@}{end}",
    "{range .parts[*]}{.name}{.i}",
    "{range .nope[*]}{.name}{range .tags[*]}{@}{end}{end}{.i}",
    "{range .parts[?(@.v>1)]}{.name}{'\\t'}{end}",
    "{.nope}|{.nope.x}|{.nope[0]}|{.nope[*].x}",
    "{\"a\\tb\\x41\\u00e9\"}{'it\\'s'}",
    "{1}{-2}{1.5}{true}{false}",
    "{ .i }{  .t}",
    "{.parts[0].tags}{.parts[2].x}",
    "{.parts[*].tags[*]}",
    // What is no template, or does not fit.
    "{.x",
    "{.parts[",
    "{.parts[a]}",
    "{.parts[1:2:3:4]}",
    "{.parts[-]}",
    "{.parts[\"name\"]}",
    "{.parts[?(@.v==1]}",
    "{.parts[?(@.v==1)}",
    "{\"a\\qb\"}",
    "{\"open}",
    "{#}",
    "{....}",
    "{foo}",
    "{end}",
    "{.parts[5]}",
    "{.parts[2:1]}",
    "{.parts[::0]}",
    "{.parts[?(@.v==1.5)]}",
    "{.i[0]} {.labels[0]}",
];

fn document() -> Value {
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "metadata": {"name": "x"},
        "n": null, "i": 5, "f": 1.5, "g": 1e21, "h": 1e-7, "w": 2.0, "big": 12_345_678.9, "million": 1_000_000.5, "list": [1e6, 123_456.5, 1e-5, 2.0, 1e21], "t": true,
        "s": "<a&b>", "e": [],
        "labels": {"a.b": "dotted"},
        "parts": [
            {"name": "one", "v": 1, "ok": true, "tags": ["a", "b"]},
            {"name": "two", "v": 2, "ok": false, "tags": []},
            {"name": "three", "v": 3, "x": {"y": "z"}},
        ],
    })
}

/// What kubectl prints, or its error without what it adds for debugging.
fn kubectl(file: &Path, output: &str, allow_missing: bool) -> Result<String, String> {
    let run = Command::new(releases::program("kubectl"))
        .args(["annotate", "--local", "a=b", "-f"])
        .arg(file)
        .args(["-o", output])
        .arg(format!("--allow-missing-template-keys={allow_missing}"))
        .env("KUBECONFIG", file.with_extension("none"))
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    if stderr.is_empty() {
        return Ok(String::from_utf8(run.stdout).unwrap());
    }
    let text = stderr.trim_start_matches("error: ");
    let first = text.split(". Printing more information").next().unwrap();
    Err(first
        .replace("Error executing template: ", "")
        .trim_end()
        .to_owned())
}

#[test]
fn templates_give_what_kubectl_gives() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("thing.json");
    fs::write(&file, document().to_string()).unwrap();
    let document: Value = serde_json::from_str(&kubectl(&file, "json", true).unwrap()).unwrap();
    let ours = |template: &str, is_missing_allowed, is_json| {
        let options = TemplateOptions {
            is_missing_allowed,
            is_json,
        };
        Template::parse(template)
            .and_then(|template| template.execute(&document, options))
            .map_err(|error| error.to_string())
    };
    let mut differences = Vec::new();
    let mut check = |template: &str, theirs: Result<String, String>, ours| {
        if theirs != ours {
            differences.push(format!(
                "{template}\n  kubectl {theirs:?}\n  ours    {ours:?}"
            ));
        }
    };
    for template in TEMPLATES
        .into_iter()
        .filter(|template| !template.is_empty())
    {
        let output = format!("jsonpath={template}");
        check(
            template,
            kubectl(&file, &output, true),
            ours(template, true, false),
        );
    }
    for template in [
        "{.nope}",
        "{.parts[*].x}",
        "{.parts[?(@.x.y)].name}",
        "{.i}",
    ] {
        let output = format!("jsonpath={template}");
        check(
            template,
            kubectl(&file, &output, false),
            ours(template, false, false),
        );
    }
    for template in ["{.parts[0:2]}", "{.nope}", "{.s}{.f}{.e}"] {
        let output = format!("jsonpath-as-json={template}");
        check(
            template,
            kubectl(&file, &output, true),
            ours(template, true, true),
        );
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
