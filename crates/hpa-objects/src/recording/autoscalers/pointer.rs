//! Fields of an object of any kind.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::recording::decode;

/// The value at a JSON pointer, if it has that type.
pub(super) fn at<T: DeserializeOwned>(value: &Value, pointer: &str) -> Option<T> {
    decode(value.pointer(pointer)?).ok()
}
