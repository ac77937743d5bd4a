"""NetworkX and HiGHS judge multi-path messages.

NetworkX says how many edge-disjoint paths there are. The least time of a message is judged by a
linear program for the quickest flow over time, written from its definition alone: the least of
(M + sum of latency times flow) / value over all static flows, made linear by dividing by the value.
"""

import json
import os
import random
import subprocess
import tempfile
import unittest
from collections import Counter

import networkx as nx
import numpy as np
from scipy.optimize import linprog

PROGRAM = os.environ["WEFT_PROGRAM"]

TOPOLOGIES = [
    "kautz:2,2", "kautz:3,2", "kautz:5,2", "kautz:2,3", "genkautz:3,11", "genkautz:4,14", "torus:3x3x2",
    "mesh:3x4", "hypercube:4", "2dfc:3x4", "debruijn:2,3", "circulant:11,2,3", "uniring:5",
    "random-regular:14,4,seed=3", "without(link=5, torus:4x4)", "without(node=7, kautz:4,2)",
]
BANDWIDTH, LATENCY = 12.5e9, 1e-6


def weft(*words):
    """The JSON that a command answers."""
    run = subprocess.run([PROGRAM, *map(str, words), "--json"], check=True, capture_output=True)
    return json.loads(run.stdout)


def arcs_of(text):
    """Tails and heads of all links."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "topology.arcs")
        subprocess.run([PROGRAM, "topology", text, "-q", "--measure", "cheap", "-o", path], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return [tuple(map(int, line.split()[:2])) for line in file if line[0].isdigit()]


def disjoint_paths(arcs, start, end):
    """How many paths share no link."""
    graph = nx.DiGraph()
    for (tail, head), links in Counter(arcs).items():
        if tail != head:
            graph.add_edge(tail, head, capacity=links)
    return nx.maximum_flow_value(graph, start, end)


def least_time(arcs, start, end, size):
    """Variables: scale s = 1 / value, and on each link the flow over the value."""
    nodes = 1 + max(max(arc) for arc in arcs)
    balance = np.zeros((nodes, len(arcs) + 1))
    for i, (tail, head) in enumerate(arcs):
        balance[tail, i] += 1
        balance[head, i] -= 1
    right = np.zeros(nodes)
    right[start], right[end] = 1, -1
    room = np.hstack([np.eye(len(arcs)), -np.ones((len(arcs), 1))])  # in links' bandwidth
    cost = np.append(np.full(len(arcs), LATENCY), size / BANDWIDTH)
    result = linprog(cost * 1e6, A_ub=room, b_ub=np.zeros(len(arcs)), A_eq=balance, b_eq=right,
                     method="highs")
    return result.fun / 1e6


class Multipath(unittest.TestCase):
    def test_uses_as_many_paths_as_share_no_link(self):
        rng = random.Random(1)
        for text in TOPOLOGIES:
            arcs = arcs_of(text)
            nodes = sorted({node for arc in arcs for node in arc})
            for _ in range(4):
                start, end = rng.sample(range(len(nodes)), 2)
                answer = weft("schedule", "point-to-point", "-t", text, "--from", start, "--to", end,
                              "-a", "multipath")
                self.assertEqual(answer["messages"], disjoint_paths(arcs, nodes[start], nodes[end]),
                                 f"{text}: {start} to {end}")

    def test_is_as_quick_as_any_flow_over_time(self):
        rng = random.Random(2)
        for text in TOPOLOGIES:
            arcs = arcs_of(text)
            nodes = sorted({node for arc in arcs for node in arc})
            for size in (1000, 20_000, 50_000, 200_000, 4_000_000):
                start, end = rng.sample(range(len(nodes)), 2)
                answer = weft("simulate", "point-to-point", "-t", text, "--from", start, "--to", end,
                              "-a", "multipath", "--size", size)
                least = least_time(arcs, nodes[start], nodes[end], size)
                self.assertLess(abs(answer["time"] / least - 1), 1e-4,
                                f"{text}: {start} to {end}, {size} bytes")


if __name__ == "__main__":
    unittest.main()
