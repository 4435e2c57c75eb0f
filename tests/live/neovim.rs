//! The language server of `lint` with a real editor: Neovim, without a window.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

/// Bounds on one line, after characters of two and of four bytes: columns of the protocol are not those of the editor.
const TEXT: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: \"wäb😀\"}, minReplicas: 3, maxReplicas: 3}
";

#[test]
fn neovim_shows_findings_and_pages_and_applies_a_fix() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path(".git")).unwrap();
    fs::write(path("hpa.yaml"), TEXT).unwrap();
    fs::write(path("on_save.lua"), documented("'BufWritePre'")).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/neovim.lua");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S"])
        .arg(script)
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .env("TEST_FILE", "hpa.yaml")
        .env("TEST_SERVER", env!("CARGO_BIN_EXE_kubectl-hpa"))
        .env("TEST_SEEN", path("seen.json"))
        .env("TEST_ON_SAVE", path("on_save.lua"))
        .output()
        .expect("nvim is missing: apt-get install neovim");
    let text = fs::read_to_string(path("seen.json")).unwrap_or_else(|_| panic!("{output:?}"));
    let seen: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(seen["problem"], Value::Null, "{output:?}");

    let line = TEXT.lines().last().unwrap();
    let at = line.find("maxReplicas").unwrap();
    let first = &seen["first"][0];
    assert_eq!(
        (&first["line"], &first["column"]),
        (&json!(3), &json!(at)),
        "{first}"
    );
    assert_eq!(first["end_column"], at + "maxReplicas: 3".len());
    // Information, as Neovim counts.
    assert_eq!(
        (&first["severity"], &first["source"]),
        (&json!(3), &json!("kubectl-hpa"))
    );
    assert_eq!(seen["changed"][0]["code"], "HPA103");
    let page = seen["hover"]["value"].as_str().unwrap();
    assert!(page.starts_with("# HPA103 min-unset\n"), "{page}");
    let titles = seen["titles"].as_array().unwrap();
    assert!(
        titles[0].as_str().unwrap().starts_with("HPA103: "),
        "{titles:?}"
    );

    let fixed = seen["text"][3].as_str().unwrap();
    assert!(
        fixed.contains("name: \"wäb😀\"}, maxReplicas: 3, minReplicas: "),
        "{fixed}"
    );
    assert_eq!(
        (&seen["all"], &seen["on_save"]),
        (&seen["text"], &seen["text"])
    );
    let saved = fs::read_to_string(path("hpa.yaml")).unwrap();
    assert_eq!(saved.lines().last(), Some(fixed));
}

/// The Lua of `docs/editors.md` that has these words.
fn documented(words: &str) -> &'static str {
    let page = include_str!("../../docs/editors.md");
    let mut blocks = page.split("```lua\n").skip(1).map(|rest| {
        let (block, _) = rest.split_once("```").unwrap();
        block
    });
    blocks.find(|block| block.contains(words)).unwrap()
}
