"""NetworkX judges the families: isomorphic to its own generators, and GraphML understood both ways."""

import os
import subprocess
import tempfile
import unittest
from itertools import combinations
from itertools import product as product_of

import networkx as nx
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher, MultiGraphMatcher

PROGRAM = os.path.join(os.environ["WEFT_BUILD_DIR"], "bin", "weft_write_topology")


def line_digraph(graph, times):
    """The line digraph, `times` over: nodes are arcs, linked head to tail."""
    for _ in range(times):
        graph = nx.convert_node_labels_to_integers(nx.line_graph(graph))
    return graph


def complete_digraph(nodes, loops):
    graph = nx.complete_graph(nodes, create_using=nx.DiGraph)
    if loops:
        graph.add_edges_from((u, u) for u in range(nodes))
    return graph


def product(*factors):
    result = factors[0]
    for factor in factors[1:]:
        result = nx.convert_node_labels_to_integers(nx.cartesian_product(result, factor))
    return result


def with_leaves(graph, leaves):
    """Every node gets this many nodes of degree 1."""
    return nx.compose(graph, nx.Graph((u, (u, i)) for u in graph for i in range(leaves)))


def with_two_legs(graph):
    """Every node gets two paths of two links: a leaf, and its host."""
    return nx.compose(graph, nx.Graph(edge for u in graph for i in range(2)
                                      for edge in ((u, (u, i)), ((u, i), (u, i, "host")))))


def grid(*extents, periodic):
    return nx.grid_graph(dim=extents, periodic=periodic)


def subsets_graph(size, counts, adjacent):
    """The subsets of range(size) with these numbers of elements, linked by a relation."""
    sets = [frozenset(s) for c in counts for s in combinations(range(size), c)]
    return nx.Graph((a, b) for a, b in combinations(sets, 2) if adjacent(a, b))


def distance_graph(graph, distance):
    """The nodes at this distance, linked."""
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    return nx.Graph((u, v) for u in graph for v in graph if lengths[u][v] == distance)


def throughput(graph):
    """LP (3) of Zhao et al.: what every pair can send at once over links of capacity 1."""
    nodes, links = list(graph), list(graph.edges)
    rows, columns, values = [], [], []

    def add(row, column, value):
        rows.append(row)
        columns.append(column)
        values.append(value)

    for i, source in enumerate(nodes):
        flow = [1 + i * len(links) + k for k in range(len(links))]
        for j, node in enumerate(nodes):
            if node == source:
                continue
            add(i * len(nodes) + j, 0, 1)
            for k, (tail, head) in enumerate(links):
                if node in (tail, head):
                    add(i * len(nodes) + j, flow[k], 1 if node == tail else -1)
        for k in range(len(links)):
            add(len(nodes) ** 2 + k, flow[k], 1)
    limits = np.concatenate([np.zeros(len(nodes) ** 2), np.ones(len(links))])
    matrix = coo_matrix((values, (rows, columns)), (len(limits), 1 + len(nodes) * len(links)))
    objective = np.zeros(matrix.shape[1])
    objective[0] = -1
    return -linprog(objective, A_ub=matrix.tocsr(), b_ub=limits).fun


def orthogonal_points(prime):
    """The points of PG(2, p), linked where their dot product is 0."""
    points = [p for p in product_of(range(prime), repeat=3) if next(filter(None, p), 0) == 1]
    return nx.Graph((a, b) for a, b in combinations(points, 2)
                    if sum(x * y for x, y in zip(a, b)) % prime == 0)


