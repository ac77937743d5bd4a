"""InfiniBand's own tools judge export, names, import and tables: a network of ours becomes a fabric of the
simulator ibsim. ibnetdiscover finds the cables that the network has, at the ports that it has; OpenSM's tables
join every two hosts; and what comes back is the same family, with the loads that walking the tables gives."""

import collections
import fractions
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from samples import samples

PROGRAM = os.environ["WEFT_PROGRAM"]
SCRIPT = os.path.join(os.environ["WEFT_SOURCE_DIR"], "tools", "virtual_fabric.sh")
PATH = os.environ["PATH"] + ":/usr/sbin"
MISSING = [t for t in ("ibsim", "opensm", "ibnetdiscover", "dump_fts") if not shutil.which(t, path=PATH)]

# Each with an engine of OpenSM that serves it; dimension order and the like need no tree.
NETWORKS = [("fat-tree:2,2", "ftree"), ("fat-tree:4,2", "ftree"), ("fat-tree:2,3", "minhop"),
            ("fat-tree:4,3", "ftree"), ("xgft:2;4,4;1,4", "ftree"), ("xgft:2;8,6;1,3", "updn"),
            ("xgft:3;4,3,2;1,2,2", "dfsssp"),
            ("leaf-spine:leaves=4,spines=2,hosts=3,uplinks=4", "minhop"), ("hosts(2, torus:3x3)", "dfsssp"),
            ("hosts(1, torus:4x3x3)", "dfsssp"), ("hosts(2, mesh:4x3)", "minhop"),
            ("hosts(1, hypercube:4)", "updn"), ("hosts(3, hamming:3x3)", "minhop"),
            ("hosts(2, hamming:4x2x3)", "dfsssp"), ("hosts(4, complete:5)", "minhop"),
            ("hosts(1, ring:7)", "updn"), ("dragonfly:a=4,p=2,h=2,g=9", "dfsssp"),
            ("dragonfly:a=2,p=1,h=1,g=3", "minhop"), ("dragonfly-plus:l=2,s=2,p=2,h=2,g=3", "dfsssp"),
            ("hosts(2, slimfly:5)", "minhop"), ("hosts(1, polarfly:3)", "dfsssp")]
# 992 hosts and 63 switches: see the note on the last lid in tools/virtual_fabric.sh.
LARGE = ("xgft:2;32,31;1,32", "ftree")


def weft(*arguments):
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"weft {arguments}: {run.stderr}")
    return run.stdout


def devices_of(text):
    """{id: (is_host, {port: (peer, peer's port)})}, {lid: id} of adapters and {guid: id} of switches,
    {id: name}."""
    devices, lids, guids, names, current, guid = {}, {}, {}, {}, None, None
    for line in text.splitlines():
        if line.startswith("switchguid="):
            guid = int(re.match(r"switchguid=0x([0-9a-f]+)", line)[1], 16)
        device = re.match(r'(Switch|Ca)\s+\d+ "([^"]+)"\s*# "([^"]+)"', line)
        if device:
            current = device[2]
            devices[current] = (device[1] == "Ca", {})
            names[current] = device[3]
            if device[1] == "Switch":
                guids[guid] = current
        port = re.match(r'\[(\d+)\](?:\([0-9a-f]+\))?\s+"([^"]+)"\[(\d+)\][^#]*# *(?:lid (\d+) lmc)?', line)
        if port:
            devices[current][1][int(port[1])] = (port[2], int(port[3]))
            if port[4]:
                lids[int(port[4])] = current
    return devices, lids, guids, names


def tables_of(text, guids):
    tables, current = collections.defaultdict(dict), None
    for line in text.splitlines():
        head = re.search(r"guid 0x([0-9a-f]+)", line)
        if line.startswith("Unicast") and head:
            current = guids[int(head[1], 16)]
        entry = re.match(r"0x([0-9a-f]+) (\d+) :", line)
        if entry:
            tables[current][int(entry[1], 16)] = int(entry[2])
    return tables


