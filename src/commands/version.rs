//! `kubectl hpa version`.

use std::io::Write as _;

use hpa_cluster::ServerVersion;
use hpa_engine::model::KubeVersion;
use hpa_objects::recording::visible;
use hpa_render::{Style, style::Role, styled::StyledText, table::Table};
use serde::Serialize;

use crate::{
    cli::{ColorChoice, VersionArgs, VersionFormat},
    exit_code::ExitStatus,
    process::{
        runtime::{connect, runtime},
        terminal, workflow,
    },
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionReport {
    client_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_platform: Option<String>,
    controllers: VersionRange,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionRange {
    oldest: String,
    newest: String,
    /// Whose real controller was recorded: every recorded sync is predicted exactly.
    recorded: &'static [&'static str],
    /// Whose controller was only read in source.
    read_in_source: &'static [&'static str],
}

/// Runs `kubectl hpa version`. Without a server it prints what it knows, and then fails as kubectl does.
pub(super) fn run(args: &VersionArgs, color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let server = if args.client {
        None
    } else {
        Some(runtime()?.block_on(async { connect(&args.connection).await?.server_version().await }))
    };
    let (server, failure) = match server.transpose() {
        Ok(server) => (server, None),
        Err(error) => (None, Some(error)),
    };
    print(args.output, &versions(server), terminal::style(color))?;
    failure.map_or(Ok(ExitStatus::Success), |error| Err(error.into()))
}

fn versions(server: Option<ServerVersion>) -> VersionReport {
    let (server_version, server_platform) = server
        .map(|server| (server.git_version, server.platform))
        .unzip();
    VersionReport {
        client_version: concat!("v", env!("CARGO_PKG_VERSION")),
        server_version,
        server_platform,
        controllers: VersionRange {
            oldest: KubeVersion::OLDEST.to_string(),
            newest: KubeVersion::NEWEST.to_string(),
            recorded: &KubeVersion::RECORDED,
            read_in_source: &KubeVersion::READ_IN_SOURCE,
        },
    }
}

/// `1.23 to 1.37, 1.38.0-beta.0`, or `none`. Releases are in order and leave no minor version out.
fn listed(texts: &[&str]) -> String {
    let (betas, releases): (Vec<&str>, Vec<&str>) =
        texts.iter().partition(|text| text.contains('-'));
    let minors: Vec<String> = releases
        .iter()
        .filter_map(|text| text.parse::<KubeVersion>().ok())
        .map(|version| format!("1.{}", version.minor))
        .collect();
    let range = match minors.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        [first, .., last] => Some(format!("{first} to {last}")),
    };
    let parts: Vec<String> = range
        .into_iter()
        .chain(betas.into_iter().map(str::to_owned))
        .collect();
    if parts.is_empty() {
        "none".to_owned()
    } else {
        parts.join(", ")
    }
}

fn print(format: VersionFormat, versions: &VersionReport, style: Style) -> anyhow::Result<()> {
    let mut out = workflow::stdout();
    match format {
        VersionFormat::Json => write!(out, "{}", visible::json_pretty(versions)?)?,
        VersionFormat::Yaml => write!(out, "{}", visible::yaml(versions)?)?,
        VersionFormat::Text => {
            let mut table = Table::new(style).with_gap(1);
            table.push(Role::Text, ["Client Version:", versions.client_version]);
            if let Some(version) = &versions.server_version {
                table.push(Role::Text, ["Server Version:", version]);
            }
            let VersionRange {
                oldest,
                newest,
                recorded,
                read_in_source,
            } = &versions.controllers;
            table.push(
                Role::Text,
                ["Controllers:", &format!("{oldest} to {newest}")],
            );
            table.push(Role::Text, ["  recorded:", &listed(recorded)]);
            table.push(Role::Text, ["  source only:", &listed(read_in_source)]);
            let mut text = StyledText::default();
            table.write(&mut text);
            write!(out, "{}", text.paint(style))?;
        }
    }
    out.flush()?;
    Ok(())
}
