//! libFuzzer on what `tests/fuzzed/targets/engine.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("engine");
