"""HiGHS judges `weft optimum --steps` behind switches: the relaxation whole, a flow for each source and rank."""

import json
import os
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

from scipy.optimize import linprog
from scipy.sparse import coo_matrix

PROGRAM = os.environ["WEFT_PROGRAM"]


def messages_to(hosts, arcs, source):
    """To each node: the messages that data of a source takes to be there, or at a switch on the next one's way."""
    far, last, sent = {source: 0}, {source}, 0
    while last:
        come = [node for node in last]
        for node in come:  # grows by switches
            for tail, head in arcs:
                if tail == node and head not in hosts and head not in far:
                    far[head] = sent
                    come.append(head)
        sent += 1
        last = {head for tail, head in arcs if tail in come and head in hosts and head not in far}
        far.update((host, sent) for host in last)
    return far


def least_time(net, steps):
    """Least sum over steps of the fullest link's time. A source's load of a link is at least its flow to any rank
    there; what leaves a switch in a step is no more than what enters it, and nothing leaves a host before it can have
    come there, or leads home."""
    switches, capacity = set(net["switches"]), {}
    for ends, speed in zip(map(tuple, net["links"]), net["bandwidth_Bps"]):
        capacity[ends] = capacity.get(ends, 0) + speed / 1000
    arcs, hosts = sorted(capacity), [node for node in range(net["nodes"]) if node not in switches]
    columns, upper, equal, nothing = {}, [], [], set()

    def column(*name):
        return columns.setdefault(name, len(columns))

    for step in range(steps):
        for arc in arcs:
            upper.append(([(column("load", source, arc, step), 1) for source in hosts]
                          + [(column("time", step), -capacity[arc])], 0))
        for source in hosts:
            far = messages_to(hosts, arcs, source)
            nothing.update(("load", source, arc, step) for arc in arcs if far[arc[0]] > step or arc[1] == source)
            for switch in switches:
                upper.append(([(column("load", source, arc, step), 1 if arc[0] == switch else -1)
                               for arc in arcs if switch in arc], 0))
    for source in hosts:
        for sink in hosts:
            if sink == source:
                continue
            balance = {}  # (node, step): what enters it less what leaves it; hosts are there between steps
            for step in range(steps):
                for arc in arcs:
                    flow = column("flow", source, sink, arc, step)
                    upper.append(([(flow, 1), (column("load", source, arc, step), -1)], 0))
                    tail = (arc[0], step + 1) if arc[0] in switches else (arc[0], step)
                    balance.setdefault(tail, []).append((flow, -1))
                    balance.setdefault((arc[1], step + 1), []).append((flow, 1))
                for host in hosts:
                    stays = column("stays", source, sink, host, step)
                    balance.setdefault((host, step), []).append((stays, -1))
                    balance.setdefault((host, step + 1), []).append((stays, 1))
            for place, terms in balance.items():
                equal.append((terms, {(source, 0): -1, (sink, steps): 1}.get(place, 0)))

    def matrix(rows):
        entries = [(row, at, value) for row, (terms, _) in enumerate(rows) for at, value in terms]
        return coo_matrix(([entry[2] for entry in entries], ([entry[0] for entry in entries],
                          [entry[1] for entry in entries])), shape=(len(rows), len(columns)))

    cost = [0.0] * len(columns)
    for step in range(steps):
        cost[column("time", step)] = 1
    solved = linprog(cost, matrix(upper), [side for _, side in upper], matrix(equal), [side for _, side in equal],
                     [(0, 0 if name in nothing else None) for name in columns], method="highs")
    return solved.fun if solved.status == 0 else None


def cables(pairs):
    """Both ways, as links are numbered."""
    links = sorted((ends, speed) for (a, b), speed in pairs for ends in ((a, b), (b, a)))
    return [list(ends) for ends, _ in links], [1000 * speed for _, speed in links]


def network(hosts, switches, pairs):
    links, speeds = cables(pairs)
    return {"format": "weft-topology", "version": 2, "nodes": hosts + switches,
            "switches": list(range(hosts, hosts + switches)), "links": links, "bandwidth_Bps": speeds}


def leaves_and_spines(leaves, spines, hosts, uplink):
    count = leaves * hosts
    return network(count, leaves + spines, [((host, count + host // hosts), 1) for host in range(count)]
                   + [((count + leaf, count + leaves + spine), uplink)
                      for leaf in range(leaves) for spine in range(spines)])


def random_net(stream):
    hosts, switches = stream.randrange(3, 6), stream.randrange(1, 4)
    pairs = [((host, hosts + stream.randrange(switches)), stream.randrange(3, 7)) for host in range(hosts)]
    pairs += [((hosts + switch, hosts + stream.randrange(switch)), stream.randrange(1, 3))
              for switch in range(1, switches)]
    if switches > 2:
        pairs.append(((hosts, hosts + 2), stream.randrange(1, 3)))
    return network(hosts, switches, pairs)


class StepBound(unittest.TestCase):
    def check(self, net, most):
        hosts = net["nodes"] - len(net["switches"])
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "net.json")
            with open(file, "w", encoding="utf-8") as text:
                json.dump(net, text)
            ran = subprocess.run([PROGRAM, "optimum", "allgather", "-t", "file:" + file, "-a", "spread", "--steps",
                                  f"1..{most}", "--json", "-q"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        answer, found = json.loads(ran.stdout), 0
        for point in answer["curve"]:
            least = least_time(net, point["steps"])
            bound = float(Fraction(point["bandwidth_factor_bound"])) / (answer["node_bandwidth_Bps"] / 1000) * hosts
            self.assertAlmostEqual(bound, least, delta=1e-6 * least, msg=f"{net} in {point['steps']} steps")
            found += bound > 1.001 * float(Fraction(answer["bandwidth_factor"])) / (
                answer["node_bandwidth_Bps"] / 1000) * hosts
        return found

    def test_is_the_relaxation_on_random_networks(self):
        stream = random.Random(1)
        bound = sum(self.check(random_net(stream), 2) for _ in range(60))
        self.assertGreater(bound, 10)  # where steps bind, too

    def test_is_the_relaxation_where_hosts_are_alike(self):
        bound = sum(self.check(leaves_and_spines(*shape), 3)
                    for shape in ((2, 1, 2, 1), (2, 1, 3, 1), (2, 2, 2, 1), (3, 1, 2, 1), (2, 1, 3, 2), (4, 1, 2, 1)))
        self.assertGreater(bound, 3)


if __name__ == "__main__":
    unittest.main()
