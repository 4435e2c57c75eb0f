//! Which HPAs a command covers.

use std::{
    cell::Cell,
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpa_engine::model::{KubeVersion, Selector, SnapshotField, label_selector::Wording};
use hpa_objects::recording::{
    decode,
    wire::{Hpa, NotRead},
};
use hpa_words::amount::names as names_of;
use serde_json::Value;

use super::{
    access::{Permission, not_read},
    api_error::{ResourceName, is_unknown_path},
    client::{Client, ClientError, Get, brief},
    error::ClusterError,
    hpa_resource::{GROUP, RESOURCE, VERSION, namespace_of},
    listed_value::ListedValue,
    named::{Named, is_pattern, is_selected, no_hpa, scaled_object_of},
    path::ApiPath,
    vanished::missing_hpa_of_keda,
    written_hpa::{Writes, WrittenHpa},
};

/// Which HPAs a command covers.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `NAME`, `hpa/NAME`, or `KIND/NAME` for the HPAs that scale that workload, after `NAMESPACE/` if all namespaces
    /// are read; `*` and `?` match any letters. Empty: all HPAs.
    pub names: Vec<String>,
    /// Whether all namespaces are read.
    pub all_namespaces: bool,
    /// Label selector for the HPAs.
    pub selector: Option<String>,
    /// Whether names that do not exist are left out instead of an error.
    pub ignores_missing: bool,
    /// Whether no other namespace may be read or named, not even to say where a name exists.
    pub is_confined: bool,
}

impl Selection {
    /// The selection with a client of its namespace: `shop/web` is `web` in the namespace shop.
    ///
    /// `given` is the value of `--namespace`. It is an error if the namespaces contradict each other.
    pub async fn resolve(
        mut self,
        given: Option<&str>,
        client: Client,
    ) -> Result<(Client, Self), ClusterError> {
        if self.all_namespaces {
            return Ok((client, self));
        }
        let given = given.filter(|namespace| !namespace.is_empty());
        let mut places: Vec<(String, String)> = Vec::new();
        let mut here: Option<Vec<WrittenHpa>> = None;
        for name in &mut self.names {
            let word = name.clone();
            let place = match Named::in_namespace(&word) {
                Some(named) if !is_workload_here(&client, &word, &mut here).await => {
                    *name = match named.kind {
                        Some(kind) => format!("{kind}/{}", named.name),
                        None => named.name.to_owned(),
                    };
                    named.namespace
                }
                _ => None,
            };
            let place = place.map_or_else(|| client.namespace().to_owned(), str::to_owned);
            places.push((place, word));
        }
        let Some((namespace, first)) = places.first().cloned() else {
            return Ok((client, self));
        };
        if let Some((place, word)) = places
            .iter()
            .find(|(place, _)| given.is_some_and(|given| given != place))
        {
            return Err(ClusterError::Settings(format!(
                "{word:?} is in namespace {place}, but -n says {}: use only one of them",
                given.unwrap_or_default()
            )));
        }
        if let Some((place, word)) = places.iter().find(|(place, _)| *place != namespace) {
            return Err(ClusterError::Settings(format!(
                "{first:?} is in namespace {namespace}, but {word:?} is in namespace {place}: use -A for several namespaces"
            )));
        }
        if is_pattern(&namespace) {
            return Err(ClusterError::Settings(format!(
                "{namespace:?} in {first:?} matches several namespaces: add -A"
            )));
        }
        Ok((client.in_namespace(namespace), self))
    }

    /// The name of the HPA, if exactly one is named.
    pub(super) fn single_name(&self) -> Option<&str> {
        match &self.names[..] {
            [name] if !self.all_namespaces => plain_name(name),
            _ => None,
        }
    }
}

/// Whether an HPA of the client's namespace scales the workload that the argument names if its first part is a kind.
/// If HPAs may not be listed, it is not a workload: only custom resources have such a kind. An argument of three parts
/// is unambiguous.
async fn is_workload_here(client: &Client, word: &str, here: &mut Option<Vec<WrittenHpa>>) -> bool {
    let named = Named::of(word);
    if named.namespace.is_some() {
        return false;
    }
    if here.is_none() {
        *here = Some(list(client, client.namespace()).await.unwrap_or_default());
    }
    let mut hpas = here.iter().flatten();
    hpas.any(|written| named.matches(&written.hpa))
}

