//! libFuzzer on the target in `tests/fuzzed/targets/selector.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("selector");
