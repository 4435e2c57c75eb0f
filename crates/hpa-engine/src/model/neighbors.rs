//! Lists of neighbors that thousands of HPAs share.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use super::{Autoscaler, Shared};

/// Another HPA of the namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize)
)]
pub struct OtherHpa {
    /// Its name.
    pub name: String,
    /// The selector of its target, in its string form.
    #[cfg_attr(feature = "serde", serde(default))]
    pub selector: String,
}

/// The neighbors of an HPA. HPAs of one target share a list, of which each leaves out itself.
pub struct Neighbors<T: Neighbor> {
    shared: Arc<NeighborList<T>>,
    /// The index of the HPA itself in the shared list.
    own: Option<usize>,
    /// Those that are not shared.
    more: Vec<Arc<T>>,
}

/// A neighbor of an HPA, and what follows from a whole list of them for every HPA in it.
pub trait Neighbor {
    /// What follows from the list, computed once for all that share it.
    type Together;

    /// Its name.
    fn name(&self) -> &str;
}

struct NeighborList<T: Neighbor> {
    all: Vec<Arc<T>>,
    together: OnceLock<T::Together>,
}

/// The names of HPAs that all have one selector.
pub struct AllNames {
    namespace: String,
    selector: String,
    /// `namespace/name`, sorted.
    pub(crate) names: Shared<String>,
    /// The same as one text, with blanks between.
    pub(crate) joined: String,
}

impl Neighbor for OtherHpa {
    /// None: their selectors differ, or two have one name.
    type Together = Option<AllNames>;

    fn name(&self) -> &str {
        &self.name
    }
}

impl Neighbor for Autoscaler {
    /// The indices of those that are no HPAs.
    type Together = Vec<usize>;

    fn name(&self) -> &str {
        &self.name
    }
}

impl<T: Neighbor> Neighbors<T> {
    /// A list that all in it can share. Of several with one name, the first is kept.
    #[must_use]
    pub fn of_each_other(mut all: Vec<Arc<T>>) -> Self {
        all.sort_by(|one, other| one.name().cmp(other.name()));
        all.dedup_by(|one, other| one.name() == other.name());
        all.into()
    }

    /// The same shared list for the HPA with this name, which leaves out itself. The list is
    /// [`of_each_other`](Self::of_each_other).
    #[must_use]
    pub fn without(&self, own: &str) -> Self {
        let all = &self.shared.all;
        Self {
            own: all.binary_search_by_key(&own, |one| one.name()).ok(),
            ..self.clone()
        }
    }

    /// The neighbors.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<T>> + Clone {
        let own = self.own;
        let shared = self.shared.all.iter().enumerate();
        let shared = shared.filter(move |(index, _)| Some(*index) != own);
        shared.map(|(_, one)| one).chain(&self.more)
    }

    /// Number of neighbors.
    pub fn len(&self) -> usize {
        let own = usize::from(self.own.is_some_and(|own| own < self.shared.all.len()));
        let shared = self.shared.all.len().saturating_sub(own);
        shared.saturating_add(self.more.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds one that is not shared.
    pub fn push(&mut self, one: Arc<T>) {
        self.more.push(one);
    }

    /// Keeps only some.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&T) -> bool) {
        *self = self.iter().filter(|one| is_kept(one)).cloned().collect();
    }

    /// Removes all.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Neighbors<OtherHpa> {
    /// `namespace/name` of all HPAs in the list and of the HPA itself, sorted, if all of them have this selector.
    /// Computed once for all HPAs of the list.
    pub(crate) fn names_if_alike(
        &self,
        namespace: &str,
        own: &str,
        selector: &str,
    ) -> Option<&AllNames> {
        let itself = self.shared.all.get(self.own?)?;
        if itself.name != own || !self.more.is_empty() {
            return None;
        }
        let all = self.shared.together.get_or_init(|| {
            let mut names: Vec<&str> = Vec::new();
            for other in &self.shared.all {
                if other.selector != itself.selector {
                    return None;
                }
                names.push(&other.name);
            }
            names.sort_unstable();
            if names.windows(2).any(|pair| pair[0] == pair[1]) {
                return None;
            }
            let names = names.iter().map(|name| format!("{namespace}/{name}"));
            let names: Shared<String> = names.collect();
            Some(AllNames {
                namespace: namespace.to_owned(),
                selector: itself.selector.clone(),
                joined: names.join(" "),
                names,
            })
        });
        let all = all.as_ref()?;
        let is_it = all.namespace == namespace && all.selector == selector;
        is_it.then_some(all)
    }
}

impl Neighbors<Autoscaler> {
    /// The neighbors that are no HPAs. The HPAs of a list are not looked at again for each of them.
    pub fn besides_hpas(&self) -> impl Iterator<Item = &Arc<Autoscaler>> {
        let all = &self.shared.all;
        let indices = self.shared.together.get_or_init(|| {
            let others = all.iter().enumerate().filter(|(_, one)| !one.is_hpa());
            others.map(|(index, _)| index).collect()
        });
        let own = self.own;
        let indices = indices.iter().filter(move |index| Some(**index) != own);
        let more = self.more.iter().filter(|one| !one.is_hpa());
        indices.filter_map(|index| all.get(*index)).chain(more)
    }

