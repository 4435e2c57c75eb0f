//! A small cluster for one page, built by chained calls.

use std::sync::Arc;

use hpa_analysis::Analysis;
use hpa_engine::model::{
    ApiError, Condition, ConditionStatus, Container, ContainerUsage, Context, ControllerConfig,
    ExternalMetricValue, Hpa, HpaSpec, HpaStatus, IndexedAnswer, Input, KubeEvent, Memory,
    MetricIdentifier, MetricSpec, MetricStatus, MetricTarget, MetricValueStatus, Observation,
    OtherHpa, Owner, Pod, PodMetrics, PodPhase, PodsSource, PolicyType, Provenance, Quantity,
    Reading, ReadyCondition, Recommendation, ResourceSource, Scale, ScaleTargetRef, ScalingPolicy,
    ScalingRules, SyncInput,
};
use hpa_explain::{ExplainContext, Page};
use hpa_render::{
    Style,
    json::Explanation,
    terminal::{PageDetail, page},
};
use hpa_words::clock::Clock;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

/// An HPA `shop/web` on a Deployment of the same name, at 10:41:30 UTC.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) observation: Observation,
    pub(crate) context: Context,
    pub(crate) memory: Option<Memory>,
    pub(crate) now: Timestamp,
}

/// A time of day on the day of all pages.
pub(crate) fn at(time: &str) -> Timestamp {
    format!("2026-11-21T{time}Z").parse().unwrap()
}

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

pub(crate) fn web(replicas: i32) -> World {
    World {
        observation: Observation {
            controller: ControllerConfig::defaults(Input::inferred("1.36".parse().unwrap())),
            hpa: Hpa {
                namespace: "shop".to_owned(),
                name: "web".to_owned(),
                generation: None,
                created: Some(at("01:00:00")),
                spec: HpaSpec {
                    scale_target: ScaleTargetRef {
                        api_version: Some("apps/v1".to_owned()),
                        kind: "Deployment".to_owned(),
                        name: "web".to_owned(),
                    },
                    min_replicas: Some(2),
                    max_replicas: 20,
                    metrics: Vec::new(),
                    behavior: None,
                    sync_period: None,
                },
                status: HpaStatus::default(),
            },
            scale: Reading::Read(Scale {
                spec_replicas: replicas,
                status_replicas: replicas,
                selector: "app=web".to_owned(),
            }),
            scale_write_error: None,
            status_write_error: None,
            pods: Reading::Read(Vec::new().into()),
            pod_metrics: Reading::Read(Vec::new().into()),
            custom_metrics: Vec::new(),
            external_metrics: Vec::new(),
            other_hpas: hpa_engine::model::Neighbors::default(),
        },
        context: Context::default(),
        memory: None,
        now: at("10:41:30"),
    }
}

impl World {
    pub(crate) fn bounds(mut self, min: i32, max: i32) -> Self {
        self.observation.hpa.spec.min_replicas = Some(min);
        self.observation.hpa.spec.max_replicas = max;
        self
    }

    pub(crate) fn named(mut self, namespace: &str, name: &str) -> Self {
        let hpa = &mut self.observation.hpa;
        namespace.clone_into(&mut hpa.namespace);
        name.clone_into(&mut hpa.name);
        name.clone_into(&mut hpa.spec.scale_target.name);
        self
    }

    pub(crate) fn at(mut self, time: &str) -> Self {
        self.now = at(time);
        self
    }

    /// A resource metric: percent of requests.
    pub(crate) fn utilization(mut self, resource: &str, percent: i32) -> Self {
        self.observation
            .hpa
            .spec
            .metrics
            .push(MetricSpec::Resource(ResourceSource {
                name: resource.to_owned(),
                metric_target: MetricTarget {
                    target_type: "Utilization".to_owned(),
                    average_utilization: Some(percent),
                    ..MetricTarget::default()
                },
            }));
        self
    }

