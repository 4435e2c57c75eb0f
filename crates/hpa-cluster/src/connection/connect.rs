//! Builds a client from flags.

use std::{env, fs, io, path::Path, time::Duration};

use hpa_engine::model::go_duration;
use hpa_objects::recording::{read_at_most, too_long};
use http::{HeaderValue, Uri, header::USER_AGENT};
use kube::{
    Config,
    config::{AuthInfo, Cluster, ExecAuthCluster},
};
use rustls_pki_types::{CertificateDer, pem::PemObject as _};

use super::{
    kubeconfig::{self, LoadedKubeconfig},
    proxy,
    settings::{self, ConnectionSettings, given, named},
    transport, unusable,
};
use crate::{Client, ClusterError, ConnectionArgs, address};

/// Connects as kubectl would with the same flags, environment and files. It sends no request yet, but runs an exec
/// credential plugin, which ends if this future is dropped.
pub async fn connect(args: &ConnectionArgs) -> Result<Client, ClusterError> {
    let timeout = parse_timeout(args.request_timeout.as_deref())?;
    let loaded = kubeconfig::load(named(args.kubeconfig.as_deref()))?;
    let (config, proxy_url, context) = match settings::pick(&loaded, args)? {
        Some(settings) => {
            let (proxy_url, context) =
                (settings.cluster.proxy_url.clone(), settings.context.clone());
            (config(settings)?, proxy_url, context)
        }
        None if is_in_cluster() => (in_cluster(args)?, None, None),
        None => return Err(ClusterError::Settings(nothing_set(&loaded))),
    };
    open(
        config,
        proxy_url.as_deref(),
        args.namespace.as_deref(),
        context,
        timeout,
    )
    .await
}

/// A server other than the one in the kubeconfig.
#[derive(Clone, Debug)]
pub struct Elsewhere<'a> {
    /// Its address, with the common path prefix of all requests.
    pub server: Uri,
    /// A file with the certificates of its authority; none: the system's.
    pub certificate_authority: Option<&'a Path>,
    /// Whether its certificate is not verified.
    pub is_insecure: bool,
    /// Longest time to wait for an answer.
    pub timeout: Option<Duration>,
}

/// Connects to another server, without credentials: those in the kubeconfig are not for it.
pub async fn connect_elsewhere(elsewhere: Elsewhere<'_>) -> Result<Client, ClusterError> {
    let authority = elsewhere.certificate_authority;
    let cluster = Cluster {
        certificate_authority: authority.map(|file| file.to_string_lossy().into_owned()),
        insecure_skip_tls_verify: Some(elsewhere.is_insecure),
        ..Cluster::default()
    };
    let config = config(ConnectionSettings {
        context: None,
        namespace: None,
        server: elsewhere.server,
        cluster,
        user: AuthInfo::default(),
    })?;
    open(config, None, None, None, elsewhere.timeout).await
}

async fn open(
    mut config: Config,
    proxy_url: Option<&str>,
    namespace: Option<&str>,
    context: Option<String>,
    timeout: Option<Duration>,
) -> Result<Client, ClusterError> {
    let server = config.cluster_url.clone();
    let proxy = proxy::for_server(&server, proxy_url).map_err(ClusterError::Settings)?;
    if proxy.is_some() {
        config.cluster_url = with_port(&server);
    }
    let namespace = given(namespace)
        .unwrap_or(&config.default_namespace)
        .to_owned();
    let transport = transport::open(config, proxy.as_ref(), timeout).await;
    let transport = transport.map_err(|why| ClusterError::Credentials {
        server: address::of_server(&server),
        why,
    })?;
    Ok(Client::new(transport, &server, namespace, context, timeout))
}

/// Names of the contexts of the kubeconfig, in its order.
pub fn context_names(args: &ConnectionArgs) -> Result<Vec<String>, ClusterError> {
    let loaded = kubeconfig::load(named(args.kubeconfig.as_deref()))?;
    let contexts = loaded.kubeconfig.contexts.into_iter();
    Ok(contexts.map(|context| context.name).collect())
}

/// Checks the size of certificate files, because kube reads any file to its end.
fn check_certificates(settings: &ConnectionSettings) -> Result<(), ClusterError> {
    let (cluster, user) = (&settings.cluster, &settings.user);
    let files = [
        &cluster.certificate_authority,
        &user.client_certificate,
        &user.client_key,
    ];
    for file in files.into_iter().flatten().filter(|file| !file.is_empty()) {
        let path = Path::new(file);
        match check_size(path, MOST_MEBIBYTES_OF_CERTIFICATES) {
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let name = unusable::file(path);
                return Err(ClusterError::Settings(format!(
                    "cannot use {name}: {error}"
                )));
            }
            // A file that cannot be read is reported by the code that reads it.
            _ => {}
        }
    }
    Ok(())
}