def walk(devices, lids, tables):
    """All pairs of hosts by the tables: messages by link, and the pairs that are not joined."""
    loads, lost = collections.Counter(), []
    for source, (is_host, ports) in devices.items():
        if not is_host:
            continue
        for lid, target in lids.items():
            node, port, steps = source, next(iter(ports)), 0
            while node != target and port and steps <= len(devices):
                loads[node, port] += 1
                node = devices[node][1][port][0]
                port, steps = tables[node].get(lid), steps + 1
            if node != target:
                lost.append((source, target))
    return loads, lost


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)}")
class VirtualFabric(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def simulate(self, network, engine, commands=""):
        weft("export", network, "--to", "ibsim", "-o", self.path("x.net"), "--link", "32Gbps,1us")
        with open(self.path("console"), "w", encoding="utf-8") as file:
            file.write(commands)
        run = subprocess.run(["bash", SCRIPT, self.path("x.net"), engine, self.path("x"), self.path("console")],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        self.assertEqual(run.returncode, 0, run.stderr)
        return devices_of(self.read("x.ibnet"))

    def cables(self, network):
        """{(name, port): (name, port)}, by the network's own file."""
        weft("topology", network, "-o", self.path("own.json"), "--measure", "cheap")
        own = json.loads(self.read("own.json"))
        switches, ends, count = set(own["switches"]), [], collections.Counter()
        for link in own["links"]:
            tail = link[0]
            count[tail] += 1
            ends.append((f"{'switch' if tail in switches else 'host'}{tail}", count[tail]))
        return {ends[i]: ends[link[3]] for i, link in enumerate(own["links"])}

    def judge(self, network, engine):
        devices, lids, guids, names = self.simulate(network, engine)
        loads, lost = walk(devices, lids, tables_of(self.read("x.lfts"), guids))
        found = {(names[device], port): (names[peer], there)
                 for device, (_, ports) in devices.items() for port, (peer, there) in ports.items()}
        self.assertEqual(found, self.cables(network))
        self.assertEqual(lost, [])
        answer = json.loads(weft("import", self.path("x.ibnet"), "--routes", self.path("x.lfts"),
                                 "--recognise", "-o", self.path("x.json"), "--json"))
        back = "file:" + self.path("x.json")
        own = json.loads(weft("topology", network, "--json", "--measure", "cheap"))
        there = json.loads(weft("topology", back, "--json", "--measure", "cheap"))
        self.assertEqual(there["hash"], json.loads(weft(
            "topology", answer["family"], "--json", "--measure", "cheap"))["hash"])
        for key in ("hosts", "switches", "cables", "degree", "diameter"):
            self.assertEqual(there[key], own[key], key)
        schedule = json.loads(weft("schedule", "alltoall", "-t", back, "-a", "spread", "--json"))
        self.assertEqual(schedule["routing"], "table")
        self.assertEqual(fractions.Fraction(schedule["max_link_load"]),
                         fractions.Fraction(max(loads.values()), len(lids)))
        return answer["family"]

    def test_networks_come_back_as_what_they_are(self):
        for network, engine in samples(NETWORKS):
            with self.subTest(network=network, engine=engine):
                self.judge(network, engine)

    def test_a_thousand_hosts(self):
        self.assertEqual(self.judge(*LARGE), LARGE[0])

    def test_an_unplugged_cable_is_found(self):
        # Node 21 is a spine of this tree, whose ports 1 to 4 go down.
        network = "xgft:2;4,4;1,4"
        devices, _, _, names = self.simulate(network, "minhop", 'Unlink "switch21"[2]\n')
        left = {(names[device], port) for device, (_, ports) in devices.items() for port in ports}
        # Port 2 of spine 21 goes to leaf 17, whose ports 1 to 4 are hosts and 6 is the second up.
        self.assertEqual(set(self.cables(network)) - left, {("switch21", 2), ("switch17", 6)})
        answer = json.loads(weft("import", self.path("x.ibnet"), "--recognise", "-o",
                                 self.path("x.json"), "--json"))
        self.assertEqual(answer["family"], "xgft:2;4,4;1,4")
        missing = [r for r in answer["remarks"] if "missing cable" in r]
        self.assertEqual(len(missing), 1)
        self.assertIn("switch21", missing[0])
        self.assertIn("switch17", missing[0])

    def worst_between_switches(self, network, engine):
        """The most pairs of hosts on a link between switches, by OpenSM's tables."""
        devices, lids, guids, _ = self.simulate(network, engine)
        loads, lost = walk(devices, lids, tables_of(self.read("x.lfts"), guids))
        self.assertEqual(lost, [])
        is_host = {device: host for device, (host, _) in devices.items()}
        return max(count for (node, port), count in loads.items()
                   if not is_host[node] and not is_host[devices[node][1][port][0]])

    def test_a_dead_spine_or_cable_slows_as_much_as_under_opensm(self):
        # ftree takes the tree without a spine; without a cable it hands over to minhop by itself.
        for network, spine, cable in samples([("xgft:2;8,4;1,4", 36, 32), ("xgft:2;16,4;1,8", 68, 64),
                                              ("xgft:2;6,4;1,3", 28, 24)]):
            for failed in (f"node={spine}", f"cable={cable}"):
                with self.subTest(network=network, failed=failed):
                    damaged = f"without({failed}, {network})"
                    schedule = json.loads(weft("schedule", "alltoall", "-t", damaged, "-a", "spread",
                                               "--routing", "d-mod-k", "--json"))
                    hosts = json.loads(weft("topology", network, "--json", "--measure", "cheap"))["hosts"]
                    self.assertEqual(fractions.Fraction(schedule["max_link_load"]) * hosts,
                                     self.worst_between_switches(damaged, "ftree"))

    def test_the_plan_tells_what_is_unplugged(self):
        self.simulate("xgft:2;4,4;1,4", "minhop")
        weft("import", self.path("x.ibnet"), "-o", self.path("plan.json"))
        plan = "file:" + self.path("plan.json")
        self.assertIn("is wired as", weft("topology", plan, "--against", plan))
        self.simulate("xgft:2;4,4;1,4", "minhop", 'Unlink "switch21"[2]\n')
        weft("import", self.path("x.ibnet"), "-o", self.path("x.json"))
        run = subprocess.run([PROGRAM, "topology", "file:" + self.path("x.json"), "--against", plan,
                              "--json"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual([(d["kind"], d["planned"]) for d in json.loads(run.stdout)["deviations"]],
                         [("cable missing", "switch17[6] - switch21[2]")])

    def test_speeds_come_back(self):
        self.simulate("xgft:2;4,4;1,4", "minhop")
        weft("import", self.path("x.ibnet"), "-o", self.path("x.json"))
        with open(self.path("x.json"), encoding="utf-8") as file:
            self.assertEqual(set(json.load(file)["bandwidth_Bps"]), {4_000_000_000})  # 4xQDR


if __name__ == "__main__":
    unittest.main(verbosity=2)
