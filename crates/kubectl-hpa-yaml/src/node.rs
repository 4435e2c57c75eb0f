//! The tree.

use super::YamlText;

/// A byte range in the text. An object from a cluster has no text; its spans are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One after the last byte.
    pub end: u32,
}

/// A value and its position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct YamlNode {
    /// Its position.
    pub span: Span,
    /// The value.
    pub value: YamlValue,
}

/// A value as kubectl reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum YamlValue {
    /// `true` or `false`, or a YAML 1.1 spelling of them.
    Bool(bool),
    /// A mapping, in written order.
    Mapping(Vec<Entry>),
    /// Null.
    #[default]
    Null,
    /// A number.
    Number(Number),
    /// A list.
    Sequence(Vec<YamlNode>),
    /// A string.
    Text(YamlText),
}

/// A number as kubectl reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// With a fraction or an exponent, or too large for an integer.
    Float(f64),
    /// An integer.
    Integer(i64),
}

/// One entry of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its key.
    pub key: YamlText,
    /// The position of the key.
    pub key_span: Span,
    /// Its value.
    pub node: YamlNode,
}

impl YamlNode {
    /// The entries. Empty if it is not a mapping.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            YamlValue::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The items. Empty if it is not a list.
    pub fn items(&self) -> &[Self] {
        match &self.value {
            YamlValue::Sequence(items) => items,
            _ => &[],
        }
    }

    /// The entry with this key. Of duplicates the last, as in kubectl.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().rev().find(|entry| &*entry.key == key)
    }

    /// The value of the entry with this key, unless it is null.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let node = &self.entry(key)?.node;
        (!matches!(node.value, YamlValue::Null)).then_some(node)
    }

    /// The object that starts at this byte: this one, or an item if this is a list of objects.
    pub fn object_at(&self, start: u32) -> Option<&Self> {
        if self.span.start == start {
            return Some(self);
        }
        let items = self.entry("items")?.node.items();
        items[place_of(items, start)?].object_at(start)
    }

    /// Like [`object_at`](Self::object_at), for writing.
    pub fn object_at_mut(&mut self, start: u32) -> Option<&mut Self> {
        if self.span.start == start {
            return Some(self);
        }
        let YamlValue::Mapping(entries) = &mut self.value else {
            return None;
        };
        let mut entries = entries.iter_mut().rev();
        let items = entries.find(|entry| &*entry.key == "items")?;
        let YamlValue::Sequence(items) = &mut items.node.value else {
            return None;
        };
        let place = place_of(items, start)?;
        items[place].object_at_mut(start)
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_i64(&self) -> Option<i64> {
        match self.value {
            YamlValue::Number(Number::Integer(number)) => Some(number),
            _ => None,
        }
    }

    /// The integer, if it fits 32 bits.
    pub fn as_i32(&self) -> Option<i32> {
        self.as_i64()?.try_into().ok()
    }

    /// Whether it is true, if it is a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            YamlValue::Bool(value) => Some(value),
            _ => None,
        }
    }
}

/// The index of the item with the object that starts at this byte.
fn place_of(items: &[YamlNode], start: u32) -> Option<usize> {
    let has_it = |item: &YamlNode| item.object_at(start).is_some();
    let behind = items.partition_point(|item| item.span.start <= start);
    let last = behind.checked_sub(1).filter(|last| has_it(&items[*last]));
    // An alias's position is not between those of its neighbors.
    last.or_else(|| items.iter().position(has_it))
}
