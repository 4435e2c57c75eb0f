// block writes the samples of a file, which past makes, as a block of Prometheus into the folder of its data:
//
//	block FILE FOLDER
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "block FILE FOLDER")
		os.Exit(2)
	}
	if err := write(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "block: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// longestPast is how much the file of the past may span.
const longestPast = 60 * 24 * time.Hour

// series is a line of the file, as VictoriaMetrics exports and imports it.
type series struct {
	Metric     map[string]string `json:"metric"`
	Values     []float64         `json:"values"`
	Timestamps []int64           `json:"timestamps"`
}

func write(ctx context.Context, path, folder string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	// The writer takes samples of the newer half of its range.
	writer, err := tsdb.NewBlockWriter(slog.New(slog.DiscardHandler), folder, 2*longestPast.Milliseconds())
	if err != nil {
		return err
	}
	defer writer.Close()
	decoder := json.NewDecoder(file)
	for {
		var one series
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if len(one.Values) != len(one.Timestamps) {
			return fmt.Errorf("%v has %d values and %d timestamps", one.Metric, len(one.Values), len(one.Timestamps))
		}
		appender, of := writer.Appender(ctx), labels.FromMap(one.Metric)
		for i, value := range one.Values {
			if _, err := appender.Append(0, of, one.Timestamps[i], value); err != nil {
				return fmt.Errorf("%v: %w", of, err)
			}
		}
		if err := appender.Commit(); err != nil {
			return err
		}
	}
	_, err = writer.Flush(ctx)
	return err
}
