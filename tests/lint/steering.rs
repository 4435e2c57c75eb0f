//! How a user steers a run: flags, configuration, suppressions, fixes, baseline, exit codes.

use std::{fs, process::Command};

use crate::repository::Repository;

/// An HPA with equal bounds (HPA102) and without a metric (HPA201).
const FROZEN: &str = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 3
  maxReplicas: 3
";

/// Codes of the findings, each once.
fn codes(folder: &Repository, flags: &str) -> Vec<String> {
    let (_, out, err) = folder.lint(&format!("{flags} -o json"));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    let findings = json["findings"].as_array().expect("a list");
    let mut codes: Vec<String> = findings
        .iter()
        .map(|finding| finding["code"].as_str().expect("a text").to_owned())
        .collect();
    codes.sort();
    codes.dedup();
    codes
}

#[test]
fn exit_codes_say_what_fail_on_asks() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    let only = "-f hpa.yaml --select HPA102";
    for (flags, code) in [
        ("", 0),
        ("--fail-on info", 1),
        ("--fail-on error", 0),
        ("--strict", 1),
        ("--strict --fail-on never", 0),
        ("--strict --exit-zero", 0),
        ("--strict --ignore min-equals-max", 1),
    ] {
        let (found, out, err) = folder.lint(&format!("{only} {flags}"));
        // The flag that selects the rule is as exact as the one that ignores it, and of equals ignore wins.
        let code = if flags.contains("--ignore") { 0 } else { code };
        assert_eq!(found, code, "{flags}: {out}{err}");
    }
    let (code, _, err) = folder.lint("-f missing.yaml");
    assert_eq!(code, 2);
    assert!(err.contains("missing.yaml"), "{err}");
}

#[test]
fn nothing_to_lint_fails_where_that_is_requested() {
    let service = "{apiVersion: v1, kind: Service, metadata: {name: web}}";
    let folder = Repository::new(&[("hpa.yaml", FROZEN), ("service.yaml", service)]);
    let flag = "--fail-if-no-objects-found";
    assert_eq!(folder.lint("-f service.yaml").0, 0);
    for flags in [
        "",
        "--diff",
        "--fix",
        "--exit-zero",
        "--write-baseline new.json",
    ] {
        let (code, out, error) = folder.lint(&format!("-f service.yaml {flag} {flags}"));
        assert_eq!(code, 2, "{flags}: {out}{error}");
        assert!(
            error.contains("no HPA and no ScaledObject found"),
            "{flags}: {error}"
        );
    }
    assert!(!folder.path("new.json").exists());
    assert_eq!(folder.lint_stdin(&format!("-f - {flag}"), "").0, 2);
    assert_eq!(folder.lint(&format!("-f hpa.yaml {flag} --exit-zero")).0, 0);
    let scaled = "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: web}, spec: {scaleTargetRef: {name: web}}}";
    let (code, _, error) = folder.lint_stdin(&format!("-f - {flag} --exit-zero"), scaled);
    assert_eq!(code, 0, "{error}");
}

#[test]
fn rules_are_selected_by_code_name_family_and_all() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    assert_eq!(codes(&folder, "-f hpa.yaml --select HPA102"), ["HPA102"]);
    assert_eq!(
        codes(&folder, "-f hpa.yaml --select min-equals-max"),
        ["HPA102"]
    );
    assert_eq!(codes(&folder, "-f hpa.yaml --select hpa10"), ["HPA102"]);
    let usual = codes(&folder, "-f hpa.yaml");
    assert!(usual.contains(&"HPA102".to_owned()), "{usual:?}");
    let ignored = codes(&folder, "-f hpa.yaml --ignore HPA1");
    assert!(
        !ignored.iter().any(|code| code.starts_with("HPA1")),
        "{ignored:?}"
    );
    let all = codes(&folder, "-f hpa.yaml --select ALL");
    assert!(usual.iter().all(|code| all.contains(code)), "{all:?}");

    let (code, _, err) = folder.lint("-f hpa.yaml --select HPA102 --ignore min-equal-max");
    assert_eq!(code, 0);
    assert_eq!(
        err,
        "warning: --ignore: unknown rule \"min-equal-max\": did you mean HPA102 min-equals-max?\n"
    );
}

