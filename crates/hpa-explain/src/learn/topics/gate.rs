//! Whether the metrics are asked, and whose pods they are about.

use crate::{
    learn::{
        case::{Case, average, case, pod, rules},
        example::{bounds, condition, outcomes, replicas, table},
        picture,
        topic::{Chapter, Difference, Shown, Since, Topic, input},
    },
    model::PolicyType,
    trace::{BoundsBranch, SelectorVerdict, Step, Trace, Upstream},
};

pub(super) static TOPICS: &[Topic] = &[BOUNDS, ZERO_REPLICAS, SELECTOR, AMBIGUOUS_SELECTOR];

const BOUNDS: Topic = Topic {
    id: "bounds",
    title: "Current replicas against minimum and maximum",
    answers: "Do the current replicas lie within the bounds, so that the metrics are asked at all?",
    chapter: Chapter::Gate,
    functions: &[Upstream::horizontal("reconcileAutoscaler")],
    part_of: &[],
    inputs: &[
        input("current", "replicas", "`spec.replicas` of the scale"),
        input(
            "minReplicas",
            "replicas, 1 if absent",
            "the spec of the HPA",
        ),
        input("maxReplicas", "replicas", "the spec of the HPA"),
    ],
    formula: "\
current = 0              see zero-replicas
current > maxReplicas    desired = maxReplicas, at once
current < minReplicas    desired = minReplicas, at once
otherwise                the metrics decide",
    remarks: &[
        "In the second and third case no metric is asked, no window and no policy applies, and `currentMetrics` in the \
         status is written empty.",
        "The reason of the event is `Current number of replicas above Spec.MaxReplicas` or `… below Spec.MinReplicas`.",
        "`selectPolicy: Disabled` does not stop this correction.",
    ],
    picture: || {
        let mut rows = vec![
            vec!["replicas".to_owned()],
            vec!["what decides".to_owned()],
            vec!["afterwards".to_owned()],
        ];
        for current in [0, 1, 2, 5, 10, 11, 30] {
            let trace = bounded(current).decide();
            let branch = bounds(&trace).map(|bounds| bounds.branch);
            rows[0].push(current.to_string());
            rows[1].push(
                match branch {
                    Some(BoundsBranch::AboveMax) => "max",
                    Some(BoundsBranch::BelowMin) => "min",
                    Some(BoundsBranch::Disabled(_)) => "off",
                    Some(BoundsBranch::Metrics) => "metric",
                    None => "",
                }
                .to_owned(),
            );
            rows[2].push(replicas(&trace).to_string());
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nminReplicas 2, maxReplicas 10, a metric that asks for 4\n");
        out
    },
    worked: || {
        let slow = || rules(&[(PolicyType::Pods, 1, 60)]);
        outcomes(
            "maxReplicas 10, at most one pod each minute down",
            [
                (
                    "30 replicas, someone scaled by hand",
                    bounded(30).down(slow()),
                ),
                (
                    "10 replicas, the metric asks for 4",
                    bounded(10).down(slow()),
                ),
                ("1 replica, minReplicas 2", bounded(1)),
            ],
        )
    },
    differences: &[],
    beliefs: &[
        (
            "A lower maxReplicas takes effect slowly, as the policies say.",
            "The replicas above it are removed in one step, without window and policies.",
        ),
        (
            "kubectl scale to a number above maxReplicas is refused.",
            "It is accepted, and undone by the next pass.",
        ),
    ],
    shown: Shown::Own(|| bounded(30)),
    rules: &[
        ("HPA101", "min-gt-max"),
        ("HPA102", "min-equals-max"),
        ("HPA114", "bounds-force-jump"),
        ("HPA406", "replicas-in-manifest"),
        ("HPA409", "competing-writer"),
    ],
};

const ZERO_REPLICAS: Topic = Topic {
    id: "zero-replicas",
    title: "At zero replicas",
    answers: "May an HPA whose target has no replicas start any?",
    chapter: Chapter::Gate,
    functions: &[
        Upstream::horizontal("shouldComputeMetricsForZeroReplicas"),
        Upstream::horizontal("hasObjectOrExternalMetrics"),
        Upstream::horizontal("getScaledToZeroConditionStatus"),
    ],
    part_of: &[Upstream::horizontal("reconcileAutoscaler")],
    inputs: &[
        input("current", "0 replicas", "`spec.replicas` of the scale"),
        input("minReplicas", "replicas", "the spec of the HPA"),
        input(
            "condition ScaledToZero",
            "True, False or absent",
            "the status of the HPA, written by the controller itself",
        ),
        input(
            "gate HPAScaleToZero",
            "on or off",
            "kube-controller-manager and, for minReplicas 0, the API server",
        ),
        input(
            "metrics",
            "any of type Object or External?",
            "the spec of the HPA",
        ),
    ],
    formula: "\
up to 1.35:  minReplicas = 0                          the metrics decide
             otherwise                                scaling is off
since 1.36:  gate on and ScaledToZero is True and
             (minReplicas ≠ 0 or an Object or
              External metric)                        the metrics decide
             otherwise                                scaling is off
raised:      desired < minReplicas afterwards         desired = minReplicas",
    remarks: &[
        "Off means: the condition ScalingActive is False with the reason `ScalingDisabled`, and nothing leaves 0 by itself.",
        "ScaledToZero becomes True only when the HPA itself goes from some replicas to 0 with minReplicas 0 and an Object \
         or External metric; any other rescale makes it False.",
        "With a metric of type Value the number from 0 is ceil(ratio), without tolerance ([value-replicas](value-replicas.md)).",
        "`replicas: 0` by hand with minReplicas of 1 or more is the switch that pauses an HPA.",
    ],
    picture: || {
        let head = ["minReplicas", "ScaledToZero", "1.35", "1.36", "1.37"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for (min, condition) in [(1, None), (0, None), (0, Some("True")), (1, Some("True"))] {
            let mut row = vec![min.to_string(), condition.unwrap_or("absent").to_owned()];
            for minor in [35, 36, 37] {
                let trace = at_zero(min, condition).under(minor).decide();
                let branch = bounds(&trace).map(|bounds| bounds.branch);
                row.push(match branch {
                    Some(BoundsBranch::Metrics) => format!("asked: {}", replicas(&trace)),
                    _ => "off".to_owned(),
                });
            }
            rows.push(row);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nan External metric that asks for 3, default gates\n");
        out
    },
    worked: || {
        let on = |case: Case| case.gate("HPAScaleToZero", true);
        outcomes(
            "1.36 with the gate on, 0 replicas",
            [
                (
                    "minReplicas 0, ScaledToZero True, 30 of an average of 10",
                    on(at_zero(0, Some("True"))),
                ),
                (
                    "the same without the condition: scaled to 0 by hand",
                    on(at_zero(0, None)),
                ),
                (
                    "minReplicas raised to 2, ScaledToZero True, the metric asks for 0",
                    on(case(0)
                        .min(2)
                        .condition("ScaledToZero", "True")
                        .external(average("10"), &["0"])),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.scaled_to_zero_condition),
            text: "the condition `ScaledToZero` decides; an HPA that sits at 0 during the upgrade has none and stays there.",
            numbers: Some(|minor| {
                let trace = at_zero(0, None).under(minor).decide();
                format!(
                    "minReplicas 0 without the condition goes to {}",
                    replicas(&trace)
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.scale_to_zero_gate),
            text: "the gate `HPAScaleToZero` is on by default.",
            numbers: Some(|minor| {
                let trace = at_zero(0, Some("True")).under(minor).decide();
                format!(
                    "minReplicas 0 with the condition goes to {}",
                    replicas(&trace)
                )
            }),
        },
    ],
    beliefs: &[
        (
            "minReplicas 0 is enough to come back from 0.",
            "Since 1.36 the HPA has to have gone there itself, and the gate has to be on in the controller, too.",
        ),
        (
            "The HPA starts the first pod when load comes in.",
            "With cpu or memory alone there is nothing to measure at 0; only Object and External metrics can lead away from it.",
        ),
    ],
    shown: Shown::Of("bounds", || at_zero(0, None)),
    rules: &[
        ("HPA105", "zero-needs-object-or-external"),
        ("HPA106", "zero-with-resource-metrics"),
        ("HPA108", "replicas-zero-deadlock"),
        ("HPA604", "keda-zero-cpu-only"),
    ],
};

const SELECTOR: Topic = Topic {
    id: "selector",
    title: "The selector of the target",
    answers: "Which pods is this HPA about?",
    chapter: Chapter::Gate,
    functions: &[Upstream::horizontal("validateAndParseSelector")],
    part_of: &[],
    inputs: &[
        input(
            "status.selector",
            "a label selector as text",
            "the scale of the target",
        ),
        input(
            "pods",
            "with their labels",
            "all pods of the HPA's namespace",
        ),
    ],
    formula: "\
empty                   SelectorRequired: nothing is scaled
can't be parsed         InvalidSelector: nothing is scaled
shared with other HPAs  see ambiguous-selector
otherwise               every pod of the namespace that it matches",
    remarks: &[
        "Who owns a pod is not asked: Jobs, canaries and other Deployments with matching labels belong to it.",
        "All phases belong to it; finished pods are sorted out later, and only in part ([group-pods](group-pods.md)).",
        "A custom resource has to state the path of its selector (`labelSelectorPath`), else the text is empty.",
    ],
    picture: || {
        let mut rows = vec![vec!["selector".to_owned(), "comes to".to_owned()]];
        for selector in [
            "app=web",
            "app in (web, api)",
            "app!=web",
            "tier",
            "",
            "app=web,,",
        ] {
            let trace = selected(selector).decide();
            rows.push(vec![
                if selector.is_empty() {
                    "(empty)".to_owned()
                } else {
                    selector.to_owned()
                },
                verdict(&trace),
            ]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\n3 pods with the label app=web\n");
        out
    },
    worked: || {
        let rows = ["app=web", "", "app=web,,"].map(|selector| {
            let trace = selected(selector).decide();
            [
                format!("`{selector}`"),
                replicas(&trace).to_string(),
                condition(&trace, "ScalingActive"),
            ]
        });
        format!(
            "3 replicas at 90 % of a 50 % target:\n\n{}",
            table(["selector", "replicas afterwards", "ScalingActive"], rows)
        )
    },
    differences: &[Difference {
        since: Since::Switch(|switches| switches.ambiguous_selector),
        text: "pods that several HPAs select disable all of them ([ambiguous-selector](ambiguous-selector.md)).",
        numbers: None,
    }],
    beliefs: &[(
        "An HPA looks at the pods of its Deployment.",
        "It looks at the pods that the selector matches; with broad labels those are more.",
    )],
    shown: Shown::Own(|| selected("app=web")),
    rules: &[
        ("HPA405", "crd-no-selector-path"),
        ("HPA411", "overlapping-hpa-selectors"),
        ("HPA501", "selector-foreign-pods"),
    ],
};

const AMBIGUOUS_SELECTOR: Topic = Topic {
    id: "ambiguous-selector",
    title: "Pods that several HPAs select",
    answers: "Does another HPA select one of these pods as well?",
    chapter: Chapter::Gate,
    functions: &[
        Upstream::selector_store("HPAsMatchingPods"),
        Upstream::selector_store("PutIfAbsent"),
        Upstream::selector_store("PutIfPresent"),
        Upstream::selector_store("Delete"),
    ],
    part_of: &[],
    inputs: &[
        input(
            "the selected pods",
            "with their labels",
            "[selector](selector.md)",
        ),
        input(
            "selectors of other HPAs of the namespace",
            "as each had it in its own last pass",
            "the memory of kube-controller-manager",
        ),
    ],
    formula: "\
for each selected pod: every HPA whose remembered selector matches it
more than one HPA in all   AmbiguousSelector: nothing is scaled
no pod selected            never ambiguous",
    remarks: &[
        "Both HPAs stop, not the newer one.",
        "The controller learns a selector in the first pass of an HPA that asks metrics, so after a restart it may take \
         one or two periods until the condition appears.",
        "KEDA makes an HPA of its own: a ScaledObject beside an HPA on the same target is this case.",
    ],
    picture: || {
        let mut rows = vec![vec![
            "another HPA selects".to_owned(),
            "comes to".to_owned(),
        ]];
        for other in ["app=api", "app", "app=web,tier=front"] {
            let trace = selected("app=web").other_hpa("other", other).decide();
            rows.push(vec![other.to_owned(), verdict(&trace)]);
        }
        let mut out = picture::grid(&rows);
        out.push_str("\nthis one selects app=web; 3 pods with the label app=web alone\n");
        out
    },
    worked: || {
        outcomes(
            "3 replicas at 90 % of a 50 % target, and another HPA",
            [
                (
                    "with the selector app=api",
                    selected("app=web").other_hpa("api", "app=api"),
                ),
                (
                    "with the selector app=web",
                    selected("app=web").other_hpa("copy", "app=web"),
                ),
            ],
        )
    },
    differences: &[
        Difference {
            since: Since::Switch(|switches| switches.ambiguous_selector),
            text: "the check exists; before, two HPAs on one target wrote it in turns.",
            numbers: Some(|minor| {
                let trace = selected("app=web")
                    .other_hpa("copy", "app=web")
                    .under(minor)
                    .decide();
                format!(
                    "two HPAs on 3 pods at 90 % of 50 % lead to {}",
                    replicas(&trace)
                )
            }),
        },
        Difference {
            since: Since::Switch(|switches| switches.ambiguous_selector_names_two),
            text: "the message names two of the HPAs, whichever a Go map gives first.",
            numbers: None,
        },
    ],
    beliefs: &[(
        "Two HPAs on one Deployment take the larger of their numbers.",
        "They switch each other off. Several metrics belong into one HPA, which takes the largest proposal.",
    )],
    shown: Shown::Of("selector", || {
        selected("app=web").other_hpa("copy", "app=web")
    }),
    rules: &[
        ("HPA410", "duplicate-hpa"),
        ("HPA411", "overlapping-hpa-selectors"),
        ("HPA601", "keda-and-hpa"),
        ("HPA602", "two-scaledobjects"),
    ],
};

fn bounded(current: i32) -> Case {
    case(current).min(2).max(10).asking(4)
}

fn at_zero(min: i32, scaled_to_zero: Option<&str>) -> Case {
    let case = case(0).min(min).external(average("10"), &["30"]);
    match scaled_to_zero {
        Some(status) => case.condition("ScaledToZero", status),
        None => case,
    }
}

fn selected(selector: &str) -> Case {
    case(3)
        .cpu(50)
        .pods(vec![pod().uses("90m"); 3])
        .selector(selector)
}

fn verdict(trace: &Trace) -> String {
    let check = trace.steps.iter().find_map(|step| match step {
        Step::SelectorCheck(check) => Some(&check.verdict),
        _ => None,
    });
    match check {
        Some(SelectorVerdict::Ambiguous { hpas }) => format!("ambiguous: {}", hpas.join(", ")),
        Some(SelectorVerdict::Missing) => "no selector".to_owned(),
        Some(SelectorVerdict::Selects { pods }) => {
            format!("{} pods", pods.unwrap_or_default())
        }
        Some(SelectorVerdict::Unparsable(error)) => error.clone(),
        None => String::new(),
    }
}
