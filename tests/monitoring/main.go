// bench starts kube-state-metrics, Prometheus and VictoriaMetrics for a running testcluster. See
// README.md.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	runtime.LockOSThread() // the programs end with the thread that started them
	err := run()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is what the flags say, and what start finds out.
type bench struct {
	kubeconfig, kubectl string
	namespace           string
	stateMetricsVersion string
	logs                string
	replicas            int
	thanos              bool
	past, downsampled   string
	metricsServer       bool
	adapter             string

	// For the templates.
	StateMetricsInterval, CadvisorInterval time.Duration
	HonorTimestamps, Resource              bool
	StateMetrics, Kubelet                  string // addresses

	bin, dir string // folder of the programs, and of what they write
	address  net.IP
}

func parseFlags(args []string) (*bench, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	b := &bench{bin: filepath.Dir(self)}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&b.kubeconfig, "kubeconfig", "", "kubeconfig of a testcluster that runs with --kubelet-metrics (required)")
	flags.StringVar(&b.kubectl, "kubectl", filepath.Join(b.bin, "../../cluster/bin/kubectl"), "kubectl")
	flags.StringVar(&b.namespace, "namespace", "monitoring", "where to make the Services")
	flags.StringVar(&b.stateMetricsVersion, "kube-state-metrics", "2.20.0", "version of kube-state-metrics, one of those in bin")
	flags.StringVar(&b.logs, "logs", "", "folder for the programs' logs (default: in the temporary folder)")
	flags.DurationVar(&b.StateMetricsInterval, "ksm-interval", 30*time.Second, "time between two scrapes of kube-state-metrics")
	flags.DurationVar(&b.CadvisorInterval, "cadvisor-interval", 10*time.Second, "time between two scrapes of the kubelet")
	flags.BoolVar(&b.HonorTimestamps, "honor-timestamps", true, "keep the kubelet's timestamps")
	flags.BoolVar(&b.Resource, "resource", true, "scrape the kubelet's /metrics/resource, too")
	flags.IntVar(&b.replicas, "prometheus-replicas", 1, "how many Prometheus servers scrape the same and have a Service together")
	flags.BoolVar(&b.thanos, "thanos", false, "start Thanos, too: a sidecar for each Prometheus, and a querier")
	flags.StringVar(&b.past, "past", "", "file with samples of the past, with which Prometheus and VictoriaMetrics begin")
	flags.StringVar(&b.downsampled, "downsampled", "", "file with samples of a past of at least 40 h, which Thanos has only downsampled; needs --thanos")
	flags.BoolVar(&b.metricsServer, "metrics-server", false, "start metrics-server, too, and have the API server pass its API on")
	flags.StringVar(&b.adapter, "adapter", "", "configuration of prometheus-adapter, which is started, too; the API server passes its APIs on")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if b.kubeconfig == "" || flags.NArg() > 0 {
		return nil, errors.New("bench needs --kubeconfig and takes flags only; --help lists them")
	}
	if b.downsampled != "" && !b.thanos {
		return nil, errors.New("--downsampled needs --thanos")
	}
	for _, path := range []*string{&b.kubeconfig, &b.logs, &b.past, &b.downsampled, &b.adapter} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func run() error {
	b, err := parseFlags(os.Args[1:])
	if err != nil {
		return err
	}
	signaled, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	ctx, fail := context.WithCancelCause(signaled)
	defer fail(nil)
	if b.dir, err = os.MkdirTemp("", "bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.logs == "" {
		b.logs = b.dir
	}
	programs := &programs{fail: fail}
	defer programs.stop()
	// What is written before all programs run waits.
	input, ahead := io.Pipe()
	if inputIsPipe() {
		go func() {
			io.Copy(ahead, os.Stdin)
			stop()
		}()
	}
	if err := b.start(ctx, programs); err != nil && ctx.Err() == nil {
		return err
	}
	go programs.obey(input, os.Stdout)
	<-ctx.Done()
	if ended := (endedError{}); errors.As(context.Cause(ctx), &ended) {
		return ended
	}
	return nil
}

// start starts the programs, makes their Services, and says where they are.
func (b *bench) start(ctx context.Context, programs *programs) error {
	port, err := b.run(ctx, nil, "get", "nodes", "-o", "jsonpath={.items[0].status.daemonEndpoints.kubeletEndpoint.Port}")
	if err != nil {
		return err
	}
	if port == "" || port == "0" {
		return errors.New("the Node shows no port of the kubelet; start testcluster with --kubelet-metrics")
	}
	b.Kubelet = "127.0.0.1:" + port
	if b.address, err = ownAddress(); err != nil {
		return err
	}
	running, err := b.startAll(ctx, programs)
	if err != nil {
		return err
	}
	objects, err := b.objects(running)
	if err != nil {
		return err
	}
	// Those of an earlier bench lead nowhere.
	if _, err := b.run(ctx, nil, "delete", "endpointslices", "-n", b.namespace, "-l", "endpointslice.kubernetes.io/managed-by=bench"); err != nil {
		return err
	}
	if _, err := b.run(ctx, objects, "apply", "--server-side", "--force-conflicts", "-f", "-"); err != nil {
		return err
	}
	for _, service := range running.services() {
		if err := b.reaches(ctx, service); err != nil {
			return err
		}
	}
	for _, api := range running.apis() {
		if err := b.serves(ctx, api); err != nil {
			return err
		}
	}
	fmt.Println("ready")
	fmt.Println("kubelet http://" + b.Kubelet)
	for _, p := range slices.Concat([]*program{running.stateMetrics}, running.served(), running.servers()) {
		fmt.Println(p.Name, p.url())
	}
	for _, service := range running.services() {
		fmt.Printf("service:%s/%s:%d\n", b.namespace, service.Name, service.Port)
	}
	return nil
}

// run runs kubectl and returns what it writes.
func (b *bench) run(ctx context.Context, input []byte, args ...string) (string, error) {
	command := exec.CommandContext(ctx, b.kubectl, append([]string{"--kubeconfig", b.kubeconfig}, args...)...)
	command.Stdin = bytes.NewReader(input)
	var errors bytes.Buffer
	command.Stderr = &errors
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(errors.String()))
	}
	return string(output), nil
}

// ownAddress is an address of this machine that the API server takes for an endpoint: it refuses
// loopback and link-local ones.
func ownAddress() (net.IP, error) {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	for _, address := range addresses {
		if network, ok := address.(*net.IPNet); ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			return network.IP, nil
		}
	}
	return nil, errors.New("this machine has no IPv4 address besides loopback and link-local ones, and the API server's service proxy needs one")
}

// until asks often whether what is awaited has come; at the end it says what has hindered it.
func until(ctx context.Context, what string, done func() error) error {
	deadline := time.Now().Add(time.Minute)
	for {
		err := done()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s: not ready after a minute: %w", what, err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// inputIsPipe says whether somebody holds the other end of our standard input.
func inputIsPipe() bool {
	info, err := os.Stdin.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}
