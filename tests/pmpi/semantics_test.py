#!/usr/bin/env python3
"""What MPI promises beside results, under libweft-pmpi.so: errors, requests under way, ranks that run ahead, the end of
the program, other tools, memory that is short.

Usage: semantics_test.py openmpi|mpich.
"""

import re
import unittest

from jobs import PROGRAMS, JobTest, library, memory_available_B, run, words_of_weft


class SemanticsTest(JobTest):
    def runs(self, ranks, name, **variables):
        done = run(ranks, [str(PROGRAMS / name)], timeout=120, WEFT_PLAN=str(self.plan(ranks)), **variables)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def without_faults(self, ranks, name, **variables):
        output = self.runs(ranks, name, **variables)
        self.assertEqual(len(re.findall(r"rank \d+: 0 faults", output)), ranks, output)
        return output

    def test_errors_are_those_of_the_mpi(self):
        for ranks in (2, 4):
            self.without_faults(ranks, "errors")

    def test_runs_while_requests_are_under_way(self):
        for ranks in (2, 4, 5):
            output = self.without_faults(ranks, "outstanding", WEFT_STATS="1")
            lines = [line for line in output.splitlines() if "MPI_Allreduce " in line and "native (" not in line]
            self.assertTrue(lines, output)

    def test_nobody_runs_ahead_without_limit(self):
        output = self.runs(2, "ahead")
        ahead = {name: int(calls) for name, calls in re.findall(r"(MPI_\w+): (\d+) calls ahead", output)}
        self.assertEqual(len(ahead), 4, output)
        self.assertLessEqual(max(ahead.values()), 64, output)

    def test_collectives_in_the_end_of_the_program(self):
        output = self.without_faults(4, "finalize", WEFT_STATS="1")
        self.assertIn("MPI_Allreduce", output)

    def test_other_tools_before_and_behind(self):
        tool = str(PROGRAMS / "libcounter.so")
        # A tool in front calls on, and once more in MPI_Init; what is behind sees nothing.
        for preload, calls in ((f"{tool}:{library()}", 3), (f"{library()}:{tool}", 2)):
            with self.subTest(preload=preload):
                output = self.without_faults(4, "finalize", preload=preload, WEFT_STATS="1")
                ran = [line for line in output.splitlines() if "MPI_Allreduce " in line and "native (" not in line]
                self.assertEqual(sum(int(re.search(r"(\d+) calls", line)[1]) for line in ran), calls, output)
                if calls == 3:
                    self.assertEqual(len(re.findall("tool: 2 calls", output)), 4, output)

    @unittest.skipIf(memory_available_B() < 12 << 30, "two ranks of 2 GiB and their scratch do not fit")
    def test_calls_of_more_bytes_than_an_int_counts(self):
        done = run(2, [str(PROGRAMS / "large")], WEFT_PLAN=str(self.plan(2)), WEFT_STATS="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.count(": 0 wrong"), 2, done.stdout)
        for collective in ("Allreduce", "Bcast"):
            lines = [line for line in done.stdout.splitlines() if f"MPI_{collective} " in line]
            self.assertTrue([line for line in lines if "native (" not in line], done.stdout)

    def test_memory_that_is_short_ends_the_job(self):
        done = run(2, [str(PROGRAMS / "scarce")], timeout=120, WEFT_PLAN=str(self.plan(2)))
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual([line for line in words_of_weft(done) if "MPI_Allreduce: std::bad_alloc" in line],
                         words_of_weft(done), done.stdout)


if __name__ == "__main__":
    unittest.main()
