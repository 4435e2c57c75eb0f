//! libFuzzer on the target in `tests/fuzzed/targets/kubeconfig.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("kubeconfig");
