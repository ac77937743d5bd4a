#!/usr/bin/python3
"""Compares the times of all-pairs distances of weft, SciPy and NetworkX, on the same networks in the same run.

    /usr/bin/python3 bench/distances_vs_scipy.py [build/release/bin/analysis_bench]

The networks are generalized Kautz digraphs (kautz:100,2 is the one of 10,100 nodes and degree 100). One congruence
defines their links, so both sides build them from the same definition. The sums of all distances must agree. NetworkX
is timed on some sources, and its time is scaled to all of them. The script prints the rows of the table in
docs/explanation/performance.md.
"""

import json
import subprocess
import sys
import time

import networkx as nx
import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import shortest_path

CASES = {  # our benchmark: degree, nodes
    "BM_GeneralizedKautzDegree8/1000/real_time": (8, 1000),
    "BM_GeneralizedKautzDegree8/10000/real_time": (8, 10_000),
    "BM_KautzDiameter2/100/real_time": (100, 10_100),
}
SCIPY_ROWS = 500  # sources at a time, which keeps the matrix of distances small
NETWORKX_SOURCES = 20


def arcs(degree, nodes):
    tails = np.repeat(np.arange(nodes), degree)
    digits = np.tile(np.arange(1, degree + 1), nodes)
    return tails, (-(degree * tails + digits)) % nodes


def by_scipy(degree, nodes):
    tails, heads = arcs(degree, nodes)
    graph = csr_matrix((np.ones(len(tails)), (tails, heads)), shape=(nodes, nodes))
    start = time.perf_counter()
    total = diameter = 0
    for first in range(0, nodes, SCIPY_ROWS):
        rows = np.arange(first, min(first + SCIPY_ROWS, nodes))
        distance = shortest_path(graph, method="D", unweighted=True, indices=rows)
        total += distance.sum()
        diameter = max(diameter, distance.max())
    return time.perf_counter() - start, int(total), int(diameter)


def by_networkx(degree, nodes):
    graph = nx.DiGraph(zip(*(ends.tolist() for ends in arcs(degree, nodes))))
    sources = range(0, nodes, max(1, nodes // NETWORKX_SOURCES))
    start = time.perf_counter()
    for source in sources:
        nx.single_source_shortest_path_length(graph, source)
    return (time.perf_counter() - start) * nodes / len(sources)


def ours(program):
    names = "|".join(name.removesuffix("/real_time") for name in CASES)
    output = subprocess.run(
        [program, f"--benchmark_filter=^({names})/real_time$", "--benchmark_format=json"],
        check=True, capture_output=True, text=True).stdout
    return {run["name"]: run for run in json.loads(output)["benchmarks"]}


def main():
    runs = ours(sys.argv[1] if len(sys.argv) > 1 else "build/release/bin/analysis_bench")
    print("| network | links | weft | SciPy | NetworkX (scaled) |\n|---|---|---|---|---|")
    for name, (degree, nodes) in CASES.items():
        run = runs[name]
        scipy_s, total, diameter = by_scipy(degree, nodes)
        if (total, diameter) != (int(run["distance_sum"]), int(run["diameter"])):
            sys.exit(f"{run['label']}: distances differ from SciPy's")
        networkx_s = by_networkx(degree, nodes)
        print(f"| `{run['label']}` | {degree * nodes:,} | {run['real_time'] / 1e3:.4f} s "
              f"| {scipy_s:.1f} s | {networkx_s:.1f} s |", flush=True)


if __name__ == "__main__":
    main()
