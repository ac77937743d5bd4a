"""Sweeps over processes that mpirun starts: one store, the same rows, at any end."""
import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

WEFT = os.environ["WEFT_PROGRAM"]
LIBRARY = os.path.join(os.path.dirname(WEFT), "libweft_mpi.so")
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", ASAN_OPTIONS="detect_leaks=0")

EXPERIMENT = """
[experiment]
title = "rows of some milliseconds"
[grid]
collective = ["allreduce", "alltoall"]
topology = ["ring:16", "torus:4x4", "2dfc:8x8"]
algorithm = "all"
size = "1KiB:1MiB"
"""


def rows_of(store):
    with contextlib.closing(sqlite3.connect(store)) as database:
        return set(database.execute("SELECT key, kind, parameters, results, error FROM results"))


class DistributedSweeps(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="weft-mpi-")
        self.addCleanup(self.folder.cleanup)
        self.file = self.path("rows.toml")
        with open(self.file, "w") as file:
            file.write(EXPERIMENT)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def start(self, store, *arguments, processes=4, file=None):
        if not os.path.exists(LIBRARY) or shutil.which("mpirun") is None:
            self.skipTest("built without MPI")
        return subprocess.Popen(["mpirun", "-n", str(processes), WEFT, "sweep", file or self.file, "--mpi",
                                 "--store", self.path(store), *arguments], env=ENVIRONMENT,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process, code=0):
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, code, err)
        return out.decode(), err.decode()

    def whole(self):
        subprocess.run([WEFT, "sweep", self.file, "--store", self.path("whole")], check=True,
                       capture_output=True)
        return rows_of(self.path("whole"))

    def test_the_rows_are_those_of_one_process(self):
        whole = self.whole()
        for processes in (1, 4):
            store = f"s{processes}"
            out, _ = self.finish(self.start(store, processes=processes))
            self.assertEqual(out, f"{len(whole)} rows: 0 known, {len(whole)} computed; {self.path(store)}\n")
            self.assertEqual(rows_of(self.path(store)), whole)
            out, _ = self.finish(self.start(store, processes=processes))
            self.assertIn(f"{len(whole)} known, 0 computed", out)

    def processes_of(self, launcher):
        """The numbers of the processes that it started, in their order."""
        with contextlib.suppress(OSError):
            with open(f"/proc/{launcher.pid}/task/{launcher.pid}/children") as file:
                return sorted(map(int, file.read().split()))
        return []

    def kill_one(self, store, victim):
        """Kills a process once the store is there; whether the job was still at work."""
        launcher = self.start(store)
        while not os.path.exists(self.path(store)) and launcher.poll() is None:
            time.sleep(0.001)
        with contextlib.suppress(ProcessLookupError, IndexError):
            os.kill(self.processes_of(launcher)[victim], signal.SIGKILL)
        launcher.communicate(timeout=120)
        return launcher.returncode != 0

    def test_a_killed_process_ends_the_job_and_it_resumes(self):
        whole = self.whole()
        for victim in (0, -1):
            stores = (f"killed{victim}.{attempt}" for attempt in range(5))
            store = next((one for one in stores if self.kill_one(one, victim)), None)
            self.assertIsNotNone(store, "the job was always faster than the kill")
            self.finish(self.start(store))
            self.assertEqual(rows_of(self.path(store)), whole)

    def test_bad_input_ends_all_processes(self):
        _, err = self.finish(self.start("s", file=self.path("none.toml")), code=2)
        self.assertEqual(err.count("weft: "), 1, err)
        _, err = self.finish(self.start("none/s"), code=2)
        self.assertIn("cannot write", err)

    def test_without_the_library_a_word_says_so(self):
        alone = self.path("weft")
        shutil.copy(WEFT, alone)
        ran = subprocess.run([alone, "sweep", self.file, "--mpi"], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("built without MPI", ran.stderr)
        self.assertEqual(ran.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
