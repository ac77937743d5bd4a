"""HiGHS judges the optimum of allreduce: every cut of random networks, both halves on every link."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

import numpy
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

PROGRAM = os.environ["WEFT_PROGRAM"]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["WEFT_SOURCE_DIR"], "examples"))
import check_optimum  # noqa: E402

from samples import samples


def random_net(stream):
    """Up to 3 switches and 6 hosts; some links one-way, of speeds that differ; ranks on some hosts, some together."""
    switches, hosts = stream.randrange(4), stream.randrange(2, 7)
    nodes, links, speeds = switches + hosts, [], []
    one_way, alike = stream.random() < 0.4, stream.random() < 0.3

    def join(tail, head):
        if tail == head:
            return
        speed = 1000 if alike else 1000 * stream.randrange(1, 9)
        ways = [(tail, head), (head, tail)]
        for end in ways[:1] if one_way and stream.random() < 0.4 else ways:
            links.append(list(end)), speeds.append(speed)

    for host in range(switches, nodes):
        join(host, stream.randrange(switches) if switches else stream.randrange(nodes))
    for _ in range(stream.randrange(1, 2 * nodes)):
        join(stream.randrange(nodes), stream.randrange(nodes))
    if not links:
        return None
    order = sorted(range(len(links)), key=links.__getitem__)  # as links are numbered
    links, speeds = [links[i] for i in order], [speeds[i] for i in order]
    ranked = stream.sample(range(hosts), stream.randrange(2, hosts + 1))
    net = {"format": "weft-topology", "version": 2, "nodes": nodes, "switches": list(range(switches)),
           "links": links, "bandwidth_Bps": speeds}
    return net, ranked


def least_time(net, places):
    """Least T for M = 1: all sets S that hold a rank's node and leave out another's, in both directions."""
    switches, places = set(net["switches"]), sorted(set(places))
    passes = switches | set(places) if switches else set(range(net["nodes"]))
    links = [link for link, ends in enumerate(net["links"]) if set(ends) <= passes]
    count = len(links)
    out, into, root, time = range(count), range(count, 2 * count), 2 * count, 2 * count + len(places)
    rows, bounds, equal, equals = [], [], [], []
    for e, link in enumerate(links):
        rows.append({out[e]: 1, into[e]: 1, time: -net["bandwidth_Bps"][link] / 1000}), bounds.append(0)
    for subset in range(1 << net["nodes"]):
        inside = [subset >> node & 1 for node in range(net["nodes"])]
        held = [i for i, node in enumerate(places) if inside[node]]
        if not held or len(held) == len(places):
            continue
        leave = {root + i: 1 for i in held}
        enter = dict(leave)
        for e, link in enumerate(links):
            tail, head = net["links"][link]
            if inside[tail] and not inside[head]:
                leave[out[e]] = -1
            if inside[head] and not inside[tail]:
                enter[into[e]] = -1
        rows += [leave, enter]
        bounds += [0, 0]
    for node in passes - set(places):  # adds and copies nothing
        for half in (out, into):
            row = {}
            for e, link in enumerate(links):
                tail, head = net["links"][link]
                if node in (tail, head):
                    row[half[e]] = 1 if node == head else -1
            if row:
                equal.append(row), equals.append(0)
    equal.append({root + i: 1 for i in range(len(places))}), equals.append(1)

    def matrix(entries):
        triples = [(r, c, v) for r, row in enumerate(entries) for c, v in row.items()]
        r, c, v = zip(*triples)
        return coo_matrix((v, (r, c)), shape=(len(entries), time + 1)).tocsr()

    cost = numpy.zeros(time + 1)
    cost[time] = 1
    solved = linprog(cost, A_ub=matrix(rows), b_ub=bounds, A_eq=matrix(equal), b_eq=equals, bounds=(0, None),
                     method="highs")
    return solved.fun / 1000 if solved.status == 0 else None


def ask(file, net, ranked, together, command=("optimum", "allreduce", "-a", "none")):
    hosts = file + ".hosts"
    with open(file, "w", encoding="utf-8") as text:
        json.dump(net, text)
    words = [PROGRAM, *command, "-t", "file:" + file, "--json", "-q"]
    if together:  # several ranks on some hosts
        with open(hosts, "w", encoding="utf-8") as text:
            text.writelines(f"{host}\n" for host in ranked)
        words += ["--placement", "file:" + hosts]
    else:
        words += ["--hosts", ",".join(map(str, sorted(ranked)))]
    return subprocess.run(words, capture_output=True, text=True)


class AllreduceOptimum(unittest.TestCase):
    def test_equals_highs_over_every_cut_of_random_networks(self):
        stream = random.Random(7)
        judged = uneven = 0
        with tempfile.TemporaryDirectory() as folder:
            for trial in range(samples(400)):
                drawn = random_net(stream)
                if drawn is None:
                    continue
                net, ranked = drawn
                together = stream.random() < 0.3
                if together:
                    ranked = ranked + [stream.choice(ranked) for _ in range(2)]
                places = [host + len(net["switches"]) for host in ranked]
                expected = least_time(net, places)
                ran = ask(os.path.join(folder, f"{trial}.json"), net, ranked, together)
                with self.subTest(trial=trial, net=net, places=places):
                    if expected is None:
                        self.assertEqual(ran.returncode, 2, ran.stderr)
                        continue
                    self.assertEqual(ran.returncode, 0, ran.stderr)
                    answer = json.loads(ran.stdout)
                    factor = Fraction(answer["bandwidth_factor"])
                    got = float(factor) / answer["node_bandwidth_Bps"]
                    self.assertLess(abs(got / expected - 1), 1e-7)
                    self.assertEqual(check_optimum.least_factor(net, answer), factor)
                    judged += 1
                    uneven += len(set(answer["shares"])) > 1
        self.assertGreater(judged, samples(200))
        self.assertGreater(uneven, samples(50))

    def test_is_what_packing_comes_to(self):
        stream = random.Random(8)
        segments, reached, missed = 2000, 0, 0
        pack = ("schedule", "allreduce", "-a", "packing", "--segments", str(segments))
        with tempfile.TemporaryDirectory() as folder:
            for trial in range(samples(150)):
                drawn = random_net(stream)
                if drawn is None:
                    continue
                net, ranked = drawn
                expected = least_time(net, [host + len(net["switches"]) for host in ranked])
                if expected is None:
                    continue
                ran = ask(os.path.join(folder, f"{trial}.json"), net, ranked, False, pack)
                with self.subTest(trial=trial, net=net, ranked=ranked):
                    self.assertEqual(ran.returncode, 0, ran.stderr)
                    answer = json.loads(ran.stdout)
                    got = float(Fraction(answer["bandwidth_factor"])) / answer["node_bandwidth_Bps"]
                    self.assertGreater(got, expected * (1 - 1e-7))
                    # segments and the rest of the pipeline, each step in no more than full flow
                    near = got <= expected * answer["steps"] / segments * (1 + 1e-7)
                    reached, missed = reached + near, missed + (not near)
        self.assertGreater(reached, samples(80))
        self.assertLessEqual(missed, reached // 50)  # fractions of large numbers at switches


if __name__ == "__main__":
    unittest.main()
