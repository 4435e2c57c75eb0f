//! The binary's behavior when the cluster, the network or the settings are faulty.
//!
//! Each test has its own API server, an axum router on 127.0.0.1 that serves one small world, and runs the real binary against it.

#![expect(clippy::unwrap_used, reason = "test code")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "json! takes references, so a part built for it looks unused"
)]

mod agent;
mod audit;
mod living;
mod pipeline;
mod plugin;
#[cfg(unix)]
#[path = "../screen/terminal.rs"]
mod pty;
#[cfg(unix)]
#[path = "../lint/script.rs"]
mod script;
mod server;
mod serving;
mod world;

mod answers;
mod autoscalers;
mod completion;
mod connection;
mod credentials;
mod downstream;
#[cfg(target_os = "linux")]
mod endless;
mod explain;
#[cfg(unix)]
mod export;
#[cfg(unix)]
mod files;
mod fleet;
mod hostile_texts;
mod informers;
mod informers_equal;
mod informers_permissions;
mod informers_quotas;
mod informers_reads;
#[cfg(unix)]
mod integrations;
mod lint_live;
mod list;
mod matrix;
mod mcp;
mod mcp_protocol;
mod mcp_size;
mod old_servers;
#[cfg(unix)]
mod parameters;
mod permissions;
mod prometheus;
mod recording;
mod secrets;
mod selection;
mod tls;
mod watch;
#[cfg(unix)]
mod watch_screen;
mod workflow;
mod wrong_answers;
