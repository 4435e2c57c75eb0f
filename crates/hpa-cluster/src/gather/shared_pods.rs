//! One list of pods and one of usages for all HPAs of a namespace.

use futures::future;
use hpa_engine::model::Selector;
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, NotRead},
};

use super::conditional::when;
use crate::{
    client::Client,
    hpa_resource::namespace_of,
    metrics::{MetricsReader, needs_pod_metrics},
    pods,
    state::{Pods, SelectorUsages, key_of},
};

/// Pods and usages of a namespace, shared by several HPAs.
pub(super) struct SharedPods {
    pods: Pods,
    not_read: Option<NotRead>,
    usages: Option<SelectorUsages>,
}

impl SharedPods {
    /// Reads all pods of the namespace, and their usages if one of `hpas` needs them.
    pub(super) async fn read(
        client: &Client,
        reader: &MetricsReader<'_>,
        hpas: Vec<(&Hpa, Selector)>,
    ) -> Self {
        let needs_usages = hpas.iter().any(|(hpa, _)| needs_pod_metrics(hpa));
        let (read, usages) = future::join(
            pods::read(client, reader.namespace, ""),
            when(needs_usages, reader.pod_metrics("")),
        )
        .await;
        let mut pods = Pods::default();
        for (hpa, selector) in hpas {
            pods.select(&key_of(hpa), Some(selector));
        }
        pods.settle();
        let not_read = match read {
            Ok(read) => {
                for pod in read {
                    pods.put_selected(reader.namespace, pod);
                }
                None
            }
            Err(reason) => Some(reason),
        };
        let usages = usages.map(|answer| {
            let mut usages = SelectorUsages::new(answer, String::new());
            usages.index(reader.namespace, &pods);
            usages
        });
        Self {
            pods,
            not_read,
            usages,
        }
    }

    /// Adds the HPA's part of the namespace's data to its snapshot.
    pub(super) fn share(&self, selector: &Selector, snapshot: &mut Snapshot) {
        match &self.not_read {
            None => {
                let namespace = namespace_of(&snapshot.hpa);
                snapshot.pods = self.pods.selected(namespace, &selector.to_string());
            }
            Some(reason) => snapshot.not_read.push(reason.clone()),
        }
        let usages = self.usages.as_ref();
        let usages = usages.filter(|_| needs_pod_metrics(&snapshot.hpa));
        match usages.and_then(|usages| usages.of(selector, &snapshot.pods)) {
            Some(Ok(usages)) => snapshot.pod_metrics = Some(usages),
            Some(Err(reason)) => snapshot.not_read.push(reason),
            None => {}
        }
    }
}
