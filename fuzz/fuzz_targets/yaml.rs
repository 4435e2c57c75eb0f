//! libFuzzer on the target in `tests/fuzzed/targets/yaml.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("yaml");
