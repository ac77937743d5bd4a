"""HiGHS judges the shares of MD: the flow through the lattice of dimensions done, step by step."""

import json
import os
import random
import subprocess
import unittest
from fractions import Fraction
from math import prod

import numpy
from scipy.optimize import linprog

PROGRAM = os.environ["WEFT_PROGRAM"]


def lattice_blocks(extents, steps):
    """Least blocks over the busiest links: f[t][S][i] moves from S to S + i, T[t] bounds each i."""
    n = len(extents)
    sets, full = 1 << n, (1 << n) - 1
    blocks = [prod(m for i, m in enumerate(extents) if s >> i & 1) for s in range(sets)]
    moves = [(t, s, i) for t in range(steps) for s in range(sets) for i in range(n) if not s >> i & 1]
    column = {move: c for c, move in enumerate(moves)}
    count = len(moves) + steps
    rows, bounds = [], []
    for t in range(steps):
        for i in range(n):
            row = numpy.zeros(count)
            row[len(moves) + t] = -1
            for s in range(sets):
                if not s >> i & 1:
                    row[column[t, s, i]] = blocks[s]
            rows.append(row), bounds.append(0)
        for s in range(full):  # what has left by now had come before
            row = numpy.zeros(count)
            for u, source, i in moves:
                if source == s and u <= t:
                    row[column[u, source, i]] += 1
                if source | 1 << i == s and u < t:
                    row[column[u, source, i]] -= 1
            rows.append(row), bounds.append(1 if s == 0 else 0)
    arrived = numpy.zeros((1, count))
    for t, s, i in moves:
        if s | 1 << i == full:
            arrived[0, column[t, s, i]] = 1
    cost = numpy.zeros(count)
    cost[len(moves):] = 1
    solved = linprog(cost, A_ub=numpy.array(rows), b_ub=bounds, A_eq=arrived, b_eq=[1], method="highs")
    assert solved.status == 0
    return solved.fun


def route_loads(extents, entry):
    """What the printed routes put on links, in exact fractions: blocks over the busiest, summed."""
    loads = [[Fraction(0)] * len(extents) for _ in range(entry["steps"])]
    for route in entry["routes"]:
        done = 1
        for i, t in zip(route["order"], route["at"]):
            loads[t][i] += Fraction(route["share"]) * done
            done *= extents[i]
    return sum(max(step) for step in loads)


def shares_of(extents, collective):
    command = [PROGRAM, "schedule", collective, "-t", "hamming:" + "x".join(map(str, extents)),
               "-a", "md", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


class SharesTest(unittest.TestCase):
    def check(self, extents, collective):
        answer = shares_of(extents, collective)
        nodes, degree = prod(extents), sum(extents) - len(extents)
        bound = Fraction(nodes - 1, nodes)
        entries = answer["shares"]["by_steps"]
        self.assertEqual(entries[0]["steps"], len(extents))
        for entry in entries:
            self.assertAlmostEqual(float(Fraction(entry["blocks"])),
                                   lattice_blocks(extents, entry["steps"]), delta=1e-7 * nodes)
            self.assertEqual(route_loads(extents, entry), Fraction(entry["blocks"]))
            self.assertEqual(sum(Fraction(r["share"]) for r in entry["routes"]), 1)
            factor = Fraction(entry["bandwidth_factor"])
            self.assertEqual(factor, Fraction(entry["blocks"]) * degree / nodes)
            self.assertGreaterEqual(factor, bound)
        self.assertEqual(Fraction(answer["bandwidth_factor"]),
                         Fraction(entries[0]["bandwidth_factor"]))
        self.assertEqual(Fraction(answer["shares"]["bfb_bandwidth_factor"]), bound)

    def test_random_extents(self):
        rng = random.Random(5)
        for dimensions, most, cases in ((2, 12, 12), (3, 6, 8), (4, 3, 3)):
            for _ in range(cases):
                extents = [rng.randint(2, most) for _ in range(dimensions)]
                with self.subTest(extents=extents):
                    self.check(extents, rng.choice(["allgather", "reduce-scatter"]))


if __name__ == "__main__":
    unittest.main()
