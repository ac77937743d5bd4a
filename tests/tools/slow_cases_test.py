#!/usr/bin/env python3
"""Tests that every line of tests/slow_cases.txt names a case; a renamed case would silently run among the fast tests."""
import fnmatch
import os
import pathlib
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["WEFT_SOURCE_DIR"])
PROGRAMS = pathlib.Path(os.environ["WEFT_BUILD_DIR"], "bin")


def cases_of(program):
    listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    suite = ""
    for line in listing.splitlines():
        name = line.split("#")[0].strip()
        if not line.startswith(" "):
            suite = name
        else:
            yield suite + name


class SlowCases(unittest.TestCase):
    def test_every_line_names_a_case(self):
        cases = [case for program in PROGRAMS.glob("*_test") for case in cases_of(program)]
        self.assertGreater(len(cases), 3000)
        lines = (SOURCE / "tests/slow_cases.txt").read_text().splitlines()
        names = [line for line in lines if line and not line.startswith("#")]
        for name in names:
            self.assertTrue(fnmatch.filter(cases, name), f"no case is named {name}")
        self.assertEqual(names, sorted(set(names)))


if __name__ == "__main__":
    unittest.main()
