//! The steps of `action.yml`, run as a GitHub runner does: with bash, and the inputs in the environment.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use kubectl_hpa_yaml::{YamlNode, parse};
use regex::Regex;
use serde_json::Value;
use tempfile::TempDir;

use crate::{input::HPA, schema::Schema};

/// A checkout with two manifests, and a runner's environment.
struct Runner {
    folder: TempDir,
    action: YamlNode,
    inputs: BTreeMap<String, String>,
    /// Whether only the programs in its own folder are in the `PATH`.
    is_bare: bool,
}

impl Runner {
    /// A runner for a use of the action with these inputs; the others have their defaults.
    fn new(given: &[(&str, &str)]) -> Self {
        let action = action();
        let folder = tempfile::tempdir().unwrap();
        let mut inputs: BTreeMap<String, String> = action
            .at("inputs")
            .unwrap()
            .entries()
            .iter()
            .map(|entry| {
                let default = entry.node.get("default").and_then(YamlNode::as_str);
                let default = default.unwrap_or_default();
                let temp = folder.path().join("temp").display().to_string();
                let default = default.replace("${{ runner.temp }}", &temp);
                (entry.key.to_string(), default)
            })
            .collect();
        for (name, value) in given {
            let known = inputs.insert((*name).to_owned(), (*value).to_owned());
            assert!(known.is_some(), "{name} is not an input");
        }
        let runner = Self {
            folder,
            action,
            inputs,
            is_bare: false,
        };
        for folder in [
            "checkout/.git",
            "checkout/deploy/web",
            "checkout/other folder",
            "bin",
            "temp",
        ] {
            fs::create_dir_all(runner.path(folder)).unwrap();
        }
        let crossed = HPA.replace("maxReplicas: 4", "maxReplicas: 3");
        fs::write(runner.path("checkout/deploy/web/hpa.yaml"), crossed).unwrap();
        fs::write(runner.path("checkout/other folder/hpa.yaml"), HPA).unwrap();
        runner
    }

    /// The same with the program in the `PATH`.
    fn installed(given: &[(&str, &str)]) -> Self {
        let runner = Self::new(&[&[("version", "installed")], given].concat());
        let program = env!("CARGO_BIN_EXE_kubectl-hpa");
        symlink(program, runner.path("bin/kubectl-hpa")).unwrap();
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Runs a step, in the checkout.
    fn step(&self, id: &str) -> Output {
        let mut steps = self.action.at("runs.steps").unwrap().items().iter();
        let step = steps.find(|step| text(step, "id") == id).unwrap();
        assert_eq!(text(step, "shell"), "bash");
        let script = self.path("script.sh");
        fs::write(&script, text(step, "run")).unwrap();
        let added = self.read("path");
        let added = added.lines().next().unwrap_or("/nowhere");
        let own = self.path("bin");
        let others = if self.is_bare { "" } else { ":/usr/bin:/bin" };
        let mut command = Command::new("/bin/bash");
        command
            .args(["--noprofile", "--norc", "-eo", "pipefail"])
            .arg(script)
            .current_dir(self.path("checkout"))
            .env_clear()
            .env("PATH", format!("{added}:{}{others}", own.display()))
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_OUTPUT", self.path("output"))
            .env("GITHUB_STEP_SUMMARY", self.path("summary"))
            .env("GITHUB_PATH", self.path("path"))
            .env("RUNNER_TEMP", self.path("temp"))
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64");
        let input = Regex::new(r"^\$\{\{ inputs\.([a-z-]+) \}\}$").unwrap();
        for entry in step.get("env").unwrap().entries() {
            let value = entry.node.as_str().unwrap();
            let value = match input.captures(value) {
                Some(named) => &self.inputs[&named[1]],
                None => "https://github.invalid",
            };
            command.env(&*entry.key, value);
        }
        command.output().unwrap()
    }

    /// Puts a script into the `PATH`.
    fn program(&self, name: &str, script: &str) {
        let file = self.path(&format!("bin/{name}"));
        crate::script::script(&file, &format!("#!/bin/sh\n{script}\n"));
    }

    /// A runner that downloads a release, by a `curl` that has it.
    fn downloading(given: &[(&str, &str)]) -> Self {
        let given = [&[("version", "v9.9.9"), ("repository", "me/fork")], given].concat();
        let mut runner = Self::new(&given);
        runner.release("v9.9.9");
        runner.is_bare = true;
        for name in ["cp", "grep", "gzip", "mkdir", "sha256sum", "tar"] {
            let program = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
            let program = program.iter().find(|path| path.exists()).unwrap();
            symlink(program, runner.path("bin").join(name)).unwrap();
        }
        let archives = runner.path("archives");
        let script = format!(
            "while [ \"$1\" != --output ]; do shift; done; exec cp '{}'/\"${{3##*/}}\" \"$2\"",
            archives.display()
        );
        runner.program("curl", &script);
        runner
    }

    /// Packages a release with the program under test.
    fn release(&self, version: &str) {
        let folder = self.path("archives");
        fs::create_dir_all(&folder).unwrap();
        let program = format!(
            "#!/bin/sh\nexec '{}' \"$@\"\n",
            env!("CARGO_BIN_EXE_kubectl-hpa")
        );
        crate::script::script(&folder.join("kubectl-hpa"), &program);
        let archive = format!("kubectl-hpa-{version}-linux-amd64.tar.gz");
        let pack = format!("tar -czf {archive} kubectl-hpa && sha256sum *.tar.gz >SHA256SUMS");
        let packed = Command::new("bash")
            .args(["-ec", &pack])
            .current_dir(folder)
            .status();
        assert!(packed.unwrap().success());
    }
}

fn action() -> YamlNode {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("action.yml");
    parse(&fs::read_to_string(path).unwrap())
        .remove(0)
        .unwrap()
        .root
}

fn text<'a>(node: &'a YamlNode, key: &str) -> &'a str {
    node.get(key).and_then(YamlNode::as_str).unwrap_or_default()
}

