package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
)

// writePast writes the samples of the past into a folder for the data of Prometheus.
func (b *bench) writePast(ctx context.Context, folder string) error {
	output, err := exec.CommandContext(ctx, filepath.Join(b.bin, "block"), b.past, folder).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s; build.sh block builds it", err, output)
	}
	return nil
}

// importPast sends the samples of the past to VictoriaMetrics.
func (b *bench) importPast(ctx context.Context, victoria *program) error {
	file, err := os.Open(b.past)
	if err != nil {
		return err
	}
	defer file.Close()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+victoria.address+"/api/v1/import", file)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s does not take the past: %s: %s", victoria.Name, response.Status, text)
	}
	return nil
}
