//! Which HPAs a command is about.

use std::collections::BTreeMap;

use super::{
    access::Right,
    api_error::{ResourceName, is_unknown_path},
    client::{Client, ClientError, Get, brief},
    error::ClusterError,
    path::ApiPath,
    vanished::paused_by_keda,
    written_hpa::{Writes, WrittenHpa},
};
use crate::{
    cli::SelectionArgs,
    model::{KubeVersion, Selector, label_selector::Wording},
    recording::wire::Hpa,
};

/// Which HPAs a command is about.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `NAME`, `hpa/NAME`, or `KIND/NAME` for the HPAs that scale that workload. None: all.
    pub names: Vec<String>,
    /// In all namespaces.
    pub all_namespaces: bool,
    /// Label selector that the HPAs' labels have to match.
    pub selector: Option<String>,
}

impl From<&SelectionArgs> for Selection {
    fn from(args: &SelectionArgs) -> Self {
        Self {
            names: args.names.clone(),
            all_namespaces: args.all_namespaces,
            selector: args.selector.clone(),
        }
    }
}

impl Selection {
    /// The name of the HPA, if it is about one that is named.
    pub(super) fn single_name(&self) -> Option<&str> {
        match &self.names[..] {
            [name] if !self.all_namespaces && workload(name).is_none() => Some(bare(name)),
            _ => None,
        }
    }
}

/// The HPAs that a selection means, and those beside them.
pub(super) struct SelectedHpas {
    /// In the order of the names, else as listed.
    pub(super) hpas: Vec<Hpa>,
    /// All HPAs of the namespaces, by namespace; none if they may not be listed.
    pub(super) all: BTreeMap<String, Vec<Hpa>>,
    /// When each of the HPAs was written.
    pub(super) writes: Writes,
    /// Why the HPAs could not be listed, if so.
    pub(super) unlisted: Option<ClientError>,
}

/// Tells which HPAs a selection means.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    names: Vec<String>,
    labels: Selector,
}

impl Matcher {
    /// Of this selection. Its label selector may be wrong.
    pub(super) fn new(selection: &Selection) -> Result<Self, ClusterError> {
        Ok(Self {
            names: selection.names.clone(),
            labels: label_filter(selection)?,
        })
    }

    /// Whether the selection means this HPA, if it is in the right namespace.
    pub(super) fn matches(&self, hpa: &Hpa) -> bool {
        let is_named =
            self.names.is_empty() || self.names.iter().any(|name| is_selected(hpa, name));
        is_named && self.labels.matches(&hpa.metadata.labels)
    }
}

/// The bare names of the HPAs that are named.
pub(super) fn bare_names(selection: &Selection) -> impl Iterator<Item = &str> {
    selection.names.iter().map(|name| bare(name))
}

/// Reads the HPAs of the namespace, or of all, and picks. One list rather than one object: it also has the other HPAs of the namespace,
/// which the controller compares selectors with, and the names to offer if there is none of that name.
pub(super) async fn select(
    client: &Client,
    selection: &Selection,
) -> Result<SelectedHpas, ClusterError> {
    let matches = label_filter(selection)?;
    let namespace = if selection.all_namespaces {
        ""
    } else {
        client.namespace()
    };
    let (all, writes) = match list(client, namespace).await {
        Ok(all) => Writes::apart(all),
        Err(ClientError::Status(status)) if status.code == 403 && can_get_by_name(selection) => {
            return by_name(client, selection, ClientError::Status(status)).await;
        }
        Err(error) => return Err(refused(error, "list", namespace)),
    };
    let hpas: Vec<Hpa> = if selection.names.is_empty() {
        all.clone()
    } else {
        let mut hpas = Vec::new();
        for name in &selection.names {
            hpas.extend(named(client, &all, name, selection).await?);
        }
        hpas
    };
    let hpas = hpas
        .into_iter()
        .filter(|hpa| matches.matches(&hpa.metadata.labels))
        .collect::<Vec<_>>();
    if hpas.is_empty() {
        let place = place(namespace);
        let nothing = match &selection.selector {
            Some(selector) => format!("no HPA has labels that match {selector:?} {place}"),
            None => format!("there is no HPA {place}"),
        };
        return Err(if selection.names.is_empty() {
            ClusterError::NoHpa(nothing)
        } else {
            ClusterError::NotFound(nothing)
        });
    }
    let mut by_namespace: BTreeMap<String, Vec<Hpa>> = BTreeMap::new();
    for hpa in all {
        by_namespace
            .entry(namespace_of(&hpa).to_owned())
            .or_default()
            .push(hpa);
    }
    Ok(SelectedHpas {
        hpas,
        all: by_namespace,
        writes,
        unlisted: None,
    })
}

