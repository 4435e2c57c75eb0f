//! `kubectl hpa replay`.

use crate::{
    cli::{ColorChoice, ReplayArgs},
    exit_code::Status,
};

/// Runs `kubectl hpa replay`.
#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "stub"
)]
pub(super) fn run(_args: ReplayArgs, _color: ColorChoice) -> anyhow::Result<Status> {
    Ok(Status::Success)
}
