#!/usr/bin/env python3
"""Adds up the certificate of `weft optimum`: nobody has to trust weft but for its list of links, B and the ranks' places.

    weft topology leaf-spine:leaves=4,spines=2,hosts=8 --link 100Gbps,1us -o net.json
    weft optimum allgather -t leaf-spine:leaves=4,spines=2,hosts=8 --link 100Gbps,1us --json > optimum.json
    python3 examples/check_optimum.py net.json optimum.json

S are the ranks and switches of the certificate. What S has (allgather: M/N of each of its ranks; broadcast: M, with the
root in S; gather: M/N of each, with the root outside) must leave it, since a rank is outside; of reduce-scatter, reduce
and scatter what S is to get must enter it. No schedule does that faster than the links that lead out (in). Hosts without
a rank pass nothing on where there are switches. Prints T_B* and exits with 0 where it is the answer's, with 1 where it is not.
"""
import json
import sys
from fractions import Fraction


def least_factor(net, answer):
    """T_B that the certificate proves, in units of M/B."""
    cut, places = answer["certificate"]["cut"], answer["places"]
    collects = answer["collective"] in ("reduce-scatter", "reduce", "scatter")
    whole = answer["collective"] in ("broadcast", "reduce")
    inside = set(cut["switches"]) | {places[rank] for rank in cut["ranks"]}
    ranks = [rank for rank, node in enumerate(places) if node in inside]
    if sorted(cut["ranks"]) != ranks or len(ranks) == len(places):
        raise SystemExit("S holds all ranks, or some of a node without its others")
    if "root" in answer and (answer["root"] in ranks) != whole:
        raise SystemExit("the root is on the wrong side")
    switches = set(net["switches"])
    passes = switches | set(places) if switches else set(range(net["nodes"]))
    crossing = []
    for link, (tail, head, *_) in enumerate(net["links"]):
        start, end = (head, tail) if collects else (tail, head)
        if {tail, head} <= passes and start in inside and end not in inside:
            crossing.append(link)
    bandwidth = sum(net["bandwidth_Bps"][link] for link in crossing)
    if crossing != cut["links"] or bandwidth != cut["bandwidth_Bps"]:
        raise SystemExit(f"links {crossing} of {bandwidth} B/s lead out of S, and weft said others")
    share = Fraction(1) if whole else Fraction(len(ranks), len(places))
    return share * Fraction(answer["node_bandwidth_Bps"], bandwidth)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        net = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        answer = json.load(file)
    proved, said = least_factor(net, answer), Fraction(answer["bandwidth_factor"])
    print(f"T_B >= {proved}" + ("" if proved == said else f", and weft said {said}"))
    return 0 if proved == said else 1


if __name__ == "__main__":
    sys.exit(main())