    /// A resource metric: an amount for each pod.
    pub(crate) fn average(mut self, resource: &str, amount: &str) -> Self {
        self.observation
            .hpa
            .spec
            .metrics
            .push(MetricSpec::Resource(ResourceSource {
                name: resource.to_owned(),
                metric_target: MetricTarget {
                    target_type: "AverageValue".to_owned(),
                    average_value: Some(quantity(amount)),
                    ..MetricTarget::default()
                },
            }));
        self
    }

    /// An external metric with one series: an amount for each replica.
    pub(crate) fn queue(mut self, name: &str, value: &str, per_replica: &str) -> Self {
        let index = self.observation.hpa.spec.metrics.len();
        self.observation
            .hpa
            .spec
            .metrics
            .push(MetricSpec::External(PodsSource {
                metric: MetricIdentifier {
                    name: name.to_owned(),
                    selector: None,
                },
                metric_target: MetricTarget {
                    target_type: "AverageValue".to_owned(),
                    average_value: Some(quantity(per_replica)),
                    ..MetricTarget::default()
                },
            }));
        self.observation.external_metrics.push(IndexedAnswer {
            index,
            answer: Reading::Read(
                vec![ExternalMetricValue {
                    labels: Vec::new(),
                    timestamp: Some(self.now),
                    value: quantity(value),
                }]
                .into(),
            ),
        });
        self
    }

    /// This many pods, ready for hours, each with a cpu request and usage.
    pub(crate) fn pods(mut self, number: usize, request: &str, usage: &str) -> Self {
        let first = self.pod_list().len();
        for index in first..first + number {
            let name = format!("web-{index:02}");
            self.add_pod(pod(&name, request));
            self.add_sample(&name, usage);
        }
        self
    }

    /// A pod that runs since `started` and has never been ready.
    pub(crate) fn never_ready(
        mut self,
        name: &str,
        request: &str,
        started: &str,
        why: &str,
    ) -> Self {
        let mut pod = pod(name, request);
        pod.created = Some(at(started));
        pod.started = Some(at(started));
        pod.ready = Some(ReadyCondition {
            status: ConditionStatus::False,
            last_transition: Some(at(started)),
        });
        pod.waiting = Some(why.to_owned());
        self.add_pod(pod);
        self.add_sample(name, "0");
        self
    }

    /// A pod that started at `started`, and is not ready since `changed`.
    pub(crate) fn not_ready(
        mut self,
        name: &str,
        request: &str,
        started: &str,
        changed: &str,
        usage: &str,
    ) -> Self {
        let mut pod = pod(name, request);
        pod.created = Some(at(started));
        pod.started = Some(at(started));
        pod.ready = Some(ReadyCondition {
            status: ConditionStatus::False,
            last_transition: Some(at(changed)),
        });
        self.add_pod(pod);
        self.add_sample(name, usage);
        self
    }

    /// A pod that waits for a node.
    pub(crate) fn pending(mut self, name: &str, request: &str, why: &str) -> Self {
        let mut pod = pod(name, request);
        pod.phase = PodPhase::Pending;
        pod.started = None;
        pod.ready = None;
        pod.created = Some(at("10:38:00"));
        pod.waiting = Some(why.to_owned());
        self.add_pod(pod);
        self
    }

    /// A ready pod without a sample.
    pub(crate) fn without_sample(mut self, name: &str, request: &str) -> Self {
        self.add_pod(pod(name, request));
        self
    }

    /// The creation time of all pods.
    pub(crate) fn created(mut self, time: &str) -> Self {
        if let Reading::Read(pods) = &mut self.observation.pods {
            for pod in pods {
                pod.created = Some(at(time));
            }
        }
        self
    }

    /// Adds a container without requests to every pod.
    pub(crate) fn with_sidecar(mut self, name: &str) -> Self {
        if let Reading::Read(pods) = &mut self.observation.pods {
            for pod in pods {
                pod.containers.push(Container {
                    name: name.to_owned(),
                    ..Container::default()
                });
            }
        }
        self
    }

