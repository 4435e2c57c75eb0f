//! Any kubeconfig, with credentials: connecting ends with a client or with an error of one line.

use std::{fs, time::Duration};

use hpa_cluster::{ConnectionArgs, connect, context_names, kubeconfig_names};
use kubectl_hpa_yaml::decode;
use tokio::runtime::Builder;

/// The programs that an input may run as a credential plugin.
const PLUGINS: [&str; 3] = ["printf", "false", "no-such-plugin"];

pub fn kubeconfig(bytes: &[u8]) {
    if !runs_only_harmless_plugins(bytes) {
        return;
    }
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("config");
    fs::write(&path, bytes).expect("it can be written");
    let mut args = ConnectionArgs {
        kubeconfig: Some(path),
        request_timeout: Some("5s".to_owned()),
        ..ConnectionArgs::default()
    };
    let _ = kubeconfig_names(&args);
    let mut contexts = vec![None];
    if let Ok(names) = context_names(&args) {
        contexts.extend(names.into_iter().map(Some).take(4));
    }
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("it starts").block_on(async {
        for context in contexts {
            args.context = context;
            let connecting = tokio::time::timeout(Duration::from_secs(30), connect(&args));
            if let Err(error) = connecting.await.expect("it ends") {
                let error = error.to_string();
                assert!(!error.is_empty() && error.len() < 64 * 1024, "{error}");
            }
        }
    });
}

/// Whether every command that the text may contain is one of these: a mutation must not run anything else.
fn runs_only_harmless_plugins(bytes: &[u8]) -> bool {
    let text = decode(bytes.to_vec()).text;
    // A name in any other notation is not worth the risk.
    let is_plain = !text.contains(['\\', '&', '*', '!']);
    is_plain
        && text.split("command").skip(1).all(|rest| {
            let value = rest.trim_start_matches(['"', '\'', ':', ' ']);
            PLUGINS.iter().any(|plugin| {
                value.strip_prefix(plugin).is_some_and(|rest| {
                    rest.starts_with(['\n', ',', '}', '"', '\'']) || rest.is_empty()
                })
            })
        })
        && !text.contains("cmd-path")
}
