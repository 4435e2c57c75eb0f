//! Parses a history from a table, for the examples of rules.

use jiff::{SignedDuration, Timestamp};

use super::{History, HistorySample};

impl History {
    /// Parses a table. The first line names the columns. Each other line holds from its time until that of the next
    /// line; the last one only marks the end. Columns are `time`, `replicas`, `proposal`, `ready`, `by` (`hpa` or
    /// `other`), `invalid` (index of a metric), `request` and `target` (milli-units and percent), `young` and `steady`
    /// (milli-cores). `-` means none, and a missing column means that nothing is wrong. `bounds` are `minReplicas` and
    /// `maxReplicas`, `metrics` the names of the metrics.
    pub fn of_table(text: &str, bounds: (i32, i32), metrics: Vec<String>) -> Result<Self, String> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let columns: Vec<&str> = lines
            .next()
            .ok_or("the table is missing")?
            .split_whitespace()
            .collect();
        let mut history = Self {
            metrics,
            sync_period: SignedDuration::from_secs(15),
            ..Self::default()
        };
        for line in lines {
            let cells: Vec<&str> = line.split_whitespace().collect();
            let row = HistoryTableRow {
                columns: &columns,
                cells: &cells,
            };
            let sample = row.sample(bounds)?;
            if let Some(last) = history.samples.last_mut() {
                last.lasts = sample.at.duration_since(last.at);
            }
            history.samples.push(sample);
        }
        history.samples.pop();
        Ok(history)
    }
}

struct HistoryTableRow<'a> {
    columns: &'a [&'a str],
    cells: &'a [&'a str],
}

impl HistoryTableRow<'_> {
    fn sample(&self, (min, max): (i32, i32)) -> Result<HistorySample, String> {
        let at: Timestamp = self
            .cell("time")
            .unwrap_or_default()
            .parse()
            .map_err(|error: jiff::Error| error.to_string())?;
        let replicas = self.number("replicas")?;
        let small = |number: Option<i64>| number.and_then(|number| i32::try_from(number).ok());
        let request = self.number("request")?.zip(small(self.number("target")?));
        let invalid = self.number("invalid")?;
        Ok(HistorySample {
            at,
            lasts: SignedDuration::ZERO,
            replicas: small(replicas),
            proposal: small(self.number("proposal")?),
            min,
            max,
            ready: small(self.number("ready")?.or(replicas)).unwrap_or_default(),
            is_changed_by_another: self.cell("by") == Some("other"),
            invalid: invalid.map_or(0, |index| 1 << index),
            request,
            young_cpu: self.number("young")?,
            steady_cpu: self.number("steady")?,
            least_memory: None,
        })
    }

    fn number(&self, column: &str) -> Result<Option<i64>, String> {
        self.cell(column)
            .map(|cell| {
                let number = cell.parse();
                number.map_err(|_| format!("{column} {cell:?} is not a number"))
            })
            .transpose()
    }

    fn cell(&self, column: &str) -> Option<&str> {
        let index = self.columns.iter().position(|one| *one == column)?;
        self.cells.get(index).copied().filter(|cell| *cell != "-")
    }
}
