package oracle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// replayed is a line of a recording, and what the recording says of it in its own words.
type replayed struct {
	Snapshot
	outcome, status any
}

// TestReplay hands every line of the recordings in the folder ORACLE_REPLAY to the real controller, which keeps its
// memory from line to line, and compares what it does with the outcome in the line, every field. Recordings in which
// something differs are written to ORACLE_OUT, with what the controller really did.
func TestReplay(t *testing.T) {
	folder, out, version := os.Getenv("ORACLE_REPLAY"), os.Getenv("ORACLE_OUT"), os.Getenv("ORACLE_VERSION")
	if folder == "" {
		t.Skip("ORACLE_REPLAY is not set")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s: %v", folder, err)
	}
	total, equal := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		lines, same := 0, 0
		var real []*Snapshot
		for _, recording := range recordings(t, file) {
			before := setGates(t, recording[0].Controller.FeatureGates)
			inBubble(t, func(t *testing.T) {
				done, differing := replay(t, name, recording, minorOf(t, version) >= firstImmediate)
				real = append(real, done...)
				lines += len(recording)
				same += len(recording) - differing
			})
			setGates(t, before)
		}
		t.Logf("%s: %d of %d syncs are equal", name, same, lines)
		total, equal = total+lines, equal+same
		if out != "" && same < lines {
			path := filepath.Join(out, name+".jsonl")
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			record(t, path, name, real)
		}
	}
	t.Logf("%s: %d of %d syncs in %d recordings are equal", version, equal, total, len(files))
	if equal < total {
		t.Fail()
	}
}

// recordings are those of a file: each begins with a controller that has just started.
func recordings(t *testing.T, file string) [][]*replayed {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all [][]*replayed
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 256<<20)
	for number := 1; scanner.Scan(); number++ {
		line := &replayed{}
		var raw struct {
			HPA     struct{ Status any }
			Outcome any
		}
		if err := json.Unmarshal(scanner.Bytes(), &line.Snapshot); err != nil {
			t.Fatalf("%s:%d: %v", file, number, err)
		}
		plain(scanner.Bytes(), &raw)
		line.outcome, line.status = raw.Outcome, raw.HPA.Status
		switch last := len(all) - 1; {
		case line.HPA.Namespace != namespace || line.HPA.Name != hpaName || line.HPA.Spec.ScaleTargetRef.Name != target:
			t.Fatalf("%s:%d: the HPA must be %s/%s and its target %s", file, number, namespace, hpaName, target)
		case last >= 0 && (!line.ControllerStarted || line.Metadata.Name == all[last][0].Metadata.Name):
			all[last] = append(all[last], line)
		case !line.ControllerStarted:
			t.Fatalf("%s:%d: what the controller remembers before the first line is not known", file, number)
		default:
			all = append(all, []*replayed{line})
		}
	}
	if err := scanner.Err(); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return all
}

// replay has the real controller do the syncs of a recording. It returns what that did and how many syncs differ.
func replay(t *testing.T, name string, recording []*replayed, immediate bool) (real []*Snapshot, differing int) {
	period := seconds(recording[0].Controller.SyncPeriodSeconds)
	d := &driver{other: map[string]*autoscalingv1.Scale{}, known: map[string]string{}, immediate: immediate, replays: true, version: firstVersion}
	defer func() { d.stop() }()
	for i, line := range recording {
		at, err := time.Parse(time.RFC3339Nano, line.Time)
		if err != nil {
			t.Fatal(err)
		}
		snap := line.Snapshot
		snap.Outcome = &Outcome{}
		for p := range snap.Pods {
			snap.Pods[p].Namespace = namespace
		}
		hpa := snap.HPA
		if i == 0 {
			// Time for the caches; before 1.37 the first sync comes one period after that.
			time.Sleep(time.Until(at.Add(-period - time.Second)))
		} else {
			hpa = d.hpa()
		}
		if line.ControllerStarted {
			if i > 0 {
				d.cancel()
				<-d.done
			}
			d = &driver{other: d.other, known: map[string]string{}, cur: &snap, taken: true, immediate: immediate, replays: true, version: d.version}
			objects := []runtime.Object{hpa.DeepCopy()}
			for p := range snap.Pods {
				objects = append(objects, snap.Pods[p].DeepCopy())
			}
			d.start(snap.Controller, objects...)
		} else {
			d.mu.Lock()
			d.cur, d.startedAt = &snap, time.Time{}
			d.mu.Unlock()
			d.setPods(snap.Pods)
		}
		time.Sleep(time.Until(at))
		d.release()
		synctest.Wait()
		d.mu.Lock()
		began := d.startedAt
		d.mu.Unlock()
		snap.Time = began.UTC().Format(time.RFC3339Nano)
		snap.Outcome.Status = d.hpa().Status
		real = append(real, &snap)
		var all []string
		if !began.Equal(at) {
			all = append(all, fmt.Sprintf("time: %s in the recording, %s by the controller", line.Time, snap.Time))
		}
		var outcome, status any
		plain(marshal(snap.Outcome), &outcome)
		plain(marshal(snap.HPA.Status), &status)
		differences("hpa.status", line.status, status, &all)
		differences("outcome", line.outcome, outcome, &all)
		if len(all) > 0 {
			if differing++; differing <= 3 {
				t.Logf("%s, line %d differs:\n    %s", name, i+1, strings.Join(all, "\n    "))
			}
		}
		if began.IsZero() {
			t.Errorf("%s, line %d: the controller did not sync at %s", name, i+1, line.Time)
			return real, differing + len(recording) - 1 - i
		}
	}
	return real, differing
}

func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// plain decodes JSON with numbers as they are written.
func plain(data []byte, into any) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		panic(err)
	}
}

// differences lists what differs between a recording and the controller. An absent field and an empty one are equal.
func differences(path string, recorded, real any, all *[]string) {
	if isEmpty(recorded) && isEmpty(real) {
		return
	}
	a, isObject := recorded.(map[string]any)
	b, isOther := real.(map[string]any)
	if isObject && isOther {
		keys := maps.Clone(a)
		maps.Copy(keys, b)
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			differences(path+"."+key, a[key], b[key], all)
		}
		return
	}
	c, isList := recorded.([]any)
	e, isOtherList := real.([]any)
	if isList && isOtherList && len(c) == len(e) {
		for i := range c {
			differences(fmt.Sprintf("%s[%d]", path, i), c[i], e[i], all)
		}
		return
	}
	if left, right := marshal(recorded), marshal(real); !bytes.Equal(left, right) {
		*all = append(*all, fmt.Sprintf("%s: %s in the recording, %s by the controller", path, left, right))
	}
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}
