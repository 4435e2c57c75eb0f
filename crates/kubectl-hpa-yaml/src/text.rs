//! The texts of a tree.

use std::{fmt, ops::Deref};

/// A key or a string of a tree. Words that most manifests have take no memory of their own.
#[derive(Clone, PartialEq, Eq)]
pub struct YamlText(Kept);

#[derive(Clone, PartialEq, Eq)]
enum Kept {
    /// Its index in the known words.
    Known(u8),
    /// Any text that is not one of them.
    Other(Box<str>),
}

impl YamlText {
    /// The text.
    pub fn into_string(self) -> String {
        match self.0 {
            Kept::Known(_) => (*self).to_owned(),
            Kept::Other(text) => text.into_string(),
        }
    }

    fn known(text: &str) -> Option<Self> {
        let index = KNOWN.binary_search(&text).ok()?;
        u8::try_from(index).ok().map(Kept::Known).map(Self)
    }
}

impl Deref for YamlText {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Kept::Known(index) => KNOWN[usize::from(*index)],
            Kept::Other(text) => text,
        }
    }
}

impl From<&str> for YamlText {
    fn from(text: &str) -> Self {
        Self::known(text).unwrap_or_else(|| Self(Kept::Other(text.into())))
    }
}

impl From<String> for YamlText {
    fn from(text: String) -> Self {
        Self::known(&text).unwrap_or_else(|| Self(Kept::Other(text.into())))
    }
}

impl From<Box<str>> for YamlText {
    fn from(text: Box<str>) -> Self {
        Self::known(&text).unwrap_or(Self(Kept::Other(text)))
    }
}

impl fmt::Debug for YamlText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl fmt::Display for YamlText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, formatter)
    }
}

/// Words that most manifests have, sorted.
const KNOWN: [&str; 100] = [
    "AverageValue",
    "ContainerResource",
    "Deployment",
    "Disabled",
    "External",
    "False",
    "HorizontalPodAutoscaler",
    "List",
    "Max",
    "Min",
    "Object",
    "Percent",
    "Pod",
    "Pods",
    "ReplicaSet",
    "Resource",
    "Running",
    "Service",
    "StatefulSet",
    "True",
    "Utilization",
    "Value",
    "annotations",
    "apiVersion",
    "app",
    "apps/v1",
    "autoscaling/v1",
    "autoscaling/v2",
    "autoscaling/v2beta2",
    "averageUtilization",
    "averageValue",
    "behavior",
    "conditions",
    "container",
    "containerPort",
    "containerResource",
    "containers",
    "controller",
    "cpu",
    "creationTimestamp",
    "current",
    "currentMetrics",
    "currentReplicas",
    "describedObject",
    "desiredReplicas",
    "external",
    "generation",
    "image",
    "items",
    "key",
    "kind",
    "labels",
    "lastScaleTime",
    "lastTransitionTime",
    "limits",
    "matchExpressions",
    "matchLabels",
    "maxReplicas",
    "memory",
    "message",
    "metadata",
    "metric",
    "metrics",
    "minReplicas",
    "name",
    "namespace",
    "nodeName",
    "object",
    "observedGeneration",
    "operator",
    "ownerReferences",
    "periodSeconds",
    "phase",
    "pods",
    "policies",
    "ports",
    "protocol",
    "reason",
    "replicas",
    "requests",
    "resource",
    "resourceVersion",
    "resources",
    "scaleDown",
    "scaleTargetRef",
    "scaleUp",
    "selectPolicy",
    "selector",
    "spec",
    "stabilizationWindowSeconds",
    "status",
    "target",
    "targetCPUUtilizationPercentage",
    "template",
    "tolerance",
    "type",
    "uid",
    "v1",
    "value",
    "values",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_the_one_that_it_was_made_of() {
        assert!(KNOWN.is_sorted());
        let others = ["", "web-1", "Kind", "kinds", "spec.kind"];
        for text in KNOWN.into_iter().chain(others) {
            let kept = YamlText::from(text);
            assert_eq!(&*kept, text);
            assert_eq!(kept, YamlText::from(text.to_owned()));
            assert_eq!(kept, YamlText::from(Box::<str>::from(text)));
            assert_eq!(format!("{kept}{kept:?}"), format!("{text}{text:?}"));
            assert_eq!(kept.into_string(), text);
        }
        assert_eq!(size_of::<YamlText>(), size_of::<Box<str>>());
    }
}
