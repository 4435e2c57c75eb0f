//! Which files are read.

use std::{fs, path::Path};

use assert_cmd::Command;
use kubectl_hpa::cli::LintFormat;

use crate::input::HPA;

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
            fs::write(path, text).expect("a file can be written");
        }
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Exit code, standard output, and standard error.
    pub(crate) fn lint(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        self.lint_with(arguments, "")
    }

    fn lint_with(&self, arguments: &[&str], stdin: &str) -> (Option<i32>, String, String) {
        let output = Command::cargo_bin("kubectl-hpa")
            .expect("it is built")
            .current_dir(self.path())
            .env_remove("KUBECONFIG")
            .arg("lint")
            .args(arguments)
            .write_stdin(stdin)
            .output()
            .expect("it runs");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    }

    /// Names of the files with a finding of HPA102, in order.
    #[track_caller]
    fn linted(&self, arguments: &[&str]) -> Vec<String> {
        let (_, out, error) = self.lint(&[arguments, &["-o", "json"]].concat());
        let report: serde_json::Value =
            serde_json::from_str(&out).unwrap_or_else(|problem| panic!("{problem}: {out}{error}"));
        let findings = report["findings"].as_array().expect("it has findings");
        findings
            .iter()
            .filter(|finding| finding["code"] == "HPA102")
            .map(|finding| finding["file"].as_str().expect("a file").to_owned())
            .collect()
    }
}

