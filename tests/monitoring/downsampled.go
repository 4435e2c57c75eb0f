package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// startStore starts Thanos' gateway to a bucket that has the samples of the file b.downsampled only as averages of 5 min:
// raw blocks are often kept for a shorter time. It returns where the querier finds it.
func (b *bench) startStore(ctx context.Context, programs *programs) (string, error) {
	bucket, upload := filepath.Join(b.dir, "bucket"), filepath.Join(b.dir, "upload")
	config := filepath.Join(b.dir, "bucket.yml")
	text := fmt.Sprintf("type: FILESYSTEM\nconfig: {directory: %q}\n", bucket)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return "", err
	}
	store := "--objstore.config-file=" + config
	addresses, err := freeAddresses(loopback, 3)
	if err != nil {
		return "", err
	}
	for _, command := range [][]string{
		{"block", b.downsampled, upload},
		{"thanos", "tools", "bucket", "upload-blocks", store, "--path=" + upload, `--label=store="bucket"`},
	} {
		output, err := exec.CommandContext(ctx, filepath.Join(b.bin, command[0]), command[1:]...).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%v: %w: %s", command, err, output)
		}
	}
	downsampling := exec.CommandContext(ctx, filepath.Join(b.bin, "thanos"), "tools", "bucket", "downsample", store,
		"--data-dir="+filepath.Join(b.dir, "downsampling"), "--http-address="+addresses[0])
	if err := downsampling.Start(); err != nil {
		return "", err
	}
	// It goes on looking for blocks until it is ended.
	err = until(ctx, "thanos tools bucket downsample", func() error { return removeRaw(bucket) })
	downsampling.Process.Kill()
	downsampling.Wait()
	if err != nil {
		return "", err
	}
	p := &program{Name: "thanos-store", File: "thanos", address: addresses[1], readyPath: "/-/ready"}
	return addresses[2], b.startProgram(programs, p, "store", store, "--data-dir="+b.data(p),
		"--http-address="+addresses[1], "--grpc-address="+addresses[2])
}

// removeRaw removes the blocks that are not downsampled, once there are others.
func removeRaw(bucket string) error {
	metas, err := filepath.Glob(filepath.Join(bucket, "*", "meta.json"))
	if err != nil {
		return err
	}
	var raw []string
	for _, path := range metas {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var meta struct {
			Thanos struct {
				Downsample struct{ Resolution int64 }
			}
		}
		if err := json.Unmarshal(text, &meta); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if meta.Thanos.Downsample.Resolution == 0 {
			raw = append(raw, filepath.Dir(path))
		}
	}
	if len(raw) == len(metas) {
		return fmt.Errorf("none of %d blocks is downsampled; they must span 40 h", len(metas))
	}
	for _, folder := range raw {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	return nil
}
