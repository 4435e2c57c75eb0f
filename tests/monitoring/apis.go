package main

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"time"
)

// metricsResolution is from read to read of the kubelet by metrics-server, as its manifests have it.
const metricsResolution = 15 * time.Second

// api is an API that a program serves behind the API server.
type api struct {
	Group, Version string
	Priority       int
	Server         *program
}

// apis are those that the API server passes on.
func (r *running) apis() []api {
	var apis []api
	if r.metricsServer != nil {
		apis = append(apis, api{"metrics.k8s.io", "v1beta1", 100, r.metricsServer})
	}
	if r.adapter != nil {
		apis = append(apis,
			api{"custom.metrics.k8s.io", "v1beta2", 200, r.adapter},
			api{"custom.metrics.k8s.io", "v1beta1", 100, r.adapter},
			api{"external.metrics.k8s.io", "v1beta1", 100, r.adapter})
	}
	return apis
}

// servers are the programs behind them.
func (r *running) servers() []*program {
	var servers []*program
	for _, p := range []*program{r.metricsServer, r.adapter} {
		if p != nil {
			servers = append(servers, p)
		}
	}
	return servers
}

// startMetricsServer starts the real one. It reads the kubelet at the address that the Node shows.
func (b *bench) startMetricsServer(ctx context.Context, programs *programs) (*program, error) {
	addresses := `{"status": {"addresses": [{"type": "InternalIP", "address": "127.0.0.1"}]}}`
	if _, err := b.run(ctx, nil, "patch", "nodes", "testcluster", "--subresource=status", "--patch", addresses); err != nil {
		return nil, err
	}
	return b.startServer(programs, "metrics-server", "--kubeconfig="+b.kubeconfig,
		"--metric-resolution="+metricsResolution.String(), "--kubelet-preferred-address-types=InternalIP",
		"--kubelet-use-node-status-port", "--deprecated-kubelet-completely-insecure")
}

// startAdapter starts prometheus-adapter, which asks Prometheus.
func (b *bench) startAdapter(programs *programs, prometheus *program) (*program, error) {
	return b.startServer(programs, "prometheus-adapter", "--lister-kubeconfig="+b.kubeconfig,
		"--prometheus-url=http://"+prometheus.address, "--config="+b.adapter, "--metrics-relist-interval=10s",
		"--metrics-max-age=1m")
}

// startServer starts a program that serves APIs with the rights of who asks.
func (b *bench) startServer(programs *programs, name string, args ...string) (*program, error) {
	addresses, err := freeAddresses(loopback, 1)
	if err != nil {
		return nil, err
	}
	p := &program{Name: name, File: name, scheme: "https", address: addresses[0], readyPath: "/livez"}
	host, port, _ := net.SplitHostPort(p.address)
	return p, b.startProgram(programs, p, append([]string{"--bind-address=" + host, "--secure-port=" + port,
		"--cert-dir=" + filepath.Join(b.dir, name), "--authentication-kubeconfig=" + b.kubeconfig,
		"--authorization-kubeconfig=" + b.kubeconfig}, args...)...)
}

// serves waits until the API server passes the API on.
func (b *bench) serves(ctx context.Context, a api) error {
	path := fmt.Sprintf("/apis/%s/%s", a.Group, a.Version)
	return until(ctx, path, func() error {
		_, err := b.run(ctx, nil, "get", "--raw", path)
		return err
	})
}