    /// The neighbors that are HPAs.
    pub fn hpas(&self) -> impl Iterator<Item = &Arc<Autoscaler>> + Clone {
        self.iter().filter(|one| one.is_hpa())
    }

    /// Number of neighbors that are HPAs.
    pub fn count_of_hpas(&self) -> usize {
        self.len().saturating_sub(self.besides_hpas().count())
    }
}

impl<T: Neighbor> Default for Neighbors<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T: Neighbor> Clone for Neighbors<T> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            own: self.own,
            more: self.more.clone(),
        }
    }
}

impl<T: Neighbor + PartialEq> PartialEq for Neighbors<T> {
    fn eq(&self, other: &Self) -> bool {
        let is_same = Arc::ptr_eq(&self.shared, &other.shared)
            && self.own == other.own
            && self.more == other.more;
        is_same || self.iter().eq(other.iter())
    }
}

impl<T: Neighbor + fmt::Debug> fmt::Debug for Neighbors<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Neighbor> From<Vec<Arc<T>>> for Neighbors<T> {
    fn from(all: Vec<Arc<T>>) -> Self {
        Self {
            shared: Arc::new(NeighborList {
                all,
                together: OnceLock::new(),
            }),
            own: None,
            more: Vec::new(),
        }
    }
}

impl<T: Neighbor> FromIterator<Arc<T>> for Neighbors<T> {
    fn from_iter<I: IntoIterator<Item = Arc<T>>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T: Neighbor> Extend<Arc<T>> for Neighbors<T> {
    fn extend<I: IntoIterator<Item = Arc<T>>>(&mut self, items: I) {
        self.more.extend(items);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn others() -> impl Strategy<Value = Vec<Arc<OtherHpa>>> {
        let one = (
            0..8_u8,
            prop::sample::select(vec!["app=web", "app in (web)"]),
        );
        let one = one.prop_map(|(name, selector)| {
            Arc::new(OtherHpa {
                name: format!("web-{name}"),
                selector: selector.to_owned(),
            })
        });
        prop::collection::vec(one, 0..6)
    }

    proptest! {
        #[test]
        fn each_hpa_leaves_out_itself_and_shares_what_follows_from_the_rest(all in others()) {
            let shared = Neighbors::of_each_other(all.clone());
            for own in &all {
                let seen = shared.without(&own.name);
                let mut names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
                names.sort_unstable();
                names.dedup();
                let of_others: Vec<&str> = names.iter().copied().filter(|name| *name != own.name).collect();
                prop_assert_eq!(seen.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), of_others);
                prop_assert_eq!(seen.len(), names.len() - 1);

                // The first of several documents of an HPA counts.
                let own = shared.iter().find(|one| one.name == own.name).unwrap();
                let are_alike = shared.iter().all(|one| one.selector == own.selector);
                let found = seen.names_if_alike("shop", &own.name, &own.selector);
                prop_assert_eq!(found.is_some(), are_alike);
                if let Some(found) = found {
                    let names: Vec<String> = names.iter().map(|name| format!("shop/{name}")).collect();
                    prop_assert_eq!(found.names.to_vec(), names.clone());
                    prop_assert_eq!(&found.joined, &names.join(" "));
                    // All HPAs have the same list, and not one each.
                    let again = shared.without(&names[0]["shop/".len()..]);
                    let again = again.names_if_alike("shop", &names[0]["shop/".len()..], &own.selector);
                    prop_assert!(again.unwrap().names.is_same(&found.names));
                }
                prop_assert!(seen.names_if_alike("shop", &own.name, "app=other").is_none());
                prop_assert!(shared.names_if_alike("shop", &own.name, &own.selector).is_none());
            }
        }

        #[test]
        fn autoscalers_are_hpas_or_not(kinds in prop::collection::vec((any::<bool>(), any::<bool>()), 0..8)) {
            let mut shared = Vec::new();
            let mut more = Vec::new();
            for (number, (is_hpa, is_shared)) in kinds.iter().enumerate() {
                let one = Arc::new(Autoscaler {
                    kind: if *is_hpa { "HorizontalPodAutoscaler" } else { "ScaledObject" }.to_owned(),
                    name: format!("web-{number}"),
                    ..Autoscaler::default()
                });
                if *is_shared { shared.push(one) } else { more.push(one) }
            }
            let all = Neighbors::of_each_other(shared);
            for (number, _) in kinds.iter().enumerate() {
                let mut seen = all.without(&format!("web-{number}"));
                seen.extend(more.iter().cloned());
                let (hpas, others): (Vec<_>, Vec<_>) = seen.iter().partition(|one| one.is_hpa());
                prop_assert_eq!(seen.hpas().collect::<Vec<_>>(), hpas.clone());
                prop_assert_eq!(seen.count_of_hpas(), hpas.len());
                prop_assert_eq!(seen.besides_hpas().collect::<Vec<_>>(), others);
            }
        }
    }
}
