//! libFuzzer on the target in `tests/fuzzed/targets/answers.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("answers");
