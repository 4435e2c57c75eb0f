package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

var loopback = net.IPv4(127, 0, 0, 1)

// programs are those that run.
type programs struct {
	all  []*program
	fail context.CancelCauseFunc // called with an endedError
}

// endedError says that a program has ended by itself.
type endedError struct{ name, reason, log string }

func (e endedError) Error() string { return e.name + " has ended: " + e.reason + "\n" + e.log }

type program struct {
	Name, File     string // file in bin
	Pod, PodLabels string // that stands for it, if it has a Service
	scheme         string // http, if it is empty
	address        string
	readyPath      string
	log            string
	process        *os.Process
	ended          chan struct{}
}

// running are the programs by what they are for.
type running struct {
	stateMetrics     *program
	prometheus       []*program // replicas
	victoria, thanos *program   // thanos may be nil

	metricsServer, adapter *program // may be nil
}

// served are the programs that have a Service.
func (r *running) served() []*program {
	served := append(slices.Clone(r.prometheus), r.victoria)
	if r.thanos != nil {
		served = append(served, r.thanos)
	}
	return served
}

func (p *program) url() string {
	if p.scheme == "" {
		return "http://" + p.address
	}
	return p.scheme + "://" + p.address
}

func (p *program) Port() string {
	_, port, _ := net.SplitHostPort(p.address)
	return port
}

// startAll starts them and waits until they answer.
func (b *bench) startAll(ctx context.Context, programs *programs) (*running, error) {
	running := &running{}
	var err error
	if running.stateMetrics, err = b.startStateMetrics(programs); err != nil {
		return nil, err
	}
	b.StateMetrics = running.stateMetrics.address
	for replica := range b.replicas {
		prometheus, err := b.startPrometheus(ctx, programs, replica)
		if err != nil {
			return nil, err
		}
		running.prometheus = append(running.prometheus, prometheus)
	}
	if running.victoria, err = b.startVictoriaMetrics(programs); err != nil {
		return nil, err
	}
	if b.thanos {
		if running.thanos, err = b.startThanos(ctx, programs, running.prometheus); err != nil {
			return nil, err
		}
	}
	if b.metricsServer {
		if running.metricsServer, err = b.startMetricsServer(ctx, programs); err != nil {
			return nil, err
		}
	}
	if b.adapter != "" {
		if running.adapter, err = b.startAdapter(programs, running.prometheus[0]); err != nil {
			return nil, err
		}
	}
	for _, p := range programs.all {
		if err := p.answers(ctx); err != nil {
			return nil, err
		}
	}
	if b.past != "" {
		return running, b.importPast(ctx, running.victoria)
	}
	return running, nil
}

func (b *bench) startStateMetrics(programs *programs) (*program, error) {
	addresses, err := freeAddresses(loopback, 2)
	if err != nil {
		return nil, err
	}
	p := &program{Name: "kube-state-metrics", File: "kube-state-metrics-" + b.stateMetricsVersion, address: addresses[0], readyPath: "/healthz"}
	host, port, _ := net.SplitHostPort(addresses[0])
	_, telemetryPort, _ := net.SplitHostPort(addresses[1])
	return p, b.startProgram(programs, p, "--kubeconfig="+b.kubeconfig, "--host="+host, "--port="+port,
		"--telemetry-host="+host, "--telemetry-port="+telemetryPort)
}

func (b *bench) startPrometheus(ctx context.Context, programs *programs, replica int) (*program, error) {
	p := &program{
		Name: "prometheus", File: "prometheus", readyPath: "/-/ready", PodLabels: prometheusLabels,
		Pod: fmt.Sprintf("prometheus-kube-prometheus-stack-prometheus-%d", replica),
	}
	if replica > 0 {
		p.Name = fmt.Sprintf("prometheus-%d", replica)
	}
	config, err := b.writeConfig(p.Name+".yml", p.Pod)
	if err != nil {
		return nil, err
	}
	addresses, err := freeAddresses(b.address, 1)
	if err != nil {
		return nil, err
	}
	p.address = addresses[0]
	if b.past != "" {
		if err := b.writePast(ctx, b.data(p)); err != nil {
			return nil, err
		}
	}
	return p, b.startProgram(programs, p, "--config.file="+config, "--storage.tsdb.path="+b.data(p),
		"--web.listen-address="+p.address)
}

func (b *bench) startVictoriaMetrics(programs *programs) (*program, error) {
	config, err := b.writeConfig("victoria-metrics.yml", "")
	if err != nil {
		return nil, err
	}
	addresses, err := freeAddresses(b.address, 1)
	if err != nil {
		return nil, err
	}
	p := &program{
		Name: "victoria-metrics", File: "victoria-metrics", address: addresses[0], readyPath: "/health",
		Pod: "vms-victoria-metrics-single-server-0", PodLabels: victoriaLabels,
	}
	return p, b.startProgram(programs, p, "-promscrape.config="+config, "-storageDataPath="+b.data(p),
		"-httpListenAddr="+p.address)
}

