//! Picks context, cluster and user, with precedence for flags. Upstream: `clientcmd.DirectClientConfig`.

use std::path::Path;

use http::Uri;
use kube::config::{AuthInfo, Cluster, Context, ExecAuthCluster};

use super::{kubeconfig::LoadedKubeconfig, unusable};
use crate::{ClusterError, ConnectionArgs, address};

/// Where to connect to, and as whom.
#[derive(Debug)]
pub(super) struct ConnectionSettings {
    /// Name of the context, if one was used.
    pub(super) context: Option<String>,
    /// Namespace of the context.
    pub(super) namespace: Option<String>,
    /// Address of the server.
    pub(super) server: Uri,
    /// The cluster, overridden by flags.
    pub(super) cluster: Cluster,
    /// The user, overridden by flags.
    pub(super) user: AuthInfo,
}

/// Picks context, cluster and user. `None` if neither files nor flags name a server.
pub(super) fn pick(
    loaded: &LoadedKubeconfig,
    args: &ConnectionArgs,
) -> Result<Option<ConnectionSettings>, ClusterError> {
    let (context_name, context) = pick_context(loaded, args)?;
    let mut cluster = pick_cluster(loaded, context, args)?;
    let mut user = pick_user(loaded, context, args)?;
    override_cluster(&mut cluster, args);
    override_user(&mut user, args)?;
    let Some(server) = cluster.server.clone().filter(|server| !server.is_empty()) else {
        if context.is_some() || args.cluster.is_some() {
            return Err(settings(format!(
                "no server is set for cluster {:?} in {}",
                cluster_name(context, args).unwrap_or_default(),
                files(loaded)
            )));
        }
        return Ok(None);
    };
    if let Some(exec) = &mut user.exec
        && exec.provide_cluster_info
    {
        exec.cluster = Some(
            ExecAuthCluster::try_from(&cluster)
                .map_err(|error| settings(unusable::certificate(&error)))?,
        );
    }
    Ok(Some(ConnectionSettings {
        context: context_name,
        namespace: context
            .and_then(|context| context.namespace.clone())
            .filter(|namespace| !namespace.is_empty()),
        server: parse_server(&server, &cluster, &user)?,
        cluster,
        user,
    }))
}

fn pick_context<'a>(
    loaded: &'a LoadedKubeconfig,
    args: &ConnectionArgs,
) -> Result<(Option<String>, Option<&'a Context>), ClusterError> {
    let contexts = &loaded.kubeconfig.contexts;
    let Some(name) =
        given(args.context.as_deref()).or(loaded.kubeconfig.current_context.as_deref())
    else {
        if contexts.is_empty()
            || given(args.cluster.as_deref()).is_some()
            || given(args.server.as_deref()).is_some()
        {
            return Ok((None, None));
        }
        return Err(settings(format!(
            "no current context is set in {}; choose one with --context: {}",
            files(loaded),
            names(contexts.iter().map(|context| context.name.as_str()))
        )));
    };
    let context = contexts
        .iter()
        .find(|context| context.name == name)
        .and_then(|context| context.context.as_ref())
        .ok_or_else(|| {
            settings(format!(
                "context {name:?} does not exist in {} (contexts: {})",
                files(loaded),
                names(contexts.iter().map(|context| context.name.as_str()))
            ))
        })?;
    Ok((Some(name.to_owned()), Some(context)))
}

fn pick_cluster(
    loaded: &LoadedKubeconfig,
    context: Option<&Context>,
    args: &ConnectionArgs,
) -> Result<Cluster, ClusterError> {
    let Some(name) = cluster_name(context, args) else {
        return Ok(Cluster::default());
    };
    let clusters = &loaded.kubeconfig.clusters;
    let found = clusters
        .iter()
        .find(|cluster| cluster.name == name)
        .and_then(|cluster| cluster.cluster.clone());
    match found {
        Some(cluster) => Ok(cluster),
        None if given(args.cluster.as_deref()).is_none()
            && given(args.server.as_deref()).is_some() =>
        {
            Ok(Cluster::default())
        }
        None => Err(settings(format!(
            "cluster {name:?} does not exist in {} (clusters: {})",
            files(loaded),
            names(clusters.iter().map(|cluster| cluster.name.as_str()))
        ))),
    }
}

fn cluster_name<'a>(context: Option<&'a Context>, args: &'a ConnectionArgs) -> Option<&'a str> {
    given(args.cluster.as_deref()).or_else(|| {
        context
            .map(|context| context.cluster.as_str())
            .filter(|name| !name.is_empty())
    })
}

