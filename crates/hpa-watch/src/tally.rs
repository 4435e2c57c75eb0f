//! Counts for the summary line at the end.

use hpa_words::amount::count;

use crate::{Agreement, Change, State, Update};

/// Counts of what was observed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchTally {
    hpas: usize,
    syncs: usize,
    scalings: usize,
    agreeing: usize,
    differing: usize,
    unclear: usize,
}

impl WatchTally {
    /// Counts the updates.
    pub fn count(&mut self, updates: &[Update], state: &State) {
        self.hpas = state.hpas.len();
        for update in updates {
            match update {
                Update::Reconciled { changes, .. } => {
                    self.syncs += 1;
                    self.count_scalings(changes);
                }
                Update::Changed { changes, .. } => self.count_scalings(changes),
                Update::Compared { agreement, .. } => match agreement {
                    Agreement::Open => {}
                    Agreement::Agrees | Agreement::AgreesOtherwise => self.agreeing += 1,
                    Agreement::Differs(_) => self.differing += 1,
                    Agreement::Unclear(_) => self.unclear += 1,
                },
                _ => {}
            }
        }
    }

    /// Sums up in one line.
    pub fn summary(&self) -> String {
        let mut text = format!(
            "watched {}: {}, {}",
            count(self.hpas, "HPA"),
            count(self.syncs, "sync"),
            count(self.scalings, "scaling")
        );
        let compared = self.agreeing + self.differing + self.unclear;
        if 0 < compared {
            text.push_str(&format!(
                "; {} of {compared} recomputed as the controller decided",
                self.agreeing
            ));
        }
        if 0 < self.differing {
            text.push_str(&format!(", {} differently", self.differing));
        }
        if 0 < self.unclear {
            text.push_str(&format!(
                ", {} unclear (something changed between two reads)",
                self.unclear
            ));
        }
        text
    }

    fn count_scalings(&mut self, changes: &[Change]) {
        let scalings = changes.iter().map(|change| match change {
            Change::Rescaled { .. } => 1,
            Change::RescaledUnseen { steps, .. } => steps.len(),
            _ => 0,
        });
        self.scalings += scalings.sum::<usize>();
    }
}