fn printed(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn findings_are_annotations_and_sarif() {
    let runner = Runner::installed(&[("paths", "deploy\nother folder\n")]);
    assert!(runner.step("install").status.success());
    let output = runner.step("lint");
    let log = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{log}");
    assert!(
        log.contains("::error title=HPA101 min-gt-max,file=deploy/web/hpa.yaml,line="),
        "{log}"
    );
    assert!(
        log.contains("::notice title=HPA102 min-equals-max,file=other folder/hpa.yaml,"),
        "{log}"
    );
    let sarif = runner.path("temp/hpa.sarif").display().to_string();
    let outputs = format!("sarif={sarif}\nexit-code=1\n");
    assert_eq!(runner.read("output"), outputs);
    let written: Value = serde_json::from_str(&runner.read("temp/hpa.sarif")).unwrap();
    let schema = Schema::parse(include_str!("sarif-2.1.0.json"));
    assert_eq!(schema.errors(&written), Vec::<String>::new());
    let results = written["runs"][0]["results"].as_array().unwrap();
    assert!(
        results.iter().any(|result| result["ruleId"] == "HPA101"),
        "{results:#?}"
    );
}

#[test]
fn flags_and_formats_are_those_of_the_inputs() {
    let args = "--ignore ALL\n  --extend-select min-equals-max\n";
    let runner = Runner::installed(&[("args", args), ("annotations", "false"), ("sarif", "")]);
    let output = runner.step("lint");
    let log = printed(&output);
    assert!(output.status.success(), "{log}");
    assert!(log.contains("info[HPA102 min-equals-max]"), "{log}");
    assert!(!log.contains("::"), "{log}");
    assert_eq!(runner.read("output"), "exit-code=0\n");

    let runner = Runner::installed(&[("annotations", "yes")]);
    let output = runner.step("lint");
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output).contains("::annotations must be true or false"));
    let runner = Runner::installed(&[("paths", "none"), ("args", "$(touch made)")]);
    let output = runner.step("lint");
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert_eq!(runner.read("output"), "exit-code=2\n");
    assert!(!runner.path("checkout/made").exists());
}

#[test]
fn a_failed_run_is_an_annotation_and_names_no_file_of_an_earlier_step() {
    let runner = Runner::installed(&[("paths", "nope")]);
    fs::write(runner.path("temp/hpa.sarif"), "{}").unwrap();
    let run = runner.step("lint");
    assert_eq!(run.status.code(), Some(2), "{}", printed(&run));
    assert_eq!(runner.read("output"), "exit-code=2\n");
    let annotation = "::error title=kubectl hpa lint::error: ";
    assert!(printed(&run).contains(annotation), "{}", printed(&run));
    let summary = runner.read("summary");
    assert!(summary.contains("\n    error: "), "{summary}");
    assert!(summary.contains("nope"), "{summary}");
}

