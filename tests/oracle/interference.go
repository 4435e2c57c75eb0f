package oracle

import (
	"errors"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// interference is what others do to the API in the next reconcile.
type interference struct {
	refusals int           // so many writes of the scale conflict, the next one is accepted
	pause    time.Duration // how long the read of the scale takes
	edit     func(*driver) // what somebody does after the controller has read the HPA
	refused  bool          // the last write of the scale was one of the refusals
}

// interfere does what is planned for the moment after the controller has read the HPA. d.mu is locked.
func (d *driver) interfere() {
	pause, edit := d.plan.pause, d.plan.edit
	d.plan.pause, d.plan.edit = 0, nil
	d.mu.Unlock()
	defer d.mu.Lock()
	if pause > 0 {
		time.Sleep(pause)
	}
	if edit != nil {
		edit(d)
	}
}

// refuseScale says whether a write of the scale meets another one. d.mu is locked.
func (d *driver) refuseScale() error {
	d.plan.refused = d.plan.refusals > 0
	if !d.plan.refused {
		return nil
	}
	d.plan.refusals--
	return &apierrors.StatusError{ErrStatus: *conflict("apps", "deployments", target)}
}

// refuseStatus answers the write of the HPA's status.
func (d *driver) refuseStatus(hpa *autoscalingv2.HorizontalPodAutoscaler) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if hpa.Namespace != namespace || hpa.Name != hpaName || d.cur.StatusWriteError == nil {
		return nil
	}
	return &apierrors.StatusError{ErrStatus: *d.cur.StatusWriteError}
}

// conclude notes how the writes of the scale ended: from 1.34 on a few conflicts are overcome.
func (d *driver) conclude(snap *Snapshot) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.plan.refused {
		snap.ScaleWriteError = conflict("apps", "deployments", target)
	}
	d.plan = interference{}
}

func conflict(group, resource, name string) *metav1.Status {
	return status(apierrors.NewConflict(schema.GroupResource{Group: group, Resource: resource}, name,
		errors.New("the object has been modified; please apply your changes to the latest version and try again")))
}

// isNext says whether the controller may ask for a metric, having asked for the one at index `last` before: it asks in
// order, and not for one whose selector it cannot use or whose target is not set.
func isNext(m autoscalingv2.MetricSpec, index, last int) bool {
	_, err := metav1.LabelSelectorAsSelector(identifier(m).Selector)
	return index > last && err == nil && hasTarget(m)
}

// hasTarget says whether the metric has the target that its type names; an External metric needs any.
func hasTarget(m autoscalingv2.MetricSpec) bool {
	switch {
	case m.External != nil:
		return m.External.Target.Value != nil || m.External.Target.AverageValue != nil
	case m.Object != nil && m.Object.Target.Type == autoscalingv2.ValueMetricType:
		return m.Object.Target.Value != nil
	case m.Object != nil:
		return m.Object.Target.Type == autoscalingv2.AverageValueMetricType && m.Object.Target.AverageValue != nil
	}
	return true
}

// isMain says whether the HPA that is recorded asks, and not another one.
func (d *driver) isMain() bool { return d.asking == namespace+"/"+target }

// elsewhereScale is the scale of a target in another namespace.
func elsewhereScale(name string) *autoscalingv1.Scale {
	return &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Namespace: elsewhere, Name: name},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 1}, Status: autoscalingv1.ScaleStatus{Replicas: 1, Selector: "app=web"},
	}
}

// isScaledToZero says whether the controller itself has scaled an HPA's target to zero: then it computes metrics on.
func isScaledToZero(hpa *autoscalingv2.HorizontalPodAutoscaler) bool {
	for _, condition := range hpa.Status.Conditions {
		if condition.Type == "ScaledToZero" {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

// isSelector says whether the controller can use a selector.
func isSelector(text string) bool {
	_, err := labels.Parse(text)
	return err == nil && text != ""
}
