"""NetworkX judges rank orders: hops of every order that weft finds, by its own shortest paths."""

import json
import math
import os
import subprocess
import tempfile
import unittest

import networkx as nx

from samples import samples

PROGRAM = os.environ["WEFT_PROGRAM"]
NETWORKS = ["hosts(1, random-regular:64,8,seed=1)", "hosts(2, random-regular:24,5,seed=2)",
            "hosts(2, torus:4x4)", "hosts(3, hypercube:3)"]
SEARCHES = ["--search two-opt --attempts 300", "--search two-opt --objective makespan --attempts 100",
            "--search two-opt --objective time --attempts 50", "--search anneal --attempts 30000",
            "--search none --start metis", "--search none --start blocks"]


def binomial(ranks):
    """Messages of the broadcast, from its definition: the parent lacks the lowest bit."""
    return [(r & (r - 1), r) for r in range(1, ranks)]


def ring(ranks):
    return [(r, (r + 1) % ranks) for r in range(ranks)] * (ranks - 1)


def doubling(ranks):
    """Powers of two."""
    return [(r, r ^ 2**t) for t in range(int(math.log2(ranks))) for r in range(ranks)]


class Orders(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def network(self, expression):
        path = os.path.join(self.folder.name, "network.graphml")
        subprocess.run([PROGRAM, "topology", expression, "-o", path], check=True,
                       stdout=subprocess.DEVNULL)
        graph = nx.read_graphml(path)
        hosts = sorted((int(n) for n, d in graph.nodes(data=True) if d["kind"] == "host"))
        return dict(nx.all_pairs_shortest_path_length(graph)), [str(h) for h in hosts]

    def hops(self, distances, hosts, order, messages):
        """Between switches: the two terminal links of a message do not count."""
        total = 0
        for sender, receiver in messages:
            here, there = hosts[order[sender]], hosts[order[receiver]]
            total += 0 if here == there else distances[here][there] - 2
        return total

    def order(self, arguments, expression):
        run = subprocess.run([PROGRAM, "order", *arguments.split(), "-t", expression, "--json"],
                             check=True, capture_output=True, text=True)
        return json.loads(run.stdout)

    def test_hops_of_broadcasts(self):
        for expression in samples(NETWORKS):
            distances, hosts = self.network(expression)
            for search in samples(SEARCHES):
                with self.subTest(network=expression, search=search):
                    answer = self.order("broadcast -a binomial " + search, expression)
                    self.assertEqual(sorted(answer["order"]), list(range(len(hosts))))
                    messages = binomial(len(hosts))
                    self.assertEqual(answer["hops"],
                                     self.hops(distances, hosts, answer["order"], messages))
                    self.assertLessEqual(answer["hops_bound"], answer["hops"])

    def test_hops_with_several_ranks_on_a_host(self):
        expression = "hosts(2, torus:4x4)"
        distances, hosts = self.network(expression)
        answer = self.order("broadcast -a binomial --cores 3 --ranks 90", expression)
        self.assertEqual(answer["hops"],
                         self.hops(distances, hosts, answer["order"], binomial(90)))

    def test_hops_of_other_collectives(self):
        expression = "hosts(2, random-regular:16,4,seed=3)"
        distances, hosts = self.network(expression)
        towards_root = [(b, a) for a, b in binomial(32)]
        for arguments, messages in [("reduce -a binomial", towards_root),
                                    ("gather -a binomial", towards_root),
                                    ("scatter -a binomial", binomial(32)), ("allgather -a ring", ring(32)),
                                    ("allgather -a recursive-doubling", doubling(32)),
                                    ("broadcast -a scatter-doubling", binomial(32) + doubling(32))]:
            with self.subTest(collective=arguments):
                answer = self.order(arguments + " --attempts 200", expression)
                self.assertEqual(answer["hops"],
                                 self.hops(distances, hosts, answer["order"], messages))


if __name__ == "__main__":
    unittest.main()
