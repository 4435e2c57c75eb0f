//! libFuzzer on what `tests/fuzzed/targets/selector.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("selector");
