//! Identifies a finding across runs.

use std::{collections::BTreeMap, fmt};

use super::{Reported, parallel};

/// Assigns every finding its fingerprint: 16 hexadecimal digits that stay the same as long as the finding does.
///
/// The input is the rule's code, the object's kind, namespace and name, the field's path without list indices, and the
/// message without numbers. So the fingerprint does not change when lines move, a file is renamed, another metric is
/// inserted, or a measured value changes. Findings with the same input are numbered in the order of the report.
pub(super) fn assign(findings: &mut [Reported]) {
    let hashes = parallel::map(findings, of_finding);
    let mut seen: BTreeMap<Fingerprint, u32> = BTreeMap::new();
    for (reported, mut hash) in findings.iter_mut().zip(hashes) {
        let count = seen.entry(hash).or_default();
        *count += 1;
        if *count > 1 {
            hash.add(&format!("\0{count}"));
        }
        reported.fingerprint = hash;
    }
}

fn of_finding(reported: &Reported) -> Fingerprint {
    let object = &reported.object;
    let mut hash = Fingerprint::default();
    for text in [
        reported.rule.code,
        &object.kind,
        &object.namespace,
        &object.name,
    ] {
        hash.add(text);
        hash.add("\0");
    }
    without_indices(&reported.finding.path, &mut |text| hash.add(text));
    hash.add("\0");
    without_numbers(&reported.finding.message, &mut |text| hash.add(text));
    hash
}

/// Emits `spec.metrics[1].resource` as `spec.metrics[].resource`, piece by piece.
fn without_indices(path: &str, take: &mut dyn FnMut(&str)) {
    let mut rest = path;
    while let Some((before, inside)) = rest.split_once('[') {
        let (step, after) = inside.split_once(']').unwrap_or((inside, ""));
        let is_index = step.bytes().all(|one| one.is_ascii_digit());
        take(before);
        take("[");
        take(if is_index { "" } else { step });
        take("]");
        rest = after;
    }
    take(rest);
}

/// Emits the message with `#` for every run of digits and its fraction, piece by piece.
fn without_numbers(message: &str, take: &mut dyn FnMut(&str)) {
    let mut rest = message;
    while let Some(begin) = rest.bytes().position(|one| one.is_ascii_digit()) {
        take(&rest[..begin]);
        take("#");
        rest = rest[begin..].trim_start_matches(|one: char| one.is_ascii_digit());
        while let Some(fraction) = rest.strip_prefix('.')
            && fraction.starts_with(|one: char| one.is_ascii_digit())
        {
            rest = fraction.trim_start_matches(|one: char| one.is_ascii_digit());
        }
    }
    take(rest);
}

/// What identifies a finding: the 64-bit hash FNV-1a, which is the same on every machine and in every version. Displayed
/// as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The fingerprint of the same finding in one of several clusters.
    pub(super) fn in_context(self, context: &str) -> Self {
        let mut hash = Self::default();
        for text in [context, "\0", &self.to_string()] {
            hash.add(text);
        }
        hash
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str, pieces: impl Fn(&str, &mut dyn FnMut(&str))) -> String {
        let mut whole = String::new();
        pieces(text, &mut |piece| whole.push_str(piece));
        whole
    }

    #[test]
    fn indices_and_numbers_do_not_count_but_names_do() {
        assert_eq!(
            whole("spec.metrics[12].x[0].annotations[a.b/c]", without_indices),
            "spec.metrics[].x[].annotations[a.b/c]"
        );
        assert_eq!(
            whole(
                "12 pods need 1.5Gi. quota small leaves 0.25",
                without_numbers
            ),
            "# pods need #Gi. quota small leaves #"
        );
        assert_eq!(whole("from 1.29.6.", without_numbers), "from #.");
    }

    #[test]
    fn the_hash_is_the_one_of_its_published_vectors() {
        let of = |text: &str| {
            let mut hash = Fingerprint::default();
            hash.add(text);
            hash.0
        };
        assert_eq!(of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(of("foobar"), 0x8594_4171_f739_67e8);
    }
}