    pub(crate) fn scale_down(mut self, rules: ScalingRules) -> Self {
        let behavior = self.observation.hpa.spec.behavior.get_or_insert_default();
        behavior.scale_down = Some(rules);
        self
    }

    pub(crate) fn scale_up(mut self, rules: ScalingRules) -> Self {
        let behavior = self.observation.hpa.spec.behavior.get_or_insert_default();
        behavior.scale_up = Some(rules);
        self
    }

    /// The recommendation history: recommendations with their times of day.
    pub(crate) fn remembers(mut self, recommendations: &[(i32, &str)]) -> Self {
        let recommendations = recommendations
            .iter()
            .map(|(replicas, time)| Recommendation {
                replicas: *replicas,
                at: at(time),
                provenance: Provenance::Observed,
            })
            .collect();
        self.memory = Some(Memory {
            recommendations: Some(recommendations),
            ..self.memory.unwrap_or_default()
        });
        self
    }

    pub(crate) fn other_hpa(mut self, name: &str) -> Self {
        self.observation.other_hpas.push(Arc::new(OtherHpa {
            name: name.to_owned(),
            selector: "app=web".to_owned(),
        }));
        self
    }

    pub(crate) fn write_refused(mut self, message: &str) -> Self {
        self.observation.scale_write_error = Some(ApiError {
            message: message.to_owned(),
            reason: "Forbidden".to_owned(),
            code: 403,
        });
        self
    }

    /// Limits every container to this much cpu.
    pub(crate) fn limits(mut self, cpu: &str) -> Self {
        if let Reading::Read(pods) = &mut self.observation.pods {
            for container in pods.iter_mut().flat_map(|pod| &mut pod.containers) {
                container.limits = vec![("cpu".to_owned(), quantity(cpu))];
            }
        }
        self
    }

    /// The status of the last reconcile: replicas before and after, percent of cpu, reasons of AbleToScale and
    /// ScalingLimited.
    pub(crate) fn status(
        mut self,
        current: i32,
        desired: i32,
        cpu: i32,
        able: &str,
        limited: &str,
    ) -> Self {
        let condition = |condition_type: &str, status: &str, reason: &str| Condition {
            condition_type: condition_type.to_owned(),
            status: status.to_owned(),
            last_transition_time: Some(at("01:00:15")),
            reason: reason.to_owned(),
            message: String::new(),
        };
        let is_limited = if limited == "DesiredWithinRange" {
            "False"
        } else {
            "True"
        };
        self.observation.hpa.status = HpaStatus {
            current_replicas: current,
            desired_replicas: desired,
            current_metrics: vec![MetricStatus::Resource {
                name: "cpu".to_owned(),
                current: MetricValueStatus {
                    average_utilization: Some(cpu),
                    average_value: Some(quantity(&format!("{cpu}m"))),
                    value: None,
                },
            }],
            conditions: vec![
                condition("AbleToScale", "True", able),
                condition("ScalingActive", "True", "ValidMetricFound"),
                condition("ScalingLimited", is_limited, limited),
            ],
            ..HpaStatus::default()
        };
        self
    }

    /// `ScalingActive` is False since then.
    pub(crate) fn failing_since(mut self, time: &str) -> Self {
        let condition = |condition_type: &str, status: &str, reason: &str| Condition {
            condition_type: condition_type.to_owned(),
            status: status.to_owned(),
            last_transition_time: Some(at(time)),
            reason: reason.to_owned(),
            message: String::new(),
        };
        self.observation.hpa.status.conditions = vec![
            condition("AbleToScale", "True", "SucceededGetScale"),
            condition("ScalingActive", "False", "FailedGetResourceMetric"),
        ];
        self
    }