/// The name of the HPA, if the argument is only a name.
fn plain_name(word: &str) -> Option<&str> {
    let named = Named::of(word);
    let is_plain = named.namespace.is_none() && named.kind.is_none() && !is_pattern(named.name);
    is_plain.then_some(named.name)
}

/// The selected HPAs, and the other HPAs of their namespaces.
pub(super) struct SelectedHpas {
    /// In the order of the names, else as listed.
    pub(super) hpas: Vec<Arc<Hpa>>,
    /// All HPAs of the namespaces, by namespace; empty if they may not be listed.
    pub(super) all: BTreeMap<String, Vec<Arc<Hpa>>>,
    /// When each of the HPAs was written.
    pub(super) writes: Writes,
    /// Why the HPAs could not be listed, if so.
    pub(super) unlisted: Option<ClientError>,
    /// The whole objects as listed, if requested; they are taken once.
    pub(super) objects: Cell<Vec<Value>>,
}

impl SelectedHpas {
    /// The selected HPAs.
    pub(super) fn hpas(&self) -> impl Iterator<Item = &Hpa> {
        self.hpas.iter().map(Arc::as_ref)
    }

    /// All HPAs that are known.
    pub(super) fn known(&self) -> impl Iterator<Item = &Arc<Hpa>> {
        let named = self.hpas.iter().filter(|_| self.all.is_empty());
        self.all.values().flatten().chain(named)
    }

    /// The same, and when they were written.
    pub(super) fn written(&self) -> impl Iterator<Item = WrittenHpa> {
        self.known().map(|hpa| WrittenHpa {
            hpa: Arc::clone(hpa),
            writes: self.writes.of(hpa).cloned().unwrap_or_default(),
            resource_version: String::new(),
        })
    }

    /// Why other HPAs of the namespace (empty: of all) are not known, if so.
    pub(super) fn others_not_read(&self, namespace: &str) -> Option<NotRead> {
        let error = self.unlisted.as_ref()?;
        let permission = permission_to_list(namespace);
        Some(not_read(error, SnapshotField::OtherHpas, permission))
    }
}

/// Decides which HPAs are selected; by default all.
#[derive(Clone, Debug, Default)]
pub(super) struct Matcher {
    names: Vec<String>,
    labels: Selector,
}

impl Matcher {
    /// The matcher of a selection. It is an error if its label selector is invalid.
    pub(super) fn new(selection: &Selection) -> Result<Self, ClusterError> {
        Ok(Self {
            names: selection.names.clone(),
            labels: label_filter(selection)?,
        })
    }

    /// Whether the HPA is selected, given that its namespace is.
    pub(super) fn matches(&self, hpa: &Hpa) -> bool {
        let is_named =
            self.names.is_empty() || self.names.iter().any(|name| is_selected(hpa, name));
        is_named && self.labels.matches(&hpa.metadata.labels)
    }
}

/// The plain names of the named HPAs.
pub(super) fn bare_names(selection: &Selection) -> impl Iterator<Item = &str> {
    selection.names.iter().filter_map(|name| plain_name(name))
}

/// The selected HPAs alone, without their context.
pub async fn hpas(client: &Client, selection: &Selection) -> Result<Vec<Hpa>, ClusterError> {
    let selected = select(client, selection, false).await?.hpas;
    Ok(selected.into_iter().map(Arc::unwrap_or_clone).collect())
}

/// Reads the HPAs of the namespace, or of all, and selects. It uses a list and not one object, because the list also
/// has the other HPAs of the namespace, whose selectors the controller compares, and the names to suggest if the name
/// does not exist.
///
/// `keeps_objects`: whether the whole objects are needed.
pub(super) async fn select(
    client: &Client,
    selection: &Selection,
    keeps_objects: bool,
) -> Result<SelectedHpas, ClusterError> {
    let matches = label_filter(selection)?;
    let namespace = if selection.all_namespaces {
        ""
    } else {
        client.namespace()
    };
    let listed = if keeps_objects {
        list_objects(client, namespace).await
    } else {
        let listed = list(client, namespace).await;
        listed.map(|all| (all, Vec::new()))
    };
    let ((all, writes), objects) = match listed {
        Ok((all, objects)) => (Writes::apart(all), Cell::new(objects)),
        Err(ClientError::Status(status)) if status.code == 403 && can_get_by_name(selection) => {
            return by_name(client, selection, ClientError::Status(status)).await;
        }
        Err(error) => return Err(refused(error, "list", namespace)),
    };
    let hpas: Vec<Arc<Hpa>> = if selection.names.is_empty() {
        all.clone()
    } else {
        let mut hpas = Vec::new();
        for name in &selection.names {
            match named(client, &all, name, selection).await {
                Err(ClusterError::NotFound(_)) if selection.ignores_missing => {}
                found => hpas.extend(found?),
            }
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
            Some(selector) => format!("no HPA {place} has labels that match {selector:?}"),
            None => format!("no HPAs {place}"),
        };
        return Err(if selection.names.is_empty() {
            ClusterError::NoHpa(nothing)
        } else {
            ClusterError::NotFound(nothing)
        });
    }
    let mut by_namespace: BTreeMap<String, Vec<Arc<Hpa>>> = BTreeMap::new();
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
        objects,
    })
}

