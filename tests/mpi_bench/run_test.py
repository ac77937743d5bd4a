#!/usr/bin/env python3
"""weft-bench run: schedules of every algorithm on 2 to 17 ranks, and MSCCL files of them, have the result of the MPI's
own collective, and files that are wrong, that hang or that are no schedules end with the right code and one line that says so.

Usage: run_test.py openmpi|mpich. A sample of schedules on two numbers of ranks; on 2 to 17 in slow runs.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

WEFT = os.environ["WEFT_PROGRAM"]
WRITE_RUNS = os.environ["WEFT_WRITE_RUNS"]
MPI = sys.argv.pop(1)
BENCH = str(Path(WEFT).parent / f"weft-bench.{MPI}")
IS_FAST = float(os.environ.get("WEFT_TEST_SAMPLES", "1")) < 1
# Ranks, and every how many-th schedule of theirs.
SAMPLE = {"openmpi": {5: 37, 8: 61}, "mpich": {3: 17, 6: 61}}
# Processors are few, so that each run of many ranks takes about a second.
STEPS = SAMPLE[MPI] if IS_FAST else {ranks: 37 if ranks <= 8 else 101 for ranks in range(2, 18)}

SWAP = """weft-run 2
name swap
collective allreduce
ranks 2
size 1
unit_B 4
buffers data
rank 0
send 1 0 0:0+1
receive-reduce 1 0 0:0+1 after 0
rank 1
send 0 0 0:0+1
receive-reduce 0 0 0:0+1 after 0
"""


def run(ranks, *words, timeout=900):
    launch = ["mpirun.openmpi", "--oversubscribe"] if MPI == "openmpi" else ["mpiexec.mpich"]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return subprocess.run([*launch, "-n", str(ranks), BENCH, "run", *map(str, words)], capture_output=True, text=True,
                          timeout=timeout, env=environment)


def rows_of(done):
    return list(csv.DictReader(line for line in done.stdout.splitlines() if not line.startswith("#")))


class RunTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="weft-run-")
        self.folder = Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def refused(self, code, part, *words):
        done = run(2, *words, "--seconds", "0", timeout=60)
        said = [line for line in done.stderr.splitlines() if line.startswith("weft")]
        self.assertTrue(done.returncode == code and said and part in said[0], (done.returncode, done.stderr))

    def test_schedules_have_the_result_of_the_mpi(self):
        total = 0
        for ranks, step in STEPS.items():
            with self.subTest(ranks=ranks), tempfile.TemporaryDirectory() as folder:
                files = subprocess.run([WRITE_RUNS, str(ranks), folder, str(step)], check=True, capture_output=True,
                                       text=True).stdout.split()
                self.assertTrue(files)
                done = run(ranks, *files, "--sizes", "1B,40KiB", "--check-only", timeout=3600)
                self.assertEqual(done.returncode, 0, done.stderr[:3000])
                self.assertGreaterEqual(len(rows_of(done)), len(files))
                total += len(files)
        print(f"{total} schedules have the result of {MPI}")

    def test_translates_a_schedule_and_rounds_sizes_up(self):
        # 8 ranks: the ring's unit is an eighth of the buffer, so sizes are multiples of 32 bytes.
        schedule = self.folder / "ring.weft"
        subprocess.run([WEFT, "schedule", "allreduce", "-t", "ring:8", "-a", "ring", "-o", schedule, "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        done = run(8, schedule, "--sizes", "1B,33B,1KiB", "--seconds", "0", "--fewest", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = rows_of(done)
        self.assertEqual([row["size_B"] for row in rows], ["32", "64", "1024"])
        for row in rows:
            self.assertEqual((row["schedule"], row["collective"]), ("ring", "allreduce"))
            self.assertLess(0, float(row["minimum_s"]))
            self.assertLessEqual(float(row["native_minimum_s"]), float(row["native_median_s"]))

    def test_runs_msccl_files_in_both_places(self):
        schedule, xml = self.folder / "ring.weft", self.folder / "ring.xml"
        for command in (["schedule", "allgather", "-t", "ring:3", "-a", "ring", "-o", schedule],
                        ["export", schedule, "--to", "msccl", "--instances", "2", "-o", xml]):
            subprocess.run([WEFT, *command, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        for place in ([], ["--in-place"]):
            done = run(3, xml, "--sizes", "1KiB", "--check-only", *place)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([row["collective"] for row in rows_of(done)], ["allgather"])
        # What comes first lands in another chunk.
        wrong = re.sub(r'(type="r" [^>]*dstoff=")(\d+)', lambda found: found[1] + str((int(found[2]) + 1) % 6),
                       xml.read_text(), count=1)
        xml.write_text(wrong)
        done = run(3, xml, "--sizes", "1KiB", "--check-only", timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("ring.xml: the file is wrong (see above) and was not run", done.stderr)
        self.assertRegex(done.stderr, r"weft: .*ring\.xml:\d+: [a-z-]+: ")

    def test_refuses_wrong_results(self):
        copied = self.file("copied.run", SWAP.replace("receive-reduce 0", "receive 0"))
        self.refused(1, "copied.run: the result of rank 1 is not that of the MPI's allreduce (random integers", copied)

    def test_reports_who_hangs(self):
        # Rank 1 waits for a second message, which nobody sends.
        hangs = self.file("hangs.run", SWAP.replace("receive-reduce 0 0", "receive-reduce 0 1"))
        self.refused(1, "'swap' hangs: rank 1, operation 1 (receive-reduce of 1 unit from rank 0) has waited for 0.2 s",
                     hangs, "--time-limit", "0.2", "--sizes", "4B")

    def test_refuses_what_is_no_schedule(self):
        self.refused(2, "no.run:9: 'send 1 0 0:0' is no line of a weft-run text",
                     self.file("no.run", SWAP.replace("send 1 0 0:0+1", "send 1 0 0:0")))
        self.refused(2, "late.run:10: 'receive-reduce 1 0 0:0+1 after 1' is no line",
                     self.file("late.run", SWAP.replace("after 0", "after 1", 1)))
        self.refused(2, "short.run: the text is cut off", self.file("short.run", SWAP[:SWAP.index("rank 1")]))
        self.refused(2, "of3.run:4: the schedule has 3 ranks, but there are 2; start mpirun -n 3",
                     self.file("of3.run", SWAP.replace("ranks 2", "ranks 3")))
        self.refused(2, "cannot read", self.folder / "missing.run")
        self.refused(2, "text.txt", self.file("text.txt", "no schedule\n"))

    def test_reduces_with_an_operand_of_its_own(self):
        # The sum goes to a scratch buffer and is copied back: `with` names the other operand.
        text = SWAP.replace("buffers data", "buffers data scratch")
        text = text.replace(" 0:0+1 after 0", " 1:0+1 with 0:0+1 after 0\ncopy 1:0+1 to 0:0+1 after 1")
        done = run(2, self.file("operand.run", text), "--sizes", "4KiB", "--seconds", "0")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_times_each_collective_in_place_and_out_of_place(self):
        files = []
        algorithms = {"allreduce": "ring", "reduce": "binomial", "broadcast": "binomial", "reduce-scatter": "ring",
                      "allgather": "ring", "gather": "binomial", "scatter": "binomial", "alltoall": "pairwise",
                      "point-to-point": "direct"}
        for collective, algorithm in algorithms.items():
            schedule = self.folder / f"{collective}.weft"
            root = ["--root", "1"] if collective in ("reduce", "broadcast", "gather", "scatter") else []
            root = ["--from", "1", "--to", "2"] if collective == "point-to-point" else root
            subprocess.run([WEFT, "schedule", collective, "-t", "complete:3", "-a", algorithm, "-o", schedule, "--quiet",
                            *root], check=True, stdout=subprocess.DEVNULL)
            files.append(schedule)
        for place in ([], ["--in-place"]):
            done = run(3, *files, "--sizes", "1KiB", "--seconds", "0", "--fewest", "1", *place)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([f"{row['collective']}.weft" for row in rows_of(done)], [file.name for file in files])


if __name__ == "__main__":
    unittest.main()
