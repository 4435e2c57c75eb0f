package main

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// load is a load over time: straight lines between its points; before the
// first and after the last, that value.
type load struct {
	Since  metav1.Time `json:"since"`
	Course []loadPoint `json:"course"`
}

type loadPoint struct {
	At    metav1.Duration   `json:"at"` // after since
	Value resource.Quantity `json:"value"`
}

func (l *load) at(now time.Time) float64 {
	since := now.Sub(l.Since.Time)
	for i, point := range l.Course {
		to, at := point.Value.AsApproximateFloat64(), point.At.Duration
		if since >= at {
			continue
		}
		if i == 0 {
			return to
		}
		from, before := l.Course[i-1].Value.AsApproximateFloat64(), l.Course[i-1].At.Duration
		return from + (to-from)*float64(since-before)/float64(at-before)
	}
	if len(l.Course) == 0 {
		return 0
	}
	return l.Course[len(l.Course)-1].Value.AsApproximateFloat64()
}

// loadOf is the pod's share of a load: an even one if it is ready, else none.
func (m *metricsServer) loadOf(l *load, selector string, pod *corev1.Pod) float64 {
	selected, err := labels.Parse(selector)
	if err != nil || !isServing(pod) {
		return 0
	}
	others, _ := m.pods.Pods(pod.Namespace).List(selected)
	serving := 0
	for _, other := range others {
		if isServing(other) {
			serving++
		}
	}
	return l.at(time.Now()) / float64(serving)
}

// isServing says whether a Service would send requests to the pod.
func isServing(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady && condition.Status == corev1.ConditionTrue {
			return pod.DeletionTimestamp == nil
		}
	}
	return false
}

// present is the value of a metric that is not one of pods.
func (r *metricRule) present() resource.Quantity {
	if r.Load == nil {
		return r.Value
	}
	return milli(r.Load.at(time.Now()))
}

func milli(value float64) resource.Quantity {
	return *resource.NewMilliQuantity(int64(math.Round(value*1000)), resource.DecimalSI)
}