fn pick_user(
    loaded: &LoadedKubeconfig,
    context: Option<&Context>,
    args: &ConnectionArgs,
) -> Result<AuthInfo, ClusterError> {
    let users = &loaded.kubeconfig.auth_infos;
    let flag = given(args.user.as_deref());
    let name = flag.or_else(|| context.and_then(|context| context.user.as_deref()));
    let found = users
        .iter()
        .find(|user| Some(user.name.as_str()) == name)
        .and_then(|user| user.auth_info.clone());
    match (found, flag) {
        (Some(user), _) => Ok(user),
        // As in kubectl, a context may name a user that does not exist: then there are no credentials.
        (None, None) => Ok(AuthInfo::default()),
        (None, Some(name)) => Err(settings(format!(
            "user {name:?} does not exist in {} (users: {})",
            files(loaded),
            names(users.iter().map(|user| user.name.as_str()))
        ))),
    }
}

fn override_cluster(cluster: &mut Cluster, args: &ConnectionArgs) {
    let server = given(args.server.as_deref());
    let tls_server_name = given(args.tls_server_name.as_deref());
    if let Some(server) = server {
        cluster.server = Some(server.to_owned());
    }
    // The TLS server name in a kubeconfig belongs to the server in that kubeconfig.
    if server.is_some() || tls_server_name.is_some() {
        cluster.tls_server_name = tls_server_name.map(str::to_owned);
    }
    if let Some(path) = named(args.certificate_authority.as_deref()) {
        cluster.certificate_authority = Some(path.to_string_lossy().into_owned());
        cluster.certificate_authority_data = None;
    }
    if let Some(is_insecure) = args.insecure_skip_tls_verify {
        cluster.insecure_skip_tls_verify = Some(is_insecure);
    }
    if let Some(is_disabled) = args.disable_compression {
        cluster.disable_compression = Some(is_disabled);
    }
}

pub(super) fn override_user(
    user: &mut AuthInfo,
    args: &ConnectionArgs,
) -> Result<(), ClusterError> {
    if let Some(token) = given(args.token.as_deref()) {
        user.token = Some(token.to_owned().into());
        (user.token_file, user.exec, user.auth_provider) = (None, None, None);
        (user.username, user.password) = (None, None);
    }
    if let Some(path) = named(args.client_certificate.as_deref()) {
        user.client_certificate = Some(path.to_string_lossy().into_owned());
        user.client_certificate_data = None;
    }
    if let Some(path) = named(args.client_key.as_deref()) {
        user.client_key = Some(path.to_string_lossy().into_owned());
        user.client_key_data = None;
    }
    if let Some(name) = given(args.as_user.as_deref()) {
        user.impersonate = Some(name.to_owned());
    }
    if let Some(uid) = given(args.as_uid.as_deref()) {
        user.impersonate_uid = Some(uid.to_owned());
    }
    if !args.as_groups.is_empty() {
        user.impersonate_groups = Some(args.as_groups.clone());
    }
    if !args.as_user_extra.is_empty() {
        let extra = user
            .impersonate_user_extra
            .insert(std::collections::HashMap::new());
        for (key, value) in &args.as_user_extra {
            extra.entry(key.clone()).or_default().push(value.clone());
        }
    }
    let impersonates_more = user.impersonate_uid.is_some()
        || user.impersonate_groups.is_some()
        || user.impersonate_user_extra.is_some();
    if user.impersonate.is_none() && impersonates_more {
        return Err(settings(
            "--as-group, --as-uid and --as-user-extra need --as: whom to impersonate".to_owned(),
        ));
    }
    Ok(())
}

/// Upstream: `rest.DefaultServerURL`: without a scheme, TLS settings decide.
fn parse_server(server: &str, cluster: &Cluster, user: &AuthInfo) -> Result<Uri, ClusterError> {
    let has_tls = cluster.certificate_authority.is_some()
        || cluster.certificate_authority_data.is_some()
        || cluster.insecure_skip_tls_verify == Some(true)
        || user.client_certificate.is_some()
        || user.client_certificate_data.is_some();
    let url = match (server.contains("://"), has_tls) {
        (true, _) => server.to_owned(),
        (false, true) => format!("https://{server}"),
        (false, false) => format!("http://{server}"),
    };
    url.parse::<Uri>()
        .ok()
        .filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some())
        .ok_or_else(|| {
            settings(format!(
                "{:?} is not an address of a server: use https://HOST:PORT",
                address::redacted(server)
            ))
        })
}

/// An empty text counts as not given.
pub(super) fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

/// An empty path counts as not given.
pub(super) fn named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| !path.as_os_str().is_empty())
}

fn files(loaded: &LoadedKubeconfig) -> String {
    names(loaded.files.iter().map(|path| path.to_str().unwrap_or("?")))
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

fn settings(text: String) -> ClusterError {
    ClusterError::Settings(text)
}
