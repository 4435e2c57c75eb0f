package oracle

import (
	"fmt"
	"math"
	"slices"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	autoscalingapiv2 "k8s.io/kubernetes/pkg/apis/autoscaling/v2"
)

// trouble is what makes a family of scenarios special.
type trouble struct {
	// prepare changes the scenario once it has been drawn.
	prepare func(*scenario)
	// upset happens between two reconciles; true: the controller has forgotten the HPA.
	upset func(*scenario, *driver) bool
	// spoil changes what the controller will read next.
	spoil func(*scenario, *Snapshot)
}

// troubles are the families of seeds from firstTroubled on, beside the older ones.
var troubles = map[string]trouble{}

// lateTroubles come up beside them from the seed firstLate on, if the release has what they are about.
var lateTroubles = map[string]trouble{}

func init() {
	for name, t := range map[string]trouble{
		"answers":    {prepareAnything, nil, spoilAnswers},
		"behaviors":  {prepareBehaviors, upsetBehaviors, nil},
		"clock":      {prepareClock, upsetClock, spoilClock},
		"conflicts":  {prepareConflicts, upsetConflicts, spoilConflicts},
		"crowd":      {prepareCrowd, nil, nil},
		"described":  {prepareDescribed, nil, nil},
		"edits":      {prepareBusy, upsetEdits, leaveOneGap},
		"gates":      {prepareGates, upsetGates, spoilGates},
		"neighbors":  {prepareNeighbors, upsetNeighbors, nil},
		"phases":     {prepareCPU, nil, spoilPhases},
		"quantities": {prepareQuantities, nil, spoilQuantities},
		"recreated":  {prepareAnything, upsetRecreated, nil},
		"selectors":  {prepareSelectors, nil, spoilSelectors},
		"startup":    {prepareStartup, nil, nil},
		"strangers":  {prepareAnything, upsetStrangers, nil},
		"targets":    {prepareTargets, nil, nil},
	} {
		troubles[name] = t
	}
	lateTroubles["stale"] = trouble{prepareStale, upsetStale, leaveOneGap}
}

func (s *scenario) isTroubled() bool { return s.trouble.prepare != nil }

// spoiled is a snapshot after the family's trouble, as an API server would hand it out.
func (s *scenario) spoiled(snap *Snapshot) *Snapshot {
	if s.trouble.spoil != nil {
		s.trouble.spoil(s, snap)
	}
	return roundTrip(snap)
}

func (s *scenario) addMetrics(m ...autoscalingv2.MetricSpec) {
	s.hpa.Spec.Metrics = append(s.hpa.Spec.Metrics, m...)
}

// anyMetric is a metric of any kind.
func (s *scenario) anyMetric() autoscalingv2.MetricSpec {
	r := s.rng
	switch r.Intn(8) {
	case 0, 1:
		return s.resourceMetric(corev1.ResourceCPU, r.Intn(3) == 0)
	case 2:
		return s.resourceMetric(corev1.ResourceMemory, r.Intn(2) == 0)
	case 3, 4:
		return s.containerMetric()
	case 5:
		return s.custom("Pods", "requests_per_second")
	case 6:
		return s.custom("Object", "requests_total")
	}
	return s.custom("External", "queue_depth")
}

func prepareAnything(s *scenario) {
	s.addMetrics(s.anyMetric())
	if s.rng.Intn(3) == 0 {
		s.addMetrics(s.anyMetric())
	}
}

func prepareCPU(s *scenario) { s.addMetrics(s.resourceMetric(corev1.ResourceCPU, s.rng.Intn(3) == 0)) }

// prepareBusy makes a workload that is rescaled often.
func prepareBusy(s *scenario) {
	s.addMetrics(s.resourceMetric(corev1.ResourceCPU, s.rng.Intn(4) == 0))
	s.shape, s.period = pick(s.rng, 3, 5), 3
	s.base, s.peak = 0.2, float64(s.hpa.Spec.MaxReplicas)*1.5
}

