"""SimGrid's SMPI, as it is delivered, judges weft's model of it: replays of schedules' traces.

All of SMPI's settings are its defaults (factors by message size, sharing by latency and links,
answers on the way back, 16 bytes more a message, senders that go on at once below 64 KiB, receives
posted in their step), but for the cap by a TCP window, which weft has not, and where a test says
so for the loopback."""

import json
import os
import random
import sys
import tempfile
import unittest

from smpi_replays import ReplayCase

sys.path.insert(1, os.path.join(os.environ["WEFT_SOURCE_DIR"], "tests/oracle"))
from samples import samples  # noqa: E402

SETTINGS = ["network/TCP-gamma:1e20", "network/optim:Full", "surf/precision:1e-12",
            "smpi/simulate-computation:no"]
LINK = "1GBps,20us"
MODEL = ["--factors", "smpi-3.32", "--sharing", "smpi"]
# Networks whose routes there and back are the same cables, where all ranks take the same time.
NETWORKS = ["ring:5", "complete:6", "xgft:1;8;1"]
COLLECTIVES = [("allgather", "ring"), ("alltoall", "spread"), ("allreduce", "ring")]
# Bytes of a message on both sides of factors' thresholds.
MESSAGES = [66_000, 1_000_000]

# All that SMPI does of its own.
WHOLE = MODEL + ["--receives", "in-step", "--eager", "64KiB", "--header", "16B"]
# Bytes at which another factor begins, the header included, and at which senders begin to wait.
THRESHOLDS = [257, 732, 1426, 3484, 5776, 9376, 15424, 65472, 65536]
SAMPLED_NETWORKS = ["ring:5", "mesh:4", "complete:6", "xgft:1;8;1",
                    "leaf-spine:leaves=3,spines=1,hosts=2", "dragonfly:a=2,p=2,h=1"]
SAMPLED = COLLECTIVES + [("allgather", "bruck"), ("alltoall", "shift"), ("broadcast", "binomial"),
                         ("broadcast", "chain"), ("reduce", "binomial"),
                         ("allreduce", "recursive-doubling")]
# Of 3.32 as it comes, and of 3.12.
LOOPBACKS = {"10GBps,0s": [],
             "498MBps,15us": ["network/loopback-bw:498000000", "network/loopback-lat:0.000015"]}


class Replays(ReplayCase):
    def test_schedules_take_the_time_of_smpi(self):
        for network in samples(NETWORKS):
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

    def test_repeated_calls_and_ranks_that_share_hosts(self):
        """36 cases: each threshold four times, a byte below it, at it and above."""
        rng = random.Random(18)
        for threshold in samples(THRESHOLDS * 4):
            self.compare_whole(network=rng.choice(SAMPLED_NETWORKS), run=rng.choice(SAMPLED),
                               size=threshold + rng.choice([-17, -16, -15, -1, 0, 1]),
                               calls=rng.choice([1, 3, 10]), on_host=rng.choice([1, 1, 2, 3]),
                               loopback=rng.choice(list(LOOPBACKS)),
                               cables=rng.choice(["duplex", "shared"]))

    def compare_whole(self, network, run, size, calls, on_host, loopback, cables):
        collective, algorithm = run
        with tempfile.TemporaryDirectory() as self.folder, self.subTest(
                network=network, algorithm=algorithm, size=size, calls=calls, on_host=on_host,
                loopback=loopback, cables=cables):
            hosts = json.loads(self.weft("topology", network, "--json"))["hosts"]
            on = ["-t", network, "--link", LINK]
            if on_host > 1:
                self.write("places", "".join(f"{host}\n" * on_host for host in range(hosts)))
                on += ["--placement", "file:places"]
            self.weft("schedule", collective, "-a", algorithm, *on, "-o", "s.weft")
            self.weft("export", "s.weft", "--to", "simgrid-trace", "--size", str(size), "-o",
                      "traces")
            for rank in range(hosts * on_host):
                self.repeat(f"traces.{rank}", calls)
            shared = ["--cables"] if cables == "shared" else []
            self.weft("export", network, "--to", "simgrid-platform", "-o", "platform.xml", *shared,
                      *on[2:])
            way = ["--loopback", loopback] if on_host > 1 else []
            ours = json.loads(self.weft("simulate", "s.weft", "--size", str(size), *on, *WHOLE, *way,
                                        "--calls", str(calls), "--cables", cables, "--json"))["time"]
            theirs = self.replayed(hosts * on_host, SETTINGS + LOOPBACKS[loopback])
            self.assertAlmostEqual(ours, theirs, delta=max(1e-3 * ours, 5e-7))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def repeat(self, trace, calls):
        """What stands between init and finalize, so many times."""
        with open(os.path.join(self.folder, trace), encoding="utf-8") as file:
            first, *body, last = file.readlines()
        self.write(trace, first + "".join(body) * calls + last)


if __name__ == "__main__":
    unittest.main()
