#!/usr/bin/python3
"""Measures the cost of the packet simulator by terminals and by load, and draws the chart of the documents.

    /usr/bin/python3 bench/packet_scaling.py [build/release/bin/packet_bench] [docs/explanation/packet-scaling.svg]

The script runs the cases terminals... and load... of packet_bench (balanced Dragonflies, uniform traffic, adaptive
routing, 20 us). It prints CPU times for docs/explanation/performance.md, and draws CPU time and packet-hops per second
with gnuplot. The exponent is that of the power law from the first to the last case.
"""

import json
import math
import subprocess
import sys


def run(program):
    """Reads the results of the benchmark program, or of its JSON file."""
    if program.endswith(".json"):
        with open(program) as file:
            return read(json.load(file))
    answer = subprocess.run(
        [program, "--benchmark_filter=run/(terminals|load)_", "--benchmark_format=json"],
        capture_output=True, check=True, text=True)
    return read(json.loads(answer.stdout))


def read(answer):
    series = {"terminals": [], "load": []}
    for case in answer["benchmarks"]:
        what, value = case["name"].split("/")[1].split("_")
        series[what].append((int(value), case["cpu_time"] / 1e3, case["hops/s"] / 1e6))
    return series


def exponent(rows):
    return math.log(rows[-1][1] / rows[0][1]) / math.log(rows[-1][0] / rows[0][0])


def draw(series, path):
    terminal = "pngcairo" if path.endswith(".png") else "svg"
    script = [f"set terminal {terminal} size 1000,420 font 'sans,12' background 'white'",
              f"set output '{path}'", "set multiplot layout 1,2", "set grid", "set key bottom right",
              "set ylabel 'CPU time of 20 us, s'", "set y2label 'million packet-hops a second'",
              "set logscale xy", "set y2range [0:13]", "set y2tics", "set ytics nomirror"]
    titles = {"terminals": ("terminals, load 0.26", "[900:70000]"),
              "load": ("load of 16,512 terminals, %", "[9:90]")}
    for what, rows in series.items():
        label, limits = titles[what]
        first, last = rows[0], rows[-1]
        script += [f"set xlabel '{label}'", f"set xrange {limits}",
                   "set xtics (" + ",".join(f"'{x:,}' {x}" for x, _, _ in rows[::2]) + ")"]
        data = "\n".join(f"{x} {s} {h} {first[1] * x / first[0]}" for x, s, h in rows)
        script += [f"$d{what} << EOD\n{data}\nEOD",
                   f"plot $d{what} using 1:2 with linespoints pt 7 lc rgb '#0072b2' title 'CPU time', "
                   f"$d{what} using 1:4 with lines dt 2 lc rgb '#888888' title 'linear', "
                   f"$d{what} using 1:3 axes x1y2 with linespoints pt 5 lc rgb '#d55e00' "
                   "title 'packet-hops/s'"]
        print(f"{what}: time ~ {what}^{exponent(rows):.2f} from {first[0]} to {last[0]}")
        for x, s, h in rows:
            print(f"| {x:,} | {s:.2g} s | {h:.1f} M |")
    subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)


if __name__ == "__main__":
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/packet_bench"
    draw(run(program), sys.argv[2] if len(sys.argv) > 2 else "docs/explanation/packet-scaling.svg")
