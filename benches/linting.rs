//! How fast manifests are linted: `cargo bench --bench linting`.
//!
//! The input is 1000 files in memory, each with an HPA, its Deployment and its Service. Figures are bytes of YAML a
//! second on all cores. `benches/lint.sh` compares whole processes with other linters.
#![expect(clippy::unwrap_used, reason = "benchmark")]

use divan::{Bencher, counter::BytesCount};
use hpa_engine::model;
use hpa_lint::{File, LintInput, LintSettings, fix, run};
use hpa_objects::manifest::ASSUMED_VERSION;

fn main() {
    divan::main();
}

/// Parsing of text to trees, on one core.
#[divan::bench]
fn parse(bencher: Bencher) {
    let files = files();
    bencher.counter(BytesCount::new(size(&files))).bench(|| {
        files
            .iter()
            .map(|file| kubectl_hpa_yaml::parse(text(file)).len())
            .sum::<usize>()
    });
}

/// Reading of files to the whole input of the rules.
#[divan::bench]
fn read(bencher: Bencher) {
    let files = files();
    bencher
        .counter(BytesCount::new(size(&files)))
        .bench(|| input(&files).hpas.len());
}

/// All rules on the whole input.
#[divan::bench]
fn check(bencher: Bencher) {
    let files = files();
    let input = input(&files);
    let settings = LintSettings::new(model::Input::assumed(ASSUMED_VERSION));
    bencher
        .counter(BytesCount::new(size(&files)))
        .bench(|| run(&input, &settings).findings.len());
}

/// A round of fixes: one for each HPA in one file with a thousand.
#[divan::bench]
fn fix(bencher: Bencher) {
    let documents: Vec<String> = (0..1000)
        .map(|index| {
            let manifest =
                include_str!("linting.yaml").replace("autoscaling/v2", "autoscaling/v2beta2");
            manifest.replace("web", &format!("web-{index}"))
        })
        .collect();
    let mut input = LintInput::default();
    input.add_text("all.yaml", &documents.join("---\n"), true);
    let settings = LintSettings::new(model::Input::assumed(ASSUMED_VERSION));
    let report = run(&input, &settings);
    assert_eq!(fix::round(&input, &report).fixed, 1000);
    bencher.bench(|| fix::round(&input, &report).fixed);
}

fn input(files: &[File]) -> LintInput {
    let mut input = LintInput::default();
    input
        .add_files(files.iter().cloned().map(Ok::<_, ()>))
        .unwrap();
    input
}

fn text(file: &File) -> &str {
    std::str::from_utf8(&file.bytes).unwrap()
}

fn size(files: &[File]) -> usize {
    files.iter().map(|file| file.bytes.len()).sum()
}

fn files() -> Vec<File> {
    let manifest = include_str!("linting.yaml");
    (0..1000)
        .map(|index| File {
            name: format!("web-{index}.yaml"),
            bytes: manifest
                .replace("web", &format!("web-{index}"))
                .into_bytes(),
            is_found: true,
            is_linted: true,
            is_rendered: false,
        })
        .collect()
}
