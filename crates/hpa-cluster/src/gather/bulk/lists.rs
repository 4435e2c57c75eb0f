//! The lists of all kinds except pods, from which targets, ReplicaSets and all objects are taken.

use std::{cell::RefCell, collections::BTreeMap, mem};

use futures::{StreamExt as _, future, stream};
use hpa_engine::model::{KnownKind, SnapshotField};
use hpa_objects::recording::wire::{IntermediateOwner, NotRead};
use serde_json::Value;
use tokio::sync::{OnceCell, SetOnce};

use super::{
    Gathering,
    kinds::{self, ListedKind},
    targets::{self, FoundTargets},
};
use crate::{
    access,
    client::{Client, ClientError},
    context::Groups,
    list::ListPiece,
    replica_sets::{self, ReplicaSet},
    selection,
};

/// A result of a list.
#[derive(Clone, Debug)]
pub enum ListedObject {
    /// An object.
    Found {
        /// `apiVersion`.
        api_version: String,
        /// `kind`.
        kind: String,
        /// The whole object.
        value: Value,
    },
    /// Objects of this kind could not be read.
    NotRead {
        /// `kind`.
        kind: String,
        /// The reason, and what would help.
        why: String,
    },
}

/// Receives the results of lists.
pub(in crate::gather) type Take<'a> = RefCell<&'a mut dyn FnMut(ListedObject)>;

/// What to list.
#[derive(Clone, Copy)]
pub(in crate::gather) struct ObjectLists<'t, 'd> {
    /// Whether objects of a kind are needed besides those that decide.
    pub(in crate::gather) is_needed: fn(&str) -> bool,
    pub(in crate::gather) take: &'t Take<'d>,
}

/// ReplicaSets and their labels, by namespace.
pub(super) type Sets = BTreeMap<String, Vec<(BTreeMap<String, String>, IntermediateOwner)>>;

/// The lists, and their results so far.
pub(super) struct Lists<'a, 'g, 't, 'd> {
    pub(super) client: &'t Client,
    pub(super) namespace: &'t str,
    /// The HPAs, once they are known.
    pub(super) started: &'a SetOnce<Gathering<'g>>,
    pub(super) objects: ObjectLists<'t, 'd>,
    /// Their targets, set at the same time.
    pub(super) found: OnceCell<RefCell<FoundTargets<'a>>>,
    pub(super) sets: RefCell<Sets>,
    /// Why the ReplicaSets are not known.
    pub(super) sets_not_read: RefCell<Option<NotRead>>,
}

