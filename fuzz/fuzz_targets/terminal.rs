//! libFuzzer on the target in `tests/fuzzed/targets/terminal.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("terminal");
