//! What `lint` reads, how it runs, what it writes, and its rules.
#![allow(clippy::unwrap_used, reason = "test code")]

mod action;
mod configured;
mod directories;
mod documented;
mod edges;
mod fixes;
mod formats;
mod input;
mod keda;
mod kubectl_yaml;
mod kustomize;
#[path = "../pages/markup.rs"]
mod markup;
mod migrations;
mod outputs;
mod planted;
mod properties;
mod read_again;
mod recipes;
mod recordings;
mod rendering;
mod reported;
mod repository;
mod rules;
mod runs;
#[path = "../pages/schema.rs"]
mod schema;
#[cfg(unix)]
mod script;
mod steering;
#[allow(unreachable_pub, reason = "the fuzzer has it in a library")]
#[path = "../fuzzed/targets/yaml.rs"]
mod tree;
mod yaml_texts;
