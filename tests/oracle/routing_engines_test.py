"""OpenSM and NetworkX judge what weft says of forwarding tables: the engine that wrote them is among those that
they fit, loads are those of walking them, a credit loop is a shortest cycle of channels that wait for each other,
and minhop, ftree and dor load the busiest link as predicted from the tables of any engine."""

import itertools
import json
import os
import subprocess
import tempfile
import unittest

import networkx

import imported_fabric_test as fabrics
from samples import samples

# The engines differ on each of these; ftree and updn hand over to minhop where there is no tree.
NETWORKS = [("leaf-spine:leaves=6,spines=4,hosts=7", ("minhop", "ftree", "dfsssp")),
            ("xgft:3;3,4,5;1,2,3", ("ftree", "updn", "dfsssp", "lash")),
            ("hosts(2, mesh:4x4)", ("dor", "minhop")), ("hosts(2, torus:4x4)", ("dfsssp", "lash")),
            ("dragonfly:a=4,p=2,h=2,g=9", ("dfsssp", "minhop"))]


def girth_of_waits(devices, lids, tables):
    """Channels of a shortest cycle of waits between switches; 0: there is none."""
    waits = networkx.DiGraph()
    is_host = {device: host for device, (host, _) in devices.items()}
    for source, (host, ports) in devices.items():
        if not host:
            continue
        for lid, target in lids.items():
            node, path = ports[next(iter(ports))][0], []
            while node != target:
                port = tables[node][lid]
                if not is_host[devices[node][1][port][0]]:
                    path.append((node, port))
                node = devices[node][1][port][0]
            waits.add_edges_from(itertools.pairwise(path))
    shortest = 0
    for part in networkx.strongly_connected_components(waits):
        inside = waits.subgraph(part)
        for channel in inside:
            reached = networkx.single_source_shortest_path_length(inside, channel)
            for before in inside.predecessors(channel):
                if shortest == 0 or reached[before] + 1 < shortest:
                    shortest = reached[before] + 1
    return shortest


@unittest.skipIf(fabrics.MISSING, f"not installed: {', '.join(fabrics.MISSING)}")
class RoutingEngines(unittest.TestCase):
    def judge(self, network, engine):
        """What weft says of the engine's tables."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x")
            fabrics.weft("export", network, "--to", "ibsim", "-o", path + ".net")
            run = subprocess.run(["bash", fabrics.SCRIPT, path + ".net", engine, path],
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
            self.assertEqual(run.returncode, 0, run.stderr)
            with open(path + ".ibnet", encoding="utf-8") as file:
                devices, lids, guids, _ = fabrics.devices_of(file.read())
            with open(path + ".lfts", encoding="utf-8") as file:
                tables = fabrics.tables_of(file.read(), guids)
            fabrics.weft("import", path + ".ibnet", "--routes", path + ".lfts", "-o", path + ".json")
            answer = json.loads(fabrics.weft("topology", f"file:{path}.json", "--json"))["forwarding"]
        loads, lost = fabrics.walk(devices, lids, tables)
        is_host = {device: host for device, (host, _) in devices.items()}
        self.assertEqual(answer["pairs_without_path"], len(lost))
        self.assertEqual(answer["busiest_pairs"],
                         max(count for (node, port), count in loads.items()
                             if not is_host[node] and not is_host[devices[node][1][port][0]]))
        self.assertEqual(len(answer["credit_loop"]), girth_of_waits(devices, lids, tables))
        self.assertIn(engine, answer["engines"])
        return answer

    def test_engines_are_recognised_and_predicted(self):
        for network, engines in samples(NETWORKS):
            answers = {}
            for engine in engines:
                with self.subTest(network=network, engine=engine):
                    answers[engine] = self.judge(network, engine)
            for engine in {"minhop", "ftree", "dor"}.intersection(answers):
                for of, answer in answers.items():
                    predicted = {each["engine"]: each for each in answer["other_engines"]}[engine]
                    for key in ("busiest_pairs", "shift_worst"):
                        self.assertEqual(predicted[key], answers[engine][key], (network, engine, of, key))


if __name__ == "__main__":
    unittest.main(verbosity=2)
