# Shortcuts. Each recipe prints the plain command that it runs.

# List the recipes
default:
    @just --list

# Format, lints, purity, tests and documentation, as CI does before the cluster
check:
    cargo fmt --check
    cargo clippy --all-targets --all-features -- -D warnings
    cargo clippy -p hpa-watch -- -D warnings
    cargo test
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# All that CI does
ci:
    .ci/run

# Run the tests; arguments go to cargo
test *arguments:
    cargo test {{ arguments }}

# Explain a recorded incident, to see what a change does
try *arguments="-f examples/not-ready-pods.jsonl":
    cargo run -- explain {{ arguments }}

# Accept changed snapshots, then show what changed
bless:
    INSTA_UPDATE=always cargo test
    git diff

# Refresh what is made from the code: completions, schemas, pages of rules, transcripts, the library's surface, pictures
generate:
    UPDATE_GENERATED=1 cargo test --test docs --test lint --test library
    git diff --stat

# Take the pictures of the terminal anew
pictures:
    docs/pictures/make.sh

# Write the transcripts of the README anew
transcripts:
    TRYCMD=overwrite cargo test --test docs

# Documentation of the library, as its users have it
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc -p hpa-engine --no-deps --open

# Compare the library with the last release (needs cargo-semver-checks)
semver baseline:
    cargo semver-checks -p hpa-engine --baseline-rev {{ baseline }}

# Licenses, bans, sources and advisories of dependencies (needs cargo-deny; advisories are fetched)
deny *checks="licenses bans sources advisories":
    cargo deny check {{ checks }}

# Test on a real control plane (needs Go)
live *filter:
    tests/cluster/build.sh
    cargo test --test live -- {{ filter }}

# Test history and export with the real Prometheus, VictoriaMetrics and Alertmanager (needs Go)
monitoring:
    tests/cluster/build.sh
    tests/monitoring/build.sh
    MONITORING=1 HISTORY=short cargo test --test live -- history export --test-threads 1

# Compare history with the real controller, and a what-if with a second real HPA, over an hour (needs Go)
history:
    tests/cluster/build.sh
    tests/monitoring/build.sh
    tests/monitoring/build.sh kube-state-metrics-2.15.0 metrics-server prometheus-adapter thanos
    HISTORY=long cargo test --test live history -- --test-threads 1

# Compare what-ifs of history with HPAs that have the other spec, over an hour (needs Go and an idle machine)
history-twins:
    tests/cluster/build.sh
    tests/monitoring/build.sh
    HISTORY=twins cargo test --test live twins -- --nocapture
    HISTORY=triplets cargo test --test live twins -- --nocapture

# As many syncs as export sees in four hours, with the API server away in between, over five minutes (needs Go)
export-soak:
    tests/cluster/build.sh
    SOAK=long cargo test --test live export::soak

# Play the incident of watch on a real control plane, over fifteen minutes (needs Go)
incident:
    tests/cluster/build.sh
    KUBECTL_HPA_INCIDENT=full cargo test --test live incident

# Measure
bench *arguments:
    cargo bench {{ arguments }}

# Record the real controller: just record 1.36.3 5001-5400 FOLDER
record release seeds folder:
    tests/oracle/fresh.sh {{ release }} {{ seeds }} {{ folder }}

# Check the spelling and build the book: target/book/index.html
book:
    .ci/tools
    target/tools/bin/typos
    target/tools/bin/mdbook build

# Memory and CPU of watch over hours (needs Go)
soak:
    tests/cluster/build.sh
    cargo build --release
    benches/soak.sh
