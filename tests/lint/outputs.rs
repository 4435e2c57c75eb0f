//! Several formats in one run, and standard input under the name of a file.

use serde_json::Value;

use crate::{input::HPA, repository::Repository};

#[test]
fn one_run_writes_several_formats() {
    let repository = Repository::with_hpa();
    let only = "-f deploy --select HPA102 --fail-on info";
    let (code, out, said) = repository.lint(&format!(
        "{only} -o sarif=hpa.sarif -o github -o json=hpa=1.json"
    ));
    assert_eq!((code, &*said), (1, ""));
    assert!(
        out.starts_with("::notice title=HPA102 min-equals-max,file=deploy/hpa.yaml,line=11,"),
        "{out}"
    );
    let (_, sarif, _) = repository.lint(&format!("{only} -o sarif"));
    assert_eq!(repository.read("hpa.sarif"), sarif);
    assert_eq!(
        repository.json("hpa=1.json")["findings"][0]["code"],
        "HPA102"
    );

    // With files alone, nothing is printed.
    let (code, out, said) = repository.lint(&format!("{only} -o sarif=a -o junit=b"));
    assert_eq!((code, &*out, &*said), (1, "", ""));
    assert!(
        repository.read("b").contains("<testsuites"),
        "{}",
        repository.read("b")
    );
    // The older flag is the file of the only format.
    let (code, out, _) = repository.lint(&format!("{only} -o sarif --output-file c"));
    assert_eq!((code, &*out), (1, ""));
    assert_eq!(repository.read("c"), sarif);
}

#[test]
fn two_outputs_to_one_place_are_refused() {
    let repository = Repository::with_hpa();
    for (flags, expected) in [
        (
            "-o github -o text",
            "-o github and -o text both write to standard output: ",
        ),
        (
            "-o sarif=a -o json=./a",
            "-o sarif=a and -o json=./a write to the same file: ",
        ),
        ("-o sarif=deploy/../a -o json=a", "write to the same file"),
        ("-o xml=a", "[possible values: text, concise, json, sarif, "),
        ("-o sarif=", "-o sarif= has no file: use -o sarif=FILE"),
        (
            "-o sarif=a --output-file b",
            "use -o FORMAT=FILE for each of several",
        ),
        (
            "-o sarif -o json=a --output-file b",
            "use -o FORMAT=FILE for each of several",
        ),
        ("-o sarif=a --diff", "leave out -o sarif=a"),
        ("-o sarif=a --write-baseline b", "leave out -o sarif=a"),
    ] {
        repository.refuses(&format!("-f deploy {flags}"), expected);
    }
}

#[test]
fn a_manifest_is_not_overwritten_by_its_findings() {
    let repository = Repository::with_hpa();
    for flags in [
        "-o json=deploy/hpa.yaml",
        "-o json --output-file deploy/../deploy/hpa.yaml",
        "--write-baseline deploy/hpa.yaml",
    ] {
        let expected = "would overwrite deploy/hpa.yaml, which is read: name another file";
        repository.refuses(&format!("-f deploy/hpa.yaml {flags}"), expected);
    }
    assert_eq!(repository.read("deploy/hpa.yaml"), HPA);
}

#[test]
fn a_file_that_cannot_be_written_takes_nothing_from_the_others() {
    let repository = Repository::with_hpa();
    let (code, out, said) = repository
        .lint("-f deploy --select HPA102 -o json=none/a.json -o sarif=b.sarif -o concise");
    assert_eq!(code, 2);
    assert!(
        said.contains("cannot write none/a.json: the folder none does not exist"),
        "{said}"
    );
    assert!(
        out.starts_with("deploy/hpa.yaml:11:3: info[HPA102 "),
        "{out}"
    );
    assert_eq!(repository.json("b.sarif")["version"], "2.1.0");
}

#[test]
fn what_has_no_place_for_notes_says_them_on_standard_error() {
    let repository = Repository::with_hpa();
    repository.write("empty/a.yaml", "kind: Service\n");
    for (flags, is_said) in [
        ("-o github -o json=a", true),
        ("-o github=a -o text", false),
        ("-o github=a -o sarif=b", false),
        ("-o github=a", true),
    ] {
        let (_, _, said) = repository.lint(&format!("-f empty {flags}"));
        assert_eq!(said.contains("nothing to lint"), is_said, "{flags}: {said}");
    }
}

#[test]
fn standard_input_is_reported_and_configured_as_the_file_of_its_name() {
    let repository = Repository::with_hpa();
    repository.write(
        "deploy/.kubectl-hpa.yaml",
        "paths:\n  - files: [old/]\n    ignore: [HPA102]\n    reason: it is old\n",
    );
    let only = "-f - --select HPA102 -o concise --stdin-filename";
    let found = |name: &str| repository.lint_stdin(&format!("{only} {name}"), HPA).1;
    assert!(found("deploy/new.yaml").starts_with("deploy/new.yaml:11:3: info[HPA102 "));
    // A pattern of the configuration, in a folder that does not exist yet.
    assert_eq!(found("deploy/old/new.yaml"), "");
    // Annotations need a file.
    let (_, out, _) = repository.lint_stdin("-f - --select HPA102 -o github", HPA);
    assert!(!out.contains("file="), "{out}");
    let flags = "-f - --select HPA102 -o github --stdin-filename deploy/new.yaml";
    let (_, out, _) = repository.lint_stdin(flags, HPA);
    assert!(out.contains(",file=deploy/new.yaml,line=11,"), "{out}");
}

#[test]
fn standard_input_takes_the_place_of_the_file_of_its_name() {
    let repository = Repository::with_hpa();
    let text = HPA.replace("maxReplicas: 4", "maxReplicas: 9");
    for paths in ["-f deploy -f -", "-f - -f deploy/hpa.yaml"] {
        let flags = format!("{paths} --stdin-filename deploy/hpa.yaml --select HPA102 -o json");
        let (_, out, said) = repository.lint_stdin(&flags, &text);
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{said}"));
        assert_eq!(json["findings"], serde_json::json!([]), "{paths}");
        assert_eq!(json["summary"]["hpas"], 1, "{paths}: {json}");
    }
    // --fix prints it, and leaves the file alone.
    let unset = HPA.replace("  minReplicas: 4\n", "");
    let flags = "-f - --stdin-filename deploy/hpa.yaml --select min-unset --fix";
    let (_, out, said) = repository.lint_stdin(flags, &unset);
    assert!(out.contains("minReplicas: 1"), "{out}{said}");
    assert_eq!(repository.read("deploy/hpa.yaml"), HPA);
    let (_, out, _) = repository.lint_stdin(&flags.replace("--fix", "--diff"), &unset);
    assert!(
        out.starts_with("--- a/deploy/hpa.yaml\n+++ b/deploy/hpa.yaml\n"),
        "{out}"
    );
}

#[test]
fn a_name_for_standard_input_that_nothing_reads_is_refused() {
    let repository = Repository::with_hpa();
    for flags in [
        "--stdin-filename a.yaml",
        "-f deploy --stdin-filename a.yaml",
    ] {
        repository.refuses(flags, "nothing reads that: add -f -");
    }
    repository.refuses("-f - --with -", "standard input (-) can be read only once");
}