#[test]
fn quotes_keep_a_value_of_args_together() {
    for (args, words) in [
        ("--only 'a b'  --x=\"c d\"\n-y", "--only|a b|--x=c d|-y|"),
        ("'' \"it's\" $HOME C:\\x *", "|it's|$HOME|C:\\x|*|"),
    ] {
        let runner = Runner::new(&[("version", "installed"), ("args", args), ("sarif", "")]);
        runner.program("kubectl-hpa", "shift 5; printf '%s|' \"$@\"");
        let run = runner.step("lint");
        assert_eq!(String::from_utf8_lossy(&run.stdout), words, "{args}");
    }
    let run = Runner::installed(&[("args", "--only 'a")]).step("lint");
    assert_eq!(run.status.code(), Some(1));
    assert!(printed(&run).contains("args has a quote without an end"));
}

#[test]
fn a_release_is_installed_if_its_checksum_is_right() {
    let with_archives = |version: &str| {
        let mut runner = Runner::new(&[("version", version), ("paths", "deploy")]);
        let archives = runner.path("archives").display().to_string();
        runner.inputs.insert("archives".to_owned(), archives);
        runner.release("v9.9.9");
        runner
    };
    let runner = with_archives("v9.9.9");
    let output = runner.step("install");
    assert!(output.status.success(), "{}", printed(&output));
    let output = runner.step("lint");
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("::error title=HPA101 min-gt-max,"));

    let runner = with_archives("v9.9.9");
    let archive = runner.path("archives/kubectl-hpa-v9.9.9-linux-amd64.tar.gz");
    let mut bytes = fs::read(&archive).unwrap();
    bytes.push(0);
    fs::write(archive, bytes).unwrap();
    for (runner, expected) in [
        (
            runner,
            "kubectl-hpa-v9.9.9-linux-amd64.tar.gz is not the file that SHA256SUMS describes",
        ),
        (
            with_archives("v1.2.3"),
            "archives has no kubectl-hpa-v1.2.3-linux-amd64.tar.gz",
        ),
        (
            with_archives("latest"),
            "version must be a release such as v0.1.0, or installed",
        ),
        (with_archives("installed"), "no kubectl-hpa is in the PATH"),
    ] {
        let output = runner.step("install");
        let log = printed(&output);
        assert_eq!(output.status.code(), Some(1), "{log}");
        assert!(
            log.contains("::error title=kubectl hpa lint::") && log.contains(expected),
            "{log}"
        );
        assert_eq!(runner.read("path"), "");
    }
}

#[test]
fn what_is_downloaded_is_installed_if_its_attestation_is_right() {
    let verified = "attestation verify kubectl-hpa-v9.9.9-linux-amd64.tar.gz --repo me/fork \
                    --signer-workflow me/fork/.github/workflows/release.yml";
    let installed = |runner: &Runner| {
        let output = runner.step("install");
        let is_there = runner.path("temp/kubectl-hpa/bin/kubectl-hpa").exists();
        assert_eq!(
            output.status.success(),
            is_there && !runner.read("path").is_empty()
        );
        (output.status.success(), printed(&output))
    };
    let gh = |status: u8| format!("echo \"$@\" >>\"$RUNNER_TEMP/gh\"; exit {status}");

    let runner = Runner::downloading(&[]);
    runner.program("gh", &gh(0));
    let (is_installed, log) = installed(&runner);
    assert!(is_installed, "{log}");
    assert_eq!(runner.read("temp/gh").trim_end(), verified);

    let runner = Runner::downloading(&[]);
    runner.program("gh", &gh(1));
    let (is_installed, log) = installed(&runner);
    assert!(
        !is_installed && log.contains("::error title=kubectl hpa lint::gh does not confirm"),
        "{log}"
    );

    let runner = Runner::downloading(&[]);
    let (is_installed, log) = installed(&runner);
    let warning = "::warning title=kubectl hpa lint::attestation of kubectl-hpa-v9.9.9-linux-amd64.tar.gz: not checked";
    assert!(is_installed && log.contains(warning), "{log}");

    let runner = Runner::downloading(&[("attestation", "false")]);
    runner.program("gh", &gh(1));
    let (is_installed, log) = installed(&runner);
    assert!(
        is_installed && log.contains("not checked, as attestation: false says"),
        "{log}"
    );
    assert_eq!(runner.read("temp/gh"), "");

    let runner = Runner::downloading(&[("attestation", "maybe")]);
    let (is_installed, log) = installed(&runner);
    assert!(
        !is_installed && log.contains("attestation must be true or false"),
        "{log}"
    );
}

