//! The units of loads and of values per pod.

use hpa_words::amount::number;

/// The unit of the value per pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerPodUnit {
    /// Percent of what the pods request.
    PercentOfRequest,
    /// A value of the metric.
    Value(LoadUnit),
}

/// The unit of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadUnit {
    /// CPU cores.
    Cores,
    /// Bytes.
    Bytes,
    /// The unit of the metric.
    Number,
}

impl LoadUnit {
    /// An amount with its unit: `4.8 cores`, `3.2 GiB`, `250`.
    pub fn amount(self, value: f64) -> String {
        match self {
            Self::Cores if value == 0.0 => "0".to_owned(),
            Self::Cores if value < 1.0 => format!("{:.0}m", value * 1000.0),
            Self::Cores => {
                let number = number(value);
                let noun = if number == "1" { "core" } else { "cores" };
                format!("{number} {noun}")
            }
            Self::Bytes => bytes(value),
            Self::Number => number(value),
        }
    }
}

impl PerPodUnit {
    /// A value with its unit: `72%`, `350m`.
    pub fn amount(self, value: f64) -> String {
        match self {
            Self::PercentOfRequest => format!("{value:.0}%"),
            Self::Value(unit) => unit.amount(value),
        }
    }
}

fn bytes(value: f64) -> String {
    const UNITS: [(&str, f64); 3] = [
        ("GiB", 1_073_741_824.0),
        ("MiB", 1_048_576.0),
        ("KiB", 1024.0),
    ];
    match UNITS.iter().find(|(_, size)| *size <= value) {
        Some((unit, size)) => format!("{} {unit}", number(value / size)),
        None => format!("{value:.0} B"),
    }
}
