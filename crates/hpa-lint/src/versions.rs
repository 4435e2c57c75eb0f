//! The versions of Kubernetes to lint for.

use std::str::FromStr;

use hpa_engine::model::KubeVersion;

/// One version or several: `1.30`, `1.30-1.36`, `1.30..1.36`, `1.33+`. A range means every minor version in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions(Vec<KubeVersion>);

impl Versions {
    /// The versions, oldest first; at least one.
    pub fn as_slice(&self) -> &[KubeVersion] {
        &self.0
    }
}

impl From<KubeVersion> for Versions {
    fn from(version: KubeVersion) -> Self {
        Self(vec![version])
    }
}

impl FromStr for Versions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Some((first, last)) = text.split_once("..").or_else(|| split_range(text)) {
            return range(known(first)?, known(last)?);
        }
        // A patch version with a plus is a provider's own build.
        if let Some(first) = text.strip_suffix('+')
            && first.matches('.').count() == 1
        {
            return range(known(first)?, KubeVersion::NEWEST);
        }
        Ok(known(text)?.into())
    }
}

/// Splits `1.30-1.36`. A dash before anything but a version is part of a provider's build.
fn split_range(text: &str) -> Option<(&str, &str)> {
    let (first, last) = text.split_once('-')?;
    let last = last.trim();
    let is_version = last.strip_prefix('v').unwrap_or(last).starts_with("1.");
    is_version.then_some((first, last))
}

fn range(first: KubeVersion, last: KubeVersion) -> Result<Versions, String> {
    if last.minor < first.minor {
        return Err(format!(
            "the range {first} to {last} is empty: write the older version first"
        ));
    }
    let between = (first.minor + 1..=last.minor).map(|minor| KubeVersion {
        minor,
        patch: last.patch.filter(|_| minor == last.minor),
    });
    Ok(Versions(std::iter::once(first).chain(between).collect()))
}

fn known(text: &str) -> Result<KubeVersion, String> {
    let version: KubeVersion = text.trim().parse().map_err(|_| {
        format!(
            "invalid Kubernetes version {text:?}: use 1.36, or a range such as 1.30-1.36 or 1.33+"
        )
    })?;
    if version.minor < KubeVersion::OLDEST.minor || KubeVersion::NEWEST.minor < version.minor {
        return Err(format!(
            "Kubernetes {version} is not supported: use {} to {}",
            KubeVersion::OLDEST,
            KubeVersion::NEWEST
        ));
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minors(text: &str) -> Vec<u32> {
        let versions: Versions = text.parse().unwrap();
        versions.as_slice().iter().map(|one| one.minor).collect()
    }

    #[test]
    fn a_range_has_both_ends_and_a_plus_goes_to_the_newest() {
        assert_eq!(minors("1.30"), [30]);
        assert_eq!(minors("v1.30-1.32"), [30, 31, 32]);
        assert_eq!(minors("1.30 - v1.32"), [30, 31, 32]);
        assert_eq!(minors("1.30..1.30"), [30]);
        assert_eq!(minors("1.36+"), [36, 37, 38]);
        assert_eq!(minors("v1.33.5-eks-1234"), [33]);
        assert_eq!(minors("1.33.5+k3s1"), [33]);
    }

    #[test]
    fn what_is_not_a_version_is_rejected_with_what_to_use() {
        for (text, expected) in [
            ("1.36-1.30", "empty"),
            ("1.20", "not supported"),
            ("1.30-1.99", "not supported"),
            ("latest", "invalid Kubernetes version"),
            ("", "invalid Kubernetes version"),
            ("1.30,1.31", "invalid Kubernetes version"),
        ] {
            let error = text.parse::<Versions>().unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
