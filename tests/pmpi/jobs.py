"""MPI jobs under libweft-pmpi.so, and the plans that they run: what the tests of the runtime share.

The first argument of a test is the MPI, openmpi or mpich.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

WEFT = os.environ["WEFT_PROGRAM"]
PROGRAMS = Path(os.environ["WEFT_MPI_PROGRAMS"])
MPI = sys.argv.pop(1)
DIFFERENTIAL = str(PROGRAMS / "differential")
# One of each kind: with two-way and one-way links, few ranks and an odd number.
NETWORKS = {2: "complete:2", 3: "ring:3", 4: "2dfc:2x2", 5: "complete:5", 6: "kautz:2,2", 9: "torus:3x3"}


def library():
    found = subprocess.run([WEFT, "where", "pmpi", "--mpi", MPI], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def run(ranks, command, preload=None, timeout=300, **variables):
    """The completed process; stdout and stderr together. A job that takes longer than `timeout` seconds is ended,
    with all that it started, and raises subprocess.TimeoutExpired."""
    variables["LD_PRELOAD"] = library() if preload is None else preload
    if MPI == "openmpi":
        launch = ["mpirun.openmpi", "--oversubscribe", "-n", str(ranks)]
        for name, value in variables.items():
            launch += ["-x", f"{name}={value}"]
    else:
        launch = ["mpiexec.mpich", "-n", str(ranks)]
        for name, value in variables.items():
            launch += ["-genv", name, value]
    # The library names each WEFT_ variable that it does not know.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WEFT_")}
    environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with subprocess.Popen(launch + command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=environment, start_new_session=True) as job:
        try:
            output, _ = job.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            job.terminate()  # launchers end their ranks
            try:
                job.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                os.killpg(job.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(launch + command, job.returncode, output)


def memory_available_B():
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def words_of_weft(job):
    return [line for line in job.stdout.splitlines() if line.startswith("weft: ")]


class JobTest(unittest.TestCase):
    """Tests with a folder for plans."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="weft-pmpi-"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def plan(self, ranks, *options):
        path = self.folder / f"{ranks}{len(options)}.plan"
        if not path.exists():
            subprocess.run([WEFT, "plan", "-t", NETWORKS[ranks], "--roots", "all", "--sizes", "16B:64KiB",
                            "-o", str(path), "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
        return path

    def native_and_a_word(self, plan, word, ranks=2, cases="20"):
        """The program runs on, natively, and one line says why."""
        done = run(ranks, [DIFFERENTIAL, "1", cases], WEFT_PLAN=str(plan))
        self.assertEqual(done.returncode, 0, done.stdout)
        said = words_of_weft(done)
        self.assertEqual(len(said), 1, done.stdout)
        self.assertIn(word, said[0])
        self.assertIn("natively", said[0])
