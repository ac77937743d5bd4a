"""SimGrid's SMPI, as it is delivered, judges weft's model of it: replays of schedules' traces.

All of SMPI's settings are its defaults (factors by message size, sharing by latency and links,
answers on the way back), but for the cap by a TCP window, which weft has not."""

import json
import tempfile
import unittest

from smpi_replays import ReplayCase

SETTINGS = ["network/TCP-gamma:1e20", "network/optim:Full", "surf/precision:1e-12",
            "smpi/simulate-computation:no"]
LINK = "1GBps,20us"
MODEL = ["--factors", "smpi-3.32", "--sharing", "smpi"]
# Networks whose routes there and back are the same cables, where all ranks take the same time.
NETWORKS = ["ring:5", "complete:6", "xgft:1;8;1"]
COLLECTIVES = [("allgather", "ring"), ("alltoall", "spread"), ("allreduce", "ring")]
# Bytes of a message on both sides of factors' thresholds.
MESSAGES = [66_000, 1_000_000]


class Replays(ReplayCase):
    def test_schedules_take_the_time_of_smpi(self):
        for network in NETWORKS:
            for collective, algorithm in COLLECTIVES:
                for message in MESSAGES:
                    for cables in ("duplex", "shared"):
                        self.compare(network, collective, algorithm, message, cables)

    def compare(self, network, collective, algorithm, message, cables):
        with tempfile.TemporaryDirectory() as self.folder, self.subTest(
                network=network, collective=collective, message=message, cables=cables):
            ranks = json.loads(self.weft("topology", network, "--json"))["hosts"]
            size = message * (ranks if collective == "allreduce" else 1)
            on = ["--link", LINK]
            self.weft("schedule", collective, "-t", network, "-a", algorithm, "-o", "s.weft")
            self.weft("export", "s.weft", "--to", "simgrid-trace", "--size", str(size), "-o",
                      "traces")
            shared = ["--cables"] if cables == "shared" else []
            self.weft("export", network, "--to", "simgrid-platform", "-o", "platform.xml", *on,
                      *shared)
            ours = json.loads(self.weft("simulate", "s.weft", "--size", str(size), *on, *MODEL,
                                        "--cables", cables, "--json"))["time"]
            # SimGrid prints whole microseconds.
            self.assertAlmostEqual(ours, self.replayed(ranks, SETTINGS), delta=max(1e-3 * ours, 5e-7))


if __name__ == "__main__":
    unittest.main()