// spoilAnswers makes the metrics APIs answer what they should not, or not at all.
func spoilAnswers(s *scenario, snap *Snapshot) {
	r := s.rng
	for i := range snap.CustomMetrics {
		if items := snap.CustomMetrics[i].Items; len(items) > 0 {
			switch r.Intn(8) {
			case 0: // twice, with another value
				again := *items[r.Intn(len(items))].DeepCopy()
				again.Value = s.world.quantity(r.Float64() * 500)
				snap.CustomMetrics[i].Items = append(items, again)
			case 1:
				snap.CustomMetrics[i].Items = nil
			case 2: // of something else
				items[0].DescribedObject = corev1.ObjectReference{Kind: "Node", Name: "node-1", APIVersion: "/v1"}
			case 3:
				items[r.Intn(len(items))].Value = resource.MustParse(pick(r, "-3", "0", "-250m", "9223372036854775807", "1e-9"))
			case 4:
				items[0].WindowSeconds = ptr(pick(r, int64(0), -60, 86400, 10_000_000_000))
			}
		}
		if r.Intn(6) == 0 {
			snap.CustomMetrics[i].Items, snap.CustomMetrics[i].Error = nil, s.oddError()
		}
	}
	for i := range snap.ExternalMetrics {
		items := snap.ExternalMetrics[i].Items
		switch r.Intn(6) {
		case 0:
			for range 40 {
				items = append(items, items[:min(1, len(items))]...)
			}
		case 1:
			for k := range items {
				items[k].Value = resource.MustParse(pick(r, "-1", "9223372036854775", "5E", "0", "-9223372036854775", "3"))
			}
		case 2:
			items = nil
		}
		snap.ExternalMetrics[i].Items = items
		if r.Intn(6) == 0 {
			snap.ExternalMetrics[i].Items, snap.ExternalMetrics[i].Error = nil, s.oddError()
		}
	}
	if snap.PodMetrics == nil || len(snap.PodMetrics.Items) == 0 {
		return
	}
	items := snap.PodMetrics.Items
	one, what := &items[r.Intn(len(items))], r.Intn(9)
	if len(one.Containers) == 0 {
		return
	}
	switch what {
	case 0:
		again := *one.DeepCopy()
		again.Containers[0].Usage[corev1.ResourceCPU] = s.world.quantity(3 * r.Float64())
		snap.PodMetrics.Items = append(items, again)
	case 1:
		one.Containers = nil
	case 2:
		one.Containers = append(one.Containers, *one.Containers[0].DeepCopy())
	case 3:
		one.Labels = map[string]string{"app": "other"}
	case 4:
		one.Containers[0].Name = "renamed"
	case 5:
		slices.Reverse(items)
	case 6:
		one.Containers[0].Usage[corev1.ResourceCPU] = resource.MustParse(pick(r, "-100m", "0", "9223372036854775807"))
	case 7:
		snap.PodMetrics = &PodMetricsAnswer{Error: s.oddError()}
	}
}

// oddError is an answer whose text is no plain sentence.
func (s *scenario) oddError() *metav1.Status {
	err := pick(s.rng,
		apierrors.NewInternalError(fmt.Errorf("100%% of queries failed: %%!d(string=x) %%s 50%%")),
		apierrors.NewInternalError(fmt.Errorf("zwei Zeilen:\n\tdie zweite \"zitiert\" – mit Ümläuten")),
		apierrors.NewGenericServerResponse(503, "get", schema.GroupResource{Group: "custom.metrics.k8s.io", Resource: "pods"}, "*", "upstream connect error", 5, true),
		apierrors.NewTooManyRequests("slow down", 7), apierrors.NewUnauthorized("no token"), apierrors.NewBadRequest(""),
		apierrors.NewNotFound(schema.GroupResource{}, ""), apierrors.NewGone("old"),
	)
	return status(err)
}

// prepareBehaviors draws rules that validation accepts and nobody writes.
func prepareBehaviors(s *scenario) {
	prepareBusy(s)
	s.hpa.Spec.Behavior = s.oddBehavior()
	if s.rng.Intn(3) == 0 {
		s.cfg.DownscaleStabilizationSeconds = pick(s.rng, 0.4, 59.999, 3600.5, 86400*365)
	}
	if s.rng.Intn(3) == 0 {
		s.hpa.Spec.MaxReplicas = pick(s.rng, int32(200), 1000, math.MaxInt32)
		s.peak = 300
	}
}

