//go:build !before_1_31

package main

import (
	"context"

	aggregator "k8s.io/kube-aggregator/pkg/apiserver"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
)

// completeAPIServer makes the feature gates and the emulated version hold.
func completeAPIServer(ctx context.Context, opts *apiserver.ServerRunOptions) (apiserver.CompletedOptions, error) {
	if err := opts.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return apiserver.CompletedOptions{}, err
	}
	return opts.Complete(ctx)
}

func runAggregator(ctx context.Context, chain *aggregator.APIAggregator) error {
	prepared, err := chain.PrepareRun()
	if err != nil {
		return err
	}
	return prepared.Run(ctx)
}

// setControllerGates makes the feature gates and the emulated version hold.
func setControllerGates(opts *controllers.KubeControllerManagerOptions) error {
	return opts.ComponentGlobalsRegistry.Set()
}