/// An error if a file is larger than `mebibytes`, as a device may be. Files that can be read only once, such as pipes,
/// are not checked.
fn check_size(path: &Path, mebibytes: u64) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    let is_too_long = if metadata.is_file() {
        mebibytes << 20 < metadata.len()
    } else if is_device(&metadata) {
        return read_at_most(fs::File::open(path)?, mebibytes).map(drop);
    } else {
        false
    };
    if is_too_long {
        return Err(too_long(mebibytes));
    }
    Ok(())
}

#[cfg(unix)]
fn is_device(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_char_device() || metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &fs::Metadata) -> bool {
    false
}

/// Four times a bundle of all public authorities.
const MOST_MEBIBYTES_OF_CERTIFICATES: u64 = 1;

fn config(settings: ConnectionSettings) -> Result<Config, ClusterError> {
    check_certificates(&settings)?;
    let mut config = Config::new(settings.server);
    let is_insecure = settings.cluster.insecure_skip_tls_verify == Some(true);
    if !is_insecure {
        config.root_cert = root_certificates(&settings.cluster)?;
    }
    config.accept_invalid_certs = is_insecure;
    config.default_namespace = settings.namespace.unwrap_or_else(|| "default".to_owned());
    config.tls_server_name = settings
        .cluster
        .tls_server_name
        .filter(|name| !name.is_empty());
    config.disable_compression = settings.cluster.disable_compression.unwrap_or(false);
    config.auth_info = settings.user;
    Ok(with_user_agent(config))
}

fn root_certificates(cluster: &Cluster) -> Result<Option<Vec<Vec<u8>>>, ClusterError> {
    // The cluster information for an exec plugin contains the decoded certificates.
    let pem = ExecAuthCluster::try_from(cluster)
        .map_err(|error| ClusterError::Settings(unusable::certificate(&error)))?
        .certificate_authority_data;
    let Some(pem) = pem.filter(|pem| !pem.is_empty()) else {
        return Ok(None);
    };
    let certificates = CertificateDer::pem_slice_iter(&pem)
        .map(|certificate| certificate.map(|certificate| certificate.to_vec()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| {
            ClusterError::Settings("the certificate authority is not a PEM certificate".to_owned())
        })?;
    if certificates.is_empty() {
        return Err(ClusterError::Settings(
            "the certificate authority has no PEM certificate in it".to_owned(),
        ));
    }
    Ok(Some(certificates))
}

/// The address with the default port of its scheme. (Otherwise a tunnel through a proxy leads to port 443, whatever
/// the scheme.)
fn with_port(server: &Uri) -> Uri {
    let port = if server.scheme_str() == Some("http") {
        80
    } else {
        443
    };
    let mut parts = server.clone().into_parts();
    if let (None, Some(host)) = (server.port(), server.host()) {
        parts.authority = format!("{host}:{port}").parse().ok();
    }
    Uri::from_parts(parts).unwrap_or_else(|_| server.clone())
}

/// Upstream: `inClusterClientConfig.Possible`.
fn is_in_cluster() -> bool {
    env::var_os("KUBERNETES_SERVICE_HOST").is_some_and(|host| !host.is_empty())
        && env::var_os("KUBERNETES_SERVICE_PORT").is_some_and(|port| !port.is_empty())
        && Path::new("/var/run/secrets/kubernetes.io/serviceaccount/token").exists()
}

fn in_cluster(args: &ConnectionArgs) -> Result<Config, ClusterError> {
    let mut config = Config::incluster_env().map_err(|error| {
        ClusterError::Settings(format!(
            "cannot use the service account of this pod: {error}"
        ))
    })?;
    settings::override_user(&mut config.auth_info, args)?;
    Ok(with_user_agent(config))
}

fn with_user_agent(mut config: Config) -> Config {
    const NAME: &str = concat!("kubectl-hpa/", env!("CARGO_PKG_VERSION"));
    config
        .headers
        .push((USER_AGENT, HeaderValue::from_static(NAME)));
    config
}

fn nothing_set(loaded: &LoadedKubeconfig) -> String {
    let files: Vec<String> = loaded
        .files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let files = files.join(", ");
    if loaded.found {
        format!("no cluster in {files}. Set --kubeconfig, $KUBECONFIG or --server")
    } else {
        format!("no kubeconfig: {files} does not exist. Set --kubeconfig, $KUBECONFIG or --server")
    }
}

/// Upstream: `clientcmd.ParseTimeout`: a bare number is seconds, 0 is no limit.
fn parse_timeout(text: Option<&str>) -> Result<Option<Duration>, ClusterError> {
    let Some(text) = given(text) else {
        return Ok(None);
    };
    let wrong = || {
        ClusterError::Settings(format!(
            "invalid --request-timeout {text:?}: use a number with a unit, such as 5s or 2m, or seconds"
        ))
    };
    let timeout = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => go_duration::parse(text)
            .ok()
            .and_then(|timeout| Duration::try_from(timeout).ok())
            .ok_or_else(wrong)?,
    };
    Ok((!timeout.is_zero()).then_some(timeout))
}
