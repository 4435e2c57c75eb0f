//! Decodes JSON values to types. Errors have the path of the field.
//!
//! A single decoder that tracks its path decodes all values. The format has many types, and every additional decoder
//! would be compiled for each of them.

use std::{cell::OnceCell, slice};

use serde::{
    de::{
        DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor,
        value::BorrowedStrDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::{Error, Value, map};

use super::InvalidField;

/// Decodes a value. Fails with the first field that cannot be read.
pub fn decode<T: DeserializeOwned>(value: &Value) -> Result<T, InvalidField> {
    tracked(value).map_err(|(path, error)| InvalidField::decoding(path, error.to_string()))
}

/// The path at which a value cannot be decoded. As in a text decoder, an absent field is an error of the enclosing
/// object. None: it can be decoded.
pub fn path_of_error<T: DeserializeOwned>(value: &Value) -> Option<String> {
    tracked::<T>(value).err().map(|(path, _)| path)
}

fn tracked<T: DeserializeOwned>(value: &Value) -> Result<T, (String, Error)> {
    let broken = OnceCell::new();
    let here = DecodedPlace {
        value,
        step: &DecodeStep::Root,
        broken: &broken,
    };
    T::deserialize(here).map_err(|error| (broken.into_inner().unwrap_or_default(), error))
}

/// A value and its path.
#[derive(Clone, Copy)]
struct DecodedPlace<'v, 'w> {
    value: &'v Value,
    step: &'w DecodeStep<'w>,
    /// The path of the first value that could not be read.
    broken: &'w OnceCell<String>,
}

/// The last step of a path, linked to the previous one.
enum DecodeStep<'w> {
    Root,
    Field(&'w DecodeStep<'w>, &'w str),
    Item(&'w DecodeStep<'w>, usize),
}

impl DecodeStep<'_> {
    fn path(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Field(before, name) => match before.path() {
                path if path.is_empty() => (*name).to_owned(),
                path => path + "." + *name,
            },
            Self::Item(before, index) => format!("{}[{index}]", before.path()),
        }
    }
}

impl<'v> DecodedPlace<'v, '_> {
    /// Decodes a child value.
    fn read<S: DeserializeSeed<'v>>(
        self,
        seed: S,
        value: &'v Value,
        step: &DecodeStep<'_>,
    ) -> Result<S::Value, Error> {
        let there = DecodedPlace {
            value,
            step,
            broken: self.broken,
        };
        seed.deserialize(there)
            .inspect_err(|_| note(self.broken, step))
    }
}

/// The innermost value notes its path first.
#[cold]
fn note(broken: &OnceCell<String>, step: &DecodeStep<'_>) {
    broken.get_or_init(|| step.path());
}

impl<'v> Deserializer<'v> for DecodedPlace<'v, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => number.deserialize_any(visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let mut rest = Items {
                    here: self,
                    items: items.iter(),
                    index: 0,
                };
                let value = visitor.visit_seq(&mut rest)?;
                if rest.items.len() > 0 {
                    let expected = &"fewer elements in array";
                    return Err(Error::invalid_length(items.len(), expected));
                }
                Ok(value)
            }
            Value::Object(fields) => {
                let mut rest = ObjectFields {
                    here: self,
                    fields: fields.iter(),
                    value: None,
                };
                let value = visitor.visit_map(&mut rest)?;
                if rest.fields.len() > 0 {
                    let expected = &"fewer elements in map";
                    return Err(Error::invalid_length(fields.len(), expected));
                }
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'v>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'v>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'v>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        // The formats have only plain variants, which contain nothing that could be invalid.
        self.value.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        <V: Visitor<'v>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

struct Items<'v, 'w> {
    here: DecodedPlace<'v, 'w>,
    items: slice::Iter<'v, Value>,
    index: usize,
}

impl<'v> SeqAccess<'v> for Items<'v, '_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'v>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(value) = self.items.next() else {
            return Ok(None);
        };
        let step = DecodeStep::Item(self.here.step, self.index);
        self.index += 1;
        self.here.read(seed, value, &step).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct ObjectFields<'v, 'w> {
    here: DecodedPlace<'v, 'w>,
    fields: map::Iter<'v>,
    /// Name and value of the field whose name was read last.
    value: Option<(&'v String, &'v Value)>,
}

impl<'v> MapAccess<'v> for ObjectFields<'v, '_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'v>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some((name, value)) = self.fields.next() else {
            return Ok(None);
        };
        self.value = Some((name, value));
        let known = seed.deserialize(BorrowedStrDeserializer::<Error>::new(name));
        known.map(Some).inspect_err(|_| {
            note(self.here.broken, &DecodeStep::Field(self.here.step, name));
        })
    }

    fn next_value_seed<S: DeserializeSeed<'v>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let Some((name, value)) = self.value.take() else {
            return Err(Error::custom("value is missing"));
        };
        self.here
            .read(seed, value, &DecodeStep::Field(self.here.step, name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len())
    }
}
