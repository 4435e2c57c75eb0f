//! `lint --lsp`: a client speaks the Language Server Protocol with the real program, over pipes.
//!
//! Neovim as the client is in `tests/live/neovim.rs`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "test code")]

mod actions;
mod client;
mod diagnostics;
mod protocol;
mod typing;
