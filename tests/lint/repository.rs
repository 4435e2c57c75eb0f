//! A repository in a folder of its own, in which `lint` runs.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::input::HPA;

/// Programs in its folder `bin` are the only ones that `lint` finds.
pub(crate) struct Repository {
    pub(crate) folder: TempDir,
}

/// Exit code, standard output and standard error.
pub(crate) type Printed = (i32, String, String);

impl Repository {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let repository = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(repository.path(".git")).unwrap();
        for (name, text) in files {
            repository.write(name, text);
        }
        repository
    }

    pub(crate) fn with_hpa() -> Self {
        Self::new(&[("deploy/hpa.yaml", HPA)])
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    #[cfg(unix)]
    pub(crate) fn program(&self, name: &str, script: &str) {
        let file = self.path(&format!("bin/{name}"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        crate::script::script(&file, &format!("#!/bin/sh\n{script}\n"));
    }

    /// A program that records its arguments and prints a text, in place of one that this machine may lack.
    #[cfg(unix)]
    pub(crate) fn stand_in(&self, name: &str, text: &str) {
        self.write(&format!("bin/{name}.printed"), text);
        let file = self.path(&format!("bin/{name}"));
        let file = file.display();
        self.program(
            name,
            &format!("echo \"$@\" >>'{file}.called'\n/bin/cat '{file}.printed'"),
        );
    }

    pub(crate) fn lint(&self, flags: &str) -> Printed {
        self.linted(flags, Stdio::null())
    }

    pub(crate) fn lint_stdin(&self, flags: &str, text: &str) -> Printed {
        self.write(".git/stdin", text);
        let stdin = fs::File::open(self.path(".git/stdin")).unwrap();
        self.linted(flags, stdin.into())
    }

    fn linted(&self, flags: &str, stdin: Stdio) -> Printed {
        let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
            .arg("lint")
            .args(flags.split_whitespace())
            .current_dir(self.folder.path())
            .env("LC_ALL", "C.UTF-8")
            .env("PATH", self.path("bin"))
            .env("KUBECONFIG", "/dev/null")
            .env_remove("GITHUB_ACTIONS")
            .stdin(stdin)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let code = output.status.code().unwrap();
        (code, text(output.stdout), text(output.stderr))
    }

    /// Fails with these words, and writes nothing.
    #[track_caller]
    pub(crate) fn refuses(&self, flags: &str, expected: &str) {
        let count = || fs::read_dir(self.path("")).unwrap().count();
        let before = count();
        let (code, out, said) = self.lint(flags);
        assert_eq!((code, &*out), (2, ""), "{said}");
        assert!(said.contains(expected), "{said}");
        assert_eq!(count(), before);
    }
}
