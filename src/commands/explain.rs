//! `kubectl hpa explain`.

use crate::{
    cli::{ColorChoice, ExplainArgs},
    exit_code::Status,
};

/// Runs `kubectl hpa explain`.
#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "stub"
)]
pub(super) fn run(_args: ExplainArgs, _color: ColorChoice) -> anyhow::Result<Status> {
    Ok(Status::Success)
}
