//! libFuzzer on what `tests/fuzzed/targets/terminal.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("terminal");
