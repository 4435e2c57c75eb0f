//! libFuzzer on what `tests/fuzzed/targets/answers.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("answers");
