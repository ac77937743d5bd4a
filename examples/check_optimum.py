#!/usr/bin/env python3
"""Checks the certificate of `weft optimum` by addition. It relies on weft only for the links, B and the nodes of ranks.

    weft topology leaf-spine:leaves=4,spines=2,hosts=8 --link 100Gbps,1us -o net.json
    weft optimum allgather -t leaf-spine:leaves=4,spines=2,hosts=8 --link 100Gbps,1us --json > optimum.json
    python3 examples/check_optimum.py net.json optimum.json

Both commands take the same --link, or none if the network has its own speeds.

Cut: S is a set of ranks and switches. For an allgather, broadcast or gather, the data in S must leave S because a rank
is outside. That is M/N of each rank in S (allgather; gather, with the root outside), or M (broadcast, with the root in
S). For a reduce-scatter, reduce or scatter, the results in S must enter it. No schedule does this faster than the links
out of S (or into S).

Allreduce: rank v adds up a share x_v of M and then sends it to all. Data rooted in S must leave S ("out"), and
contributions to it must enter S ("in"). Switches pass on as much as they receive. A link costs the weights of the "out"
cuts that it leaves and of the "in" cuts that it enters, plus the potential of its head, minus that of its tail. The
certificate proves T_B >= T if no link costs more than its price, if prices times bandwidths add up to B, and if the
cuts around each rank have weight T together.

All-to-all: a block of M/N from s to t takes paths that cost at least dist(s, t), for any prices of links. If prices
times bandwidths add up to B, then N T_B >= sum of dist(s, t) over all pairs.

Hosts without a rank forward nothing if the network has switches. The script prints T_B*. The exit code is 0 if T_B* is
that of the answer, 1 if it is not, and 2 if a file is wrong.
"""
import argparse
import heapq
import json
import sys
from fractions import Fraction


class Network:
    def __init__(self, net, answer):
        self.places, self.bandwidth = answer["places"], net["bandwidth_Bps"]
        switches = set(net["switches"])
        passes = switches | set(self.places) if switches else set(range(net["nodes"]))
        self.links = {link: (tail, head) for link, (tail, head, *_) in enumerate(net["links"])
                      if {tail, head} <= passes}

    def nodes_of(self, cut):
        inside = set(cut["switches"]) | {self.places[rank] for rank in cut["ranks"]}
        ranks = [rank for rank, node in enumerate(self.places) if node in inside]
        if sorted(cut["ranks"]) != ranks or len(ranks) == len(self.places):
            raise SystemExit("S holds all ranks, or some of a node without its others")
        return inside

    def crossing(self, inside, enters):
        """Returns the links out of S, or into it."""
        return [link for link, (tail, head) in self.links.items()
                if (tail in inside) != enters and (head in inside) == enters]


def factor_of_cut(network, answer):
    cut = answer["certificate"]["cut"]
    enters = answer["collective"] in ("reduce-scatter", "reduce", "scatter")
    whole = answer["collective"] in ("broadcast", "reduce")
    inside = network.nodes_of(cut)
    if "root" in answer and (answer["root"] in cut["ranks"]) != whole:
        raise SystemExit("the root is on the wrong side")
    crossing = network.crossing(inside, enters)
    bandwidth = sum(network.bandwidth[link] for link in crossing)
    if crossing != cut["links"] or bandwidth != cut["bandwidth_Bps"]:
        raise SystemExit(f"links {crossing} of {bandwidth} B/s lead out of S, and weft said others")
    share = Fraction(1) if whole else Fraction(len(cut["ranks"]), len(network.places))
    return share * Fraction(answer["node_bandwidth_Bps"], bandwidth)


def prices_of(network, answer):
    prices = [Fraction(price) for price in answer["certificate"]["prices"]]
    if min(prices) < 0 or sum(prices[link] * network.bandwidth[link] for link in network.links) != \
            answer["node_bandwidth_Bps"]:
        raise SystemExit("prices times bandwidths are not B")
    return prices


