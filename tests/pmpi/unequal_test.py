#!/usr/bin/env python3
"""Calls whose blocks have sizes of their own, under a plan for exactly these: held against the MPI itself.

Usage: unequal_test.py openmpi|mpich. With WEFT_TEST_SAMPLES below 1 few networks and schedules are tried.
"""

import os
import random
import re
import subprocess
import unittest

from jobs import MPI, NETWORKS, PROGRAMS, WEFT, JobTest, run

FEW = float(os.environ.get("WEFT_TEST_SAMPLES", "1")) < 1
FUNCTIONS = {"allgatherv": "MPI_Allgatherv", "reduce-scatterv": "MPI_Reduce_scatter", "alltoallv": "MPI_Alltoallv"}
MOST = 4 if MPI == "mpich" else 9  # ranks


def row(ranks, draw):
    """Multiples of 8 bytes, of which some are 0 and the first is not."""
    return [8 * (draw.choice([0, draw.randrange(1, 300), draw.randrange(1, 20)]) + (i == 0)) for i in range(ranks)]


def symmetric(matrix):
    return [[matrix[min(i, j)][max(i, j)] for j in range(len(matrix))] for i in range(len(matrix))]


class UnequalTest(JobTest):
    def file_of(self, name, rows):
        path = self.folder / name
        path.write_text("\n".join(" ".join(map(str, each)) for each in rows) + "\n")
        return path

    def planned(self, name, ranks, kinds, counts, *options):
        path = self.folder / f"{name}.plan"
        subprocess.run([WEFT, "plan", "-t", NETWORKS[ranks], "--collectives", kinds, "--counts", str(counts), "-o",
                        str(path), "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
        return path

    def ran(self, done, function):
        """Calls of the function, by what ran."""
        found = {}
        for line in done.stdout.splitlines():
            match = re.search(rf" {function}  .*?  (\d+) calls  \d+ bytes  (.*)", line)
            if match:
                found[match[2]] = found.get(match[2], 0) + int(match[1])
        return found

    def judged_by_the_mpi(self, ranks, kind, counts, plan, cases=40, **variables):
        done = run(ranks, [str(PROGRAMS / "unequal"), kind, str(counts), str(ranks), str(cases)], WEFT_PLAN=str(plan),
                   WEFT_STATS="1", timeout=120, **variables)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(f"{cases} cases, ", done.stdout)
        self.assertIn(", 0 differ", done.stdout)
        exact = int(re.search(r"(\d+) exact", done.stdout)[1])
        ran = self.ran(done, FUNCTIONS[kind])
        # The program counts its calls with the counts of the file: these run the plan, and no others.
        other = ran.pop("native (its counts are not in the plan)", 0) + ran.pop("native (nothing to send)", 0)
        self.assertEqual((sum(ran.values()), other), (exact, cases - exact), done.stdout)
        self.assertFalse([how for how in ran if how.startswith("native")], done.stdout)
        self.assertGreater(exact, cases // 3)
        self.assertNotIn("differs", done.stdout)
        return done

    def test_exact_counts_run_the_plan_and_others_the_mpi(self):
        for ranks in [4] if FEW else [each for each in NETWORKS if each <= MOST]:
            draw = random.Random(ranks)
            one = self.file_of(f"row{ranks}", [row(ranks, draw)])
            for kind in ("allgatherv", "reduce-scatterv"):
                with self.subTest(ranks=ranks, kind=kind):
                    self.judged_by_the_mpi(ranks, kind, one, self.planned(f"{kind}{ranks}", ranks, kind, one))
            matrix = [row(ranks, draw) for _ in range(ranks)]
            for name, rows in (("any", matrix), ("symmetric", symmetric(matrix))):
                with self.subTest(ranks=ranks, kind=name):
                    counts = self.file_of(f"{name}{ranks}", rows)
                    self.judged_by_the_mpi(ranks, "alltoallv", counts,
                                           self.planned(f"{name}{ranks}", ranks, "alltoallv", counts))

    # Blocks that pass through other ranks, in parts.
    def test_schedules_that_forward_blocks(self):
        draw = random.Random(7)
        # MPICH's ranks spin while they wait, so that many on few processors take long.
        tried = [(4, "bruck"), (6, "bruck"), (6, "multitree"), (9, "do"), (9, "hierarchical")]
        for ranks, algorithm in tried[:1] if FEW else [each for each in tried if each[0] <= MOST]:
            counts = self.file_of(f"forward{ranks}", [row(ranks, draw) for _ in range(ranks)])
            with self.subTest(ranks=ranks, algorithm=algorithm):
                plan = self.planned(f"{algorithm}{ranks}", ranks, "alltoallv", counts, "-a", algorithm)
                self.judged_by_the_mpi(ranks, "alltoallv", counts, plan, cases=30)

    def test_ranks_without_data(self):
        counts = self.file_of("silent", [[0, 64, 0, 0], [8, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
        self.judged_by_the_mpi(4, "alltoallv", counts, self.planned("silent", 4, "alltoallv", counts))

    def test_verify_finds_no_difference(self):
        counts = self.file_of("verified", [row(4, random.Random(3)) for _ in range(4)])
        plan = self.planned("verified", 4, "alltoallv", counts)
        self.judged_by_the_mpi(4, "alltoallv", counts, plan, WEFT_VERIFY="1")

    # Counts that two ranks alone see are another call: each size of the plan is one.
    def test_several_counts_in_one_plan(self):
        draw = random.Random(5)
        rows = [row(3, draw) for _ in range(3)]
        counts = self.file_of("one", rows)
        total = sum(map(sum, rows))
        # A plan at this size has the numbers of the file; twice the size has twice the bytes.
        mean = round(total / 9)
        plan = self.planned("several", 3, "alltoallv", counts, "--sizes", f"64B,{mean}B,{2 * mean}B")
        self.judged_by_the_mpi(3, "alltoallv", counts, plan)

    # An allgatherv with other counts runs the schedule of its mean size, if the plan has one.
    def test_other_counts_run_the_schedule_of_blocks_of_one_size(self):
        counts = self.file_of("both", [row(4, random.Random(11))])
        plan = self.planned("both", 4, "allgather,allgatherv", counts)
        done = run(4, [str(PROGRAMS / "unequal"), "allgatherv", str(counts), "1", "60"], WEFT_PLAN=str(plan),
                   WEFT_STATS="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(", 0 differ", done.stdout)
        self.assertFalse([how for how in self.ran(done, "MPI_Allgatherv") if how.startswith("native")], done.stdout)

    def test_a_plan_without_counts_leaves_alltoallv_to_the_mpi(self):
        counts = self.file_of("none", [row(4, random.Random(2)) for _ in range(4)])
        done = run(4, [str(PROGRAMS / "unequal"), "alltoallv", str(counts), "1", "20"], WEFT_PLAN=str(self.plan(4)),
                   WEFT_STATS="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.ran(done, "MPI_Alltoallv"), {"native (not in the plan)": 20})

    # The last number of the file is the sum of the blocks. A rank checks it when its own counts match.
    def test_damaged_counts_leave_alltoallv_to_the_mpi(self):
        counts = self.file_of("damaged", [row(4, random.Random(5)) for _ in range(4)])
        plan = self.planned("damaged", 4, "alltoallv", counts)
        content = bytearray(plan.read_bytes())
        content[-8] ^= 1
        plan.write_bytes(content)
        done = run(4, [str(PROGRAMS / "unequal"), "alltoallv", str(counts), "1", "20"], WEFT_PLAN=str(plan),
                   WEFT_STATS="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(", 0 differ", done.stdout)
        self.assertIn("(the checksum of its counts differs); calls with these counts run natively", done.stdout)
        self.assertTrue(all(how.startswith("native") for how in self.ran(done, "MPI_Alltoallv")), done.stdout)


if __name__ == "__main__":
    unittest.main()
