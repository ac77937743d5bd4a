#!/usr/bin/env python3
"""Runs MPI programs under libweft-pmpi.so and holds them against the MPI itself.

Usage: runtime_test.py openmpi|mpich. WEFT_PMPI_CASES is the number of random cases a run (100), WEFT_PMPI_SEED where
their seeds begin (1).
"""

import os
import platform
import subprocess
import unittest

from jobs import DIFFERENTIAL, MPI, NETWORKS, WEFT, JobTest, library, run

CASES = os.environ.get("WEFT_PMPI_CASES", "100")
SEED = int(os.environ.get("WEFT_PMPI_SEED", "1"))


class RuntimeTest(JobTest):
    def test_gives_what_the_mpi_gives(self):
        for ranks in NETWORKS:
            with self.subTest(ranks=ranks):
                done = run(ranks, [DIFFERENTIAL, str(SEED + ranks), CASES], WEFT_PLAN=str(self.plan(ranks)))
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(f"{CASES} cases on {ranks} ranks, 0 differ", done.stdout)

    def test_several_ranks_on_a_host_run_lanes(self):
        for network, each, ranks in (("ring:3", 2, 6), ("2dfc:2x2", 2, 8), ("complete:3", 3, 9)):
            plan = self.folder / f"lanes-{ranks}.plan"
            subprocess.run([WEFT, "plan", "-t", network, "--per-host", str(each), "-a", "node-lanes", "--roots", "all",
                            "--sizes", "16B:64KiB", "-o", str(plan), "--quiet"], check=True, stdout=subprocess.DEVNULL)
            with self.subTest(network=network, each=each):
                done = run(ranks, [DIFFERENTIAL, str(SEED + ranks), CASES], WEFT_PLAN=str(plan), WEFT_STATS="1")
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(f"{CASES} cases on {ranks} ranks, 0 differ", done.stdout)
                for collective in ("Allreduce", "Reduce", "Reduce_scatter_block", "Bcast", "Allgather", "Alltoall",
                                   "Gather", "Scatter"):
                    self.assertRegex(done.stdout, f"MPI_{collective} .*node-lanes")

    # Of 5 bytes: each element of eight, and each of a derived type, is more by itself.
    def test_messages_in_many_parts_bring_the_same(self):
        for most in ("5", "100"):
            with self.subTest(most=most):
                done = run(4, [DIFFERENTIAL, str(SEED), CASES], WEFT_PLAN=str(self.plan(4)), WEFT_STATS="1",
                           WEFT_MOST_AT_ONCE=most)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(f"{CASES} cases on 4 ranks, 0 differ", done.stdout)
                for collective in ("Bcast", "Allgather", "Allgatherv", "Alltoall", "Gather", "Scatter"):
                    lines = [line for line in done.stdout.splitlines() if f"MPI_{collective} " in line]
                    self.assertTrue([line for line in lines if "native (" not in line], collective + done.stdout)

    def test_says_which_parts_are_none(self):
        for most in ("0", "-1", "1k", str((1 << 30) + 1)):
            done = run(2, [DIFFERENTIAL, "1", "5"], WEFT_PLAN=str(self.plan(2)), WEFT_MOST_AT_ONCE=most)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertEqual(done.stdout.count(f"WEFT_MOST_AT_ONCE={most} is ignored (expected bytes, 1 to {1 << 30})"), 1,
                             done.stdout)

    def test_runs_the_plan_and_says_so(self):
        done = run(4, [DIFFERENTIAL, "1", "100"], WEFT_PLAN=str(self.plan(4)), WEFT_STATS="1")
        for collective in ["Allreduce", "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Bcast", "Allgather",
                           "Allgatherv", "Alltoall", "Gather", "Scatter"]:
            lines = [line for line in done.stdout.splitlines() if f"MPI_{collective} " in line]
            self.assertTrue([line for line in lines if "native (" not in line], collective + done.stdout)

    def test_dry_run_counts_and_runs_natively(self):
        done = run(4, [DIFFERENTIAL, "1", "30"], WEFT_PLAN=str(self.plan(4)), WEFT_DRY_RUN="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("all run natively", done.stdout)

    def test_verify_finds_no_difference(self):
        done = run(4, [DIFFERENTIAL, "1", "60"], WEFT_PLAN=str(self.plan(4)), WEFT_VERIFY="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("differs", done.stdout)

    def test_missing_plan(self):
        self.native_and_a_word(self.folder / "none.plan", "No such file")

    def test_truncated_plan(self):
        content = self.plan(2).read_bytes()
        for length in (0, 30, 500, len(content) - 1):
            path = self.folder / "short.plan"
            path.write_bytes(content[:length])
            with self.subTest(length=length):
                self.native_and_a_word(path, "short.plan")

    def test_edited_plan(self):
        content = bytearray(self.plan(2).read_bytes())
        content[content.index(b"ranks 2")] ^= 1
        path = self.folder / "edited.plan"
        path.write_bytes(content)
        self.native_and_a_word(path, "edited")
        content[content.index(b"sanks 2")] ^= 1
        content[-1] ^= 1  # of the last rank's program
        path.write_bytes(content)
        self.native_and_a_word(path, "edited")

    def test_plan_of_another_version(self):
        path = self.folder / "version.plan"
        path.write_bytes(self.plan(2).read_bytes().replace(b"weft plan 1", b"weft plan 9", 1))
        self.native_and_a_word(path, "version")

    def test_plan_for_more_ranks(self):
        self.native_and_a_word(self.plan(4), "needs 4 ranks")

    def test_hosts_of_another_machine_are_native(self):
        plan = self.folder / "hosts.plan"
        subprocess.run([WEFT, "plan", "-t", "complete:2", "--names", "far1,far2", "-o", str(plan), "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        done = run(2, [DIFFERENTIAL, "1", "20"], WEFT_PLAN=str(plan), WEFT_STATS="1")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("its hosts differ from those of the plan", done.stdout)

    def test_unknown_variable_is_named(self):
        done = run(2, [DIFFERENTIAL, "1", "5"], WEFT_PLAN=str(self.plan(2)), WEFT_PLANE="x")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.count("WEFT_PLANE is unknown"), 1, done.stdout)

    def test_library_of_the_other_mpi_says_so(self):
        other = "mpich" if MPI == "openmpi" else "openmpi"
        path = library().replace(f"/{MPI}/", f"/{other}/")
        if not os.path.exists(path):
            self.skipTest(f"{other} is not installed")
        done = run(2, [DIFFERENTIAL, "1", "5"], preload=path)
        self.assertIn("runs another MPI", done.stdout)
        self.assertNotIn("Segmentation", done.stdout)

    def test_children_that_are_no_mpi_programs(self):
        done = subprocess.run(["sh", "-c", "echo fine"], env=dict(os.environ, LD_PRELOAD=library()),
                              capture_output=True, text=True, check=True)
        self.assertEqual((done.stdout, done.stderr), ("fine\n", ""))

    def test_loads_no_solver(self):
        shown = subprocess.run(["readelf", "-d", library()], capture_output=True, text=True, check=True).stdout
        needed = {line.split("[")[1].split(".so")[0] for line in shown.splitlines() if "(NEEDED)" in line}
        self.assertLessEqual(needed, {"libstdc++", "libgcc_s", "libm", "libc", "ld-linux-x86-64", "libdl"})

    @unittest.skipUnless(platform.machine() == "x86_64", "AVX2 is of x86-64")
    def test_reduces_by_vector_instructions(self):
        code = subprocess.run(["objdump", "-d", library()], capture_output=True, text=True, check=True).stdout
        for instruction in ("vaddps", "vaddpd", "vmaxpd", "vpaddd", "vpand"):
            self.assertRegex(code, instruction + r" .*%ymm")


if __name__ == "__main__":
    unittest.main()
