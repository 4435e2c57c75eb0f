//! Values that clap does not know: names in the cluster and the kubeconfig, rules, controller settings.

use std::{ffi::OsStr, sync::Arc};

use clap::Arg;
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate};
use hpa_cluster::{Client, ConnectionArgs, KubeconfigNames, NamedHpa, is_kind, namespace_of};
use hpa_engine::model::{FeatureGates, KnownKind, KubeVersion};
use hpa_explain::learn;
use hpa_lint::{Rule, rules};
use hpa_render::list::SORT_KEYS;
use hpa_words::sanitize::one_line;
use tokio::sync::watch;

use super::line::CommandLine;

/// One press of Tab.
pub(super) struct Tab {
    /// The line at that time.
    pub(super) line: CommandLine,
    /// Whether the user still waits: questions to the cluster end when the sender is dropped.
    pub(super) waiting: watch::Receiver<()>,
}

/// The argument with its values. Arguments are identified by their names, which are the same in all commands.
pub(super) fn attach(arg: Arg, tab: &Arc<Tab>) -> Arg {
    let tab = Arc::clone(tab);
    match arg.get_id().as_str() {
        "names" => arg.add(ArgValueCompleter::new(move |word: &OsStr| hpas(&tab, word))),
        "namespace" => arg.add(ArgValueCandidates::new(move || namespaces(&tab))),
        "context" | "contexts" => arg.add(ArgValueCandidates::new(move || {
            described(kubeconfig(&tab.line).contexts)
        })),
        "cluster" => arg.add(ArgValueCandidates::new(move || {
            described(kubeconfig(&tab.line).clusters)
        })),
        "user" => arg.add(ArgValueCandidates::new(move || {
            plain(kubeconfig(&tab.line).users)
        })),
        "rule" | "select" | "extend_select" | "ignore" => {
            arg.add(ArgValueCompleter::new(|word: &OsStr| rules_like(word)))
        }
        "learn" => arg.add(ArgValueCandidates::new(|| {
            let topics = learn::topics();
            described(topics.map(|topic| (topic.id.to_owned(), topic.title.to_owned())))
        })),
        "sort_by" => arg.add(ArgValueCandidates::new(|| plain(SORT_KEYS))),
        "feature_gates" => arg.add(ArgValueCandidates::new(|| {
            let names = FeatureGates::NAMES.into_iter();
            plain(names.flat_map(|name| [format!("{name}=true"), format!("{name}=false")]))
        })),
        "kube_version" => arg.add(ArgValueCandidates::new(|| {
            let minors = KubeVersion::OLDEST.minor..=KubeVersion::NEWEST.minor;
            plain(minors.rev().map(|minor| format!("1.{minor}")))
        })),
        "assume_architecture" => arg.add(ArgValueCandidates::new(|| plain(["amd64", "arm64"]))),
        "until" => arg.add(ArgValueCandidates::new(|| {
            plain(["scaled", "stable", "ready"])
        })),
        _ => arg,
    }
}

/// The HPAs of the cluster, in the form that `word` starts: `NAME`, or `KIND/NAME` of their target.
fn hpas(tab: &Tab, word: &OsStr) -> Vec<CompletionCandidate> {
    let line = &tab.line;
    let Some(word) = word.to_str().filter(|_| !line.needs_no_cluster) else {
        return Vec::new();
    };
    let all_namespaces = line.all_namespaces;
    let hpas = tab.ask(&line.connection, async |client| {
        client.hpa_names(all_namespaces).await
    });
    let mut candidates = forms(&hpas.unwrap_or_default(), word);
    if candidates.is_empty()
        && !all_namespaces
        && let Some(namespace) = namespace_of(word)
    {
        let connection = ConnectionArgs {
            namespace: Some(namespace.to_owned()),
            ..line.connection.clone()
        };
        let hpas = tab.ask(&connection, async |client| client.hpa_names(false).await);
        let hpas = hpas.into_iter().flatten();
        candidates = hpas
            .map(|hpa| (format!("{namespace}/{}", hpa.name), about(&hpa)))
            .collect();
    }
    candidates.retain(|(value, _)| value.starts_with(word) && !line.named.contains(value));
    candidates.sort();
    candidates.dedup_by(|(one, _), (other, _)| one == other);
    described(candidates)
}

