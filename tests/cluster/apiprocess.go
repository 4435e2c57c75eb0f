package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"k8s.io/client-go/kubernetes"
)

// apiServerCommand is the first argument of the process that is the
// kube-apiserver.
const apiServerCommand = "apiserver"

// apiProcess is the kube-apiserver: a process of its own, this program once
// more, so that it can be killed as a crash would.
type apiProcess struct {
	arguments []string
	port      int
	failed    chan<- error // where it is told that it ended by itself

	mu      sync.Mutex
	process *exec.Cmd
	input   io.Closer     // it ends with this process at the latest, by the end of its input
	ended   chan struct{} // closed when process has ended
	killed  bool
}

// newAPIProcess chooses a port of 127.0.0.1, where it starts and starts again.
func newAPIProcess(p *parameters, creds *credentials, etcdURL string, failed chan<- error) (*apiProcess, error) {
	listener, err := listen()
	if err != nil {
		return nil, err
	}
	port := portOf(listener)
	arguments := append([]string{
		apiServerCommand,
		"--dir=" + creds.dir,
		"--etcd=" + etcdURL,
		"--kubeconfig=" + p.kubeconfig,
		fmt.Sprintf("--port=%d", port),
		fmt.Sprintf("--v=%d", p.verbosity),
		"--",
	}, p.sharedArgs...)
	a := &apiProcess{arguments: append(arguments, p.apiServerArgs...), port: port, failed: failed}
	return a, listener.Close()
}

func (a *apiProcess) url() string { return fmt.Sprintf("https://127.0.0.1:%d", a.port) }

// start does not wait until it answers.
func (a *apiProcess) start() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.process != nil {
		return errors.New("it runs")
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	process := exec.Command(program, a.arguments...)
	process.Args[0] = "kube-apiserver"
	process.Stderr = logOutput
	input, err := process.StdinPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	a.process, a.input, a.ended, a.killed = process, input, ended, false
	go func() {
		err := process.Wait()
		a.mu.Lock()
		killed := a.killed
		a.mu.Unlock()
		close(ended)
		if !killed {
			a.failed <- fmt.Errorf("kube-apiserver: %w", err)
		}
	}()
	return nil
}

// kill ends it with SIGKILL. Its port refuses connections when kill returns.
func (a *apiProcess) kill() error {
	a.mu.Lock()
	process, ended := a.process, a.ended
	a.killed = true
	a.mu.Unlock()
	if process == nil {
		return errors.New("it does not run")
	}
	if err := process.Process.Kill(); err != nil {
		return err
	}
	<-ended
	a.mu.Lock()
	defer a.mu.Unlock()
	a.input.Close()
	a.process = nil
	return nil
}

// answers waits until it is ready.
func (a *apiProcess) answers(ctx context.Context, client kubernetes.Interface) error {
	return until(ctx, "kube-apiserver", func() bool {
		_, err := client.CoreV1().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return err == nil
	})
}