/// The namespace that is read; empty: all.
pub(super) fn namespace<'a>(client: &'a Client, selection: &Selection) -> &'a str {
    if selection.all_namespaces {
        ""
    } else {
        client.namespace()
    }
}

fn label_filter(selection: &Selection) -> Result<Selector, ClusterError> {
    let text = selection.selector.as_deref().unwrap_or_default();
    Selector::parse(text, Wording::of(KubeVersion::NEWEST))
        .map_err(|error| ClusterError::Settings(format!("--selector {text:?}: {error}")))
}

async fn list(client: &Client, namespace: &str) -> Result<Vec<WrittenHpa>, ClientError> {
    client.list("HPAs", path(namespace), ABOUT, None).await
}

/// Lists the HPAs with the whole objects.
async fn list_objects(
    client: &Client,
    namespace: &str,
) -> Result<(Vec<WrittenHpa>, Vec<Value>), ClientError> {
    let listed: Vec<ListedValue> = client.list("HPAs", path(namespace), ABOUT, None).await?;
    let objects: Vec<Value> = listed.into_iter().map(|object| object.0).collect();
    let hpas: Result<_, _> = objects.iter().map(decode).collect();
    let hpas = hpas.map_err(|error| {
        let server = client.server();
        ClientError::NoAnswer(format!("the answer of {server} cannot be parsed: {error}"))
    })?;
    Ok((hpas, objects))
}

fn path(namespace: &str) -> ApiPath {
    ApiPath::new(GROUP, VERSION)
        .namespace_or_all(namespace)
        .segment(RESOURCE)
}

/// The HPAs that `name` selects.
async fn named(
    client: &Client,
    all: &[Arc<Hpa>],
    name: &str,
    selection: &Selection,
) -> Result<Vec<Arc<Hpa>>, ClusterError> {
    let found: Vec<Arc<Hpa>> = all
        .iter()
        .filter(|hpa| is_selected(hpa, name))
        .cloned()
        .collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let mut message = format!("{} {}", no_hpa(name), place(namespace(client, selection)));
    let named = Named::of(name);
    if let Some(why) = missing_hpa_of_keda(client, named, namespace(client, selection)).await {
        return Err(ClusterError::NotFound(format!("{message}: {why}")));
    }
    if let Some(offer) = offer(named, all) {
        message.push_str(&format!(". {offer}"));
        return Err(ClusterError::NotFound(message));
    }
    if selection.all_namespaces || selection.is_confined {
        return Err(ClusterError::NotFound(message));
    }
    let everywhere = list(client, "").await.unwrap_or_default();
    let hpas = everywhere.iter().map(|written| &*written.hpa);
    let elsewhere: BTreeSet<&str> = hpas
        .clone()
        .filter(|hpa| is_selected(hpa, name))
        .map(namespace_of)
        .collect();
    if let Some(first) = elsewhere.first() {
        let found: Vec<&str> = elsewhere.iter().copied().collect();
        let found = names_of(&found, MOST_NAMESPACES);
        message.push_str(&format!(". Found in namespace {found}: use -n {first}"));
    } else if all.is_empty() {
        message.push_str(", which has no HPAs");
        if let Some(others) = others(hpas) {
            message.push_str(&format!(". {others}"));
        }
    }
    Err(ClusterError::NotFound(message))
}

/// Says where HPAs exist if the client's namespace has none. `None` if that cannot be known or must not be read, or
/// the selection has more than a namespace.
pub async fn hpas_elsewhere(client: &Client, selection: &Selection) -> Option<String> {
    if selection.all_namespaces || selection.is_confined || selection.selector.is_some() {
        return None;
    }
    let everywhere = list(client, "").await.ok()?;
    others(everywhere.iter().map(|written| &*written.hpa))
}

