//! Settings for some of the files.

use std::collections::BTreeMap;

use glob::{MatchOptions, Pattern};

use super::PathConfig;
use crate::{FileId, LintSettings};

/// Applies to every file the sections that match its path. `files` are paths relative to the folder of the
/// configuration file, with slashes.
pub fn apply_paths<'a>(
    sections: &[PathConfig],
    files: impl Iterator<Item = (FileId, &'a str)>,
    settings: &mut LintSettings,
) {
    let mut profiles: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for (file, path) in files {
        let concerned: Vec<usize> = (0..sections.len())
            .filter(|section| sections[*section].is_about(path))
            .collect();
        if concerned.is_empty() {
            continue;
        }
        let next = settings.profiles.len();
        let profile = *profiles.entry(concerned.clone()).or_insert(next);
        if profile == next {
            let mut changed = LintSettings {
                profiles: Vec::new(),
                profile_of: BTreeMap::new(),
                ..settings.clone()
            };
            for section in concerned {
                let section = &sections[section];
                section.rules.apply(&mut changed);
                let reason = &section.reason;
                let ignored = section.ignore.iter().cloned();
                changed
                    .ignored
                    .extend(ignored.map(|selector| (selector, reason.clone())));
            }
            settings.profiles.push(changed);
        }
        settings.profile_of.insert(file, profile);
    }
}

impl PathConfig {
    fn is_about(&self, path: &str) -> bool {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        self.files.iter().any(|pattern| {
            let of = if pattern.as_str().contains('/') {
                path
            } else {
                name
            };
            pattern.matches_with(of, OPTIONS)
        })
    }
}

/// One star matches within a folder, two match across folders.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Parses a pattern. `charts/dev/` matches everything in that folder.
pub(super) fn pattern(text: &str) -> Result<Pattern, String> {
    let text = text.strip_prefix("./").unwrap_or(text);
    let whole = if text.ends_with('/') {
        format!("{text}**")
    } else {
        text.to_owned()
    };
    Pattern::new(&whole).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_in_its_folder_and_a_bare_name_is_found_in_any() {
        for (text, path, is_about) in [
            ("dev/*.yaml", "dev/web.yaml", true),
            ("dev/*.yaml", "dev/a/web.yaml", false),
            ("dev/**/*.yaml", "dev/a/b/web.yaml", true),
            ("dev/", "dev/a/b/web.yaml", true),
            ("./dev/", "dev/web.yaml", true),
            ("dev/**", "developers/web.yaml", false),
            ("*-dev.yaml", "a/web-dev.yaml", true),
            ("web.yaml", "a/other-web.yaml", false),
            ("**/dev/**", "a/dev/web.yaml", true),
        ] {
            let section = PathConfig {
                files: vec![pattern(text).unwrap()],
                ..PathConfig::default()
            };
            assert_eq!(section.is_about(path), is_about, "{text} and {path}");
        }
        assert!(pattern("a***b").is_err());
    }
}