func (s *scenario) oddBehavior() *autoscalingv2.HorizontalPodAutoscalerBehavior {
	r := s.rng
	side := func() *autoscalingv2.HPAScalingRules {
		rules := &autoscalingv2.HPAScalingRules{
			StabilizationWindowSeconds: pick(r, nil, nil, ptr(int32(0)), ptr(int32(1)), ptr(int32(20)), ptr(int32(3600))),
			SelectPolicy: pick(r, nil, nil, ptr(autoscalingv2.MaxChangePolicySelect), ptr(autoscalingv2.MinChangePolicySelect),
				ptr(autoscalingv2.DisabledPolicySelect)),
		}
		for range r.Intn(5) {
			rules.Policies = append(rules.Policies, autoscalingv2.HPAScalingPolicy{
				Type:          pick(r, autoscalingv2.PodsScalingPolicy, autoscalingv2.PercentScalingPolicy),
				Value:         pick(r, int32(1), 2, 3, 7, 10, 33, 80, 90, 100, 101, 150, 10000, math.MaxInt32),
				PeriodSeconds: pick(r, int32(1), 14, 15, 16, 29, 31, 45, 300, 1800),
			})
		}
		setTolerance(r, s.minor, rules)
		return rules
	}
	out := &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: side(), ScaleDown: side()}
	hpa := &autoscalingv2.HorizontalPodAutoscaler{Spec: autoscalingv2.HorizontalPodAutoscalerSpec{Behavior: out}}
	autoscalingapiv2.SetDefaults_HorizontalPodAutoscalerBehavior(hpa)
	return hpa.Spec.Behavior
}

// upsetBehaviors changes the rules while there is something to remember.
func upsetBehaviors(s *scenario, d *driver) bool {
	if s.rng.Intn(5) > 0 {
		return false
	}
	hpa := d.hpa()
	s.hpa.Spec.Behavior = pick(s.rng, nil, s.oddBehavior(), s.oddBehavior(), s.oddBehavior())
	hpa.Spec.Behavior = s.hpa.Spec.Behavior
	s.edit(d, roundTrip(hpa))
	return false
}

// prepareClock draws a controller that may come by only every few minutes or hours.
func prepareClock(s *scenario) {
	prepareAnything(s)
	s.cfg.SyncPeriodSeconds = pick(s.rng, 15.0, 15, 290, 14400)
}

// upsetClock makes the controller wait for the scale, up to a second sync's time: then its syncs move.
func upsetClock(s *scenario, d *driver) bool {
	d.moves = true
	if s.rng.Intn(3) == 0 {
		d.plan.pause = pick(s.rng, 700*time.Millisecond, seconds(s.cfg.SyncPeriodSeconds*0.4), seconds(s.cfg.SyncPeriodSeconds*0.9))
	}
	return false
}

// spoilClock shows pods and samples by clocks that are not the controller's.
func spoilClock(s *scenario, snap *Snapshot) {
	r := s.rng
	skew := func() time.Duration {
		return pick(r, 0, time.Second, -time.Second, 40*time.Second, -40*time.Second, 7*time.Minute, -7*time.Minute, 3*time.Hour, -3*time.Hour, 9000*time.Hour)
	}
	nodes, samples := skew(), skew()
	shift := func(t *metav1.Time, by time.Duration) {
		if t != nil && !t.IsZero() {
			t.Time = t.Add(by)
		}
	}
	for i := range snap.Pods {
		p := &snap.Pods[i]
		if r.Intn(6) == 0 {
			nodes = skew()
		}
		shift(&p.CreationTimestamp, nodes)
		shift(p.Status.StartTime, nodes)
		for k := range p.Status.Conditions {
			shift(&p.Status.Conditions[k].LastTransitionTime, nodes)
		}
	}
	if snap.PodMetrics != nil {
		for i := range snap.PodMetrics.Items {
			shift(&snap.PodMetrics.Items[i].Timestamp, samples)
		}
	}
}

// upsetConflicts plans writes of the scale that meet others.
func upsetConflicts(s *scenario, d *driver) bool {
	if s.rng.Intn(2) == 0 {
		d.plan.refusals = 1 + s.rng.Intn(6)
	}
	return false
}

