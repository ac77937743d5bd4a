#!/usr/bin/env python3
"""Measures the time and memory of reading a network of about 50,000 nodes in each format.

    bench/imports/import_formats.py [PROGRAM] [--nodes N]

The script prints a line for each format: nodes, megabytes of the file, seconds of `weft import`, and peak memory
divided by the size of the file.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTS_OF_LEAF, LEAVES_OF_SPINE = 32, 32


class Tree:
    """A network of hosts under leaves, leaves under spines, and spines under a core."""

    def __init__(self, nodes):
        self.leaves = max(1, nodes // (HOSTS_OF_LEAF + 1))
        self.hosts = self.leaves * HOSTS_OF_LEAF
        self.spines = (self.leaves + LEAVES_OF_SPINE - 1) // LEAVES_OF_SPINE

    def cables(self):
        for host in range(self.hosts):
            yield f"h{host}", f"leaf{host // HOSTS_OF_LEAF}"
        for leaf in range(self.leaves):
            yield f"leaf{leaf}", f"spine{leaf // LEAVES_OF_SPINE}"
        for spine in range(self.spines):
            yield f"spine{spine}", "core"

    def numbers(self):
        of = {}
        for a, b in self.cables():
            for node in (a, b):
                of.setdefault(node, len(of))
        return of


def slurm_conf(tree):
    lines = [f"SwitchName=leaf{i} Nodes=h[{i * HOSTS_OF_LEAF}-{(i + 1) * HOSTS_OF_LEAF - 1}]"
             for i in range(tree.leaves)]
    for i in range(tree.spines):
        last = min((i + 1) * LEAVES_OF_SPINE, tree.leaves) - 1
        lines.append(f"SwitchName=spine{i} Switches=leaf[{i * LEAVES_OF_SPINE}-{last}]")
    return "\n".join([*lines, f"SwitchName=core Switches=spine[0-{tree.spines - 1}]"]) + "\n"


def dot(tree):
    cables = [f'"{a}":"p{i}" -- "{b}":"q{i}" [speed="100G"]' for i, (a, b) in enumerate(tree.cables())]
    kinds = [f"h{i} [role=host]" for i in range(tree.hosts)]
    return "graph G {\n" + "\n".join(kinds + cables) + "\n}\n"


def graphml(tree):
    nodes = "".join(f'<node id="{n}"/>' for n in tree.numbers())
    edges = "".join(f'<edge source="{a}" target="{b}"/>' for a, b in tree.cables())
    return ('<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
            f"{nodes}{edges}</graph></graphml>")


def gml(tree):
    of = tree.numbers()
    nodes = "".join(f'  node [\n    id {i}\n    label "{n}"\n  ]\n' for n, i in of.items())
    edges = "".join(f"  edge [\n    source {of[a]}\n    target {of[b]}\n  ]\n"
                    for a, b in tree.cables())
    return f"graph [\n{nodes}{edges}]\n"


def node_link(tree):
    return json.dumps({"directed": False, "multigraph": False, "graph": {},
                       "nodes": [{"id": n} for n in tree.numbers()],
                       "links": [{"source": a, "target": b} for a, b in tree.cables()]})


def edge_list(tree):
    return "".join(f"{a} {b} {{}}\n" for a, b in tree.cables())


def adjacency_list(tree):
    of = tree.numbers()
    beside = {n: [] for n in of}
    for a, b in tree.cables():
        beside[a].append(b)
    return "#graph\n" + "".join(f"{n} {' '.join(others)}".strip() + "\n" for n, others in beside.items())


def simgrid(tree):
    return ('<?xml version="1.0"?><platform version="4.1"><zone id="z" routing="Full">'
            f'<cluster id="c" prefix="h" suffix="" radical="0-{tree.hosts - 1}" speed="1Gf" '
            'bw="125MBps" lat="50us" bb_bw="2.25GBps" bb_lat="500us"/></zone></platform>')


def anynet(tree):
    lines = []
    for i in range(tree.leaves):
        nodes = " ".join(f"node {i * HOSTS_OF_LEAF + j}" for j in range(HOSTS_OF_LEAF))
        lines.append(f"router {i} {nodes} router {tree.leaves + i // LEAVES_OF_SPINE}")
    for i in range(tree.spines):
        lines.append(f"router {tree.leaves + i} router {tree.leaves + tree.spines}")
    return "\n".join(lines) + "\n"


def ibnetdiscover(tree):
    beside = {}
    for a, b in tree.cables():
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    guid = {n: i + 1 for i, n in enumerate(beside)}
    port = {}
    for node, others in beside.items():
        for i, other in enumerate(others):
            port[node, other] = i + 1
    lines = []
    for node, others in beside.items():
        host = node.startswith("h")
        name = f"{'H' if host else 'S'}-{guid[node]:016x}"
        kind = "caguid" if host else "switchguid"
        lines.append(f"{kind}=0x{guid[node]:x}")
        lines.append(f'{"Ca" if host else "Switch"}\t{len(others)} "{name}"\t\t# "{node}"'
                     + ("" if host else " enhanced port 0 lid 0 lmc 0"))
        for other in others:
            far = f"{'H' if other.startswith('h') else 'S'}-{guid[other]:016x}"
            lines.append(f'[{port[node, other]}]\t"{far}"[{port[other, node]}] \t\t# "{other}" lid 0 4xEDR')
        lines.append("")
    return "\n".join(lines) + "\n"


FORMATS = {
    "slurm-topology-conf": (slurm_conf, "topology.conf"), "cabling-plan": (dot, "plan.dot"),
    "graphml": (graphml, "net.graphml"), "gml": (gml, "net.gml"),
    "node-link": (node_link, "net.json"), "edge-list": (edge_list, "net.edgelist"),
    "adjacency-list": (adjacency_list, "net.adjlist"), "simgrid-platform": (simgrid, "net.xml"),
    "booksim-anynet": (anynet, "anynet.txt"), "ibnetdiscover": (ibnetdiscover, "net.ibnet"),
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default=str(ROOT / "build/release/bin/weft"))
    parser.add_argument("--nodes", type=int, default=50_000)
    options = parser.parse_args()
    tree, failed = Tree(options.nodes), False
    print(f"{'format':20} {'nodes':>7} {'MB':>6} {'s':>6} {'memory / file':>14}")
    with tempfile.TemporaryDirectory(prefix="weft-imports-") as folder:
        for name, (write, file) in FORMATS.items():
            path = os.path.join(folder, file)
            pathlib.Path(path).write_text(write(tree))
            size = os.path.getsize(path)
            command = [options.program, "import", path, "-o", os.path.join(folder, "out.json"), "--json"]
            start = time.monotonic()
            with tempfile.TemporaryFile() as out:
                child = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE)
                errors = child.stderr.read().decode(errors="replace").strip()
                _, status, usage = os.wait4(child.pid, 0)
                seconds = time.monotonic() - start
                out.seek(0)
                text = out.read()
            if status != 0:
                print(f"{name:20} failed: {errors}")
                failed = True
                continue
            answer = json.loads(text)
            nodes = answer["hosts"] + answer["switches"]
            print(f"{name:20} {nodes:7} {size / 1e6:6.1f} {seconds:6.2f} "
                  f"{usage.ru_maxrss * 1024 / size:14.1f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
