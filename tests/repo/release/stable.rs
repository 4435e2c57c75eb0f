//! A release is compared with the last one, as `BREAKING_CHANGES.md` promises.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use super::root;

const SCHEMA: &str = r#"{"properties": {"schemaVersion": {"const": 1}, "items": {"items": {"properties": {"name": {}, "action": {}}}}}}"#;
const PAGE: &str = ".SH OPTIONS\n\\fB\\-\\-chunk\\-size\\fR, \\fB\\-\\-sort\\-by\\fR\n";

#[test]
fn what_a_release_loses_must_be_told() {
    let without = |what: &str| SCHEMA.replace(what, r#""name": {}"#);
    let gone = without(r#""name": {}, "action": {}"#);
    let raised = gone.replace("\"const\": 1", "\"const\": 2");
    let added = without(r#""name": {}"#).replace("{}}", "{}, \"rule\": {}}");
    let shorter = PAGE.replace("\\-\\-chunk\\-size", "");
    for (schema, page, told, lost) in [
        (SCHEMA, PAGE, "", None),
        (&added, PAGE, "", None),
        (&raised, PAGE, "", None),
        (&gone, PAGE, "", Some("action is gone")),
        (&gone, PAGE, "`action` of an item", None),
        (SCHEMA, &shorter, "", Some("--chunk-size is gone")),
        (SCHEMA, &shorter, "`--chunk-size`: use `--limit`", None),
    ] {
        let output = compared(schema, page, told);
        let said = String::from_utf8(output.stderr).unwrap();
        match lost {
            None => assert!(output.status.success(), "{said}"),
            Some(lost) => {
                assert!(!output.status.success(), "{schema}");
                assert!(said.contains(lost), "{said}");
            }
        }
    }
}

/// The comparison of a release that has [`SCHEMA`] and [`PAGE`] with what comes after it.
fn compared(schema: &str, page: &str, told: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let [schema_path, page_path] = ["docs/schema/list.json", "docs/man/kubectl-hpa-list.1"];
    write(schema_path, SCHEMA);
    write(page_path, PAGE);
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "--quiet",
            "--message=first",
        ],
        &["tag", "v1.0.0"],
    ] {
        let done = in_folder("git".as_ref(), folder.path(), arguments);
        assert!(done.status.success(), "{done:?}");
    }
    write(schema_path, schema);
    write(page_path, page);
    let promise = format!("# Breaking changes\n\n## What broke\n\n{told}\n");
    write("BREAKING_CHANGES.md", &promise);
    in_folder(
        &root().join("release/stable.py"),
        folder.path(),
        &["v1.0.0"],
    )
}

fn in_folder(program: &Path, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    command.output().unwrap()
}
