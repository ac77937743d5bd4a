"""HiGHS judges breadth-first broadcast: T_B is the sum of the optima of linear program (1).

Written from the program's definition alone: SciPy's distances, one program for each step, which
minimises the largest load of a link. WEFT_BFB_FULL=1 takes networks of up to 200 nodes.
"""

import json
import os
import subprocess
import tempfile
import unittest
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path

PROGRAM = os.environ["WEFT_PROGRAM"]
FULL = os.environ.get("WEFT_BFB_FULL") == "1"

QUICK = [
    "uniring:7", "ring:9", "torus:3x3x2", "torus:5x4", "mesh:3x4", "hypercube:4", "hamming:3x4",
    "bipartite:4,4", "circulant:15,1,4,5", "circulant:17,2,7", "kautz:2,3", "kautz:4,2",
    "genkautz:4,12", "genkautz:4,32", "genkautz:3,17", "debruijn:2,4", "random-regular:20,4,seed=3",
    "without(link=5, torus:4x4)", "without(node=7, kautz:4,2)", "complete:6 * ring:4",
]
LARGE = [
    "torus:14x14", "torus:7x5x4", "mesh:10x12", "hypercube:7", "hamming:12x16", "complete:150",
    "bipartite:40,50", "circulant:199,3,14", "circulant:120,7,11,30", "kautz:4,4", "kautz:12,2",
    "genkautz:4,200", "genkautz:8,150", "genkautz:16,190", "genkautz:2,131", "debruijn:2,7",
    "debruijn:5,3", "random-regular:200,4,seed=1", "random-regular:160,10,seed=2",
    "without(link=9, cable=40, torus:10x10)", "without(node=3, hypercube:6)",
    "line(genkautz:4,37)", "transpose(genkautz:3,100)", "ring:12 * complete:8",
]


def arcs_of(text):
    """Tails and heads of all links."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "topology.arcs")
        subprocess.run([PROGRAM, "topology", text, "-q", "--measure", "cheap", "-o", path], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return [tuple(map(int, line.split()[:2])) for line in file if line[0].isdigit()]


def least_load(jobs, links):
    """The least largest load when each job spreads over its links: linear program (1)."""
    pairs = [(j, k) for j, usable in enumerate(jobs) for k in usable]
    columns = len(pairs) + 1
    loads = coo_matrix(
        ([1.0] * len(pairs) + [-1.0] * links,
         ([k for _, k in pairs] + list(range(links)), list(range(len(pairs))) + [len(pairs)] * links)),
        shape=(links, columns))
    whole = coo_matrix(([1.0] * len(pairs), ([j for j, _ in pairs], list(range(len(pairs))))),
                       shape=(len(jobs), columns))
    cost = np.zeros(columns)
    cost[-1] = 1
    result = linprog(cost, A_ub=loads, b_ub=np.zeros(links), A_eq=whole, b_eq=np.ones(len(jobs)),
                     bounds=(0, None), method="highs")
    assert result.status == 0, result.message
    return result.fun


def judged_factor(nodes, arcs, degree):
    graph = np.full((nodes, nodes), np.inf)
    for tail, head in arcs:
        graph[tail, head] = 1
    np.fill_diagonal(graph, 0)
    distance = shortest_path(graph, unweighted=True)
    into = [[tail for tail, head in arcs if head == u and tail != u] for u in range(nodes)]
    steps = {}
    solved = {}
    for u in range(nodes):
        by_step = {}
        for v in range(nodes):
            if v != u:
                t = int(distance[v, u])
                usable = tuple(k for k, w in enumerate(into[u]) if distance[v, w] == t - 1)
                by_step.setdefault(t, []).append(usable)
        for t, jobs in by_step.items():
            key = (tuple(sorted(jobs)), len(into[u]))
            if key not in solved:
                solved[key] = least_load(key[0], key[1])
            steps[t] = max(steps.get(t, 0.0), solved[key])
    return degree / nodes * sum(steps.values())


class Bfb(unittest.TestCase):
    def check(self, text):
        ran = subprocess.run([PROGRAM, "schedule", "allgather", "-t", text, "-a", "bfb", "--json"],
                             capture_output=True, text=True, check=True)
        ours = json.loads(ran.stdout)
        shown = json.loads(subprocess.run([PROGRAM, "topology", text, "--json"], check=True,
                                          capture_output=True, text=True).stdout)
        factor = judged_factor(shown["nodes"], arcs_of(text), shown["degree"])
        self.assertTrue(ours["verified"])
        self.assertAlmostEqual(float(Fraction(ours["bandwidth_factor"])), factor, delta=1e-7 * factor)

    def test_bandwidth_factor_is_the_optimum_of_the_linear_program(self):
        for text in QUICK + (LARGE if FULL else []):
            with self.subTest(text):
                self.check(text)


if __name__ == "__main__":
    unittest.main()
