//! Simulates an HPA under a load, second by second: pods that start and share the load, the metrics pipeline, and the
//! controller's own algorithm. It serves the program `kubectl hpa simulate` and changes without notice.
//!
//! A [`Scenario`] contains everything that a run starts from except the seed for random numbers. [`simulate`] runs it.
//! The same scenario and seed give the same run on every platform.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a model computes in floats; what the controller reads is rounded where Kubernetes rounds it"
)]

mod amounts;
mod answer;
mod budget;
mod chance;
mod effort;
mod event;
mod expectation;
mod explained;
mod given_load;
mod load;
mod measure;
mod metrics_server;
mod model;
mod observe;
mod options;
mod parameter;
mod pods;
mod report;
mod reporting;
mod result;
mod run;
mod scenario;
mod span;
mod summary;
mod unit;
mod usage;
mod workload;

pub use amounts::amount;
pub use answer::{answer, capped, longest, met_after};
pub use budget::{Budget, MOST_PODS, Plan};
pub use effort::{Effort, Guard, unguarded};
pub use event::{Event, ParseEventError, TimedEvent};
pub use expectation::{Expectation, ParseExpectationError};
pub use explained::{ExplainedRun, start_of, sync_input};
pub use given_load::{LoadFile, ReadFile, history, total};
pub use load::{Amount, Load, LoadPoint, ParseAmount, ParseLoadError, parse_csv};
pub use measure::{Measured, tolerated};
pub use metrics_server::{ContainerStore, CounterPoint, Usage};
pub use model::{Model, ModelStart, per_pod_unit};
pub use options::ModelOptions;
pub use parameter::{Assumption, NotModeled, Parameter};
pub use report::{ExpectationReport, RescaleReport, SimulationReport, VariantReport};
pub use reporting::{PastVariant, Played, report, step};
pub use result::{Parts, Point, Run, RunSummary, SimulatedRescale};
pub use run::{SYNC_LENGTH, Sync, simulate};
pub use scenario::{
    Burst, Demand, DemandSource, Nodes, Pipeline, PodModel, Scenario, Service, Spread, StartTimes,
    Startup, Workload,
};
pub use span::{Millis, ParseSpanError, parse_span};
pub use summary::{Band, Summary, band};
pub use unit::{LoadUnit, PerPodUnit};
