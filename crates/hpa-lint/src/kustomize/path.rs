//! Paths as text; this module reads no files.

/// The folder of a file.
pub(crate) fn folder_of(name: &str) -> String {
    folder_in(&normal(name)).to_owned()
}

/// The folder in a normal path.
pub(super) fn folder_in(name: &str) -> &str {
    match name.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((folder, _)) => folder,
        None => ".",
    }
}

/// Resolves a path relative to a folder.
pub(super) fn join(folder: &str, path: &str) -> String {
    if path.starts_with('/') {
        normal(path)
    } else {
        normal(&format!("{folder}/{path}"))
    }
}

/// A path with slashes, without `.`, and without `..` as far as possible.
pub(super) fn normal(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    let joined = steps.join("/");
    if path.starts_with('/') {
        format!("/{joined}")
    } else if joined.is_empty() {
        ".".to_owned()
    } else {
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::{folder_of, join};

    #[test]
    fn paths_are_those_that_a_kustomization_means() {
        for (folder, path, expected) in [
            ("overlays/prod", "../../base", "base"),
            ("overlays/prod", "./patch.yaml", "overlays/prod/patch.yaml"),
            (".", "base/", "base"),
            (".", "../base", "../base"),
            ("..", "../base", "../../base"),
            ("a", "..", "."),
            ("/a/b", "../c", "/a/c"),
        ] {
            assert_eq!(join(folder, path), expected, "{folder} {path}");
        }
        assert_eq!(folder_of("./base/kustomization.yaml"), "base");
        assert_eq!(folder_of("kustomization.yaml"), ".");
        assert_eq!(folder_of("/kustomization.yaml"), "/");
    }
}
