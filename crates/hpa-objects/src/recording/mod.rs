//! The Snapshot format: what `capture` writes and `replay` and `explain -f` read.
//!
//! A recording has one JSON object per line and one line per sync. [`wire`] has the objects as in the file; `convert`
//! turns them into the model, with quantities, durations and enums instead of text.

mod api_version;
mod autoscalers;
mod budget;
mod changed_spec;
mod convert;
mod decode;
mod differences;
mod hpa_event;
mod impossible;
mod input;
mod invalid_field;
mod lines;
mod marks;
mod read_error;
mod reader;
mod rotating;
mod snapshot;
mod undecodable;
mod utf_16;
pub mod visible;
pub mod wire;
mod workload;
mod writer;

pub use api_version::group_of;
pub use autoscalers::{
    AutoscalerKind, KINDS, Related, ScaleTarget, autoscaler, of_hpa, scaled_object, vertical,
};
pub use budget::decoded_size;
pub(crate) use budget::most_of_object;
pub use budget::{Count, Excess, SizeBudget};
pub use changed_spec::MissingReads;
pub use convert::{Converted, Synced};
pub use decode::{decode, path_of_error};
pub use differences::{Difference, differences};
pub use hpa_event::{CoreEvent, HpaEvent, InvolvedObject};
pub use input::{ByteSource, name_of, open as open_input};
pub use input::{is_text, read_at_most, too_long};
pub use invalid_field::{ExpectedType, InvalidField};
pub use invalid_field::{Within, shortened};
pub use read_error::ReadError;
pub use reader::{LINE_LIMIT, RecordingLine, RecordingReader};
pub use rotating::{BeginError, RotatingWriter};
pub use snapshot::{API_VERSION, KIND, Note, Outcome, ReadAfterwards, Snapshot, SnapshotMeta};
pub use undecodable::MetricItem;
pub use workload::WorkloadObject;
pub use writer::{RecordingWriter, WriteError};
