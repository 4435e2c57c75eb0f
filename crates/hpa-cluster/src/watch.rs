//! Changes of HPAs as they happen. The controller writes a changed status at the end of a sync: the only sign of when
//! it syncs.

use hpa_objects::recording::wire::Hpa;
use http_body_util::BodyExt as _;
use serde::Deserialize;

use super::{bounded::Bounded, client::Client, path::ApiPath, selection::Selection};

/// A watch on HPAs.
pub struct Watch<'a> {
    client: &'a Client,
    path: String,
    body: Option<Bounded>,
    buffer: Vec<u8>,
}

impl Client {
    /// Watches the HPA that `selection` names, else all HPAs of the namespace, or of all namespaces.
    pub fn watch_hpas(&self, selection: &Selection) -> Watch<'_> {
        let path = ApiPath::new("autoscaling", "v2");
        let path = if selection.all_namespaces {
            path
        } else {
            path.namespace(self.namespace())
        };
        let path = path
            .segment("horizontalpodautoscalers")
            .query("watch", "true");
        let path = match selection.single_name() {
            Some(name) => path.query("fieldSelector", &format!("metadata.name={name}")),
            None => path,
        };
        Watch {
            client: self,
            path: path.into_string(),
            body: None,
            buffer: Vec::new(),
        }
    }
}

impl Watch<'_> {
    /// Waits for the next state of an HPA; first for the current one of each. `None` if the watch ended, is refused or
    /// not possible; a further call restarts it. It may be dropped while it waits, without losing events.
    pub async fn next(&mut self) -> Option<Hpa> {
        if self.body.is_none() {
            self.buffer.clear();
            let response = self.client.open(&self.path).await.ok()?;
            if !response.status().is_success() {
                return None;
            }
            self.body = Some(Bounded::lines(response.into_body()));
        }
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                match serde_json::from_slice::<WatchFrame>(&line) {
                    Ok(event) if matches!(event.event_type.as_str(), "ADDED" | "MODIFIED") => {
                        return Some(event.object);
                    }
                    // A deleted HPA is noticed by the next read.
                    Ok(_) => continue,
                    Err(_) => {
                        self.body = None;
                        return None;
                    }
                }
            }
            let frame = self.body.as_mut()?.frame().await;
            match frame.and_then(Result::ok).map(http_body::Frame::into_data) {
                Some(Ok(bytes)) => self.buffer.extend_from_slice(&bytes),
                Some(Err(_)) => {}
                None => {
                    self.body = None;
                    return None;
                }
            }
        }
    }
}

#[derive(Deserialize)]
struct WatchFrame {
    #[serde(rename = "type")]
    event_type: String,
    object: Hpa,
}