/// The namespace of an HPA.
pub(super) fn namespace_of(hpa: &Hpa) -> &str {
    hpa.metadata.namespace.as_deref().unwrap_or_default()
}

fn label_filter(selection: &Selection) -> Result<Selector, ClusterError> {
    let text = selection.selector.as_deref().unwrap_or_default();
    Selector::parse(text, Wording::of(KubeVersion::NEWEST))
        .map_err(|error| ClusterError::Settings(format!("--selector {text:?}: {error}")))
}

async fn list(client: &Client, namespace: &str) -> Result<Vec<WrittenHpa>, ClientError> {
    let path = ApiPath::new(GROUP, VERSION)
        .namespace_or_all(namespace)
        .segment(RESOURCE);
    client.list("HPAs", path, ABOUT, None).await
}

/// The HPAs that `name` means.
async fn named(
    client: &Client,
    all: &[Hpa],
    name: &str,
    selection: &Selection,
) -> Result<Vec<Hpa>, ClusterError> {
    let found: Vec<Hpa> = all
        .iter()
        .filter(|hpa| is_selected(hpa, name))
        .cloned()
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    if selection.all_namespaces {
        let place = place("");
        let hint = namespace_hint(name, all.iter().map(key)).unwrap_or_default();
        return Err(ClusterError::NotFound(format!(
            "{} {place}{hint}",
            no_hpa(name)
        )));
    }
    let mut message = format!("{} {}", no_hpa(name), place(client.namespace()));
    let (hpa, workload) = match workload(name) {
        Some((_, workload)) => (None, Some(workload)),
        None => (Some(bare(name)), None),
    };
    if let Some(why) = paused_by_keda(client, hpa, workload).await {
        return Err(ClusterError::NotFound(format!("{message}: {why}")));
    }
    let offered = offered(name, all);
    if let Some(hint) = namespace_hint(name, all.iter().map(key)) {
        message.push_str(&hint);
    } else if !offered.is_empty() {
        message.push_str(&format!("; there is {}", offered.join("; ")));
    } else if let Ok(everywhere) = list(client, "").await {
        let elsewhere: Vec<&str> = everywhere
            .iter()
            .map(|written| &written.hpa)
            .filter(|hpa| is_selected(hpa, name))
            .map(namespace_of)
            .collect();
        if !elsewhere.is_empty() {
            message.push_str(&format!(
                "; there is one in namespace {}",
                elsewhere.join(", ")
            ));
        } else if all.is_empty() {
            message.push_str(", which has no HPA at all");
        }
    }
    Err(ClusterError::NotFound(message))
}

/// Says that nothing is called so: `there is no HPA "web"`.
pub fn no_hpa(name: &str) -> String {
    match workload(name) {
        Some((kind, name)) => format!("no HPA scales {kind} {name:?}"),
        None => format!("there is no HPA {:?}", bare(name)),
    }
}

fn key(hpa: &Hpa) -> (&str, &str) {
    (namespace_of(hpa), &hpa.metadata.name)
}

fn place(namespace: &str) -> String {
    if namespace.is_empty() {
        "in any namespace".to_owned()
    } else {
        format!("in namespace {namespace}")
    }
}

/// What to type for `NAMESPACE/NAME`, as pages name HPAs, if there is such a one among the namespaces and names.
pub fn namespace_hint<'a>(
    name: &str,
    hpas: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Option<String> {
    let (namespace, name) = name.split_once('/')?;
    hpas.into_iter()
        .any(|hpa| hpa == (namespace, name))
        .then(|| format!("; for {name} in namespace {namespace}: {name} -n {namespace}"))
}

/// Whether `NAME`, `hpa/NAME`, or `KIND/NAME` of what it scales, means this HPA.
pub fn is_selected(hpa: &Hpa, name: &str) -> bool {
    match workload(name) {
        None => hpa.metadata.name == bare(name),
        Some((kind, name)) => {
            let target = &hpa.spec.scale_target_ref;
            target.name == name && is_kind(&target.kind, kind)
        }
    }
}

/// Kind and name of `KIND/NAME`, unless the kind is the HPA itself.
fn workload(name: &str) -> Option<(&str, &str)> {
    let (kind, name) = name.split_once('/')?;
    (!is_kind("HorizontalPodAutoscaler", kind)).then_some((kind, name))
}

fn bare(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, name)| name)
}

/// Whether `text` means `kind`: its singular, plural or short name, with or without a group.
pub fn is_kind(kind: &str, text: &str) -> bool {
    let text = text.split('.').next().unwrap_or_default().to_lowercase();
    let kind = kind.to_lowercase();
    let short = match text.as_str() {
        "deploy" => "deployment",
        "hpa" => "horizontalpodautoscaler",
        "rc" => "replicationcontroller",
        "ro" => "rollout",
        "rs" => "replicaset",
        "sts" => "statefulset",
        text => text,
    };
    short == kind || short.strip_suffix('s') == Some(kind.as_str())
}

