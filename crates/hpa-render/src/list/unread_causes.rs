//! What could not be read for the HPAs of a list, by cause.

use std::collections::BTreeMap;

use hpa_engine::model::NotRead;

use super::NotReadOf;

/// What was not read for which HPAs: one entry for each cause. Causes that differ only in the number of a metric are one.
#[derive(Default)]
pub struct Causes(BTreeMap<CauseKey, (NotRead, Vec<String>)>);

/// Whether it does not decide, path, reason, and what would help.
type CauseKey = (bool, String, String, Option<String>);

impl Causes {
    /// Adds what was not read for an HPA of this namespace and name.
    pub fn add(&mut self, (namespace, name): (&str, &str), not_read: &[NotRead]) {
        let name = format!("{namespace}/{name}");
        for not_read in not_read {
            let what = not_read.what.without_index();
            let key = (
                !not_read.what.decides(),
                what.to_string(),
                not_read.why.clone(),
                not_read.remedy.clone(),
            );
            let cause = || NotRead {
                what,
                ..not_read.clone()
            };
            let (_, hpas) = self.0.entry(key).or_insert_with(|| (cause(), Vec::new()));
            if hpas.last() != Some(&name) {
                hpas.push(name.clone());
            }
        }
    }

    /// One entry for each cause, sorted by path; what decides first.
    pub fn into_not_read(self) -> Vec<NotReadOf> {
        let causes = self.0.into_values();
        causes
            .map(|(cause, hpas)| NotReadOf {
                decides: cause.what.decides(),
                cause,
                hpas,
            })
            .collect()
    }
}
