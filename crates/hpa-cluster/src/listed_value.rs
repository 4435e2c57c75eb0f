//! An object of a list, without most of its `managedFields`: they are half of it, and only the writers of the spec,
//! its replicas, and the status are needed.

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};

/// An object of a list.
pub(super) struct ListedValue(pub(super) Value);

impl<'de> Deserialize<'de> for ListedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ValuePlace::Object.deserialize(deserializer).map(Self)
    }
}

/// A position inside an object.
#[derive(Clone, Copy)]
enum ValuePlace {
    Object,
    Metadata,
    ManagedFields,
    Manager,
    /// `fieldsV1`.
    Fields,
    /// `f:spec` or `f:status` in `fieldsV1`.
    SpecFields,
    /// A position where everything is kept.
    Other,
}

impl ValuePlace {
    /// The position of a field of the current object; `None` if it is not needed.
    fn field(self, name: &str) -> Option<Self> {
        match (self, name) {
            (Self::Object, "metadata") => Some(Self::Metadata),
            (Self::Metadata, "managedFields") => Some(Self::ManagedFields),
            (Self::Manager, "fieldsV1") => Some(Self::Fields),
            (Self::SpecFields, "f:replicas") => Some(Self::Other),
            // For a status, only its presence.
            (Self::Fields, "f:spec" | "f:status") => Some(Self::SpecFields),
            (Self::Fields | Self::SpecFields, _) => None,
            _ => Some(Self::Other),
        }
    }
}

impl<'de> DeserializeSeed<'de> for ValuePlace {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self {
            Self::Other => Value::deserialize(deserializer),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for ValuePlace {
    type Value = Value;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("any valid JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut kept = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            match self.field(&name) {
                Some(place) => {
                    kept.insert(name, fields.next_value_seed(place)?);
                }
                None => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Value::Object(kept))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let place = match self {
            Self::ManagedFields => Self::Manager,
            _ => Self::Other,
        };
        let mut kept = Vec::new();
        while let Some(item) = items.next_element_seed(place)? {
            kept.push(item);
        }
        Ok(Value::Array(kept))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(object: &Value) -> Value {
        let read: ListedValue = serde_json::from_str(&object.to_string()).unwrap();
        read.0
    }

    #[test]
    fn of_managed_fields_only_writers_of_spec_replicas_and_status_stay() {
        let entry =
            |fields: Value| json!({"manager": "helm", "operation": "Update", "fieldsV1": fields});
        let object = |fields: Value| {
            json!({
                "metadata": {"name": "web", "labels": {"f:spec": "f:any"}, "managedFields": [entry(fields)]},
                "spec": {"replicas": 3, "managedFields": [{"fieldsV1": {"f:any": {}}}], "list": [1, -2, 0.5, null, true]},
                "status": {},
            })
        };
        let listed = object(json!({
            "f:metadata": {"f:labels": {"f:app": {}}},
            "f:spec": {"f:replicas": {}, "f:template": {"f:spec": {}}},
            "f:status": {"f:conditions": {}},
        }));
        let kept = object(json!({"f:spec": {"f:replicas": {}}, "f:status": {}}));
        assert_eq!(read(&listed), kept);
    }

    #[test]
    fn what_is_no_object_of_kubernetes_is_read_as_it_is() {
        for odd in [
            json!(null),
            json!("text"),
            json!([1, -1, 0.25, true]),
            json!({"metadata": 1, "spec": []}),
            json!({"metadata": {"managedFields": {"fieldsV1": {"f:any": 1}}}}),
            json!({"metadata": {"managedFields": [null, 1, {"fieldsV1": "text"}]}}),
        ] {
            assert_eq!(read(&odd), odd);
        }
    }
}
