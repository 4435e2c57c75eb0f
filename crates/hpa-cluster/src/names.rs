//! Names for completion, from the table that the server prints, without the objects.
//!
//! One request, answered from the API server's cache, in the form that `kubectl get` requests. Failures are not errors
//! here: there are just no names.

use http::{Request, header::ACCEPT};
use http_body_util::{BodyExt as _, Limited};
use kube::client::Body;
use serde::Deserialize;
use serde_json::Value;

use super::{
    client::Client,
    hpa_resource::{GROUP, RESOURCE, VERSION},
    path::ApiPath,
};

/// An HPA as a line of `kubectl get hpa`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedHpa {
    /// Its name.
    pub name: String,
    /// What it scales, as `Deployment/web`.
    pub reference: String,
    /// Its metrics and targets, as `cpu: 5%/80%`.
    pub targets: String,
    /// Its current replicas, as text.
    pub replicas: String,
}

impl Client {
    /// The HPAs of the namespace, or of all, in the order of the server. `None` if they could not be listed.
    pub async fn hpa_names(&self, all_namespaces: bool) -> Option<Vec<NamedHpa>> {
        let namespace = if all_namespaces { "" } else { self.namespace() };
        let path = ApiPath::new(GROUP, VERSION)
            .namespace_or_all(namespace)
            .segment(RESOURCE);
        let table = self.table(path).await?;
        let names = table.column("Name")?;
        let reference = table.column("Reference");
        let targets = table.column("Targets");
        let replicas = table.column("Replicas");
        let hpas = table.rows.iter().map(|row| NamedHpa {
            name: row.text(Some(names)),
            reference: row.text(reference),
            targets: row.text(targets),
            replicas: row.text(replicas),
        });
        Some(hpas.collect())
    }

    /// The names of the namespaces. `None` if they could not be listed.
    pub async fn namespace_names(&self) -> Option<Vec<String>> {
        let table = self
            .table(ApiPath::new("", "v1").segment("namespaces"))
            .await?;
        let names = table.column("Name")?;
        Some(table.rows.iter().map(|row| row.text(Some(names))).collect())
    }

    async fn table(&self, path: ApiPath) -> Option<ServerTable> {
        let path = path
            .query("includeObject", "None")
            .query("resourceVersion", "0");
        let request = Request::get(path.into_string())
            .header(ACCEPT, "application/json;as=Table;v=v1;g=meta.k8s.io")
            .body(Body::empty())
            .ok()?;
        let response = self.http().send(request).await.ok()?;
        if !response.status().is_success() {
            return None;
        }
        let body = Limited::new(response.into_body(), LONGEST).collect().await;
        serde_json::from_slice(&body.ok()?.to_bytes()).ok()
    }
}

/// Upstream: `metav1.Table`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ServerTable {
    column_definitions: Vec<TableColumn>,
    #[serde(default)]
    rows: Vec<TableRow>,
}

#[derive(Deserialize)]
struct TableColumn {
    name: String,
}

#[derive(Deserialize)]
struct TableRow {
    cells: Vec<Value>,
}

impl ServerTable {
    fn column(&self, name: &str) -> Option<usize> {
        let mut columns = self.column_definitions.iter();
        columns.position(|column| column.name == name)
    }
}

impl TableRow {
    fn text(&self, column: Option<usize>) -> String {
        match column.and_then(|column| self.cells.get(column)) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }
}

/// Longest answer that is read, in bytes: ten times that of ten thousand HPAs.
const LONGEST: usize = 16 << 20;
