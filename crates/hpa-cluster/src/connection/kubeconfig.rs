//! Reads kubeconfig files the way kubectl does.

use std::{
    env, fs, io,
    path::{MAIN_SEPARATOR, Path, PathBuf},
};

use hpa_objects::recording::read_at_most;
use kube::config::{Kubeconfig, KubeconfigError};
use kubectl_hpa_yaml::decode;

use crate::ClusterError;

/// Merged kubeconfig files.
#[derive(Debug, Default)]
pub(super) struct LoadedKubeconfig {
    /// The merged content; empty if no file exists.
    pub(super) kubeconfig: Kubeconfig,
    /// The files that were searched, in order.
    pub(super) files: Vec<PathBuf>,
    /// Whether at least one of them exists.
    pub(super) found: bool,
}

/// Reads `explicit`, else the files in `$KUBECONFIG`, else `~/.kube/config`. Missing files are skipped unless they are
/// named on the command line. Upstream: `ClientConfigLoadingRules.Load`.
pub(super) fn load(explicit: Option<&Path>) -> Result<LoadedKubeconfig, ClusterError> {
    if let Some(path) = explicit {
        return Ok(LoadedKubeconfig {
            kubeconfig: checked(path, read(path))?,
            files: vec![path.to_owned()],
            found: true,
        });
    }
    let mut loaded = LoadedKubeconfig {
        files: default_files(),
        ..LoadedKubeconfig::default()
    };
    for path in &loaded.files {
        let next = match read(path) {
            Err(KubeconfigError::ReadConfig(source, _))
                if source.kind() == io::ErrorKind::NotFound =>
            {
                continue;
            }
            next => checked(path, next)?,
        };
        let merged = loaded.kubeconfig.merge(next);
        loaded.kubeconfig = merged.map_err(|error| failure(path, &error))?;
        loaded.found = true;
    }
    Ok(loaded)
}

/// Reads one file. kube would read any file to its end, and panic at half a character of UTF-16.
fn read(path: &Path) -> Result<Kubeconfig, KubeconfigError> {
    let unread = |source| KubeconfigError::ReadConfig(source, path.to_owned());
    let bytes = fs::File::open(path).and_then(|file| read_at_most(file, MOST_MEBIBYTES));
    let decoded = decode(bytes.map_err(unread)?);
    if !decoded.replaced.is_empty() {
        let what = if decoded.is_utf16 { "UTF-16" } else { "UTF-8" };
        let kind = io::ErrorKind::InvalidData;
        return Err(unread(io::Error::new(kind, format!("Invalid {what}"))));
    }
    let mut kubeconfig = Kubeconfig::from_yaml(decoded.text.trim_start_matches('\u{feff}'))?;
    if let Some(folder) = path.parent() {
        resolve(&mut kubeconfig, folder);
    }
    Ok(kubeconfig)
}

/// Resolves file names relative to the folder of the kubeconfig, including a plugin with a folder in its name.
/// Upstream: `GetClusterFileReferences` and `GetAuthInfoFileReferences` of client-go.
fn resolve(kubeconfig: &mut Kubeconfig, folder: &Path) {
    let is_in_folder = |command: &&mut String| command.contains(MAIN_SEPARATOR);
    let clusters = kubeconfig.clusters.iter_mut();
    let of_clusters = clusters
        .filter_map(|named| named.cluster.as_mut())
        .filter_map(|cluster| cluster.certificate_authority.as_mut());
    let users = kubeconfig.auth_infos.iter_mut();
    let of_users = users
        .filter_map(|named| named.auth_info.as_mut())
        .flat_map(|user| {
            let exec = user.exec.as_mut();
            let command = exec.and_then(|exec| exec.command.as_mut());
            let files = [
                &mut user.client_certificate,
                &mut user.client_key,
                &mut user.token_file,
            ];
            let files = files.into_iter().filter_map(Option::as_mut);
            files.chain(command.filter(is_in_folder))
        });
    for path in of_clusters.chain(of_users).filter(|path| !path.is_empty()) {
        if let Some(whole) = folder.join(&*path).to_str() {
            whole.clone_into(path);
        }
    }
}

/// The largest kubeconfigs have some thousand clusters.
const MOST_MEBIBYTES: u64 = 64;

fn checked(
    path: &Path,
    read: Result<Kubeconfig, KubeconfigError>,
) -> Result<Kubeconfig, ClusterError> {
    let mut kubeconfig = read.map_err(|error| failure(path, &error))?;
    // An empty name would take precedence over the name in a later file.
    kubeconfig.current_context = kubeconfig.current_context.filter(|name| !name.is_empty());
    Ok(kubeconfig)
}

fn failure(path: &Path, error: &KubeconfigError) -> ClusterError {
    ClusterError::Kubeconfig {
        path: path.to_owned(),
        why: match error {
            KubeconfigError::ReadConfig(source, _) => source.to_string(),
            KubeconfigError::Parse(error) => {
                let what = without_values(&error.without_snippet().to_string());
                match error.location() {
                    Some(at) => format!("line {} column {}: {what}", at.line(), at.column()),
                    None => what,
                }
            }
            KubeconfigError::KindMismatch | KubeconfigError::ApiVersionMismatch => {
                error.to_string()
            }
            _ => "it is not a kubeconfig".to_owned(),
        },
    }
}

/// The error without any text from the file, which contains tokens and passwords.
fn without_values(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let known = |text: &str| {
        text.split(" at line ")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    if let Some((_, expected)) = first.rsplit_once(", expected ") {
        return format!(
            "a value is not what belongs there: expected {}",
            known(expected)
        );
    }
    match first.split_once("missing field ") {
        Some((_, field)) => format!("field {} is missing", known(field)),
        None => "it is not valid YAML".to_owned(),
    }
}

fn default_files() -> Vec<PathBuf> {
    let named: Vec<PathBuf> = env::var_os("KUBECONFIG")
        .map(|value| {
            env::split_paths(&value)
                .filter(|path| !path.as_os_str().is_empty())
                .collect()
        })
        .unwrap_or_default();
    if !named.is_empty() {
        return named;
    }
    env::home_dir()
        .map(|home| vec![home.join(".kube").join("config")])
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_and_quote_nothing() {
        for (error, expected) in [
            (
                "failed to parse: did not find expected key\n  --> <input>:10:3\n   |\n 9 | token: hunter2\n",
                "it is not valid YAML",
            ),
            (
                "invalid type: string \"hunt\"er2, expected hunter2\", expected struct AuthInfo at line 3 column 5",
                "a value is not what belongs there: expected struct AuthInfo",
            ),
            (
                "missing field `name` at line 3 column 5",
                "field `name` is missing",
            ),
            ("unknown anchor hunter2", "it is not valid YAML"),
        ] {
            assert_eq!(without_values(error), expected);
        }
    }
}
