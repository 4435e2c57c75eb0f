//! libFuzzer on the target in `tests/fuzzed/targets/mcp.rs`.
#![no_main]

kubectl_hpa_fuzz::fuzz!("mcp");
