"""SimGrid's SMPI says what its collectives send: every name of `weft list libraries smpi` is held
against the messages that SMPI traces inside the call, each rank's in their order."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from smpi_replays import ReplayCase

sys.path.insert(1, os.path.join(os.environ["WEFT_SOURCE_DIR"], "tests/oracle"))
from samples import samples  # noqa: E402

# What MPI calls it, and how much of the buffer a weft --size is: a block, or all ranks' blocks.
CALLS = {"allgather": ("allgather", 1), "alltoall": ("alltoall", 1), "allreduce": ("allreduce", 0),
         "broadcast": ("bcast", 0), "reduce": ("reduce", 0), "scatter": ("scatter", 1),
         "gather": ("gather", 1), "reduce-scatter": ("reduce_scatter", 0)}
# Divides evenly by what algorithms cut it into.
BLOCK = 240
PROGRAM = r"""
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int n, k = atoi(argv[2]);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  char *call = argv[1], *in = calloc(n, k), *out = calloc(n, k);
  int counts[64];
  for (int i = 0; i < n; ++i) counts[i] = k;
  MPI_Comm world = MPI_COMM_WORLD;
  if (!strcmp(call, "allgather")) MPI_Allgather(in, k, MPI_CHAR, out, k, MPI_CHAR, world);
  if (!strcmp(call, "alltoall")) MPI_Alltoall(in, k, MPI_CHAR, out, k, MPI_CHAR, world);
  if (!strcmp(call, "allreduce")) MPI_Allreduce(in, out, n * k, MPI_CHAR, MPI_MAX, world);
  if (!strcmp(call, "bcast")) MPI_Bcast(in, n * k, MPI_CHAR, 0, world);
  if (!strcmp(call, "reduce")) MPI_Reduce(in, out, n * k, MPI_CHAR, MPI_MAX, 0, world);
  if (!strcmp(call, "scatter")) MPI_Scatter(in, k, MPI_CHAR, out, k, MPI_CHAR, 0, world);
  if (!strcmp(call, "gather")) MPI_Gather(in, k, MPI_CHAR, out, k, MPI_CHAR, 0, world);
  if (!strcmp(call, "reduce_scatter")) MPI_Reduce_scatter(in, out, counts, MPI_CHAR, MPI_MAX, world);
  MPI_Finalize();
  return 0;
}
"""
RANKS = {"any": [2, 5, 8, 16], "even": [2, 6, 16], "powers of two": [2, 4, 16]}
LARGEST = 16


class Libraries(ReplayCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = cls.place.name

        def write(name, text):
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        write("call.c", PROGRAM)
        write("hosts", "".join(f"h{i}\n" for i in range(LARGEST)))
        write("platform.xml", "<?xml version='1.0'?>\n"
              "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
              "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"h\" suffix=\"\" "
              f"radical=\"0-{LARGEST - 1}\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></platform>\n")
        subprocess.run(["smpicc", "call.c", "-o", "call"], cwd=cls.folder, check=True,
                       capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_names_send_what_smpi_sends(self):
        names = json.loads(self.weft("list", "libraries", "smpi", "--json"))["libraries"]
        self.assertGreater(len(names), 20)
        for row in samples(names):
            for ranks in RANKS[row["ranks"]]:
                with self.subTest(name=row["name"], collective=row["collective"], ranks=ranks):
                    theirs = self.traced(row, ranks)
                    ours = self.scheduled(row, ranks)
                    if row["algorithm"] == "spread":  # all at once, in no order
                        theirs = {rank: sorted(sent) for rank, sent in theirs.items()}
                        ours = {rank: sorted(sent) for rank, sent in ours.items()}
                    self.assertEqual(ours, theirs)

    def traced(self, row, ranks):
        """What ranks other than itself each rank sends to: [(rank, bytes)] in order."""
        call, _ = CALLS[row["collective"]]
        run = subprocess.run(
            ["smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts",
             "-trace", "-trace-file", "trace", "--cfg=tracing/smpi/internals:yes",
             "--cfg=tracing/smpi/display-sizes:yes", "--cfg=smpi/simulate-computation:no",
             f"--cfg=smpi/{call}:{row['name']}", "./call", call, str(BLOCK)],
            cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        sent = collections.defaultdict(list)
        with open(os.path.join(self.folder, "trace"), encoding="utf-8") as trace:
            for line in trace:  # a message begins: time, type, container, value, sender, key, bytes
                found = re.match(r"15 \S+ \d+ 0 PTP \d+ (\d+)_(\d+)_-?\d+_\d+ (\d+)", line)
                if found and found[1] != found[2]:
                    sent[int(found[1]) - 1].append((int(found[2]) - 1, int(found[3])))
        return dict(sent)

    def scheduled(self, row, ranks):
        _, of_block = CALLS[row["collective"]]
        size = BLOCK if of_block else BLOCK * ranks
        self.weft("schedule", row["collective"], "-t", f"xgft:1;{ranks};1", "--library", "smpi",
                  "-a", row["name"], "-o", "s.weft", "-q")
        self.weft("export", "s.weft", "--to", "simgrid-trace", "--size", str(size), "-o", "traces")
        sent = collections.defaultdict(list)
        for rank in range(ranks):
            with open(os.path.join(self.folder, f"traces.{rank}"), encoding="utf-8") as trace:
                for line in trace:  # RANK isend TO TAG BYTES TYPE
                    words = line.split()
                    if words[1] in ("send", "isend") and int(words[2]) != rank:
                        sent[rank].append((int(words[2]), int(words[4])))
        return dict(sent)


if __name__ == "__main__":
    unittest.main()
