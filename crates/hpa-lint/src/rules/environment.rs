//! The environment that an object is for.

use crate::{Cx, HpaSubject};

/// The environment that an object is for, as far as its file and its namespace say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Environment {
    /// One before production, such as `overlays/dev` or namespace `shop-staging`.
    BeforeProduction,
    /// Production, such as `overlays/prod`.
    Production,
    /// Nothing says.
    Unknown,
}

impl Environment {
    /// The environment of an HPA.
    pub(super) fn of(cx: &Cx<'_, HpaSubject>) -> Self {
        let object = cx.subject.object();
        let names = [&*object.namespace, &*object.name];
        match Self::of_folders(cx.file_name) {
            Self::Unknown if is_one_of(&object.namespace, &EARLY_NAMESPACES) => {
                Self::BeforeProduction
            }
            Self::Unknown if names.iter().any(|name| is_one_of(name, &LATE_NAMES)) => {
                Self::Production
            }
            known => known,
        }
    }

    /// A folder such as `dev` inside one for environments, such as `overlays`; or such a folder that the file is in.
    fn of_folders(file_name: &str) -> Self {
        let folders: Vec<&str> = file_name.split(['/', '\\']).collect();
        let named = folders.windows(3).filter_map(|three| {
            let is_environment = ENVIRONMENTS.contains(&three[0]);
            is_environment.then(|| Self::of_folder(three[1]))
        });
        let own = folders.iter().rev().nth(1).filter(|folder| {
            let folder = **folder;
            EARLY.contains(&folder) || LATE.contains(&folder)
        });
        let own = own.map(|folder| Self::of_folder(folder));
        let mut known = named.chain(own).filter(|one| *one != Self::Unknown);
        known.next().unwrap_or(Self::Unknown)
    }

    fn of_folder(folder: &str) -> Self {
        let words = folder.split(['-', '_', '.']);
        let is_early =
            |word: &str| EARLY.contains(&word.trim_end_matches(|one: char| one.is_ascii_digit()));
        if words.clone().any(|word| LATE.contains(&word)) {
            // `pre-prod` and `prod-test` are neither.
            let is_plain = !words
                .clone()
                .any(|word| is_early(word) || NOT_YET.contains(&word));
            return if is_plain {
                Self::Production
            } else {
                Self::Unknown
            };
        }
        if words.clone().any(is_early) {
            return Self::BeforeProduction;
        }
        Self::Unknown
    }
}

/// Whether the first or the last word of a name is one of these.
fn is_one_of(name: &str, words: &[&str]) -> bool {
    let mut own = name.split('-');
    let first = own.next();
    let is_not_yet = name.split('-').any(|word| NOT_YET.contains(&word));
    !is_not_yet
        && [first, own.next_back()]
            .into_iter()
            .flatten()
            .any(|word| words.contains(&word))
}

/// Folders with a folder for each environment.
const ENVIRONMENTS: [&str; 7] = [
    "env",
    "environment",
    "environments",
    "envs",
    "overlay",
    "overlays",
    "stages",
];

/// Environments before production.
const EARLY: [&str; 19] = [
    "ci",
    "dev",
    "develop",
    "development",
    "integration",
    "kind",
    "local",
    "minikube",
    "preview",
    "qa",
    "sandbox",
    "sit",
    "stage",
    "staging",
    "stg",
    "test",
    "testing",
    "tst",
    "uat",
];

/// The same as words of a namespace. Others are also names of products and teams.
const EARLY_NAMESPACES: [&str; 11] = [
    "dev",
    "develop",
    "development",
    "qa",
    "sandbox",
    "sit",
    "stage",
    "staging",
    "stg",
    "test",
    "uat",
];

/// Words for production.
const LATE: [&str; 4] = ["live", "prd", "prod", "production"];

/// The same as words of a name.
const LATE_NAMES: [&str; 3] = ["prd", "prod", "production"];

/// With one of these words before it, production is not meant.
const NOT_YET: [&str; 3] = ["non", "pre", "not"];

#[cfg(test)]
mod tests {
    use super::{Environment, LATE_NAMES, is_one_of};

    #[test]
    fn environments_are_known_by_their_folders() {
        for (name, expected) in [
            (
                "deploy/overlays/dev/hpa.yaml",
                Environment::BeforeProduction,
            ),
            ("envs\\kind\\web\\hpa.yaml", Environment::BeforeProduction),
            ("k8s/overlay/uat/hpa.yaml", Environment::BeforeProduction),
            ("overlays/staging/hpa.yaml", Environment::BeforeProduction),
            ("overlays/dev-1/hpa.yaml", Environment::BeforeProduction),
            ("envs/dev2/hpa.yaml", Environment::BeforeProduction),
            (
                "environments/eu-staging/hpa.yaml",
                Environment::BeforeProduction,
            ),
            ("dev/kustomization.yaml", Environment::BeforeProduction),
            ("apps/web/qa/hpa.yaml", Environment::BeforeProduction),
            (
                "deploy/overlays/production/hpa.yaml",
                Environment::Production,
            ),
            ("overlays/eu-prod/web/hpa.yaml", Environment::Production),
            ("apps/web/prd/hpa.yaml", Environment::Production),
            ("projects/dev/shop/hpa.yaml", Environment::Unknown),
            ("overlays/dev.yaml", Environment::Unknown),
            ("overlays/test", Environment::Unknown),
            ("overlays/live-test/hpa.yaml", Environment::Unknown),
            ("overlays/pre-prod/hpa.yaml", Environment::Unknown),
            ("overlays/device/hpa.yaml", Environment::Unknown),
            ("", Environment::Unknown),
        ] {
            assert_eq!(Environment::of_folders(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_says_production_in_its_first_or_last_word() {
        for name in ["prod", "prod-web", "shop-production", "web-prd"] {
            assert!(is_one_of(name, &LATE_NAMES), "{name}");
        }
        for name in [
            "products",
            "web",
            "non-prod",
            "pre-prod-web",
            "a-prod-b",
            "",
        ] {
            assert!(!is_one_of(name, &LATE_NAMES), "{name}");
        }
    }
}
