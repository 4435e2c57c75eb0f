//! libFuzzer on the target in `tests/fuzzed/targets/recording.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("recording");
