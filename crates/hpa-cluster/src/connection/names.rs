//! The names in a kubeconfig, for completion.

use super::{kubeconfig, settings::named};
use crate::{ClusterError, ConnectionArgs};

/// The names in a kubeconfig, each list in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KubeconfigNames {
    /// Contexts, each with a description, such as `cluster prod, namespace shop`.
    pub contexts: Vec<(String, String)>,
    /// Clusters, each with the address of its server.
    pub clusters: Vec<(String, String)>,
    /// Users.
    pub users: Vec<String>,
}

/// Reads the names in the kubeconfig.
pub fn kubeconfig_names(args: &ConnectionArgs) -> Result<KubeconfigNames, ClusterError> {
    let kubeconfig = kubeconfig::load(named(args.kubeconfig.as_deref()))?.kubeconfig;
    let current = kubeconfig.current_context;
    let contexts = kubeconfig.contexts.into_iter().map(|named| {
        let context = named.context.unwrap_or_default();
        let mut parts = vec![format!("cluster {}", context.cluster)];
        parts.extend(
            context
                .namespace
                .map(|namespace| format!("namespace {namespace}")),
        );
        if current.as_deref() == Some(&named.name) {
            parts.push("current".to_owned());
        }
        (named.name, parts.join(", "))
    });
    let clusters = kubeconfig.clusters.into_iter().map(|named| {
        let server = named.cluster.and_then(|cluster| cluster.server);
        (named.name, server.unwrap_or_default())
    });
    let users = kubeconfig.auth_infos.into_iter().map(|named| named.name);
    Ok(KubeconfigNames {
        contexts: contexts.collect(),
        clusters: clusters.collect(),
        users: users.collect(),
    })
}
