package oracle

import (
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	autoscalingapiv2 "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
	metricsapi "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// example is a situation from an article about the HPA, step by step.
type example struct {
	name             string
	min, max, target int32
	behavior         *autoscalingv2.HorizontalPodAutoscalerBehavior
	replicas         int32  // at first
	container        string // of each pod
	request          int64  // milli-cores of each pod
	failed, missing  int    // pods that have failed, and pods without a sample
	// usage is what each pod uses in each step, in milli-cores, given how many pods have a sample.
	usage []func(pods int64) int64
}

func each(milli int64) func(int64) int64  { return func(int64) int64 { return milli } }
func total(milli int64) func(int64) int64 { return func(pods int64) int64 { return milli / pods } }

var examples = []example{
	{
		name: "ratio", min: 2, max: 20, target: 60, replicas: 8, container: "app", request: 500,
		usage: []func(int64) int64{total(2800), total(2800)},
	},
	{
		name: "failed-and-missing-pods", min: 12, max: 16, target: 60, replicas: 14, container: "app", request: 200,
		failed: 2, missing: 2, usage: []func(int64) int64{each(170)},
	},
	{
		name: "percent-and-pods-policies", min: 2, max: 50, target: 40, replicas: 18, container: "app", request: 200,
		behavior: &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: &autoscalingv2.HPAScalingRules{Policies: []autoscalingv2.HPAScalingPolicy{
			{Type: autoscalingv2.PercentScalingPolicy, Value: 30, PeriodSeconds: 60},
			{Type: autoscalingv2.PodsScalingPolicy, Value: 7, PeriodSeconds: 60},
		}}},
		usage: slices.Repeat([]func(int64) int64{total(3420)}, 5),
	},
	{
		name: "old-recommendation", min: 2, max: 10, target: 20, replicas: 2, container: "nginx", request: 20,
		usage: append([]func(int64) int64{each(515)}, slices.Repeat([]func(int64) int64{each(0)}, 21)...),
	},
}

// TestWorked records the controller in the examples, one file each, in the folder ORACLE_WORKED.
func TestWorked(t *testing.T) {
	out, version := os.Getenv("ORACLE_WORKED"), os.Getenv("ORACLE_VERSION")
	if out == "" {
		t.Skip("ORACLE_WORKED is not set")
	}
	for _, e := range examples {
		var snapshots []*Snapshot
		inBubble(t, func(t *testing.T) { snapshots = e.run(t, version) })
		path := filepath.Join(out, e.name+".jsonl")
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		record(t, path, e.name, snapshots)
		var desired []int32
		for _, snap := range snapshots {
			desired = append(desired, snap.Outcome.Status.DesiredReplicas)
		}
		t.Logf("%s: %d, then %v", e.name, e.replicas, desired)
	}
}

func (e *example) run(t *testing.T, version string) []*Snapshot {
	time.Sleep(time.Until(time.Date(2026, 3, 2, 9, 59, 45, 250e6, time.UTC)))
	cfg := Controller{
		Version: version, Architecture: "amd64",
		SyncPeriodSeconds: 15, DownscaleStabilizationSeconds: 300, Tolerance: 0.1,
		CPUInitializationPeriodSeconds: 300, InitialReadinessDelaySeconds: 30,
	}
	w := &world{rng: rand.New(rand.NewSource(1)), limit: maxPods, selector: "app=web", replicas: e.replicas, template: e.podSpec()}
	for i := range int(e.replicas) {
		w.add(time.Now().Add(-time.Hour))
		w.pods[i].failed = i < e.failed
		w.pods[i].noMetrics = e.failed <= i && i < e.failed+e.missing
	}
	d := &driver{immediate: minorOf(t, version) >= firstImmediate, version: firstVersion}
	next := time.Now().Add(seconds(cfg.SyncPeriodSeconds))
	first := e.snapshot(w, cfg, 0, next)
	first.HPA, first.ControllerStarted = roundTrip(e.hpa()), true
	d.cur = first
	objects := []runtime.Object{first.HPA.DeepCopy()}
	for i := range first.Pods {
		objects = append(objects, first.Pods[i].DeepCopy())
	}
	d.start(cfg, objects...)
	defer d.stop()

	var out []*Snapshot
	for step := range e.usage {
		cur := d.reconcile(t, cfg, e.name)
		out = append(out, cur)
		if step+1 == len(e.usage) {
			break
		}
		if cur.Outcome.ScaleTo != nil {
			w.replicas = *cur.Outcome.ScaleTo
			w.follow(d.due.Add(-seconds(cfg.SyncPeriodSeconds)))
		}
		snap := e.snapshot(w, cfg, step+1, d.due)
		snap.HPA = d.hpa()
		d.mu.Lock()
		d.cur, d.startedAt = snap, time.Time{}
		d.mu.Unlock()
		d.setPods(snap.Pods)
		if d.immediate {
			d.release()
		}
	}
	return out
}

func (e *example) hpa() *autoscalingv2.HorizontalPodAutoscaler {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: hpaName, Generation: 1},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: target},
			MinReplicas:    ptr(e.min), MaxReplicas: e.max, Behavior: e.behavior.DeepCopy(),
			Metrics: []autoscalingv2.MetricSpec{{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
				Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: ptr(e.target)}}}},
		},
	}
	autoscalingapiv2.SetDefaults_HorizontalPodAutoscalerBehavior(hpa)
	return hpa
}

func (e *example) podSpec() corev1.PodSpec {
	cpu := *resource.NewMilliQuantity(e.request, resource.DecimalSI)
	return corev1.PodSpec{Containers: []corev1.Container{{Name: e.container,
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: cpu}}}}}
}

// snapshot is what the controller will read at `now`: every sample ended five seconds before and is of ten seconds.
func (e *example) snapshot(w *world, cfg Controller, step int, now time.Time) *Snapshot {
	snap := &Snapshot{APIVersion: "kubectl-hpa/v1", Kind: "Snapshot", Controller: cfg, Pods: w.objects(now), Scale: w.scale(),
		PodMetrics: &PodMetricsAnswer{}, Outcome: &Outcome{}}
	snap.Scale.APIVersion, snap.Scale.Kind = "autoscaling/v1", "Scale"
	pods := w.measured(now)
	usage := e.usage[step](int64(len(pods)))
	for _, p := range pods {
		at := metav1.NewTime(now.Add(-5 * time.Second).Truncate(time.Second))
		snap.PodMetrics.Items = append(snap.PodMetrics.Items, metricsapi.PodMetrics{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: p.name, Labels: p.labels, CreationTimestamp: at},
			Timestamp:  at, Window: metav1.Duration{Duration: 10 * time.Second},
			Containers: []metricsapi.ContainerMetrics{{Name: e.container, Usage: corev1.ResourceList{
				corev1.ResourceCPU: *resource.NewMilliQuantity(usage, resource.DecimalSI)}}},
		})
	}
	return snap
}
