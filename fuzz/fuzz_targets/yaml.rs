//! libFuzzer on what `tests/fuzzed/targets/yaml.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("yaml");
