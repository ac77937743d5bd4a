#!/usr/bin/env python3
"""Whole programs under libweft-pmpi.so: threads, Fortran, many communicators, barriers, killed ranks.

Usage: programs_test.py openmpi|mpich.
"""

import json
import re
import subprocess
import time
import unittest

from jobs import PROGRAMS, WEFT, JobTest, run, words_of_weft


class ProgramsTest(JobTest):
    def check(self, ranks, name, *arguments, **variables):
        """Every rank says that it found no fault."""
        done = run(ranks, [str(PROGRAMS / name), *arguments], WEFT_PLAN=str(self.plan(ranks)), WEFT_STATS="1",
                   **variables)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("calls of rank 0", done.stdout)
        return done.stdout

    def ran(self, output, collective):
        """Whether a call of it ran by the plan."""
        return [line for line in output.splitlines() if f"{collective} " in line and "native (" not in line]

    def test_threads_call_at_once(self):
        for ranks in (2, 4):
            output = self.check(ranks, "threads", "40")
            if "no threads here" in output:
                self.skipTest("this MPI has no threads")
            self.assertEqual(len(re.findall(r"rank \d+: 0 faults", output)), ranks, output)
            self.assertTrue(self.ran(output, "MPI_Allreduce"), output)

    def test_leaves_the_level_of_threads(self):
        for ranks in (2, 9):  # more than there are processors, where Open MPI is asked whether it yields
            output = self.check(ranks, "levels")
            self.assertEqual(output.count("the level is as it was given"), ranks, output)

    def test_allocates_nothing_after_the_first_call_of_a_size(self):
        done = run(4, [str(PROGRAMS / "allocations")], WEFT_PLAN=str(self.plan(4)))
        self.assertEqual(done.returncode, 0, done.stdout)
        counts = re.findall(r"rank \d+: (\d+) allocations before, (\d+) after", done.stdout)
        self.assertEqual(len(counts), 4, done.stdout)
        for before, after in counts:
            self.assertGreater(int(before), 100)  # so that they are seen
            self.assertEqual(int(after), 0, done.stdout)

    def test_programs_in_fortran(self):
        for name in ("fortran77", "fortran90", "fortran2008"):
            with self.subTest(name=name):
                if not (PROGRAMS / name).exists():
                    self.skipTest("this MPI has no Fortran here")
                output = self.check(4, name)
                self.assertEqual(len(re.findall(r"faults +0\b", output)), 4, output)
                for collective in ("MPI_Allreduce", "MPI_Allgather", "MPI_Barrier"):
                    self.assertTrue(self.ran(output, collective), collective + output)

    def test_ten_thousand_communicators(self):
        output = self.check(2, "communicators", "10000")
        # Of 5,000 duplications of the program's own each copies its one attribute.
        self.assertEqual(output.count("0 sums wrong, 5000 attributes copied, no memory stays"), 2, output)
        ran = sum(int(line.split(" calls")[0].split()[-1]) for line in self.ran(output, "MPI_Allreduce"))
        self.assertEqual(ran, 10000, output)

    def test_nobody_leaves_a_barrier_before_all_have_come(self):
        for ranks in (2, 3, 6):
            output = self.check(ranks, "barriers")
            self.assertEqual(len(re.findall(r"rank \d+: 0 faults", output)), ranks, output)
            self.assertTrue(self.ran(output, "MPI_Barrier"), output)

    def test_counts_calls_for_a_profile(self):
        profile = self.folder / "job.profile"
        for plan in ({}, {"WEFT_PLAN": str(self.plan(4))}):
            with self.subTest(plan=plan):
                done = run(4, [str(PROGRAMS / "barriers")], WEFT_PROFILE=str(profile), **plan)
                self.assertEqual(done.returncode, 0, done.stdout)
                command = [WEFT, "profile", str(profile), "--plan", str(self.plan(4)), "--json"]
                read = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                self.assertEqual(read["ranks"], 4)
                barriers = [row for row in read["rows"] if row["collective"] == "MPI_Barrier"]
                self.assertEqual(len(barriers), 1, read)
                # One, and two in each of three rounds a rank.
                self.assertEqual(barriers[0]["calls"], 25)
                self.assertEqual(barriers[0]["ran"].startswith("native"), not plan, barriers)
                # Each rank in turn comes 2 ms late, which the others wait.
                self.assertGreater(barriers[0]["time"], 0.5 * 9 * 0.002)
                self.assertIsNotNone(barriers[0]["plan_algorithm"])

    def test_a_profile_that_cannot_be_written_is_said(self):
        done = run(2, [str(PROGRAMS / "barriers")], WEFT_PROFILE=str(self.folder / "none" / "job.profile"))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(len([line for line in words_of_weft(done) if "cannot write" in line]), 1, done.stdout)

    def test_a_killed_rank_ends_the_job(self):
        begin = time.monotonic()
        try:
            done = run(4, [str(PROGRAMS / "killed")], timeout=60, WEFT_PLAN=str(self.plan(4)))
        except subprocess.TimeoutExpired:
            self.fail("ranks wait for one that was killed")
        self.assertNotEqual(done.returncode, 0)
        self.assertLess(time.monotonic() - begin, 60)


if __name__ == "__main__":
    unittest.main()