/// `16 in shop, payments, batch: use -n NAME or -A`, the largest first.
fn others<'a>(hpas: impl Iterator<Item = &'a Hpa>) -> Option<String> {
    let mut namespaces: BTreeMap<&str, usize> = BTreeMap::new();
    for hpa in hpas {
        *namespaces.entry(namespace_of(hpa)).or_default() += 1;
    }
    if namespaces.is_empty() {
        return None;
    }
    let total: usize = namespaces.values().sum();
    let mut most: Vec<(&str, usize)> = namespaces.into_iter().collect();
    most.sort_by_key(|(_, number)| Reverse(*number));
    let names: Vec<String> = most.iter().map(|(name, _)| (*name).to_owned()).collect();
    let names = names_of(&names, MOST_NAMESPACES);
    Some(format!("{total} in {names}: use -n NAME or -A"))
}

fn place(namespace: &str) -> String {
    if namespace.is_empty() {
        "in any namespace".to_owned()
    } else {
        format!("in namespace {namespace}")
    }
}

/// Suggestions: similar names, the most similar first; if there are only a few HPAs, all. For a workload, the targets
/// of the HPAs.
fn offer(named: Named<'_>, all: &[Arc<Hpa>]) -> Option<String> {
    let mut offers: Vec<(f64, String)> = all
        .iter()
        .filter_map(|hpa| {
            let target = &hpa.spec.scale_target_ref;
            let own = &hpa.metadata.name;
            Some(match named.kind {
                Some(_) if named.is_scaled_object() => {
                    let owner = scaled_object_of(hpa)?;
                    (
                        likeness(named.name, owner),
                        format!("HPA {own} belongs to ScaledObject {owner}"),
                    )
                }
                Some(_) => (
                    likeness(named.name, &target.name),
                    format!("HPA {own} scales {}/{}", target.kind, target.name),
                ),
                None => (likeness(named.name, own), own.clone()),
            })
        })
        .filter(|(similarity, _)| all.len() <= FEW || SIMILAR <= *similarity)
        .collect();
    offers.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let is_similar = offers
        .first()
        .is_some_and(|(similarity, _)| SIMILAR <= *similarity);
    offers.retain(|(similarity, _)| !is_similar || SIMILAR <= *similarity);
    let names: Vec<String> = offers.into_iter().take(FEW).map(|(_, name)| name).collect();
    match (&names[..], named.kind) {
        ([], _) => None,
        (names, Some(_)) => Some(names.join(", ")),
        (names, None) if is_similar => Some(format!("Did you mean {}?", names.join(" or "))),
        (names, None) => Some(format!("HPAs: {}", names.join(", "))),
    }
}

/// No name of an object is longer.
const LONGEST_NAME: usize = 253;

/// The similarity of two names, from 0 to 1. Two swapped letters are one mistake.
fn likeness(one: &str, other: &str) -> f64 {
    if LONGEST_NAME < one.len().max(other.len()) {
        return 0.0;
    }
    let mistakes = strsim::damerau_levenshtein(one, other);
    let few = (one.len() / 3).max(1);
    let alike = strsim::jaro_winkler(one, other);
    if mistakes <= few {
        alike.max(SIMILAR)
    } else {
        alike
    }
}

/// Whether HPAs can be read by name, which may be allowed even if listing is not.
fn can_get_by_name(selection: &Selection) -> bool {
    !selection.names.is_empty()
        && !selection.all_namespaces
        && selection
            .names
            .iter()
            .all(|name| plain_name(name).is_some())
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
            Ok(None) if selection.ignores_missing => {}
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
        objects: Cell::default(),
    })
}

/// Reads one HPA of the client's namespace. `None` if it does not exist.
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

/// The permission to list HPAs.
pub(super) fn permission_to_list(namespace: &str) -> Permission<'_> {
    Permission {
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
    let permission = Permission {
        verb,
        ..permission_to_list(namespace)
    };
    let remedy = match status.code {
        403 => Some(permission.rule()),
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
const ABOUT: ResourceName<'static> = ResourceName {
    group: GROUP,
    resource: RESOURCE,
    name: "",
};

/// Up to this many names are listed.
const FEW: usize = 3;

/// At most this many namespaces are named.
const MOST_NAMESPACES: usize = 5;

/// Names of at least this similarity are suggested.
const SIMILAR: f64 = 0.75;
