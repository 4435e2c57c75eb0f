//! libFuzzer on what `tests/fuzzed/targets/page.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("page");
