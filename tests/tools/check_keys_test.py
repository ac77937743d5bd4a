"""Runs tools/checks/check_keys.py on small trees with keys that are described once, and twice."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "checks" / "check_keys.py"

sys.path.insert(0, str(TOOL.parent))
import check_keys  # noqa: E402

PART = 'part("steps", "T_L", Unit::none, "steps of the schedule", &A::steps)'


def faults_of(*codes):
    """Returns the faults of a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for number, code in enumerate(codes):
            path = Path(folder) / "src" / "cli" / f"{number}.cpp"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code)
        return check_keys.check_keys(Path(folder))


class CheckKeys(unittest.TestCase):
    def test_the_tree_is_sound(self):
        done = subprocess.run([sys.executable, TOOL, ROOT], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_tree_has_keys(self):
        found = {each for path in (ROOT / "src" / "cli").rglob("*.cpp") for each in check_keys.keys_of(path.read_text())}
        self.assertGreater(len(found), 300)
        self.assertIn(("makespan", "time until all calls are done"), found)

    def test_finds_a_key_in_two_files(self):
        for other in (PART, 'of_row("steps", "", answer::Unit::none,\n  "steps of "\n  "the schedule", get)',
                      'inline constexpr Key kSteps{"steps", Unit::none, "steps of the schedule"};'):
            faults = faults_of("return {" + PART + "};", other)
            self.assertEqual(len(faults), 1, other)
            self.assertIn('steps: "steps of the schedule" stands in src/cli/0.cpp, src/cli/1.cpp', faults[0])
        self.assertEqual(len(faults_of('part.list("rows", "all rows", get, parts)', 'part.list("rows", "all rows", rows_of,\n'
                                       'row_parts())')), 1)

    def test_accepts_keys_that_differ_or_stand_in_one_file(self):
        self.assertEqual(faults_of(PART + PART), [])
        for other in (PART.replace("of the", "of a"), PART.replace('"steps"', '"calls"'), "// " + PART,
                      "part(keys::kSteps, get)", 'add("steps", "T_L", unit, "steps of the schedule", 1)'):
            self.assertEqual(faults_of(PART, other), [], other)


if __name__ == "__main__":
    unittest.main()