K, C, P = nx.complete_graph, nx.cycle_graph, nx.path_graph
TUTTE_8 = [-13, -9, 7, -7, 9, 13]  # the cage by its LCF code
TWO_WAY = {
    "ring:9": C(9),
    "ring:2": P(2),
    "torus:5x4": grid(5, 4, periodic=True),
    "torus:3x3x2": product(C(3), C(3), P(2)),
    "torus:4x2x3": grid(4, 2, 3, periodic=True),
    "mesh:4x3x2": grid(4, 3, 2, periodic=False),
    "hypercube:4": nx.hypercube_graph(4),
    "complete:7": K(7),
    "bipartite:4,3": nx.complete_bipartite_graph(4, 3),
    "circulant:16,3,4": nx.circulant_graph(16, [3, 4]),
    "circulant:10,5,1": nx.circulant_graph(10, [5, 1]),
    "2dfc:4x4": nx.line_graph(nx.complete_bipartite_graph(4, 4)),  # the rook's graph
    "hamming:3x4x2": product(K(3), K(4), K(2)),
    "ring:5 * complete:4": product(C(5), K(4)),
    "power(3, complete:3)": product(K(3), K(3), K(3)),
    "xgft:3;2,2,2;1,1,1": nx.balanced_tree(2, 3),
    "xgft:1;5;3": nx.complete_bipartite_graph(5, 3),
    "hosts(1, ring:6)": with_leaves(C(6), 1),
    "hosts(3, mesh:2x2)": with_leaves(C(4), 3),
    "dragonfly:a=1,p=1,h=4": with_leaves(K(5), 1),
    "dragonfly-plus:l=2,s=1,p=1,h=2": with_two_legs(C(3)),
    "hyperx:3x4x2": product(K(3), K(4), K(2)),
    "xpander:6,1": K(7),
    "slimfly:5": nx.hoffman_singleton_graph(),
    "polarfly:2": orthogonal_points(2),
    "polarfly:5": orthogonal_points(5),
    "degree(3, ring:5)": nx.lexicographic_product(C(5), nx.empty_graph(3)),
    "shifted-ring:12": nx.circulant_graph(12, [1, 5]),
    "distance-regular:octahedron": nx.octahedral_graph(),
    "distance-regular:paley-9": product(K(3), K(3)),
    "distance-regular:k5-5-minus-matching": nx.tensor_product(K(5), K(2)),
    "distance-regular:heawood-distance-3": distance_graph(nx.heawood_graph(), 3),
    "distance-regular:line-petersen": nx.line_graph(nx.petersen_graph()),
    "distance-regular:4-cube": nx.hypercube_graph(4),
    "distance-regular:line-heawood": nx.line_graph(nx.heawood_graph()),
    "distance-regular:odd-4": subsets_graph(7, [3], lambda a, b: not a & b),
    "distance-regular:line-tutte-8-cage": nx.line_graph(nx.LCF_graph(30, TUTTE_8, 5)),
    "distance-regular:doubled-odd-4": subsets_graph(7, [3, 4], lambda a, b: a < b),
    "without(node=0, complete:6)": K(5),
    "without(cable=0, ring:6)": P(6),
}
ONE_WAY = {
    "uniring:7": nx.cycle_graph(7, create_using=nx.DiGraph),
    "kautz:2,1": complete_digraph(3, loops=False),
    "kautz:2,4": line_digraph(complete_digraph(3, loops=False), 3),
    "kautz:3,3": line_digraph(complete_digraph(4, loops=False), 2),
    "kautz:4,2": line_digraph(complete_digraph(5, loops=False), 1),
    "genkautz:3,36": line_digraph(complete_digraph(4, loops=False), 2),
    "line^2(complete:4)": line_digraph(complete_digraph(4, loops=False), 2),
    "line(bipartite:3,3)": line_digraph(nx.complete_bipartite_graph(3, 3).to_directed(), 1),
    "line(debruijn:2,3)": line_digraph(complete_digraph(2, loops=True), 3),
    "directed-circulant:3": nx.complement(nx.cycle_graph(5, create_using=nx.DiGraph)),
    "debruijn:2,4": line_digraph(complete_digraph(2, loops=True), 3),
    "debruijn:3,2": line_digraph(complete_digraph(3, loops=True), 1),
    "transpose(kautz:3,2)": line_digraph(complete_digraph(4, loops=False), 1).reverse(),
}
DISTANCE_REGULAR = {  # Brouwer, Cohen, Neumaier, "Distance-Regular Graphs", 1989
    "pg-2-3": ([4, 3, 3], [1, 1, 4]),
    "ag-2-4-minus-class": ([4, 3, 3, 1], [1, 1, 3, 4]),
    "gq-3-3": ([4, 3, 3, 3], [1, 1, 1, 4]),
    "line-tutte-12-cage": ([4, 2, 2, 2, 2, 2], [1, 1, 1, 1, 1, 2]),
}
RANDOM = [(n, d, seed) for n, d in [(10, 3), (12, 7), (30, 4), (64, 8), (50, 2), (9, 8), (200, 33)]
          for seed in (1, 2)]


