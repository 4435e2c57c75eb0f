//! Numbers of the exporter's own process.

use hpa_render::export::ProcessNumbers;

/// The numbers of now; none: the system does not tell.
#[cfg(target_os = "linux")]
pub(super) fn numbers() -> Option<ProcessNumbers> {
    use procfs::{boot_time_secs, page_size, process::Process, ticks_per_second};
    let own = Process::myself().ok()?;
    let stat = own.stat().ok()?;
    let ticks = ticks_per_second();
    let limit = own.limits().ok()?.max_open_files.soft_limit;
    Some(ProcessNumbers {
        cpu_seconds: seconds(stat.utime + stat.stime, ticks),
        resident_bytes: stat.rss * page_size(),
        open_files: own.fd_count().ok()?,
        most_files: match limit {
            procfs::process::LimitValue::Value(most) => Some(most),
            procfs::process::LimitValue::Unlimited => None,
        },
        started: seconds(boot_time_secs().ok()? * ticks + stat.starttime, ticks),
    })
}

#[cfg(target_os = "linux")]
#[expect(clippy::cast_precision_loss, reason = "ticks of centuries are exact")]
fn seconds(ticks: u64, per_second: u64) -> f64 {
    ticks as f64 / per_second as f64
}

/// The numbers of now; none: the system does not tell.
#[cfg(not(target_os = "linux"))]
pub(super) fn numbers() -> Option<ProcessNumbers> {
    None
}