/// A pull request chooses what is in the checkout: links under the names of outputs, and names of files.
#[test]
fn nothing_in_the_checkout_has_a_file_outside_of_it_written() {
    let canary = "ssh-ed25519 AAAA\n";
    for sarif in [None, Some("hpa.sarif"), Some("deploy/hpa.sarif")] {
        let given: Vec<_> = sarif.map(|sarif| ("sarif", sarif)).into_iter().collect();
        let runner = Runner::installed(&given);
        fs::write(runner.path("authorized_keys"), canary).unwrap();
        for (link, target) in [
            ("hpa.sarif", "../authorized_keys"),
            ("deploy/hpa.sarif", "../../nowhere"),
            (".kubectl-hpa.partial", "../authorized_keys"),
        ] {
            symlink(target, runner.path("checkout").join(link)).unwrap();
        }
        let output = runner.step("lint");
        assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
        assert_eq!(runner.read("authorized_keys"), canary);
        assert!(!runner.path("nowhere").exists());
        let outputs = runner.read("output");
        let named = outputs
            .lines()
            .next()
            .unwrap()
            .strip_prefix("sarif=")
            .unwrap();
        let text = fs::read_to_string(runner.path("checkout").join(named)).unwrap();
        assert!(text.contains("HPA101"), "{text}");
    }

    let runner = Runner::installed(&[("paths", "-osarif=../stolen\n--output-file=../stolen\n")]);
    let output = runner.step("lint");
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(!runner.path("stolen").exists());
}

#[test]
fn an_input_of_several_lines_adds_no_command_and_no_output() {
    let forged = "x\n::warning::forged\nexit-code=0";
    for name in ["version", "repository", "archives"] {
        let runner = Runner::new(&[(name, forged)]);
        let output = runner.step("install");
        let log = printed(&output);
        assert_eq!(output.status.code(), Some(1), "{log}");
        let line = "::error title=kubectl hpa lint::version, repository and archives must each be one line\n";
        assert_eq!(log, line);
    }
    let runner = Runner::installed(&[("sarif", forged)]);
    let output = runner.step("lint");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        printed(&output),
        "::error title=kubectl hpa lint::sarif must be one line\n"
    );
    assert_eq!(runner.read("output"), "");
    for version in ["v1/../../x", "v1 2", "v1;x", "vx"] {
        let output = Runner::new(&[("version", version)]).step("install");
        assert!(
            printed(&output).contains("version must be a release"),
            "{version}"
        );
    }
}

#[test]
fn the_page_names_every_input_and_no_other() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci.md")).unwrap();
    let (_, after) = page
        .split_once("\n| input | default | meaning |\n")
        .unwrap();
    let (table, _) = after.split_once("\n\n").unwrap();
    let rows = table
        .lines()
        .skip(1)
        .map(|row| row.split('`').nth(1).unwrap());
    let mut rows: Vec<&str> = rows.collect();
    rows.sort_unstable();
    let action = action();
    let inputs = action.at("inputs").unwrap().entries();
    let mut names: Vec<&str> = inputs.iter().map(|entry| &*entry.key).collect();
    names.sort_unstable();
    assert_eq!(rows, names);

    let (_, workflow) = page.split_once("\n```yaml github-action\n").unwrap();
    let workflow = parse(workflow.split_once("\n```\n").unwrap().0)
        .remove(0)
        .unwrap()
        .root;
    let with = workflow.at("jobs.lint.steps[1].with").unwrap();
    let used: Vec<&str> = with.entries().iter().map(|entry| &*entry.key).collect();
    assert_eq!(used, ["version", "paths", "args"]);
    assert!(used.iter().all(|name| names.contains(name)), "{used:?}");
}

#[test]
fn the_action_is_what_its_description_says() {
    let action = action();
    let version = action
        .at("inputs.version.default")
        .and_then(YamlNode::as_str);
    assert_eq!(version, Some(concat!("v", env!("CARGO_PKG_VERSION"))));
    for step in action.at("runs.steps").unwrap().items() {
        // The inputs of a pull request must not become part of a script.
        assert!(!text(step, "run").contains("${{"), "{}", text(step, "name"));
        assert_eq!(text(step, "uses"), "");
    }
    for list in ["inputs", "outputs"] {
        for entry in action.at(list).unwrap().entries() {
            assert_ne!(text(&entry.node, "description"), "", "{}", entry.key);
        }
    }
}
