//! Which namespaces the tools may read: as the server's arguments allow, whatever a model requests.

use std::sync::OnceLock;

use anyhow::bail;
use hpa_cluster::{ConnectionArgs, is_pattern, namespace_of};
use hpa_prometheus::{Place, PrometheusArgs, Settings};
use hpa_words::{amount::names, program::typed};
use serde_json::{Map, Value};

use crate::{
    cli::{McpArgs, SelectionArgs},
    commands::clusters::Clusters,
    process::runtime::{connect, finish},
};

/// The clusters that the tools may read, each with its context if the flags name several.
pub(super) struct OpenClusters(Vec<(Option<String>, Reach)>);

impl OpenClusters {
    /// The clusters that the arguments open.
    pub(super) fn new(args: &McpArgs) -> anyhow::Result<Self> {
        let clusters = Clusters::of(&args.contexts, &args.connection)?;
        let clusters = clusters.connections().map(|(context, connection)| {
            let args = McpArgs {
                connection,
                ..args.clone()
            };
            anyhow::Ok((context, Reach::new(args)?))
        });
        let clusters = clusters.collect::<anyhow::Result<Vec<_>>>()?;
        if 1 < clusters.len() && matches!(Settings::of(&args.prometheus)?.place, Place::Url(_)) {
            bail!(
                "--prometheus: a URL is one server, which cannot distinguish the clusters of several contexts: use service:NAMESPACE/NAME:PORT, which each cluster has"
            );
        }
        Ok(Self(clusters))
    }

    /// The contexts that a call can name.
    pub(super) fn contexts(&self) -> Vec<&str> {
        let contexts = self.0.iter().map(|(context, _)| context.as_deref());
        contexts.flatten().collect()
    }

    /// The cluster of a call, whose context is taken out of its input.
    pub(super) fn of_call(&self, input: &mut Map<String, Value>) -> anyhow::Result<&Reach> {
        let contexts = self.contexts();
        let given = match contexts[..] {
            [] => None,
            _ => input.remove(CONTEXT),
        };
        // A text needs no cluster.
        let needs_none = self.0.len() == 1 || input.contains_key(MANIFESTS);
        let found = match given {
            None if needs_none => self.0.first(),
            None => bail!(
                "this server reads several clusters: set context to one of {}",
                names(&contexts, MOST_NAMED)
            ),
            Some(given) => {
                let is_it = |(context, _): &&(Option<String>, Reach)| {
                    context.as_deref() == given.as_str() && context.is_some()
                };
                self.0.iter().find(is_it)
            }
        };
        match found {
            Some((_, reach)) => Ok(reach),
            None => bail!(
                "this context is not open to this server: it reads {}",
                names(&contexts, MOST_NAMED)
            ),
        }
    }
}

/// Which namespaces the tools may read.
pub(super) struct Reach {
    args: McpArgs,
    /// The namespace of the kubeconfig context, once it is known.
    of_context: OnceLock<String>,
}

/// The HPAs that a call selects.
#[derive(Default)]
pub(super) struct CallSelection<'a> {
    /// The namespace; none: the only one that may be read, or all.
    pub(super) namespace: Option<&'a str>,
    /// The name; none: all HPAs.
    pub(super) name: Option<&'a str>,
    /// A label selector.
    pub(super) selector: Option<&'a str>,
}

impl Reach {
    /// The access that the arguments allow. It is an error if a namespace cannot be one, or if the monitoring server's
    /// flags are wrong: a client would see that only in its first call.
    pub(super) fn new(args: McpArgs) -> anyhow::Result<Self> {
        if let Some(wrong) = args
            .namespaces
            .iter()
            .find(|name| name.is_empty() || is_pattern(name) || name.contains(char::is_whitespace))
        {
            bail!("--namespaces {wrong:?} is not a namespace: name each, as in shop,search");
        }
        Settings::of(&args.prometheus)?;
        Ok(Self {
            args,
            of_context: OnceLock::new(),
        })
    }

    /// The arguments of the server.
    pub(super) fn args(&self) -> &McpArgs {
        &self.args
    }

    /// Selection and connection for a call. It is an error if the call's namespace may not be read.
    pub(super) fn select(
        &self,
        call: &CallSelection<'_>,
    ) -> anyhow::Result<(SelectionArgs, ConnectionArgs)> {
        let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        let name = given(call.name);
        let in_name = name.as_deref().and_then(namespace_of);
        let namespace = given(call.namespace).or(in_name.map(str::to_owned));
        let mut connection = self.args.connection.clone();
        let mut selection = SelectionArgs {
            selector: given(call.selector),
            ..SelectionArgs::default()
        };
        if self.args.all_namespaces {
            selection.all_namespaces = namespace.is_none() && name.is_none();
            connection.namespace = namespace;
        } else {
            connection.namespace = Some(self.allowed(namespace)?);
            selection.is_confined = true;
        }
        selection.names.extend(name);
        Ok((selection, connection))
    }

    /// Selection and connection for a call about one HPA. It is an error if it has no name.
    pub(super) fn select_one(
        &self,
        namespace: Option<&str>,
        name: &str,
    ) -> anyhow::Result<(SelectionArgs, ConnectionArgs)> {
        if name.is_empty() {
            bail!("name is empty: use the name of an HPA. hpa_list has the names");
        }
        self.select(&CallSelection {
            namespace,
            name: Some(name),
            ..CallSelection::default()
        })
    }

    /// The monitoring server. It is an error if it would have to be searched in namespaces that may not be read.
    pub(super) fn prometheus(&self) -> anyhow::Result<PrometheusArgs> {
        let prometheus = &self.args.prometheus;
        if !self.args.all_namespaces && matches!(Settings::of(prometheus)?.place, Place::Auto) {
            bail!(
                "the monitoring server is not known, and finding it would read the services of all namespaces: start `{}` with --prometheus service:NAMESPACE/NAME:PORT or a URL",
                typed("mcp")
            );
        }
        Ok(prometheus.clone())
    }

    /// The namespace of a call, if it may be read.
    fn allowed(&self, requested: Option<String>) -> anyhow::Result<String> {
        let of_context;
        let allowed = match &self.args.namespaces[..] {
            [] => {
                of_context = [self.own_namespace()?];
                &of_context[..]
            }
            named => named,
        };
        match (requested, allowed) {
            (Some(requested), _) if allowed.contains(&requested) => Ok(requested),
            (Some(requested), _) => bail!(
                "namespace {requested:?} is not open to this server: it reads {}",
                names(allowed, MOST_NAMED)
            ),
            (None, [only]) => Ok(only.clone()),
            (None, _) => bail!(
                "this server reads several namespaces: set namespace to one of {}",
                names(allowed, MOST_NAMED)
            ),
        }
    }

    /// The namespace of `-n`, else that of the context.
    fn own_namespace(&self) -> anyhow::Result<String> {
        let given = self.args.connection.namespace.as_ref();
        if let Some(namespace) = given.filter(|name| !name.is_empty()) {
            return Ok(namespace.clone());
        }
        if let Some(known) = self.of_context.get() {
            return Ok(known.clone());
        }
        let client = finish(async { Ok(connect(&self.args.connection).await?) })?;
        Ok(self
            .of_context
            .get_or_init(|| client.namespace().to_owned())
            .clone())
    }
}

/// The input that names a cluster.
pub(super) const CONTEXT: &str = "context";

/// The input with the text of manifests, for which no cluster is read.
pub(super) const MANIFESTS: &str = "text";

/// At most this many namespaces or contexts are named.
const MOST_NAMED: usize = 20;
