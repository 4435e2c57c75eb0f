package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// lateAnnotation of the namespace kube-system says how much later than they happen the HPA controller's cache learns of
// changes of HPAs.
const lateAnnotation = annotationPrefix + "hpas-late"

// fillsCacheOfController says whether the request is the watch from which the HPA controller's cache is filled.
func fillsCacheOfController(r *http.Request) bool {
	return strings.HasSuffix(r.UserAgent(), "/shared-informers") &&
		strings.HasSuffix(r.URL.Path, "/horizontalpodautoscalers") && r.URL.Query().Has("watch")
}

// lateness is what lateAnnotation says now.
func (g *gate) lateness() time.Duration {
	select {
	case <-g.connected:
	default:
		return 0
	}
	object, err := g.namespaces.Get(metav1.NamespaceSystem)
	if err != nil {
		return 0
	}
	late, _ := time.ParseDuration(object.Annotations[lateAnnotation])
	return late
}

// serveLate serves a watch, each event as late as was said when it happened. Their order stays: the whole stream waits,
// events of all namespaces and bookmarks alike, so the resource version of the cache is true at any time.
func (g *gate) serveLate(next http.Handler, w http.ResponseWriter, r *http.Request) {
	late := &lateWriter{w, w.(http.CloseNotifier), g.lateness, make(chan part, 1000)}
	ended := make(chan struct{})
	go func() {
		late.send(r.Context())
		close(ended)
	}()
	defer func() { // w must not be used after this
		close(late.parts)
		<-ended
	}()
	next.ServeHTTP(late, r)
}

// lateWriter keeps back what is written.
type lateWriter struct {
	http.ResponseWriter
	http.CloseNotifier // the handlers wrap only writers that have it
	lateness           func() time.Duration
	parts              chan part
}

// part of an answer; nil is a flush.
type part struct {
	due  time.Time
	data []byte
}

func (l *lateWriter) Write(data []byte) (int, error) {
	l.parts <- part{time.Now().Add(l.lateness()), slices.Clone(data)}
	return len(data), nil
}

func (l *lateWriter) Flush() { l.parts <- part{time.Now().Add(l.lateness()), nil} }

// send sends the parts when they are due, until there are no more. If the client is gone, they are dropped.
func (l *lateWriter) send(ctx context.Context) {
	for part := range l.parts {
		select {
		case <-ctx.Done():
			continue
		case <-time.After(time.Until(part.due)):
		}
		if part.data == nil {
			l.ResponseWriter.(http.Flusher).Flush()
		} else {
			l.ResponseWriter.Write(part.data) // an error means that the client is gone
		}
	}
}
