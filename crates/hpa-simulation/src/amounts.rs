//! Amounts in flags that are compared with a metric: their unit must be that of the metric.

use crate::{Amount, LoadUnit, PerPodUnit};
use anyhow::{Context as _, bail};

/// The amount of `text` in the unit of `metric`. Fails if it has another unit.
pub fn amount(text: &str, metric: &str, unit: PerPodUnit) -> anyhow::Result<f64> {
    let (number, is_percent) = match text.strip_suffix('%') {
        Some(number) => (number, true),
        None => (text, false),
    };
    let parsed = match unit {
        PerPodUnit::PercentOfRequest => {
            let percent = number.trim().parse();
            return percent.with_context(|| {
                format!("the target of {metric} is a percentage: use one, such as 70%")
            });
        }
        PerPodUnit::Value(_) if is_percent => {
            bail!("the target of {metric} is not a percentage: use an amount without %")
        }
        PerPodUnit::Value(LoadUnit::Cores) => Amount::parse_cores(number),
        PerPodUnit::Value(LoadUnit::Bytes) => Amount::parse_bytes(number),
        PerPodUnit::Value(LoadUnit::Number) if number.contains("core") => {
            bail!("{metric} is not in cores: use a number")
        }
        PerPodUnit::Value(LoadUnit::Number) => Amount::parse(number),
    };
    match parsed? {
        Amount::Absolute(value) => Ok(value),
        Amount::Times(_) => bail!("use an amount, not a multiple"),
    }
}
