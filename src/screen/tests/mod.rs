//! The screen as a user sees it: drawn into memory, from recorded incidents and invented histories.

mod causes;
mod incident;
mod inputs;
mod robust;
mod screens;
mod support;
mod table;
