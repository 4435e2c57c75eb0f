//! libFuzzer on the target in `tests/fuzzed/targets/page.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("page");
