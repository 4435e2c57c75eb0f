//! The examples of docs/lint.md are true: its commands run, and its configuration is valid.

use std::{fs, path::Path, process::Command};

use hpa_lint::config::decode;

const HPA: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
";

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lint.md");
    let page = fs::read_to_string(page).expect("the page is there");
    page.split("```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_commands_for_files_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at(".git")).expect("it is writable");
    fs::create_dir(at("manifests")).expect("it is writable");
    for name in ["hpa.yaml", "deployment.yaml", "manifests/hpa.yaml"] {
        fs::write(at(name), HPA).expect("it is writable");
    }
    let mut count = 0;
    for line in blocks("sh").iter().flat_map(|block| block.lines()) {
        let command = line.rsplit_once("| ").map_or(line, |(_, command)| command);
        let flags = command.strip_prefix("kubectl hpa ").expect("our command");
        let is_live = flags.contains("-n ") || flags.contains("-A ");
        // `rendering.rs` tests Helm.
        if is_live || flags.contains("--render") {
            continue;
        }
        count += 1;
        let stdin = fs::File::open(at("hpa.yaml")).expect("the file is there");
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .args(flags.split_whitespace())
            .current_dir(folder.path())
            .stdin(stdin)
            .output()
            .expect("it runs");
        let reported = String::from_utf8_lossy(&output.stderr);
        assert_ne!(output.status.code(), Some(2), "{line}: {reported}");
        assert!(!reported.contains("warning: "), "{line}: {reported}");
    }
    assert!(12 <= count, "{count} commands");
}

#[test]
fn the_configuration_is_understood() {
    let configurations: Vec<String> = blocks("yaml")
        .into_iter()
        .filter(|block| block.starts_with("# .kubectl-hpa.yaml"))
        .collect();
    assert_eq!(configurations.len(), 1);
    for text in configurations {
        let config = decode(&text).unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(config.unknown, []);
        assert_eq!(config.paths.len(), 1);
    }
}