    /// An Event `SuccessfulRescale`.
    pub(crate) fn rescaled(mut self, time: &str, size: i32, reason: &str) -> Self {
        self.context.events.push(KubeEvent {
            event_type: "Normal".to_owned(),
            reason: "SuccessfulRescale".to_owned(),
            message: format!("New size: {size}; reason: {reason}"),
            count: 1,
            first: Some(at(time)),
            last: Some(at(time)),
        });
        self
    }

    pub(crate) fn analysis(&self) -> Analysis {
        Analysis::new(&SyncInput {
            observation: self.observation.clone(),
            context: self.context.clone(),
            memory: self.memory.clone(),
            now: self.now,
        })
    }

    pub(crate) fn report<T>(&self, report: impl FnOnce(&Page, &ExplainContext<'_>) -> T) -> T {
        let analysis = self.analysis();
        let clock = Clock::new(TimeZone::UTC, self.now);
        let cx = ExplainContext::new(&self.observation, &self.context, &analysis, &clock);
        report(&Page::new(&cx), &cx)
    }

    pub(crate) fn text(&self, detail: PageDetail, style: Style) -> String {
        self.report(|reported, cx| {
            let mut reported = reported.clone();
            if detail.with_what_ifs {
                reported = reported.with_all_what_ifs(cx);
            }
            page(&reported, detail, style)
        })
    }

    /// The page with default settings.
    pub(crate) fn page(&self) -> String {
        self.text(PageDetail::default(), Style::plain())
    }

    /// The first lines of the page: verdict and answer.
    pub(crate) fn answer(&self) -> String {
        let page = self.page();
        page.split("\n\n").next().unwrap().to_owned()
    }

    pub(crate) fn json(&self) -> Explanation {
        self.report(Explanation::new)
    }

    fn pod_list(&self) -> &[Pod] {
        self.observation.pods.read().unwrap()
    }

    fn add_pod(&mut self, pod: Pod) {
        if let Reading::Read(pods) = &mut self.observation.pods {
            pods.push(pod);
        }
    }

    fn add_sample(&mut self, name: &str, usage: &str) {
        if let Reading::Read(samples) = &mut self.observation.pod_metrics {
            samples.push(PodMetrics {
                name: name.to_owned(),
                labels: Some(Arc::new([("app".to_owned(), "web".to_owned())].into())),
                timestamp: Some(self.now - SignedDuration::from_secs(10)),
                window: SignedDuration::from_secs(15),
                containers: vec![ContainerUsage {
                    name: "app".to_owned(),
                    usage: vec![("cpu".to_owned(), quantity(usage))],
                }],
            });
        }
    }
}

fn pod(name: &str, request: &str) -> Pod {
    Pod {
        name: name.to_owned(),
        labels: Arc::new([("app".to_owned(), "web".to_owned())].into()),
        created: Some(at("01:00:00")),
        owner: Some(Owner {
            kind: "ReplicaSet".to_owned(),
            name: "web-7f9c".to_owned(),
        }),
        phase: PodPhase::Running,
        started: Some(at("01:00:00")),
        ready: Some(ReadyCondition {
            status: ConditionStatus::True,
            last_transition: Some(at("01:00:20")),
        }),
        containers: vec![Container {
            name: "app".to_owned(),
            requests: vec![("cpu".to_owned(), quantity(request))],
            ..Container::default()
        }]
        .into(),
        ..Pod::default()
    }
}

/// Rules of one direction with policies: type, value and seconds of each.
pub(crate) fn rules(policies: &[(PolicyType, i32, i32)]) -> ScalingRules {
    let policy = |(policy_type, value, period_seconds): &(PolicyType, i32, i32)| ScalingPolicy {
        policy_type: *policy_type,
        value: *value,
        period_seconds: *period_seconds,
    };
    ScalingRules {
        policies: Some(policies.iter().map(policy).collect()),
        ..ScalingRules::default()
    }
}
