//go:build k8s124

package oracle

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	autoscalinginformers "k8s.io/client-go/informers/autoscaling/v2"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/scale"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	metricsclient "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

func newController(ctx context.Context, client kubernetes.Interface, scales scale.ScalesGetter, mapper meta.RESTMapper,
	metrics metricsclient.MetricsClient, hpas autoscalinginformers.HorizontalPodAutoscalerInformer, pods coreinformers.PodInformer,
	cfg Controller) func(context.Context) {
	controller := podautoscaler.NewHorizontalController(client.CoreV1(), scales, client.AutoscalingV2(), mapper, metrics,
		hpas, pods, seconds(cfg.SyncPeriodSeconds), seconds(cfg.DownscaleStabilizationSeconds), cfg.Tolerance,
		seconds(cfg.CPUInitializationPeriodSeconds), seconds(cfg.InitialReadinessDelaySeconds))
	return controller.Run
}
