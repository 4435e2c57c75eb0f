//! libFuzzer on what `tests/fuzzed/targets/kubeconfig.rs` says.
#![no_main]

kubectl_hpa_fuzz::fuzz!("kubeconfig");
