package main

import "math"

// Seconds as the milliseconds of the vectors.
func s(seconds float64) int64 {
	return int64(math.Round(seconds * 1000))
}

const mebi = 1 << 20

// A point whose times are in seconds and whose counter is in milliseconds of CPU time.
func at(name string, start, time float64, cpuMs uint64) point {
	from := s(start)
	return point{Name: name, Start: &from, Time: s(time), CPUNanos: cpuMs * 1_000_000, Memory: 64 * mebi}
}

func podOf(name string, points ...point) pod {
	return pod{Name: name, Containers: append([]point{}, points...)}
}

func pods(pods ...pod) scrape {
	return scrape{Pods: append([]pod{}, pods...)}
}

// A scrape of the pod `a` alone.
func ofA(points ...point) scrape {
	return pods(podOf("a", points...))
}

func scripted() []sequence {
	return []sequence{
		{"steady", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000)),
			ofA(at("main", 100, 1015, 51_500)),
			ofA(at("main", 100, 1029.2, 53_000)),
			ofA(at("main", 100, 1048, 53_000)),
			ofA(at("main", 100, 1059, 60_000)),
		}},
		{"scraped every minute, resolution of 15 s", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000)),
			ofA(at("main", 100, 1061.5, 56_000)),
			ofA(at("main", 100, 1117.25, 58_000)),
		}},
		{"no previous point", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000)),
			pods(podOf("a", at("main", 100, 1015, 51_000)), podOf("b", at("main", 100, 1014, 70_000))),
			pods(podOf("a", at("main", 100, 1030, 52_000)), podOf("b", at("main", 100, 1029, 75_000))),
		}},
		{"fresh: within resolution of its start", 15, []scrape{
			ofA(at("main", 1000, 1012, 6_000)),
			ofA(at("main", 1000, 1027, 9_000)),
			ofA(at("main", 1000, 1041, 9_100)),
		}},
		{"fresh: 9.999, 10, 14.999 and 15 s old", 15, []scrape{
			pods(
				podOf("a", at("main", 1000, 1009.999, 5_000)),
				podOf("b", at("main", 1000, 1010, 5_000)),
				podOf("c", at("main", 1000, 1014.999, 5_000)),
				podOf("d", at("main", 1000, 1015, 5_000)),
			),
		}},
		{"fresh: from its start in spite of a point before", 60, []scrape{
			ofA(at("main", 1000, 1005, 1_000)),
			ofA(at("main", 1000, 1025, 9_000)),
			ofA(at("main", 1000, 1045, 9_200)),
			ofA(at("main", 1000, 1059.999, 9_300)),
			ofA(at("main", 1000, 1060, 9_400)),
			ofA(at("main", 1000, 1080, 9_600)),
		}},
		{"fresh: the same point twice", 15, []scrape{
			ofA(at("main", 1000, 1012, 6_000)),
			ofA(at("main", 1000, 1012, 6_000)),
			ofA(at("main", 1000, 1030, 9_000)),
		}},
		{"fresh: never at a resolution of 10 s", 10, []scrape{
			ofA(at("main", 1000, 1009, 5_000)),
			pods(podOf("a", at("main", 1000, 1019, 6_000)), podOf("b", at("main", 1009, 1019, 6_000))),
		}},
		{"fresh: started after it was measured, or at that moment", 15, []scrape{
			pods(podOf("a", at("main", 1012, 1000, 5_000)), podOf("b", at("main", 1000, 1000, 5_000))),
			pods(podOf("a", at("main", 1012, 1020, 6_000)), podOf("b", at("main", 1000, 1020, 6_000))),
			pods(podOf("a", at("main", 1012, 1035, 7_000)), podOf("b", at("main", 1000, 1035, 7_000))),
		}},
		{"one of two containers without a previous point", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000)),
			ofA(at("main", 100, 1015, 51_000), at("side", 1010, 1016, 200)),
			ofA(at("main", 100, 1030, 52_000), at("side", 1010, 1031, 400)),
			ofA(at("main", 100, 1045, 53_000), at("side", 1010, 1044, 500)),
		}},
		{"one of two containers without a previous point, then measured no further", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000), at("side", 100, 1000, 9_000)),
			ofA(at("main", 100, 1015, 51_000), at("side", 1014, 1016, 60_000)),
			ofA(at("main", 100, 1030, 52_000), at("side", 1014, 1016, 60_000)),
			ofA(at("main", 100, 1045, 53_000), at("side", 1014, 1016, 60_000)),
			ofA(at("main", 100, 1060, 54_000), at("side", 1014, 1056, 61_000)),
		}},
		{"one of two containers is gone", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000), at("side", 100, 1001, 1_000)),
			ofA(at("main", 100, 1015, 51_000), at("side", 100, 1016, 1_100)),
			ofA(at("main", 100, 1030, 52_000)),
			ofA(at("main", 100, 1045, 53_000), at("side", 100, 1046, 1_300)),
			ofA(at("main", 100, 1060, 54_000), at("side", 100, 1061, 1_400)),
		}},
		{"restart: start and counter begin anew", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000)),
			ofA(at("main", 100, 1015, 51_000)),
			ofA(at("main", 1024, 1030, 2_000)),
			ofA(at("main", 1024, 1046, 2_500)),
			ofA(at("main", 1024, 1060, 2_600)),
		}},
		{"restart: measured within resolution of the new start", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000)),
			ofA(at("main", 100, 1015, 51_000)),
			ofA(at("main", 1018, 1030, 2_000)),
			ofA(at("main", 1018, 1045, 2_500)),
		}},
		{"restart: the counter has passed the old one", 60, []scrape{
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 1001, 1062, 70_000)),
			ofA(at("main", 1001, 1120, 71_000)),
		}},
		{"restart: started when the last point was measured, and a millisecond before", 15, []scrape{
			pods(podOf("a", at("main", 100, 1000, 5_000)), podOf("b", at("main", 100, 1000, 5_000)), podOf("c", at("main", 100, 1000, 5_000))),
			pods(podOf("a", at("main", 1000, 1016, 6_000)), podOf("b", at("main", 999.999, 1016, 6_000)), podOf("c", at("main", 999.999, 1016, 4_000))),
			pods(podOf("a", at("main", 1000, 1030, 7_000)), podOf("b", at("main", 999.999, 1030, 7_000)), podOf("c", at("main", 999.999, 1030, 7_000))),
		}},
		{"restart: one container of two, and its counter has decreased", 15, []scrape{
			ofA(at("main", 100, 1000, 50_000), at("side", 100, 1002, 9_000)),
			ofA(at("main", 100, 1015, 51_000), at("side", 100, 1017, 9_500)),
			ofA(at("main", 100, 1030, 52_000), at("side", 1025, 1032, 100)),
			ofA(at("main", 100, 1045, 53_000), at("side", 1025, 1047, 700)),
		}},
		{"the start moves back", 15, []scrape{
			pods(podOf("a", at("main", 100, 1000, 5_000), at("side", 100, 1001, 5_000)), podOf("b", at("main", 100, 1002, 5_000))),
			pods(podOf("a", at("main", 99.999, 1015, 6_000), at("side", 100, 1016, 5_500)), podOf("b", at("main", 99.999, 1017, 6_000))),
			pods(podOf("a", at("main", 99.999, 1030, 7_000), at("side", 100, 1031, 6_000)), podOf("b", at("main", 99.999, 1032, 7_000))),
		}},
		{"no start", 15, []scrape{
			ofA(withoutStart(at("main", 0, 1000, 5_000))),
			ofA(withoutStart(at("main", 0, 1014, 6_000))),
			ofA(withoutStart(at("main", 0, 1014, 6_000))),
			ofA(at("main", 100, 1030, 7_000)),
			ofA(withoutStart(at("main", 0, 1044, 8_000))),
		}},
		{"the same point again", 15, []scrape{
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1018, 6_000)),
			ofA(at("main", 100, 1018, 6_000)),
			ofA(at("main", 100, 1018, 6_000)),
			ofA(at("main", 100, 1036, 9_000)),
		}},
		{"the same time again with other values", 15, []scrape{
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1015, 6_000)),
			ofA(withMemory(at("main", 100, 1015, 6_500), 80*mebi)),
			ofA(withMemory(at("main", 100, 1030, 7_000), 81*mebi)),
		}},
		{"time goes back: behind the last point, to the one before, behind that", 15, []scrape{
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1015, 6_000)),
			ofA(at("main", 100, 1010, 5_500)),
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1015, 6_000)),
			ofA(at("main", 100, 1030, 7_000)),
			ofA(at("main", 100, 1014, 5_900)),
			ofA(at("main", 100, 1045, 9_000)),
		}},
		{"a pod is missing in a scrape", 15, []scrape{
			pods(podOf("a", at("main", 100, 1000, 5_000)), podOf("b", at("main", 100, 1001, 5_000))),
			pods(podOf("a", at("main", 100, 1015, 6_000)), podOf("b", at("main", 100, 1016, 6_000))),
			pods(podOf("b", at("main", 100, 1031, 7_000))),
			pods(podOf("a", at("main", 100, 1045, 8_000)), podOf("b", at("main", 100, 1046, 8_000))),
			pods(podOf("a", at("main", 100, 1060, 9_000)), podOf("b", at("main", 100, 1061, 9_000))),
		}},
		{"no pod in a scrape", 15, []scrape{
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1015, 6_000)),
			pods(),
			ofA(at("main", 100, 1045, 8_000)),
			ofA(at("main", 100, 1060, 9_000)),
		}},
		{"a pod without containers", 15, []scrape{
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1015, 6_000)),
			ofA(),
			ofA(at("main", 100, 1045, 8_000)),
		}},
		{"the counter decreases without a restart", 15, []scrape{
			ofA(at("main", 100, 1000, 5_000)),
			ofA(at("main", 100, 1015, 4_000)),
			ofA(at("main", 100, 1030, 4_500)),
			ofA(at("main", 100, 1045, 4_499)),
			ofA(at("main", 100, 1045, 4_499)),
		}},
		{"the counter of one of two containers decreases", 15, []scrape{
			ofA(at("main", 100, 1000, 5_000), at("side", 100, 999, 1_000)),
			ofA(at("main", 100, 1015, 6_000), at("side", 100, 1013, 900)),
			ofA(at("main", 100, 1030, 7_000), at("side", 100, 1027, 950)),
		}},
		{"timestamp and window of the container that was measured first", 15, []scrape{
			ofA(at("one", 100, 1000, 5_000), at("three", 100, 1004, 3_000), at("two", 100, 990, 5_000)),
			ofA(at("one", 100, 1015, 6_000), at("three", 100, 1012, 3_300), at("two", 100, 1014, 7_000)),
			ofA(at("one", 100, 1030, 7_000), at("three", 100, 1034, 3_500), at("two", 100, 1029, 8_000)),
		}},
		{"containers measured at the same time, with windows of their own", 15, []scrape{
			ofA(at("one", 100, 1000, 5_000), at("two", 100, 995, 5_000)),
			ofA(at("one", 100, 1015, 6_000), at("two", 100, 1015, 7_000)),
			ofA(at("one", 100, 1030, 7_000), at("two", 100, 1030, 8_000)),
		}},
		{"no usage", 15, []scrape{
			ofA(withMemory(at("main", 100, 1000, 5_000), 0)),
			ofA(withMemory(at("main", 100, 1015, 5_000), 0)),
		}},
		{"usage is cut off: thirds, and quotients just below a whole number", 15, []scrape{
			ofA(exact("main", 1000, 1)),
			ofA(exact("main", 1003, 2)),
			ofA(exact("main", 1018, 46)),
			ofA(exact("main", 1033, 90_000_000_000)),
			ofA(exact("main", 1047.123, 90_000_000_000+14_123*7)),
			ofA(exact("main", 1058.422, 90_000_000_000+14_123*7+11_299*1_000_003)),
		}},
		{"counters beyond the exact integers of a float", 15, []scrape{
			ofA(exact("main", 1000, 1<<53+1)),
			ofA(exact("main", 1015, 1<<54+3)),
			ofA(exact("main", 1030, 1<<62+5)),
			ofA(exact("main", 1044.9, 1<<62+6+1<<20)),
			ofA(exact("main", 1060, 1<<63+7)),
			ofA(exact("main", 1075, 1<<63+7+15_000_000_001)),
		}},
		{"forms of quantities", 15, []scrape{
			ofA(withMemory(exact("main", 1000, 0), 1)),
			ofA(withMemory(exact("main", 1010, 10_000_000_000), 1000)),
			ofA(withMemory(exact("main", 1020, 25_000_000_000), 1024)),
			ofA(withMemory(exact("main", 1030, 25_000_010_000), 1536)),
			ofA(withMemory(exact("main", 1040, 25_000_020_010), mebi+1)),
			ofA(withMemory(exact("main", 1050, 25_250_020_010), 3<<30)),
			ofA(withMemory(exact("main", 1060, 25_250_020_010), 1<<50)),
		}},
	}
}

// A point of a container that is as old as can be, with a counter in nanoseconds.
func exact(name string, time float64, cpuNanos uint64) point {
	p := at(name, 0, time, 0)
	p.CPUNanos = cpuNanos
	return p
}

func withMemory(p point, memory uint64) point {
	p.Memory = memory
	return p
}

func withoutStart(p point) point {
	p.Start = nil
	return p
}
