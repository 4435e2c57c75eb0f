//! HPA904 `memory-floor`.

use crate::{
    explain::MetricUnit as Amount,
    inference::{Assessment, usage_floor, usage_floor_at},
    lint::{Basis, Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity},
    trace::{MetricOutcome, Milli},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA with a memory metric that cannot scale below the current replicas, because even idle pods use too
    /// much memory.
    ///
    /// With a recording, idle memory is the lowest usage of any pod.
    /// In a cluster there is only a single read. Idle memory is then the usage of the pod with the least, provided that
    /// all other metrics ask for fewer replicas.
    ///
    /// ## Why is this bad?
    /// n replicas become n − 1 only if the mean usage is at most T × (n − 1) ÷ n. In the example the target T is 200 MiB
    /// and n is 4. The mean usage would have to fall to 150 MiB, but the pod with the least memory uses 170 MiB.
    ///
    /// ## Example
    /// ```yaml live
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    ///   - type: Resource
    ///     resource:
    ///       name: memory
    ///       target:
    ///         type: AverageValue
    ///         averageValue: 200Mi
    /// status:
    ///   currentReplicas: 4
    ///   desiredReplicas: 4
    ///   conditions:
    ///   - type: AbleToScale
    ///     status: "True"
    ///     reason: ReadyForNewScale
    ///     message: 'recommended size matches current size'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    ///   - type: ScalingActive
    ///     status: "True"
    ///     reason: ValidMetricFound
    ///     message: 'the HPA was able to successfully calculate a replica count'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   replicas: 4
    ///   selector:
    ///     matchLabels:
    ///       app: web
    ///   template:
    ///     metadata:
    ///       labels:
    ///         app: web
    ///     spec:
    ///       containers:
    ///       - name: web
    /// status:
    ///   replicas: 4
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-6f-a
    ///   namespace: shop
    ///   creationTimestamp: "2026-11-02T08:00:00Z"
    ///   labels:
    ///     app: web
    ///   ownerReferences:
    ///   - kind: ReplicaSet
    ///     name: web-6f
    ///     controller: true
    /// spec:
    ///   containers:
    ///   - name: web
    ///     resources:
    ///       requests:
    ///         cpu: 100m
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T08:00:00Z"
    ///   conditions:
    ///   - type: Ready
    ///     status: "True"
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-a
    ///   namespace: shop
    /// timestamp: "2026-11-02T10:00:00Z"
    /// window: 15s
    /// containers:
    /// - name: web
    ///   usage:
    ///     cpu: 10m
    ///     memory: 170Mi
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-6f-b
    ///   namespace: shop
    ///   creationTimestamp: "2026-11-02T08:00:00Z"
    ///   labels:
    ///     app: web
    ///   ownerReferences:
    ///   - kind: ReplicaSet
    ///     name: web-6f
    ///     controller: true
    /// spec:
    ///   containers:
    ///   - name: web
    ///     resources:
    ///       requests:
    ///         cpu: 100m
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T08:00:00Z"
    ///   conditions:
    ///   - type: Ready
    ///     status: "True"
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-b
    ///   namespace: shop
    /// timestamp: "2026-11-02T10:00:00Z"
    /// window: 15s
    /// containers:
    /// - name: web
    ///   usage:
    ///     cpu: 10m
    ///     memory: 170Mi
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-6f-c
    ///   namespace: shop
    ///   creationTimestamp: "2026-11-02T08:00:00Z"
    ///   labels:
    ///     app: web
    ///   ownerReferences:
    ///   - kind: ReplicaSet
    ///     name: web-6f
    ///     controller: true
    /// spec:
    ///   containers:
    ///   - name: web
    ///     resources:
    ///       requests:
    ///         cpu: 100m
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T08:00:00Z"
    ///   conditions:
    ///   - type: Ready
    ///     status: "True"
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-c
    ///   namespace: shop
    /// timestamp: "2026-11-02T10:00:00Z"
    /// window: 15s
    /// containers:
    /// - name: web
    ///   usage:
    ///     cpu: 10m
    ///     memory: 170Mi
    /// ---
    /// apiVersion: v1
    /// kind: Pod
    /// metadata:
    ///   name: web-6f-d
    ///   namespace: shop
    ///   creationTimestamp: "2026-11-02T08:00:00Z"
    ///   labels:
    ///     app: web
    ///   ownerReferences:
    ///   - kind: ReplicaSet
    ///     name: web-6f
    ///     controller: true
    /// spec:
    ///   containers:
    ///   - name: web
    ///     resources:
    ///       requests:
    ///         cpu: 100m
    /// status:
    ///   phase: Running
    ///   startTime: "2026-11-02T08:00:00Z"
    ///   conditions:
    ///   - type: Ready
    ///     status: "True"
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ---
    /// apiVersion: metrics.k8s.io/v1beta1
    /// kind: PodMetrics
    /// metadata:
    ///   name: web-6f-d
    ///   namespace: shop
    /// timestamp: "2026-11-02T10:00:00Z"
    /// window: 15s
    /// containers:
    /// - name: web
    ///   usage:
    ///     cpu: 10m
    ///     memory: 170Mi
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///      cpu: 10m
    /// -    memory: 170Mi
    /// +    memory: 60Mi
    ///  ---
    /// @@
    ///      cpu: 10m
    /// -    memory: 170Mi
    /// +    memory: 60Mi
    ///  ---
    /// @@
    ///      cpu: 10m
    /// -    memory: 170Mi
    /// +    memory: 60Mi
    ///  ---
    /// @@
    ///      cpu: 10m
    /// -    memory: 170Mi
    /// +    memory: 60Mi
    /// ```
    ///
    /// ## Fix
    /// Raise the memory target above what idle pods use, or scale on a metric that falls with the load.
    ///
    /// ## References
    /// - [kubernetes/kubernetes#78761](https://github.com/kubernetes/kubernetes/issues/78761), [kubernetes/kubernetes#95762](https://github.com/kubernetes/kubernetes/issues/95762)
    pub(crate) static RULE = {
        code: "HPA904",
        name: "memory-floor",
        summary: "memory that idle pods use keeps the replicas up",
        severity: Severity::Warning,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = &cx.subject.spec.metrics;
    let Some(index) = metrics
        .iter()
        .position(|metric| metric.is_resource("memory"))
    else {
        return Ok(Vec::new());
    };
    let live = cx.live().map_err(|_| Missing::Recording)?;
    live.proposal()?;
    let Some(current) = live.analysis.trace.current() else {
        return Ok(Vec::new());
    };
    if current <= cx.subject.spec.min_replicas().max(1) {
        return Ok(Vec::new());
    }
    let (observation, trace) = (&live.observation, &live.analysis.trace);
    let history = cx.subject.history.as_deref();
    let idle = history.and_then(|history| {
        let least = history.samples.iter().filter_map(|one| one.least_memory);
        least.min()
    });
    let (floor, basis) = match idle {
        Some(idle) => (
            usage_floor_at(observation, trace, index, Milli(idle)),
            Basis::History,
        ),
        None if is_quiet(live, index, current)? => {
            (usage_floor(observation, trace, index), Basis::Live)
        }
        None => return Ok(Vec::new()),
    };
    let Some(floor) = floor.filter(|floor| current <= floor.replicas) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .basis(basis)
            .message(format!(
                "idle pods use {} of memory, so the HPA never goes below {} replicas",
                Amount::Bytes.amount(floor.floor),
                floor.replicas
            ))
            .help("raise the memory target above what idle pods use, or scale on a metric that falls with the load"),
    ])
}

/// Whether all other metrics ask for fewer replicas than now, so that the pods are nearly idle.
fn is_quiet(live: &Assessment, memory: usize, current: i32) -> Result<bool, Missing> {
    let mut others = live
        .analysis
        .trace
        .metrics()
        .filter(|metric| metric.index != memory)
        .peekable();
    if others.peek().is_none() {
        return Err(Missing::Because(
            "a single read does not separate idle memory from used memory; a recording does"
                .to_owned(),
        ));
    }
    Ok(others.all(|metric| match &metric.outcome {
        MetricOutcome::Proposal { replicas, .. } => *replicas < current,
        _ => false,
    }))
}
