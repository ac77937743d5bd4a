"""HiGHS judges what packing loses at switches whose links in and out differ: every cut, capacities lowered at will.

A switch copies nothing, so that ways between ranks put on its links in what they put on those out. The best trees of
all are those of capacities c' <= c of which as much enters each switch as leaves it, with the greatest t such that
every set with a rank outside is left by t for each of its roots; without the first condition t is that of T_B*.
"""

import json
import os
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

import numpy
from scipy.optimize import linprog

PROGRAM = os.environ["WEFT_PROGRAM"]
MANY = 1_000  # segments, of which the pipeline's ends are a few
ENTERING = ("reduce-scatter", "reduce")  # contributions to a root must enter its sets


def random_net(stream, enters):
    """Up to 3 switches and 5 hosts with a rank each; links one-way, or of unlike speeds either way. In half of them
    hosts' links to switches (from them, where contributions enter) are slow, so that copies (sums) would help."""
    fan, switches, hosts = stream.random() < 0.5, stream.randrange(1, 4), stream.randrange(2, 6)
    nodes, links, alike = switches + hosts, [], stream.random() < 0.2

    def join(tail, head):
        one_way = stream.random() < (0.1 if fan else 0.4)
        for ends in ((tail, head), (head, tail))[: 1 if one_way else 2]:
            slow = fan and ends[0 if enters else 1] < switches <= max(ends)
            links.append((ends, 1 if alike or slow else stream.randrange(4 if fan else 1, 7)))

    for host in range(switches, nodes):
        for _ in range(1 if fan else stream.randrange(1, 3)):
            join(*stream.sample((host, stream.randrange(switches)), 2))
    for _ in range(stream.randrange(2 * nodes)):
        join(*stream.sample(range(nodes if not fan or stream.random() < 0.2 else switches + 1), 2))
    links.sort()  # as links are numbered
    return {"format": "weft-topology", "version": 2, "nodes": nodes, "switches": list(range(switches)),
            "links": [list(ends) for ends, _ in links], "bandwidth_Bps": [1000 * speed for _, speed in links]}


def greatest_rate(net, roots, enters, even):
    """The greatest t, in units of bandwidth; 0 where some rank is not reached."""
    switches, links = set(net["switches"]), net["links"]
    rows, balances = [], []
    for subset in range(1, (1 << net["nodes"]) - 1):
        inside = [subset >> node & 1 for node in range(net["nodes"])]
        held = sum(inside[root] for root in roots)
        if held and not all(inside[node] for node in range(net["nodes"]) if node not in switches):
            crosses = [inside[tail] != enters and inside[head] == enters for tail, head in links]
            rows.append([-int(crossed) for crossed in crosses] + [held])
    for switch in switches if even else ():
        balances.append([(head == switch) - (tail == switch) for tail, head in links] + [0])
    solved = linprog([0] * len(links) + [-1], A_ub=numpy.array(rows), b_ub=numpy.zeros(len(rows)),
                     A_eq=numpy.array(balances) if balances else None,
                     b_eq=numpy.zeros(len(balances)) if balances else None,
                     bounds=[(0, speed / 1000) for speed in net["bandwidth_Bps"]] + [(0, None)], method="highs")
    assert solved.status == 0, solved.message
    return -solved.fun * 1000


def ask(file, command, collective, root, *more):
    words = [PROGRAM, command, collective, "-t", "file:" + file, "-a", "packing", "--json", "-q", *more]
    ran = subprocess.run(words + (["--root", str(root)] if root is not None else []), capture_output=True, text=True)
    return ran, json.loads(ran.stdout) if ran.returncode == 0 else None


class UnevenSwitches(unittest.TestCase):
    def judge(self, file, net, collective, root):
        """The rates that HiGHS has without and with even switches, held against what weft prints."""
        first, hosts = len(net["switches"]), net["nodes"] - len(net["switches"])
        roots = [first + root] if root is not None else list(range(first, net["nodes"]))
        rates = [greatest_rate(net, roots, collective in ENTERING, even) for even in (False, True)]
        with open(file, "w", encoding="utf-8") as text:
            json.dump(net, text)
        ran, answer = ask(file, "schedule", collective, root, "--segments", str(MANY))
        if rates[1] < 1e-6:
            self.assertEqual(ran.returncode, 2, ran.stderr)
            return None
        self.assertEqual(ran.returncode, 0, ran.stderr)
        parts = 1 if root is not None else hosts  # of the buffer that a root sends

        def rate(factor):
            return answer["node_bandwidth_Bps"] / (float(factor) * parts)

        steady = max(map(Fraction, answer["step_factors"])) * MANY  # of the fullest link in full flow
        self.assertLess(abs(rate(steady) / rates[1] - 1), 1e-7)
        self.assertLessEqual(Fraction(answer["bandwidth_factor"]), steady * answer["steps"] / MANY)
        priced, optimum = ask(file, "optimum", collective, root, "--segments", str(MANY))
        self.assertEqual(priced.returncode, 0, priced.stderr)
        self.assertLess(abs(rate(Fraction(optimum["bandwidth_factor"])) / rates[0] - 1), 1e-7)
        row = next(row for row in optimum["schedules"] if row["algorithm"] == f"packing ({MANY} segments)")
        self.assertEqual(row["bandwidth_factor"], answer["bandwidth_factor"])
        return rates[0] / rates[1] - 1

    def test_lose_no_more_than_any_even_capacities(self):
        stream, losses = random.Random(15), []
        with tempfile.TemporaryDirectory() as folder:
            for trial in range(400):
                collective = stream.choice(["allgather", "allgather", "reduce-scatter", "broadcast", "reduce"])
                net = random_net(stream, collective in ENTERING)
                hosts = net["nodes"] - len(net["switches"])
                root = stream.randrange(hosts) if collective in ("broadcast", "reduce") else None
                with self.subTest(trial=trial, net=net, collective=collective, root=root):
                    loss = self.judge(os.path.join(folder, "net.json"), net, collective, root)
                    if loss is not None:
                        losses.append(loss)
        self.assertGreater(len(losses), 250)
        self.assertGreater(sum(loss > 1e-6 for loss in losses), 25)  # where T_B* itself has no trees


if __name__ == "__main__":
    unittest.main()
