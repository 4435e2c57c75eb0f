package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// Ten times a second, usage is added to the counters.
	countingInterval = 100 * time.Millisecond

	// As the kubelet sets them. cAdvisor adds up to the same time again, at random, and takes the
	// longer one for what does not change.
	housekeepingInterval     = 10 * time.Second
	idleHousekeepingInterval = 15 * time.Second

	pauseImage         = "registry.k8s.io/pause:3.10"
	pauseCPU           = 0.02  // seconds, in all
	startCPU           = 0.001 // seconds, what it takes to start a process: metrics-server leaves out a counter of 0
	pauseMemory        = 300 << 10
	nodeSlice, topmost = "/kubepods.slice", "/"
)

// cgroups count what the containers use: the integral over time of the usage that the metrics
// server reports. Like cAdvisor they show what they found at their last housekeeping.
type cgroups struct {
	metrics *metricsServer

	lock    sync.Mutex
	pods    map[types.UID]*podCgroup
	node    cgroup
	counted time.Time
}

// podCgroup has the cgroups of a pod: its own, and those of its sandbox and its containers.
type podCgroup struct {
	namespace, name string
	whole, pause    cgroup
	containers      map[string]*cgroup
	ended           map[string]int // how many containers of that name have ended
}

type cgroup struct {
	id, image, name string // as cAdvisor labels them
	container       string
	started         time.Time
	usage           usage // of the last time that it was counted
	cpu             float64
	seen            sample
	due             time.Time
}

type usage struct {
	cpu               float64 // cores
	memory            float64 // bytes
	hasCPU, hasMemory bool
}

// sample is what a housekeeping finds.
type sample struct {
	at          time.Time
	cpu, memory float64 // seconds, bytes
}

func newCgroups(metrics *metricsServer) *cgroups {
	return &cgroups{metrics: metrics, pods: map[types.UID]*podCgroup{}, node: cgroup{id: topmost}}
}

// run counts until the context ends.
func (c *cgroups) run(ctx context.Context) {
	ticker := time.NewTicker(countingInterval)
	defer ticker.Stop()
	for {
		c.count(time.Now())
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// count brings all counters up to now.
func (c *cgroups) count(now time.Time) {
	settings, err := c.metrics.settings()
	if err != nil {
		return // whoever asks for a metric is told
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	passed := now.Sub(c.counted).Seconds()
	c.counted = now
	var whole usage
	running := map[types.UID]bool{}
	for _, pod := range c.metrics.listPods("", labels.Everything()) {
		if !hasMetrics(pod) || pod.Spec.NodeName == "" {
			continue
		}
		group := c.pods[pod.UID]
		if group == nil {
			group = newPodCgroup(pod, now)
		}
		if used := group.count(c.metrics, settings, pod, now, passed); len(group.containers) > 0 {
			c.pods[pod.UID] = group
			running[pod.UID] = true
			whole.add(used)
		}
	}
	for uid := range c.pods {
		if !running[uid] {
			delete(c.pods, uid)
		}
	}
	c.node.count(whole, now, passed)
}

// count counts the containers that run, and begins and ends cgroups with them.
func (p *podCgroup) count(metrics *metricsServer, settings *settings, pod *corev1.Pod, now time.Time, passed float64) usage {
	var whole usage
	running := runningContainers(pod)
	for _, container := range metrics.containerUsage(settings, pod) {
		if !running[container.Name] {
			continue
		}
		group := p.containers[container.Name]
		if group == nil {
			group = p.newContainer(pod, container.Name, now)
			p.containers[container.Name] = group
		}
		var used usage
		if cpu, ok := container.Usage[corev1.ResourceCPU]; ok {
			used.cpu, used.hasCPU = cpu.AsApproximateFloat64(), true
		}
		if memory, ok := container.Usage[corev1.ResourceMemory]; ok {
			used.memory, used.hasMemory = memory.AsApproximateFloat64(), true
		}
		whole.add(used)
		group.count(used, now, passed)
	}
	for name := range p.containers {
		if !running[name] {
			delete(p.containers, name)
			p.ended[name]++
		}
	}
	p.pause.count(usage{memory: pauseMemory, hasCPU: true, hasMemory: true}, now, passed)
	whole.add(usage{memory: pauseMemory})
	p.whole.count(whole, now, passed)
	return whole
}

// count adds what has been used since the last time, as if the usage had changed evenly. The first
// time there is nothing to add.
func (c *cgroup) count(used usage, now time.Time, passed float64) {
	first := c.due.IsZero()
	if !first {
		c.cpu += (c.usage.cpu + used.cpu) / 2 * passed
	}
	c.usage = used
	if now.Before(c.due) {
		return
	}
	found := sample{now, c.cpu, used.memory}
	interval := housekeepingInterval
	if !first && found.cpu == c.seen.cpu && found.memory == c.seen.memory {
		interval = idleHousekeepingInterval
	}
	c.seen = found
	c.due = now.Add(interval + rand.N(interval))
}

func (u *usage) add(other usage) {
	u.cpu += other.cpu
	u.memory += other.memory
	u.hasCPU = u.hasCPU || other.hasCPU
	u.hasMemory = u.hasMemory || other.hasMemory
}

func newPodCgroup(pod *corev1.Pod, now time.Time) *podCgroup {
	slice := podSlice(pod)
	sandbox := containerID(pod, "", 0)
	return &podCgroup{
		namespace: pod.Namespace,
		name:      pod.Name,
		whole:     cgroup{id: slice, started: now, cpu: pauseCPU},
		pause: cgroup{
			id: slice + "/cri-containerd-" + sandbox + ".scope", image: pauseImage, name: sandbox,
			started: now, cpu: pauseCPU,
		},
		containers: map[string]*cgroup{},
		ended:      map[string]int{},
	}
}

func (p *podCgroup) newContainer(pod *corev1.Pod, name string, started time.Time) *cgroup {
	id := containerID(pod, name, p.ended[name])
	return &cgroup{
		id:        p.whole.id + "/cri-containerd-" + id + ".scope",
		image:     imageOf(pod, name),
		name:      id,
		container: name,
		started:   started,
		cpu:       startCPU,
	}
}

// podSlice is the pod's cgroup as systemd names it.
func podSlice(pod *corev1.Pod) string {
	parent, name := nodeSlice, "kubepods"
	if class := strings.ToLower(string(pod.Status.QOSClass)); class == "burstable" || class == "besteffort" {
		name += "-" + class
		parent += "/" + name + ".slice"
	}
	return fmt.Sprintf("%s/%s-pod%s.slice", parent, name, strings.ReplaceAll(string(pod.UID), "-", "_"))
}

func containerID(pod *corev1.Pod, container string, before int) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d", pod.UID, container, before)))
}

func imageOf(pod *corev1.Pod, name string) string {
	for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for _, c := range containers {
			if c.Name == name {
				return c.Image
			}
		}
	}
	return ""
}

func runningContainers(pod *corev1.Pod) map[string]bool {
	running := map[string]bool{}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for _, status := range statuses {
			running[status.Name] = status.State.Running != nil
		}
	}
	return running
}
