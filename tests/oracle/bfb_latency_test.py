"""HiGHS judges breadth-first broadcast over links that start at different times.

Each step of each node is linear program (14) of Zhao et al., written from its definition, of every
set of the links that start first: the least of these is the program with slow links left out. A
step is as long as its slowest node's; the schedule's time as fluids, with a barrier after each step,
is their sum.
"""

import json
import os
import random
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path

PROGRAM = os.environ["WEFT_PROGRAM"]

BLOCK = 1 << 20
NETWORKS = [
    "ring:7", "torus:3x4", "hypercube:3", "hamming:3x4", "circulant:13,2,5", "mesh:3x4",
    "random-regular:12,4,seed=3", "complete:5 * ring:3",
]


def run(*words):
    ran = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def with_speeds(expression, seed, folder):
    """The network's cables with latencies and bandwidths drawn, as a file of its own."""
    random.seed(seed)
    plain = os.path.join(folder, "plain.edges")
    run("topology", expression, "-q", "--measure", "cheap", "-o", plain)
    path = os.path.join(folder, "speeds.edges")
    cables = []
    with open(plain, encoding="utf-8") as file:
        for line in file:
            if line[0].isdigit():
                u, v = map(int, line.split()[:2])
                cables.append((u, v, random.choice([25, 50, 100]), random.choice([1, 20, 60, 200])))
    with open(path, "w", encoding="utf-8") as file:
        for u, v, gbps, us in cables:
            file.write(f"{u} {v} {gbps}Gbps {us}us\n")
    arcs = []
    for u, v, gbps, us in cables:
        speed = (gbps * 1e9 / 8, us * 1e-6)
        arcs += [(u, v, *speed), (v, u, *speed)]
    return path, arcs


def least_time(jobs, links):
    """(14) over these links (bandwidth, latency); jobs are lists of links."""
    pairs = [(j, k) for j, usable in enumerate(jobs) for k in usable]
    used = sorted({k for _, k in pairs})
    row = {k: i for i, k in enumerate(used)}
    columns = len(pairs) + 1
    loads = coo_matrix(
        ([BLOCK / links[k][0] * 1e6 for _, k in pairs] + [-1.0] * len(used),
         ([row[k] for _, k in pairs] + list(range(len(used))),
          list(range(len(pairs))) + [len(pairs)] * len(used))), shape=(len(used), columns))
    whole = coo_matrix(([1.0] * len(pairs), ([j for j, _ in pairs], list(range(len(pairs))))),
                       shape=(len(jobs), columns))
    cost = np.zeros(columns)
    cost[-1] = 1
    result = linprog(cost, A_ub=loads, b_ub=[-links[k][1] * 1e6 for k in used], A_eq=whole,
                     b_eq=np.ones(len(jobs)), bounds=(0, None), method="highs")
    assert result.status == 0, result.message
    return result.fun * 1e-6


def without_slow_links(jobs, links):
    """The least over all sets of links that start by some time and leave every job a way."""
    least = np.inf
    for start in sorted({latency for _, latency in links}):
        kept = [[k for k in usable if links[k][1] <= start] for usable in jobs]
        if all(kept):
            least = min(least, least_time(kept, links))
    return least


def judged_time(arcs):
    nodes = 1 + max(max(arc[:2]) for arc in arcs)
    graph = np.full((nodes, nodes), np.inf)
    for tail, head, _, _ in arcs:
        graph[tail, head] = 1
    np.fill_diagonal(graph, 0)
    distance = shortest_path(graph, unweighted=True)
    steps = {}
    for u in range(nodes):
        into = [arc for arc in arcs if arc[1] == u]
        links = [(bandwidth, latency) for _, _, bandwidth, latency in into]
        by_step = {}
        for v in range(nodes):
            if v != u:
                t = int(distance[v, u])
                by_step.setdefault(t, []).append(
                    [k for k, arc in enumerate(into) if distance[v, arc[0]] == t - 1])
        for t, jobs in by_step.items():
            steps[t] = max(steps.get(t, 0.0), without_slow_links(jobs, links))
    return sum(steps.values())


class BfbLatency(unittest.TestCase):
    def time(self, path, *words):
        return json.loads(run("simulate", "allgather", "-t", f"file:{path}", "-a", "bfb", "--size",
                              str(BLOCK), "--sync", "lockstep", "--json", *words))["time"]

    def test_time_is_the_optimum_of_the_linear_program(self):
        faster = 0
        for seed, expression in enumerate(NETWORKS):
            with self.subTest(expression), tempfile.TemporaryDirectory() as folder:
                path, arcs = with_speeds(expression, seed, folder)
                judged = judged_time(arcs)
                ours = self.time(path, "--block-bytes", str(BLOCK))
                # A byte of a block, in each step.
                self.assertAlmostEqual(ours, judged, delta=2e-5 * judged)
                plain = self.time(path)
                self.assertLessEqual(ours, plain * (1 + 2e-5))
                faster += ours < 0.99 * plain
        self.assertGreater(faster, 3)  # loads alone are something else


if __name__ == "__main__":
    unittest.main()
