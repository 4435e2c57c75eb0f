//! The output of `kubectl hpa explain`, compared with what the real controller then does.
//!
//! One control plane (`tests/cluster`) serves all tests, a namespace each. In every situation the controller is held
//! before a pass, the plugin is asked through the real `kubectl`, the pass is let go, and what the controller wrote
//! must be what the plugin predicted: replicas, status and events. Each test also says what the controller does in
//! its situation, so that a situation that isn't what it claims to be fails, too.

#![expect(clippy::unwrap_used, reason = "test code")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "json! takes references, so a part built for it looks unused"
)]

#[path = "../faults/agent.rs"]
mod agent;
mod agreement;
mod audit;
mod cluster;
mod decision;
mod left_out;
mod link;
mod manifest;
mod namespace;
#[path = "../docs/book/permissions.rs"]
mod permissions;
#[path = "../files/played.rs"]
mod played;
mod releases;
mod situation;
#[path = "../screen/terminal.rs"]
mod terminal;
mod watched;

mod access;
mod autoscalers;
mod bounds;
mod changed_spec;
mod combined_events;
mod completion;
mod counterfactuals;
mod custom_metrics;
mod downstream;
mod drawn;
mod export;
mod failures;
mod fleet;
mod history;
mod identified;
mod informers;
mod jsonpath;
mod limited_users;
mod lint_behavior;
mod lint_cluster;
mod lint_judge;
mod lint_live;
mod lint_metrics;
mod lint_recordings;
mod lint_rendered;
mod lint_target;
mod lint_texts;
mod list;
mod mcp;
mod names;
mod neovim;
mod pipeline;
mod pod_notes;
mod pods;
mod privacy;
mod reaction;
mod recordings;
mod resource_metrics;
mod scale_targets;
mod scaling_behavior;
mod simulation;
mod watch;
mod watch_causes;
mod watch_faults;
mod watch_incident;
mod watch_inferred;
mod watch_syncs;
mod watch_unseen;
mod writers;
