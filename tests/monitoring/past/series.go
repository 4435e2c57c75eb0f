package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"time"
)

// Labels of the targets, as kube-prometheus-stack gives them.
var (
	stateMetricsLabels = map[string]string{
		"job": "kube-state-metrics", "endpoint": "http", "instance": "10.1.0.7:8080", "container": "kube-state-metrics",
		"pod": "kube-prometheus-stack-kube-state-metrics-6c9d7b8f5d-x7k2p", "service": "kube-prometheus-stack-kube-state-metrics",
	}
	cadvisorLabels = map[string]string{
		"job": "kubelet", "endpoint": "https-metrics", "instance": "192.168.0.1:10250", "metrics_path": "/metrics/cadvisor",
		"node": "node-1", "service": "kube-prometheus-stack-kubelet",
	}
)

func labels(target map[string]string, name string, pairs ...string) map[string]string {
	all := maps.Clone(target)
	all["__name__"], all["namespace"] = name, "past"
	for i := 0; i < len(pairs); i += 2 {
		if all[pairs[i]] = pairs[i+1]; pairs[i+1] == "" {
			delete(all, pairs[i])
		}
	}
	return all
}

// scraped writes a series of kube-state-metrics, which is there from one time to another.
func (p *past) scraped(phase time.Duration, from, until time.Time, value func(time.Time) float64, name string, pairs ...string) {
	var timestamps []int64
	var values []float64
	for at := p.from.Add(phase); at.Before(until); at = at.Add(p.stateMetricsInterval) {
		if !at.Before(from) {
			timestamps, values = append(timestamps, at.UnixMilli()), append(values, value(at))
		}
	}
	p.put(labels(stateMetricsLabels, name, pairs...), timestamps, values)
}

func (p *past) writeAutoscaler(name string, m metric, syncs []sync, phase time.Duration) {
	seen := func(value func(sync) float64) func(time.Time) float64 {
		return func(at time.Time) float64 { return value(lastSync(syncs, at)) }
	}
	put := func(value func(time.Time) float64, series string, pairs ...string) {
		p.scraped(phase, p.from, p.until, value, "kube_horizontalpodautoscaler_"+series, append([]string{"horizontalpodautoscaler", name}, pairs...)...)
	}
	put(is(1), "info", "scaletargetref_api_version", "apps/v1", "scaletargetref_kind", "Deployment", "scaletargetref_name", name)
	put(is(1), "metadata_generation")
	put(is(float64(p.from.Unix())), "created")
	put(is(2), "spec_min_replicas")
	put(is(float64(p.pods)), "spec_max_replicas")
	of := []string{"metric_name", m.name, "container", "", "metric_target_type"}
	put(is(m.target), "spec_target_metric", append(of, m.targetType)...)
	put(seen(func(s sync) float64 { return s.value }), "status_target_metric", append(of, m.targetType)...)
	if m.targetType == "utilization" {
		put(seen(func(s sync) float64 { return s.value * request / 100 }), "status_target_metric", append(of, "average")...)
	}
	put(seen(func(s sync) float64 { return float64(s.current) }), "status_current_replicas")
	put(seen(func(s sync) float64 { return float64(s.desired) }), "status_desired_replicas")
	conditions := map[string]func(sync) bool{
		"AbleToScale":    func(sync) bool { return true },
		"ScalingActive":  func(sync) bool { return true },
		"ScalingLimited": func(s sync) bool { return s.desired == 2 || s.desired == p.pods },
	}
	for _, condition := range []string{"AbleToScale", "ScalingActive", "ScalingLimited"} {
		holds := conditions[condition]
		put(seen(func(s sync) float64 { return number(holds(s)) }), "status_condition", "condition", condition, "status", "true")
		put(seen(func(s sync) float64 { return number(!holds(s)) }), "status_condition", "condition", condition, "status", "false")
		put(is(0), "status_condition", "condition", condition, "status", "unknown")
	}
}

