//go:build k8s124

package oracle

import (
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// logTo sends what is logged to a sink.
func logTo(sink logr.LogSink) { klog.SetLogger(logr.New(sink)) }

// makeSidecar does nothing: init containers restart since 1.28.
func makeSidecar(*corev1.Container) {}

func isSidecar(corev1.Container) bool { return false }