// prepareConflicts keeps apart what a recording can't: a write of the scale that is retried comes some milliseconds after
// the moment of the snapshot, and must fall into the same second, and out of no policy's period that the snapshot is in.
// So edits come at one point of the period only, see await.
func prepareConflicts(s *scenario) {
	prepareBusy(s)
	s.start = s.start.Add(-time.Duration(s.start.Nanosecond() / 2))
	if s.hpa.Spec.Behavior == nil {
		return
	}
	for _, rules := range []*autoscalingv2.HPAScalingRules{s.hpa.Spec.Behavior.ScaleUp, s.hpa.Spec.Behavior.ScaleDown} {
		if rules == nil {
			continue
		}
		for i := range rules.Policies {
			if period := &rules.Policies[i].PeriodSeconds; *period%int32(s.cfg.SyncPeriodSeconds) == 0 {
				*period--
			}
		}
	}
}

// leaveOneGap gives requests to all pods without but one: which of several the controller names is the order of a Go map, and
// whether that is the one that its status names already decides whether it writes, and so whether a write is refused.
func leaveOneGap(_ *scenario, snap *Snapshot) {
	hasGap := false
	for i := range snap.Pods {
		resources := &snap.Pods[i].Spec.Containers[0].Resources
		if len(resources.Requests) > 0 {
			continue
		}
		if hasGap {
			resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m"), corev1.ResourceMemory: resource.MustParse("256Mi")}
		}
		hasGap = true
	}
}

// spoilConflicts refuses writes of the status.
func spoilConflicts(s *scenario, snap *Snapshot) {
	leaveOneGap(s, snap)
	r := s.rng
	gr := schema.GroupResource{Group: "autoscaling", Resource: "horizontalpodautoscalers"}
	if r.Intn(3) == 0 {
		snap.StatusWriteError = pick(r, conflict(gr.Group, gr.Resource, hpaName), conflict(gr.Group, gr.Resource, hpaName),
			status(apierrors.NewNotFound(gr, hpaName)), status(apierrors.NewInternalError(fmt.Errorf("etcdserver: request timed out"))),
			status(apierrors.NewForbidden(gr, hpaName, fmt.Errorf("quota of 100%% reached"))))
	}
}

// prepareCrowd makes a workload of thousands of pods.
func prepareCrowd(s *scenario) {
	r := s.rng
	s.addMetrics(s.resourceMetric(pick(r, corev1.ResourceCPU, corev1.ResourceCPU, corev1.ResourceMemory), r.Intn(3) == 0))
	if r.Intn(4) == 0 {
		s.hpa.Spec.Metrics[0] = s.custom("Pods", "requests_per_second")
	}
	s.world.limit, s.steps = 6000, 3
	s.world.replicas = int32(700 + r.Intn(2500))
	s.hpa.Spec.MinReplicas, s.hpa.Spec.MaxReplicas = ptr(s.world.replicas/2), s.world.replicas*2
	s.base, s.peak = float64(s.world.replicas)*(0.4+r.Float64()), float64(s.world.replicas)*(0.4+r.Float64())
	s.chaos = 0.2
}

// prepareDescribed draws Object metrics of everything, Namespaces above all, and metrics that share a name.
func prepareDescribed(s *scenario) {
	r := s.rng
	for range 1 + r.Intn(3) {
		m := s.custom("Object", pick(r, "requests_total", "requests_total", "open%20connections"))
		m.Object.DescribedObject = pick(r,
			autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Namespace", Name: namespace},
			autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Namespace", Name: "another"},
			autoscalingv2.CrossVersionObjectReference{Kind: "Namespace", Name: namespace},
			autoscalingv2.CrossVersionObjectReference{APIVersion: "example.com/v1", Kind: "Namespace", Name: "tenant"},
			autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Service", Name: "web"},
			autoscalingv2.CrossVersionObjectReference{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "web"},
			autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-1"},
			autoscalingv2.CrossVersionObjectReference{APIVersion: "example.com/v1beta3", Kind: "Mesh", Name: "a.b.c"})
		s.addMetrics(m)
	}
	if r.Intn(3) == 0 {
		s.addMetrics(s.custom("External", "queue_depth"), s.custom("External", "queue_depth"))
	}
	if r.Intn(3) == 0 {
		s.addMetrics(s.custom("Pods", "requests_total"))
	}
	for _, m := range s.hpa.Spec.Metrics {
		if r.Intn(3) == 0 {
			id := identifier(m)
			id.Selector = oddLabelSelector(r.Intn(14))
		}
	}
}