def factor_of_halves(network, answer):
    certificate, places = answer["certificate"], set(network.places)
    prices = prices_of(network, answer)
    covered = [Fraction(0)] * len(network.places)
    cost = {}
    for direction in ("out", "in"):
        potential = [Fraction(value) for value in certificate["potentials"][direction]]
        if any(potential[node] for node in places):
            raise SystemExit("a rank has a potential")
        for link, (tail, head) in network.links.items():
            cost[direction, link] = potential[head] - potential[tail]
    for cut in certificate["cuts"]:
        weight, inside = Fraction(cut["weight"]), network.nodes_of(cut)
        if weight < 0:
            raise SystemExit("a weight is negative")
        for link in network.crossing(inside, cut["direction"] == "in"):
            cost[cut["direction"], link] += weight
        for rank in cut["ranks"]:
            covered[rank] += weight
    for (_, link), value in cost.items():
        if value > prices[link]:
            raise SystemExit(f"cuts over link {link} cost {value}, above its price {prices[link]}")
    return min(covered)


def factor_of_distances(network, answer):
    prices, leaving = prices_of(network, answer), {}
    for link, (tail, head) in network.links.items():
        leaving.setdefault(tail, []).append((head, prices[link]))
    total = Fraction(0)
    for source in network.places:
        distance, heap = {}, [(Fraction(0), source)]
        while heap:
            at, node = heapq.heappop(heap)
            if node not in distance:
                distance[node] = at
                for head, price in leaving.get(node, ()):
                    heapq.heappush(heap, (at + price, head))
        total += sum(distance[place] for place in network.places)
    return total / len(network.places)


def least_factor(net, answer):
    """Returns T_B that the certificate proves, in units of M/B."""
    proof = {"allreduce": factor_of_halves, "alltoall": factor_of_distances}.get(answer["collective"], factor_of_cut)
    return proof(Network(net, answer), answer)


MADE_BY = """these commands write the files:
  weft topology X --link 100Gbps,1us -o net.json
  weft optimum COLLECTIVE -t X --link 100Gbps,1us --json > optimum.json"""


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; --help says how its files are made\n")


def read(path, keys, made_by):
    """Reads the object in a JSON file and checks that it has these keys."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise ValueError(f"{path} is no JSON ({error}); write it with {made_by}") from error
    lacking = [key for key in keys if not isinstance(value, dict) or key not in value]
    if lacking:
        raise ValueError(f"{path} has no \"{lacking[0]}\"; write it with {made_by}")
    return value


def verdict(net_path, answer_path):
    net = read(net_path, ["links", "nodes", "switches", "bandwidth_Bps"],
               f"the speeds of the question: weft topology X --link 100Gbps,1us -o {net_path}")
    answer = read(answer_path, ["collective", "places", "node_bandwidth_Bps", "certificate", "bandwidth_factor"],
                  f"weft optimum COLLECTIVE -t X --link 100Gbps,1us --json > {answer_path}")
    if "bounds" in answer["certificate"]:
        raise ValueError(f"{answer_path} has a bound by cuts of a large network, as weft compare prints it, and no list "
                         "of cuts to add up; ask for up to 512 hosts")
    try:
        proved = least_factor(net, answer)
        interval = answer["bandwidth_factor"] is None  # an interval with rounded ends
        said = Fraction(answer["certificate"]["bandwidth_factor_bound"] if interval else answer["bandwidth_factor"])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"{answer_path} and {net_path} do not belong together, or are cut off "
                         f"({type(error).__name__}: {error})") from error
    holds = proved >= said * (1 - Fraction(1, 10**12)) if interval else proved == said
    print(f"T_B >= {proved}" + ("" if holds else f", and weft said {said}"))
    return 0 if holds else 1


def main():
    parser = Arguments(prog="check_optimum.py", description=__doc__, epilog=MADE_BY,
                       formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("net", metavar="net.json", help="the network with its speeds")
    parser.add_argument("answer", metavar="optimum.json", help="the answer")
    asked = parser.parse_args()
    try:
        return verdict(asked.net, asked.answer)
    except ValueError as error:
        print(f"check_optimum.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
