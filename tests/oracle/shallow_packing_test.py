"""HiGHS judges packing --depth: every tree of so few links, of every root, weighed at once."""

import itertools
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
MOST_TREES = 60_000  # that HiGHS weighs in seconds
MANY = 1_000  # segments, of which the pipeline's ends are a few


def ways_between(net):
    """By two hosts: the ways from one to the other over switches alone, none twice, as tuples of (tail, head)."""
    switches, out = set(net["switches"]), {}
    for tail, head in net["links"]:
        if tail != head:
            out.setdefault(tail, set()).add(head)
    found = {}

    def follow(way, at):
        for head in sorted(out.get(at, ())):
            if any(head in link for link in way) or way == () and head == at:
                continue
            longer = way + ((at, head),)
            if head in switches:
                follow(longer, head)
            else:
                found.setdefault((longer[0][0], head), []).append(longer)

    for host in range(net["nodes"]):
        if host not in switches:
            follow((), host)
    return found


def trees_of(hosts, ways, root, depth):
    """Every tree: ways with their steps, each after the step in which its first node was reached."""
    found = []

    def grow(step, known, tree):
        if len(known) == len(hosts):
            found.append(tree)
        elif step < depth and len(found) <= MOST_TREES:
            joins = [[None] + [(node, way) for before in known for way in ways.get((before, node), ())]
                     for node in hosts if node not in known]
            for choice in itertools.product(*joins):
                joined = [join for join in choice if join]
                grow(step + 1, known | {node for node, _ in joined}, tree + [(way, step) for _, way in joined])

    grow(0, frozenset([root]), [])
    return found


def least_time(net, roots, depth, by_steps):
    """Least sum over steps of the fullest link's time (by_steps), or that of the fullest over all steps, when each
    root sends 1 down its trees. None where trees are too many or there are none."""
    switches, capacity = set(net["switches"]), {}
    for ends, speed in zip(map(tuple, net["links"]), net["bandwidth_Bps"]):
        capacity[ends] = capacity.get(ends, 0) + speed / 1000  # parallel links share what they carry
    number = {ends: i for i, ends in enumerate(sorted(capacity))}
    hosts, ways = [node for node in range(net["nodes"]) if node not in switches], ways_between(net)
    slots, columns = depth if by_steps else 1, set()
    for root in roots:
        for tree in trees_of(hosts, ways, root, depth):
            uses = sorted((number[link], step if by_steps else 0) for way, step in tree for link in way)
            columns.add((root, tuple(uses)))
        if len(columns) > MOST_TREES:
            return None
    if {root for root, _ in columns} != set(roots):
        return None
    columns = sorted(columns)
    triples = [(slot * len(number) + link, c, 1) for c, (_, uses) in enumerate(columns) for link, slot in uses]
    triples += [(slot * len(number) + i, len(columns) + slot, -capacity[ends])
                for ends, i in number.items() for slot in range(slots)]
    r, c, v = zip(*triples)
    width = len(columns) + slots
    loads = coo_matrix((v, (r, c)), shape=(slots * len(number), width)).tocsr()
    shares = coo_matrix(([1] * len(columns), ([roots.index(root) for root, _ in columns], range(len(columns)))),
                        shape=(len(roots), width)).tocsr()
    solved = linprog(numpy.repeat([0, 1], [len(columns), slots]), A_ub=loads, b_ub=numpy.zeros(loads.shape[0]),
                     A_eq=shares, b_eq=numpy.ones(len(roots)), bounds=(0, None), method="highs")
    assert solved.status == 0, solved.message
    return solved.fun / 1000


def farthest(net, roots):
    """The depth that trees need at least; None where some host is not reached."""
    hosts, ways = net["nodes"] - len(net["switches"]), ways_between(net)
    most = 0
    for root in roots:
        reached = {root: 0}
        queue = [root]
        for at in queue:
            for tail, head in ways:
                if tail == at and head not in reached:
                    reached[head] = reached[at] + 1
                    queue.append(head)
        if len(reached) < hosts:
            return None
        most = max(most, *reached.values())
    return most


def network(nodes, links, switches=0):
    order = sorted(links)  # as links are numbered
    return {"format": "weft-topology", "version": 2, "nodes": nodes, "switches": list(range(switches)),
            "links": [list(ends) for ends, _ in order], "bandwidth_Bps": [1000 * speed for _, speed in order]}


def random_net(stream, switches):
    """Some links one-way, some parallel, most of speeds that differ."""
    hosts = stream.randrange(3, 5 if switches else 6)
    nodes, links, alike = switches + hosts, [], stream.random() < 0.3
    for host in range(switches, nodes) if switches else ():  # as fast both ways: none is lost at a switch
        links += [(ends, 1) for ends in ((0, host), (host, 0))]
    for _ in range(stream.randrange(nodes, 3 * nodes - 4 * switches)):
        tail, head = stream.sample(range(nodes), 2)
        speed = 1 if alike else stream.randrange(1, 6)
        both = switches or stream.random() < 0.5
        links += [(ends, speed) for ends in ((tail, head), (head, tail))[:2 if both else 1]]
    return network(nodes, links, switches)


