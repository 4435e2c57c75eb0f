package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// programs are those that run.
type programs struct {
	all  []*program
	fail context.CancelCauseFunc // called with an endedError
}

// endedError says that a program has ended by itself.
type endedError struct{ name, reason, log string }

func (e endedError) Error() string { return e.name + " has ended: " + e.reason + "\n" + e.log }

type program struct {
	name, address string
	readyPath     string
	log           string
	process       *os.Process
	ended         chan struct{}
}

func (b *bench) startStateMetrics(programs *programs) (*program, error) {
	ports, err := freePorts(net.IPv4(127, 0, 0, 1), 2)
	if err != nil {
		return nil, err
	}
	return b.startProgram(programs, "kube-state-metrics", "kube-state-metrics-"+b.stateMetricsVersion, "/healthz",
		net.JoinHostPort("127.0.0.1", ports[0]),
		"--kubeconfig="+b.kubeconfig, "--host=127.0.0.1", "--port="+ports[0],
		"--telemetry-host=127.0.0.1", "--telemetry-port="+ports[1])
}

func (b *bench) startPrometheus(programs *programs) (*program, error) {
	config, err := b.writeConfig("prometheus.yml", true)
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(b.address, 1)
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort(b.address.String(), ports[0])
	return b.startProgram(programs, "prometheus", "prometheus", "/-/ready", address,
		"--config.file="+config, "--storage.tsdb.path="+filepath.Join(b.dir, "prometheus"),
		"--web.listen-address="+address)
}

func (b *bench) startVictoriaMetrics(programs *programs) (*program, error) {
	config, err := b.writeConfig("victoria-metrics.yml", false)
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(b.address, 1)
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort(b.address.String(), ports[0])
	return b.startProgram(programs, "victoria-metrics", "victoria-metrics", "/health", address,
		"-promscrape.config="+config, "-storageDataPath="+filepath.Join(b.dir, "victoria-metrics"),
		"-httpListenAddr="+address)
}

func (b *bench) startProgram(programs *programs, name, file, readyPath, address string, args ...string) (*program, error) {
	p := &program{name: name, address: address, readyPath: readyPath, log: filepath.Join(b.logs, name+".log"), ended: make(chan struct{})}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := exec.Command(filepath.Join(b.bin, file), args...)
	command.Dir = b.dir
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return nil, err
	}
	p.process = command.Process
	programs.all = append(programs.all, p)
	go func() {
		command.Wait()
		programs.fail(endedError{name, command.ProcessState.String(), endOf(p.log)}) // of no effect if bench ends anyway
		close(p.ended)
	}()
	return p, nil
}

// answers waits until the program does.
func (p *program) answers(ctx context.Context) error {
	client := http.Client{Timeout: 5 * time.Second}
	return until(ctx, p.name, func() error {
		response, err := client.Get("http://" + p.address + p.readyPath)
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

// freePorts finds ports that nobody listens at.
func freePorts(address net.IP, count int) ([]string, error) {
	var ports []string
	for range count {
		listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: address})
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, fmt.Sprint(listener.Addr().(*net.TCPAddr).Port))
	}
	return ports, nil
}

// endOf is the end of a log.
func endOf(path string) string {
	text, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
