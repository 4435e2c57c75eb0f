package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/metrics/pkg/apis/metrics"
	"sigs.k8s.io/metrics-server/pkg/storage"
)

// Times are milliseconds after an origin that is the same for all of them.
type sequence struct {
	Case              string   `json:"case"`
	ResolutionSeconds int64    `json:"resolutionSeconds"`
	Scrapes           []scrape `json:"scrapes"`
}

type scrape struct {
	Pods    []pod       `json:"pods"`
	Answers []podAnswer `json:"answers"`
}

type pod struct {
	Name       string  `json:"name"`
	Containers []point `json:"containers"`
}

type point struct {
	Name string `json:"name"`
	// Null if the kubelet gives no start.
	Start    *int64 `json:"start"`
	Time     int64  `json:"time"`
	CPUNanos uint64 `json:"cpuNanos"`
	Memory   uint64 `json:"memory"`
}

type podAnswer struct {
	Pod string `json:"pod"`
	// Null if no container is in the answer.
	Timestamp *int64 `json:"timestamp"`
	// Cut off to milliseconds, which matters only for the longest possible duration.
	WindowMs int64 `json:"windowMs"`
	// Where windows differ and the timestamps are the same, the order of a Go map decides: what it can be instead.
	OtherWindowsMs []int64           `json:"otherWindowsMs,omitempty"`
	Containers     []containerAnswer `json:"containers"`
}

type containerAnswer struct {
	Name string `json:"name"`
	// The CPU usage as a number and as the API writes it.
	CPUNano int64  `json:"cpuNano"`
	Usage   string `json:"usage"`
	// The working set, likewise.
	Memory      int64  `json:"memory"`
	MemoryUsage string `json:"memoryUsage"`
}

// Far from the zero of Go's times and of Unix.
var origin = time.UnixMilli(1_767_225_600_000)

const (
	namespace = "shop"
	// How often to ask for the same, to see all windows that the order of a map can lead to.
	askings = 256
)

// Hands the scrapes to the storage, one after another, and notes what it answers for all pods that there were so far.
func answer(s *sequence) error {
	store := storage.NewStorage(time.Duration(s.ResolutionSeconds) * time.Second)
	var known []*metav1.PartialObjectMetadata
	for i := range s.Scrapes {
		scrape := &s.Scrapes[i]
		for _, pod := range scrape.Pods {
			if !slices.ContainsFunc(known, func(k *metav1.PartialObjectMetadata) bool { return k.Name == pod.Name }) {
				known = append(known, &metav1.PartialObjectMetadata{
					ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: namespace},
				})
			}
		}
		store.Store(batch(scrape.Pods))
		scrape.Answers = []podAnswer{}
		for asking := range askings {
			found, err := store.GetPodMetrics(known...)
			if err != nil {
				return err
			}
			if asking == 0 {
				for j := range found {
					scrape.Answers = append(scrape.Answers, answerOf(&found[j]))
				}
				continue
			}
			if err := compare(scrape.Answers, found); err != nil {
				return err
			}
		}
		for j := range scrape.Answers {
			smallestFirst(&scrape.Answers[j])
		}
	}
	return nil
}

func batch(pods []pod) *storage.MetricsBatch {
	points := make(map[types.NamespacedName]storage.PodMetricsPoint, len(pods))
	for _, pod := range pods {
		containers := make(map[string]storage.MetricsPoint, len(pod.Containers))
		for _, c := range pod.Containers {
			point := storage.MetricsPoint{
				Timestamp:         origin.Add(time.Duration(c.Time) * time.Millisecond),
				CumulativeCPUUsed: c.CPUNanos,
				MemoryUsage:       c.Memory,
			}
			if c.Start != nil {
				point.StartTime = origin.Add(time.Duration(*c.Start) * time.Millisecond)
			}
			containers[c.Name] = point
		}
		points[types.NamespacedName{Namespace: namespace, Name: pod.Name}] = storage.PodMetricsPoint{Containers: containers}
	}
	return &storage.MetricsBatch{Pods: points}
}

func answerOf(m *metrics.PodMetrics) podAnswer {
	answer := podAnswer{
		Pod:        m.Name,
		WindowMs:   m.Window.Milliseconds(),
		Containers: make([]containerAnswer, 0, len(m.Containers)),
	}
	if !m.Timestamp.IsZero() {
		after := m.Timestamp.Sub(origin).Milliseconds()
		answer.Timestamp = &after
	}
	for _, c := range m.Containers {
		cpu, memory := c.Usage.Cpu(), c.Usage.Memory()
		answer.Containers = append(answer.Containers, containerAnswer{
			Name:        c.Name,
			CPUNano:     cpu.ScaledValue(-9),
			Usage:       cpu.String(),
			Memory:      memory.Value(),
			MemoryUsage: memory.String(),
		})
	}
	slices.SortFunc(answer.Containers, func(a, b containerAnswer) int { return strings.Compare(a.Name, b.Name) })
	return answer
}

// Another answer to the same question may differ in the windows and in nothing else.
func compare(known []podAnswer, found []metrics.PodMetrics) error {
	if len(known) != len(found) {
		return fmt.Errorf("%d and then %d pods are answered", len(known), len(found))
	}
	for i := range found {
		a, b := &known[i], answerOf(&found[i])
		if a.Pod != b.Pod || !slices.Equal(a.Containers, b.Containers) || !sameTime(a.Timestamp, b.Timestamp) {
			return fmt.Errorf("answers for %s differ: %+v and %+v", a.Pod, *a, b)
		}
		if b.WindowMs != a.WindowMs && !slices.Contains(a.OtherWindowsMs, b.WindowMs) {
			a.OtherWindowsMs = append(a.OtherWindowsMs, b.WindowMs)
		}
	}
	return nil
}

func sameTime(a, b *int64) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// The first window, too, depends on the order of a map.
func smallestFirst(a *podAnswer) {
	windows := append([]int64{a.WindowMs}, a.OtherWindowsMs...)
	slices.Sort(windows)
	a.WindowMs, a.OtherWindowsMs = windows[0], windows[1:]
}
