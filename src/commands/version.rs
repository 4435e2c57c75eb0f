//! `kubectl hpa version`.

use crate::{
    cli::{ColorChoice, VersionArgs},
    exit_code::Status,
};

/// Runs `kubectl hpa version`.
#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "stub"
)]
pub(super) fn run(_args: VersionArgs, _color: ColorChoice) -> anyhow::Result<Status> {
    Ok(Status::Success)
}
