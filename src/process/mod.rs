//! What every command needs of the process that it runs in: the runtime, Ctrl-C, the terminal, the pager.

pub(crate) mod call;
pub(crate) mod pager;
pub(crate) mod runtime;
pub(crate) mod stop;
pub(crate) mod terminal;
pub(crate) mod until_closed;
pub(crate) mod workflow;