class Families(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, expressions, extension):
        """Writes all with one call; returns the paths."""
        paths = [self.path(f"{i}.{extension}") for i in range(len(expressions))]
        arguments = [word for pair in zip(expressions, paths) for word in pair]
        subprocess.run([PROGRAM, *arguments], check=True)
        return paths

    def read_graphml(self, expressions):
        return zip(expressions, map(nx.read_graphml, self.write(list(expressions), "graphml")))

    def test_two_way_families_are_isomorphic_to_networkx(self):
        for text, graph in self.read_graphml(TWO_WAY):
            with self.subTest(text):
                self.assertFalse(graph.is_directed() or graph.is_multigraph())
                self.assertTrue(GraphMatcher(graph, TWO_WAY[text]).is_isomorphic())

    def test_one_way_families_are_isomorphic_to_networkx(self):
        for text, graph in self.read_graphml(ONE_WAY):
            with self.subTest(text):
                self.assertTrue(graph.is_directed())
                self.assertTrue(DiGraphMatcher(graph, ONE_WAY[text]).is_isomorphic())

    def test_larger_distance_regular_graphs_have_their_intersection_arrays(self):
        texts = [f"distance-regular:{name}" for name in DISTANCE_REGULAR]
        for array, (text, graph) in zip(DISTANCE_REGULAR.values(), self.read_graphml(texts)):
            with self.subTest(text):
                self.assertEqual(nx.intersection_array(graph), array)

    def test_networks_of_diameter_two_have_the_sizes_and_degrees_of_their_formulas(self):
        slimfly = {f"slimfly:{q}": (2 * q * q, {(3 * q - delta) // 2})
                   for q, delta in [(3, -1), (4, 0), (7, -1), (8, 0), (9, 1), (16, 0)]}
        polarfly = {f"polarfly:{q}": (q * q + q + 1, {q, q + 1}) for q in [3, 4, 8, 9, 16]}
        expected = slimfly | polarfly
        for text, graph in self.read_graphml(expected):
            with self.subTest(text):
                self.assertEqual((len(graph), {d for _, d in graph.degree}), expected[text])
                self.assertEqual(nx.diameter(graph), 2)

    def test_parallel_links_are_those_of_a_multigraph(self):
        ((_, graph),) = self.read_graphml(["hyperx:3x4,2,3"])
        expected = nx.MultiGraph()
        for (u, v) in product(K(3), K(4)).edges:  # node 4 x + y
            expected.add_edges_from([(u, v)] * (3 if u // 4 == v // 4 else 2))
        self.assertTrue(graph.is_multigraph())
        matcher = MultiGraphMatcher(graph, expected)  # compares the numbers of parallel links
        self.assertTrue(matcher.is_isomorphic())

    def test_xpanders_are_near_ramanujan(self):
        for text, graph in self.read_graphml(["xpander:8,32,seed=1", "xpander:16,20,seed=2"]):
            with self.subTest(text):
                degree = int(text[8:].split(",")[0])
                self.assertTrue(nx.is_k_regular(graph, degree) and nx.is_connected(graph))
                second = np.sort(np.abs(np.linalg.eigvalsh(nx.to_numpy_array(graph))))[-2]
                bound = 2 * np.sqrt(degree - 1)  # that of a Ramanujan graph
                self.assertLess(second, 1.1 * bound)

    def test_a_2dfc_contains_what_the_thesis_draws(self):  # Figures 2.4 to 2.6
        host = product(K(3), K(4))
        contained = {"torus:3x4": True, "mesh:3x4": True}
        for arrangement in ["absolute", "relative", "circulant"]:
            for h in [1, 2, 3]:
                text = f"dragonfly:a=3,p=1,h={h},g=4,arrangement={arrangement}"
                contained[text] = h != 2 or arrangement == "circulant"
        for text, graph in self.read_graphml(contained):
            with self.subTest(text):
                routers = nx.Graph(graph.subgraph([u for u in graph if graph.degree[u] > 1]))
                found = GraphMatcher(host, routers).subgraph_is_monomorphic()
                self.assertEqual(found, contained[text])
                self.assertEqual(nx.is_isomorphic(host, routers), "h=3" in text)

    def test_reverse_symmetry_is_as_printed(self):  # Zhao et al., Table 9
        symmetric = {"diamond": False, "debruijn-mod:2,3": True, "debruijn-mod:2,4": False,
                     "debruijn-mod:3,2": False, "debruijn-mod:4,2": False}
        for text, graph in self.read_graphml(symmetric):
            with self.subTest(text):
                found = DiGraphMatcher(graph, graph.reverse()).is_isomorphic()
                self.assertEqual(found, symmetric[text])

    def test_throughputs_are_those_of_the_printed_squares(self):
        # Table 7 has the squares X * X, whose throughput is f(X) / N: at least that by routing along
        # one dimension after the other, at most that by X's prices on every copy.
        expected = {"diamond": 3 / 20, "debruijn-mod:2,4": 7 / 149}  # 1.87e-2, 2.94e-3 printed
        for text, graph in self.read_graphml(expected):
            with self.subTest(text):
                self.assertAlmostEqual(throughput(graph), expected[text], places=9)

    def test_random_regular_graphs_are_simple_connected_and_regular(self):
        texts = [f"random-regular:{n},{d},seed={seed}" for n, d, seed in RANDOM]
        for (n, d, _), (text, graph) in zip(RANDOM, self.read_graphml(texts)):
            with self.subTest(text):
                self.assertFalse(graph.is_multigraph())  # networkx would say so of double edges
                self.assertEqual(nx.number_of_selfloops(graph), 0)
                self.assertEqual(len(graph), n)
                self.assertTrue(nx.is_k_regular(graph, d))
                self.assertTrue(nx.is_connected(graph))

    def test_edge_lists_are_what_networkx_reads(self):
        (path,) = self.write(["circulant:12,1,5"], "edges")
        graph = nx.read_edgelist(path, nodetype=int, data=False)
        self.assertEqual(sorted(map(sorted, graph.edges)),
                         sorted(map(sorted, nx.circulant_graph(12, [1, 5]).edges)))

    def test_graphml_of_networkx_is_read(self):
        graph = nx.petersen_graph()
        nx.write_graphml(graph, self.path("in.graphml"))
        (path,) = self.write([f"file:{self.path('in.graphml')}"], "edges")
        ours = nx.read_edgelist(path, nodetype=int, data=False)
        self.assertEqual(sorted(map(sorted, ours.edges)), sorted(map(sorted, graph.edges)))

    def test_kinds_and_classes_are_attributes(self):
        ((_, graph),) = self.read_graphml(["hosts(2, ring:4)"])
        kinds = nx.get_node_attributes(graph, "kind")
        self.assertEqual(sorted(kinds.values()), ["host"] * 8 + ["switch"] * 4)
        classes = nx.get_edge_attributes(graph, "class")
        self.assertEqual(sorted(classes.values()), ["link"] * 4 + ["terminal"] * 8)


if __name__ == "__main__":
    unittest.main()
