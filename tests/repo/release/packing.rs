//! `release/package.sh` on this test's own binary: everything published has the promised content, byte for byte.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

use super::{
    krew::{MANIFESTS, Platform, assert_accepted, plugin},
    root, targets, text_of,
};

#[test]
fn archives_have_a_binary_that_runs_and_what_the_manifests_promise() {
    let folder = tempfile::tempdir().unwrap();
    put_binaries(folder.path());
    assert_success(&package(folder.path()));
    let dist = folder.path().join("dist");
    let sums = sums(&dist);
    let published: BTreeSet<_> = names(&dist).into_iter().collect();
    let summed: BTreeSet<_> = sums.keys().cloned().collect();
    assert_eq!(&published - &summed, BTreeSet::from(["SHA256SUMS".into()]));

    for (name, _) in MANIFESTS {
        let plugin = plugin(&fs::read_to_string(dist.join(format!("{name}.yaml"))).unwrap());
        assert_accepted(&plugin, name);
        assert_eq!(plugin.spec.platforms.len(), targets().len());
        for platform in &plugin.spec.platforms {
            let archive = platform.uri.rsplit('/').next().unwrap();
            assert_eq!(platform.sha256, sums[archive], "{archive}");
            let unpacked = unpack(&dist.join(archive));
            for file in &platform.files {
                assert!(unpacked.path().join(&file.from).is_file(), "{}", file.from);
            }
            let license = fs::read_to_string(unpacked.path().join("LICENSE")).unwrap();
            assert_eq!(license, text_of("LICENSE"));
            for page in ["README.md", "completions/kubectl-hpa.bash"] {
                let packed = fs::read_to_string(unpacked.path().join(page)).unwrap();
                assert_eq!(packed, text_of(page));
            }
        }
    }

    let unpacked = unpack(&dist.join(this_archive()));
    let version = Command::new(unpacked.path().join("kubectl-hpa"))
        .args(["version", "--client"])
        .output()
        .unwrap();
    let expected = concat!("Client Version: v", env!("CARGO_PKG_VERSION"), "\n");
    assert!(
        String::from_utf8(version.stdout)
            .unwrap()
            .starts_with(expected)
    );

    let home = tempfile::tempdir().unwrap();
    let completion = |command| {
        let output = Command::new(unpacked.path().join("kubectl-hpa"))
            .args(["completion", command])
            .env_clear()
            .env("HOME", home.path())
            .env("SHELL", "/bin/bash")
            .env("PATH", unpacked.path())
            .output()
            .unwrap();
        assert_success(&output);
        String::from_utf8(output.stdout).unwrap()
    };
    let proposal = unpacked.path().join("kubectl_complete-hpa");
    let there = format!("there already: {}\nwrote: ", proposal.display());
    let done = completion("install");
    assert!(done.starts_with(&there), "{done}");
    let left = format!(
        "left alone, for it came with kubectl-hpa: {}\nremoved: ",
        proposal.display()
    );
    let undone = completion("uninstall");
    assert!(undone.starts_with(&left), "{undone}");

    let formula = fs::read_to_string(dist.join("kubectl-hpa.rb")).unwrap();
    assert!(!formula.contains('@'), "{formula}");
    for (os, arch, _) in targets() {
        let sum = &sums[&archive(&os, &arch)];
        assert_eq!(formula.contains(sum), os != "windows", "{os}/{arch}");
    }
    let provenance: Value =
        serde_json::from_str(&fs::read_to_string(dist.join("provenance.json")).unwrap()).unwrap();
    let subjects = provenance["subject"].as_array().unwrap();
    assert_eq!(subjects.len(), sums.len() - 1, "all but itself");
    for subject in subjects {
        let name = subject["name"].as_str().unwrap();
        assert_eq!(subject["digest"]["sha256"], sums[name], "{name}");
    }
}

#[test]
fn same_binaries_give_the_same_bytes() {
    let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    for folder in [&first, &second] {
        put(folder.path(), "aarch64-unknown-linux-musl", b"a binary");
        assert_success(&package(folder.path()));
    }
    let [first, second] = [first, second].map(|folder| sums(&folder.path().join("dist")));
    assert_eq!(first, second);
}

#[test]
fn platform_that_was_not_built_is_in_no_manifest() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "aarch64-unknown-linux-musl", b"a binary");
    let output = package(folder.path());
    assert_success(&output);
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(
        printed.contains("the Homebrew formula is left out"),
        "{printed}"
    );
    let dist = folder.path().join("dist");
    assert!(!dist.join("kubectl-hpa.rb").exists());
    for (name, _) in MANIFESTS {
        let plugin = plugin(&fs::read_to_string(dist.join(format!("{name}.yaml"))).unwrap());
        assert_accepted(&plugin, name);
        let platforms: Vec<_> = plugin.spec.platforms.iter().map(Platform::name).collect();
        assert_eq!(platforms, ["linux/arm64"]);
    }
}

