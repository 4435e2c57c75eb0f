//! libFuzzer on what `tests/fuzzed/targets/recording.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("recording");
