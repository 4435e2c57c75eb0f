# Shortcuts. Each recipe prints the plain command that it runs.

# List the recipes
default:
    @just --list

# Format, lints, purity, tests and documentation, as CI does before the cluster
check:
    cargo fmt --check
    cargo clippy --all-targets --all-features -- -D warnings
    cargo clippy --lib --no-default-features -- -D warnings
    cargo test
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

# All that CI does
ci:
    .ci/run

# Run the tests; arguments go to cargo
test *arguments:
    cargo test {{ arguments }}

# Accept changed snapshots, then show what changed
bless:
    INSTA_UPDATE=always cargo test
    git diff

# Refresh generated files: completions, schemas, transcripts
generate:
    UPDATE_GENERATED=1 cargo test --test generated --test questions

# Test on a real control plane (needs Go)
live:
    tests/cluster/build.sh
    cargo test --features live --test live

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