#[test]
fn rule_to_run_that_does_not_exist_is_an_error() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    for flag in ["--select", "--extend-select"] {
        let (code, out, err) = folder.lint(&format!("-f hpa.yaml {flag} min-equal-max"));
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(
            err.contains(flag) && err.contains("did you mean HPA102 min-equals-max?"),
            "{err}"
        );
    }
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    for (flags, word) in [
        ("web -f hpa.yaml", "--filename"),
        ("-A -f hpa.yaml", "--all-namespaces"),
        ("-f hpa.yaml --fix --diff", "--diff"),
        ("-f hpa.yaml --exit-zero --fail-on error", "--exit-zero"),
        ("-f hpa.yaml --config a --no-config", "--no-config"),
        ("-f hpa.yaml --baseline a --write-baseline b", "--baseline"),
        ("-f hpa.yaml --observed --fix", "--observed"),
        ("--fix", "--filename"),
        ("-f hpa.yaml -n shop", "-n cannot be combined with -f"),
        ("-f - --with -", "only once"),
        ("-f hpa.yaml --kube-version 1.36-1.30", "empty"),
        ("-f .git", "no .yaml"),
    ] {
        let (code, _, err) = folder.lint(flags);
        assert_eq!(code, 2, "{flags}: {err}");
        assert!(err.contains(word), "{flags}: {err}");
    }
}

#[test]
fn comments_are_about_their_line_block_or_document() {
    let only = "-f hpa.yaml --select HPA102 --fail-on info --report-unused-suppressions";
    let comment = "# kubectl-hpa: ignore HPA102 (a freeze)";
    let at = |line: &str, text: String| FROZEN.replace(line, &text);
    for (text, is_silent) in [
        (format!("{comment}\n{FROZEN}"), true),
        (format!("# Our HPA\n\n{comment}\n\n{FROZEN}"), true),
        (format!("--- {comment}\n{FROZEN}"), true),
        (
            at("maxReplicas: 3", format!("maxReplicas: 3 {comment}")),
            true,
        ),
        (
            at("  maxReplicas: 3", format!("  {comment}\n  maxReplicas: 3")),
            true,
        ),
        (
            at(
                "  maxReplicas: 3",
                format!("  {comment}\n\n  # why\n  maxReplicas: 3"),
            ),
            true,
        ),
        (at("spec:", format!("spec: {comment}")), true),
        (at("spec:", format!("{comment}\nspec:")), true),
        (
            at("minReplicas: 3", format!("minReplicas: 3 {comment}")),
            false,
        ),
        (at("metadata:", format!("metadata: {comment}")), false),
        (format!("{FROZEN}{comment}\n"), false),
        (format!("{comment}\n---\nkind: Other\n---\n{FROZEN}"), false),
    ] {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let folder = Repository::new(&[("hpa.yaml", &text)]);
            let (code, out, err) = folder.lint(only);
            assert_eq!(code, i32::from(!is_silent), "{text}\n{out}{err}");
            let is_unused = err.contains("suppresses nothing");
            // The text of a document of another kind is not for lint.
            let is_read = !text.contains("kind: Other");
            assert_eq!(is_unused, !is_silent && is_read, "{text}\n{err}");
        }
    }
}

#[test]
fn suppressed_findings_are_counted_and_kept_with_their_reason() {
    let annotated = FROZEN.replace(
        "  name: web\nspec",
        "  name: web\n  annotations:\n    kubectl-hpa/ignore: HPA102, min-equal-max\n    kubectl-hpa/ignore-reason: a freeze\nspec",
    );
    let folder = Repository::new(&[("hpa.yaml", &annotated)]);
    let only = "-f hpa.yaml --select HPA102 --fail-on info";
    let (code, out, err) = folder.lint(only);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("1 suppressed"), "{out}");
    assert_eq!(
        err,
        "warning: hpa.yaml:6:5: annotation kubectl-hpa/ignore of HorizontalPodAutoscaler/web: unknown rule \
         \"min-equal-max\": did you mean HPA102 min-equals-max?\n"
    );
    let (_, json, _) = folder.lint(&format!("{only} -o json"));
    assert!(json.contains("a freeze"), "{json}");
    let (_, sarif, _) = folder.lint(&format!("{only} -o sarif"));
    assert!(sarif.contains("\"suppressions\""), "{sarif}");

    let (code, _, err) = folder.lint("-f hpa.yaml --select HPA105 --report-unused-suppressions");
    assert_eq!(code, 0, "a rule that does not run is not missed: {err}");
}