/// The possible names of the HPAs for `word`, each with a description.
fn forms(hpas: &[NamedHpa], word: &str) -> Vec<(String, String)> {
    let Some((kind, _)) = word.split_once('/') else {
        let names = hpas.iter().map(|hpa| (hpa.name.clone(), about(hpa)));
        // `deploy/` is offered if its start is typed and the kind is scaled.
        let kinds = hpas
            .iter()
            .filter(|_| !word.is_empty())
            .filter_map(|hpa| hpa.reference.split_once('/'))
            .map(|(kind, _)| {
                let full = kind.to_lowercase();
                let short = KnownKind::of(kind).short_name;
                let form = if short.starts_with(word) {
                    short
                } else {
                    &full
                };
                (format!("{form}/"), format!("What an HPA scales: {kind}"))
            });
        return names.chain(kinds).collect();
    };
    let is_hpa = is_kind("HorizontalPodAutoscaler", kind);
    hpas.iter()
        .filter_map(|hpa| {
            let (own_kind, target) = hpa.reference.split_once('/')?;
            if is_hpa {
                Some((format!("{kind}/{}", hpa.name), about(hpa)))
            } else if is_kind(own_kind, kind) {
                Some((format!("{kind}/{target}"), format!("HPA {}", hpa.name)))
            } else {
                None
            }
        })
        .collect()
}

fn about(hpa: &NamedHpa) -> String {
    format!(
        "{}, {}, replicas: {}",
        hpa.reference, hpa.targets, hpa.replicas
    )
}

fn namespaces(tab: &Tab) -> Vec<CompletionCandidate> {
    let names = tab.ask(&tab.line.connection, async |client| {
        client.namespace_names().await
    });
    plain(names.unwrap_or_default())
}

impl Tab {
    /// Connects and asks. There is no answer if anything fails, or once the user no longer waits; a credential plugin
    /// that still runs is killed then.
    fn ask<T>(
        &self,
        connection: &ConnectionArgs,
        question: impl AsyncFnOnce(&Client) -> Option<T>,
    ) -> Option<T> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .ok()?;
        let mut waiting = self.waiting.clone();
        let answer = runtime.block_on(async {
            tokio::select! {
                biased;
                _ = waiting.changed() => None,
                answer = async { question(&hpa_cluster::connect(connection).await.ok()?).await } => answer,
            }
        });
        // The lookup of a name may hang.
        runtime.shutdown_background();
        answer
    }
}

fn kubeconfig(line: &CommandLine) -> KubeconfigNames {
    hpa_cluster::kubeconfig_names(&line.connection).unwrap_or_default()
}

/// Rules by their names if the word starts like a name, else by their codes: both would list everything twice.
fn rules_like(word: &OsStr) -> Vec<CompletionCandidate> {
    let Some(word) = word.to_str() else {
        return Vec::new();
    };
    let by_name = word.starts_with(|letter: char| letter.is_ascii_lowercase());
    let form = |rule: &'static Rule| {
        let (value, other) = if by_name {
            (rule.name, rule.code)
        } else {
            (rule.code, rule.name)
        };
        (value.to_owned(), format!("{other}: {}", rule.summary))
    };
    let rules = rules::catalogue().map(form);
    described(rules.filter(|(value, _)| value.starts_with(word)))
}

fn described(values: impl IntoIterator<Item = (String, String)>) -> Vec<CompletionCandidate> {
    let values = values.into_iter().filter(|(value, _)| is_inert(value));
    values
        .map(|(value, help)| {
            CompletionCandidate::new(value).help(Some(one_line(&help).into_owned().into()))
        })
        .collect()
}

fn plain<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Vec<CompletionCandidate> {
    let values = values.into_iter().map(Into::into);
    values
        .filter(|value| is_inert(value))
        .map(CompletionCandidate::new)
        .collect()
}

/// Whether every shell treats it as a plain word, and the program not as a flag. Some shells insert a candidate
/// unchanged, and content of a cluster or a kubeconfig may be hostile.
fn is_inert(value: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._/:@=,+-".contains(letter);
    !value.starts_with('-') && value.chars().all(is_plain)
}
