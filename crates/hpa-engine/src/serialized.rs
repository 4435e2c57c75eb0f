//! Helpers for the derived code of [`model`](crate::model) that reads and writes the snapshots of `kubectl hpa`.

use std::{borrow::Cow, collections::BTreeMap, fmt, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::{self, Neighbor, Neighbors, Shared};

/// Reads `null` as the empty list or map, as Go does.
pub fn null_is_empty<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// Like [`null_is_empty`], for lists that exist by the thousand. Shrinks the list: most have one entry, but a list
/// grows to room for four.
pub fn short_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let mut list: Vec<T> = null_is_empty(deserializer)?;
    list.shrink_to_fit();
    Ok(list)
}

/// Reads quantities, written as strings or as numbers.
pub(crate) fn texts_of_quantities<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, BTreeMap<String, String>>, D::Error> {
    let lists: BTreeMap<String, ResourceList> = BTreeMap::deserialize(deserializer)?;
    let texts = |list: ResourceList| {
        list.into_iter()
            .map(|(name, text)| (name, text.0))
            .collect()
    };
    Ok(lists
        .into_iter()
        .map(|(container, list)| (container, texts(list)))
        .collect())
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

impl<T: JsonSchema> JsonSchema for Shared<T> {
    fn inline_schema() -> bool {
        Vec::<T>::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Vec::<T>::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<T>::json_schema(generator)
    }
}

impl<T: Neighbor + Serialize> Serialize for Neighbors<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Neighbor + Deserialize<'de>> Deserialize<'de> for Neighbors<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Arc<T>>::deserialize(deserializer).map(Self::from)
    }
}

impl<T: Neighbor + JsonSchema> JsonSchema for Neighbors<T> {
    fn inline_schema() -> bool {
        Vec::<T>::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Vec::<T>::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<T>::json_schema(generator)
    }
}

/// Quantities by resource name, in the order of the names. Thousands of pods have such lists, usually of two entries; a
/// map would reserve memory for eleven.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceList(Box<[(String, Quantity)]>);

impl ResourceList {
    /// Names and quantities.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Quantity)> {
        self.0.iter().map(|(name, quantity)| (name, quantity))
    }

    /// The quantity of a resource.
    pub fn get(&self, resource: &str) -> Option<&Quantity> {
        let mut entries = self.iter();
        entries
            .find(|(name, _)| *name == resource)
            .map(|(_, quantity)| quantity)
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for ResourceList {
    type Item = (String, Quantity);
    type IntoIter = std::vec::IntoIter<(String, Quantity)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_vec().into_iter()
    }
}

impl FromIterator<(String, Quantity)> for ResourceList {
    /// Of several quantities of a resource the last one counts, as in JSON.
    fn from_iter<I: IntoIterator<Item = (String, Quantity)>>(entries: I) -> Self {
        let mut list: Vec<(String, Quantity)> = entries.into_iter().collect();
        if !list.is_sorted_by(|(one, _), (next, _)| one < next) {
            list = BTreeMap::from_iter(list).into_iter().collect();
        }
        Self(list.into())
    }
}

impl Serialize for ResourceList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for ResourceList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamesAndQuantities)
    }
}

struct NamesAndQuantities;

impl<'de> de::Visitor<'de> for NamesAndQuantities {
    type Value = ResourceList;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<ResourceList, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = map.next_entry()? {
            list.push(entry);
        }
        Ok(list.into_iter().collect())
    }
}

impl JsonSchema for ResourceList {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<String, Quantity>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, Quantity>::json_schema(generator)
    }
}

/// A quantity as written. A bare number is valid, as it is for the API server. The text is parsed on conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("type" = ["string", "number"]))]
pub struct Quantity(pub String);

impl From<&model::Quantity> for Quantity {
    fn from(quantity: &model::Quantity) -> Self {
        Self(quantity.to_string())
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextOrNumber)
    }
}

struct TextOrNumber;

impl de::Visitor<'_> for TextOrNumber {
    type Value = Quantity;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a quantity such as \"250m\" or \"1Gi\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Quantity, E> {
        Ok(Quantity(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Quantity, E> {
        Ok(Quantity(text))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Quantity, E> {
        Ok(Quantity(number.to_string()))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Quantity, E> {
        Ok(Quantity(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Quantity, E> {
        Ok(Quantity(number.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_in_the_order_of_their_names_and_the_last_quantity_counts() {
        let entries = [("memory", "1Gi"), ("cpu", "1"), ("cpu", "2")];
        let entries = entries.map(|(name, text)| (name.to_owned(), Quantity(text.to_owned())));
        let list = ResourceList::from_iter(entries);
        let names: Vec<&str> = list.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["cpu", "memory"]);
        assert_eq!(list.get("cpu"), Some(&Quantity("2".to_owned())));
    }
}
