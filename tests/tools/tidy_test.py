#!/usr/bin/env python3
"""Tests that tools/tidy.py finds the same faults in sources that it checks together as one by one."""
import importlib.util
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
spec = importlib.util.spec_from_file_location("tidy", ROOT / "tools/tidy.py")
tidy = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tidy)

OPTIONS = ["-std=c++20"]
CLEAN = "namespace { int one() { return 1; } }\nint %s() { return one(); }\n"
# A copy in each turn: performance-for-range-copy.
COPIES = """#include <string>
#include <vector>
std::size_t length(const std::vector<std::string>& words) {
  std::size_t sum = 0;
  for (const auto word : words) sum += word.size();
  return sum;
}
"""


@unittest.skipUnless(shutil.which("clang-tidy"), "clang-tidy is not installed")
class Groups(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name, "src/weft")
        self.folder.mkdir(parents=True)

    def source(self, name, text):
        path = self.folder / f"{name}.cpp"
        path.write_text(text)
        return str(path)

    def test_a_finding_in_a_group_is_told_with_its_file(self):
        sources = [self.source("clean", CLEAN % "a"), self.source("copies", COPIES)]
        found = tidy.findings(sources, OPTIONS)
        self.assertIn("performance-for-range-copy", found)
        self.assertIn("copies.cpp:5", found)
        self.assertNotIn("clean.cpp", found)

    def test_clean_sources_whose_names_clash_are_clean(self):
        sources = [self.source("a", CLEAN % "a"), self.source("b", CLEAN % "b")]
        self.assertIsNone(tidy.findings(sources, OPTIONS))

    def test_a_finding_beside_a_clash_is_told_once(self):
        sources = [self.source("a", CLEAN % "a"), self.source("b", CLEAN % "b"),
                   self.source("copies", COPIES)]
        found = tidy.findings(sources, OPTIONS)
        self.assertEqual(found.count("[performance-for-range-copy"), 1)

    def test_groups_hold_sources_of_the_same_options_alone(self):
        options = {self.source(f"s{i}", CLEAN % f"f{i}"): ["-DA"] if i % 2 else ["-DB"] for i in range(8)}
        options |= {self.source(f"t{i}", f"int t{i}();"): ["-DA"] if i % 2 else ["-DB"] for i in range(50)}
        groups = list(tidy.groups_of(sorted(options), options))
        self.assertEqual(sorted(source for group in groups for source in group), sorted(options))
        for group in groups:
            self.assertLessEqual(len(group), tidy.TOGETHER)
            self.assertEqual(len({tuple(options[source]) for source in group}), 1)


if __name__ == "__main__":
    unittest.main()
