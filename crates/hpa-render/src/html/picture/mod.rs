//! The decision drawn as lanes over a line of replicas, once for wide and once for narrow screens.

mod layout;
mod measure;
mod scale;
mod sheet;
mod svg;
#[cfg(test)]
mod tests;

pub(crate) use measure::width as text_width;
pub(super) use svg::picture;
