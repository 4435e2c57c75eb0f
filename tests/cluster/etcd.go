package main

import (
	"context"
	"net/url"
	"path/filepath"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/embed"
)

// startEtcd runs etcd inside this process, on a free port.
func startEtcd(dir, logFile string) (*embed.Etcd, error) {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.ListenClientUrls, config.AdvertiseClientUrls = anyPort, anyPort
	config.ListenPeerUrls, config.AdvertisePeerUrls = anyPort, anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.UnsafeNoFsync = true
	config.EnableGRPCGateway = false
	config.LogLevel = "error"
	config.LogOutputs = []string{logFile}
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	<-etcd.Server.ReadyNotify()
	return etcd, nil
}

func etcdURL(etcd *embed.Etcd) string {
	return "http://" + etcd.Clients[0].Addr().String()
}

// compact makes etcd forget all revisions before the present one: whoever
// wants to go on from an older one is told 410.
func compact(ctx context.Context, etcd *embed.Etcd) error {
	_, err := etcd.Server.Compact(ctx, &etcdserverpb.CompactionRequest{Revision: etcd.Server.KV().Rev()})
	return err
}
