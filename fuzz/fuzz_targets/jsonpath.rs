//! libFuzzer on what `tests/fuzzed/targets/jsonpath.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("jsonpath");
