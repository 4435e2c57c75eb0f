//! Runs the fuzz targets of `fuzz/` on seeds, on some thousand mutations of them, and on every past finding.
#![allow(
    unreachable_pub,
    reason = "the package in `fuzz` has these modules, too"
)]

mod go;
mod mutate;
#[path = "../lint/rules/repeated.rs"]
mod repeated;
mod seeds;
mod targets;
#[path = "../golden/go/mod.rs"]
mod vectors;
#[path = "../faults/world.rs"]
#[allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "the tests of faults use the rest of it"
)]
mod world;

use std::{env, fs, panic, path::Path};

use mutate::{Random, mutate};
use targets::{TARGETS, target};

/// Past findings are in `found`, in a folder for each target.
#[test]
fn nothing_that_was_found_is_wrong_again() {
    let folder = root().join("tests/fuzzed/found");
    let mut inputs = 0;
    for (name, target) in TARGETS {
        let Ok(entries) = fs::read_dir(folder.join(name)) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("it is an entry").path();
            target(&fs::read(path).expect("it can be read"));
            inputs += 1;
        }
    }
    assert!(inputs > 0, "nothing was found in {}", folder.display());
}

macro_rules! changed_seeds {
    ($($name:ident: $count:literal,)*) => {$(
        #[test]
        fn $name() {
            changed(stringify!($name), $count);
        }
    )*};
}

changed_seeds! {
    answers: 300,
    engine: 600,
    jsonpath: 5_000,
    kubeconfig: 300,
    lint: 300,
    mcp: 300,
    page: 60,
    quantity: 10_000,
    recording: 300,
    selector: 10_000,
    terminal: 60,
    yaml: 2_000,
}

/// Runs this many mutations of seeds, the same in each run. `FUZZED_CHANGES` sets the number, `FUZZED_SEED` selects
/// others.
fn changed(name: &str, count: usize) {
    let number = |variable| Some(env::var(variable).ok()?.parse().expect("it is a number"));
    let count: usize = number("FUZZED_CHANGES").map_or(count, count_of);
    let seeds = seeds::seeds(name, root());
    let target = target(name);
    let mut random = Random(number("FUZZED_SEED").unwrap_or_default());
    for _ in 0..count {
        let seed = &seeds[random.below(seeds.len())];
        let input = mutate(name, seed, &mut random);
        let result = panic::catch_unwind(|| target(&input));
        assert!(
            result.is_ok(),
            "{name}: {:?}",
            String::from_utf8_lossy(&input)
        );
    }
}

fn count_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
