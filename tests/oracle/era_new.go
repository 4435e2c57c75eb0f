//go:build !k8s124

package oracle

import (
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// logTo sends what is logged to a sink.
func logTo(sink logr.LogSink) {
	klog.SetLoggerWithOptions(logr.New(sink), klog.ContextualLogger(true))
}

// makeSidecar lets an init container run as long as the pod.
func makeSidecar(c *corev1.Container) { c.RestartPolicy = ptr(corev1.ContainerRestartPolicyAlways) }

func isSidecar(c corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}
