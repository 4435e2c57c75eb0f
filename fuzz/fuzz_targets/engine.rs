//! libFuzzer on the target in `tests/fuzzed/targets/engine.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("engine");