def ask(file, net, collective, root, depth, segments):
    with open(file, "w", encoding="utf-8") as text:
        json.dump(net, text)
    words = [PROGRAM, "schedule", collective, "-t", "file:" + file, "-a", "packing", "--depth", str(depth),
             "--segments", str(segments), "--json", "-q"]
    return subprocess.run(words + (["--root", str(root)] if root is not None else []), capture_output=True, text=True)


class ShallowPacking(unittest.TestCase):
    def ratio(self, file, net, collective, root, depth, segments):
        """T_B over what HiGHS has; of many segments the fullest step's load. None where that is not known."""
        first, hosts = len(net["switches"]), net["nodes"] - len(net["switches"])
        turned = collective in ("reduce-scatter", "reduce")
        judged = network(net["nodes"], [(tuple(ends[::-1] if turned else ends), speed // 1000)
                                        for ends, speed in zip(net["links"], net["bandwidth_Bps"])], first)
        rooted = root is not None
        expected = least_time(judged, [first + root] if rooted else list(range(first, net["nodes"])), depth,
                              segments == 1)
        if expected is None:
            return None
        ran = ask(file, net, collective, root, depth, segments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        answer = json.loads(ran.stdout)
        self.assertLessEqual(answer["steps"], depth + segments - 1)
        factor = Fraction(answer["bandwidth_factor"])
        if segments > 1:
            factor = max(map(Fraction, answer["step_factors"])) * segments
        return float(factor) / answer["node_bandwidth_Bps"] * (1 if rooted else hosts) / expected

    def judge(self, seed, trials, switched, most):
        stream, ratios = random.Random(seed), []
        with tempfile.TemporaryDirectory() as folder:
            for trial in range(samples(trials)):
                net = random_net(stream, stream.randrange(1, 3) if switched else 0)
                first, hosts = len(net["switches"]), net["nodes"] - len(net["switches"])
                collective = stream.choice(["allgather", "reduce-scatter", "broadcast", "reduce"])
                root = stream.randrange(hosts) if collective in ("broadcast", "reduce") else None
                more, segments = stream.randrange(3), stream.choice([1, 1, MANY])
                turned = dict(net, links=[ends[::-1] for ends in net["links"]])
                far = farthest(turned if collective in ("reduce-scatter", "reduce") else net,
                               list(range(first, net["nodes"])) if root is None else [first + root])
                if far is None or farthest(net, list(range(first, net["nodes"]))) is None:
                    continue
                asked = (net, collective, root, far + more, segments)
                with self.subTest(trial=trial, asked=asked):
                    ratio = self.ratio(os.path.join(folder, "net.json"), *asked)
                    if ratio is None:
                        continue
                    self.assertGreater(ratio, 1 - 1e-7)
                    self.assertLess(ratio, most)
                    ratios.append(ratio)
        return ratios

    # Weights become whole numbers of up to 1,000 trees a root: what is left above is their rounding.
    def expect_near_least(self, ratios, least):
        self.assertGreater(len(ratios), samples(least))
        self.assertGreater(sum(ratio < 1 + 1e-7 for ratio in ratios), 0.9 * len(ratios))

    def test_is_what_all_trees_weighed_come_to(self):
        self.expect_near_least(self.judge(1, 250, False, 1.003), 120)

    def test_is_what_they_come_to_behind_switches(self):
        self.expect_near_least(self.judge(2, 150, True, 1.003), 120)

    def test_equals_it_on_named_networks(self):
        def both(pairs):
            return [(ends, 1) for a, b in pairs for ends in ((a, b), (b, a))]

        ring = network(5, both((i, (i + 1) % 5) for i in range(5)))
        mesh = network(6, both([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]))
        kautz = network(6, [((u, (-2 * u - j) % 6), 1) for u in range(6) for j in (1, 2)])
        one_way = network(5, [((i, (i + k) % 5), 1) for i in range(5) for k in (1, 2)])
        with tempfile.TemporaryDirectory() as folder:
            for name, net, depths in (("ring", ring, (2, 3, 4)), ("mesh", mesh, (3, 4)), ("kautz", kautz, (2, 3)),
                                      ("one-way", one_way, (2, 3, 4))):
                for depth, segments in itertools.product(depths, (1, MANY)):
                    with self.subTest(network=name, depth=depth, segments=segments):
                        ratio = self.ratio(os.path.join(folder, "net.json"), net, "allgather", None, depth, segments)
                        self.assertIsNotNone(ratio)
                        self.assertAlmostEqual(ratio, 1, delta=1e-7)


if __name__ == "__main__":
    unittest.main()
