//! Quantities with the arithmetic, the rounding and the overflow of Go's `resource.Quantity`.
//!
//! Upstream keeps a number in one of two forms, chosen when it is parsed: `small` is an int64 with a power of ten,
//! `big` an integer of any size. They differ outside int64 and for negative fractions. Both are kept here, because the
//! controller's overflows affect its decisions.

mod big;
mod display;
mod parse;
mod pow10;
mod small;
mod suffix;
#[cfg(test)]
mod tests;
mod text;
mod value;

pub use parse::ParseQuantityError;
pub use small::Overflow;
pub use value::{Format, Quantity};
