//! `kubectl hpa capture`.

use crate::{
    cli::{CaptureArgs, ColorChoice},
    exit_code::Status,
};

/// Runs `kubectl hpa capture`.
#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "stub"
)]
pub(super) fn run(_args: CaptureArgs, _color: ColorChoice) -> anyhow::Result<Status> {
    Ok(Status::Success)
}
