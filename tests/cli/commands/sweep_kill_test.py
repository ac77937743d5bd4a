"""Sweeps that are killed, stopped, run twice at once, or run out of disk: the store ends as if nothing had
happened. WEFT_KILLS is the number of kills (30, or WEFT_TEST_SAMPLES of them); the seed of their moments is printed."""
import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

WEFT = os.environ["WEFT_PROGRAM"]
SAMPLES = float(os.environ.get("WEFT_TEST_SAMPLES", "1"))
KILLS = int(os.environ.get("WEFT_KILLS") or max(1, 30 * SAMPLES))
SEED = int(os.environ.get("WEFT_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)

# Rows of less than a millisecond, so that commits are most of the work: 1,199 of them, fast tests have half.
EXPERIMENT = f"""
[experiment]
title = "small rows"
[grid]
collective = ["allreduce", "alltoall"]
topology = ["ring:8", "torus:4x4", "2dfc:4x4", "kautz:4,2", "hypercube:5"]
algorithm = "all"
size = "1KiB:{"1MiB" if SAMPLES == 1 else "16KiB"}"
"""


def rows_of(store):
    """All that is kept but times and dates, by key; the store must be whole."""
    with contextlib.closing(sqlite3.connect(store)) as database:
        whole = database.execute("PRAGMA integrity_check").fetchall()
        assert whole == [("ok",)], whole
        tables = database.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'table'").fetchone()
        if tables == (0,):
            return {}  # killed before there was a table
        found = database.execute("SELECT key, kind, parameters, results, error FROM results").fetchall()
    for _, _, parameters, results, error in found:
        assert json.loads(parameters) and bool(json.loads(results)) != bool(error)
    return {row[0]: row[1:] for row in found}


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="weft-sweep-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.file = os.path.join(cls.folder.name, "small.toml")
        with open(cls.file, "w") as file:
            file.write(EXPERIMENT)
        start = time.monotonic()
        cls.sweep("whole.sqlite")
        cls.duration = time.monotonic() - start
        cls.whole = rows_of(cls.path("whole.sqlite"))
        cls.table = cls.csv("whole.sqlite")
        cls.random = random.Random(SEED)
        print(f"seed {SEED}: {len(cls.whole)} rows, {cls.duration:.2f} s undisturbed")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def start(cls, store, *arguments):
        # --quiet: a slow machine would add a sign of life to what is said.
        return subprocess.Popen([WEFT, "sweep", cls.file, "--quiet", "--store", cls.path(store), *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @classmethod
    def sweep(cls, store, *arguments, code=0):
        process = cls.start(store, *arguments)
        out, err = process.communicate(timeout=60)
        assert process.returncode == code, (process.returncode, out, err)
        return out.decode(), err.decode()

    @classmethod
    def csv(cls, store):
        """The table as bytes, as a user gets it."""
        command = [WEFT, "results", cls.file, "--store", cls.path(store), "--csv", "-"]
        return subprocess.run(command, capture_output=True, check=True, timeout=60).stdout

    def assert_whole(self, store):
        self.assertEqual(rows_of(self.path(store)), self.whole)
        self.assertEqual(self.csv(store), self.table)

    def wait_for_commit(self, store, process):
        """Returns when the log grows: its commit is on the way to the disk."""
        log = self.path(store) + "-wal"

        def size():
            with contextlib.suppress(OSError):
                return os.path.getsize(log)
            return 0

        before = size()
        while process.poll() is None and size() == before:
            pass

    def test_killed_at_any_moment(self):
        kills = in_commits = runs = 0
        known = {}
        store = f"killed{runs}.sqlite"
        while kills < KILLS:
            process = self.start(store, "--threads", str(1 + kills % 2))
            time.sleep(self.random.uniform(0, self.duration / 2))
            if kills % 3 == 0:
                self.wait_for_commit(store, process)
                in_commits += 1
            process.kill()
            process.communicate()
            finished = process.returncode == 0
            kills += 0 if finished else 1
            now = rows_of(self.path(store))
            self.assertLessEqual(now.items(), self.whole.items())
            self.assertLessEqual(known.items(), now.items())
            known = now
            if finished:
                self.assert_whole(store)
                runs, known = runs + 1, {}
                store = f"killed{runs}.sqlite"
        self.sweep(store)
        self.assert_whole(store)
        print(f"{kills} kills over {runs + 1} stores, {in_commits} of them when the log grew")

    def test_stopped_by_signals(self):
        stopped = 0
        for attempt, number in enumerate(3 * (signal.SIGINT, signal.SIGTERM)):
            store = f"stopped{attempt}.sqlite"
            process = self.start(store)
            while not os.path.exists(self.path(store) + "-wal"):
                time.sleep(0.001)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertIn(process.returncode, (0, 130), err)
            if process.returncode == 130:
                stopped += 1
                self.assertIn(b"start it again to go on", out)
                self.assertIn(b"stopping", err)
                self.assertFalse(os.path.exists(self.path(store) + "-wal"))
            self.sweep(store)
            self.assert_whole(store)
        self.assertGreaterEqual(stopped, 1)

    def test_two_at_once(self):
        for attempt in range(3):
            store = f"twice{attempt}.sqlite"
            both = [self.start(store, "--threads", "1"), self.start(store, "--threads", "2")]
            for process in both:
                _, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0, err)
            self.assert_whole(store)

    def test_workers_and_shards(self):
        for workers in ("1", "2", "4"):
            self.sweep(f"workers{workers}.sqlite", "--threads", workers)
            self.assert_whole(f"workers{workers}.sqlite")
        shares = []
        for shard in range(3):
            self.sweep(f"shard{shard}.sqlite", "--shard", f"{shard}/3")
            shares.append(rows_of(self.path(f"shard{shard}.sqlite")))
        self.assertEqual(sum(map(len, shares)), len(self.whole))
        self.assertEqual({**shares[0], **shares[1], **shares[2]}, self.whole)

    def test_nothing_is_computed_twice(self):
        out, _ = self.sweep("whole.sqlite", "--json")
        answer = json.loads(out)
        self.assertEqual((answer["rows"], answer["known"], answer["computed"]),
                         (len(self.whole), len(self.whole), 0))

    @contextlib.contextmanager
    def disk(self, name, options):
        """A file system of a few kilobytes; skips the test where none can be mounted."""
        folder = self.path(name)
        os.mkdir(folder)
        mount = ["mount", "-t", "tmpfs", "-o", options, "weft-test", folder]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("cannot mount a tmpfs here (needs root)")
        try:
            yield folder
        finally:
            subprocess.run(["umount", folder], check=True)

    def test_a_full_disk(self):
        refused = 0
        with self.disk("small", "size=16k") as folder:
            store = os.path.join("small", "s.sqlite")
            for size_kB in (16, 24, 40, 64, 100, 200, 400, 16000):
                subprocess.run(["mount", "-o", f"remount,size={size_kB}k", folder], check=True)
                process = self.start(store)
                _, err = process.communicate(timeout=60)
                if process.returncode == 0:
                    break
                refused += 1
                self.assertEqual(process.returncode, 2, err)
                self.assertEqual(err.count(b"\n"), 1, err)
                self.assertIn(b"cannot write '" + self.path(store).encode() + b"': ", err)
                if os.path.exists(self.path(store)):
                    self.assertLessEqual(self.rows_beside(store).items(), self.whole.items())
            self.assertGreater(refused, 2)
            self.sweep(store)
            self.assertEqual(self.rows_beside(store), self.whole)

    def rows_beside(self, store):
        """Reads a copy: the full disk has no room for a reader."""
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "copy")
            for suffix in ("", "-wal"):
                with contextlib.suppress(FileNotFoundError):
                    with open(self.path(store) + suffix, "rb") as old, open(copy + suffix, "wb") as new:
                        new.write(old.read())
            return rows_of(copy)

    def test_a_medium_that_cannot_be_written(self):
        with self.disk("readonly", "size=8m") as folder:
            store = os.path.join("readonly", "s.sqlite")
            self.sweep(store, "--shard", "0/2")
            subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
            # Half of the rows are there, and asking for them again writes nothing.
            for arguments in (["--dry-run"], ["--shard", "0/2"]):
                out, _ = self.sweep(store, "--json", *arguments)
                self.assertEqual(json.loads(out)["known"], (len(self.whole) + 1) // 2)
            self.assertEqual(os.listdir(folder), ["s.sqlite"])
            _, err = self.sweep(store, code=2)
            self.assertIn(f"cannot write '{self.path(store)}'", err)
            self.assertEqual(err.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
