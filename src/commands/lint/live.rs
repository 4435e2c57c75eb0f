//! HPAs of a cluster, with everything that rules need.

use std::cell::RefCell;

use anyhow::Context as _;
use hpa_analysis::Assessment;
use hpa_cluster::{Client, Selection};
use hpa_engine::model::ControllerConfig;
use hpa_lint::LintInput;
use hpa_objects::recording::Converted;

use super::collected::Collected;
use crate::{
    cli::{ControllerArgs, LintArgs},
    commands::clusters::ClusterAccess,
    process::runtime::{connect, runtime, with_others},
};

/// Reads the selection: the input of the rules, and version, flags and gates of the controller as far as known.
pub(super) async fn read(
    args: &LintArgs,
    access: &ClusterAccess,
) -> anyhow::Result<(LintInput, ControllerConfig)> {
    let (client, selection) = access.connect(&args.selection).await?;
    Box::pin(input(args, &selection, &client)).await
}

/// Reads the HPAs of the cluster that the manifests in `input` are compared with: those of the manifests' namespaces.
/// A manifest without a namespace belongs to that of the context.
pub(super) fn compare(args: &LintArgs, input: &mut LintInput) -> anyhow::Result<ControllerConfig> {
    runtime()?.block_on(async {
        let client = connect(&args.connection).await?;
        let namespace = client.namespace().to_owned();
        let is_elsewhere = |subject: &hpa_lint::KeptHpa| {
            !subject.namespace().is_empty() && subject.namespace() != namespace
        };
        let selection = Selection {
            all_namespaces: args.selection.all_namespaces || input.hpas.iter().any(is_elsewhere),
            ..Selection::default()
        };
        let snapshots =
            hpa_cluster::gather_bulk(&client, &selection, |_| false, &mut |_| {}).await?;
        let controller = controller_args(args);
        let mut config = None;
        for mut snapshot in snapshots {
            controller.apply(&mut snapshot)?;
            if config.is_none() {
                config = Some(snapshot.controller.to_model()?);
            }
            let metadata = &snapshot.hpa.metadata;
            let is_in_context = metadata.namespace.as_ref() == Some(&namespace);
            let is_named = input.hpas.iter().any(|subject| {
                subject.name() == metadata.name
                    && Some(subject.namespace()) == metadata.namespace.as_deref()
            });
            if is_in_context || is_named {
                input
                    .attach_stored(&snapshot)
                    .with_context(|| snapshot.metadata.name.clone())?;
            }
        }
        config.context("the cluster has no HPA to compare with")
    })
}

async fn input(
    args: &LintArgs,
    selection: &Selection,
    client: &Client,
) -> anyhow::Result<(LintInput, ControllerConfig)> {
    let is_whole = args.selection.names.is_empty() && args.selection.selector.is_none();
    let collected = RefCell::new(Collected::new(is_whole));
    let gathered = hpa_cluster::gather_bulk(client, selection, |_| true, &mut |listed| {
        collected.borrow_mut().take(listed);
    })
    .await;
    let snapshots = with_others(client, selection, gathered).await?;
    let collected = collected.into_inner();
    let mut input = collected.finish(&snapshots, args.selection.all_namespaces);
    let controller = controller_args(args);
    let (mut config, mut converted) = (None, Converted::default());
    for mut snapshot in snapshots {
        controller.apply(&mut snapshot)?;
        if config.is_none() {
            config = Some(snapshot.controller.to_model()?);
        }
        snapshot
            .sync_input(&mut converted)
            .and_then(|one| input.add_live(Box::new(Assessment::new(one)), &snapshot.hpa))
            .with_context(|| snapshot.metadata.name.clone())?;
    }
    let config = config.context("no HPA was read")?;
    Ok((input, config))
}

/// The user's settings of the controller.
pub(super) fn controller_args(args: &LintArgs) -> ControllerArgs {
    ControllerArgs {
        kube_version: args.kube_version.as_ref().map(|known| known.as_slice()[0]),
        flags: args.controller.clone(),
    }
}
