#!/usr/bin/python3
"""Compares the times of weft and NetworkX for the optimum of an allgather, on the same networks in the same run.

    /usr/bin/python3 bench/optimum_vs_networkx.py [build/release/bin/weft]

T_B* is the maximum, over sets of nodes that leave out a rank, of the ranks inside divided by the bandwidth that leaves.
With NetworkX, the script finds it as a user would (Dinkelbach). A source gives each rank one unit, and the best set so
far decides the capacity of the links for a unit. A flow from the source to each rank that falls short has a minimum cut
with a larger ratio. Capacities are integers, and the fractions of both sides must be equal.

Times of weft are those of whole processes: `weft optimum`, and `weft schedule -a packing`, which also builds and checks
the schedule. The script prints the rows of the table in docs/explanation/performance.md.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

import networkx as nx

CASES = [
    "boxes(2, network:dgx-a100)",
    "boxes(2, network:dgx-a100, leaf-spine:leaves=4,spines=2,hosts=4)",
    "genkautz:4,64",
    "random-regular:64,4,seed=1",
    "mesh:8x8",
    "leaf-spine:leaves=8,spines=4,hosts=8",
    "genkautz:4,256",
]
RUNS = 3  # of weft; the least time counts


def by_networkx(net):
    """Seconds, and the largest ratio of ranks inside to bandwidth that leaves; a rank on each host."""
    switches = set(net["switches"])
    hosts = [node for node in range(net["nodes"]) if node not in switches]
    start = time.perf_counter()
    graph, bandwidth = nx.DiGraph(), {}
    for (tail, head, *_), speed in zip(net["links"], net["bandwidth_Bps"]):
        if tail != head:
            bandwidth[tail, head] = bandwidth.get((tail, head), 0) + speed

    def ratio_of(inside):
        leaves = sum(speed for (tail, head), speed in bandwidth.items() if tail in inside and head not in inside)
        return Fraction(sum(host in inside for host in hosts), leaves)

    everything = set(range(net["nodes"]))
    best = max(ratio_of(everything - {host}) for host in hosts)
    waiting = list(hosts)
    while waiting:
        graph.clear()
        for (tail, head), speed in bandwidth.items():
            graph.add_edge(tail, head, capacity=speed * best.numerator)
        for host in hosts:
            graph.add_edge("source", host, capacity=best.denominator)
        while waiting:
            value, (inside, _) = nx.minimum_cut(graph, "source", waiting[-1])
            if value < best.denominator * len(hosts):
                best = ratio_of(inside)
                break
            waiting.pop()
    return time.perf_counter() - start, best


def by_weft(words):
    """Seconds of the fastest of a few runs, and what it prints."""
    least = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        ran = subprocess.run(words, check=True, capture_output=True, text=True)
        least = min(least, time.perf_counter() - start)
    return least, json.loads(ran.stdout)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/weft"
    print("| network | ranks | T_B* | `weft optimum` | `weft schedule`, packing | NetworkX | NetworkX over `optimum` |\n"
          "|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "net.json")
        for expression in CASES:
            links = [] if "network:" in expression else ["--link", "100Gbps,1us"]  # else the machine's
            subprocess.run([program, "topology", expression, *links, "-o", file], check=True, capture_output=True)
            with open(file, encoding="utf-8") as text:
                net = json.load(text)
            asked = ["allgather", "-t", expression, *links, "--json", "-a"]
            optimum_s, optimum = by_weft([program, "optimum", *asked, "none"])
            schedule_s, schedule = by_weft([program, "schedule", *asked, "packing"])
            networkx_s, ratio = by_networkx(net)
            factor = ratio * optimum["node_bandwidth_Bps"] / optimum["ranks"]
            for answer in (optimum["bandwidth_factor"], schedule["optimum"]):
                if Fraction(answer) != factor:
                    sys.exit(f"{expression}: {answer} is not NetworkX's {factor}")
            print(f"| `{expression}` | {optimum['ranks']} | {factor} | {optimum_s:.3f} s | {schedule_s:.3f} s "
                  f"| {networkx_s:.2f} s | {networkx_s / optimum_s:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
