//! Quantities as text, and lists of them by resource.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// Quantities by name of the resource.
pub type ResourceList = BTreeMap<String, Quantity>;

/// A quantity as written. A bare number is accepted, as the API server does; the text is parsed on conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("type" = ["string", "number"]))]
pub struct Quantity(pub String);

impl From<&crate::model::Quantity> for Quantity {
    fn from(quantity: &crate::model::Quantity) -> Self {
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