func (p *past) writeWorkload(name, replicaSet string, syncs []sync, phase time.Duration) {
	replicas := func(at time.Time) float64 { return float64(lastSync(syncs, at).desired) }
	generation := func(at time.Time) float64 {
		changes, before := 1, 2
		for _, s := range syncs {
			if s.at.After(at) {
				break
			}
			if s.desired != before {
				changes, before = changes+1, s.desired
			}
		}
		return float64(changes)
	}
	put := func(value func(time.Time) float64, series string, pairs ...string) {
		p.scraped(phase, p.from, p.until, value, series, pairs...)
	}
	for _, series := range []string{"spec_replicas", "status_replicas", "status_replicas_ready", "status_replicas_available", "status_replicas_updated"} {
		put(replicas, "kube_deployment_"+series, "deployment", name)
	}
	put(generation, "kube_deployment_metadata_generation", "deployment", name)
	put(is(1), "kube_replicaset_owner", "replicaset", replicaSet, "owner_kind", "Deployment", "owner_name", name, "owner_is_controller", "true")
	for _, series := range []string{"spec_replicas", "status_replicas", "status_ready_replicas"} {
		put(replicas, "kube_replicaset_"+series, "replicaset", replicaSet)
	}
}

func (p *past) writePod(one *pod, replicaSet string, phase time.Duration) {
	ready := one.created.Add(readyAfter)
	put := func(from time.Time, value func(time.Time) float64, series string, pairs ...string) {
		p.scraped(phase, from, one.deleted, value, "kube_pod_"+series, append([]string{"pod", one.name, "uid", one.uid, "container", ""}, pairs...)...)
	}
	after := func(at time.Time) float64 { return number(!at.Before(ready)) }
	before := func(at time.Time) float64 { return number(at.Before(ready)) }
	created, container := is(float64(one.created.Unix())), []string{"container", "main"}
	put(one.created, is(1), "info", "node", "node-1", "created_by_kind", "ReplicaSet", "created_by_name", replicaSet, "pod_ip", "10.1.2.3")
	put(one.created, is(1), "owner", "owner_kind", "ReplicaSet", "owner_name", replicaSet, "owner_is_controller", "true")
	put(one.created, created, "created")
	put(one.created, created, "start_time")
	put(ready, is(float64(ready.Unix())), "status_ready_time")
	for _, state := range []string{"Pending", "Running", "Succeeded", "Failed", "Unknown"} {
		put(one.created, is(number(state == "Running")), "status_phase", "phase", state)
	}
	put(one.created, after, "status_ready", "condition", "true")
	put(one.created, before, "status_ready", "condition", "false")
	put(one.created, is(0), "status_ready", "condition", "unknown")
	put(one.created, is(request), "container_resource_requests", append(container, "resource", "cpu", "unit", "core", "node", "node-1")...)
	put(one.created, is(64<<20), "container_resource_requests", append(container, "resource", "memory", "unit", "byte", "node", "node-1")...)
	put(one.created, after, "container_status_ready", container...)
	put(one.created, is(0), "container_status_restarts_total", container...)
}

// writeUsage writes what cAdvisor has of the container, the pod and the pause container, each with its own times.
func (p *past) writeUsage(one *pod, syncs []sync, l *load, rng *rand.Rand) {
	slice := fmt.Sprintf("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod%s.slice", one.uid)
	rows := []struct {
		container, id, image string
		busy                 bool
	}{
		{"main", slice + "/cri-containerd-" + one.uid + ".scope", "example.com/web:1", true},
		{"", slice, "", true},
		{"", slice + "/cri-containerd-pause-" + one.uid + ".scope", "registry.k8s.io/pause:3.10", false},
	}
	for _, row := range rows {
		var timestamps []int64
		var used, memory []float64
		sum := 0.001
		last := one.created
		for at := one.created.Add(time.Second); at.Before(one.deleted); at = at.Add(p.cadvisor + time.Duration(rng.Int64N(int64(p.cadvisor)))) {
			if row.busy {
				sum += l.at(at) / float64(max(1, lastSync(syncs, at).current)) * at.Sub(last).Seconds()
			}
			last = at
			timestamps, used, memory = append(timestamps, at.UnixMilli()), append(used, sum), append(memory, 48<<20)
		}
		of := []string{"pod", one.name, "container", row.container, "id", row.id, "image", row.image}
		p.put(labels(cadvisorLabels, "container_cpu_usage_seconds_total", append(of, "cpu", "total")...), timestamps, used)
		p.put(labels(cadvisorLabels, "container_memory_working_set_bytes", of...), timestamps, memory)
	}
}

// lastSync is the sync that a scrape at that time sees.
func lastSync(syncs []sync, at time.Time) sync {
	i := int(at.Sub(syncs[0].at) / syncPeriod)
	return syncs[min(max(i, 0), len(syncs)-1)]
}

func is(value float64) func(time.Time) float64 { return func(time.Time) float64 { return value } }

func number(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