/// The names that resemble `name`, the nearest first; if there are only a few, all. For a workload, what the HPAs scale.
fn offered(name: &str, all: &[Hpa]) -> Vec<String> {
    let mut offers: Vec<(f64, String)> = all
        .iter()
        .map(|hpa| {
            let target = &hpa.spec.scale_target_ref;
            let own = &hpa.metadata.name;
            match workload(name) {
                Some((_, name)) => (
                    strsim::jaro_winkler(name, &target.name),
                    format!("{own}, which scales {}/{}", target.kind, target.name),
                ),
                None => (strsim::jaro_winkler(bare(name), own), own.clone()),
            }
        })
        .filter(|(similarity, _)| all.len() <= FEW || SIMILAR <= *similarity)
        .collect();
    offers.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    offers.into_iter().take(FEW).map(|(_, name)| name).collect()
}

/// Who may not list HPAs may still read one of which the name is known.
fn can_get_by_name(selection: &Selection) -> bool {
    !selection.names.is_empty()
        && !selection.all_namespaces
        && selection.names.iter().all(|name| workload(name).is_none())
}

async fn by_name(
    client: &Client,
    selection: &Selection,
    unlisted: ClientError,
) -> Result<SelectedHpas, ClusterError> {
    let mut found = Vec::new();
    for name in bare_names(selection) {
        match read_one(client, name).await {
            Ok(Some(written)) => found.push(written),
            Ok(None) => {
                let place = place(client.namespace());
                return Err(ClusterError::NotFound(format!("{} {place}", no_hpa(name))));
            }
            Err(error) => return Err(refused(error, "get", client.namespace())),
        }
    }
    let (hpas, writes) = Writes::apart(found);
    Ok(SelectedHpas {
        hpas,
        all: BTreeMap::new(),
        writes,
        unlisted: Some(unlisted),
    })
}

/// Reads one HPA of the client's namespace. None: there is none of that name.
pub(super) async fn read_one(
    client: &Client,
    name: &str,
) -> Result<Option<WrittenHpa>, ClientError> {
    let read = client
        .get(&Get {
            what: "HPA",
            path: ApiPath::new(GROUP, VERSION)
                .namespace(client.namespace())
                .segment(RESOURCE)
                .segment(name)
                .into_string(),
            about: ResourceName { name, ..ABOUT },
            patience: None,
        })
        .await;
    match read {
        Ok(written) => Ok(Some(written)),
        Err(ClientError::Status(status)) if status.code == 404 && !is_unknown_path(&status) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// What it takes to list HPAs.
pub(super) fn right_to_list(namespace: &str) -> Right<'_> {
    Right {
        verb: "list",
        group: GROUP,
        resource: RESOURCE,
        namespace,
    }
}

fn refused(error: ClientError, verb: &str, namespace: &str) -> ClusterError {
    let status = match error {
        ClientError::Status(status) if status.code != 401 => status,
        error => return error.into(),
    };
    let right = Right {
        verb,
        ..right_to_list(namespace)
    };
    let remedy = match status.code {
        403 => Some(right.rule()),
        404 => Some(format!(
            "the server has no {GROUP}/{VERSION}, which Kubernetes has from {} on",
            KubeVersion::OLDEST
        )),
        _ => None,
    };
    ClusterError::Refused {
        what: "HPAs".to_owned(),
        message: brief(&status.message),
        remedy,
    }
}

pub(super) const GROUP: &str = "autoscaling";
pub(super) const VERSION: &str = "v2";
pub(super) const RESOURCE: &str = "horizontalpodautoscalers";
const ABOUT: ResourceName<'static> = ResourceName {
    group: GROUP,
    resource: RESOURCE,
    name: "",
};

/// So many names can be taken in at a glance.
const FEW: usize = 3;

/// From which Jaro-Winkler similarity on a name is offered.
const SIMILAR: f64 = 0.75;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_are_named_as_in_kubectl() {
        for text in [
            "deploy",
            "deployment",
            "deployments",
            "deployment.apps",
            "Deployment",
        ] {
            assert!(is_kind("Deployment", text), "{text}");
        }
        assert!(is_kind("WebApp", "webapps.example.com"));
        assert!(!is_kind("Deployment", "sts"));
        assert_eq!(workload("hpa/web"), None);
        assert_eq!(workload("deploy/web"), Some(("deploy", "web")));
        assert_eq!(bare("horizontalpodautoscaler.autoscaling/web"), "web");
    }
}
