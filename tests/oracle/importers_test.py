"""Others' software judges what weft imports: hwloc's own lstopo writes the machines and names what it sees,
Graphviz reads the same cabling plans, and SimGrid's shortest times tell the links on its routes."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["WEFT_PROGRAM"]
EXAMPLES = os.path.join(os.environ["WEFT_SOURCE_DIR"], "examples")
LSTOPO = shutil.which("lstopo-no-graphics") or shutil.which("lstopo")
GVPR = shutil.which("gvpr")


def imported(folder, file):
    """The network as weft's JSON has it: names by node, hosts, and cables as sorted pairs of names."""
    target = os.path.join(folder, "out.json")
    run = subprocess.run([PROGRAM, "import", file, "-o", target, "--quiet"], capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"{file}: {run.stderr}")
    with open(target, encoding="utf-8") as stream:
        network = json.load(stream)
    names = network["names"]
    switches = set(network["switches"])
    cables = sorted(tuple(sorted((names[tail], names[head])))
                    for i, (tail, head, _, *back) in enumerate(network["links"]) if back and i < back[0])
    return names, [n for i, n in enumerate(names) if i not in switches], cables


@unittest.skipIf(not LSTOPO, "not installed: hwloc")
class Hwloc(unittest.TestCase):
    """Synthetic machines of hwloc, and the one that this runs on."""

    def write(self, folder, *options):
        file = os.path.join(folder, "machine.xml")
        subprocess.run([LSTOPO, "-f", *options, "--of", "xml", file], check=True, capture_output=True)
        return file

    def count(self, file, kind):
        text = subprocess.run([LSTOPO, "-i", file, "--of", "console"], check=True, capture_output=True,
                              text=True).stdout
        return len(re.findall(rf"\b{kind} L#\d+", text))

    def test_synthetic_machines_are_trees_of_what_lstopo_counts(self):
        # Of each level: how many below one of the level above.
        for synthetic, kinds in (("pack:2 numa:1 core:4 pu:1", {"package": "Package", "machine": None}),
                                 ("pack:2 l3:4 core:8 pu:2", {"l3-": "L3", "package": "Package", "machine": None}),
                                 ("pack:4 l3:2 l2:2 core:2 pu:1",
                                  {"l2-": "L2", "l3-": "L3", "package": "Package", "machine": None})):
            with self.subTest(synthetic), tempfile.TemporaryDirectory() as folder:
                file = self.write(folder, "-i", synthetic)
                names, hosts, cables = imported(folder, file)
                self.assertEqual(len(hosts), self.count(file, "Core"))
                for prefix, kind in kinds.items():
                    found = sum(name.startswith(prefix) for name in names)
                    self.assertEqual(found, self.count(file, kind) if kind else 1, prefix)
                self.assertEqual(len(cables), len(names) - 1)  # a tree

    def test_a_machine_with_one_core_below_each_cache_has_no_switch_for_it(self):
        with tempfile.TemporaryDirectory() as folder:
            names, hosts, cables = imported(folder, self.write(folder, "-i", "pack:2 l3:3 core:1 pu:1"))
            self.assertEqual((len(names), len(hosts), len(cables)), (6 + 2 + 1, 6, 8))

    def test_this_machine_has_its_cores(self):
        with tempfile.TemporaryDirectory() as folder:
            file = self.write(folder)
            _, hosts, _ = imported(folder, file)
            self.assertEqual(len(hosts), self.count(file, "Core"))

    def test_our_example_is_one_that_hwloc_reads(self):
        self.assertEqual(self.count(os.path.join(EXAMPLES, "hwloc.xml"), "Core"), 8)


@unittest.skipIf(not GVPR, "not installed: graphviz")
class Graphviz(unittest.TestCase):
    """gvpr prints the ends of every edge, as Graphviz's own parser found them."""

    PLANS = [
        'strict graph "p" { a1 [role=host]; subgraph s { node [role=host] h1; h2 } h1:eth0 -- leaf1:"swp 1":n\n'
        '{h2; a1} -- {leaf1 leaf2} [speed="10G"]; leaf1 -- spine1 -- leaf2; rankdir=LR; label=<a <b>-- c</b>> }',
        'digraph { // c\n# x\n"leaf" + "1":swp1 -> "h\\\n1":eth0 /* leaf1 -> h9 */ ; edge [a=b][c=d]\n'
        'leaf1 -> subgraph { host2; host3 } ; node_4 -> leaf1; host7 -> leaf1 }',
        'graph { server1:eth0 -- leaf1:swp1 server2:eth0 -- leaf1:swp2; leaf1:swp49 -- "spine1" }',
        'strict graph { server1:eth0 -- leaf1:swp1; leaf1 -- server1 [speed="10G"]; leaf1 -- spine1 -- leaf1 }',
        'strict digraph { host1 -> leaf1; leaf1 -> spine1 -> host2; host1 -> leaf1 [speed="10G"] }',
    ]

    def edges(self, file):
        run = subprocess.run([GVPR, 'E { print($.tail.name, " ", $.head.name); }', file], check=True,
                             capture_output=True, text=True)
        return sorted(tuple(sorted(line.split())) for line in run.stdout.splitlines())

    def test_plans_have_the_edges_that_graphviz_finds(self):
        plans = list(self.PLANS)
        with open(os.path.join(EXAMPLES, "cabling.dot"), encoding="utf-8") as stream:
            plans.append(stream.read())
        for plan in plans:
            with self.subTest(plan[:40]), tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "plan.dot")
                with open(file, "w", encoding="utf-8") as stream:
                    stream.write(plan)
                _, _, cables = imported(folder, file)
                self.assertEqual(cables, self.edges(file))


if __name__ == "__main__":
    unittest.main()
