//! libFuzzer on the target in `tests/fuzzed/targets/jsonpath.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("jsonpath");