#[test]
fn a_directory_is_read_in_the_order_of_names_and_below_only_on_request() {
    let folder = Folder::new(&[
        ("k8s/b.yaml", HPA),
        ("k8s/a.yml", HPA),
        ("k8s/c.json", "{}"),
        ("k8s/d.txt", HPA),
        ("k8s/.hidden.yaml", HPA),
        ("k8s/.git/e.yaml", HPA),
        ("k8s/below/f.yaml", HPA),
        ("k8s/below/.g/h.yaml", HPA),
    ]);
    assert_eq!(folder.linted(&["-f", "k8s"]), ["k8s/a.yml", "k8s/b.yaml"]);
    let all = ["k8s/a.yml", "k8s/b.yaml", "k8s/below/f.yaml"];
    assert_eq!(folder.linted(&["-R", "-f", "k8s"]), all);
    // A named file is read whatever its name.
    assert_eq!(
        folder.linted(&["-f", "k8s/d.txt,k8s/.hidden.yaml"]),
        ["k8s/d.txt", "k8s/.hidden.yaml"]
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_nothing_is_read_twice() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new(&[("k8s/a.yaml", HPA), ("other/b.yaml", HPA)]);
    let at = |path: &str| folder.path().join(path);
    symlink(at("k8s"), at("k8s/loop")).expect("a link");
    symlink(at("other"), at("k8s/other")).expect("a link");
    symlink(at("k8s/a.yaml"), at("k8s/z.yaml")).expect("a link");
    symlink(at("nowhere"), at("k8s/gone")).expect("a link");
    assert_eq!(
        folder.linted(&["-R", "-f", "k8s", "-f", "k8s/a.yaml", "--with", "."]),
        ["k8s/a.yaml", "k8s/other/b.yaml"]
    );
}

#[test]
fn a_name_may_have_a_comma() {
    let folder = Folder::new(&[("a,b.yaml", HPA), ("c.yaml", HPA)]);
    assert_eq!(
        folder.linted(&["-f", "a,b.yaml", "-f", "c.yaml"]),
        ["a,b.yaml", "c.yaml"]
    );
}

#[test]
fn what_cannot_be_read_ends_the_run_with_a_clear_word() {
    let folder = Folder::new(&[("a.yaml", HPA), ("empty/readme.txt", "")]);
    for (arguments, problem) in [
        (&["-f", "b.yaml"][..], "b.yaml: No such file"),
        (
            &["-f", "https://example.com/hpa.yaml"],
            "curl -sSf https://example.com/hpa.yaml | kubectl hpa lint -f -",
        ),
        (&["-f", "a.yaml", "--with", "gone"], "gone: No such file"),
        (&["-f", "-", "-f", "-"], "only once"),
        (
            &["a.yaml"],
            "a.yaml is a file, not an HPA name: use -f a.yaml",
        ),
    ] {
        let (code, out, error) = folder.lint(arguments);
        assert_eq!((code, &*out), (Some(2), ""), "{arguments:?}: {error}");
        assert!(error.contains(problem), "{arguments:?}: {error}");
    }
}

#[test]
fn a_file_as_a_name_gets_a_command_that_reads_it() {
    let folder = Folder::new(&[("a.yaml", HPA), ("b c.jsonl", "")]);
    for (command, has_f) in [
        ("explain", true),
        ("explain -w", false),
        ("list", true),
        ("list -w", false),
        ("watch", false),
        ("capture", false),
        ("history", false),
        ("simulate", true),
    ] {
        for (file, instead) in [
            ("a.yaml", "`kubectl hpa explain -f a.yaml`"),
            ("b c.jsonl", "`kubectl hpa replay 'b c.jsonl'`"),
        ] {
            let own = format!("-f {file}");
            let instead = if has_f { &own } else { instead };
            let ran = std::process::Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
                .current_dir(folder.path())
                .args(command.split(' ').chain([file]))
                .output()
                .expect("it runs");
            let error = String::from_utf8(ran.stderr).expect("a text");
            let expected = format!("error: {file} is a file, not an HPA name: use {instead}\n");
            assert_eq!(error, expected, "{command}");
        }
    }
}

#[test]
fn nothing_to_lint_is_reported_in_every_format() {
    let other = HPA.replace("HorizontalPodAutoscaler", "VerticalPodAutoscaler");
    let folder = Folder::new(&[("k8s/a.yaml", &other), ("k8s/b.yaml", "a: [\n")]);
    for format in LintFormat::names() {
        let (code, out, error) = folder.lint(&["-f", "k8s", "-o", &format]);
        let printed = format!("{out}{error}");
        assert_eq!(code, Some(0), "{format}: {printed}");
        for words in ["nothing to lint", "b.yaml"] {
            assert!(printed.contains(words), "{format}: {printed}");
        }
        let (_, out, error) = folder.lint(&["-f", "k8s", "-o", &format, "-q"]);
        assert_eq!(error, "", "{format}: {out}");
    }
}

#[test]
fn findings_are_reported_by_the_exit_code_of_a_closed_pipe() {
    let folder = Folder::new(&[("a.yaml", HPA)]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let status = std::process::Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
        .current_dir(folder.path())
        .args(["lint", "-f", "a.yaml", "--fail-on", "info"])
        .stdout(writer)
        .status()
        .expect("it runs");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn standard_input_is_linted() {
    let folder = Folder::new(&[]);
    let (_, out, error) = folder.lint_with(&["-f", "-", "-o", "json"], HPA);
    assert!(
        out.contains("\"<stdin>\"") && out.contains("HPA102"),
        "{out}{error}"
    );
}

#[test]
fn a_chart_beside_its_output_does_not_fail_the_run() {
    let template = "{{- if .Values.service }}\nkind: Service\n{{- end }}\n";
    let autoscaler = HPA.replace("name: web", "name: {{ .Release.Name }}");
    let plain = HPA.replace("name: web", "name: \"{{ .Release.Name }}\"");
    let good = HPA.replace("minReplicas: 4", "minReplicas: 2");
    let folder = Folder::new(&[
        (
            "chart/Chart.yaml",
            "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
        ),
        ("chart/values.yaml", "image: {tag: 1.0}\n"),
        ("chart/templates/service.yaml", template),
        ("chart/templates/hpa.yaml", &autoscaler),
        ("chart/templates/plain.yaml", &plain),
        (
            "chart/charts/part/Chart.yaml",
            "apiVersion: v2\nname: part\n",
        ),
        ("chart/charts/part/templates/hpa.yaml", &autoscaler),
        ("rendered/hpa.yaml", &good),
    ]);
    let (_, out, error) = folder.lint(&["-R", "-f", ".", "--select", "HPA012,HPA102"]);
    let out: Vec<&str> = out.split_whitespace().collect();
    let out = out.join(" ");
    let note =
        "is a Helm chart, and its templates are not checked; lint what Helm renders: helm template";
    assert!(
        out.contains(&format!("./chart {note} ./chart | kubectl hpa lint -f -")),
        "{out}{error}"
    );
    assert_eq!(out.matches(note).count(), 1, "{out}");
    assert!(!out.contains("error["), "{out}{error}");
    assert!(out.ends_with("1 HPA: nothing found"), "{out}");
    for (path, root) in [("chart/", "chart"), ("chart/templates", "chart")] {
        let (code, out, error) = folder.lint(&["-f", path]);
        let out: Vec<&str> = out.split_whitespace().collect();
        let out = out.join(" ");
        assert_eq!(code, Some(0), "{out}{error}");
        assert!(
            out.contains(&format!("{root} {note} {root} |")),
            "{out}{error}"
        );
    }
    let (code, out, _) = folder.lint(&["-f", "chart/templates/service.yaml"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(
        out.contains("document 1 is a Helm template, not a manifest"),
        "{out}"
    );
}

#[test]
fn a_manifest_with_placeholders_in_a_directory_is_named_and_not_judged() {
    let variable = HPA.replace("minReplicas: 4", "minReplicas: \"${MIN}\"");
    let name = HPA.replace("name: web", "name: {name}");
    let rendered = HPA.replace("name: web", "name: {{ name }}-x");
    let annotation = HPA.replace(
        "name: web\n",
        "name: web\n  annotations: {dashboard: \"{{ job }}\"}\n",
    );
    let folder = Folder::new(&[
        ("k8s/variable.yaml", &variable),
        ("k8s/name.yaml", &name),
        ("k8s/rendered.yaml", &rendered),
        ("k8s/annotation.yaml", &annotation),
    ]);
    let (code, out, error) = folder.lint(&["-f", "k8s", "--select", "HPA009,HPA012"]);
    let out: Vec<&str> = out.split_whitespace().collect();
    let out = out.join(" ");
    assert_eq!(code, Some(0), "{out}{error}");
    let note = "an HPA with placeholders such as {name} is not checked; lint the manifest that you apply: \
                k8s/name.yaml:1:1 and k8s/variable.yaml:1:1";
    assert!(out.contains(note), "{out}{error}");
    let note = "templates are not manifests and are not checked; lint what they render: \
                k8s/rendered.yaml";
    assert!(out.contains(note), "{out}{error}");
    assert!(out.ends_with("1 HPA: nothing found"), "{out}");
    // A named file is one that the user wants to apply.
    let (code, ..) = folder.lint(&["-f", "k8s/variable.yaml"]);
    assert_eq!(code, Some(1));
}
