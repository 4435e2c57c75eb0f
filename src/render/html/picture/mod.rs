//! The decision drawn as lanes over a line of replicas, once for broad and once for narrow screens.

mod layout;
mod measure;
mod scale;
mod sheet;
mod svg;
#[cfg(test)]
mod tests;

pub(super) use svg::picture;
