//! The environment that a file is for, by its folders.

/// Whether a file is for an environment before production: a folder such as `dev` or `staging` inside one for
/// environments, such as `overlays`.
pub(super) fn is_before_production(file_name: &str) -> bool {
    let folders: Vec<&str> = file_name.split(['/', '\\']).collect();
    folders.windows(3).any(|three| {
        let words = three[1].split(['-', '_', '.']);
        ENVIRONMENTS.contains(&three[0])
            && words.clone().any(|word| {
                EARLY.contains(&word.trim_end_matches(|one: char| one.is_ascii_digit()))
            })
            && !words.clone().any(|word| LATE.contains(&word))
    })
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
const EARLY: [&str; 16] = [
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
    "stage",
    "staging",
    "test",
    "testing",
    "uat",
];

/// Words for production, as in `pre-prod-test`.
const LATE: [&str; 3] = ["live", "prod", "production"];

#[cfg(test)]
mod tests {
    use super::is_before_production;

    #[test]
    fn environments_are_known_by_their_folders() {
        for name in [
            "deploy/overlays/dev/hpa.yaml",
            "envs\\kind\\web\\hpa.yaml",
            "k8s/overlay/uat/hpa.yaml",
            "overlays/staging/hpa.yaml",
            "overlays/dev-1/hpa.yaml",
            "envs/dev2/hpa.yaml",
            "environments/eu-staging/hpa.yaml",
        ] {
            assert!(is_before_production(name), "{name}");
        }
        for name in [
            "deploy/overlays/production/hpa.yaml",
            "projects/dev/shop/hpa.yaml",
            "overlays/dev.yaml",
            "overlays/test",
            "overlays/live-test/hpa.yaml",
            "overlays/device/hpa.yaml",
            "",
        ] {
            assert!(!is_before_production(name), "{name}");
        }
    }
}
