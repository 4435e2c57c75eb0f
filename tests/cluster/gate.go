package main

import (
	"context"
	"fmt"
	"net/http"
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
// target's scale; that request waits here.
type gate struct {
	client     kubernetes.Interface
	namespaces listers.NamespaceLister

	mu      sync.Mutex
	begun   map[string]int
	waiting map[string]int
}

// newGate returns a gate that is open until it is connected.
func newGate() *gate {
	return &gate{begun: map[string]int{}, waiting: map[string]int{}}
}

// connect must come before the controllers start.
func (g *gate) connect(client kubernetes.Interface, factory informers.SharedInformerFactory) {
	g.client, g.namespaces = client, factory.Core().V1().Namespaces().Lister()
}

// handler puts the gate before the handlers of the kube-apiserver.
func (g *gate) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if namespace := passBegins(r); namespace != "" {
			g.wait(r.Context(), namespace)
		}
		next.ServeHTTP(w, r)
	})
}

// passBegins is the namespace if the HPA controller reads a scale, else "".
func passBegins(r *http.Request) string {
	if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/scale") ||
		!strings.HasSuffix(r.UserAgent(), "horizontal-pod-autoscaler") {
		return ""
	}
	_, after, _ := strings.Cut(r.URL.Path, "/namespaces/")
	namespace, _, _ := strings.Cut(after, "/")
	return namespace
}

// wait returns when the pass may go on.
func (g *gate) wait(ctx context.Context, namespace string) {
	waits := false
	for !g.begin(namespace, &waits) {
		g.publish(ctx, namespace)
		select {
		case <-ctx.Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// begin counts the pass if it may begin now, and otherwise counts it among
// those that wait.
func (g *gate) begin(namespace string, waits *bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	limit, isLimited := g.limit(namespace)
	if isLimited && g.begun[namespace] >= limit {
		if !*waits {
			*waits = true
			g.waiting[namespace]++
		}
		return false
	}
	g.begun[namespace]++
	if *waits {
		g.waiting[namespace]--
	}
	return true
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
	text := fmt.Sprintf("%d after %d", g.waiting[namespace], g.begun[namespace])
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
