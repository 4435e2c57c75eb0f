// Writes sequences of scrapes and what metrics-server answers after each, a JSON object a line: the scripted ones first, then N
// random ones.
//
//	metrics-server SEED N
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"

	"k8s.io/klog/v2"
)

func main() {
	// The storage logs each counter that has decreased, and is asked often.
	klog.SetLogger(klog.Logger{})
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "metrics-server:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: metrics-server SEED N")
	}
	seed, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	w := bufio.NewWriter(os.Stdout)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	sequences := scripted()
	r := rand.New(rand.NewSource(seed))
	for i := range n {
		sequences = append(sequences, randomSequence(r, fmt.Sprintf("random %d", i)))
	}
	for _, sequence := range sequences {
		if err := answer(&sequence); err != nil {
			return fmt.Errorf("%s: %w", sequence.Case, err)
		}
		if err := enc.Encode(sequence); err != nil {
			return err
		}
	}
	return w.Flush()
}