#[test]
fn the_configuration_is_found_upwards_and_flags_win() {
    let folder = Repository::new(&[
        ("apps/web/hpa.yaml", FROZEN),
        (
            ".kubectl-hpa.yaml",
            "select: [HPA102]\nfailOn: info\nrules:\n  min-equals-max: {severity: error}\n",
        ),
    ]);
    let hpa = "-f apps/web/hpa.yaml";
    let (code, out, _) = folder.lint(hpa);
    assert_eq!(code, 1);
    assert!(out.contains("error[HPA102"), "{out}");
    assert_eq!(
        codes(&folder, &format!("{hpa} --select HPA105")),
        Vec::<String>::new()
    );
    assert_eq!(folder.lint(&format!("{hpa} --fail-on never")).0, 0);
    assert_eq!(
        folder.lint(&format!("{hpa} --no-config --select HPA102")).0,
        0
    );

    folder.write("other.yaml", "select: [HPA105]\n");
    assert_eq!(folder.lint(&format!("{hpa} --config other.yaml")).0, 0);
    folder.write("apps/web/.kubectl-hpa.yaml", "select: [HPA105]\n");
    assert_eq!(folder.lint(hpa).0, 0, "the nearest one counts");
    folder.write("hpa.yaml", FROZEN);
    let (code, _, err) = folder.lint(&format!("{hpa} -f hpa.yaml"));
    assert_eq!(code, 2);
    assert!(err.contains("different configurations"), "{err}");

    // The repository's root ends the search.
    fs::create_dir(folder.path("apps/.git")).expect("it is writable");
    fs::remove_file(folder.path("apps/web/.kubectl-hpa.yaml")).expect("it is there");
    assert_eq!(folder.lint(&format!("{hpa} --select HPA102")).0, 0);
}

#[test]
fn a_mistake_in_the_configuration_is_reported_with_its_place() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    for (text, expected) in [
        (
            "select: [HPA102]\nfailon: info\n",
            ".kubectl-hpa.yaml:2:1: failon: unknown key: did you mean failOn?",
        ),
        (
            "rules:\n  HPA102: {severity: bad}\n",
            ".kubectl-hpa.yaml:2:22: rules.HPA102.severity: is \"bad\"",
        ),
        ("select: [\n", ".kubectl-hpa.yaml:"),
    ] {
        folder.write(".kubectl-hpa.yaml", text);
        let (code, out, err) = folder.lint("-f hpa.yaml");
        assert_eq!((code, &*out), (2, ""), "{text}");
        assert!(err.contains(expected), "{text}: {err}");
    }
}

#[test]
fn what_is_different_for_some_paths_is_different_there_only() {
    let folder = Repository::new(&[
        ("dev/hpa.yaml", FROZEN),
        ("prod/hpa.yaml", FROZEN),
        (
            ".kubectl-hpa.yaml",
            "select: [HPA102]\nfailOn: warning\npaths:\n- files: [dev/]\n  ignore: [HPA102]\n  reason: one pod is \
             enough\n- files: ['prod/**/*.yaml']\n  rules: {HPA102: {severity: error}}\n",
        ),
    ]);
    let (code, out, _) = folder.lint("-f dev");
    assert_eq!(code, 0);
    assert!(out.contains("1 suppressed"), "{out}");
    assert_eq!(folder.lint("-f prod").0, 1);
    assert!(
        folder
            .lint("-f dev -o json")
            .1
            .contains("one pod is enough")
    );
}

/// An HPA with two fixable findings: HPA312 and HPA103.
const TO_FIX: &str = "\
# The shop's front end
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: \"web\"   # as in Argo
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 5 # agreed
";

const FIXED: &str = "\
# The shop's front end
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: \"web\"   # as in Argo
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 5 # agreed
  minReplicas: 1
";