func identifier(m autoscalingv2.MetricSpec) *autoscalingv2.MetricIdentifier {
	switch {
	case m.Pods != nil:
		return &m.Pods.Metric
	case m.Object != nil:
		return &m.Object.Metric
	}
	return &m.External.Metric
}

// oddLabelSelector is a metric's selector that is rarely written, or that cannot be used.
func oddLabelSelector(n int) *metav1.LabelSelector {
	need := func(key string, op metav1.LabelSelectorOperator, values ...string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: key, Operator: op, Values: values}}}
	}
	return []*metav1.LabelSelector{
		nil, {}, {MatchLabels: map[string]string{"b": "2", "a": "1"}}, {MatchLabels: map[string]string{"a": ""}},
		{MatchLabels: map[string]string{"a b": "1"}}, {MatchLabels: map[string]string{"a": "-1-"}},
		need("zone", metav1.LabelSelectorOpExists), need("zone", metav1.LabelSelectorOpDoesNotExist),
		need("zone", metav1.LabelSelectorOpNotIn, "b", "a", "b"), need("zone", metav1.LabelSelectorOpIn),
		need("zone", metav1.LabelSelectorOpExists, "q"), need("zone", "Like", "a"), need("", metav1.LabelSelectorOpIn, "a"),
		need("example.com/zone", metav1.LabelSelectorOpIn, "ä"),
	}[n]
}

// upsetEdits changes the spec while the controller works with the old one: the write of the status conflicts, that of
// the scale does not.
func upsetEdits(s *scenario, d *driver) bool {
	r := s.rng
	if r.Intn(3) > 0 {
		return false
	}
	d.plan.edit = func(d *driver) {
		hpa := d.hpa()
		switch r.Intn(4) {
		case 0:
			hpa.Spec.MaxReplicas = max(*hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas+int32(r.Intn(9)-4))
		case 1:
			hpa.Spec.MinReplicas = ptr(int32(1 + r.Intn(int(hpa.Spec.MaxReplicas))))
		case 2:
			hpa.Spec.Behavior = s.oddBehavior()
		case 3:
			hpa.Spec.Metrics[0] = s.resourceMetric(corev1.ResourceCPU, r.Intn(2) == 0)
		}
		hpa.Generation++
		d.setHPA(roundTrip(hpa))
		s.hpa.Spec = *hpa.Spec.DeepCopy()
		d.mu.Lock()
		defer d.mu.Unlock()
		d.cur.StatusWriteError = conflict("autoscaling", "horizontalpodautoscalers", hpaName)
	}
	return false
}

// prepareGates sets every gate that the controller of the release may look at.
func prepareGates(s *scenario) {
	r := s.rng
	s.addMetrics(s.anyMetric(), s.containerMetric(), pick(r, s.resourceMetric(corev1.ResourceCPU, false), s.custom("External", "queue_depth")))
	s.hpa.Spec.Metrics = s.hpa.Spec.Metrics[r.Intn(3):]
	if r.Intn(2) == 0 {
		s.hpa.Spec.MinReplicas = ptr(int32(0))
		s.base = 0
	}
	s.hpa.Spec.Behavior = pick(r, nil, s.oddBehavior(), s.oddBehavior())
	for _, gate := range []struct {
		name        string
		first, last int
	}{
		{"HPAContainerMetrics", 27, 29}, {"HPAScaleToZero", 23, 99}, {"HPAConfigurableTolerance", 33, 36}, {"PodLevelResources", 32, 35},
		{"HPAGeneration", 37, 37}, {"HPAOptimizedSelectorStore", 37, 99}, {"StaleControllerConsistencyHPA", 37, 99},
	} {
		if gate.first <= s.minor && s.minor <= gate.last {
			s.gates[gate.name] = r.Intn(2) == 0
		}
	}
	if r.Intn(2) == 0 {
		// All pods alike: which of two gaps of a different kind the controller names would be the order of a Go map.
		s.podLevel(&s.world.template)
	}
	s.others = s.minor >= firstImmediate && r.Intn(2) == 0
}

