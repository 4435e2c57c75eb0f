//go:build before_1_31

package main

import (
	"context"

	aggregator "k8s.io/kube-aggregator/pkg/apiserver"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
)

// Feature gates hold as soon as they are parsed, and no version is emulated.

func completeAPIServer(_ context.Context, opts *apiserver.ServerRunOptions) (apiserver.CompletedOptions, error) {
	return opts.Complete()
}

func runAggregator(ctx context.Context, chain *aggregator.APIAggregator) error {
	prepared, err := chain.PrepareRun()
	if err != nil {
		return err
	}
	return prepared.Run(ctx.Done())
}

func setControllerGates(*controllers.KubeControllerManagerOptions) error { return nil }
