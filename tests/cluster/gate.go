package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/klog/v2"
)

const (
	passesAnnotation  = annotationPrefix + "passes"
	waitingAnnotation = annotationPrefix + "waiting"
)

// gate lets the HPA controller begin only as many passes in a namespace as the
// namespace's testcluster/passes allows. Each pass begins with the read of the
// target's scale; that request waits here, first come first served.
type gate struct {
	connected  chan struct{} // closed when the two below are set
	client     kubernetes.Interface
	namespaces listers.NamespaceLister

	mu     sync.Mutex
	queues map[string]*queue
}

// queue is of one namespace.
type queue struct {
	begun   int
	waiting []*http.Request
}

// newGate returns a gate that is closed until it is connected.
func newGate() *gate {
	return &gate{connected: make(chan struct{}), queues: map[string]*queue{}}
}

// connect lets the gate know the namespaces; the factory must know them.
func (g *gate) connect(client kubernetes.Interface, factory informers.SharedInformerFactory) {
	g.client, g.namespaces = client, factory.Core().V1().Namespaces().Lister()
	close(g.connected)
}

// handler puts the gate before the handlers of the kube-apiserver.
func (g *gate) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		namespace := ""
		if strings.HasSuffix(r.UserAgent(), "horizontal-pod-autoscaler") {
			_, after, _ := strings.Cut(r.URL.Path, "/namespaces/")
			namespace, _, _ = strings.Cut(after, "/")
		}
		switch {
		case fillsCacheOfController(r):
			g.serveLate(next, w, r)
		case namespace != "" && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/scale"):
			g.wait(namespace, r)
			next.ServeHTTP(w, r)
		case namespace != "" && r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/status"):
			next.ServeHTTP(w, r)
			g.linger(namespace)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// wait returns when the pass may go on.
func (g *gate) wait(namespace string, pass *http.Request) {
	ctx := pass.Context()
	select {
	case <-ctx.Done():
		return
	case <-g.connected:
	}
	for !g.begin(namespace, pass) {
		g.publish(ctx, namespace)
		select {
		case <-ctx.Done():
			g.leave(namespace, pass)
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// begin says whether the pass may begin now.
func (g *gate) begin(namespace string, pass *http.Request) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	q := g.queues[namespace]
	if q == nil {
		q = &queue{}
		g.queues[namespace] = q
	}
	if !slices.Contains(q.waiting, pass) {
		q.waiting = append(q.waiting, pass)
	}
	limit, isLimited := g.limit(namespace)
	if isLimited && q.begun >= limit || q.waiting[0] != pass {
		return false
	}
	q.waiting = q.waiting[1:]
	q.begun++
	return true
}

func (g *gate) leave(namespace string, pass *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	q := g.queues[namespace]
	q.waiting = slices.DeleteFunc(q.waiting, func(r *http.Request) bool { return r == pass })
}

// linger keeps back the answer to a status update where passes are counted.
// While a pass waited, the next one of its HPA fell due and will begin as soon
// as this one ends; by then the controller's cache must know this status.
func (g *gate) linger(namespace string) {
	<-g.connected
	if _, isLimited := g.limit(namespace); isLimited {
		time.Sleep(200 * time.Millisecond)
	}
}

func (g *gate) limit(namespace string) (int, bool) {
	object, err := g.namespaces.Get(namespace)
	if err != nil {
		return 0, false
	}
	limit, err := strconv.Atoi(object.Annotations[passesAnnotation])
	return limit, err == nil
}

// publish writes into the namespace how many passes wait, and after how many.
func (g *gate) publish(ctx context.Context, namespace string) {
	g.mu.Lock()
	text := fmt.Sprintf("%d after %d", len(g.queues[namespace].waiting), g.queues[namespace].begun)
	g.mu.Unlock()
	object, err := g.namespaces.Get(namespace)
	if err != nil || object.Annotations[waitingAnnotation] == text {
		return
	}
	patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, waitingAnnotation, text)
	_, err = g.client.CoreV1().Namespaces().Patch(ctx, namespace, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil && ctx.Err() == nil {
		klog.ErrorS(err, "testcluster: gate", "namespace", namespace)
	}
}
