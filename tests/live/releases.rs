//! The control plane's Kubernetes release, and the tests that it is too old for.
//!
//! `KUBERNETES_RELEASE=1.33.13` runs the tests on the programs that `tests/cluster/build.sh 1.33.13` builds.

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::LazyLock,
};

use hpa_engine::model::KubeVersion;

/// Tests whose situation there is only from a minor version on, and why: the whole list of what an older release leaves out.
const FROM: [(&str, u32, &str); 8] = [
    (
        "scaling_behavior::tolerance_of_one_direction_leaves_the_other",
        35,
        NO_TOLERANCE,
    ),
    (
        "counterfactuals::tolerance_of_zero_shows_the_replicas_that_it_hides",
        35,
        NO_TOLERANCE,
    ),
    (
        "lint_behavior::what_lint_says_never_scales_or_limits_nothing_does_so",
        35,
        NO_TOLERANCE,
    ),
    (
        "identified::version_that_is_emulated_decides_the_gates",
        35,
        "no other version that can be emulated has another gate",
    ),
    (
        "changed_spec::invalid_specs_are_refused_in_the_words_of_the_api_server",
        36,
        "the words are those of the newest release; what older ones refuse is compared in lint_judge",
    ),
    (
        "identified::gate_for_zero_replicas_is_identified",
        36,
        "the controller does not ask for the gate HPAScaleToZero",
    ),
    (
        "watch_syncs::new_and_edited_hpas_are_synced_and_reported_at_once",
        37,
        "the controller syncs every HPA in its turn",
    ),
    (
        "watch_syncs::syncs_that_a_cache_that_is_behind_skips_are_no_alarm",
        37,
        "the controller skips no sync",
    ),
];

const NO_TOLERANCE: &str =
    "an HPA has no tolerance of its own: HPAConfigurableTolerance is off by default, or unknown";

/// The release whose programs are run.
struct Release {
    /// Their folder.
    programs: PathBuf,
    version: KubeVersion,
}

static RELEASE: LazyLock<Release> = LazyLock::new(|| {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cluster/bin");
    match env::var("KUBERNETES_RELEASE") {
        Ok(release) if !release.is_empty() => Release {
            programs: programs.join(&release),
            version: release.parse().unwrap(),
        },
        _ => Release {
            programs,
            version: pinned(),
        },
    }
});

/// The release that `tests/cluster/go.mod` names.
fn pinned() -> KubeVersion {
    let (_, rest) = include_str!("../cluster/go.mod")
        .split_once("k8s.io/kubernetes v")
        .unwrap();
    rest.lines().next().unwrap().parse().unwrap()
}

/// A program of the release, such as `kubectl`.
#[track_caller]
pub(crate) fn program(name: &str) -> PathBuf {
    let program = RELEASE.programs.join(name);
    let release = RELEASE.programs.file_name().unwrap().to_string_lossy();
    let argument = if release == "bin" { "" } else { &release };
    assert!(
        program.exists(),
        "{} is not built: run tests/cluster/build.sh {argument} (needs Go)",
        program.display()
    );
    program
}

/// The release.
pub(crate) fn version() -> KubeVersion {
    RELEASE.version
}

/// Whether the release is too old for a test, which then does nothing. Prints so.
#[track_caller]
pub(crate) fn is_too_old_for(test: &str) -> bool {
    let entry = FROM.iter().find(|(name, ..)| *name == test);
    let (_, minor, why) = entry.unwrap_or_else(|| panic!("{test} is not in the list"));
    let is_too_old = version().minor < *minor;
    if is_too_old {
        // Not by a macro, whose output tests keep to themselves.
        let line = format!("left out before 1.{minor}: {test}: {why}\n");
        io::stderr().write_all(line.as_bytes()).unwrap();
    }
    is_too_old
}

#[test]
fn every_test_that_a_release_is_too_old_for_exists_and_asks() {
    for (test, minor, _) in FROM {
        assert!(minor <= pinned().minor, "{test} never runs");
        let (module, name) = test.split_once("::").unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/live/{module}.rs"));
        let text = fs::read_to_string(file).unwrap();
        let (_, body) = text
            .split_once(&format!("#[test]\nfn {name}() {{"))
            .unwrap();
        let question = format!("is_too_old_for(\"{test}\")");
        let body: String = body
            .split("\n}\n")
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        assert!(body.contains(&question), "{test} does not ask");
    }
}
