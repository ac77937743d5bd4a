"""Measures the networks in a file with NetworkX and holds the values written there against it.

The file has, per network, a line "network NAME", then "core N" and "arc TAIL HEAD" (core nodes
only, numbered 0 .. N - 1), "value KEY ..." and "end". Prints what differs; exit code 1 if anything
does.
"""

import sys
from collections import Counter
from fractions import Fraction

import networkx as nx

ISOMORPHISM_LIMIT = 32  # nodes; NetworkX's search takes exponential time on some graphs


def read_networks(path):
    network = None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "network":
                network = {"name": rest, "graph": nx.DiGraph(), "values": {}}
            elif word == "core":
                network["graph"].add_nodes_from(range(int(rest)))
            elif word == "arc":
                tail, head = map(int, rest.split())
                graph = network["graph"]
                links = graph.get_edge_data(tail, head, {"links": 0})["links"]
                graph.add_edge(tail, head, links=links + 1)
            elif word == "value":
                key, _, value = rest.partition(" ")
                network["values"][key] = value
            elif word == "end":
                yield network


def distances(graph):
    count = Counter()
    for source, reached in nx.all_pairs_shortest_path_length(graph):
        count.update(d for target, d in reached.items() if target != source)
    most = max(count, default=-1)
    return [count[d] for d in range(most + 1)]


def edge_connectivity(graph):
    """The least maximum flow from node 0 to another node, or back; parallel links add up."""
    if len(graph) < 2:
        return 0
    if all(data["links"] == 1 for _, _, data in graph.edges(data=True)):
        simple = nx.DiGraph((u, v) for u, v in graph.edges if u != v)
        simple.add_nodes_from(graph)
        return nx.edge_connectivity(simple)
    return min(
        nx.maximum_flow_value(graph, u, v, capacity="links")
        for other in list(graph)[1:]
        for u, v in ((0, other), (other, 0))
    )


def measure(graph):
    values = {"strongly_connected": str(int(nx.is_strongly_connected(graph)))}
    pairs = distances(graph)
    values["pairs_at_distance"] = " ".join(map(str, pairs))
    if nx.is_strongly_connected(graph) and len(graph) > 1:
        values["diameter"] = str(nx.diameter(graph))
        mean = Fraction(sum(d * n for d, n in enumerate(pairs)), sum(pairs))
        values["average_distance"] = str(mean)
        assert abs(float(mean) - nx.average_shortest_path_length(graph)) < 1e-9
    values["edge_connectivity"] = str(edge_connectivity(graph))
    if len(graph) <= ISOMORPHISM_LIMIT:
        same_links = nx.algorithms.isomorphism.numerical_edge_match("links", 1)
        reverse = nx.is_isomorphic(graph, graph.reverse(), edge_match=same_links)
        values["reverse_symmetric"] = str(int(reverse))
    return values


def main():
    differences = networks = 0
    for network in read_networks(sys.argv[1]):
        networks += 1
        for key, theirs in measure(network["graph"]).items():
            ours = network["values"].get(key)
            if ours is not None and ours != theirs:
                differences += 1
                print(f"{network['name']}: {key} is {ours}, by NetworkX {theirs}")
    print(f"{networks} networks, {differences} differences")
    return 1 if differences or not networks else 0


if __name__ == "__main__":
    sys.exit(main())
