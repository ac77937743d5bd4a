"""SimGrid's SMPI judges exports of programs: it replays the traces on the platform that weft writes."""

import json
import os
import random
import tempfile
import unittest

from smpi_replays import ReplayCase

# Bandwidth and latency alone, as links have them: no factors of messages' sizes, no start-ups, and
# every message waits for its receive.
SETTINGS = ["network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e20",
            "network/optim:Full", "surf/precision:1e-12", "smpi/simulate-computation:no",
            "smpi/send-is-detached-thresh:0", "smpi/async-small-thresh:0", "smpi/os:0:0:0",
            "smpi/or:0:0:0", "smpi/ois:0:0:0", "smpi/host-speed:1f"]
NETWORKS = ["ring:7", "torus:3x3", "hosts(2, kautz:2,2)", "dragonfly:a=2,p=2,h=1"]


def layered(ranks, seed):
    """GOAL of ranks in layers: each takes messages of the layer before, works on them, and sends to
    the next. So all receives of a rank are posted at its start, and no reading differs."""
    rng = random.Random(seed)
    order = rng.sample(range(ranks), ranks)
    layers = []
    while order:
        size = rng.randint(1, 3)
        layers.append(order[:size])
        order = order[size:]
    lines = [[] for _ in range(ranks)]
    for layer in layers[1:]:
        for rank in layer:
            lines[rank].append(f"w: calc {rng.randint(0, 400_000_000)}")
    for rank in layers[0]:
        lines[rank].append(f"w: calc {rng.randint(1, 400_000_000)}")
    for before, after in zip(layers, layers[1:]):
        for receiver in after:
            for sender in rng.sample(before, rng.randint(1, len(before))):
                size = rng.randint(10_000_000, 200_000_000)
                lines[sender] += [f"s{receiver}: send {size}b to {receiver}",
                                  f"s{receiver} requires w"]
                lines[receiver] += [f"r{sender}: recv {size}b from {sender}",
                                    f"w requires r{sender}"]
    text = f"num_ranks {ranks}\n"
    for rank, operations in enumerate(lines):
        text += f"rank {rank} {{\n" + "\n".join(operations) + "\n}\n"
    return text


class Replays(ReplayCase):
    def test_programs_take_the_time_that_smpi_gives_their_traces(self):
        for seed, network in enumerate(NETWORKS * 2):
            with self.subTest(network=network, seed=seed), tempfile.TemporaryDirectory() as folder:
                self.folder = folder
                facts = json.loads(self.weft("topology", network, "--json"))
                with open(os.path.join(folder, "p.goal"), "w", encoding="utf-8") as file:
                    file.write(layered(facts["hosts"], seed))
                on = ["--routing", "shortest", "--link", "1GBps,1us"]
                self.weft("import", "p.goal", "--from", "goal", "-o", "p.weft")
                self.weft("export", "p.weft", "--to", "simgrid-trace", "-o", "traces")
                self.weft("export", network, "--to", "simgrid-platform", "-o", "platform.xml", *on)
                ours = json.loads(self.weft("simulate", "p.weft", "-t", network, *on, "--sharing",
                                            "rtt", "--json"))["time"]
                self.assertAlmostEqual(ours, self.replayed(facts["hosts"], SETTINGS), delta=1e-4 * ours)


if __name__ == "__main__":
    unittest.main()