#[test]
fn image_has_the_binary_of_the_platform_that_it_is_built_for() {
    let folder = tempfile::tempdir().unwrap();
    let linux: Vec<_> = targets()
        .into_iter()
        .filter(|(os, ..)| os == "linux")
        .collect();
    for (.., target) in &linux {
        put(folder.path(), target, target.as_bytes());
    }
    assert_success(&package(folder.path()));
    let image = folder.path().join("image");
    // docker finds it by this name without an option.
    let recipe = fs::read_to_string(image.join("Dockerfile")).unwrap();
    for (os, arch, target) in &linux {
        let copied = copied(&recipe, os, arch);
        let binary = fs::read(image.join(&copied["/kubectl-hpa"])).unwrap();
        assert_eq!(String::from_utf8_lossy(&binary), *target);
        assert!(image.join(&copied["/LICENSE"]).is_file());
    }
}

#[test]
fn nothing_to_pack_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let output = package(folder.path());
    assert!(!output.status.success());
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(printed.contains("has no binary of a target"), "{printed}");
}

/// What a build of the recipe for a platform copies into the image: the file in the folder for each path there.
fn copied(recipe: &str, os: &str, arch: &str) -> BTreeMap<String, String> {
    let mut arguments = Vec::new();
    let mut copied = BTreeMap::new();
    for line in recipe.lines() {
        match line.split_once(' ').unwrap_or_default() {
            // Earlier declarations apply to this line only.
            ("FROM", _) => arguments.clear(),
            ("ARG", declared) => arguments.push(match declared.split_once('=') {
                Some((name, default)) => (name, default),
                None if declared == "TARGETOS" => (declared, os),
                None if declared == "TARGETARCH" => (declared, arch),
                None => (declared, ""),
            }),
            ("COPY", files) => {
                let mut files = files.to_owned();
                for (name, value) in &arguments {
                    files = files.replace(&format!("${{{name}}}"), value);
                }
                let files = files.split(' ').filter(|word| !word.starts_with("--"));
                let [from, to] = files.collect::<Vec<_>>()[..] else {
                    panic!("{line}");
                };
                copied.insert(to.to_owned(), from.to_owned());
            }
            _ => {}
        }
    }
    copied
}

/// Puts the binary under test in this machine's place, and a stand-in in the place of every other target.
fn put_binaries(folder: &Path) {
    for (os, arch, target) in targets() {
        put(folder, &target, b"a binary");
        if archive(&os, &arch) == this_archive() {
            let place = folder.join("bin").join(&target).join("kubectl-hpa");
            // Most of a test build is symbols.
            let stripped = Command::new("strip")
                .args([env!("CARGO_BIN_EXE_kubectl-hpa"), "-o"])
                .arg(&place)
                .status();
            if !stripped.is_ok_and(|status| status.success()) {
                fs::copy(env!("CARGO_BIN_EXE_kubectl-hpa"), place).unwrap();
            }
        }
    }
}

fn put(folder: &Path, target: &str, bytes: &[u8]) {
    let suffix = if target.contains("windows") {
        ".exe"
    } else {
        ""
    };
    let folder = folder.join("bin").join(target);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("kubectl-hpa{suffix}")), bytes).unwrap();
    fs::write(folder.join("sbom.cdx.json"), "{}\n").unwrap();
}

fn package(folder: &Path) -> Output {
    Command::new(root().join("release/package.sh"))
        .arg(folder)
        .env("SOURCE_DATE_EPOCH", "1750000000")
        .env("GZIP_LEVEL", "1")
        .output()
        .unwrap()
}

fn unpack(archive: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new("tar")
        .arg("-xzf")
        .arg(archive)
        .arg("-C")
        .arg(folder.path())
        .status();
    assert!(status.unwrap().success(), "{}", archive.display());
    folder
}

/// The checksums of `SHA256SUMS` by file, after another program has verified them.
fn sums(dist: &Path) -> BTreeMap<String, String> {
    let check = Command::new("sha256sum")
        .args(["--check", "--strict", "--quiet", "SHA256SUMS"])
        .current_dir(dist)
        .output();
    assert_success(&check.unwrap());
    fs::read_to_string(dist.join("SHA256SUMS"))
        .unwrap()
        .lines()
        .map(|line| line.split_once("  ").unwrap())
        .map(|(sum, name)| (name.to_owned(), sum.to_owned()))
        .collect()
}

fn names(folder: &Path) -> Vec<String> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn this_archive() -> String {
    let arch = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "amd64"
    };
    archive("linux", arch)
}

fn archive(os: &str, arch: &str) -> String {
    format!(
        "kubectl-hpa-v{}-{os}-{arch}.tar.gz",
        env!("CARGO_PKG_VERSION")
    )
}

#[track_caller]
fn assert_success(output: &Output) {
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}");
}
