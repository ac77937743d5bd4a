"""weft results and weft reproduce as processes: rows, CSV, pivots, stores, verdicts, exit codes."""
import contextlib
import csv
import io
import json
import os
import sqlite3
import subprocess
import tempfile
import unittest

WEFT = os.environ["WEFT_PROGRAM"]
SOURCE = os.environ["WEFT_SOURCE_DIR"]

EXPERIMENT = """
[experiment]
title = "Two rings"
groups = ["demo"]
measure = ["time", "steps"]
[variables]
n = [4, 8]
[grid]
topology = "uniring:{n}"
collective = "allreduce"
algorithm = ["ring", "binomial"]
size = ["8KB", "8MB"]
link = ["10GBps,2us"]
[quick]
n = [4]
[[derive]]
name = "slower"
form = "ratio"
against = { algorithm = "ring" }
"""

CLAIM = """
[[claim]]
text = "The ring of 8 takes its closed form"
source = "arithmetic"
where = { algorithm = "ring", size = "8MB", n = 8 }
printed = "%s"
tolerance = 1e-9
"""

# 2 (N - 1) steps of latency and a block's bytes.
CLOSED_FORM = 14 * (2e-6 + 1e6 / 10e9)


@contextlib.contextmanager
def read_only(folder):
    """Nobody may write in the folder; for root, which may anywhere, by a mount. Whether it worked."""
    os.chmod(folder, 0o555)
    mounted = os.geteuid() == 0 and subprocess.run(
        ["sh", "-c", 'mount --bind "$0" "$0" && { mount -o remount,ro,bind "$0" || { umount "$0"; exit 1; }; }',
         folder],
        capture_output=True).returncode == 0
    try:
        yield not os.access(folder, os.W_OK)
    finally:
        if mounted:
            subprocess.run(["umount", folder], check=True)
        os.chmod(folder, 0o755)


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-results-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as out:
            out.write(text)

    def weft(self, *arguments, code=0, **environment):
        ran = subprocess.run([WEFT, *arguments], capture_output=True, cwd=self.folder, timeout=600,
                             stdin=subprocess.DEVNULL, env={**os.environ, **environment})
        self.assertEqual(ran.returncode, code, ran.stderr.decode())
        return ran

    def swept(self, store="two.sqlite"):
        self.write("two.toml", EXPERIMENT)
        self.weft("sweep", "two.toml", "--store", store)

    def rows(self, *arguments):
        ran = self.weft("results", "two.toml", "--csv", "-", *arguments)
        return list(csv.DictReader(io.StringIO(ran.stdout.decode())))

    def test_rows_come_in_grid_order_with_derived_columns(self):
        self.swept()
        rows = self.rows()
        order = [(row["n"], row["algorithm"], row["size"]) for row in rows]
        self.assertEqual(order, [(n, a, s) for n in ("4", "8") for a in ("ring", "binomial")
                                 for s in ("8000", "8000000")])
        self.assertAlmostEqual(float(rows[5]["time"]), CLOSED_FORM, delta=1e-9 * CLOSED_FORM)
        self.assertEqual(rows[5]["slower"], "1")
        self.assertAlmostEqual(float(rows[7]["slower"]), float(rows[7]["time"]) / CLOSED_FORM, places=9)
        self.assertNotIn("wall", rows[0])
        self.assertIn("wall", self.rows("--wall")[0])

    def test_rows_are_chosen_and_pivoted(self):
        self.swept()
        self.assertEqual(len(self.rows("--where", "size=8MB,algorithm=Ring")), 2)
        self.assertEqual(len(self.rows("--where", "size=8MB", "--where", "n=8")), 2)
        self.assertEqual(len(self.rows("--where", "link=10GBps,2us")), 8)
        self.assertEqual(list(self.rows("--columns", "n,steps")[0]), ["n", "steps"])
        pivot = self.rows("--pivot", "algorithm", "--value", "steps")
        self.assertEqual(len(pivot), 4)
        self.assertEqual((pivot[0]["ring"], pivot[0]["size"]), ("6", "8000"))
        answer = json.loads(self.weft("results", "two.toml", "--where", "n=4", "--json").stdout)
        self.assertEqual(len(answer["rows"]), 4)
        self.assertEqual(answer["rows"][0]["size"], 8000)

    def test_wrong_wishes_are_refused_in_a_line(self):
        self.write("two.toml", EXPERIMENT)
        for arguments, says in ((["results", "two.toml"], "run weft sweep two.toml"),
                                (["results", "none.toml"], "none.toml"),
                                (["results", "merge", "a"], "merge INTO FROM"),
                                (["results", "diff", "a"], "diff A B"),
                                (["reproduce", "nothing"], "known: demo, two")):
            error = self.weft(*arguments, code=2, WEFT_EXPERIMENTS=self.folder).stderr.decode()
            self.assertIn(says, error)
            self.assertEqual(error.count("\n"), 1, error)
        self.swept()
        error = self.weft("results", "two.toml", "--where", "siez=1MiB", code=2).stderr.decode()
        self.assertIn("did you mean size", error)
        for wish, says in (("size=abc", "no row has size=abc; known: 8000B, 8000000B"),
                           ("size=8MiB", "no row has size=8MiB; "),
                           ("algorithm=rin", "no row has algorithm=rin; did you mean ring?"),
                           ("algorithm=bruck", "no row has algorithm=bruck; known: ring, binomial"),
                           ("n=5", "no row has n=5; known: 4, 8"),
                           ("steps=abc", "no row has steps=abc")):
            error = self.weft("results", "two.toml", "--where", wish, code=2).stderr.decode()
            self.assertIn(says, error)
            self.assertEqual(error.count("\n"), 1, error)
        # 14 steps are the larger ring's alone.
        ran = self.weft("results", "two.toml", "--where", "n=4,steps=14", "--csv", "-")
        self.assertEqual(ran.stdout.count(b"\n"), 1)
        self.assertIn(b"no row meets all conditions\n", ran.stderr)

    def test_stores_are_merged_and_compared(self):
        self.swept("whole.sqlite")
        for part in ("0", "1"):
            self.weft("sweep", "two.toml", "--store", part + ".sqlite", "--shard", part + "/2")
        self.weft("results", "diff", "whole.sqlite", "0.sqlite", code=1)
        self.assertIn(b"8 rows", self.weft("results", "merge", "all.sqlite", "0.sqlite", "1.sqlite").stdout)
        self.weft("results", "diff", "whole.sqlite", "all.sqlite")
        parts = json.loads(self.weft("results", "diff", "whole.sqlite", "0.sqlite", "--json", code=1).stdout)
        self.assertEqual((len(parts["only_in_first"]), parts["same"]), (4, 4))
        self.assertEqual(self.rows("--store", "whole.sqlite"), self.rows("--store", "all.sqlite"))

    def test_reproduce_judges_and_draws(self):
        self.write("two.toml", EXPERIMENT + '[[chart]]\nname = "time"\npanel = "n"\n' + CLAIM % repr(CLOSED_FORM))
        ran = self.weft("reproduce", "demo", "--charts", "charts", WEFT_EXPERIMENTS=self.folder)
        self.assertIn("\n1 claim: 1 ✓ met, 0 ≈ met loosely, 0 ≠ explained, 0 ✗ open\n", ran.stdout.decode())
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "charts"))), ["two-time.png", "two-time.svg"])
        again = json.loads(self.weft("reproduce", "two", "--json", WEFT_EXPERIMENTS=self.folder).stdout)
        self.assertEqual(again["experiments"][0]["computed"], 0)
        self.assertEqual(again["experiments"][0]["claims"][0]["verdict"], "met")
        self.assertIn(b"two", self.weft("list", "experiments", WEFT_EXPERIMENTS=self.folder).stdout)

    def test_reproduce_fails_for_what_is_neither_printed_nor_stated(self):
        none = "0 ✓ met, 0 ≈ met loosely, 0 ≠ explained, "
        self.write("two.toml", EXPERIMENT + CLAIM % "1")
        said = self.weft("reproduce", "two.toml", code=1).stdout.decode()
        self.assertEqual(said.splitlines()[-1], "1 claim: " + none + "1 ✗ open; 1 fails")
        stated = EXPERIMENT + CLAIM % "1" + 'reason = "made up"\nours = %r\n'
        self.write("two.toml", stated % CLOSED_FORM)
        said = self.weft("reproduce", "two.toml").stdout.decode()
        self.assertIn("made up", said)
        self.assertEqual(said.splitlines()[-1], "1 claim: " + none + "1 ✗ open")
        self.write("two.toml", stated % (1.1 * CLOSED_FORM))
        moved = json.loads(self.weft("reproduce", "two.toml", "--json", code=1).stdout)
        self.assertEqual((moved["counts"]["open"], moved["failing"]), (1, 1))
        (found,) = moved["experiments"][0]["claims"][0]["found"]
        self.assertAlmostEqual(float(found), CLOSED_FORM, delta=1e-9 * CLOSED_FORM)
        self.write("two.toml", EXPERIMENT + CLAIM % "1" + 'reason = "made up"\n')
        self.assertIn(b"but not our value, so it could never fail; add", self.weft("reproduce", "two.toml", code=2).stderr)
        self.write("two.toml", stated % CLOSED_FORM)
        self.assertEqual(self.weft("reproduce", "two.toml", "--quick").stdout.decode().splitlines()[-1],
                         "1 claim: " + none + "0 ✗ open, 1 – not in this grid")
        quick = json.loads(self.weft("reproduce", "two.toml", "--quick", "--json").stdout)
        self.assertEqual(quick["experiments"][0]["claims"][0]["verdict"], "missing")

    def test_reproduce_says_how_to_retry_what_failed(self):
        self.write("two.toml", EXPERIMENT)
        os.mkdir(os.path.join(self.folder, "stores"))
        self.weft("sweep", "two.toml", "--quick", "--store", "stores/two.sqlite")
        with contextlib.closing(sqlite3.connect(os.path.join(self.folder, "stores/two.sqlite"))) as store, store:
            store.execute("UPDATE results SET results = '{}', error = 'no memory' WHERE key = "
                          "(SELECT min(key) FROM results)")
        reproduce = ["reproduce", "two.toml", "--quick", "--store", "stores"]
        out = self.weft(*reproduce, code=1).stdout.decode()
        hint = out.split("to compute them again: ")[1].split("\n")[0]
        self.assertEqual(hint, "weft sweep two.toml --retry-failed --store stores/two.sqlite --quick")
        self.assertIn(b"3 known, 1 computed", self.weft(*hint.split()[1:]).stdout)
        self.assertNotIn(b"failed", self.weft(*reproduce).stdout)

    def test_reproduce_probes_its_outputs_before_it_computes(self):
        self.write("two.toml", EXPERIMENT + '[[chart]]\nname = "time"\n')
        self.write("file", "")
        no_gnuplot = os.path.join(self.folder, "empty")
        os.mkdir(no_gnuplot)
        for arguments, path, says in ((["--page", "none/page.html"], None, "cannot write 'none/page.html'"),
                                      (["--page", "empty"], None, "it is a folder"),
                                      (["--page", "page.txt"], None, "is not an HTML file name; name it FILE.html"),
                                      (["--charts", "file"], None, "file"),
                                      (["--charts", "empty"], no_gnuplot, "gnuplot is not installed"),
                                      (["--page", "page.html"], no_gnuplot, "gnuplot is not installed")):
            error = self.weft("reproduce", "two.toml", *arguments, code=2,
                              PATH=path or os.environ["PATH"]).stderr.decode()
            self.assertIn(says, error)
            self.assertEqual(error.count("\n"), 1, error)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "two.sqlite")))

    def test_a_complete_store_need_not_be_written(self):
        self.swept("two.sqlite")
        # A second name of a file that is a store, and cannot be written whoever asks.
        os.mkdir(os.path.join(self.folder, "closed"))
        for name in ("two.toml", "two.sqlite"):
            os.rename(os.path.join(self.folder, name), os.path.join(self.folder, "closed", name))
        with read_only(os.path.join(self.folder, "closed")) as closed:
            if not closed:
                self.skipTest("no read-only folder can be made here")
            self.assertIn(b"8 known, 0 computed", self.weft("sweep", "closed/two.toml").stdout)
            self.assertIn(b"0 computed now", self.weft("reproduce", "closed/two.toml").stdout)
            error = self.weft("sweep", "closed/two.toml", "--store", "closed/new.sqlite", code=2).stderr
            self.assertRegex(error, b"(Read-only|Permission).* with --store")
        self.assertEqual(sorted(os.listdir(self.folder)), ["closed"])

    def test_the_quick_grid_of_what_ships_holds(self):
        names = sorted(file[:-5] for file in os.listdir(os.path.join(SOURCE, "reproduction/experiments"))
                       if file.endswith(".toml"))
        every = round(1 / float(os.environ.get("WEFT_TEST_SAMPLES", "1")) ** 2)  # each takes about a second
        some = sorted({*names[::every], "testbed-model"})  # --stored asks for measured times
        ran = self.weft("reproduce", *some, "--quick", "--stored", "--store", "stores", "--json",
                        WEFT_EXPERIMENTS=os.path.join(SOURCE, "reproduction/experiments"))
        for experiment in json.loads(ran.stdout)["experiments"]:
            self.assertEqual(experiment["failed"], 0, experiment["name"])


if __name__ == "__main__":
    unittest.main()