#[test]
fn diff_shows_what_fix_does_and_fix_does_it_once() {
    let folder = Repository::new(&[("hpa.yaml", TO_FIX)]);
    let only = "-f hpa.yaml --select min-unset";
    let (code, out, _) = folder.lint(&format!("{only} --diff"));
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "--- a/hpa.yaml\n+++ b/hpa.yaml\n@@ -6,3 +6,4 @@\n spec:\n   scaleTargetRef: {apiVersion: apps/v1, kind: \
         Deployment, name: web}\n   maxReplicas: 5 # agreed\n+  minReplicas: 1\n"
    );
    assert_eq!(folder.read("hpa.yaml"), TO_FIX, "--diff changes nothing");

    let (code, _, err) = folder.lint(&format!("{only} --fix --fail-on info"));
    assert_eq!(code, 0);
    assert_eq!(err, "1 fixed\n");
    assert_eq!(folder.read("hpa.yaml"), FIXED);
    let (_, _, err) = folder.lint(&format!("{only} --fix"));
    assert_eq!(err, "0 fixed\n");
    assert_eq!(folder.read("hpa.yaml"), FIXED);
    assert_eq!(
        folder.lint(&format!("{only} --diff")),
        (0, String::new(), String::new())
    );
    let files = fs::read_dir(folder.path("")).expect("a folder").count();
    assert_eq!(files, 2, "nothing but the file and .git is left");

    let (code, out, err) = folder.lint_stdin("-f - --select min-unset --fix", TO_FIX);
    assert_eq!((code, &*out), (0, FIXED), "{err}");
}

#[cfg(unix)]
#[test]
fn a_fixed_file_keeps_its_permissions_and_no_link_is_followed() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Repository::new(&[("real/hpa.yaml", TO_FIX)]);
    let real = folder.path("real/hpa.yaml");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("it is ours");
    symlink("real/hpa.yaml", folder.path("hpa.yaml")).expect("it is writable");
    let (_, _, err) = folder.lint("-f hpa.yaml --select min-unset --fix");
    assert_eq!(
        err,
        "0 fixed\nwarning: hpa.yaml is reached by a link and not fixed; name the file itself\n"
    );
    assert_eq!(folder.read("real/hpa.yaml"), TO_FIX);
    assert_eq!(
        folder.lint("-f real/hpa.yaml --select min-unset --fix").0,
        0
    );
    assert_eq!(folder.read("real/hpa.yaml"), FIXED);
    let link = fs::symlink_metadata(folder.path("hpa.yaml")).expect("it is there");
    assert!(link.is_symlink());
    let mode = fs::metadata(&real)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// Naming a directory means its content.
#[cfg(unix)]
#[test]
fn what_is_in_a_directory_only_by_a_link_is_not_fixed_unless_it_is_named() {
    use std::os::unix::fs::symlink;
    let [a, b] = ["a", "b"].map(|name| TO_FIX.replace("\"web\"", name));
    let folder = Repository::new(&[
        ("k8s/hpa.yaml", TO_FIX),
        ("out/a.yaml", &a),
        ("out/b.yaml", &b),
    ]);
    let path = |name| folder.path(name);
    symlink("../out/a.yaml", path("k8s/link.yaml")).expect("it is writable");
    symlink("hpa.yaml", path("k8s/own.yaml")).expect("it is writable");
    fs::create_dir(path("out/more")).expect("it is writable");
    fs::rename(path("out/b.yaml"), path("out/more/b.yaml")).expect("it is ours");
    symlink("../out/more", path("k8s/more")).expect("it is writable");
    let only = "--select min-unset -R -f k8s";
    let (_, out, err) = folder.lint(&format!("{only} --diff"));
    assert_eq!(out.matches("+++ ").count(), 1, "{out}");
    assert_eq!(
        err,
        "warning: k8s/link.yaml is reached by a link and not fixed; name the file itself\n\
         warning: k8s/more/b.yaml is reached by a link and not fixed; name the file itself\n"
    );
    let (_, out, err) = folder.lint(&format!("{only} --fix"));
    assert!(err.starts_with("1 fixed\n"), "{err}");
    assert!(out.contains("k8s/link.yaml"), "{out}");
    assert_eq!(folder.read("k8s/hpa.yaml"), FIXED);
    assert_eq!(folder.read("out/a.yaml"), a);
    assert_eq!(folder.read("out/more/b.yaml"), b);

    let (_, _, err) = folder.lint(&format!("{only} -f out/a.yaml --fix"));
    assert!(err.starts_with("1 fixed\n"), "{err}");
    assert_eq!(folder.read("out/a.yaml"), FIXED.replace("\"web\"", "a"));
}

