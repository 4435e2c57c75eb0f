package oracle

import (
	"errors"
	"fmt"
	"testing/synctest"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	autoscalinginformers "k8s.io/client-go/informers/autoscaling/v2"
	autoscalinglisters "k8s.io/client-go/listers/autoscaling/v2"
	core "k8s.io/client-go/testing"
)

// firstImmediate is the minor version from which on the controller syncs a new HPA, and one whose generation changed,
// immediately. Up to there every sync comes one period after the one before.
const firstImmediate = 37

// firstVersion is the resource version of the HPAs that there are at first.
const firstVersion = 1000

// hpaInformer tells the driver when a sync of an HPA begins: the controller then asks the lister for it.
type hpaInformer struct {
	autoscalinginformers.HorizontalPodAutoscalerInformer
	driver *driver
}

func (i hpaInformer) Lister() autoscalinglisters.HorizontalPodAutoscalerLister {
	return hpaLister{i.HorizontalPodAutoscalerInformer.Lister(), i.driver}
}

type hpaLister struct {
	autoscalinglisters.HorizontalPodAutoscalerLister
	driver *driver
}

func (l hpaLister) HorizontalPodAutoscalers(namespace string) autoscalinglisters.HorizontalPodAutoscalerNamespaceLister {
	return hpaNamespaceLister{l.HorizontalPodAutoscalerLister.HorizontalPodAutoscalers(namespace), namespace, l.driver}
}

type hpaNamespaceLister struct {
	autoscalinglisters.HorizontalPodAutoscalerNamespaceLister
	namespace string
	driver    *driver
}

func (l hpaNamespaceLister) Get(name string) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	hpa, err := l.HorizontalPodAutoscalerNamespaceLister.Get(name)
	if err != nil || !l.driver.immediate && !l.driver.replays || l.namespace != namespace || name != hpaName {
		return hpa, err
	}
	if err := l.driver.begin(); err != nil {
		return nil, err
	}
	// What was done to the HPA in the meantime counts.
	hpa, err = l.HorizontalPodAutoscalerNamespaceLister.Get(name)
	if err == nil {
		l.driver.read(hpa)
	}
	return hpa, err
}

// begin lets a sync begin as soon as there is a snapshot that no other sync has used.
func (d *driver) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.taken {
		d.waiting = true
		next := d.next
		d.mu.Unlock()
		select {
		case <-next:
		case <-d.ctx.Done():
		}
		d.mu.Lock()
		if d.ctx.Err() != nil {
			return errors.New("the controller is being stopped")
		}
	}
	d.taken, d.waiting = true, false
	return nil
}

// release lets the next sync begin, which may be waiting.
func (d *driver) release() {
	synctest.Wait() // the controller has to see the pods first
	d.mu.Lock()
	defer d.mu.Unlock()
	d.taken = false
	close(d.next)
	d.next = make(chan struct{})
}

// isWaiting says whether a sync waits for its snapshot.
func (d *driver) isWaiting() bool {
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waiting
}

// read notes which HPA the controller works with. If its informer lags, a write of the status conflicts.
func (d *driver) read(hpa *autoscalingv2.HorizontalPodAutoscaler) {
	current := d.hpa()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cur.HPA = roundTrip(hpa)
	d.cur.HPA.TypeMeta = current.TypeMeta
	d.lags = hpa.ResourceVersion != current.ResourceVersion
	if d.lags {
		d.cur.StatusWriteError = conflict("autoscaling", "horizontalpodautoscalers", hpaName)
	}
}

// stamp does what the API server does to an HPA that is written, from the release on whose controller looks at it.
func (d *driver) stamp(hpa *autoscalingv2.HorizontalPodAutoscaler) {
	if !d.immediate {
		return
	}
	d.mu.Lock()
	d.version++
	hpa.ResourceVersion = fmt.Sprint(d.version)
	d.mu.Unlock()
	obj, err := d.client.Tracker().Get(hpaResource, hpa.Namespace, hpa.Name)
	if err != nil {
		hpa.Generation, hpa.UID = 1, uid(d.version)
		return
	}
	before := obj.(*autoscalingv2.HorizontalPodAutoscaler)
	hpa.Generation, hpa.UID = before.Generation, before.UID
	if !apiequality.Semantic.DeepEqual(before.Spec, hpa.Spec) {
		hpa.Generation++
	}
}

// uid is that of the HPA that this resource version created.
func uid(version int) types.UID {
	return types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", version))
}

func (d *driver) createHPA(hpa *autoscalingv2.HorizontalPodAutoscaler) {
	d.stamp(hpa)
	if err := d.client.Tracker().Create(hpaResource, hpa, namespace); err != nil {
		panic(err)
	}
}

func (d *driver) deleteHPA(name string) {
	if d.immediate { // the event of a deletion has a resource version of its own, which the tracker does not set
		obj, err := d.client.Tracker().Get(hpaResource, namespace, name)
		if err != nil {
			panic(err)
		}
		d.setHPA(roundTrip(obj.(*autoscalingv2.HorizontalPodAutoscaler)))
	}
	if err := d.client.Tracker().Delete(hpaResource, namespace, name); err != nil {
		panic(err)
	}
}

// await lets some of the time until the next periodic sync pass, if what happens then is noticed immediately.
func (s *scenario) await(d *driver) {
	if !d.immediate || d.isWaiting() {
		return
	}
	// Between two whole seconds of the schedule: no policy's period ends just then.
	room := int(time.Until(d.due) / time.Second)
	if room < 2 {
		return
	}
	before := 1 + s.rng.Intn(room-1)
	if s.family == "conflicts" { // see prepareConflicts
		before = min(room-1, int(s.cfg.SyncPeriodSeconds/3))
	}
	time.Sleep(time.Until(d.due.Add(200*time.Millisecond - time.Duration(before)*time.Second)))
}

// edit is somebody's change of the spec, at some time between two periodic syncs.
func (s *scenario) edit(d *driver, hpa *autoscalingv2.HorizontalPodAutoscaler) {
	s.await(d)
	hpa.Generation++
	d.setHPA(hpa)
}

// editOther changes the spec of another HPA, which the controller then syncs immediately.
func (d *driver) editOther(name string) {
	obj, err := d.client.Tracker().Get(hpaResource, namespace, name)
	if err != nil {
		panic(err)
	}
	other := roundTrip(obj.(*autoscalingv2.HorizontalPodAutoscaler))
	other.Spec.MaxReplicas++
	d.setHPA(other)
}

// heldWatch hands on events once nothing holds them.
type heldWatch struct {
	watch.Interface
	events chan watch.Event
}

func (w heldWatch) ResultChan() <-chan watch.Event { return w.events }

// holdEvents makes the informer of HPAs wait until d.heldUntil for what happens.
func (d *driver) holdEvents() {
	d.client.PrependWatchReactor("horizontalpodautoscalers", func(a core.Action) (bool, watch.Interface, error) {
		all := d.client.WatchReactionChain
		_, inner, err := all[len(all)-1].React(a)
		if err != nil {
			return true, nil, err
		}
		held := heldWatch{inner, make(chan watch.Event)}
		go func() {
			defer close(held.events)
			for event := range inner.ResultChan() {
				d.mu.Lock()
				wait := time.Until(d.heldUntil)
				d.mu.Unlock()
				if wait > 0 {
					select {
					case <-time.After(wait):
					case <-d.ctx.Done():
						return
					}
				}
				select {
				case held.events <- event:
				case <-d.ctx.Done():
					return
				}
			}
		}()
		return true, held, nil
	})
}
