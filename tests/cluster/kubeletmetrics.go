package main

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// family is the series of one name, in the Prometheus text format.
type family struct {
	name, help, kind string
	lines            []string
}

// add adds a series. Without a time, the sample counts as of the scrape.
func (f *family) add(value float64, at time.Time, labels ...string) {
	var line strings.Builder
	line.WriteString(f.name)
	for i := 0; i < len(labels); i += 2 {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		fmt.Fprintf(&line, "%s%s=%q", separator, labels[i], labels[i+1])
	}
	if len(labels) > 0 {
		line.WriteString("}")
	}
	line.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64))
	if !at.IsZero() {
		fmt.Fprintf(&line, " %d", at.UnixMilli())
	}
	f.lines = append(f.lines, line.String())
}

func write(w io.Writer, families ...*family) {
	for _, f := range families {
		if len(f.lines) == 0 {
			continue
		}
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n%s\n", f.name, f.help, f.name, f.kind, strings.Join(f.lines, "\n"))
	}
}

// ServeHTTP answers /metrics/resource and /metrics/cadvisor as the kubelet does.
func (c *cgroups) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var page func(io.Writer)
	switch r.URL.Path {
	case "/metrics/resource":
		page = c.writeResource
	case "/metrics/cadvisor":
		page = c.writeCadvisor
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8; escaping=underscores")
	c.lock.Lock()
	defer c.lock.Unlock()
	page(w)
}

func (c *cgroups) writeResource(w io.Writer) {
	cpu := &family{"container_cpu_usage_seconds_total", "[STABLE] Cumulative cpu time consumed by the container in core-seconds", "counter", nil}
	memory := &family{"container_memory_working_set_bytes", "[STABLE] Current working set of the container in bytes", "gauge", nil}
	start := &family{"container_start_time_seconds", "[STABLE] Start time of the container since unix epoch in seconds", "gauge", nil}
	nodeCPU := &family{"node_cpu_usage_seconds_total", "[STABLE] Cumulative cpu time consumed by the node in core-seconds", "counter", nil}
	nodeMemory := &family{"node_memory_working_set_bytes", "[STABLE] Current working set of the node in bytes", "gauge", nil}
	podCPU := &family{"pod_cpu_usage_seconds_total", "[STABLE] Cumulative cpu time consumed by the pod in core-seconds", "counter", nil}
	podMemory := &family{"pod_memory_working_set_bytes", "[STABLE] Current working set of the pod in bytes", "gauge", nil}
	failed := &family{"resource_scrape_error", "[STABLE] 1 if there was an error while getting container metrics, 0 otherwise", "gauge", nil}
	for _, pod := range c.sorted() {
		for _, name := range slices.Sorted(maps.Keys(pod.containers)) {
			container := pod.containers[name]
			labels := []string{"container", name, "namespace", pod.namespace, "pod", pod.name}
			container.addTo(cpu, memory, labels...)
			start.add(seconds(container.started), time.Time{}, labels...)
		}
		pod.whole.addTo(podCPU, podMemory, "namespace", pod.namespace, "pod", pod.name)
	}
	c.node.addTo(nodeCPU, nodeMemory)
	failed.add(0, time.Time{})
	write(w, cpu, memory, start, nodeCPU, nodeMemory, podCPU, podMemory, failed)
}

func (c *cgroups) writeCadvisor(w io.Writer) {
	cpu := &family{"container_cpu_usage_seconds_total", "Cumulative cpu time consumed in seconds.", "counter", nil}
	memory := &family{"container_memory_working_set_bytes", "Current working set in bytes.", "gauge", nil}
	start := &family{"container_start_time_seconds", "Start time of the container since unix epoch in seconds.", "gauge", nil}
	add := func(group *cgroup, namespace, pod string) {
		labels := func(more ...string) []string {
			return append(append([]string{"container", group.container}, more...),
				"id", group.id, "image", group.image, "name", group.name, "namespace", namespace, "pod", pod)
		}
		group.addTo(cpu, nil, labels("cpu", "total")...)
		group.addTo(nil, memory, labels()...)
		if !group.started.IsZero() {
			start.add(float64(group.started.Unix()), time.Time{}, labels()...)
		}
	}
	add(&c.node, "", "")
	slice := c.node
	slice.id = nodeSlice
	add(&slice, "", "")
	for _, pod := range c.sorted() {
		add(&pod.whole, pod.namespace, pod.name)
		add(&pod.pause, pod.namespace, pod.name)
		for _, name := range slices.Sorted(maps.Keys(pod.containers)) {
			add(pod.containers[name], pod.namespace, pod.name)
		}
	}
	write(w, cpu, memory, start)
}

// addTo adds what the last housekeeping found, of what the settings give a value.
func (c *cgroup) addTo(cpu, memory *family, labels ...string) {
	if cpu != nil && c.usage.hasCPU {
		cpu.add(c.seen.cpu, c.seen.at, labels...)
	}
	if memory != nil && c.usage.hasMemory {
		memory.add(c.seen.memory, c.seen.at, labels...)
	}
}

func (c *cgroups) sorted() []*podCgroup {
	return slices.SortedFunc(maps.Values(c.pods), func(a, b *podCgroup) int {
		return strings.Compare(a.namespace+"/"+a.name, b.namespace+"/"+b.name)
	})
}

func seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }
