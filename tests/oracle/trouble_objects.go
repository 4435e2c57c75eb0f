package oracle

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// spoilPhases gives pods every state that the API can express, and times at the very edges of the readiness rules.
func spoilPhases(s *scenario, snap *Snapshot) {
	r := s.rng
	second := func(d float64) time.Duration { return seconds(d).Truncate(time.Second) }
	now := s.start.Truncate(time.Second)
	if len(snap.Pods) > 0 {
		now = snap.Pods[len(snap.Pods)-1].CreationTimestamp.Time
	}
	for i := range snap.Pods {
		p := &snap.Pods[i]
		if r.Intn(3) > 0 {
			continue
		}
		p.Status.Phase = pick(r, corev1.PodRunning, corev1.PodRunning, corev1.PodPending, corev1.PodSucceeded, corev1.PodFailed, corev1.PodUnknown, "")
		if r.Intn(5) == 0 {
			p.Status.StartTime = nil
		} else {
			started := metav1.NewTime(now.Add(-pick(r, 0, second(s.cfg.CPUInitializationPeriodSeconds), second(s.cfg.CPUInitializationPeriodSeconds)+time.Second, time.Hour)))
			p.Status.StartTime = &started
		}
		if r.Intn(6) == 0 {
			t := metav1.NewTime(now)
			p.DeletionTimestamp = &t
		}
		p.Status.Conditions = nil
		for range r.Intn(3) {
			ready := corev1.PodCondition{Type: pick(r, corev1.PodReady, corev1.PodReady, corev1.PodReady, corev1.ContainersReady),
				Status: pick(r, corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionFalse, corev1.ConditionUnknown)}
			if p.Status.StartTime != nil && r.Intn(5) > 0 {
				delay := second(s.cfg.InitialReadinessDelaySeconds)
				ready.LastTransitionTime = metav1.NewTime(p.Status.StartTime.Add(pick(r, -time.Second, 0, delay-time.Second, delay, delay+time.Second, time.Minute)))
			}
			p.Status.Conditions = append(p.Status.Conditions, ready)
		}
	}
	if snap.PodMetrics == nil {
		return
	}
	for i := range snap.PodMetrics.Items {
		item := &snap.PodMetrics.Items[i]
		for _, p := range snap.Pods { // samples that end when the pod has been ready for just their window
			if p.Name == item.Name && len(p.Status.Conditions) > 0 && r.Intn(2) == 0 {
				item.Timestamp = metav1.NewTime(p.Status.Conditions[0].LastTransitionTime.Add(item.Window.Duration + pick(r, -time.Second, 0, time.Second)).Truncate(time.Second))
			}
		}
	}
}

// prepareQuantities draws targets, requests and flags in notations that are valid and rare.
func prepareQuantities(s *scenario) {
	r := s.rng
	prepareAnything(s)
	for i := range s.hpa.Spec.Metrics {
		t := targetOf(&s.hpa.Spec.Metrics[i])
		if t.Value != nil {
			t.Value = ptr(s.positive(t.Value.AsApproximateFloat64()))
		}
		if t.AverageValue != nil {
			t.AverageValue = ptr(s.positive(t.AverageValue.AsApproximateFloat64()))
		}
	}
	for i := range s.world.template.Containers {
		c := &s.world.template.Containers[i]
		s.rewrite(c.Resources.Requests)
	}
	if r.Intn(2) == 0 {
		s.cfg.Tolerance = pick(r, 1e-9, 0.30000000000000004, 5, 0.1+1e-16, 1)
		s.cfg.SyncPeriodSeconds = pick(r, 15, 7.25, 3.003)
		s.cfg.DownscaleStabilizationSeconds = pick(r, 300, 0.001, 7200.75)
		s.cfg.CPUInitializationPeriodSeconds = pick(r, 300, 0.000001, 86400.5)
		s.cfg.InitialReadinessDelaySeconds = pick(r, 30, 0.999, 59.5)
	}
}

// rewrite writes quantities in other notations, in a fixed order.
func (s *scenario) rewrite(list corev1.ResourceList) {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q, ok := list[name]; ok {
			list[name] = s.notation(q.AsApproximateFloat64())
		}
	}
}

func targetOf(m *autoscalingv2.MetricSpec) *autoscalingv2.MetricTarget {
	switch {
	case m.Resource != nil:
		return &m.Resource.Target
	case m.ContainerResource != nil:
		return &m.ContainerResource.Target
	case m.Pods != nil:
		return &m.Pods.Target
	case m.Object != nil:
		return &m.Object.Target
	}
	return &m.External.Target
}

// notation writes about this value in one of the many ways that parse.
func (s *scenario) notation(v float64) resource.Quantity {
	r := s.rng
	digits := func(v float64, n int) string { return strconv.FormatFloat(v, 'f', n, 64) }
	q, err := resource.ParseQuantity(pick(r,
		digits(v, r.Intn(13)), "+"+digits(v, 3), "000"+digits(v, 2), strings.TrimPrefix(digits(v, 4), "0"), digits(v, 0)+".",
		digits(v*1e3, r.Intn(3))+"m", digits(v*1e6, 0)+"u", digits(v*1e9, 0)+"n", digits(v*1e3, 1)+"e-3", digits(v/1e3, 6)+"E3",
		digits(v/1e3, 9)+"k", digits(v/1024, r.Intn(9))+"Ki", digits(v/(1<<20), 12)+"Mi", digits(v/1e6, 12)+"M", digits(v*10, 0)+"e-1",
	))
	if err != nil {
		panic(err)
	}
	return q
}

// positive is a notation of a target, which the API server wants above zero.
func (s *scenario) positive(v float64) resource.Quantity {
	for {
		if q := s.notation(v); q.Sign() > 0 {
			return q
		}
	}
}

// spoilQuantities writes samples in rare notations, with windows and times that only a broken server sends.
func spoilQuantities(s *scenario, snap *Snapshot) {
	r := s.rng
	for i := range snap.CustomMetrics {
		for k := range snap.CustomMetrics[i].Items {
			item := &snap.CustomMetrics[i].Items[k]
			item.Value = s.notation(item.Value.AsApproximateFloat64())
		}
	}
	for i := range snap.ExternalMetrics {
		for k := range snap.ExternalMetrics[i].Items {
			item := &snap.ExternalMetrics[i].Items[k]
			item.Value = s.notation(item.Value.AsApproximateFloat64())
		}
	}
	if snap.PodMetrics == nil {
		return
	}
	for i := range snap.PodMetrics.Items {
		item := &snap.PodMetrics.Items[i]
		for k := range item.Containers {
			s.rewrite(item.Containers[k].Usage)
		}
		if r.Intn(3) == 0 {
			item.Window.Duration = pick(r, 0, 1, 999*time.Microsecond, 1500*time.Millisecond, time.Hour+1, -5*time.Second, 1<<63-1, 90*time.Second+3*time.Nanosecond)
		}
		if r.Intn(8) == 0 {
			item.Timestamp = pick(r, metav1.Time{}, metav1.Unix(0, 0), metav1.Unix(-62135596799, 0), metav1.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC))
		}
	}
}

// upsetRecreated deletes the HPA and creates it again: in one step, so that the controller keeps what it remembers, or late.
func upsetRecreated(s *scenario, d *driver) bool {
	r := s.rng
	if r.Intn(4) > 0 {
		return false
	}
	s.await(d)
	hpa := d.hpa()
	// A sync that waits for its snapshot looks the HPA up again once it has one: it finds the new HPA, and keeps the memory.
	waits := d.immediate && d.isWaiting()
	d.deleteHPA(hpaName)
	late := r.Intn(2) == 0
	if late {
		time.Sleep(seconds(s.cfg.SyncPeriodSeconds * 1.5))
	}
	hpa.Status = autoscalingv2.HorizontalPodAutoscalerStatus{}
	if r.Intn(3) == 0 {
		hpa.Spec.MaxReplicas = max(*hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas-2)
		s.hpa.Spec.MaxReplicas = hpa.Spec.MaxReplicas
	}
	hpa.CreationTimestamp = metav1.NewTime(time.Now())
	d.createHPA(hpa)
	if late && d.immediate {
		d.due = time.Time{}
	}
	return late && !waits
}

var podSelectors = []string{
	"app=web", "app==web", "app=web,tier!=db", "app in (web,api)", "app in (web), app in (web,api)", "!canary", "canary", "canary,app=web",
	"track notin (canary),app", "app=", "app in ()", " app = web ", "app=web,app=api", "tier!=", "shard>5", "shard<5,app=web", "shard>x", "shard>05",
	"example.com/part=web", "Example.com/part", "example.com/part,app notin (,api)", "in in (in)", "notin", ",", "app=web,", "a b", "=x", "app in (web",
	"app=" + strings.Repeat("w", 64), strings.Repeat("k", 64) + "=web", "a/b/c=web", "äpp=web", "app=wéb", "app=-web", "", "app!=api,tier in (front,back,)",
	"app\t=\nweb", "app>=1", "app=web;tier", "app=web,tier=front,!shard", "100%d=web", "app in (web,100%s)",
}

func prepareSelectors(s *scenario) {
	r := s.rng
	prepareAnything(s)
	s.world.selector = pick(r, podSelectors...)
	if r.Intn(3) == 0 {
		s.standElsewhere()
	}
}

// spoilSelectors gives each pod labels of its own, puts pods of others beside, and now and then another selector.
func spoilSelectors(s *scenario, snap *Snapshot) {
	r := s.rng
	if r.Intn(4) == 0 {
		s.world.selector = pick(r, podSelectors...)
	}
	if snap.Scale != nil {
		snap.Scale.Status.Selector = s.world.selector
	}
	labels := func(name string) map[string]string {
		h := fnv.New32()
		h.Write([]byte(name))
		n := h.Sum32() >> 3
		out := map[string]string{"app": "web", "tier": "front"}
		for i, add := range [][2]string{{"canary", ""}, {"shard", "7"}, {"track", "canary"}, {"example.com/part", "web"}, {"shard", "x"}, {"app", "api"}, {"tier", ""}, {"in", "in"}, {"shard", "-3"}} {
			if n>>i&3 == 3 {
				out[add[0]] = add[1]
			}
		}
		return out
	}
	for i := range snap.Pods {
		snap.Pods[i].Labels = labels(snap.Pods[i].Name)
	}
	if snap.PodMetrics != nil {
		for i := range snap.PodMetrics.Items {
			snap.PodMetrics.Items[i].Labels = labels(snap.PodMetrics.Items[i].Name)
		}
	}
	for i := range 2 {
		p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("job-%d", i)}, Status: corev1.PodStatus{Phase: corev1.PodSucceeded},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}}}}}
		if i == 0 {
			p.Labels = map[string]string{"app": "job", "canary": "yes"}
		}
		snap.Pods = append(snap.Pods, p)
	}
}

// prepareStartup draws pods with many init containers, sidecars between them, and requests of every kind.
func prepareStartup(s *scenario) {
	r := s.rng
	s.addMetrics(pick(r, s.resourceMetric(corev1.ResourceCPU, false), s.resourceMetric(corev1.ResourceMemory, false), s.containerMetric()))
	spec := &s.world.template
	list := func() corev1.ResourceList {
		out := corev1.ResourceList{}
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, "hugepages-2Mi", "example.com/gpu"} {
			if r.Intn(3) > 0 {
				out[name] = resource.MustParse(pick(r, "0", "1", "250m", "1500m", "64Mi", "1e-3", "0.0000001", "2"))
			}
		}
		return out
	}
	for i := range r.Intn(5) {
		c := corev1.Container{Name: fmt.Sprintf("init-%d", i), Resources: corev1.ResourceRequirements{Requests: list()}}
		if r.Intn(2) == 0 {
			makeSidecar(&c)
		}
		spec.InitContainers = append(spec.InitContainers, c)
	}
	if r.Intn(3) == 0 {
		spec.Containers = append(spec.Containers, corev1.Container{Name: "extra", Resources: corev1.ResourceRequirements{Requests: list(), Limits: list()}})
	}
	if r.Intn(2) == 0 {
		s.podLevel(spec)
	}
	if r.Intn(3) == 0 {
		spec.Overhead = list()
	}
}

// upsetStrangers lets somebody else write the status of the HPA.
func upsetStrangers(s *scenario, d *driver) bool {
	r := s.rng
	if r.Intn(3) > 0 {
		return false
	}
	hpa := d.hpa()
	st := &hpa.Status
	switch r.Intn(8) {
	case 0:
		*st = autoscalingv2.HorizontalPodAutoscalerStatus{}
	case 1:
		st.CurrentReplicas, st.DesiredReplicas = 77, 0
	case 2:
		st.Conditions = append([]autoscalingv2.HorizontalPodAutoscalerCondition{{Type: "Checked", Status: "True", Reason: "ByHand", Message: "50% sure"}}, st.Conditions...)
	case 3:
		for i := range st.Conditions {
			st.Conditions[i].Status = pick(r, corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown)
			st.Conditions[i].LastTransitionTime = pick(r, metav1.Time{}, metav1.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC))
		}
	case 4:
		r.Shuffle(len(st.Conditions), func(i, j int) { st.Conditions[i], st.Conditions[j] = st.Conditions[j], st.Conditions[i] })
		st.Conditions = append(st.Conditions, st.Conditions...)
	case 5:
		st.ObservedGeneration, st.LastScaleTime = ptr(int64(12)), ptr(metav1.Date(1999, 12, 31, 23, 59, 59, 0, time.UTC))
	case 6:
		st.CurrentMetrics = []autoscalingv2.MetricStatus{{}, {Type: "Resource"}, {Type: "Odd"},
			{Type: "Resource", Resource: &autoscalingv2.ResourceMetricStatus{Name: "cpu", Current: autoscalingv2.MetricValueStatus{AverageValue: ptr(resource.MustParse("1.50"))}}}}
	case 7:
		st.Conditions = append(st.Conditions, autoscalingv2.HorizontalPodAutoscalerCondition{
			Type: "ScaledToZero", Status: pick(r, corev1.ConditionTrue, corev1.ConditionFalse), Reason: "ScaledToZero"})
	}
	d.setHPA(roundTrip(hpa))
	return false
}

// prepareTargets draws specs that validation lets through only in part: the controller has to live with them.
func prepareTargets(s *scenario) {
	r := s.rng
	prepareAnything(s)
	q := resource.MustParse(pick(r, "10", "500m", "3"))
	for i := range s.hpa.Spec.Metrics {
		m := &s.hpa.Spec.Metrics[i]
		t := targetOf(m)
		switch r.Intn(8) {
		case 0:
			if m.Pods == nil { // without it the controller crashes
				*t = autoscalingv2.MetricTarget{Type: t.Type}
			}
		case 1:
			t.Value, t.AverageValue = &q, &q
		case 2:
			t.Type = pick(r, autoscalingv2.UtilizationMetricType, autoscalingv2.ValueMetricType, autoscalingv2.AverageValueMetricType, "")
		case 3:
			t.AverageUtilization, t.AverageValue = ptr(int32(70)), &q
		case 4:
			if m.Resource != nil {
				m.Resource.Name = pick[corev1.ResourceName](r, "hugepages-2Mi", "example.com/gpu", "CPU", "ephemeral-storage")
			}
		case 5:
			*m = autoscalingv2.MetricSpec{Type: pick[autoscalingv2.MetricSourceType](r, "Queue", "")}
		}
	}
	switch r.Intn(6) {
	case 0:
		s.hpa.Spec.Metrics = nil
	case 1:
		s.hpa.Spec.MaxReplicas = *s.hpa.Spec.MinReplicas
	case 2: // as an object of another version could be converted
		s.hpa.Spec.MaxReplicas = max(1, *s.hpa.Spec.MinReplicas-1)
	case 3:
		s.addMetrics(s.anyMetric(), s.anyMetric(), s.anyMetric())
	}
}
