"""weft reproduce --full --keep: what is kept of a full grid, judged by later runs of the standard one."""
import contextlib
import hashlib
import json
import os
import sqlite3
import subprocess
import tempfile
import unittest

WEFT = os.environ["WEFT_PROGRAM"]

EXPERIMENT = """
[experiment]
title = "Rings"
[variables]
n = [4, 8]
[grid]
topology = "uniring:{n}"
collective = "allreduce"
algorithm = ["ring", "binomial"]
size = "8MB"
link = ["10GBps,2us"]
[full]
n = [4, 8, 16]
"""

CLAIM = """
[[claim]]
text = "The ring of %d takes its closed form"
where = { algorithm = "ring", n = %d }
printed = %r
tolerance = 1e-9
"""


def closed_form(n):
    """2 (N - 1) steps of latency and a block's bytes."""
    return 2 * (n - 1) * (2e-6 + 8e6 / n / 10e9)


def canonical(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return "%.9g" % value
    return "" if value is None else str(value)


def digest_of(store):
    """Computes the digest `store` of a full grid from the rows in SQLite, in the order of their keys."""
    text = ""
    with contextlib.closing(sqlite3.connect(store)) as rows:
        for key, kind, parameters, results in rows.execute(
                "SELECT key, kind, parameters, results FROM results ORDER BY key"):
            text += f"row {key} {kind}\n"
            text += "".join(f"{name}={canonical(value)}\n" for name, value in sorted(json.loads(parameters).items()))
            text += "results\n"
            text += "".join(f"{name}={canonical(value)}\n" for name, value in sorted(json.loads(results).items()))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


class Kept(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-kept-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write(EXPERIMENT + CLAIM % (8, 8, closed_form(8)) + CLAIM % (16, 16, closed_form(16)))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, text, name="rings.toml"):
        with open(self.path(name), "w") as out:
            out.write(text)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def weft(self, *arguments, code=0):
        ran = subprocess.run([WEFT, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=600,
                             stdin=subprocess.DEVNULL)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran

    def reproduced(self, *arguments, code=0):
        return json.loads(self.weft("reproduce", "rings.toml", "--json", *arguments, code=code).stdout)["experiments"][0]

    def test_claims_of_the_full_grid_are_judged_by_what_is_kept(self):
        before = self.reproduced()
        self.assertEqual([claim["verdict"] for claim in before["claims"]], ["met", "missing"])
        self.assertIsNone(before["full_grid"])
        self.assertIn("kept full/rings.toml", self.weft("reproduce", "rings.toml", "--full", "--keep").stderr)
        after = self.reproduced("--page", "rings.html")
        self.assertEqual([(claim["verdict"], claim["grid"]) for claim in after["claims"]],
                         [("met", "standard"), ("met", "full")])
        self.assertEqual(after["rows"], 4)
        self.assertAlmostEqual(float(after["claims"][1]["found"][0]), closed_form(16), delta=1e-9 * closed_form(16))
        digest = digest_of(self.path("rings.sqlite"))
        self.assertEqual((after["full_grid"]["store"], after["full_grid"]["rows"]), (digest, 6))
        self.assertIn(digest, self.read("rings.html"))
        said = self.weft("reproduce", "rings.toml").stdout
        self.assertIn(digest, said)
        self.assertIn("2 claims: 2 ✓ met", said)

    def test_a_second_run_says_whether_its_rows_are_those_that_are_kept(self):
        self.weft("reproduce", "rings.toml", "--full", "--keep", "--threads", "1")
        kept = self.read("full/rings.toml")
        self.weft("reproduce", "rings.toml", "--full", "--keep", "--store", "again", "--threads", "2")
        self.assertEqual(self.read("full/rings.toml"), kept)
        self.assertTrue(self.reproduced("--full")["full_grid"]["same_rows"])
        with contextlib.closing(sqlite3.connect(self.path("again/rings.sqlite"))) as store, store:
            store.execute("UPDATE results SET results = json_set(results, '$.steps', 99) WHERE key = "
                          "(SELECT max(key) FROM results)")
        self.assertFalse(self.reproduced("--full", "--store", "again", code=1)["full_grid"]["same_rows"])
        # To keep these is no comparison.
        kept = self.reproduced("--full", "--keep", "--store", "again")["full_grid"]
        self.assertEqual((kept["store"], kept["same_rows"]), (digest_of(self.path("again/rings.sqlite")), None))
        self.assertIn(kept["store"], self.read("full/rings.toml"))
        self.assertTrue(self.reproduced("--full", "--store", "again")["full_grid"]["same_rows"])
        said = self.weft("reproduce", "rings.toml", "--full", "--keep").stdout
        self.assertIn(digest_of(self.path("rings.sqlite")), said)
        self.assertNotIn("these rows are", said)

    def test_what_is_kept_of_another_question_is_not_run(self):
        self.weft("reproduce", "rings.toml", "--full", "--keep")
        for old, new, why in (("n = [4, 8, 16]", "n = [4, 8, 12, 16]", "the grid has changed"),
                              (repr(closed_form(16)), "7", "the claims have changed")):
            text = self.read("rings.toml")
            self.write(text.replace(old, new))
            stale = self.reproduced()
            self.assertEqual(stale["claims"][1]["verdict"], "missing")
            self.assertIn(why, stale["claims"][1]["detail"])
            self.assertIn(why, stale["full_grid"]["stale"])
            self.assertIn("stale and not used", self.weft("reproduce", "rings.toml").stdout)
            self.write(text)

    def test_a_number_that_was_edited_is_refused(self):
        self.weft("reproduce", "rings.toml", "--full", "--keep")
        kept = self.read("full/rings.toml")
        number = kept.split('"time":')[1].split("}")[0]
        self.write(kept.replace(number, "7.0"), "full/rings.toml")
        error = self.weft("reproduce", "rings.toml", code=2).stderr
        self.assertIn("full/rings.toml: the file was edited or damaged", error)
        self.assertEqual(error.count("\n"), 1, error)
        self.weft("reproduce", "rings.toml", "--full", code=2)
        # What the message says mends it, whatever the file has.
        for damaged in (kept.replace(number, "7.0"), "no [TOML", "\0"):
            self.write(damaged, "full/rings.toml")
            self.weft("reproduce", "rings.toml", "--full", "--keep")
            self.assertEqual(self.read("full/rings.toml"), kept)

    def test_what_is_refused_leaves_no_folder(self):
        self.weft("reproduce", "rings.toml", "--full", "--keep", "--store", "/proc/q", code=2)
        self.assertFalse(os.path.exists(self.path("full")))
        self.write("", "full")
        error = self.weft("reproduce", "rings.toml", "--full", "--keep", code=2).stderr
        self.assertEqual(error, "weft: cannot write 'full/rings.toml': 'full' is not a folder; give it another name\n")
        self.assertFalse(os.path.exists(self.path("rings.sqlite")))

    def test_kept_numbers_that_are_neither_printed_nor_stated_fail(self):
        self.write(EXPERIMENT + CLAIM % (16, 16, 1.0))
        self.weft("reproduce", "rings.toml", "--full", "--keep", code=1)
        (claim,) = self.reproduced(code=1)["claims"]
        self.assertEqual((claim["verdict"], claim["fails"], claim["grid"]), ("open", True, "full"))
        self.write(EXPERIMENT + CLAIM % (16, 16, 1.0) + 'reason = "made up"\nours = %r\n' % closed_form(16))
        self.assertFalse(self.reproduced()["claims"][0]["fails"])

    def test_work_of_several_files_is_foretold_file_by_file_and_in_all(self):
        self.write(EXPERIMENT.replace("[4, 8]", "[4]"), "others.toml")
        self.weft("reproduce", "rings.toml", "--store", "stores")
        said = self.weft("reproduce", "rings.toml", "others.toml", "--full", "--store", "stores").stderr
        for line in ("rings: 2 of 6 rows to compute, about ", "others: 6 of 6 rows to compute, about ",
                     "in all: 8 of 12 rows to compute, about "):
            self.assertEqual(said.count("\n" + line) + said.startswith(line), 1, said)
        again = self.weft("reproduce", "rings.toml", "others.toml", "--full", "--store", "stores").stderr
        self.assertNotIn("rows to compute", again)

    def test_only_a_full_grid_can_be_kept(self):
        self.assertIn("--keep requires --full", self.weft("reproduce", "rings.toml", "--keep", code=2).stderr)
        self.write(EXPERIMENT.split("[full]")[0])
        error = self.weft("reproduce", "rings.toml", "--full", "--keep", code=2).stderr
        self.assertIn("--keep has no effect on experiments without [full]", error)
        self.assertFalse(os.path.exists(self.path("full")))


if __name__ == "__main__":
    unittest.main()
