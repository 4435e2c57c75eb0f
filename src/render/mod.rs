//! Pages to bytes, one file per format.
