"""HiGHS judges all-to-all throughput: LP (3) of the direct-connect paper on random networks."""

import json
import os
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

import numpy
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from samples import samples

PROGRAM = os.environ["WEFT_PROGRAM"]


def lp_throughput(nodes, arcs, ranks=None):
    """Maximize f: ranks[s] y[s][e] summed over s within 1; net inflow of every u != s at least ranks[u] f."""
    ranks = ranks or [1] * nodes
    rows, columns, values, bounds = [], [], [], [1.0] * len(arcs)
    flow = lambda s, e: 1 + s * len(arcs) + e
    for s in range(nodes):
        for u in range(nodes):
            if u != s:
                row = len(bounds)
                bounds.append(0.0)
                rows.append(row), columns.append(0), values.append(float(ranks[u]))
                for e, (tail, head) in enumerate(arcs):
                    if tail != head and u in (tail, head):
                        rows.append(row), columns.append(flow(s, e))
                        values.append(1.0 if u == tail else -1.0)
        for e in range(len(arcs)):
            rows.append(e), columns.append(flow(s, e)), values.append(float(ranks[s]))
    count = 1 + nodes * len(arcs)
    matrix = coo_matrix((values, (rows, columns)), shape=(len(bounds), count))
    cost = numpy.zeros(count)
    cost[0] = -1
    solved = linprog(cost, A_ub=matrix.tocsr(), b_ub=bounds, bounds=(0, None), method="highs")
    assert solved.status == 0
    return -solved.fun


def random_arcs(nodes, degree, stream):
    """A cycle through all nodes, so that they reach each other, and random arcs."""
    arcs = [(u, (u + 1) % nodes) for u in range(nodes)]
    while len(arcs) < nodes * degree:
        arcs.append((stream.randrange(nodes), stream.randrange(nodes)))
    return arcs


def ask(arcs, *options, ranks=None):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.arcs")
        with open(path, "w") as file:
            file.writelines(f"{tail} {head}\n" for tail, head in arcs)
        if ranks:
            placement = os.path.join(folder, "places")
            with open(placement, "w") as file:
                file.writelines(f"{node}\n" * count for node, count in enumerate(ranks))
            options += ("--placement", "file:" + placement, "--ranks", str(sum(ranks)))
        answer = subprocess.run([PROGRAM, "throughput", "file:" + path, "--json", *options],
                                capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def run(*arguments):
#No catalogue and no cache of the user's.
    with tempfile.TemporaryDirectory() as cache:
        answer = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True,
                                env={**os.environ, "XDG_CACHE_HOME": cache})
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def arcs_of(topology):
    """Tails and heads of all links."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "topology.arcs")
        run("topology", topology, "-q", "--measure", "cheap", "-o", path)
        with open(path, encoding="utf-8") as file:
            return [tuple(map(int, line.split()[:2])) for line in file if line[0].isdigit()]


class Throughput(unittest.TestCase):
    def test_every_method_equals_highs_on_random_networks(self):
        stream = random.Random(1)
        for trial in range(samples(30)):
            nodes = stream.randrange(4, 14)
            arcs = random_arcs(nodes, stream.randrange(2, 5), stream)
            expected = lp_throughput(nodes, arcs)
            answer = ask(arcs, "--method", "exact")
            with self.subTest(trial=trial, arcs=arcs):
                self.assertLess(abs(answer["throughput"] / expected - 1), 1e-7)
                self.assertLess(abs(answer["upper_bound"] / expected - 1), 1e-7)
                if answer["exact"]:
                    self.assertLess(abs(Fraction(answer["exact"]) / Fraction(expected) - 1), 1e-7)
                orbits = ask(arcs, "--method", "orbits")
                self.assertLess(abs(orbits["throughput"] / expected - 1), 1e-7)
                self.assertLess(abs(orbits["upper_bound"] / expected - 1), 1e-7)
                near = ask(arcs, "--method", "approximate", "--gap", "0.01")
                self.assertLess(near["throughput"], expected * (1 + 1e-7))
                self.assertGreater(near["upper_bound"], expected * (1 - 1e-7))
                self.assertLessEqual(near["gap"], 0.01)

    def test_several_ranks_a_host_equal_highs(self):
        stream = random.Random(3)
        for trial in range(samples(20)):
            nodes = stream.randrange(3, 10)
            arcs = random_arcs(nodes, stream.randrange(2, 4), stream)
            ranks = [stream.randrange(4) for _ in range(nodes)]
            ranks[0] = ranks[1] = 1 + trial % 3
            expected = lp_throughput(nodes, arcs, ranks)
            with self.subTest(trial=trial, arcs=arcs, ranks=ranks):
                for method in ("auto", "exact", "orbits"):
                    answer = ask(arcs, "--method", method, ranks=ranks)
                    self.assertEqual(answer["ranks"], sum(ranks))
                    self.assertLess(abs(answer["throughput"] / expected - 1), 1e-7)
                    self.assertLess(abs(answer["upper_bound"] / expected - 1), 1e-7)
                near = ask(arcs, "--method", "approximate", ranks=ranks)
                self.assertLess(near["throughput"], expected * (1 + 1e-7))
                self.assertGreater(near["upper_bound"], expected * (1 - 1e-7))

    def test_networks_for_an_all_to_all_are_in_the_order_of_highs(self):
        sizes = [(10, 3, ()), (12, 4, ()), (11, 3, ()), (9, 2, ("--one-way",))]
        for nodes, degree, more in samples(sizes):
            found = json.loads(run("find", "--for", "alltoall", "-n", str(nodes), "-d", str(degree),
                                   "--json", *more))
            expected = [lp_throughput(nodes, arcs_of(line["topology"])) for line in found["ranking"]]
            with self.subTest(nodes=nodes, degree=degree):
                self.assertTrue(expected)
                for line, judged in zip(found["ranking"], expected):
                    self.assertLess(line["throughput"], judged * (1 + 1e-7), line["topology"])
                    self.assertGreater(line["upper_bound"], judged * (1 - 1e-7), line["topology"])
                    self.assertLess(judged, line["throughput_bound"] * (1 + 1e-7), line["topology"])
                for above, below in zip(expected, expected[1:]):
                    self.assertGreater(above, below * (1 - 0.01))  # --gap


if __name__ == "__main__":
    unittest.main()