// startThanos starts a sidecar for each Prometheus, the gateway to a bucket if there is a downsampled past, and the querier
// that asks them.
func (b *bench) startThanos(ctx context.Context, programs *programs, prometheus []*program) (*program, error) {
	var endpoints []string
	for _, replica := range prometheus {
		addresses, err := freeAddresses(loopback, 2)
		if err != nil {
			return nil, err
		}
		sidecar := &program{Name: "sidecar-of-" + replica.Name, File: "thanos", address: addresses[0], readyPath: "/-/ready"}
		err = b.startProgram(programs, sidecar, "sidecar", "--http-address="+addresses[0], "--grpc-address="+addresses[1],
			"--prometheus.url=http://"+replica.address, "--tsdb.path="+b.data(replica))
		if err != nil {
			return nil, err
		}
		endpoints = append(endpoints, "--endpoint="+addresses[1])
	}
	if b.downsampled != "" {
		store, err := b.startStore(ctx, programs)
		if err != nil {
			return nil, err
		}
		endpoints = append(endpoints, "--endpoint="+store)
	}
	grpc, err := freeAddresses(loopback, 1)
	if err != nil {
		return nil, err
	}
	http, err := freeAddresses(b.address, 1)
	if err != nil {
		return nil, err
	}
	p := &program{
		Name: "thanos", File: "thanos", address: http[0], readyPath: "/-/ready",
		Pod: "thanos-query-5f7c8d9b6f-q4z8m", PodLabels: thanosLabels,
	}
	return p, b.startProgram(programs, p, append([]string{"query", "--http-address=" + p.address, "--grpc-address=" + grpc[0],
		"--query.replica-label=prometheus_replica"}, endpoints...)...)
}

// data is the folder for what the program stores.
func (b *bench) data(p *program) string { return filepath.Join(b.dir, p.Name) }

func (b *bench) startProgram(programs *programs, p *program, args ...string) error {
	p.log, p.ended = filepath.Join(b.logs, p.Name+".log"), make(chan struct{})
	log, err := os.Create(p.log)
	if err != nil {
		return err
	}
	defer log.Close()
	command := exec.Command(filepath.Join(b.bin, p.File), args...)
	command.Dir = b.dir
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return fmt.Errorf("%w; build.sh builds it", err)
	}
	p.process = command.Process
	programs.all = append(programs.all, p)
	go func() {
		command.Wait()
		programs.fail(endedError{p.Name, command.ProcessState.String(), endOf(p.log)}) // of no effect if bench ends anyway
		close(p.ended)
	}()
	return nil
}

// answers waits until the program does.
func (p *program) answers(ctx context.Context) error {
	// The servers of APIs make their certificates themselves.
	trusting := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	client := http.Client{Timeout: 5 * time.Second, Transport: trusting}
	return until(ctx, p.Name, func() error {
		response, err := client.Get(p.url() + p.readyPath)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("%s%s: %s", p.address, p.readyPath, response.Status)
		}
		return nil
	})
}

// stop ends all programs and returns when they have ended.
func (p *programs) stop() {
	for _, program := range p.all {
		program.process.Kill() // nothing of what they write is kept
		<-program.ended
	}
}

// obey carries out the lines of the input, one after another, and answers each with a line, until the
// input ends.
func (p *programs) obey(input io.Reader, output io.Writer) {
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		if err := p.carryOut(lines.Text()); err != nil {
			fmt.Fprintf(output, "failed %s: %v\n", lines.Text(), err)
		} else {
			fmt.Fprintln(output, "done", lines.Text())
		}
	}
}

func (p *programs) carryOut(line string) error {
	what, name, _ := strings.Cut(line, " ")
	signal, ok := map[string]syscall.Signal{"pause": syscall.SIGSTOP, "resume": syscall.SIGCONT}[what]
	if !ok {
		return errors.New("no such command; there are: pause NAME, resume NAME")
	}
	for _, program := range p.all {
		if program.Name == name {
			return program.process.Signal(signal)
		}
	}
	return errors.New("no such program")
}

// freeAddresses finds ports that nobody listens at.
func freeAddresses(ip net.IP, count int) ([]string, error) {
	var addresses []string
	for range count {
		listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: ip})
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		addresses = append(addresses, listener.Addr().String())
	}
	return addresses, nil
}

// endOf is the end of a log.
func endOf(path string) string {
	text, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
