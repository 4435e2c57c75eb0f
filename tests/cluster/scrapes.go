package main

import (
	"context"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	resourcemetrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// freshContainer is the age that a container must have for its start to count as a point.
const freshContainer = 10 * time.Second

// scrapes are what metrics-server 0.9.0 keeps (pkg/storage/pod.go): the last two points of each
// container that the kubelet has shown, between which it computes the usage.
type scrapes struct {
	resolution time.Duration

	lock       sync.Mutex
	last, prev map[types.NamespacedName]map[string]point
}

type point struct {
	sample
	started time.Time
}

func newScrapes(resolution time.Duration) *scrapes { return &scrapes{resolution: resolution} }

// run scrapes until the context ends.
func (s *scrapes) run(ctx context.Context, kubelet *cgroups) {
	ticker := time.NewTicker(s.resolution)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.store(kubelet.points())
		}
	}
}

// points are the containers' rows of /metrics/resource. A pod without CPU or memory in one of its
// containers is left out, as metrics-server does.
func (c *cgroups) points() map[types.NamespacedName]map[string]point {
	c.lock.Lock()
	defer c.lock.Unlock()
	result := map[types.NamespacedName]map[string]point{}
	for _, pod := range c.pods {
		points := map[string]point{}
		for name, container := range pod.containers {
			if container.seen.cpu > 0 && container.seen.memory > 0 {
				points[name] = point{container.seen, container.started}
			}
		}
		if len(points) == len(pod.containers) {
			result[types.NamespacedName{Namespace: pod.namespace, Name: pod.name}] = points
		}
	}
	return result
}

func (s *scrapes) store(found map[types.NamespacedName]map[string]point) {
	s.lock.Lock()
	defer s.lock.Unlock()
	prev := map[types.NamespacedName]map[string]point{}
	for pod, points := range found {
		prev[pod] = map[string]point{}
		for name, now := range points {
			if before, ok := s.before(pod, name, now); ok {
				prev[pod][name] = before
			}
		}
	}
	s.last, s.prev = found, prev
}

// before is the point to compare with: of the same run of the container, and older.
func (s *scrapes) before(pod types.NamespacedName, container string, now point) (point, bool) {
	if age := now.at.Sub(now.started); age > 0 && age < s.resolution && age >= freshContainer {
		return point{sample{at: now.started, memory: now.memory}, now.started}, true
	}
	last, ok := s.last[pod][container]
	if !ok || !now.started.Before(last.at) {
		return point{}, false
	}
	if now.at.After(last.at) {
		return last, true
	}
	prev, ok := s.prev[pod][container]
	return prev, ok && prev.at.Before(now.at)
}

// podMetrics is nil for a pod of which two points are not known.
func (s *scrapes) podMetrics(pod *corev1.Pod) *resourcemetrics.PodMetrics {
	s.lock.Lock()
	defer s.lock.Unlock()
	key := types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
	result := &resourcemetrics.PodMetrics{ObjectMeta: metav1.ObjectMeta{
		Name: pod.Name, Namespace: pod.Namespace, Labels: pod.Labels, CreationTimestamp: now(),
	}}
	for name, last := range s.last[key] {
		prev, ok := s.prev[key][name]
		if !ok {
			return nil
		}
		window := last.at.Sub(prev.at)
		rate := (last.cpu - prev.cpu) / window.Seconds()
		result.Containers = append(result.Containers, resourcemetrics.ContainerMetrics{
			Name: name,
			Usage: corev1.ResourceList{
				corev1.ResourceCPU:    *resource.NewScaledQuantity(int64(rate*1e9), resource.Nano),
				corev1.ResourceMemory: *resource.NewQuantity(int64(last.memory), resource.BinarySI),
			},
		})
		if result.Timestamp.IsZero() || last.at.Before(result.Timestamp.Time) {
			result.Timestamp, result.Window = metav1.NewTime(last.at), metav1.Duration{Duration: window}
		}
	}
	if len(result.Containers) == 0 {
		return nil
	}
	return result
}
