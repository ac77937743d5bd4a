#!/usr/bin/env python3
"""Tests that tools/slowest_cases.py names cases that take over two seconds, except the exempt ones."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGES = ROOT / "tests/long_judges.txt"


class SlowestCases(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.times = self.folder / "times"
        self.times.mkdir()
        cases = [{"classname": "Kautz", "name": name, "time": time}
                 for name, time in (("is_quick", "0.1s"), ("is_slow", "2.5s"), ("judges", "9s"))]
        for report in ("topology.0", "topology.slow.0"):
            (self.times / f"{report}.json").write_text(json.dumps({"testsuites": [{"testsuite": cases}]}))
        (self.times / "ctest.xml").write_text(
            '<testsuite><testcase name="topology.0" time="11.6"/><testcase name="cli.quick" time="1"/>'
            '<testcase name="cli.slow" time="3.5"/><testcase name="cli.judge" time="5"/></testsuite>')

    def run_with(self, judges):
        (self.folder / "judges.txt").write_text("# a comment\n" + "\n".join(judges))
        return subprocess.run([sys.executable, ROOT / "tools/slowest_cases.py", self.times, self.folder / "judges.txt"],
                              capture_output=True, text=True)

    def test_names_all_but_the_judges_and_those_within_two_seconds(self):
        lines = self.run_with(["Kautz.judges", "cli.judge"]).stdout.splitlines()
        self.assertEqual(lines[0], "3 fast cases and 3 scripts took 21 s")
        self.assertEqual([line.split()[-1] for line in lines[2:]], ["cli.slow", "Kautz.is_slow"])

    def test_refuses_more_than_twenty_judges(self):
        self.assertEqual(self.run_with([f"cli.judge_{i}" for i in range(20)]).returncode, 0)
        self.assertNotEqual(self.run_with([f"cli.judge_{i}" for i in range(21)]).returncode, 0)

    def test_the_judges_are_twenty_at_most(self):
        named = [line for line in JUDGES.read_text().splitlines() if line and not line.startswith("#")]
        self.assertLessEqual(len(named), 20)


if __name__ == "__main__":
    unittest.main()
