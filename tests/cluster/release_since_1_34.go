//go:build !before_1_34

package main

import (
	"context"

	"k8s.io/kubernetes/cmd/kube-controller-manager/app/config"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
)

func controllerConfig(ctx context.Context, opts *options.KubeControllerManagerOptions, known, off []string, aliases map[string]string) (*config.Config, error) {
	return opts.Config(ctx, known, off, aliases)
}
