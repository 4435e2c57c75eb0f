package oracle

import (
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// firstEdited is the first seed of the family `edited`, which all seeds from there to afterEdited are of: others had taken the
// seeds before it came.
const firstEdited = 300_000

// afterEdited is the first seed that is of another family again: those of weekly.sh are larger.
const afterEdited = 400_000

// Writes are the times and writers in an HPA's managedFields, as `kubectl hpa capture` keeps them.
type Writes struct {
	EditedBy      *Writer      `json:"hpaEditedBy,omitempty"`
	StatusWritten *metav1.Time `json:"hpaStatusWritten,omitempty"`
}

// Writer is a field manager.
type Writer struct {
	Manager   string      `json:"manager"`
	Operation string      `json:"operation"`
	Time      metav1.Time `json:"time"`
}

// prepareEdited draws a workload that often reaches its bounds, and whether the API tells who wrote the HPA when.
func prepareEdited(s *scenario) {
	r := s.rng
	s.addMetrics(s.anyMetric())
	if r.Intn(3) == 0 {
		s.addMetrics(s.anyMetric())
	}
	s.chaos = pick(r, 0, 0, 0.05)
	s.peak = float64(s.hpa.Spec.MaxReplicas) * (0.8 + 1.6*r.Float64())
	s.hasWrites = r.Intn(3) > 0
}

// upsetEdited edits the spec between two syncs: one thing or several, once or twice, or there and back.
func upsetEdited(s *scenario, d *driver) bool {
	r := s.rng
	if r.Intn(3) > 0 {
		return false
	}
	before := s.hpa.Spec.DeepCopy()
	for range pick(r, 1, 1, 1, 1, 2, 3) {
		s.editOnce()
	}
	edit := func() {
		hpa := d.hpa()
		hpa.Spec = *s.hpa.Spec.DeepCopy()
		if apiequality.Semantic.DeepEqual(hpa.Spec, d.hpa().Spec) {
			return
		}
		s.edit(d, roundTrip(hpa))
		s.edited = metav1.NewTime(time.Now())
		if !d.immediate {
			room := int(time.Until(d.due) / time.Second)
			s.edited = metav1.NewTime(time.Now().Add(time.Duration(r.Intn(max(1, room))) * time.Second))
		}
	}
	if !d.immediate && r.Intn(8) == 0 { // there and back before the controller sees it
		edit()
		s.hpa.Spec = *before
	}
	edit()
	return false
}

// editOnce changes one thing of the spec.
func (s *scenario) editOnce() {
	r := s.rng
	spec := &s.hpa.Spec
	switch r.Intn(12) {
	case 0, 1:
		spec.MaxReplicas = *spec.MinReplicas + int32(r.Intn(8))
	case 2, 3: // in an incident
		spec.MaxReplicas = min(60, spec.MaxReplicas*pick(r, int32(2), 3, 5))
	case 4:
		spec.MinReplicas = ptr(int32(1 + r.Intn(int(min(spec.MaxReplicas, 14)))))
	case 5:
		spec.MinReplicas = ptr(max(1, *spec.MinReplicas/2))
	case 6:
		s.behavior()
	case 7: // one setting of it
		if spec.Behavior == nil {
			s.behavior()
			return
		}
		for _, rules := range []*autoscalingv2.HPAScalingRules{spec.Behavior.ScaleUp, spec.Behavior.ScaleDown} {
			switch r.Intn(3) {
			case 0:
				rules.StabilizationWindowSeconds = ptr(pick(r, int32(0), 60, 300, 600))
			case 1:
				rules.SelectPolicy = ptr(pick(r, autoscalingv2.MaxChangePolicySelect, autoscalingv2.MinChangePolicySelect, autoscalingv2.DisabledPolicySelect))
			}
		}
	case 8: // another target of the same metric
		if m := spec.Metrics[0]; m.Resource != nil {
			spec.Metrics[0] = s.resourceMetric(m.Resource.Name, m.Resource.Target.AverageValue != nil)
		} else if m.External != nil {
			spec.Metrics[0] = s.custom("External", m.External.Metric.Name)
		} else {
			spec.Metrics[0] = s.anyMetric()
		}
	case 9:
		spec.Metrics[r.Intn(len(spec.Metrics))] = s.anyMetric()
	case 10:
		if len(spec.Metrics) > 1 && r.Intn(2) == 0 {
			spec.Metrics = spec.Metrics[1:]
		} else if len(spec.Metrics) < 3 {
			spec.Metrics = append(spec.Metrics, s.anyMetric())
		}
	case 11: // another target with replicas of its own
		kind := autoscalingv2.CrossVersionObjectReference{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Name: target}
		if spec.ScaleTargetRef.Kind == kind.Kind {
			kind = autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: target}
		}
		spec.ScaleTargetRef = kind
		s.world.replicas = int32(1 + r.Intn(int(min(spec.MaxReplicas, 14))))
	}
}

// spoilEdited adds who wrote the HPA when. The status has the time of the sync that changed it last.
func spoilEdited(s *scenario, snap *Snapshot) {
	leaveOneGap(s, snap)
	if !s.hasWrites || snap.HPA == nil {
		return
	}
	if !s.edited.IsZero() {
		snap.EditedBy = &Writer{Manager: pick(s.rng, "kubectl-edit", "kube-downscaler"), Operation: "Update", Time: s.edited}
	}
	if s.last != nil && !apiequality.Semantic.DeepEqual(s.last.HPA.Status, snap.HPA.Status) {
		at, err := time.Parse(time.RFC3339Nano, s.last.Time)
		if err != nil {
			panic(err)
		}
		s.written = metav1.NewTime(at)
	}
	if !s.written.IsZero() {
		snap.StatusWritten = ptr(s.written)
	}
}
