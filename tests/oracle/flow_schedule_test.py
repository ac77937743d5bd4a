"""HiGHS judges `flow`: T_B of its all-to-all is what LP (3) allows, on random networks."""

import json
import os
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

from throughput_test import lp_throughput, random_arcs

PROGRAM = os.environ["WEFT_PROGRAM"]
LINK_BPS = 12.5e9


def schedule(arcs, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.arcs")
        with open(path, "w") as file:
            file.writelines(f"{tail} {head}\n" for tail, head in arcs)
        answer = subprocess.run([PROGRAM, "schedule", "alltoall", "-t", "file:" + path, "-a", "flow",
                                 "--link", "100Gbps,1us", "--json", *options],
                                capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


class FlowSchedule(unittest.TestCase):
    def test_costs_what_highs_says_on_random_networks(self):
        stream = random.Random(2)
        for trial in range(30):
            nodes = stream.randrange(4, 14)
            arcs = random_arcs(nodes, stream.randrange(2, 5), stream)
            with self.subTest(trial=trial, arcs=arcs):
                answer = schedule(arcs)
                ports = answer["node_bandwidth_Bps"] / LINK_BPS
                least = ports / (nodes * lp_throughput(nodes, arcs))
                reached = float(Fraction(answer["bandwidth_factor"]))
                self.assertTrue(answer["verified"])
                self.assertEqual(answer["steps"], 1)
                self.assertGreater(reached, least * (1 - 1e-7))
                self.assertLess(reached, least * (1 + 1e-5))
                piped = schedule(arcs, "--forwarding", "ranks", "--segments", "10000")
                self.assertTrue(piped["verified"])
                self.assertLess(float(Fraction(piped["bandwidth_factor"])), reached * 1.01)


if __name__ == "__main__":
    unittest.main()