impl<'a> Lists<'a, '_, '_, '_> {
    /// Lists every kind. The kinds that every server has start immediately; their results wait for the HPAs.
    pub(super) async fn read(
        self,
        groups: impl Future<Output = Result<Groups, ClientError>>,
    ) -> (FoundTargets<'a>, Result<Sets, NotRead>) {
        let is_listed = |kind: &ListedKind| {
            KnownKind::of(&kind.kind).is_usual_target() || (self.objects.is_needed)(&kind.kind)
        };
        let mut built_in = kinds::built_in();
        built_in.retain(is_listed);
        let sets = kinds::replica_sets();
        let others = async {
            let groups = groups.await;
            let (mut kinds, unknown) = kinds::of_groups(&groups);
            kinds.retain(is_listed);
            if let Err(error) = &groups {
                let unknown = unknown.into_iter();
                for kind in unknown.filter(|kind| (self.objects.is_needed)(kind)) {
                    self.hand_over(ListedObject::NotRead {
                        kind: kind.to_owned(),
                        why: error.to_string(),
                    });
                }
            }
            let known: Vec<&ListedKind> = built_in.iter().chain(&kinds).chain([&sets]).collect();
            future::join(self.list_all(&kinds), self.list_targets(&known)).await;
        };
        future::join3(self.list_all(&built_in), self.list_sets(&sets), others).await;
        let found = match self.found.into_inner() {
            Some(found) => found.into_inner(),
            None => FoundTargets::requested(self.started.wait().await),
        };
        let sets = match self.sets_not_read.into_inner() {
            Some(reason) => Err(reason),
            None => Ok(self.sets.into_inner()),
        };
        (found, sets)
    }

    /// Passes on the HPAs, and lists their targets of kinds that are not `known`.
    async fn list_targets(&self, known: &[&ListedKind]) {
        let gathering = self.started.wait().await;
        let hpas = kinds::hpas();
        let found = self.found().await;
        match &gathering.selected.unlisted {
            None => {
                for object in gathering.selected.objects.take() {
                    self.take(&hpas, found, object);
                }
            }
            Some(error) => {
                let permission = selection::permission_to_list(self.namespace);
                let reason = access::not_read(error, SnapshotField::Target, permission);
                self.note_refused(&hpas, found, reason);
            }
        }
        let requested = found.borrow().kinds();
        let is_known = |(group, kind): &(String, String)| {
            let mut known = known.iter().copied().chain([&hpas]);
            known.any(|listed| listed.group == *group && listed.kind == *kind)
        };
        let unknown = requested.into_iter().filter(|kind| !is_known(kind));
        let mut kinds = targets::other_kinds(gathering, unknown).await;
        if found.borrow().has_custom_kind() {
            kinds.push(kinds::definitions());
        }
        self.list_all(&kinds).await;
    }

    async fn list_all(&self, kinds: &[ListedKind]) {
        stream::iter(kinds)
            .for_each_concurrent(None, |kind| self.list(kind))
            .await;
    }

    /// Lists one kind and passes each object to all receivers.
    async fn list(&self, kind: &ListedKind) {
        let take = async |value| self.take(kind, self.found().await, value);
        if let Err(reason) = kind.list(self.client, self.namespace, take).await {
            self.note_refused(kind, self.found().await, reason);
        }
    }

    /// Lists the ReplicaSets. Nearly all belong to Deployments: of these only a few fields are needed. If there are
    /// others, or an HPA has one as its target, the whole objects are listed.
    async fn list_sets(&self, kind: &ListedKind) {
        let mut has_others = false;
        let take = async |piece: ListPiece<ReplicaSet>| match piece {
            ListPiece::Items(sets) => {
                let mut by_namespace = self.sets.borrow_mut();
                for set in sets {
                    has_others |= !set.has_controller();
                    keep(set, self.namespace, &mut by_namespace);
                }
            }
            ListPiece::FromTheStart => self.sets.borrow_mut().clear(),
        };
        let read = replica_sets::for_each_piece(self.client, self.namespace, take).await;
        let found = self.found().await;
        if let Err(error) = read {
            let permission = replica_sets::permission(self.namespace);
            let reason = access::not_read(&error, SnapshotField::Target, permission);
            *self.sets_not_read.borrow_mut() = Some(reason.clone());
            self.note_refused(kind, found, reason);
        } else if has_others || found.borrow().has_kind(&kind.group, &kind.kind) {
            self.list(kind).await;
        }
    }

    async fn found(&self) -> &RefCell<FoundTargets<'a>> {
        let found = || async { RefCell::new(FoundTargets::requested(self.started.wait().await)) };
        self.found.get_or_init(found).await
    }

    fn take(&self, kind: &ListedKind, found: &RefCell<FoundTargets<'a>>, value: Value) {
        let (namespace, name) = kinds::name(&value);
        let is_target =
            found
                .borrow_mut()
                .offer(&kind.group, &kind.kind, &namespace, &name, &value);
        if is_target || !targets::is_made_by_another(&kind.kind, &value) {
            self.hand_over(ListedObject::Found {
                api_version: kind.api_version(),
                kind: kind.kind.clone(),
                value,
            });
        }
    }

    fn note_refused(&self, kind: &ListedKind, found: &RefCell<FoundTargets<'a>>, reason: NotRead) {
        self.hand_over(ListedObject::NotRead {
            kind: kind.kind.clone(),
            why: access::description(&reason),
        });
        let mut found = found.borrow_mut();
        found.note_refused(&kind.group, &kind.kind, reason);
    }

    fn hand_over(&self, object: ListedObject) {
        (self.objects.take.borrow_mut())(object);
    }
}

/// Keeps a ReplicaSet if it owns pods for another object, or cannot create any.
fn keep(mut set: ReplicaSet, listed: &str, kept: &mut Sets) {
    let mut namespace = mem::take(&mut set.metadata.namespace);
    if namespace.is_empty() {
        listed.clone_into(&mut namespace);
    }
    if let Some(set) = set.between() {
        kept.entry(namespace).or_default().push(set);
    }
}
