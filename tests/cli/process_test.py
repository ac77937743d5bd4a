"""The program as processes: pipes, full and closed outputs, signals, and what stays on the disk."""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEFT = os.environ["WEFT_PROGRAM"]
SOURCE = os.environ["WEFT_SOURCE_DIR"]


def weft(*arguments, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("capture_output", True)
    return subprocess.run([WEFT, *arguments], timeout=60, **options)


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="weft-process-")
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def assert_refused(self, ran, says=""):
        error = ran.stderr.decode()
        self.assertEqual(ran.returncode, 2, error)
        self.assertTrue(error.startswith("weft: "), error)
        self.assertEqual(error.count("\n"), 1, error)
        self.assertIn(says, error)

    def test_searches_at_once_keep_each_others_graphs(self):
        """Each of two sizes' searches says how many graphs it found; the file has all of them."""
        found = self.path("found.csv")
        searches = [(nodes, subprocess.Popen(
            [WEFT, "find", "-n", str(nodes), "-d", "4", "--search", "2s", "--catalogue", found],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
            for nodes in (60, 62, 66)]
        said = {}
        for nodes, search in searches:
            _, error = search.communicate(timeout=60)
            self.assertEqual(search.returncode, 0, error)
            said[nodes] = int(error.split(" graph")[0].split()[-1])
        with open(found) as file:
            rows = [line.split(",")[0] for line in file if line[0].isdigit()]
        for nodes, count in said.items():
            self.assertGreater(count, 0)
            self.assertEqual(rows.count(str(nodes)), count)

    def test_exit_codes(self):
        self.assertEqual(weft("topology", "ring:8").returncode, 0)
        self.assertEqual(weft("--help").returncode, 0)
        self.assert_refused(weft("topology", "rnig:8"), "did you mean ring")
        alone = weft()
        self.assertEqual(alone.returncode, 2)
        self.assertEqual(alone.stdout, b"")
        for line in (b"\n  weft compare allreduce torus:4x4x4 ", b"`weft --help` lists all commands"):
            self.assertIn(line, alone.stderr)

    def test_examples_of_the_documentation(self):
        """As written, in a shell, with weft on the path."""
        script = """
            set -e
            weft topology kautz:16,2 --json > kautz.json
            weft topology "hosts(4, random-regular:64,8,seed=7)" > hosts.txt
            weft compare allreduce --topology 2dfc:8x8 --sizes 1KiB:64MiB --link 100Gbps,1us --model fluid --chart allreduce.svg > compare.txt
            weft schedule alltoall --topology kautz:4,2 --algorithm bruck --radix 3 -o bruck.weft && weft verify bruck.weft
            weft cost bruck.weft --json > cost.json
            weft simulate bruck.weft --size 1MiB --model fluid --sync per-rank --links top:10 > simulate.txt
            for what in topologies algorithms collectives models; do weft list $what > $what.txt; done
        """
        environment = dict(os.environ, PATH=os.path.dirname(WEFT) + ":" + os.environ["PATH"])
        ran = subprocess.run(["bash", "-c", script], cwd=self.folder.name, env=environment,
                             capture_output=True, timeout=300)
        self.assertEqual(ran.returncode, 0, ran.stderr.decode())
        with open(self.path("kautz.json")) as file:
            self.assertEqual(json.load(file)["nodes"], 272)
        with open(self.path("cost.json")) as file:
            self.assertEqual(json.load(file)["topology"], "kautz:4,2")
        with open(self.path("allreduce.svg")) as file:
            self.assertIn("</svg>", file.read())

    def test_a_schedule_goes_through_pipes(self):
        made = weft("schedule", "allgather", "-t", "ring:8", "-a", "ring", "-o", "-")
        self.assertEqual((made.returncode, made.stderr), (0, b""))
        for command in ("verify", "cost", "simulate"):
            ran = weft(command, "-", "--json", input=made.stdout, stdin=None)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual(json.loads(ran.stdout)["command"], command)
        self.assert_refused(weft("verify", "-", input=made.stdout[:-1], stdin=None),
                            "'standard input' is truncated")
        self.assert_refused(weft("verify", "-"), "standard input")

    def test_files_of_other_systems_go_through_pipes(self):
        """Standard input is read once, with --from and without."""
        def text(name):
            with open(os.path.join(SOURCE, "examples", name), "rb") as file:
                return file.read()

        for choice in ([], ["--from", "msccl"]):
            ran = weft("import", "-", *choice, "--verify", input=text("msccl/race.xml"), stdin=None)
            self.assertEqual(ran.returncode, 1, ran.stderr)
            self.assertTrue(ran.stdout.startswith(b"standard input: incorrect: 2 faults\n"), ran.stdout)
        for name, form in (("msccl/allgather.xml", "msccl"), ("synthesized/tacos.csv", "tacos"), ("synthesized/forestcoll.xml", "forestcoll")):
            for choice in ([], ["--from", form]):
                ran = weft("import", "-", *choice, "-o", self.path("made.weft"), input=text(name), stdin=None)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                self.assertIn(b"proved: allgather", ran.stderr)
        for form in ("weft-run", "goal"):
            ran = weft("export", "-", "--to", form, "-o", self.path("made"), input=text("msccl/allgather.xml"), stdin=None)
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_damaged_schedule_is_refused(self):
        weft("schedule", "allgather", "-t", "ring:8", "-a", "ring", "-o", self.path("a.weft"))
        with open(self.path("a.weft"), "r+b") as file:
            file.seek(40)
            file.write(b"\xff\xff")
        self.assert_refused(weft("verify", self.path("a.weft")), "checksum")

    def test_a_full_standard_output(self):
        for arguments in (["topology", "ring:8"], ["list", "algorithms"], ["--help"], ["--version"],
                          ["schedule", "allgather", "-t", "ring:8", "-a", "ring", "-o", "-"],
                          ["compare", "allreduce", "-t", "ring:4", "--sizes", "1KiB", "--json"]):
            with open("/dev/full", "wb") as full:
                ran = weft(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
            self.assert_refused(ran, "standard output")

    def test_a_closed_standard_output(self):
        for close in (True, False):
            # Closed before the start; or a reader that leaves (SIGPIPE, as any filter).
            if close:
                ran = subprocess.run(["bash", "-c", '"$0" topology ring:8 >&-', WEFT], timeout=60,
                                     stderr=subprocess.PIPE)
                self.assert_refused(ran, "standard output")
                continue
            running = subprocess.Popen([WEFT, "topology", "ring:8", "-o", "-"], stderr=subprocess.PIPE,
                                       stdout=subprocess.PIPE,
                                       preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
            running.stdout.close()
            _, error = running.communicate(timeout=60)
            self.assertEqual(error, b"")
            self.assertEqual(running.returncode, -signal.SIGPIPE)

    def test_output_that_cannot_be_written_leaves_nothing(self):
        target = self.path("no/such/folder")
        commands = [["schedule", "allgather", "-t", "ring:8", "-a", "ring", "-o", target + "/a.weft"],
                    ["topology", "ring:8", "-o", target + "/a.json"],
                    ["compare", "allreduce", "-t", "ring:4", "--sizes", "1KiB", "--chart", target + "/a.svg"],
                    ["compare", "allreduce", "-t", "ring:4", "--sizes", "1KiB", "--csv", target + "/a.csv"]]
        for command in commands:
            ran = weft(*command)
            self.assert_refused(ran, target)
            self.assertEqual(ran.stdout, b"")
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_a_file_that_outgrows_the_disk_leaves_the_old_one(self):
        """A limit on file sizes stands in for a full disk."""
        target = self.path("a.json")
        self.assertEqual(weft("topology", "ring:8", "-o", target).returncode, 0)
        with open(target, "rb") as file:
            before = file.read()

        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        ran = weft("topology", "complete:60", "-o", target, preexec_fn=small_files)
        self.assert_refused(ran, target)
        with open(target, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(self.folder.name), ["a.json"])

    def test_a_killed_run_leaves_no_half_file(self):
        target = self.path("big.json")
        for wait in (0.005, 0.02, 0.05, 0.1, 0.2, 0.3):
            running = subprocess.Popen([WEFT, "topology", "complete:500", "--measure", "cheap", "-o", target],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait)
            running.kill()
            running.wait(timeout=60)
            if os.path.exists(target):
                with open(target) as file:
                    self.assertEqual(json.load(file)["nodes"], 500)
                os.remove(target)

    def test_ctrl_c_ends_a_linear_program_without_an_answer(self):
        """The solver's own handler of SIGINT would return early, with numbers that are no solution."""
        running = subprocess.Popen(
            [WEFT, "throughput", "genkautz:3,200", "--method", "exact", "--json"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        answer, error = running.communicate(timeout=60)
        self.assertEqual(running.returncode, -signal.SIGINT, error)
        self.assertEqual(answer, "")
        self.assertEqual(error, "weft: interrupted before the answer was complete\n")

    def test_an_unequal_network_from_a_file(self):
        """A DGX-1's double links carry a direct exchange twice as fast."""
        file = "file:" + os.path.join(SOURCE, "examples/dgx1.edges")
        ran = weft("compare", "allreduce", "-t", file, "--sizes", "1MiB", "--json")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertGreater(len(json.loads(ran.stdout)["rows"]), 3)

    def test_a_missing_gnuplot_is_named(self):
        ran = weft("compare", "allreduce", "-t", "ring:4", "--sizes", "1KiB", "--chart",
                   self.path("a.svg"), env=dict(os.environ, PATH="/nonexistent"))
        self.assert_refused(ran, "gnuplot")
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_no_file_outlives_a_chart_that_fails(self):
        """The temporary folder of gnuplot goes with the run."""
        scratch = self.path("tmp")
        os.mkdir(scratch)
        environment = dict(os.environ, TMPDIR=scratch)
        for target in (self.path("a.svg"), self.path("no/a.svg")):
            weft("compare", "allreduce", "-t", "ring:4", "--sizes", "1KiB", "--chart", target, env=environment)
            self.assertEqual(os.listdir(scratch), [])


if __name__ == "__main__":
    sys.argv = sys.argv[:1]
    unittest.main()