#[cfg(unix)]
#[test]
fn a_configuration_cannot_have_a_pipe_or_a_device_read() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    for name in ["pipe", "/dev/zero"] {
        folder.write(".kubectl-hpa.yaml", &format!("baseline: {name}\n"));
        let (code, _, err) = folder.lint("-f hpa.yaml");
        assert_eq!(code, 2);
        assert!(err.ends_with("it is not an ordinary file\n"), "{err}");
    }
    // A path that the user names may be a device, and is read up to the size limit of a baseline.
    for flag in ["--baseline", "--config"] {
        folder.write(".kubectl-hpa.yaml", "");
        let (code, _, err) = folder.lint(&format!("-f hpa.yaml {flag} /dev/zero"));
        assert_eq!(code, 2);
        assert!(err.ends_with("it has more than 64 MiB\n"), "{err}");
    }
}

#[test]
fn a_baseline_accepts_what_is_there_and_fails_on_what_is_new() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    let only = "-f hpa.yaml --select HPA102 --fail-on info";
    let (code, _, err) = folder.lint(&format!("{only} --write-baseline b.json"));
    assert_eq!((code, &*err), (0, "1 findings are accepted in b.json\n"));
    let (code, out, _) = folder.lint(&format!("{only} --baseline b.json"));
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("1 suppressed"), "{out}");

    // Moved lines and changed numbers make no new finding; another HPA does.
    let moved = format!("# A comment\n\n{}", FROZEN.replace(": 3", ": 4"));
    folder.write("hpa.yaml", &moved);
    assert_eq!(folder.lint(&format!("{only} --baseline b.json")).0, 0);
    let another = FROZEN.replace("  name: web\nspec", "  name: api\nspec");
    folder.write("hpa.yaml", &format!("{moved}---\n{another}"));
    assert_eq!(folder.lint(&format!("{only} --baseline b.json")).0, 1);

    folder.write(
        "hpa.yaml",
        &FROZEN.replace("maxReplicas: 3", "maxReplicas: 9"),
    );
    let (code, _, err) = folder.lint(&format!("{only} --baseline b.json"));
    assert_eq!(code, 0);
    assert_eq!(
        err,
        "warning: b.json: 1 no longer found: HPA102 of HorizontalPodAutoscaler/web; write it again with \
         --write-baseline\n"
    );
    let before = folder.read("b.json");
    folder.write("hpa.yaml", FROZEN);
    folder.lint(&format!("{only} --write-baseline b.json"));
    assert_eq!(
        folder.read("b.json"),
        before,
        "the file is the same for the same findings"
    );

    folder.write("b.json", "{\"schemaVersion\": 1, \"findings\": [{}]}");
    let (code, _, err) = folder.lint(&format!("{only} --baseline b.json"));
    assert_eq!(code, 2);
    assert!(err.contains("b.json: findings[0]: missing field"), "{err}");
    assert_eq!(folder.lint(&format!("{only} --baseline none.json")).0, 2);
}

#[test]
fn an_output_file_is_whole_or_not_there() {
    let folder = Repository::new(&[("hpa.yaml", FROZEN)]);
    let (code, out, _) =
        folder.lint("-f hpa.yaml --select HPA102 -o json --output-file out/a.json");
    assert_eq!((code, &*out), (2, ""));
    let (code, out, _) = folder.lint("-f hpa.yaml --select HPA102 -o json --output-file a.json");
    assert_eq!((code, &*out), (0, ""));
    assert!(serde_json::from_str::<serde_json::Value>(&folder.read("a.json")).is_ok());
}

#[test]
fn what_cannot_be_fixed_without_touching_more_is_reported_and_left() {
    let aliased = "\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: &spec
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 5
copy: *spec
";
    let folder = Repository::new(&[("hpa.yaml", aliased)]);
    let (_, _, err) = folder.lint("-f hpa.yaml --select min-unset --fix");
    assert!(
        err.contains("HPA103 of HorizontalPodAutoscaler/web is not fixed: "),
        "{err}"
    );
    assert_eq!(folder.read("hpa.yaml"), aliased);
}
