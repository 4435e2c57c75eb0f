//! The pods of the target, and what the metrics APIs answer for them.

use hpa_engine::model::{
    ConditionStatus, Container, IndexedAnswer, MetricSpec, MetricValue, Pod, PodMetrics, Reading,
};

use crate::{PodFixture, World, at, pod, quantity};

impl World {
    /// Adds pods with their samples.
    pub fn pods(mut self, pods: impl IntoIterator<Item = PodFixture>) -> Self {
        self.answer_of_pods();
        for pod in pods {
            self.add(pod);
        }
        self
    }

    /// Adds this many pods `web-NN` of a ReplicaSet, ready for hours, each with a cpu request and usage.
    pub fn ready_pods(self, number: usize, request: &str, usage: &str) -> Self {
        let first = self.pod_list().len();
        let pods = (first..first + number).map(|index| {
            let pod = established(&format!("web-{index:02}"), request);
            pod.cpu(usage)
        });
        self.pods(pods)
    }

    /// Adds a pod that runs since `started` and has never been ready.
    pub fn never_ready(self, name: &str, request: &str, started: &str, why: &str) -> Self {
        let pod = established(name, request).created(started).started(started);
        let pod = pod.ready(ConditionStatus::False, started).waiting(why);
        self.pods([pod.cpu("0")])
    }

    /// Adds a pod that started at `started`, and is not ready since `changed`.
    pub fn not_ready(
        self,
        name: &str,
        request: &str,
        started: &str,
        changed: &str,
        usage: &str,
    ) -> Self {
        let pod = established(name, request).created(started).started(started);
        let pod = pod.ready(ConditionStatus::False, changed);
        self.pods([pod.cpu(usage)])
    }

    /// Adds a pod that waits for a node since 10:38:00.
    pub fn pending(self, name: &str, request: &str, why: &str) -> Self {
        let pod = established(name, request).pending().created("10:38:00");
        self.pods([pod.waiting(why)])
    }

    /// Adds a ready pod without a sample.
    pub fn without_sample(self, name: &str, request: &str) -> Self {
        self.pods([established(name, request)])
    }

    /// The creation time of all pods.
    pub fn pods_created(self, time: &str) -> Self {
        self.each_pod(|pod| pod.created = Some(at(time)))
    }

    /// The pods.
    pub(crate) fn pod_list(&self) -> &[Pod] {
        self.observation.pods.read().expect("the pods were read")
    }

    /// Changes every pod.
    pub fn each_pod(mut self, mut change: impl FnMut(&mut Pod)) -> Self {
        for pod in self.pods_mut() {
            change(pod);
        }
        self
    }

    /// Adds a container without requests to every pod.
    pub fn with_sidecar(self, name: &str) -> Self {
        self.each_pod(|pod| {
            pod.containers.push(Container {
                name: name.to_owned(),
                ..Container::default()
            });
        })
    }

    /// Limits every container to this much cpu.
    pub fn limits(self, cpu: &str) -> Self {
        self.each_pod(|pod| {
            for container in &mut pod.containers {
                container.limits = vec![("cpu".to_owned(), quantity(cpu))];
            }
        })
    }

    fn add(&mut self, mut added: PodFixture) {
        if added.name.is_empty() {
            added.name = format!("web-{}", self.pod_list().len() + 1);
        }
        if let Some(value) = added.metric_value(self.now) {
            self.add_value(value);
        }
        if let Some(sample) = added.sample(self.now) {
            self.samples().push(sample);
        }
        if let Some(pod) = added.pod {
            let name = added.name;
            self.pods_mut().push(Pod { name, ..pod });
        }
    }

    fn add_value(&mut self, value: MetricValue) {
        let values = self.answer_of_pods().expect("the HPA has a Pods metric");
        values.push(value);
    }

    /// The answer for the Pods metric, empty at first; none: the HPA has no such metric.
    fn answer_of_pods(&mut self) -> Option<&mut Vec<MetricValue>> {
        let metrics = &mut self.observation.hpa.spec.metrics.iter();
        let index = metrics.position(|metric| matches!(metric, MetricSpec::Pods(_)))?;
        let answers = &mut self.observation.custom_metrics;
        let known = answers.iter().position(|answer| answer.index == index);
        let place = known.unwrap_or_else(|| {
            let answer = Reading::Read(Vec::new().into());
            answers.push(IndexedAnswer { index, answer });
            answers.len() - 1
        });
        match &mut answers[place].answer {
            Reading::Read(values) => Some(values),
            _ => panic!("the metric was read"),
        }
    }

    fn pods_mut(&mut self) -> &mut Vec<Pod> {
        match &mut self.observation.pods {
            Reading::Read(pods) => pods,
            _ => panic!("the pods were read"),
        }
    }

    fn samples(&mut self) -> &mut Vec<PodMetrics> {
        match &mut self.observation.pod_metrics {
            Reading::Read(samples) => samples,
            _ => panic!("the samples were read"),
        }
    }
}

/// A pod of the ReplicaSet `web-7f9c`, ready since the night.
fn established(name: &str, cpu_request: &str) -> PodFixture {
    pod(name)
        .of_replica_set("web-7f9c")
        .requesting(cpu_request)
        .created("01:00:00")
        .started("01:00:00")
        .ready(ConditionStatus::True, "01:00:20")
}
