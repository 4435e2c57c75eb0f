//! The input of one sync, and the controller's memory.

use std::sync::Arc;

use hpa_engine::{
    engine::{decide, decide_with},
    model::{
        ApiError, Architecture, Context, ControllerConfig, Hpa, HpaSpec, Input, Memory,
        Observation, OtherHpa, Provenance, Reading, Recommendation, Scale, ScaleEvent,
        ScaleTargetRef, Shared, Switches,
    },
    trace::{Decision, Trace},
};
use jiff::{SignedDuration, Timestamp};

use crate::{NOW, at, duration, version};

/// An HPA `shop/NAME` with its target, pods and metrics, and the clock and memory of the controller.
#[derive(Clone, Debug)]
#[must_use]
pub struct World {
    /// All that the controller reads.
    pub observation: Observation,
    /// All around it that explains something.
    pub context: Context,
    /// None: it is not known.
    pub memory: Option<Memory>,
    /// The time of the sync.
    pub now: Timestamp,
}

/// An HPA of up to 1000 replicas on a Deployment of the same name with one replica; it has no metrics until one is added.
pub fn hpa(name: &str) -> World {
    let spec = HpaSpec::new(ScaleTargetRef::deployment(name), 1000, Vec::new());
    let mut hpa = Hpa::new("shop", name, spec);
    hpa.generation = Some(1);
    let mut observation = Observation::new(controller(36), hpa);
    observation.scale = Reading::Read(Scale::new(1, "app=web"));
    observation.pods = Reading::Read(Shared::default());
    observation.pod_metrics = Reading::Read(Shared::default());
    World {
        observation,
        context: Context::default(),
        memory: Some(Memory::default()),
        now: NOW,
    }
}

/// The controller of Kubernetes 1.`minor` with its default flags and gates.
pub fn controller(minor: u32) -> ControllerConfig {
    ControllerConfig::defaults(Input::given(version(minor)))
}

impl World {
    /// Another namespace and name, also of the target.
    pub fn named(mut self, namespace: &str, name: &str) -> Self {
        let hpa = &mut self.observation.hpa;
        namespace.clone_into(&mut hpa.namespace);
        name.clone_into(&mut hpa.name);
        name.clone_into(&mut hpa.spec.scale_target.name);
        self
    }

    /// `minReplicas` and `maxReplicas`.
    pub fn bounds(self, min: i32, max: i32) -> Self {
        self.min(min).max(max)
    }

    /// `minReplicas`.
    pub fn min(mut self, replicas: i32) -> Self {
        self.observation.hpa.spec.min_replicas = Some(replicas);
        self
    }

    /// `maxReplicas`.
    pub fn max(mut self, replicas: i32) -> Self {
        self.observation.hpa.spec.max_replicas = replicas;
        self
    }

    /// The replicas in spec and status of the scale.
    pub fn with_replicas(mut self, replicas: i32) -> Self {
        self.set_replicas(replicas);
        self
    }

    /// Changes the replicas in spec and status of the scale.
    pub fn set_replicas(&mut self, replicas: i32) {
        let scale = self.scale();
        (scale.spec_replicas, scale.status_replicas) = (replicas, replicas);
    }

    /// `status.replicas` of the scale, if it differs from `spec.replicas`.
    pub fn status_replicas(mut self, replicas: i32) -> Self {
        self.scale().status_replicas = replicas;
        self
    }

    /// The selector of the scale.
    pub fn selector(mut self, selector: &str) -> Self {
        selector.clone_into(&mut self.scale().selector);
        self
    }

    /// The scale cannot be read.
    pub fn without_scale(mut self, message: &str) -> Self {
        self.observation.scale = Reading::Failed(unavailable(message));
        self
    }

    /// The controller of Kubernetes 1.`minor`, with its flags as they are and all gates at their defaults.
    pub fn kube(mut self, minor: u32) -> Self {
        let flags = self.observation.controller;
        self.observation.controller = ControllerConfig {
            version: Input::given(version(minor)),
            feature_gates: controller(minor).feature_gates,
            ..flags
        };
        self
    }

    /// The patch version, after [`Self::kube`].
    pub fn patch(mut self, patch: u32) -> Self {
        self.observation.controller.version.value.patch = Some(patch);
        self
    }

    /// A feature gate; call it after [`Self::kube`].
    pub fn gate(mut self, name: &str, is_on: bool) -> Self {
        let gates = &mut self.observation.controller.feature_gates;
        *gates.by_name_mut(name).expect("a gate of the controller") = Input::given(is_on);
        self
    }

    /// The architecture of the controller's node.
    pub fn architecture(mut self, architecture: Architecture) -> Self {
        self.observation.controller.architecture = Input::given(architecture);
        self
    }