// upsetGates changes the spec, which one of the gates makes the controller notice.
func upsetGates(s *scenario, d *driver) bool {
	if s.minor < firstImmediate || s.rng.Intn(4) > 0 {
		return false
	}
	hpa := d.hpa()
	hpa.Spec.MaxReplicas = max(1, *hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas+int32(s.rng.Intn(7)-3))
	s.hpa.Spec.MaxReplicas = hpa.Spec.MaxReplicas
	s.edit(d, hpa)
	return false
}

// spoilGates stops the workload now and then.
func spoilGates(s *scenario, snap *Snapshot) {
	if snap.Scale != nil && s.rng.Intn(5) == 0 {
		snap.Scale.Spec.Replicas = 0
	}
}

// prepareNeighbors puts other HPAs beside, here and in another namespace.
func prepareNeighbors(s *scenario) {
	prepareCPU(s)
	s.others = true
	if s.minor >= firstImmediate {
		s.gates["HPAOptimizedSelectorStore"] = s.rng.Intn(3) > 0
	}
	s.standElsewhere()
}

// upsetNeighbors changes the neighbors' selectors, and removes and adds neighbors.
func upsetNeighbors(s *scenario, d *driver) bool {
	r := s.rng
	d.mu.Lock()
	names := sortedKeys(d.other)
	d.mu.Unlock()
	if r.Intn(2) == 0 {
		return false
	}
	s.await(d)
	name := fmt.Sprintf("other-%d", r.Intn(4))
	scale := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       autoscalingv1.ScaleSpec{Replicas: int32(r.Intn(3))},
		Status: autoscalingv1.ScaleStatus{Replicas: 1, Selector: pick(r, "app=web", "app=web", "app=other", "tier", "!tier", "app in (web", "",
			"app=web,tier=front", "app notin (api)", "app==web")},
	}
	exists := slices.Contains(names, name)
	if exists && r.Intn(3) == 0 {
		d.deleteHPA(name)
		d.mu.Lock()
		delete(d.other, name)
		delete(d.known, name)
		d.mu.Unlock()
		return false
	}
	d.mu.Lock()
	d.other[name] = scale
	d.mu.Unlock()
	if !exists {
		other := s.hpa.DeepCopy()
		other.Name, other.Spec.ScaleTargetRef.Name, other.Status = name, name, autoscalingv2.HorizontalPodAutoscalerStatus{}
		d.createHPA(other)
	} else if d.immediate && r.Intn(2) == 0 {
		d.editOther(name)
	}
	return false
}

// prepareStale makes a controller whose informer of HPAs lags behind its own writes: with the gate it waits until it has seen
// them, without it works with what it has.
func prepareStale(s *scenario) {
	prepareBusy(s)
	s.gates["StaleControllerConsistencyHPA"] = s.rng.Intn(2) == 0
}

// upsetStale holds events of HPAs back: from before the next sync until before the one after, or later.
func upsetStale(s *scenario, d *driver) bool {
	if s.rng.Intn(3) == 0 {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.heldUntil = d.due.Add(seconds(s.cfg.SyncPeriodSeconds * pick(s.rng, 0.6, 1.3, 2.4)))
	}
	return false
}

// standElsewhere puts pods and an HPA of the same names into another namespace, where they concern nobody here.
func (s *scenario) standElsewhere() {
	hpa := s.hpa.DeepCopy()
	hpa.Namespace = elsewhere
	s.elsewhere = append(s.elsewhere, hpa)
	for i := range 3 {
		s.elsewhere = append(s.elsewhere, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: elsewhere, Name: fmt.Sprintf("web-%03d", i+1), Labels: labels.Set{"app": "web", "tier": "front"}},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}, Status: corev1.PodStatus{Phase: corev1.PodRunning},
		})
	}
}
