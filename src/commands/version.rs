//! `kubectl hpa version`.

use std::io::Write as _;

use serde::Serialize;

use super::{runtime, runtime::connect, workflow};
use crate::{
    cli::{ColorChoice, VersionArgs, VersionFormat},
    cluster::ServerVersion,
    exit_code::ExitStatus,
    model::KubeVersion,
    recording::visible,
    render::sanitize::one_line,
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
struct VersionRange {
    oldest: String,
    newest: String,
}

/// Runs `kubectl hpa version`. Without a server it prints what it knows, and then fails as kubectl does.
pub(super) fn run(args: &VersionArgs, _color: ColorChoice) -> anyhow::Result<ExitStatus> {
    let server = if args.client {
        None
    } else {
        Some(runtime()?.block_on(async { connect(&args.connection).await?.server_version().await }))
    };
    let (server, failure) = match server.transpose() {
        Ok(server) => (server, None),
        Err(error) => (None, Some(error)),
    };
    print(args.output, &versions(server))?;
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
        },
    }
}

fn print(format: VersionFormat, versions: &VersionReport) -> anyhow::Result<()> {
    let mut out = workflow::stdout();
    match format {
        VersionFormat::Json => write!(out, "{}", visible::json_pretty(versions)?)?,
        VersionFormat::Yaml => write!(out, "{}", visible::yaml(versions)?)?,
        VersionFormat::Text => {
            writeln!(out, "Client Version: {}", versions.client_version)?;
            if let Some(version) = &versions.server_version {
                writeln!(out, "Server Version: {}", one_line(version))?;
            }
            let VersionRange { oldest, newest } = &versions.controllers;
            writeln!(out, "Controllers:    {oldest} to {newest}")?;
        }
    }
    out.flush()?;
    Ok(())
}