    /// `--horizontal-pod-autoscaler-tolerance`.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.observation.controller.tolerance = Input::given(tolerance);
        self
    }

    /// `--horizontal-pod-autoscaler-cpu-initialization-period` and `--horizontal-pod-autoscaler-initial-readiness-delay`.
    pub fn cpu_readiness(mut self, initialization: &str, delay: &str) -> Self {
        let controller = &mut self.observation.controller;
        controller.cpu_initialization_period = Input::given(duration(initialization));
        controller.initial_readiness_delay = Input::given(duration(delay));
        self
    }

    /// Another HPA of the namespace, and the selector of its target.
    pub fn other_hpa(mut self, name: &str, selector: &str) -> Self {
        let other = Arc::new(OtherHpa {
            name: name.to_owned(),
            selector: selector.to_owned(),
        });
        self.observation.other_hpas.push(other);
        self
    }

    /// The error with which the API server refuses the write of the scale.
    pub fn refused_write(mut self, reason: &str, message: &str) -> Self {
        self.observation.scale_write_error = Some(refused(reason, message));
        self
    }

    /// The error with which the API server refuses the write of the HPA's status.
    pub fn refused_status(mut self, reason: &str, message: &str) -> Self {
        self.observation.status_write_error = Some(refused(reason, message));
        self
    }

    /// Recommendations that the controller remembers, with their age or their time of day.
    pub fn remembering(mut self, recommendations: &[(i32, &str)]) -> Self {
        let recommendation = |&(replicas, when): &(i32, &str)| Recommendation {
            replicas,
            at: self.moment(when),
            provenance: Provenance::Observed,
        };
        let recommendations = recommendations.iter().map(recommendation);
        let recommendations = Some(recommendations.collect());
        self.memory().recommendations = recommendations;
        self
    }

    /// A controller that has just started, or has not seen the HPA yet.
    pub fn forgotten(mut self) -> Self {
        self.memory = Some(Memory::default());
        self
    }

    /// Scale events that the controller remembers: signed change and age.
    pub fn changed(mut self, changes: &[(i32, &str)]) -> Self {
        let now = self.now;
        let memory = self.memory();
        for &(change, age) in changes {
            let events = if 0 < change {
                &mut memory.scale_up_events
            } else {
                &mut memory.scale_down_events
            };
            events.push(event(change.abs(), now - duration(age)));
        }
        self
    }

    /// Scale-ups that the controller remembers, evenly over the last two minutes.
    pub fn scaled_up(mut self, changes: &[i32]) -> Self {
        self.memory().scale_up_events = spread(changes);
        self
    }

    /// Scale-downs that the controller remembers, evenly over the last two minutes.
    pub fn scaled_down(mut self, changes: &[i32]) -> Self {
        self.memory().scale_down_events = spread(changes);
        self
    }

    /// At another time: an offset from the fixed instant, or a time of that day. Call it first: ages of samples and of what
    /// the controller remembers are counted from the time of the world, all other offsets from the fixed instant.
    pub fn at(mut self, time: &str) -> Self {
        self.now = at(time);
        self
    }

    /// The controller's decision. The memory stays as it is.
    pub fn decide(&self) -> Trace {
        self.clone().sync()
    }

    /// The controller's decision, which it remembers.
    pub fn sync(&mut self) -> Trace {
        let memory = self.memory.get_or_insert_default();
        decide(&self.observation, memory, self.now)
    }

    /// The controller's decision, which it remembers and writes to the scale; then this many seconds pass.
    pub fn sync_and_wait(&mut self, seconds: i64) -> Trace {
        let trace = self.sync();
        if let Decision::Rescale { to, .. } = trace.decision {
            self.set_replicas(to);
        }
        self.now += SignedDuration::from_secs(seconds);
        trace
    }

    /// Like [`Self::decide`], with the given switches and without updating the memory.
    pub fn decide_with(&self, switches: &Switches) -> Trace {
        let mut memory = self.memory.clone().unwrap_or_default();
        decide_with(&self.observation, switches, &mut memory, self.now)
    }

    /// The switches of the controller's version and gates.
    pub fn switches(&self) -> Switches {
        let controller = &self.observation.controller;
        Switches::of(controller.version.value, &controller.feature_gates)
    }

    /// The controller's memory, empty if it was not known.
    pub fn memory(&mut self) -> &mut Memory {
        self.memory.get_or_insert_default()
    }

    /// A time of day, or this long ago.
    fn moment(&self, text: &str) -> Timestamp {
        if text.contains(':') {
            return at(text);
        }
        self.now - duration(text)
    }

    fn scale(&mut self) -> &mut Scale {
        let Reading::Read(scale) = &mut self.observation.scale else {
            panic!("the scale was read");
        };
        scale
    }
}

pub(crate) fn unavailable(message: &str) -> ApiError {
    ApiError {
        message: message.to_owned(),
        reason: "ServiceUnavailable".to_owned(),
        code: 503,
    }
}

fn refused(reason: &str, message: &str) -> ApiError {
    ApiError {
        message: message.to_owned(),
        reason: reason.to_owned(),
        code: match reason {
            "Forbidden" => 403,
            "ServiceUnavailable" => 503,
            _ => 409,
        },
    }
}

/// Each event in the middle of its share of the last two minutes, in whole seconds.
/// Upstream: `generateEventsUniformDistribution` in `horizontal_test.go`.
fn spread(changes: &[i32]) -> Vec<ScaleEvent> {
    let count = i64::try_from(changes.len()).expect("a few events");
    let changes = changes.iter().zip(1..);
    changes
        .map(|(&change, number)| {
            let age = (240 * (count - number) + 120) / (2 * count);
            event(change, NOW - SignedDuration::from_secs(age))
        })
        .collect()
}

fn event(replica_change: i32, at: Timestamp) -> ScaleEvent {
    ScaleEvent {
        replica_change,
        at,
        is_outdated: false,
        provenance: Provenance::Observed,
    }
}
