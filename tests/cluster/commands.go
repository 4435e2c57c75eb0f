package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/client-go/kubernetes"
)

// commands are what a running cluster does on request; README.md explains
// them.
type commands struct {
	api    *apiProcess
	etcd   *embed.Etcd
	client kubernetes.Interface
}

// obey carries out the lines of the input, one after another, and answers
// each with a line, until the input ends.
func (c *commands) obey(ctx context.Context, input io.Reader, output io.Writer) {
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		line := lines.Text()
		if err := c.carryOut(ctx, line); err != nil {
			fmt.Fprintf(output, "failed %s: %v\n", line, err)
		} else {
			fmt.Fprintln(output, "done", line)
		}
	}
}

func (c *commands) carryOut(ctx context.Context, line string) error {
	switch line {
	case "kill apiserver":
		return c.api.kill()
	case "start apiserver":
		if err := c.api.start(); err != nil {
			return err
		}
		return c.api.answers(ctx, c.client)
	case "compact etcd":
		return compact(ctx, c.etcd)
	default:
		return fmt.Errorf("no such command; there are: kill apiserver, start apiserver, compact etcd")
	}
}

// inputIsPipe says whether somebody holds the other end of our standard input.
func inputIsPipe() bool {
	info, err := os.Stdin.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}
