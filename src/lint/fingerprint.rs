//! What a finding is recognized by, from one run to the next.

use std::collections::BTreeMap;

use super::Reported;

/// Gives every finding its fingerprint: 16 hexadecimal digits that are the same as long as the finding is.
///
/// It is made of the rule's code, the object's kind, namespace and name, the field's path without the indices of
/// lists, and the message without its numbers. So it survives that lines move, that a file is renamed, that a metric
/// is added before the one concerned, and that a measured value is another one. Findings that are equal in all of that
/// are numbered in the order of the report.
pub(super) fn assign(findings: &mut [Reported]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for reported in findings {
        let mut key = key(reported);
        let count = seen.entry(key.clone()).or_default();
        *count += 1;
        if *count > 1 {
            key.push_str(&format!("\0{count}"));
        }
        reported.fingerprint = format!("{:016x}", fnv1a(key.as_bytes()));
    }
}

/// The fingerprint of a finding of one cluster among several.
pub(super) fn in_context(fingerprint: &str, context: &str) -> String {
    let key = format!("{context}\0{fingerprint}");
    format!("{:016x}", fnv1a(key.as_bytes()))
}

fn key(reported: &Reported) -> String {
    let object = &reported.object;
    [
        reported.rule.code,
        &object.kind,
        &object.namespace,
        &object.name,
        &without_indices(&reported.finding.path),
        &without_numbers(&reported.finding.message),
    ]
    .join("\0")
}

/// `spec.metrics[1].resource` becomes `spec.metrics[].resource`.
fn without_indices(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, inside)) = rest.split_once('[') {
        let (step, after) = inside.split_once(']').unwrap_or((inside, ""));
        let is_index = step.chars().all(|one| one.is_ascii_digit());
        out.push_str(before);
        out.push('[');
        out.push_str(if is_index { "" } else { step });
        out.push(']');
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Every run of digits, with its fraction, becomes `#`.
fn without_numbers(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message.chars().peekable();
    while let Some(one) = rest.next() {
        if !one.is_ascii_digit() {
            out.push(one);
            continue;
        }
        out.push('#');
        let mut ahead = rest.clone();
        while let Some(next) = ahead.next() {
            let is_point = next == '.' && ahead.peek().is_some_and(char::is_ascii_digit);
            if !next.is_ascii_digit() && !is_point {
                break;
            }
            rest = ahead.clone();
        }
    }
    out
}

/// The hash FNV-1a of 64 bits: the same on every machine and in every version.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_and_numbers_do_not_count_but_names_do() {
        assert_eq!(
            without_indices("spec.metrics[12].x[0].annotations[a.b/c]"),
            "spec.metrics[].x[].annotations[a.b/c]"
        );
        assert_eq!(
            without_numbers("12 pods need 1.5Gi. quota small leaves 0.25"),
            "# pods need #Gi. quota small leaves #"
        );
    }

    #[test]
    fn the_hash_is_the_one_of_its_published_vectors() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
